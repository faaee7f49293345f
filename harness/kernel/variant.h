/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private: what the kinds of variants share. */
#ifndef KERNEL_VARIANT_H
#define KERNEL_VARIANT_H

#include <abrig/kernel.h>

extern const struct ab_variant_ops ab_variant_flash; /* variant_flash.c */
extern const struct ab_variant_ops ab_variant_boot;  /* variant_boot.c */

/* A path from a plan: refuses what is no path. */
bool variant_add_image(struct ab_variant *variant, const char *partition,
		       const char *path, const struct ab_node *where,
		       GError **error);

/* Header and magic of @path as @partition wants them, before any is sent. */
struct ab_bootimg *variant_check_image(const char *partition, const char *path,
				       GError **error);
/* Whether @partition's image is a boot image with a kernel in it. */
bool variant_holds_kernel(const char *partition);

/* ---- the bootloader, bootloader.c ---- */

struct bootloader {
	GHashTable *vars; /* getvar all */
	char *product;
	char *slot; /* current-slot; NULL: no slots */
	bool unlocked, userspace;
};
void bootloader_clear(struct bootloader *b);

/* Bring @phone into its bootloader, from Android or where it is. */
bool bootloader_enter(struct ab_phone *phone, const struct ab_wait *w,
		      GError **error);
/* Ask what it is, and refuse what must not be written to. */
bool bootloader_check(struct ab_phone *phone, const struct ab_wait *w,
		      struct bootloader *b_out, GError **error);
/*
 * The variable "@name:@partition", asked for when `getvar all` left it out.
 */
char *bootloader_getvar(const struct bootloader *b, struct ab_phone *phone,
			const struct ab_wait *w, const char *name,
			const char *partition, GError **error);
/* Is @image small enough for @partition (with its slot)? */
bool bootloader_check_size(const struct bootloader *b, struct ab_phone *phone,
			   const struct ab_wait *w, const char *partition,
			   const char *image, GError **error);
bool bootloader_set_active(struct ab_phone *phone, const struct ab_wait *w,
			   const char *slot, GError **error);
/* Leave for Android. */
bool bootloader_leave(struct ab_phone *phone, const struct ab_wait *w,
		      GError **error);

#endif

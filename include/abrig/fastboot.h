/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fastboot: the platform-tools program as a subprocess, argv only.  The stock
 * client waits or spins for ever in several situations, so each call ends at
 * its deadline with a message that says which of them it looks like.
 *
 * @target is what `fastboot -s` takes: a serial or "tcp:host:port".
 */
#ifndef ABRIG_FASTBOOT_H
#define ABRIG_FASTBOOT_H

#include <abrig/auto.h>
#include <abrig/wait.h>

struct ab_fastboot_reply {
	bool ok;      /* "Finished" and exit status 0 */
	char *failed; /* text of FAILED (...), or of "fastboot: error: ..." */
	bool remote;  /* @failed is what the bootloader itself said */
	char *value;  /* getvar NAME: its value */
	/*
	 * getvar all: char * -> char *.  Slots in keys are bare, also where
	 * the bootloader says "slot-successful:_a".
	 */
	GHashTable *vars;
	GPtrArray *info; /* other (bootloader) lines, char * */
	bool waiting;	 /* it printed "< waiting for ... >" */
};

/*
 * Parse what the client printed to stderr (pure; the grammar of real devices,
 * with spaces, colons and units in values).  @name is the variable asked for,
 * "all", or NULL for other commands.
 */
struct ab_fastboot_reply *ab_fastboot_parse(const char *err, int status,
					    const char *name);
void ab_fastboot_reply_free(struct ab_fastboot_reply *reply);
AB_DEFINE_AUTO(ab_fastboot_reply, ab_fastboot_reply_free)

/* A single variable; NULL with AB_ERROR_REMOTE when the device has none. */
char *ab_fastboot_getvar(const struct ab_wait *w, const char *target,
			 const char *name, GError **error);
/* All of them, or NULL. */
GHashTable *ab_fastboot_getvar_all(const struct ab_wait *w, const char *target,
				   GError **error);
/* @partition with its slot ("boot_a"). */
bool ab_fastboot_flash(const struct ab_wait *w, const char *target,
		       const char *partition, const char *image,
		       GError **error);
/* Load @image and run it once; nothing is written. */
bool ab_fastboot_boot(const struct ab_wait *w, const char *target,
		      const char *image, GError **error);
/* Sets the slot and reads current-slot again: AB_ERROR_REMOTE on a lie. */
bool ab_fastboot_set_active(const struct ab_wait *w, const char *target,
			    const char *slot, GError **error);
/* @to: "", "bootloader" or "fastboot". */
bool ab_fastboot_reboot(const struct ab_wait *w, const char *target,
			const char *to, GError **error);
bool ab_fastboot_is_userspace(const struct ab_wait *w, const char *target,
			      bool *userspace_out, GError **error);
/* The bare current slot, "a" or "b" (caller frees). */
char *ab_fastboot_current_slot(const struct ab_wait *w, const char *target,
			       GError **error);
/* Wait until a bootloader answers on @target. */
bool ab_fastboot_wait(const struct ab_wait *w, const char *target,
		      GError **error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels: understand an image before it is flashed, put a variant on a phone,
 * and prove what booted.
 */
#ifndef ABRIG_KERNEL_H
#define ABRIG_KERNEL_H

#include <abrig/keys.h>
#include <abrig/phone.h>

/* What a boot image says (pure parse of its bytes). */
struct ab_bootimg {
	int header_version;
	guint32 kernel_size, ramdisk_size;
	char *cmdline;
	char *banner;	     /* "Linux version ..." up to its newline */
	char *release;	     /* uname -r, from the banner */
	char *config_sha256; /* of the embedded configuration; NULL: none */
	char *config;	     /* its text; NULL: none */
};
struct ab_bootimg *ab_bootimg_parse(const guint8 *data, size_t len,
				    GError **error);
struct ab_bootimg *ab_bootimg_load(const char *path, GError **error);
void ab_bootimg_free(struct ab_bootimg *image);
AB_DEFINE_AUTO(ab_bootimg, ab_bootimg_free)

/* The identity of a running kernel, or of one that should run. */
struct ab_identity {
	char *release;	     /* uname -r */
	char *banner;	     /* /proc/version; NULL in an expectation: any */
	char *config_sha256; /* of /proc/config.gz's text; NULL: not there */
	char *boot_id;	     /* NULL in an expectation */
	char *slot;	     /* "a", "b"; NULL: any, or no slots */
	char *cmdline;
};
void ab_identity_clear(struct ab_identity *id);
bool ab_identity_read(struct ab_phone *phone, const struct ab_wait *w,
		      struct ab_identity *id_out, GError **error);
/* "6.12.0-g0123 (#1 SMP ...), config 1f2e3d4c, slot a" (caller frees) */
char *ab_identity_describe(const struct ab_identity *id);

/* ---- variants ---- */

struct ab_image {
	char *partition; /* from the allowlist, without slot */
	char *path;	 /* may hold {platform} */
};

struct ab_variant {
	char *name, *file;
	int line;  /* of its definition, for messages */
	char *dir; /* of a file of its own; NULL: defined in the plan */
	const struct ab_variant_ops *ops;
	GPtrArray *images;    /* struct ab_image * */
	char *slot;	      /* flash: "inactive" (default) or "active" */
	char *verify_uname;   /* must be contained in uname -r; NULL: none */
	char *verify_cmdline; /* must be contained in /proc/cmdline */
	/* Filled by ab_variant_load_images(), per platform. */
	char *platform;
	struct ab_bootimg *boot; /* of the image that holds the kernel */
};

/* A way to put a variant on a phone: one file each in harness/kernel/. */
struct ab_variant_ops {
	const char *name; /* the plan's key: "flash", "boot" */
	const char *help;
	const struct ab_key *keys; /* of the value's map; NULL: a scalar */
	/* Parse the key's value into @variant.  Does not block. */
	bool (*parse)(struct ab_variant *variant, const struct ab_node *node,
		      GError **error);
	/*
	 * Put it on @phone and start it; on return the phone is booting it.
	 * @home_slot is the slot that the phone was found in.
	 */
	bool (*install)(const struct ab_variant *variant,
			struct ab_phone *phone, const struct ab_wait *w,
			const char *home_slot, GError **error);
	/*
	 * The slot that it must run from (static text), NULL: any.  Does not
	 * block.
	 */
	const char *(*slot)(const struct ab_variant *variant,
			    const char *home_slot);
};
extern const struct ab_variant_ops *const ab_variant_kinds[]; /* NULL-ended */

/* The keys of `verify:`. */
extern const struct ab_key ab_verify_keys[];

/*
 * A variant from a plan's map, or from the file that a scalar names: it is
 * looked for beside the plan, in ./kernels, $ABRIG_KERNELS and the installed
 * kernels/.  Relative paths in such a file are relative to its directory.
 */
struct ab_variant *ab_variant_parse(const char *name,
				    const struct ab_node *node, GError **error);
void ab_variant_free(struct ab_variant *variant);
/*
 * A copy for @platform with {platform} replaced, each image opened, checked
 * and understood.  Relative paths are relative to @base_dir.
 */
struct ab_variant *ab_variant_load_images(const struct ab_variant *variant,
					  const char *platform,
					  const char *base_dir, GError **error);
/*
 * Can these two be told apart on a running phone?  AB_ERROR_IDENTITY with both
 * sides when they cannot.
 */
bool ab_variant_distinct(const struct ab_variant *a, const struct ab_variant *b,
			 GError **error);

/* Partitions that may be written at all; NULL-terminated. */
extern const char *const ab_partition_allowlist[];

/*
 * Install @variant, wait for the boot, prove it.  @others (NULL-terminated)
 * are the other variants, to say whose kernel runs when it is the wrong one.
 * @id_out gets what was found.  AB_ERROR_IDENTITY prints both identities.
 */
bool ab_kernel_start(const struct ab_variant *variant,
		     struct ab_variant *const *others, struct ab_phone *phone,
		     const struct ab_wait *w, const char *home_slot,
		     struct ab_identity *id_out, GError **error);
/* Compare what runs with @variant (after each run). */
bool ab_kernel_prove(const struct ab_variant *variant,
		     struct ab_variant *const *others,
		     const struct ab_identity *found, const char *home_slot,
		     const char *serial, GError **error);
/* Give the slot back that the phone was found in; no-op when it is active. */
bool ab_kernel_restore_slot(struct ab_phone *phone, const struct ab_wait *w,
			    const char *home_slot, GError **error);

#endif

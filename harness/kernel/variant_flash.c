// SPDX-License-Identifier: GPL-3.0-or-later
/* flash: write images into one slot, make it active, boot it. */
#include <abrig/error.h>
#include <abrig/fastboot.h>
#include <abrig/log.h>

#include <stddef.h>

#include "variant.h"

#define FLASH_MS 300000

struct flash_keys {
	char *boot, *init_boot, *vendor_boot, *vendor_kernel_boot, *dtbo,
		*vbmeta;
	char *slot;
};

static const char *const slots[] = { "inactive", "active", NULL };

#define IMAGE_KEY(name_, help_)                                                \
	{                                                                      \
		.name = #name_, .type = AB_KEY_STRING,                         \
		.offset = offsetof(struct flash_keys, name_), .help = (help_), \
	}

/* Images in the order in which they are written. */
static const struct ab_key keys[] = {
	IMAGE_KEY(vbmeta, "Image for vbmeta."),
	IMAGE_KEY(dtbo, "Image for dtbo."),
	IMAGE_KEY(vendor_kernel_boot, "Image for vendor_kernel_boot."),
	IMAGE_KEY(vendor_boot, "Image for vendor_boot."),
	IMAGE_KEY(init_boot, "Image for init_boot."),
	IMAGE_KEY(boot, "Boot image with the kernel. {platform} in a path "
			"stands for the platform's name."),
	{ .name = "slot",
	  .type = AB_KEY_STRING,
	  .offset = offsetof(struct flash_keys, slot),
	  .dflt = "inactive",
	  .choices = slots,
	  .help = "Slot to write: the one that the phone was not found in, so "
		  "that the other stays a fallback, or the active one." },
	AB_KEYS_END
};

static bool refuse_logical(const struct ab_node *node, GError **error)
{
	static const char *const logical[] = { "system_dlkm", "vendor_dlkm" };

	if (node->type != AB_NODE_MAP)
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(logical); i++) {
		const struct ab_node *value = ab_node_get(node, logical[i]);

		if (value)
			return ab_node_error(value, error,
					     "%s is a logical partition, which "
					     "only fastbootd can write: flash "
					     "it by hand, once",
					     logical[i]);
	}
	return true;
}

static bool take_images(struct ab_variant *variant, const struct ab_node *node,
			const struct flash_keys *f, GError **error)
{
	for (const struct ab_key *key = keys; key->name; key++) {
		const char *path =
			*(char *const *)((const char *)f + key->offset);

		if (key->offset == offsetof(struct flash_keys, slot) || !path)
			continue;
		if (!variant_add_image(variant, key->name, path,
				       ab_node_get(node, key->name), error))
			return false;
	}
	if (variant->images->len)
		return true;
	return ab_node_error(node, error,
			     "no image to flash, as in "
			     "'flash: {boot: out/boot.img}'");
}

static bool parse(struct ab_variant *variant, const struct ab_node *node,
		  GError **error)
{
	struct flash_keys f = { 0 };
	bool ok = refuse_logical(node, error) &&
		  ab_keys_parse(keys, node, &f, error) &&
		  take_images(variant, node, &f, error);

	if (ok)
		variant->slot = g_strdup(f.slot);
	ab_keys_clear(keys, &f);
	return ok;
}

static const char *slot(const struct ab_variant *variant, const char *home_slot)
{
	if (!home_slot || g_strcmp0(variant->slot, "active") == 0)
		return home_slot;
	return g_str_equal(home_slot, "a") ? "b" : "a";
}

static char *partition_name(const struct ab_image *image, const char *target)
{
	return target ? g_strdup_printf("%s_%s", image->partition, target)
		      : g_strdup(image->partition);
}

static bool is_allowed(const struct ab_phone *phone, const char *partition,
		       GError **error)
{
	if (g_strv_contains(ab_partition_allowlist, partition))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_PLAN,
		    "%s: '%s' is no partition that may be written",
		    phone->serial, partition);
	return false;
}

/* On some phones dtbo or vbmeta is there once, although boot has slots. */
static bool has_slot(const struct bootloader *b, struct ab_phone *phone,
		     const struct ab_wait *w, const char *partition,
		     bool *has_out, GError **error)
{
	g_autofree char *value =
		bootloader_getvar(b, phone, w, "has-slot", partition, error);

	if (!value)
		return false;
	*has_out = g_ascii_strcasecmp(value, "yes") == 0;
	return true;
}

static bool check_one(const struct ab_image *image, const struct bootloader *b,
		      struct ab_phone *phone, const struct ab_wait *w,
		      const char *target, GError **error)
{
	g_autofree char *name = partition_name(image, target);
	bool has = true;

	if (!is_allowed(phone, image->partition, error) ||
	    (target && !has_slot(b, phone, w, image->partition, &has, error)))
		return false;
	if (has)
		return bootloader_check_size(b, phone, w, name, image->path,
					     error);
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: its %s is not there twice (has-slot says no), so "
		    "writing it would leave no fallback; nothing was written",
		    phone->serial, image->partition);
	return false;
}

/*
 * Not interrupted: a partition that is written in half is worse than a second
 * of patience after Ctrl-C.
 */
static bool write_one(const struct ab_image *image, struct ab_phone *phone,
		      const struct ab_wait *w, const char *target,
		      GError **error)
{
	struct ab_wait sub = ab_wait_sub(w, FLASH_MS);
	g_autofree char *name = partition_name(image, target);

	if (!ab_wait_check(w, "flashing", error))
		return false;
	sub.intr = NULL;
	ab_log("kernel.flash", AB_S("serial", phone->serial),
	       AB_S("partition", name), AB_S("image", image->path));
	return ab_fastboot_flash(&sub, phone->fastboot, name, image->path,
				 error);
}

/* All checks before the first write. */
static bool write_all(const struct ab_variant *variant,
		      const struct bootloader *b, struct ab_phone *phone,
		      const struct ab_wait *w, const char *target,
		      GError **error)
{
	const GPtrArray *images = variant->images;

	for (guint i = 0; i < images->len; i++)
		if (!check_one(images->pdata[i], b, phone, w, target, error))
			return false;
	for (guint i = 0; i < images->len; i++)
		if (!write_one(images->pdata[i], phone, w, target, error))
			return false;
	return true;
}

/* Android and the bootloader must agree about slots, and the plan with both. */
static bool check_slots(const struct ab_variant *variant,
			const struct ab_phone *phone, const char *home_slot,
			const struct bootloader *b, GError **error)
{
	if (home_slot && !b->slot)
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "%s: Android ran from slot %s, but the bootloader "
			    "knows no slots; nothing was written",
			    phone->serial, home_slot);
	else if (!home_slot && g_strcmp0(variant->slot, "active"))
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "%s: it has no second slot, so writing would leave "
			    "no fallback; say 'slot: active' in variant '%s' "
			    "if that is what you want",
			    phone->serial, variant->name);
	else
		return true;
	return false;
}

static bool install(const struct ab_variant *variant, struct ab_phone *phone,
		    const struct ab_wait *w, const char *home_slot,
		    GError **error)
{
	const char *target = slot(variant, home_slot);
	struct bootloader b;
	bool ok;

	if (!bootloader_enter(phone, w, error) ||
	    !bootloader_check(phone, w, &b, error))
		return false;
	ok = check_slots(variant, phone, home_slot, &b, error) &&
	     write_all(variant, &b, phone, w, target, error) &&
	     (!target || bootloader_set_active(phone, w, target, error)) &&
	     bootloader_leave(phone, w, error);
	bootloader_clear(&b);
	return ok;
}

const struct ab_variant_ops ab_variant_flash = {
	.name = "flash",
	.help = "Images to write, and the slot to write them to.",
	.keys = keys,
	.parse = parse,
	.install = install,
	.slot = slot,
};

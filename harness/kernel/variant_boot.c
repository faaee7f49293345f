// SPDX-License-Identifier: GPL-3.0-or-later
/* boot: load an image and run it once; nothing is written. */
#include <abrig/fastboot.h>
#include <abrig/log.h>

#include "variant.h"

#define BOOT_MS 120000

static bool parse(struct ab_variant *variant, const struct ab_node *node,
		  GError **error)
{
	if (node->type != AB_NODE_SCALAR)
		return ab_node_error(node, error,
				     "'boot' takes the path of one boot image");
	return variant_add_image(variant, "boot", node->text, node, error);
}

/* What the image does not hold comes from the slot of the phone's own. */
static const char *slot(const struct ab_variant *variant, const char *home_slot)
{
	(void)variant;
	return home_slot;
}

static bool run_image(const struct ab_variant *variant, struct ab_phone *phone,
		      const struct ab_wait *w, GError **error)
{
	const struct ab_image *image = variant->images->pdata[0];
	struct ab_wait sub = ab_wait_sub(w, BOOT_MS);

	ab_log("kernel.boot", AB_S("serial", phone->serial),
	       AB_S("image", image->path));
	return ab_fastboot_boot(&sub, phone->fastboot, image->path, error);
}

static bool install(const struct ab_variant *variant, struct ab_phone *phone,
		    const struct ab_wait *w, const char *home_slot,
		    GError **error)
{
	struct bootloader b;
	bool ok;

	if (!bootloader_enter(phone, w, error) ||
	    !bootloader_check(phone, w, &b, error))
		return false;
	ok = (!home_slot || !g_strcmp0(b.slot, home_slot) ||
	      bootloader_set_active(phone, w, home_slot, error)) &&
	     run_image(variant, phone, w, error);
	bootloader_clear(&b);
	return ok;
}

const struct ab_variant_ops ab_variant_boot = {
	.name = "boot",
	.help = "Path of a boot image that is run once (fastboot boot); "
		"nothing is written.",
	.parse = parse,
	.install = install,
	.slot = slot,
};

// SPDX-License-Identifier: GPL-3.0-or-later
/* Into the bootloader, what it must say before a write, and out again. */
#include <abrig/error.h>
#include <abrig/fastboot.h>
#include <abrig/log.h>

#include <glib/gstdio.h>
#include <string.h>

#include "variant.h"

#define REBOOT_MS 60000
#define APPEAR_MS 120000
#define ASK_MS 20000
#define ACTIVE_MS 30000

void bootloader_clear(struct bootloader *b)
{
	if (b->vars)
		g_hash_table_unref(b->vars);
	b->vars = NULL;
	g_clear_pointer(&b->product, g_free);
	g_clear_pointer(&b->slot, g_free);
}

/* A phone that adb has lost may wait in its bootloader already. */
bool bootloader_enter(struct ab_phone *phone, const struct ab_wait *w,
		      GError **error)
{
	struct ab_wait reboot = ab_wait_sub(w, REBOOT_MS);
	struct ab_wait appear;
	g_autoptr(GError) why = NULL;

	ab_log("kernel.bootloader", AB_S("serial", phone->serial));
	if (!ab_adb_reboot(phone->adb, &reboot, phone->serial, "bootloader",
			   &why) &&
	    !g_error_matches(why, AB_ERROR, AB_ERROR_OFFLINE)) {
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	appear = ab_wait_sub(w, APPEAR_MS);
	if (ab_fastboot_wait(&appear, phone->fastboot, error))
		return true;
	if (why)
		g_prefix_error(error, "%s; ", why->message);
	return false;
}

static char *lookup(GHashTable *vars, const char *name)
{
	const char *value = g_hash_table_lookup(vars, name);

	return value ? g_strstrip(g_strdup(value)) : NULL;
}

static bool is(GHashTable *vars, const char *name, const char *wanted)
{
	g_autofree char *value = lookup(vars, name);

	return value && g_ascii_strcasecmp(value, wanted) == 0;
}

static bool check_product(const struct ab_phone *phone, const char *product,
			  GError **error)
{
	const char *expected =
		phone->expect_product ? phone->expect_product : phone->product;

	if (product && expected && !g_ascii_strcasecmp(product, expected))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: its bootloader is that of product '%s', not '%s'; "
		    "nothing was written. If this is the right phone, say "
		    "'product: %s' in its platform",
		    phone->serial, product ? product : "(not said)",
		    expected ? expected : "(not known)",
		    product ? product : "NAME");
	return false;
}

static bool refuse(const struct ab_phone *phone, const char *why,
		   GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: %s; nothing was written", phone->serial, why);
	return false;
}

static void take_vars(const struct ab_phone *phone, GHashTable *vars,
		      struct bootloader *b)
{
	g_autofree char *count = lookup(vars, "slot-count");

	b->product = lookup(vars, "product");
	b->slot = lookup(vars, "current-slot");
	b->unlocked =
		is(vars, "unlocked", "yes") || is(vars, "unlocked", "true");
	b->userspace = is(vars, "is-userspace", "yes");
	if (b->slot && *b->slot == '_')
		memmove(b->slot, b->slot + 1, strlen(b->slot));
	if (!count || g_ascii_strtoull(count, NULL, 0) < 2 ||
	    (b->slot && !*b->slot))
		g_clear_pointer(&b->slot, g_free);
	ab_log("kernel.fastboot", AB_S("serial", phone->serial),
	       AB_S("product", b->product), AB_S("slot", b->slot),
	       AB_S("max_download_size",
		    g_hash_table_lookup(vars, "max-download-size")));
}

static bool check_vars(const struct ab_phone *phone, const struct bootloader *b,
		       GError **error)
{
	if (b->userspace)
		return refuse(phone,
			      "it is in fastbootd, not in its bootloader; run "
			      "`fastboot reboot bootloader`",
			      error);
	if (!b->unlocked)
		return refuse(phone,
			      "its bootloader is locked; unlock it with "
			      "`fastboot flashing unlock` (this erases the "
			      "phone)",
			      error);
	if (is(b->vars, "battery-soc-ok", "no"))
		return refuse(phone,
			      "its bootloader says that the battery is too low "
			      "to flash; charge it",
			      error);
	return check_product(phone, b->product, error);
}

bool bootloader_check(struct ab_phone *phone, const struct ab_wait *w,
		      struct bootloader *b_out, GError **error)
{
	struct ab_wait sub = ab_wait_sub(w, ASK_MS);

	memset(b_out, 0, sizeof(*b_out));
	b_out->vars = ab_fastboot_getvar_all(&sub, phone->fastboot, error);
	if (!b_out->vars)
		return false;
	take_vars(phone, b_out->vars, b_out);
	if (check_vars(phone, b_out, error))
		return true;
	bootloader_clear(b_out);
	return false;
}

char *bootloader_getvar(const struct bootloader *b, struct ab_phone *phone,
			const struct ab_wait *w, const char *name,
			const char *partition, GError **error)
{
	struct ab_wait sub = ab_wait_sub(w, ASK_MS);
	g_autofree char *full = g_strdup_printf("%s:%s", name, partition);
	char *value = lookup(b->vars, full);

	return value ? value
		     : ab_fastboot_getvar(&sub, phone->fastboot, full, error);
}

/* Hex, with or without 0x, some bootloaders put spaces before it. */
static guint64 parse_size(const char *text)
{
	return g_ascii_strtoull(text, NULL, 16);
}

bool bootloader_check_size(const struct bootloader *b, struct ab_phone *phone,
			   const struct ab_wait *w, const char *partition,
			   const char *image, GError **error)
{
	g_autofree char *text = bootloader_getvar(b, phone, w, "partition-size",
						  partition, error);
	guint64 size = text ? parse_size(text) : 0;
	GStatBuf st;

	if (!text)
		return false;
	if (g_stat(image, &st)) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s: cannot read the image: %m", image);
		return false;
	}
	if (size && (guint64)st.st_size <= size)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    size ? "%s: %s (%" G_GINT64_FORMAT
			   " bytes) does not fit into %s (%s bytes)"
			 : "%s: %s (%" G_GINT64_FORMAT
			   " bytes) is for %s, whose size the bootloader gives "
			   "as '%s': it has no such partition, nothing was "
			   "written",
		    phone->serial, image, (gint64)st.st_size, partition, text);
	return false;
}

bool bootloader_set_active(struct ab_phone *phone, const struct ab_wait *w,
			   const char *slot, GError **error)
{
	struct ab_wait sub = ab_wait_sub(w, ACTIVE_MS);

	ab_log("kernel.set-active", AB_S("serial", phone->serial),
	       AB_S("slot", slot));
	return ab_fastboot_set_active(&sub, phone->fastboot, slot, error);
}

bool bootloader_leave(struct ab_phone *phone, const struct ab_wait *w,
		      GError **error)
{
	struct ab_wait sub = ab_wait_sub(w, REBOOT_MS);

	ab_log("kernel.reboot", AB_S("serial", phone->serial));
	return ab_fastboot_reboot(&sub, phone->fastboot, "", error);
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* adbd as root, and as it was before. */
#include <abrig/error.h>
#include <abrig/text.h>

#include "prepare.h"

#define KIND "adbd"

/*
 * Of a build where adbd cannot be root, only the report hears: without root
 * the phone still runs scenarios.
 */
static bool get_root(const struct prepare *p, GError **error)
{
	g_autoptr(GError) why = NULL;
	bool was_root = p->phone->root;

	if (ab_adb_root(p->phone->adb, p->w, p->phone->serial, true, &was_root,
			&why)) {
		p->phone->root = true;
		return was_root || prepare_record(p, KIND, "root", "0", error);
	}
	if (!g_error_matches(why, AB_ERROR, AB_ERROR_REMOTE)) {
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	p->phone->root = false;
	prepare_lost(p,
		     "no root: kernel events, power rails, input nodes and "
		     "charge control are not available (%s)",
		     why->message);
	return true;
}

static bool prepare(const struct prepare *p, GError **error)
{
	if (p->options->root)
		return get_root(p, error);
	if (!p->phone->root)
		prepare_lost(p, "root was not asked for (prepare.root): kernel "
				"events and power rails are not available");
	return true;
}

static bool restore(const struct prepare *p, const char *key, const char *old,
		    GError **error)
{
	(void)key;
	if (!ab_adb_root(p->phone->adb, p->w, p->phone->serial,
			 g_strcmp0(old, "0") != 0, NULL, error))
		return false;
	p->phone->root = g_strcmp0(old, "0") != 0;
	return true;
}

static char *by_hand(const struct ab_phone *phone, const char *key,
		     const char *old)
{
	g_autofree char *serial = ab_text_shell_quote(phone->serial);

	(void)key;
	return g_strdup_printf("adb -s %s %s", serial,
			       g_strcmp0(old, "0") ? "root" : "unroot");
}

const struct prepare_item prepare_root = {
	.kind = KIND,
	.prepare = prepare,
	.restore = restore,
	.by_hand = by_hand,
};

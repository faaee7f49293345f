// SPDX-License-Identifier: GPL-3.0-or-later
/* What devices and the platform tools print, as hostile text. */
#include <abrig/adb.h>
#include <abrig/fastboot.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse_reply(const char *text, int status, const char *name)
{
	ab_autoptr(ab_fastboot_reply) reply =
		ab_fastboot_parse(text, status, name);

	if (reply->ok && reply->failed)
		g_error("a reply both succeeded and failed");
}

static void parse_devices(const char *text)
{
	g_autoptr(GPtrArray) devices = ab_adb_parse_devices(text);
	guint i;

	for (i = 0; i < devices->len; i++) {
		const struct ab_adb_device *d = devices->pdata[i];

		if (!*d->serial || !*d->state ||
		    !*ab_adb_state_remedy(d->state))
			g_error("a device without serial, state or remedy");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);

	parse_devices(text);
	parse_reply(text, 0, NULL);
	parse_reply(text, 0, "all");
	parse_reply(text, 1, "product");
	return 0;
}

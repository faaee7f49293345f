// SPDX-License-Identifier: GPL-3.0-or-later
/* clang -fsanitize=fuzzer,address,undefined: any text from a phone. */
#include <abrig/android.h>

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size);

static void parse_tables(const char *text)
{
	GHashTable *settings = ab_android_parse_settings(text);

	g_hash_table_unref(ab_android_parse_props(text));
	if (settings)
		g_hash_table_unref(settings);
	g_free(ab_android_parse_setting(text));
}

static void parse_states(const char *text)
{
	struct ab_screen screen;
	struct ab_battery battery;
	struct ab_thermal thermal;

	ab_android_parse_screen(text, text, &screen);
	ab_screen_clear(&screen);
	ab_android_parse_shade(text);
	ab_android_parse_battery(text, text, &battery);
	ab_android_parse_thermal(text, &thermal);
}

static void parse_display(const char *text)
{
	int width, height;

	ab_android_parse_size(text, &width, &height);
	ab_android_parse_cpus(text);
	ab_android_parse_refresh(text, text);
	ab_android_parse_refresh_max(text);
}

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);

	parse_tables(text);
	parse_states(text);
	parse_display(text);
	return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* A phone: its addresses, commands in its shell, what it is. */
#include <abrig/android.h>
#include <abrig/error.h>
#include <abrig/log.h>
#include <abrig/text.h>

#include <math.h>
#include <string.h>

struct ab_phone *ab_phone_new(struct ab_adb *adb, struct ab_intr *intr,
			      const char *serial, const char *fastboot)
{
	struct ab_phone *phone = g_new0(struct ab_phone, 1);

	phone->adb = adb;
	phone->intr = intr;
	phone->serial = g_strdup(serial);
	phone->fastboot = g_strdup(fastboot ? fastboot : serial);
	return phone;
}

static void forget_identity(struct ab_phone *phone)
{
	g_clear_pointer(&phone->product, g_free);
	g_clear_pointer(&phone->model, g_free);
	g_clear_pointer(&phone->soc, g_free);
	g_clear_pointer(&phone->fingerprint, g_free);
	g_clear_pointer(&phone->release, g_free);
}

void ab_phone_free(struct ab_phone *phone)
{
	if (!phone)
		return;
	forget_identity(phone);
	g_free(phone->expect_product);
	g_free(phone->serial);
	g_free(phone->fastboot);
	g_free(phone);
}

static char *run_text(struct ab_phone *phone, const struct ab_wait *w,
		      GError **error, const char *format, va_list ap)
	G_GNUC_PRINTF(4, 0);

static char *run_text(struct ab_phone *phone, const struct ab_wait *w,
		      GError **error, const char *format, va_list ap)
{
	g_autofree char *command = g_strdup_vprintf(format, ap);

	return ab_adb_shell_text(phone->adb, w, phone->serial, command, error);
}

char *ab_phone_text(struct ab_phone *phone, const struct ab_wait *w,
		    GError **error, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = run_text(phone, w, error, format, ap);
	va_end(ap);
	return text;
}

bool ab_phone_do(struct ab_phone *phone, const struct ab_wait *w,
		 GError **error, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, format);
	text = run_text(phone, w, error, format, ap);
	va_end(ap);
	return text;
}

#define SEPARATOR "--abrig-next--"

static char *join_commands(const char *const *commands)
{
	g_autoptr(GString) all = g_string_new(NULL);

	for (; *commands; commands++) {
		g_string_append_printf(all, "{ %s; } 2>/dev/null", *commands);
		if (commands[1])
			g_string_append(all, "; echo; echo " SEPARATOR "; ");
	}
	g_string_append(all, "; true");
	return g_string_free(g_steal_pointer(&all), FALSE);
}

char **ab_phone_texts(struct ab_phone *phone, const struct ab_wait *w,
		      const char *const *commands, GError **error)
{
	g_autofree char *command = join_commands(commands);
	g_autofree char *text =
		ab_adb_shell_text(phone->adb, w, phone->serial, command, error);
	g_auto(GStrv) parts = NULL;

	if (!text)
		return NULL;
	parts = g_strsplit(text, SEPARATOR "\n", -1);
	if (g_strv_length(parts) != g_strv_length((char **)commands)) {
		g_set_error(error, AB_ERROR, AB_ERROR_PROTOCOL,
			    "%s: the phone's shell answered %u parts to %u "
			    "commands: %s",
			    phone->serial, g_strv_length(parts),
			    g_strv_length((char **)commands), command);
		return NULL;
	}
	for (char **part = parts; *part; part++)
		g_strchomp(*part);
	return g_steal_pointer(&parts);
}

/* ---- what the phone is ---- */

static char *prop(GHashTable *props, const char *name, const char *other)
{
	const char *value = g_hash_table_lookup(props, name);

	if ((!value || !*value) && other)
		value = g_hash_table_lookup(props, other);
	return g_strdup(value ? value : "");
}

static void take_props(struct ab_phone *phone, GHashTable *props)
{
	g_autofree char *sdk = prop(props, "ro.build.version.sdk", NULL);

	forget_identity(phone);
	phone->product = prop(props, "ro.product.device", "ro.hardware");
	phone->model = prop(props, "ro.product.model", NULL);
	phone->soc = prop(props, "ro.soc.model", "ro.board.platform");
	phone->fingerprint = prop(props, "ro.build.fingerprint", NULL);
	phone->release = prop(props, "ro.build.version.release", NULL);
	phone->sdk = (int)g_ascii_strtoll(sdk, NULL, 10);
}

static bool take_display(struct ab_phone *phone, const char *size,
			 const char *surfaceflinger, const char *display,
			 GError **error)
{
	double rate = ab_android_parse_refresh(surfaceflinger, display);

	phone->refresh_hz = rate > 0 ? (int)lround(rate) : 0;
	if (ab_android_parse_size(size, &phone->width, &phone->height))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_PROTOCOL,
		    "%s: `wm size` does not say how large the display is: "
		    "'%s'; wait until Android has started",
		    phone->serial, size);
	return false;
}

bool ab_phone_identify(struct ab_phone *phone, const struct ab_wait *w,
		       GError **error)
{
	static const char *const commands[] = {
		"getprop",
		"cat /sys/devices/system/cpu/possible",
		"wm size",
		AB_ANDROID_SURFACEFLINGER,
		AB_ANDROID_DISPLAY,
		"id -u",
		NULL,
	};
	g_auto(GStrv) texts = ab_phone_texts(phone, w, commands, error);
	g_autoptr(GHashTable) props = NULL;

	if (!texts)
		return false;
	props = ab_android_parse_props(texts[0]);
	take_props(phone, props);
	phone->cpus = ab_android_parse_cpus(texts[1]);
	phone->root = g_str_equal(texts[5], "0");
	if (phone->cpus < 1) {
		g_set_error(error, AB_ERROR, AB_ERROR_PROTOCOL,
			    "%s: /sys/devices/system/cpu/possible says '%s', "
			    "not which CPUs there are",
			    phone->serial, texts[1]);
		return false;
	}
	if (!take_display(phone, texts[2], texts[3], texts[4], error))
		return false;
	ab_log("phone.identify", AB_S("serial", phone->serial),
	       AB_S("product", phone->product), AB_S("model", phone->model),
	       AB_S("fingerprint", phone->fingerprint),
	       AB_I("cpus", phone->cpus), AB_I("refresh_hz", phone->refresh_hz),
	       AB_I("root", phone->root));
	return true;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* Everything that `settings put` does: read, set and read back in one go. */
#include <abrig/error.h>
#include <abrig/text.h>

#include <string.h>

#include "prepare.h"

#define KIND "setting"

/* A day: longer than any session. */
#define SCREEN_TIMEOUT_MS "86400000"

static void want(GArray *wanted, struct prepare_setting setting,
		 const char *value)
{
	setting.value = g_strdup(value);
	g_array_append_val(wanted, setting);
}

static void want_number(GArray *wanted, struct prepare_setting setting,
			gint64 value)
{
	setting.value = g_strdup_printf("%" G_GINT64_FORMAT, value);
	g_array_append_val(wanted, setting);
}

static void setting_clear(gpointer data)
{
	g_free(((struct prepare_setting *)data)->value);
}

static void want_scales(GArray *wanted)
{
	static const char *const scales[] = { "window_animation_scale",
					      "transition_animation_scale",
					      "animator_duration_scale" };

	for (size_t i = 0; i < G_N_ELEMENTS(scales); i++)
		want(wanted,
		     (struct prepare_setting){ .ns = "global",
					       .key = scales[i],
					       .unset_is_wanted = true },
		     "1");
}

static void want_refresh(GArray *wanted, gint64 hz)
{
	static const char *const keys[] = { "min_refresh_rate",
					    "peak_refresh_rate" };

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		want_number(wanted,
			    (struct prepare_setting){ .ns = "system",
						      .key = keys[i],
						      .rewritten = true },
			    hz);
}

#define GLOBAL(k) ((struct prepare_setting){ .ns = "global", .key = (k) })
#define SYSTEM(k) ((struct prepare_setting){ .ns = "system", .key = (k) })

GArray *prepare_wanted_settings(const struct ab_prepare_options *options)
{
	GArray *wanted =
		g_array_new(FALSE, FALSE, sizeof(struct prepare_setting));

	g_array_set_clear_func(wanted, setting_clear);
	/* Both: stay-on ends when the phone runs from its battery. */
	want(wanted, SYSTEM("screen_off_timeout"), SCREEN_TIMEOUT_MS);
	want(wanted, GLOBAL("stay_on_while_plugged_in"), "15");
	want(wanted, GLOBAL("heads_up_notifications_enabled"), "0");
	want(wanted, SYSTEM("accelerometer_rotation"), "0");
	want(wanted, SYSTEM("user_rotation"), "0");
	want_scales(wanted);
	if (options->brightness >= 0) {
		want(wanted, SYSTEM("screen_brightness_mode"), "0");
		want_number(wanted, SYSTEM("screen_brightness"),
			    options->brightness);
	}
	if (options->refresh_hz > 0)
		want_refresh(wanted, options->refresh_hz);
	return wanted;
}

/* ---- reading ---- */

static const char *const namespaces[] = { "system", "secure", "global" };

struct settings {
	GHashTable *table[G_N_ELEMENTS(namespaces)];
};

static void settings_clear(struct settings *s)
{
	for (size_t i = 0; i < G_N_ELEMENTS(namespaces); i++) {
		if (s->table[i])
			g_hash_table_unref(s->table[i]);
		s->table[i] = NULL;
	}
}

/* An empty list is a service that failed, not a phone without settings. */
static bool settings_read(const struct prepare *p, struct settings *s,
			  GError **error)
{
	static const char *const commands[] = { "settings list system",
						"settings list secure",
						"settings list global", NULL };
	g_auto(GStrv) texts = ab_phone_texts(p->phone, p->w, commands, error);

	if (!texts)
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(namespaces); i++) {
		s->table[i] = ab_android_parse_settings(texts[i]);
		if (s->table[i])
			continue;
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "%s: `%s` lists nothing; is Android fully started?",
			    p->phone->serial, commands[i]);
		settings_clear(s);
		return false;
	}
	return true;
}

static const char *settings_get(const struct settings *s,
				const struct prepare_setting *setting)
{
	for (size_t i = 0; i < G_N_ELEMENTS(namespaces); i++)
		if (g_str_equal(namespaces[i], setting->ns))
			return g_hash_table_lookup(s->table[i], setting->key);
	return NULL;
}

bool prepare_get_setting(const struct prepare *p, const char *ns,
			 const char *key, char **value_out, GError **error)
{
	g_autofree char *text = ab_phone_text(p->phone, p->w, error,
					      "settings get %s %s", ns, key);

	if (!text)
		return false;
	*value_out = ab_android_parse_setting(text);
	return true;
}

/* ---- setting ---- */

char *prepare_put_command(const char *ns, const char *key, const char *value)
{
	g_autofree char *quoted_key = ab_text_shell_quote(key);
	g_autofree char *quoted = value ? ab_text_shell_quote(value) : NULL;

	if (!value)
		return g_strdup_printf("settings delete %s %s", ns, quoted_key);
	return g_strdup_printf("settings put %s %s %s", ns, quoted_key, quoted);
}

static bool is_wanted(const struct prepare_setting *setting, const char *value)
{
	if (!value)
		return setting->unset_is_wanted;
	return ab_android_same_value(setting->value, value);
}

/* Record what differs, and add its `settings put` to @commands. */
static bool change_one(const struct prepare *p,
		       const struct prepare_setting *setting, const char *old,
		       GString *commands, GError **error)
{
	g_autofree char *key = NULL, *command = NULL;

	if (is_wanted(setting, old))
		return true;
	key = g_strdup_printf("%s/%s", setting->ns, setting->key);
	if (!prepare_record(p, KIND, key, old, error))
		return false;
	command =
		prepare_put_command(setting->ns, setting->key, setting->value);
	g_string_append_printf(commands, "%s%s", commands->len ? " && " : "",
			       command);
	return true;
}

static bool change(const struct prepare *p, const GArray *wanted,
		   GString *commands, GError **error)
{
	struct settings now = { 0 };
	bool ok;

	if (!settings_read(p, &now, error))
		return false;
	ok = true;
	for (guint i = 0; ok && i < wanted->len; i++) {
		const struct prepare_setting *setting =
			&g_array_index(wanted, struct prepare_setting, i);

		ok = change_one(p, setting, settings_get(&now, setting),
				commands, error);
	}
	settings_clear(&now);
	return ok;
}

static bool prove(const struct prepare *p, const GArray *wanted, GError **error)
{
	struct settings now = { 0 };
	bool ok;

	if (!settings_read(p, &now, error))
		return false;
	ok = true;
	for (guint i = 0; ok && i < wanted->len; i++) {
		const struct prepare_setting *setting =
			&g_array_index(wanted, struct prepare_setting, i);
		const char *value = settings_get(&now, setting);
		g_autofree char *what = g_strdup_printf(
			"setting %s %s", setting->ns, setting->key);

		if (is_wanted(setting, value) || (value && setting->rewritten))
			continue;
		ok = prepare_mismatch(p, what, setting->value, value, error);
	}
	settings_clear(&now);
	return ok;
}

static bool prepare_all(const struct prepare *p, GError **error)
{
	g_autoptr(GArray) wanted = prepare_wanted_settings(p->options);
	g_autoptr(GString) commands = g_string_new(NULL);

	if (!change(p, wanted, commands, error))
		return false;
	if (!commands->len)
		return true;
	return ab_phone_do(p->phone, p->w, error, "%s", commands->str) &&
	       prove(p, wanted, error);
}

/* ---- restoring ---- */

/* "global/airplane_mode_on"; the journal is a file that anybody may edit. */
static bool split_key(const char *key, char **ns_out, const char **name_out)
{
	const char *slash = strchr(key, '/');

	if (!slash)
		return false;
	*ns_out = g_strndup(key, (size_t)(slash - key));
	*name_out = slash + 1;
	for (size_t i = 0; i < G_N_ELEMENTS(namespaces); i++)
		if (g_str_equal(*ns_out, namespaces[i]))
			return true;
	g_clear_pointer(ns_out, g_free);
	return false;
}

/* Android rewrites what it is told about the refresh rate. */
static bool is_restored(const char *name, const char *old, const char *found)
{
	if (old && found && g_str_has_suffix(name, "_refresh_rate"))
		return true;
	return ab_android_same_value(old, found);
}

static bool restore(const struct prepare *p, const char *key, const char *old,
		    GError **error)
{
	g_autofree char *ns = NULL, *command = NULL, *found = NULL,
			*what = NULL, *text = NULL;
	const char *name;

	if (!split_key(key, &ns, &name)) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: '%s' in the journal is no setting",
			    p->phone->serial, key);
		return false;
	}
	command = prepare_put_command(ns, name, old);
	text = ab_phone_text(p->phone, p->w, error,
			     "%s >/dev/null && settings get %s %s", command, ns,
			     name);
	if (!text)
		return false;
	found = ab_android_parse_setting(text);
	if (is_restored(name, old, found))
		return true;
	what = g_strdup_printf("restoring setting %s %s", ns, name);
	return prepare_mismatch(p, what, old ? old : "(not set)", found, error);
}

static char *by_hand(const struct ab_phone *phone, const char *key,
		     const char *old)
{
	g_autofree char *ns = NULL, *command = NULL;
	const char *name;

	if (!split_key(key, &ns, &name))
		return NULL;
	command = prepare_put_command(ns, name, old);
	return prepare_shell_by_hand(phone, command);
}

const struct prepare_item prepare_settings = {
	.kind = KIND,
	.prepare = prepare_all,
	.restore = restore,
	.by_hand = by_hand,
};

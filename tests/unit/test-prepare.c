// SPDX-License-Identifier: GPL-3.0-or-later
/* What preparation wants and what restoring reports; no phone is asked. */
#include <abrig/error.h>
#include <abrig/phone.h>

#include <string.h>

#include "../../harness/device/prepare.h"

static void test_keys(void)
{
	struct ab_prepare_options o = { 0 };
	g_autoptr(GError) error = NULL;

	g_assert_true(ab_keys_parse(ab_prepare_keys, NULL, &o, &error));
	g_assert_no_error(error);
	g_assert_cmpint(o.refresh_hz, ==, 0);
	g_assert_cmpint(o.brightness, ==, 102);
	g_assert_true(o.airplane && o.root && !o.charging_off);
	ab_keys_clear(ab_prepare_keys, &o);
}

static void refuse_key(const char *yaml)
{
	struct ab_prepare_options o = { 0 };
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_node) node = ab_yaml_parse(yaml, -1, "plan.yaml", &error);

	g_assert_no_error(error);
	g_assert_false(ab_keys_parse(ab_prepare_keys, node, &o, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_PLAN);
	ab_keys_clear(ab_prepare_keys, &o);
}

static void test_ranges(void)
{
	refuse_key("brightness: 256");
	refuse_key("brightness: -2");
	refuse_key("refresh: 481");
	refuse_key("refresh: -1");
	refuse_key("airplane: maybe");
	refuse_key("aeroplane: true");
}

/* ---- settings ---- */

static const struct prepare_setting *find(const GArray *wanted, const char *key)
{
	for (guint i = 0; i < wanted->len; i++) {
		const struct prepare_setting *s =
			&g_array_index(wanted, struct prepare_setting, i);

		if (g_str_equal(s->key, key))
			return s;
	}
	return NULL;
}

static void test_settings(void)
{
	struct ab_prepare_options o = { .refresh_hz = 120, .brightness = 0 };
	g_autoptr(GArray) all = prepare_wanted_settings(&o);
	g_autoptr(GArray) few = NULL;

	g_assert_cmpstr(find(all, "screen_brightness")->value, ==, "0");
	g_assert_cmpstr(find(all, "screen_brightness_mode")->value, ==, "0");
	g_assert_cmpstr(find(all, "min_refresh_rate")->value, ==, "120");
	g_assert_true(find(all, "peak_refresh_rate")->rewritten);
	g_assert_true(find(all, "animator_duration_scale")->unset_is_wanted);
	g_assert_cmpstr(find(all, "user_rotation")->ns, ==, "system");
	o = (struct ab_prepare_options){ .refresh_hz = 0, .brightness = -1 };
	few = prepare_wanted_settings(&o);
	g_assert_null(find(few, "screen_brightness"));
	g_assert_null(find(few, "screen_brightness_mode"));
	g_assert_null(find(few, "peak_refresh_rate"));
	g_assert_nonnull(find(few, "screen_off_timeout"));
}

static void test_commands(void)
{
	struct ab_phone phone = { .serial = (char *)"S 1" };
	g_autofree char *put = prepare_put_command("global", "a", "x; rm -rf");
	g_autofree char *unset = prepare_put_command("system", "a", NULL);
	g_autofree char *hand =
		prepare_settings.by_hand(&phone, "global/zen", "it's");

	g_assert_cmpstr(put, ==, "settings put global a 'x; rm -rf'");
	g_assert_cmpstr(unset, ==, "settings delete system a");
	g_assert_true(g_str_has_prefix(hand, "adb -s 'S 1' shell '"));
	g_assert_null(prepare_settings.by_hand(&phone, "evil; x/y", "1"));
	g_assert_null(prepare_settings.by_hand(&phone, "nothing", "1"));
}

/* ---- restore ---- */

struct memory {
	const char *kind, *key, *old;
	int forgotten;
};

static bool each(void *data,
		 bool (*fn)(const char *kind, const char *key, const char *old,
			    void *user, GError **error),
		 void *user, GError **error)
{
	const struct memory *m = data;

	return !m->kind || fn(m->kind, m->key, m->old, user, error);
}

static bool forget(void *data, const char *kind, const char *key,
		   GError **error)
{
	struct memory *m = data;

	(void)error;
	g_assert_cmpstr(kind, ==, m->kind);
	g_assert_cmpstr(key, ==, m->key);
	m->forgotten++;
	return true;
}

static const struct ab_journal_ops journal = { .each = each, .forget = forget };

static void restore_fails(const char *kind, const char *key, const char *old,
			  const char *says)
{
	struct memory m = { kind, key, old, 0 };
	struct ab_phone phone = { .serial = (char *)"S1" };
	struct ab_wait w = ab_wait_in(NULL, 1000);
	g_autoptr(GError) error = NULL;

	g_assert_false(ab_phone_restore(&phone, &w, &journal, &m, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_REMOTE);
	if (!strstr(error->message, says) || !strstr(error->message, "S1"))
		g_error("'%s' does not say '%s'", error->message, says);
	g_assert_cmpint(m.forgotten, ==, 0);
}

static void test_nothing(void)
{
	struct memory m = { NULL, NULL, NULL, 0 };
	struct ab_phone phone = { .serial = (char *)"S1" };
	struct ab_wait w = ab_wait_in(NULL, 1000);
	g_autoptr(GError) error = NULL;

	g_assert_true(ab_phone_restore(&phone, &w, &journal, &m, &error));
	g_assert_no_error(error);
}

/* What a journal says is no command line. */
static void test_journal(void)
{
	restore_fails("telepathy", "x", "1", "'telepathy'");
	restore_fails("keyguard", "x", "1", "'keyguard'");
	restore_fails("setting", "global; reboot/x", "1", "is no setting");
	restore_fails("setting", "airplane_mode_on", "1", "is no setting");
	restore_fails("charging", "/data/local/x", "5", "no charge level");
	restore_fails("charging",
		      "/sys/devices/platform/google,charger/charge_stop_level",
		      "5; reboot", "no charge level");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/prepare/keys", test_keys);
	g_test_add_func("/prepare/ranges", test_ranges);
	g_test_add_func("/prepare/settings", test_settings);
	g_test_add_func("/prepare/commands", test_commands);
	g_test_add_func("/prepare/nothing", test_nothing);
	g_test_add_func("/prepare/journal", test_journal);
	return g_test_run();
}

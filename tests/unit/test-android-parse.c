// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared.h"

#include <abrig/android.h>

#include <math.h>
#include <string.h>

/* ---- screen ---- */

static const struct screen_case {
	const char *name, *window, *power;
	struct ab_screen want; /* focus is borrowed */
} screens[] = {
	{ "unlocked-new",
	  "    KeyguardServiceDelegate\n      showing=false\n"
	  "      occluded=false\n      secure=false\n"
	  "    DisplayPolicy\n      isKeyguardShowing=false\n"
	  "  mCurrentFocus=Window{1f2e u0 com.x/com.x.Main}\n",
	  "  mWakefulness=Awake\n",
	  { AB_YES, AB_NO, AB_NO, AB_NO, (char *)"com.x/com.x.Main" } },
	{ "unlocked-old",
	  "    mShowingLockscreen=false mShowingDream=false "
	  "mDreamingLockscreen=false\n"
	  "  mCurrentFocus=Window{1f2e u0 com.x/com.x.Main}\n",
	  "  mWakefulness=Awake\n",
	  { AB_YES, AB_NO, AB_NO, AB_UNKNOWN, (char *)"com.x/com.x.Main" } },
	{ "locked",
	  "    KeyguardServiceDelegate\n      showing=true\n"
	  "      secure=true\n"
	  "  mCurrentFocus=Window{1f2e u0 NotificationShade}\n",
	  "  mWakefulness=Asleep\n",
	  { AB_NO, AB_YES, AB_UNKNOWN, AB_YES, (char *)"NotificationShade" } },
	{ "occluded-is-locked",
	  "    KeyguardServiceDelegate\n      showing=true\n"
	  "      occluded=true\n  isKeyguardShowing=false\n",
	  "  mWakefulness=Awake\n",
	  { AB_YES, AB_YES, AB_UNKNOWN, AB_UNKNOWN, NULL } },
	{ "old-spelling-locked",
	  "  mDreamingLockscreen=true\n",
	  "",
	  { AB_UNKNOWN, AB_YES, AB_UNKNOWN, AB_UNKNOWN, NULL } },
	{ "going-away",
	  "  mKeyguardShowing=false\n  mKeyguardGoingAway=true\n",
	  "",
	  { AB_UNKNOWN, AB_YES, AB_UNKNOWN, AB_UNKNOWN, NULL } },
	{ "shade-open",
	  "  isKeyguardShowing=false\n"
	  "  mCurrentFocus=Window{1f2e u0 NotificationShade}\n",
	  "  mWakefulness=Awake\n",
	  { AB_YES, AB_NO, AB_YES, AB_UNKNOWN, (char *)"NotificationShade" } },
	{ "no-keys-is-not-unlocked",
	  "  mCurrentFocus=Window{1f2e u0 com.x/com.x.Main}\n",
	  "",
	  { AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN,
	    (char *)"com.x/com.x.Main" } },
	{ "showing-outside-its-block",
	  "    KeyguardServiceDelegate\n      secure=false\n"
	  "  AnotherBlock\n      showing=true\n",
	  "  mWakefulness=Dozing\n",
	  { AB_NO, AB_UNKNOWN, AB_UNKNOWN, AB_NO, NULL } },
	{ "keys-inside-others",
	  "  xisKeyguardShowing=true\n  isKeyguardShowingX=true\n",
	  "",
	  { AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN, NULL } },
	{ "focus-of-two-displays",
	  "  mCurrentFocus=Window{1 u0 a.b/c}\r\n  mCurrentFocus=null\n"
	  "  mCurrentFocus=Window{2 u0 Application Not Responding: x}\n",
	  "",
	  { AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN,
	    (char *)"Application Not Responding: x" } },
	{ "empty",
	  "",
	  "",
	  { AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN, NULL } },
};

static void test_screen(gconstpointer data)
{
	const struct screen_case *c = data;
	struct ab_screen s;

	ab_android_parse_screen(c->window, c->power, &s);
	g_assert_cmpint(s.awake, ==, c->want.awake);
	g_assert_cmpint(s.keyguard, ==, c->want.keyguard);
	g_assert_cmpint(s.shade, ==, c->want.shade);
	g_assert_cmpint(s.secure, ==, c->want.secure);
	g_assert_cmpstr(s.focus, ==, c->want.focus);
	ab_screen_clear(&s);
}

/* What the phone's grep lets through must say the same. */
static void test_filtered(void)
{
	g_autoptr(GRegex) lines =
		g_regex_new(AB_ANDROID_WINDOW_LINES, G_REGEX_OPTIMIZE, 0, NULL);

	g_assert_nonnull(lines);
	for (size_t i = 0; i < G_N_ELEMENTS(screens); i++) {
		g_auto(GStrv) all = g_strsplit(screens[i].window, "\n", -1);
		g_autoptr(GString) some = g_string_new(NULL);
		struct ab_screen s;

		/* Another block's title would not get through either. */
		if (strstr(screens[i].name, "outside"))
			continue;
		for (char **line = all; *line; line++)
			if (g_regex_match(lines, *line, 0, NULL))
				g_string_append_printf(some, "%s\n", *line);
		ab_android_parse_screen(some->str, screens[i].power, &s);
		g_assert_cmpint(s.keyguard, ==, screens[i].want.keyguard);
		g_assert_cmpint(s.secure, ==, screens[i].want.secure);
		g_assert_cmpstr(s.focus, ==, screens[i].want.focus);
		ab_screen_clear(&s);
	}
}

static void test_shade(void)
{
	static const struct {
		const char *text;
		enum ab_tristate want;
	} cases[] = {
		{ "  mExpandedVisible=false\n  mPanelExpanded: false\n",
		  AB_NO },
		{ "  mExpandedVisible=true\n  mPanelExpanded: true\n", AB_YES },
		{ "  mExpandedVisible=true\n  mPanelExpanded: false\n",
		  AB_UNKNOWN },
		{ "  mExpandedVisible=true\n", AB_UNKNOWN },
		{ "  mExpandedVisible=false\n", AB_NO },
		{ "  shadeOrQsExpanded=true\n  panelVisible=true\n", AB_YES },
		{ "  shadeOrQsExpanded: false\n  panelVisible: false\n",
		  AB_NO },
		{ "  xmPanelExpanded: true\n", AB_UNKNOWN },
		{ "  mPanelExpanded is true\n", AB_UNKNOWN },
		{ "", AB_UNKNOWN },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpint(ab_android_parse_shade(cases[i].text), ==,
				cases[i].want);
}

/* ---- battery, thermal ---- */

static void test_battery_real(void)
{
	g_autofree char *a = shared_text("data/battery/discharging.txt");
	g_autofree char *b = shared_text("data/battery/pixel-full-usb.txt");
	struct ab_battery x;

	if (!a || !b)
		return;
	g_assert_true(ab_android_parse_battery(a, "-312500\n", &x));
	g_assert_cmpint(x.level, ==, 67);
	g_assert_cmpint(x.status, ==, 3);
	g_assert_cmpint(x.temp_dc, ==, 337);
	g_assert_false(x.plugged || x.faked);
	g_assert_cmpint(x.current_ua, ==, -312500);
	g_assert_true(ab_android_parse_battery(b, "", &x));
	g_assert_cmpint(x.level, ==, 100);
	g_assert_cmpint(x.status, ==, 5);
	g_assert_true(x.plugged);
	g_assert_cmpint(x.current_ua, ==, G_MININT64);
}

static void test_battery(void)
{
	struct ab_battery x;

	/* A vendor's log below repeats the keys. */
	g_assert_true(ab_android_parse_battery(
		"Current Battery Service state:\n"
		"  (UPDATES STOPPED -- use 'reset' to restart)\n"
		"  Wireless powered: true\n  level: 50\n  status: 2\n"
		"Log:\n  level: 99\n  status: 3\n",
		"cat: Permission denied", &x));
	g_assert_cmpint(x.level, ==, 50);
	g_assert_cmpint(x.status, ==, 2);
	g_assert_true(x.faked && x.plugged);
	g_assert_cmpint(x.current_ua, ==, G_MININT64);
	g_assert_false(ab_android_parse_battery("", "", &x));
	g_assert_false(ab_android_parse_battery("  level: 101\n", "", &x));
	g_assert_false(
		ab_android_parse_battery("  level: 9999999999\n", "", &x));
}

static void test_battery_flow(void)
{
	static const struct {
		struct ab_battery battery;
		int flow;
	} cases[] = {
		{ { .status = 2, .current_ua = 350000 }, 1 },
		{ { .status = 4, .current_ua = -350000 }, -1 },
		/* A gauge that counts the other way. */
		{ { .status = 3, .current_ua = 350000 }, -1 },
		{ { .status = 3, .faked = true, .current_ua = 350000 }, 1 },
		{ { .status = 5, .current_ua = 0 }, 0 },
		{ { .status = 2, .current_ua = G_MININT64 }, 1 },
		{ { .status = 4, .current_ua = G_MININT64 }, -1 },
		{ { .status = 0, .current_ua = G_MININT64 }, 0 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpint(ab_battery_flow(&cases[i].battery), ==,
				cases[i].flow);
}

static void test_thermal(void)
{
	struct ab_thermal t;

	ab_android_parse_thermal(
		"IsStatusOverride: false\nThermal Status: 2\n"
		"Cached temperatures:\n"
		"\tTemperature{mValue=20.0, mType=3, mName=VIRTUAL-SKIN, "
		"mStatus=0}\n"
		"Current temperatures from HAL:\n"
		"\tTemperature{mValue=50.0, mType=0, mName=BIG, mStatus=0}\n"
		"\tTemperature{mValue=38.5, mType=3, mName=quiet_therm, "
		"mStatus=0}\n"
		"\tTemperature{mValue=36.25, mType=3, mName=VIRTUAL-SKIN, "
		"mStatus=1}\n"
		"Current cooling devices from HAL:\n",
		&t);
	g_assert_cmpfloat(t.skin_c, ==, 36.25);
	g_assert_cmpint(t.status, ==, 2);
	g_assert_false(t.overridden);
	ab_android_parse_thermal(
		"IsStatusOverride: true\n"
		"Current temperatures from HAL:\n"
		"\tTemperature{mValue=NaN, mType=3, mName=a, mStatus=0}\n"
		"\tTemperature{mValue=31.5, mType=3, mName=SKIN, mStatus=0}\n"
		"\tTemperature{mValue=100.0, mType=8, mName=soc, "
		"mStatus=0}\n",
		&t);
	g_assert_cmpfloat(t.skin_c, ==, 31.5);
	g_assert_cmpint(t.status, ==, -1);
	g_assert_true(t.overridden);
	ab_android_parse_thermal("", &t);
	g_assert_true(isnan(t.skin_c));
}

/* ---- display ---- */

static void test_size(void)
{
	int w = 0, h = 0;

	g_assert_true(
		ab_android_parse_size("Physical size: 1080x2400\n", &w, &h));
	g_assert_cmpint(w, ==, 1080);
	g_assert_cmpint(h, ==, 2400);
	g_assert_true(ab_android_parse_size(
		"Physical size: 1344x2992\nOverride size: 1008x2244\n", &w,
		&h));
	g_assert_cmpint(w, ==, 1008);
	g_assert_false(ab_android_parse_size("Physical size: 0x0\n", &w, &h));
	g_assert_false(ab_android_parse_size("", &w, &h));
}

static void test_refresh(void)
{
	static const struct {
		const char *sf, *display;
		double want;
	} cases[] = {
		{ "renderRate=60.00 Hz\nactiveMode={id=1, hwcId=1, "
		  "vsyncRate=120.00 Hz, dpi=1}\n",
		  "", 120 },
		{ "  renderRate=90.00 Hz\n", "", 90 },
		{ "  refresh-rate              : 60.000000 fps\n", "", 60 },
		{ "",
		  "mActiveModeId=2\nDisplayModeRecord{mMode={id=1, width=1, "
		  "height=2, fps=120.00001, alternativeRefreshRates=[60.0]}}\n"
		  "DisplayModeRecord{mMode={id=2, width=1, height=2, "
		  "fps=60.5}}\n",
		  60.5 },
		{ "", "  renderFrameRate 90.0\n", 90 },
		{ "", "mActiveModeId=7\n", -1 },
		{ "vsyncRate=0 Hz", "", -1 },
		{ "", "", -1 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpfloat(ab_android_parse_refresh(cases[i].sf,
							   cases[i].display),
				  ==, cases[i].want);
	g_assert_cmpfloat(ab_android_parse_refresh_max(cases[3].display), >,
			  119);
	g_assert_cmpfloat(ab_android_parse_refresh_max(""), ==, -1);
}

/* ---- properties, settings, processors ---- */

static void test_props(void)
{
	g_autoptr(GHashTable) props = ab_android_parse_props(
		"[a.b]: [1]\r\n[multi]: [one\ntwo]\n[br]: [x]y]\n[empty]: []\n"
		"noise\n[cut]: [no end\n");

	g_assert_cmpuint(g_hash_table_size(props), ==, 4);
	g_assert_cmpstr(g_hash_table_lookup(props, "a.b"), ==, "1");
	g_assert_cmpstr(g_hash_table_lookup(props, "multi"), ==, "one\ntwo");
	g_assert_cmpstr(g_hash_table_lookup(props, "br"), ==, "x]y");
	g_assert_cmpstr(g_hash_table_lookup(props, "empty"), ==, "");
}

static void test_settings(void)
{
	g_autoptr(GHashTable) s = ab_android_parse_settings(
		"a=1\nwith=equals=sign\nempty=\nunset=null\n=x\nnoise\n");
	g_autofree char *null = ab_android_parse_setting("null\n");
	g_autofree char *value = ab_android_parse_setting("1.0\n");

	g_assert_cmpstr(g_hash_table_lookup(s, "a"), ==, "1");
	g_assert_cmpstr(g_hash_table_lookup(s, "with"), ==, "equals=sign");
	g_assert_cmpstr(g_hash_table_lookup(s, "empty"), ==, "");
	g_assert_null(g_hash_table_lookup(s, "unset"));
	g_assert_null(ab_android_parse_settings("Error\n"));
	g_assert_null(null);
	g_assert_cmpstr(value, ==, "1.0");
	g_assert_true(ab_android_same_value("1", "1.0"));
	g_assert_true(ab_android_same_value(NULL, NULL));
	g_assert_false(ab_android_same_value(NULL, "0"));
	g_assert_false(ab_android_same_value("Infinity", "120"));
}

static void test_cpus(void)
{
	g_assert_cmpint(ab_android_parse_cpus("0-7\n"), ==, 8);
	g_assert_cmpint(ab_android_parse_cpus("0"), ==, 1);
	g_assert_cmpint(ab_android_parse_cpus("0-3,6,7"), ==, 6);
	g_assert_cmpint(ab_android_parse_cpus("7-0"), ==, -1);
	g_assert_cmpint(ab_android_parse_cpus("0-99999"), ==, -1);
	g_assert_cmpint(ab_android_parse_cpus(""), ==, -1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(screens); i++) {
		g_autofree char *path =
			g_strdup_printf("/android/screen/%s", screens[i].name);

		g_test_add_data_func(path, &screens[i], test_screen);
	}
	g_test_add_func("/android/screen-filtered", test_filtered);
	g_test_add_func("/android/shade", test_shade);
	g_test_add_func("/android/battery-real", test_battery_real);
	g_test_add_func("/android/battery", test_battery);
	g_test_add_func("/android/battery-flow", test_battery_flow);
	g_test_add_func("/android/thermal", test_thermal);
	g_test_add_func("/android/size", test_size);
	g_test_add_func("/android/refresh", test_refresh);
	g_test_add_func("/android/props", test_props);
	g_test_add_func("/android/settings", test_settings);
	g_test_add_func("/android/cpus", test_cpus);
	return g_test_run();
}

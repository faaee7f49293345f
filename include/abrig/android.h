/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pure parsers of what Android's shell prints: text in, struct out.  Builds
 * differ in their spelling, so what a text does not say is AB_UNKNOWN, NULL,
 * NAN or -1, never a guess: no line about the keyguard is not "unlocked".
 */
#ifndef ABRIG_ANDROID_H
#define ABRIG_ANDROID_H

#include <abrig/phone.h>

/* `getprop`: name -> value; values may span lines. */
GHashTable *ab_android_parse_props(const char *text);

/*
 * `settings list NS`, name -> value.  What is not set is not listed; NULL when
 * the text holds no setting at all, which no phone says.
 */
GHashTable *ab_android_parse_settings(const char *text);
/* `settings get`: NULL for its word "null".  Caller frees. */
char *ab_android_parse_setting(const char *text);
/* Two setting values mean the same ("1" and "1.0"; NULL only equals NULL). */
bool ab_android_same_value(const char *a, const char *b);

/* `wm size`: the override wins. */
bool ab_android_parse_size(const char *text, int *width_out, int *height_out);

/* /sys/devices/system/cpu/possible, "0-7" or "0,2-3": how many; -1. */
int ab_android_parse_cpus(const char *text);

/* Commands that print only the lines which say something about the rate. */
#define AB_ANDROID_SURFACEFLINGER            \
	("dumpsys SurfaceFlinger | grep -E " \
	 "'activeMode=|vsyncRate=|renderRate=|refresh-rate'")
#define AB_ANDROID_DISPLAY \
	"dumpsys display | grep -E 'mActiveModeId=|fps=|renderFrameRate '"
/*
 * The active refresh rate in Hz from `dumpsys SurfaceFlinger` and `dumpsys
 * display` (each may be ""), -1: not said.
 */
double ab_android_parse_refresh(const char *surfaceflinger,
				const char *display);
/* The highest rate among the modes of `dumpsys display`; -1. */
double ab_android_parse_refresh_max(const char *display);

/*
 * `dumpsys window` (or its lines that match AB_ANDROID_WINDOW_LINES) and
 * `dumpsys power`.  @screen_out is overwritten.
 */
#define AB_ANDROID_WINDOW_LINES                                     \
	"mCurrentFocus=|[kK]eyguardShowing=|ShowingLockscreen=|"    \
	"DreamingLockscreen=|isStatusBarKeyguard=|GoingAway=|"      \
	"KeyguardServiceDelegate|^ *(showing|secure|systemIsReady)" \
	"=|^[A-Z]"
void ab_android_parse_screen(const char *window, const char *power,
			     struct ab_screen *screen_out);
/* The last window in focus of `dumpsys window`; NULL: none. */
char *ab_android_parse_focus(const char *window);
/* `dumpsys activity service com.android.systemui/.SystemUIService`. */
enum ab_tristate ab_android_parse_shade(const char *systemui);

/*
 * `dumpsys battery` and the text of current_now ("" when not readable); false
 * when there is no level.
 */
bool ab_android_parse_battery(const char *text, const char *current_now,
			      struct ab_battery *battery_out);
/* `dumpsys thermalservice`. */
void ab_android_parse_thermal(const char *text, struct ab_thermal *thermal_out);

#endif

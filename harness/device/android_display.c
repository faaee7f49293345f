// SPDX-License-Identifier: GPL-3.0-or-later
/* Which refresh rate the display runs at: each release spells it anew. */
#include <abrig/android.h>

#include <string.h>

#define MAX_MODES 256

/* The number after @label; -1 when it is not there or not a rate. */
static double rate_after(const char *text, const char *label)
{
	const char *at = strstr(text, label);
	double rate;

	if (!at)
		return -1;
	rate = g_ascii_strtod(at + strlen(label), NULL);
	return rate > 0 && rate < 1000 ? rate : -1;
}

/* Of "activeMode={id=1, ... vsyncRate=120.00 Hz}", or of its line. */
static double active_mode(const char *text)
{
	const char *at = strstr(text, "activeMode=");
	g_autofree char *line = NULL;

	if (!at)
		return -1;
	line = g_strndup(at, strcspn(at, "\n"));
	return rate_after(line, "vsyncRate=");
}

static double surfaceflinger_rate(const char *text)
{
	/*
	 * The panel's mode first: with a render rate below it (ARR, a quiet
	 * screen) the mode is still what was pinned.
	 */
	static const char *const labels[] = {
		"vsyncRate=", "renderRate=", "refresh-rate              : ",
		"refresh-rate: ", "refresh-rate : "
	};
	double rate = active_mode(text);

	for (size_t i = 0; rate < 0 && i < G_N_ELEMENTS(labels); i++)
		rate = rate_after(text, labels[i]);
	return rate;
}

/*
 * Walk the modes "{id=1, width=1080, height=2400, fps=120.00001, ..."; @id 0:
 * the highest rate, else that of this id.
 */
static double display_mode(const char *text, gint64 id)
{
	double best = -1;

	for (int i = 0; i < MAX_MODES && (text = strstr(text, "{id=")); i++) {
		g_autofree char *mode = g_strndup(text, strcspn(text, "}\n"));
		gint64 this = g_ascii_strtoll(text + strlen("{id="), NULL, 10);

		if (!id || this == id)
			best = MAX(best, rate_after(mode, " fps="));
		text += strlen("{id=");
	}
	return best;
}

double ab_android_parse_refresh(const char *surfaceflinger, const char *display)
{
	double rate = surfaceflinger_rate(surfaceflinger);
	const char *active = strstr(display, "mActiveModeId=");
	gint64 id = 0;

	if (rate > 0)
		return rate;
	if (active)
		id = g_ascii_strtoll(active + strlen("mActiveModeId="), NULL,
				     10);
	if (id > 0)
		rate = display_mode(display, id);
	return rate > 0 ? rate : rate_after(display, "renderFrameRate ");
}

double ab_android_parse_refresh_max(const char *display)
{
	return display_mode(display, 0);
}

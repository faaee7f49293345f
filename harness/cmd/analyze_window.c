// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze.h"

#include <abrig/text.h>
#include <math.h>

#define NS_PER_S 1e9
#define MOST_S 9e9 /* what 64 bits of ns hold */

/* An empty @text leaves *@ns_out alone. */
static bool seconds(const char *text, gint64 *ns_out)
{
	double s;

	if (!*text)
		return true;
	if (!ab_text_to_double(text, &s) || s < 0 || s > MOST_S)
		return false;
	*ns_out = (gint64)rint(s * NS_PER_S);
	return true;
}

bool analyze_window(const char *text, struct ab_trace_window *window_out,
		    GError **error)
{
	g_auto(GStrv) ends = g_strsplit(text, ":", 3);
	struct ab_trace_window w = { 0, G_MAXINT64 };

	if (g_strv_length(ends) != 2 || (!*ends[0] && !*ends[1]) ||
	    !seconds(ends[0], &w.begin_ns) || !seconds(ends[1], &w.end_ns)) {
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "--window '%s': write A:B, A: or :B in seconds "
			    "from the trace's first event, such as 1.5:20",
			    text);
		return false;
	}
	if (w.begin_ns >= w.end_ns) {
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "--window '%s' ends before it begins", text);
		return false;
	}
	*window_out = w;
	return true;
}

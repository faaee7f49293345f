// SPDX-License-Identifier: GPL-3.0-or-later
#include "window.h"

/*
 * "S|<pid>|abrig:run|<cookie>": the letter in @kind_out, the rest, which both
 * ends of the window share, in @key.  False for any other text.
 */
static bool parse_marker(struct ab_bytes text, char *kind_out, char *key,
			 gsize size)
{
	g_autofree char *line = NULL;
	g_auto(GStrv) part = NULL;

	if (text.n < 4 || text.n >= size || text.p[1] != '|' ||
	    (text.p[0] != 'S' && text.p[0] != 'F'))
		return false;
	line = g_strstrip(g_strndup((const char *)text.p, text.n));
	part = g_strsplit(line, "|", 4);
	if (g_strv_length(part) != 4 ||
	    strcmp(part[2], AB_TRACE_WINDOW_NAME) != 0)
		return false;
	*kind_out = line[0];
	g_strlcpy(key, line + 2, size);
	return true;
}

void ab_window_print(struct ab_trace *trace, struct ab_window_search *search,
		     const struct ab_event *ev)
{
	char key[sizeof(search->key)], kind;

	if (!parse_marker(ev->print, &kind, key, sizeof(key)))
		return;
	if (kind == 'S') {
		search->begin_ns = ev->ts;
		g_strlcpy(search->key, key, sizeof(search->key));
	} else if (search->begin_ns >= 0 && !strcmp(key, search->key)) {
		trace->marker_begin_ns = search->begin_ns;
		trace->marker_end_ns = ev->ts;
		search->begin_ns = -1;
	} else {
		trace->quality.unpaired++;
	}
}

void ab_window_finish(struct ab_trace *trace)
{
	struct ab_trace_facts *facts = &trace->facts;

	facts->window_marked = trace->marker_end_ns >= 0;
	if (facts->window_marked) {
		facts->begin_ns = trace->marker_begin_ns;
		facts->end_ns = trace->marker_end_ns;
	} else if (trace->first_ns <= trace->last_ns) {
		facts->begin_ns = MAX(trace->first_ns, trace->crop_ns);
		facts->end_ns = MAX(facts->begin_ns, trace->last_ns);
	}
}

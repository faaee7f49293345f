// SPDX-License-Identifier: GPL-3.0-or-later
/* docs/HOWTO-aa.md, version 1: keys are only added. */
#include "aa.h"

#include <abrig/aa_report.h>

static void add_metric(JsonBuilder *b, const struct ab_aa_metric *m)
{
	json_begin(b, NULL, false);
	json_text(b, "scenario", m->scenario);
	json_text(b, "metric", m->metric);
	json_int(b, "tests", m->tests);
	json_int(b, "alarms", m->alarms);
	json_number(b, "noise_floor", m->floor);
	json_number(b, "noise_floor_pct", m->floor_pct);
	json_int(b, "noise_floor_nights", m->floor_nights);
	json_number(b, "last_p", m->last_p);
	json_number(b, "last_p_adjusted", m->last_adjusted);
	json_number(b, "chance", m->chance);
	json_number(b, "chance_adjusted", m->chance_adjusted);
	json_bool(b, "different", m->different);
	json_bool(b, "too_often", m->too_often);
	json_builder_end_object(b);
}

static void add_metrics(JsonBuilder *b, const struct ab_aa_summary *s, bool all)
{
	json_begin(b, all ? "metrics" : "failed_metrics", true);
	for (guint i = 0; i < s->metrics->len; i++) {
		const struct ab_aa_metric *m =
			&g_array_index(s->metrics, struct ab_aa_metric, i);

		if (all || m->different || m->too_often)
			add_metric(b, m);
	}
	json_builder_end_array(b);
}

void aa_json(JsonBuilder *b, const struct ab_aa_summary *s, bool all)
{
	json_begin(b, NULL, false);
	json_text(b, "serial", s->serial);
	json_int(b, "nights", s->nights);
	json_int(b, "nights_failed", s->nights_failed);
	json_text(b, "last", s->last);
	json_text(b, "plan", s->plan);
	json_int(b, "boots", s->boots);
	json_int(b, "runs", s->runs);
	json_int(b, "tests", s->tests);
	json_int(b, "alarms", s->alarms);
	json_number(b, "rate", s->rate);
	json_number(b, "rate_lo", s->rate_lo);
	json_number(b, "rate_hi", s->rate_hi);
	json_text(b, "verdict",
		  !s->nights  ? NULL
		  : s->failed ? "failed"
			      : "passed");
	add_metrics(b, s, all);
	json_begin(b, "problems", true);
	for (char **line = s->problems; *line; line++)
		json_string(b, *line);
	json_builder_end_array(b);
	json_builder_end_object(b);
}

void ab_aa_json(const GPtrArray *summaries, GString *out)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_begin(b, NULL, false);
	json_int(b, "version", AB_AA_VERSION);
	json_begin(b, "devices", true);
	for (guint i = 0; i < summaries->len; i++)
		aa_json(b, summaries->pdata[i], true);
	json_builder_end_array(b);
	json_builder_end_object(b);
	json_finish(b, true, out);
	g_string_append_c(out, '\n');
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

#include "window.h"

/* So many lines, and whoever waits is told how far the reading is. */
#define LINES_TO_TELL 1024

struct tx_cpu {
	gint64 first_ns, last_ns;
	bool seen;
	bool lost; /* events are missing since @last_ns */
};

void tx_survey_init(struct tx_survey *survey, struct ab_trace *trace,
		    struct tx_order *order, struct tx_processes *processes)
{
	*survey = (struct tx_survey){
		.trace = trace,
		.order = order,
		.processes = processes,
		.cpus = g_new0(struct tx_cpu, AB_MAX_CPUS),
		.first_ns = G_MAXINT64,
	};
}

void tx_survey_clear(struct tx_survey *survey)
{
	g_free(survey->cpus);
}

static void add_lost(struct tx_survey *survey, guint cpu, gint64 end_ns)
{
	struct tx_cpu *c = &survey->cpus[cpu];
	struct ab_lost lost = {
		.begin_ns = c->seen ? c->last_ns : G_MININT64,
		.end_ns = end_ns,
		.cpu = (int)cpu,
		.what = "the kernel's buffers overflowed",
	};

	c->lost = false;
	g_array_append_val(survey->trace->lost_events, lost);
}

static void note_cpu(struct tx_survey *survey, const struct tx_line *line)
{
	struct tx_cpu *c = &survey->cpus[line->cpu];

	if (c->lost)
		add_lost(survey, line->cpu, line->ts);
	c->first_ns = c->seen ? MIN(c->first_ns, line->ts) : line->ts;
	c->last_ns = line->ts;
	c->seen = true;
}

static void note_event(struct tx_survey *survey, const struct tx_line *line)
{
	struct ab_bytes print;

	survey->lines++;
	survey->first_ns = MIN(survey->first_ns, line->ts);
	note_cpu(survey, line);
	if (!survey->has_waking)
		survey->has_waking = tx_equal(line->event, "sched_waking");
	if (tx_line_print(line, &print) &&
	    tx_after(print, AB_TRACE_WINDOW_NAME).p)
		ab_window_mark(survey->trace, line->ts, print);
}

/* The line that begins at @at goes on with the run, or begins one. */
static void place(struct tx_survey *survey, struct ab_bytes at, gint64 ts)
{
	guint runs = survey->order->runs->len;

	if (ts < survey->last_ns && runs >= TX_MAX_RUNS)
		return;
	if (ts < survey->last_ns)
		tx_order_add(survey->order, at, ts);
	survey->last_ns = ts;
}

static void note_counts(struct tx_survey *survey, const struct tx_note *note)
{
	survey->kept += note->kept;
	survey->written += note->written;
	if (note->written > note->kept)
		survey->cut_begin = true;
}

static void note_lost(struct tx_survey *survey, const struct tx_note *note)
{
	survey->cpus[note->cpu].lost = true;
	survey->trace->quality.overrun += note->lost;
	survey->trace->quality.lost_bundles++;
}

static void take_note(struct tx_survey *survey, const struct tx_note *note)
{
	struct ab_trace *trace = survey->trace;

	trace->facts.cpus = MAX(trace->facts.cpus, note->cpus);
	switch (note->kind) {
	case TX_NOTE_NONE:
		survey->lines++;
		trace->quality.damaged_events++;
		break;
	case TX_NOTE_COUNTS:
		note_counts(survey, note);
		break;
	case TX_NOTE_STARTED:
		survey->cut_begin = true;
		break;
	case TX_NOTE_LOST:
		note_lost(survey, note);
		break;
	case TX_NOTE_CPUS:
	case TX_NOTE_PROCESSES:
	case TX_NOTE_PLAIN:
		break;
	}
}

/* The last line of a file that was cut. */
static bool is_stump(struct tx_survey *survey, struct ab_bytes text,
		     const struct tx_note *note)
{
	if (note->kind != TX_NOTE_NONE)
		return false;
	survey->trace->quality.bytes_ignored += text.n;
	survey->trace->end_missing = true;
	return true;
}

/* A list goes up to the section's end or the next event or comment. */
static void skip_processes(struct tx_survey *survey, struct ab_bytes from,
			   struct ab_bytes *rest)
{
	struct ab_bytes text, at = *rest;
	struct tx_line line;
	bool ended;

	while (tx_next_line(rest, &text, &ended)) {
		if ((text.n && *text.p == '#') || tx_line_parse(text, &line)) {
			*rest = at;
			break;
		}
		at = *rest;
	}
	from.n = (gsize)(rest->p - from.p);
	tx_processes_add(survey->processes, from);
}

void tx_survey_section(struct tx_survey *survey,
		       const struct tx_section *section)
{
	struct ab_bytes rest = section->bytes, at = rest, text;
	struct tx_line line;
	struct tx_note note;
	bool ended;

	/* Its lines would belong to no run. */
	if (survey->order->runs->len >= TX_MAX_RUNS) {
		survey->trace->quality.bytes_ignored += rest.n;
		return;
	}
	survey->last_ns = G_MAXINT64;
	for (; tx_next_line(&rest, &text, &ended); at = rest) {
		if (survey->lines % LINES_TO_TELL == 0)
			ab_reading_at(&survey->trace->reading,
				      (guint64)(rest.p - survey->file.p),
				      survey->file.n);
		if (tx_line_parse(text, &line)) {
			note_event(survey, &line);
			place(survey, at, line.ts);
			continue;
		}
		tx_note_parse(text, &note);
		if (!ended && is_stump(survey, text, &note))
			break;
		take_note(survey, &note);
		if (note.kind == TX_NOTE_PROCESSES)
			skip_processes(survey, at, &rest);
	}
	survey->trace->end_missing = survey->trace->end_missing || section->cut;
}

static gint64 covered_ns(const struct tx_survey *survey)
{
	gint64 covered = G_MININT64;
	guint i;

	for (i = 0; i < AB_MAX_CPUS; i++)
		if (survey->cpus[i].seen)
			covered = MAX(covered, survey->cpus[i].first_ns);
	return covered;
}

void tx_survey_finish(struct tx_survey *survey)
{
	struct ab_trace *trace = survey->trace;
	gint64 covered = covered_ns(survey);
	guint i;

	for (i = 0; i < AB_MAX_CPUS; i++)
		if (survey->cpus[i].lost)
			add_lost(survey, i, G_MAXINT64);
	for (i = AB_MAX_CPUS; i > 0 && !trace->facts.cpus; i--)
		if (survey->cpus[i - 1].seen)
			trace->facts.cpus = (int)i;
	if (survey->lines < survey->kept)
		trace->end_missing = true;
	if (covered != G_MININT64)
		ab_trace_extend(trace, survey->first_ns);
	if (!survey->cut_begin || covered == G_MININT64)
		return;
	/* A full buffer loses its oldest events: each CPU's begin is where
	 * its first event is. */
	trace->crop_ns = covered;
	trace->quality.lost_bundles++;
	if (survey->written > survey->kept)
		trace->quality.overrun += survey->written - survey->kept;
}

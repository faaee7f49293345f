// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

/* What one line can make: its own event, and what it says of its task. */
#define MAX_PENDING 2

struct ab_source {
	struct ab_trace *trace;
	struct tx_survey survey;
	struct tx_processes processes;
	struct tx_order order;
	struct tx_decoder decoder;
	bool listed; /* the lists of processes are read */
	struct ab_event pending[MAX_PENDING];
	guint n, at;
	guint64 events; /* handed out */
};

/* The trace in a page, or the whole of @bytes. */
static bool has_trace(struct ab_bytes bytes)
{
	struct tx_section section;

	if (!tx_is_html(bytes))
		return tx_is_trace(bytes);
	while (tx_next_section(&bytes, &section))
		if (tx_is_trace(section.bytes))
			return true;
	return false;
}

static void survey_page(struct ab_source *src, struct ab_bytes bytes)
{
	struct tx_section section;
	guint n = 0;

	while (tx_next_section(&bytes, &section)) {
		if (!tx_is_trace(section.bytes) &&
		    !tx_is_processes(section.bytes))
			continue;
		if (n++ < TX_MAX_SECTIONS)
			tx_survey_section(&src->survey, &section);
		else
			src->trace->quality.bytes_ignored += section.bytes.n;
	}
}

static void survey_text(struct ab_source *src, struct ab_bytes bytes)
{
	struct tx_section section = { bytes, false };

	tx_skip(&section.bytes, "\xef\xbb\xbf");
	tx_survey_section(&src->survey, &section);
}

static struct ab_source *open_source(struct ab_trace *trace,
				     struct ab_bytes bytes)
{
	struct ab_source *src;

	if (!has_trace(bytes))
		return NULL;
	src = g_new0(struct ab_source, 1);
	src->trace = trace;
	tx_order_init(&src->order);
	tx_processes_init(&src->processes, trace);
	tx_survey_init(&src->survey, trace, &src->order, &src->processes);
	src->survey.file = bytes;
	/* A pointer is a real one, or hashed alike throughout. */
	trace->generations = true;
	if (tx_is_html(bytes)) {
		trace->facts.format = "systrace";
		survey_page(src, bytes);
	} else {
		trace->facts.format = "ftrace text";
		survey_text(src, bytes);
	}
	tx_survey_finish(&src->survey);
	tx_order_start(&src->order);
	src->processes.begin_ns = src->survey.first_ns;
	src->decoder = (struct tx_decoder){ trace, src->survey.has_waking };
	return src;
}

static void take_line(struct ab_source *src, const struct tx_line *line)
{
	struct ab_event *ev;

	src->at = src->n = 0;
	if (tx_processes_learn(&src->processes, line, &src->pending[0]))
		src->n++;
	ev = &src->pending[src->n];
	ev->ts = line->ts;
	ev->flags = line->ts < src->trace->crop_ns ? AB_EVENT_CROPPED : 0;
	ev->cpu = line->cpu;
	ev->tid = line->tid;
	if (tx_event_decode(&src->decoder, line, ev))
		src->n++;
	else
		src->trace->quality.damaged_events++;
}

/* Fill @pending with at least one event; false at the end. */
static bool refill(struct ab_source *src)
{
	struct tx_proc_events procs;
	struct tx_line line;

	while (!src->listed) {
		src->listed = !tx_processes_next(&src->processes, &procs);
		src->at = 0;
		src->n = procs.n;
		memcpy(src->pending, procs.events,
		       procs.n * sizeof(*procs.events));
		if (src->n)
			return true;
	}
	do {
		if (!tx_order_next(&src->order, &line,
				   &src->trace->quality.damaged_events))
			return false;
		take_line(src, &line);
	} while (!src->n);
	return true;
}

static guint next_events(struct ab_source *src, struct ab_batch *batch,
			 guint max)
{
	guint n = 0;

	while (n < max && (src->at < src->n || refill(src)))
		batch->room[n++] = src->pending[src->at++];
	/* Nearly all lines have one. */
	src->events += n;
	ab_reading_at(&src->trace->reading, src->events, src->survey.lines);
	return n;
}

static void close_source(struct ab_source *src)
{
	tx_survey_clear(&src->survey);
	tx_processes_clear(&src->processes);
	tx_order_clear(&src->order);
	g_free(src);
}

const struct ab_source_ops ab_source_text = {
	.name = "ftrace text",
	.open_share = 0.4,
	.recognise = has_trace,
	.open = open_source,
	.next = next_events,
	.close = close_source,
};

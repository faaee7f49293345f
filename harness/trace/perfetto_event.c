// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

#include "window.h"

/* FtraceEvent's messages, by field number. */
enum {
	PRINT = 3,
	SCHED_SWITCH = 4,
	CPU_FREQUENCY = 11,
	CPU_IDLE = 13,
	SCHED_BLOCKED_REASON = 18,
	SCHED_WAKING = 20,
	WORKQUEUE_ACTIVATE = 56,
	WORKQUEUE_END = 57,
	WORKQUEUE_START = 58,
	WORKQUEUE_QUEUE = 59,
	TASK_NEWTASK = 235,
	TASK_RENAME = 236,
	SCHED_PROCESS_FREE = 240,
	GENERIC = 327,
	RPM_STATUS = 489,
	SELF_DESCRIBED = 65536,
};

/*
 * The members in the order in which all writers put them; else false.  Bytes
 * up to @limit may be loaded.
 */
static bool read_usual_row(struct ab_bytes message, const guint8 *limit,
			   guint64 *raw, struct pf_row *row)
{
	const guint8 *p = message.p, *end = p + message.n;
	struct ab_reader r = { .end = end };
	guint64 tid, tag;

	if (message.n < 4 || *p++ != AB_TAG(1, AB_VARINT))
		return false;
	p = ab_word_varint(p, limit, raw);
	if (!p || p >= end || *p++ != AB_TAG(2, AB_VARINT))
		return false;
	r.p = ab_word_varint(p, limit, &tid);
	if (!r.p || r.p >= end || tid >= AB_MAX_TID ||
	    !ab_read_varint(&r, &tag) || (tag & 7) != AB_LEN ||
	    tag > G_MAXUINT32 || tag < 8 || !ab_read_len(&r, &row->body))
		return false;
	row->tid = (gint32)tid;
	row->no = (guint32)(tag >> 3);
	return r.p == end;
}

static bool read_row(struct ab_bytes message, const guint8 *limit, guint64 *raw,
		     struct pf_row *row)
{
	struct ab_reader r = ab_reader(message);
	struct ab_field f;
	bool has_ts = false;

	if (G_LIKELY(read_usual_row(message, limit, raw, row)))
		return true;
	*row = (struct pf_row){ .tid = AB_TID_UNKNOWN };
	while (ab_next_field(&r, &f)) {
		if (f.wire == AB_LEN) {
			row->no = f.no;
			row->body = f.bytes;
		} else if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_VARINT)) {
			*raw = f.v;
			has_ts = true;
		} else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_VARINT)) {
			if (f.v >= AB_MAX_TID)
				return false;
			row->tid = (gint32)f.v;
		}
	}
	return !r.bad && has_ts && row->tid != AB_TID_UNKNOWN;
}

void pf_open_events(struct pf_stream *s)
{
	const struct ab_bytes none = { NULL, 0 };

	s->plain.in =
		ab_reader(s->loaded->has_events ? s->loaded->bytes : none);
	s->plain.last_ns = G_MININT64;
}

static int by_time(const void *a, const void *b, void *user)
{
	const struct pf_row *x = a, *y = b;

	(void)user;
	return (x->ts > y->ts) - (x->ts < y->ts);
}

/*
 * A bundle is in the order of time.  Should one not be, its rows are put in
 * order as far as they are decoded together; the rest is counted.
 */
static void sort_rows(struct ab_source *src, struct pf_plain *p)
{
	g_qsort_with_data(p->rows, (gint)p->n, sizeof(p->rows[0]), by_time,
			  NULL);
	src->trace->quality.damaged_events += p->rows[0].ts < p->last_ns;
}

static bool take_row(struct ab_source *src, const struct pf_bundle *b,
		     struct ab_bytes message, struct pf_row *row)
{
	guint64 raw = 0;

	if (!read_row(message, b->bytes.p + b->bytes.n, &raw, row)) {
		src->trace->quality.damaged_events++;
		return false;
	}
	/* What pf_time() does as a rule. */
	if (G_LIKELY(b->clock == src->trace_clock &&
		     raw < (guint64)PF_LATEST)) {
		row->ts = (gint64)raw;
		return true;
	}
	if (pf_time(src, b->clock, b->snapshots, raw, &row->ts))
		return true;
	src->trace->quality.clock_failures++;
	return false;
}

static bool next_row(struct ab_source *src, struct pf_stream *s,
		     struct pf_row *row)
{
	struct ab_bytes event;
	struct ab_field f;

	for (;;) {
		while (ab_next_repeated(&s->plain.in, PF_EVENT, &event))
			if (take_row(src, s->loaded, event, row))
				return true;
		/* What stands between the events, or is damaged. */
		if (!ab_next_field(&s->plain.in, &f))
			return false;
	}
}

void pf_read_events(struct ab_source *src, struct pf_stream *s)
{
	struct pf_plain *p = &s->plain;
	gint64 last = p->last_ns;
	bool sorted = true;

	p->at = 0;
	for (p->n = 0; p->n < PF_ROWS && next_row(src, s, &p->rows[p->n]);
	     p->n++) {
		sorted = sorted && p->rows[p->n].ts >= last;
		last = p->rows[p->n].ts;
	}
	p->rows[p->n].ts = PF_END;
	if (G_UNLIKELY(!sorted))
		sort_rows(src, p);
	if (p->n)
		p->last_ns = p->rows[p->n - 1].ts;
}

static bool decode_switch(struct ab_source *src, struct ab_bytes body,
			  struct ab_event *ev)
{
	struct ab_reader r = ab_reader(body);
	struct ab_field f;

	memset(&ev->sw, 0, sizeof(ev->sw));
	ev->kind = AB_EV_SWITCH;
	while (ab_next_field(&r, &f)) {
		switch (AB_FIELD_TAG(&f)) {
		case AB_TAG(1, AB_LEN):
			ev->sw.prev_comm = ab_trace_comm(src->trace, f.bytes);
			break;
		case AB_TAG(2, AB_VARINT):
			ev->sw.prev_tid = (gint32)f.v;
			break;
		case AB_TAG(4, AB_VARINT):
			ev->sw.prev_state = (guint32)f.v;
			break;
		case AB_TAG(5, AB_LEN):
			ev->sw.next_comm = ab_trace_comm(src->trace, f.bytes);
			break;
		case AB_TAG(6, AB_VARINT):
			ev->sw.next_tid = (gint32)f.v;
			break;
		case AB_TAG(7, AB_VARINT):
			ev->sw.next_prio = (gint32)f.v;
			break;
		default:
			break;
		}
	}
	return !r.bad && ab_tid_ok(ev->sw.prev_tid) &&
	       ab_tid_ok(ev->sw.next_tid);
}

static bool decode_waking(struct ab_source *src, struct ab_bytes body,
			  struct ab_event *ev)
{
	struct ab_reader r = ab_reader(body);
	struct ab_field f;

	memset(&ev->waking, 0, sizeof(ev->waking));
	ev->kind = AB_EV_WAKING;
	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN))
			ev->waking.comm = ab_trace_comm(src->trace, f.bytes);
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_VARINT))
			ev->waking.tid = (gint32)f.v;
	}
	return !r.bad && ab_tid_ok(ev->waking.tid);
}

static bool decode_blocked(struct ab_source *src, const struct pf_stream *s,
			   struct ab_bytes body, struct ab_event *ev)
{
	struct ab_reader r = ab_reader(body);
	guint64 caller = 0;
	struct ab_field f;

	memset(&ev->blocked, 0, sizeof(ev->blocked));
	ev->kind = AB_EV_BLOCKED;
	while (ab_next_field(&r, &f)) {
		if (f.wire != AB_VARINT)
			continue;
		if (f.no == 1)
			ev->blocked.tid = (gint32)f.v;
		else if (f.no == 2)
			caller = f.v;
		else if (f.no == 3)
			ev->blocked.io_wait = f.v != 0;
	}
	ev->blocked.function = pf_symbol(src, s->loaded->generation, caller);
	return !r.bad && ab_tid_ok(ev->blocked.tid);
}

/* The text of an index without a symbol, as trace processor prints it. */
static guint32 unresolved(struct ab_source *src, guint64 index)
{
	char text[24];
	int n = g_snprintf(text, sizeof(text),
			   index ? "0x%" G_GINT64_MODIFIER "x" : "0", index);

	return ab_trace_intern(src->trace,
			       (struct ab_bytes){ (const guint8 *)text,
						  (gsize)n });
}

static bool decode_work(struct ab_source *src, const struct pf_stream *s,
			struct ab_bytes body, enum ab_event_kind kind,
			struct ab_event *ev)
{
	struct ab_reader r = ab_reader(body);
	guint64 function = 0;
	struct ab_field f;

	memset(&ev->work, 0, sizeof(ev->work));
	ev->kind = kind;
	ab_next_number(&r, 1, &ev->work.work);
	ab_next_number(&r, 2, &function);
	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_VARINT))
			ev->work.work = f.v;
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_VARINT))
			function = f.v;
		else if (AB_FIELD_TAG(&f) == AB_TAG(6, AB_LEN))
			ev->work.workqueue =
				ab_trace_intern(src->trace, f.bytes);
	}
	ev->work.generation = s->loaded->generation ? s->loaded->generation
						    : AB_NO_GENERATION;
	ev->work.function = pf_symbol(src, s->loaded->generation, function);
	if (!ev->work.function) {
		ev->flags |= AB_EVENT_UNRESOLVED;
		ev->work.function = unresolved(src, function);
	}
	return !r.bad;
}

/* Where each task event keeps tid, name and flags; 0: does not have it. */
struct task_layout {
	guint32 tid, comm, flags;
};

static const struct task_layout newtask = { 1, 2, 3 };
static const struct task_layout rename_task = { 1, 3, 0 };
static const struct task_layout process_free = { 2, 1, 0 };

static bool decode_task(struct ab_source *src, struct ab_bytes body,
			enum ab_event_kind kind,
			const struct task_layout *layout, struct ab_event *ev)
{
	struct ab_reader r = ab_reader(body);
	struct ab_field f;

	memset(&ev->task, 0, sizeof(ev->task));
	ev->kind = kind;
	while (ab_next_field(&r, &f)) {
		if (f.wire == AB_LEN && f.no == layout->comm)
			ev->task.comm = ab_trace_comm(src->trace, f.bytes);
		else if (f.wire == AB_VARINT && f.no == layout->tid)
			ev->task.tid = (gint32)f.v;
		else if (f.wire == AB_VARINT && f.no == layout->flags)
			ev->task.clone_flags = f.v;
	}
	return !r.bad && ab_tid_ok(ev->task.tid);
}

static bool decode_print(struct ab_bytes body, struct ab_event *ev)
{
	struct ab_reader r = ab_reader(body);
	struct ab_field f;

	memset(&ev->print, 0, sizeof(ev->print));
	ev->kind = AB_EV_PRINT;
	while (ab_next_field(&r, &f))
		if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			ev->print = f.bytes;
	return !r.bad && ev->print.p;
}

static bool decode_counter(struct ab_bytes body, enum ab_event_kind kind,
			   struct ab_event *ev)
{
	struct ab_reader r = ab_reader(body);
	guint64 value = 0, cpu = 0;
	struct ab_field f;

	/* The order in which all writers put them. */
	ab_next_number(&r, 1, &value);
	ab_next_number(&r, 2, &cpu);
	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_VARINT))
			value = f.v;
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_VARINT))
			cpu = f.v;
	}
	ev->kind = kind;
	ev->counter.value = (guint32)value;
	ev->counter.cpu = (guint32)cpu;
	return !r.bad;
}

static bool decode_rpm_status(struct ab_source *src, struct ab_bytes body,
			      struct ab_event *ev)
{
	struct ab_reader r = ab_reader(body);
	struct ab_field f;

	memset(&ev->rpm, 0, sizeof(ev->rpm));
	ev->kind = AB_EV_RPM_STATUS;
	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN))
			ev->rpm.device = ab_trace_intern(src->trace, f.bytes);
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_VARINT))
			ev->rpm.status = (gint32)f.v;
	}
	return !r.bad;
}

static bool decode_body(struct ab_source *src, const struct pf_stream *s,
			const struct pf_row *row, struct ab_event *ev)
{
	switch (row->no) {
	case PRINT:
		return decode_print(row->body, ev);
	case SCHED_SWITCH:
		return decode_switch(src, row->body, ev);
	case CPU_FREQUENCY:
		return decode_counter(row->body, AB_EV_CPU_FREQUENCY, ev);
	case CPU_IDLE:
		return decode_counter(row->body, AB_EV_CPU_IDLE, ev);
	case SCHED_BLOCKED_REASON:
		return decode_blocked(src, s, row->body, ev);
	case SCHED_WAKING:
		return decode_waking(src, row->body, ev);
	case WORKQUEUE_ACTIVATE:
		return decode_work(src, s, row->body, AB_EV_WORK_ACTIVATE, ev);
	case WORKQUEUE_END:
		return decode_work(src, s, row->body, AB_EV_WORK_END, ev);
	case WORKQUEUE_START:
		return decode_work(src, s, row->body, AB_EV_WORK_START, ev);
	case WORKQUEUE_QUEUE:
		return decode_work(src, s, row->body, AB_EV_WORK_QUEUE, ev);
	case TASK_NEWTASK:
		return decode_task(src, row->body, AB_EV_TASK_NEW, &newtask,
				   ev);
	case TASK_RENAME:
		return decode_task(src, row->body, AB_EV_TASK_RENAME,
				   &rename_task, ev);
	case SCHED_PROCESS_FREE:
		return decode_task(src, row->body, AB_EV_TASK_FREE,
				   &process_free, ev);
	case RPM_STATUS:
		return decode_rpm_status(src, row->body, ev);
	default:
		ev->kind = AB_EV_OTHER;
		if (row->no == GENERIC || row->no >= SELF_DESCRIBED)
			return pf_decode_generic(src, row, ev);
		return true;
	}
}

bool pf_decode_event(struct ab_source *src, const struct pf_stream *s,
		     struct ab_event *ev)
{
	const struct pf_row *row = &s->plain.rows[s->plain.at];

	ev->tid = row->tid;
	if (decode_body(src, s, row, ev))
		return true;
	src->trace->quality.damaged_events++;
	return false;
}

void pf_find_marks(struct ab_source *src, const struct pf_bundle *b)
{
	struct ab_reader r = ab_reader(b->bytes);
	struct ab_event ev;
	struct pf_row row;
	struct ab_field f;
	guint64 raw = 0;

	while (ab_next_field(&r, &f))
		if (AB_FIELD_TAG(&f) == AB_TAG(PF_EVENT, AB_LEN) &&
		    read_row(f.bytes, r.end, &raw, &row) && row.no == PRINT &&
		    decode_print(row.body, &ev) &&
		    pf_time(src, b->clock, b->snapshots, raw, &row.ts) &&
		    (row.ts >= src->started_ns || src->keep_old))
			ab_window_mark(src->trace, row.ts, ev.print);
}

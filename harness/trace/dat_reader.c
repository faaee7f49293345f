// SPDX-License-Identifier: GPL-3.0-or-later
#include "dat.h"

#include "task_state.h"
#include "window.h"

#define BUFFER_SIZE 262144
/* A trace with more gaps is a gap. */
#define LOST_MAX 1048576

G_STATIC_ASSERT(BUFFER_SIZE >= 2 * (DAT_PAYLOAD_MAX + 16));

void dat_reader_init(struct dat_reader *r, struct ab_trace *trace)
{
	guint32 none = 0;

	*r = (struct dat_reader){ .trace = trace };
	r->texts = g_array_new(FALSE, FALSE, sizeof(guint32));
	g_array_append_val(r->texts, none);
	r->buffer = g_byte_array_new();
	g_byte_array_set_size(r->buffer, BUFFER_SIZE);
}

void dat_reader_clear(struct dat_reader *r)
{
	g_array_unref(r->texts);
	g_byte_array_unref(r->buffer);
}

guint8 *dat_reader_room(struct dat_reader *r, gsize *size_out)
{
	memmove(r->buffer->data, r->buffer->data + r->at, r->n - r->at);
	r->n -= r->at;
	r->at = 0;
	*size_out = BUFFER_SIZE - r->n;
	return r->buffer->data + r->n;
}

static bool ts_ok(gint64 ts)
{
	return ts >= 0 && ts <= AB_TS_MAX;
}

/* The child's number of a text becomes the trace's. */
static bool own_text(const struct dat_reader *r, guint32 *text)
{
	if (*text >= r->texts->len)
		return false;
	*text = g_array_index(r->texts, guint32, *text);
	return true;
}

/* What is neither 0 nor 1 must not be read as a bool. */
static void own_bool(bool *value)
{
	guint8 byte;

	memcpy(&byte, value, sizeof(byte));
	*value = byte != 0;
}

static bool own_body(const struct dat_reader *r, struct ab_event *ev)
{
	switch (ev->kind) {
	case AB_EV_SWITCH:
		if (!r->trace->facts.uname_release)
			ev->sw.prev_state =
				ab_task_state_guess(ev->sw.prev_state);
		return ab_tid_ok(ev->sw.prev_tid) &&
		       ab_tid_ok(ev->sw.next_tid) &&
		       own_text(r, &ev->sw.prev_comm) &&
		       own_text(r, &ev->sw.next_comm);
	case AB_EV_WAKING:
		return ab_tid_ok(ev->waking.tid) &&
		       own_text(r, &ev->waking.comm);
	case AB_EV_BLOCKED:
		own_bool(&ev->blocked.io_wait);
		return ab_tid_ok(ev->blocked.tid) &&
		       own_text(r, &ev->blocked.function);
	case AB_EV_WORK_QUEUE:
	case AB_EV_WORK_ACTIVATE:
	case AB_EV_WORK_START:
	case AB_EV_WORK_END:
		ev->work.generation = 0;
		return own_text(r, &ev->work.function) &&
		       own_text(r, &ev->work.workqueue);
	case AB_EV_TASK_NEW:
	case AB_EV_TASK_RENAME:
	case AB_EV_TASK_FREE:
		return ab_tid_ok(ev->task.tid) && own_text(r, &ev->task.comm);
	case AB_EV_CPU_FREQUENCY:
	case AB_EV_CPU_IDLE:
	case AB_EV_OVERUTILIZED:
		return ev->counter.cpu < AB_MAX_CPUS;
	case AB_EV_RPM_STATUS:
		return own_text(r, &ev->rpm.device);
	case AB_EV_THREAD:
		ev->proc.tgid = -1;
		return ab_tid_ok(ev->proc.tid) && own_text(r, &ev->proc.name);
	default:
		return ev->kind == AB_EV_OTHER || ev->kind == AB_EV_PRINT;
	}
}

static bool own_event(struct dat_reader *r, struct ab_bytes payload,
		      struct ab_event *ev)
{
	const guint8 flags = AB_EVENT_CROPPED | AB_EVENT_UNRESOLVED;

	if (payload.n < sizeof(*ev))
		return false;
	memcpy(ev, payload.p, sizeof(*ev));
	if (!ts_ok(ev->ts) || ev->ts < r->last_ns || ev->flags & ~flags ||
	    ev->cpu >= AB_MAX_CPUS)
		return false;
	/* Only what no record of the kernel tells has no task. */
	if (ev->kind == AB_EV_THREAD ? ev->tid != AB_TID_UNKNOWN
				     : !ab_tid_ok(ev->tid))
		return false;
	r->last_ns = ev->ts;
	if (ev->kind == AB_EV_PRINT)
		ev->print = (struct ab_bytes){ payload.p + sizeof(*ev),
					       payload.n - sizeof(*ev) };
	return own_body(r, ev);
}

static bool take_info(struct dat_reader *r, struct ab_bytes payload)
{
	struct dat_info info;

	if (payload.n != sizeof(info))
		return false;
	memcpy(&info, payload.p, sizeof(info));
	if (info.cpus > AB_MAX_CPUS || !ts_ok(info.first_ns) ||
	    !ts_ok(info.crop_ns))
		return false;
	r->info = info;
	r->has_info = true;
	return true;
}

/* "Linux host 5.10.66-android12 #1 SMP PREEMPT ... aarch64" */
static void take_uname(struct dat_reader *r, struct ab_bytes payload)
{
	g_autofree char *text = g_strndup((const char *)payload.p, payload.n);
	g_auto(GStrv) part = g_strsplit(text, " ", 4);
	struct ab_trace_facts *facts = &r->trace->facts;
	char *machine;
	int i;

	if (g_strv_length(part) < 4)
		return;
	machine = strrchr(part[3], ' ');
	if (machine)
		*machine = '\0';
	for (i = 2; i < 4; i++) {
		struct ab_bytes word = { (const guint8 *)part[i],
					 strlen(part[i]) };
		guint32 no = ab_trace_intern(r->trace, word);
		const char **fact =
			i == 2 ? &facts->uname_release : &facts->uname_version;

		*fact = no ? ab_trace_text(r->trace, no) : NULL;
	}
}

static bool take_text(struct dat_reader *r, struct ab_bytes payload, bool comm)
{
	guint32 no;

	if (payload.n > DAT_TEXT_SIZE || r->texts->len > DAT_TEXTS_MAX)
		return false;
	no = comm ? ab_trace_comm(r->trace, payload)
		  : ab_trace_intern(r->trace, payload);
	g_array_append_val(r->texts, no);
	return true;
}

static bool take_mark(struct dat_reader *r, struct ab_bytes payload)
{
	gint64 ts;

	if (payload.n < sizeof(ts))
		return false;
	memcpy(&ts, payload.p, sizeof(ts));
	payload.p += sizeof(ts);
	payload.n -= sizeof(ts);
	if (!ts_ok(ts))
		return false;
	ab_window_mark(r->trace, ts, payload);
	return true;
}

static bool take_lost(struct dat_reader *r, struct ab_bytes payload)
{
	struct dat_lost lost;
	struct ab_lost stretch;

	if (payload.n != sizeof(lost))
		return false;
	memcpy(&lost, payload.p, sizeof(lost));
	if (lost.cpu >= AB_MAX_CPUS || !ts_ok(lost.begin_ns) ||
	    !ts_ok(lost.end_ns) || lost.begin_ns > lost.end_ns ||
	    r->trace->lost_events->len >= LOST_MAX)
		return false;
	stretch = (struct ab_lost){ lost.begin_ns, lost.end_ns, (int)lost.cpu,
				    "the kernel's buffer of a CPU overflowed" };
	g_array_append_val(r->trace->lost_events, stretch);
	r->trace->quality.lost_bundles++;
	return true;
}

static bool take_damaged(struct dat_reader *r, struct ab_bytes payload)
{
	guint64 n;

	if (payload.n != sizeof(n))
		return false;
	memcpy(&n, payload.p, sizeof(n));
	r->trace->quality.damaged_events += n;
	return true;
}

/* Its numbers are only shown. */
static bool take_share(struct dat_reader *r, struct ab_bytes payload)
{
	struct dat_share share;

	if (payload.n != sizeof(share))
		return false;
	memcpy(&share, payload.p, sizeof(share));
	ab_reading_at(&r->trace->reading, share.done, share.total);
	return true;
}

/* All but events. */
static bool take(struct dat_reader *r, guint32 kind, struct ab_bytes payload)
{
	switch (kind) {
	case DAT_INFO:
		return take_info(r, payload);
	case DAT_UNAME:
		take_uname(r, payload);
		return true;
	case DAT_TEXT:
	case DAT_COMM:
		return take_text(r, payload, kind == DAT_COMM);
	case DAT_MARK:
		return take_mark(r, payload);
	case DAT_LOST:
		return take_lost(r, payload);
	case DAT_DAMAGED:
		return take_damaged(r, payload);
	case DAT_ALIVE:
		return take_share(r, payload);
	case DAT_DONE:
		r->done = true;
		return true;
	default:
		return false;
	}
}

/* The next record, if it is there as a whole. */
static bool next_record(struct dat_reader *r, guint32 *kind,
			struct ab_bytes *payload)
{
	const guint8 *p = r->buffer->data + r->at;
	struct dat_record record;

	if (r->bad || r->done || r->n - r->at < sizeof(record))
		return false;
	memcpy(&record, p, sizeof(record));
	if (record.size > DAT_PAYLOAD_MAX) {
		r->bad = true;
		return false;
	}
	if (r->n - r->at < sizeof(record) + DAT_PADDED(record.size))
		return false;
	*kind = record.kind;
	*payload = (struct ab_bytes){ p + sizeof(record), record.size };
	r->at += sizeof(record) + DAT_PADDED(record.size);
	return true;
}

guint dat_reader_events(struct dat_reader *r, struct ab_event *events,
			guint max)
{
	struct ab_bytes payload;
	guint32 kind;
	guint n = 0;

	while (n < max && next_record(r, &kind, &payload)) {
		if (kind != DAT_EVENT)
			r->bad = !take(r, kind, payload);
		else if (own_event(r, payload, &events[n]))
			n++;
		else
			r->bad = true;
	}
	return n;
}

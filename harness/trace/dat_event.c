// SPDX-License-Identifier: GPL-3.0-or-later
#include <event-parse.h>
#include <trace-seq.h>

#include "dat.h"

/* Most fields that an event has for us. */
#define FIELDS 6

struct event_type;

typedef bool decode_fn(struct dat_events *events, const struct event_type *type,
		       const struct tep_record *record, struct ab_event *ev);

struct known_event {
	const char *name;
	enum ab_event_kind kind;
	decode_fn *decode;
	guint needed; /* so many of the fields must be there */
	const char *fields[FIELDS];
};

/* An event id of the file. */
struct event_type {
	const struct known_event *known; /* NULL: any other */
	const struct tep_format_field *fields[FIELDS];
	gsize size;	/* a record has at least so many bytes */
	bool is_waking; /* sched_waking itself */
};

/* What is known of a tid's name. */
enum { TID_UNSEEN, TID_SEEN, TID_NAMED };

/* type_len etc. leave two bytes for an event's id. */
#define IDS 65536

struct dat_events {
	struct tep_handle *tep;
	struct dat_writer *writer;
	struct event_type *types[IDS];
	GHashTable *functions; /* address -> struct function */
	struct trace_seq print;
	gint32 last_tid; /* the largest that was seen */
	guint8 tids[AB_MAX_TID];
};

struct function {
	guint64 address; /* the key */
	guint32 start;	 /* text, when it is the first address of one */
	guint32 inside;	 /* text, when it lies in one */
};

static guint64 number(const struct event_type *type,
		      const struct tep_record *record, guint i)
{
	unsigned long long value = 0;

	if (!type->fields[i] ||
	    tep_read_number_field((struct tep_format_field *)type->fields[i],
				  record->data, &value))
		return 0;
	return value;
}

/* A fixed array, or the offset (low) and length (high) of a string behind. */
static void text(struct dat_events *events, const struct event_type *type,
		 const struct tep_record *record, guint i, char *buf,
		 gsize size)
{
	const struct tep_format_field *f = type->fields[i];
	gsize offset, n;
	guint32 where;

	*buf = '\0';
	if (!f)
		return;
	offset = (gsize)f->offset;
	n = (gsize)f->size;
	if (f->flags & TEP_FIELD_IS_DYNAMIC) {
		where = (guint32)tep_read_number(
			events->tep, (const char *)record->data + offset, 4);
		offset = f->flags & TEP_FIELD_IS_RELATIVE ? offset + n : 0;
		offset += where & 0xffff;
		n = where >> 16;
	}
	if (offset > (gsize)record->size)
		return;
	n = MIN(n, (gsize)record->size - offset);
	n = MIN(n, size - 1);
	memcpy(buf, (const char *)record->data + offset, n);
	buf[n] = '\0';
}

static guint32 comm(struct dat_events *events, const struct event_type *type,
		    const struct tep_record *record, guint i, gint32 tid)
{
	char buf[AB_COMM_SIZE];
	guint32 no;

	text(events, type, record, i, buf, sizeof(buf));
	no = dat_writer_comm(events->writer, buf);
	if (no && ab_tid_ok(tid))
		events->tids[tid] = TID_NAMED;
	return no;
}

static guint32 any_text(struct dat_events *events,
			const struct event_type *type,
			const struct tep_record *record, guint i)
{
	char buf[DAT_TEXT_SIZE];

	text(events, type, record, i, buf, sizeof(buf));
	return dat_writer_text(events->writer, buf);
}

/* Zeroed symbols (kptr_restrict) and what lies behind the last are none. */
static const struct function *function(struct dat_events *events,
				       guint64 address)
{
	const unsigned long far = 1UL << 20;
	unsigned long long start = 0;
	struct function *fn = g_hash_table_lookup(events->functions, &address);
	const char *name;

	if (fn)
		return fn;
	fn = g_new0(struct function, 1);
	fn->address = address;
	name = address ? tep_find_function(events->tep, address) : NULL;
	if (name)
		start = tep_find_function_address(events->tep, address);
	if (start && address - start < far) {
		fn->inside = dat_writer_text(events->writer, name);
		fn->start = address == start ? fn->inside : 0;
	}
	g_hash_table_insert(events->functions, &fn->address, fn);
	return fn;
}

static bool decode_switch(struct dat_events *events,
			  const struct event_type *type,
			  const struct tep_record *record, struct ab_event *ev)
{
	enum { PREV_TID, PREV_STATE, NEXT_TID, PREV_COMM, NEXT_COMM, PRIO };

	ev->sw.prev_tid = (gint32)number(type, record, PREV_TID);
	ev->sw.prev_state = (guint32)number(type, record, PREV_STATE);
	ev->sw.next_tid = (gint32)number(type, record, NEXT_TID);
	ev->sw.next_prio = (gint32)number(type, record, PRIO);
	ev->sw.prev_comm =
		comm(events, type, record, PREV_COMM, ev->sw.prev_tid);
	ev->sw.next_comm =
		comm(events, type, record, NEXT_COMM, ev->sw.next_tid);
	return ab_tid_ok(ev->sw.prev_tid) && ab_tid_ok(ev->sw.next_tid);
}

static bool decode_waking(struct dat_events *events,
			  const struct event_type *type,
			  const struct tep_record *record, struct ab_event *ev)
{
	ev->waking.tid = (gint32)number(type, record, 0);
	ev->waking.flags = (guint32)tep_data_flags(events->tep,
						   (struct tep_record *)record);
	ev->waking.comm = comm(events, type, record, 1, ev->waking.tid);
	return ab_tid_ok(ev->waking.tid);
}

static bool decode_blocked(struct dat_events *events,
			   const struct event_type *type,
			   const struct tep_record *record, struct ab_event *ev)
{
	ev->blocked.tid = (gint32)number(type, record, 0);
	ev->blocked.function =
		function(events, number(type, record, 1))->inside;
	ev->blocked.io_wait = number(type, record, 2) != 0;
	return ab_tid_ok(ev->blocked.tid);
}

static bool decode_work(struct dat_events *events,
			const struct event_type *type,
			const struct tep_record *record, struct ab_event *ev)
{
	enum { WORK, FUNCTION, WORKQUEUE };
	guint64 address = number(type, record, FUNCTION);
	char hex[24];

	ev->work.work = number(type, record, WORK);
	/* Old kernels have a pointer there. */
	if (type->fields[WORKQUEUE] &&
	    type->fields[WORKQUEUE]->flags & TEP_FIELD_IS_STRING)
		ev->work.workqueue = any_text(events, type, record, WORKQUEUE);
	if (!type->fields[FUNCTION])
		return true;
	ev->work.function = function(events, address)->start;
	if (ev->work.function)
		return true;
	g_snprintf(hex, sizeof(hex), "%#" G_GINT64_MODIFIER "x", address);
	ev->work.function = dat_writer_text(events->writer, hex);
	ev->flags |= AB_EVENT_UNRESOLVED;
	return true;
}

static bool decode_task(struct dat_events *events,
			const struct event_type *type,
			const struct tep_record *record, struct ab_event *ev)
{
	ev->task.tid = (gint32)number(type, record, 0);
	ev->task.comm = comm(events, type, record, 1, ev->task.tid);
	ev->task.clone_flags = number(type, record, 2);
	if (!ab_tid_ok(ev->task.tid))
		return false;
	if (ev->kind == AB_EV_TASK_FREE)
		events->tids[ev->task.tid] = TID_UNSEEN;
	return true;
}

static bool decode_counter(struct dat_events *events G_GNUC_UNUSED,
			   const struct event_type *type,
			   const struct tep_record *record, struct ab_event *ev)
{
	ev->counter.value = (guint32)number(type, record, 0);
	ev->counter.cpu = (guint32)number(type, record, 1);
	return ev->counter.cpu < AB_MAX_CPUS;
}

static bool decode_rpm(struct dat_events *events, const struct event_type *type,
		       const struct tep_record *record, struct ab_event *ev)
{
	ev->rpm.device = any_text(events, type, record, 0);
	ev->rpm.status = (gint32)number(type, record, 1);
	return true;
}

static const struct known_event known_events[] = {
	{ "sched_switch",
	  AB_EV_SWITCH,
	  decode_switch,
	  3,
	  { "prev_pid", "prev_state", "next_pid", "prev_comm", "next_comm",
	    "next_prio" } },
	{ "sched_waking", AB_EV_WAKING, decode_waking, 1, { "pid", "comm" } },
	{ "sched_wakeup", AB_EV_WAKING, decode_waking, 1, { "pid", "comm" } },
	{ "sched_wakeup_new",
	  AB_EV_WAKING,
	  decode_waking,
	  1,
	  { "pid", "comm" } },
	{ "sched_blocked_reason",
	  AB_EV_BLOCKED,
	  decode_blocked,
	  2,
	  { "pid", "caller", "io_wait" } },
	{ "workqueue_queue_work",
	  AB_EV_WORK_QUEUE,
	  decode_work,
	  1,
	  { "work", "function", "workqueue" } },
	{ "workqueue_activate_work",
	  AB_EV_WORK_ACTIVATE,
	  decode_work,
	  1,
	  { "work", "function" } },
	{ "workqueue_execute_start",
	  AB_EV_WORK_START,
	  decode_work,
	  2,
	  { "work", "function" } },
	{ "workqueue_execute_end",
	  AB_EV_WORK_END,
	  decode_work,
	  1,
	  { "work", "function" } },
	{ "task_newtask",
	  AB_EV_TASK_NEW,
	  decode_task,
	  1,
	  { "pid", "comm", "clone_flags" } },
	{ "task_rename",
	  AB_EV_TASK_RENAME,
	  decode_task,
	  2,
	  { "pid", "newcomm" } },
	{ "sched_process_free",
	  AB_EV_TASK_FREE,
	  decode_task,
	  1,
	  { "pid", "comm" } },
	{ "cpu_frequency",
	  AB_EV_CPU_FREQUENCY,
	  decode_counter,
	  2,
	  { "state", "cpu_id" } },
	{ "cpu_idle",
	  AB_EV_CPU_IDLE,
	  decode_counter,
	  2,
	  { "state", "cpu_id" } },
	{ "sched_overutilized",
	  AB_EV_OVERUTILIZED,
	  decode_counter,
	  1,
	  { "overutilized" } },
	{ "rpm_status", AB_EV_RPM_STATUS, decode_rpm, 2, { "name", "status" } },
	{ "print", AB_EV_PRINT, NULL, 1, { "buf" } },
	{ "bprint", AB_EV_PRINT, NULL, 0, { NULL } },
	{ "bputs", AB_EV_PRINT, NULL, 0, { NULL } },
};

static const struct known_event *find_known(const char *name)
{
	guint i;

	for (i = 0; i < G_N_ELEMENTS(known_events); i++)
		if (!strcmp(known_events[i].name, name))
			return &known_events[i];
	return NULL;
}

/* Every record has an id, flags and a pid. */
#define COMMON_SIZE 8

static void find_fields(struct event_type *type, struct tep_event *event)
{
	const struct known_event *known = type->known;
	guint i;

	for (i = 0; i < FIELDS && known->fields[i]; i++) {
		const struct tep_format_field *f =
			tep_find_field(event, known->fields[i]);

		if (f && f->offset >= 0 && f->size >= 0) {
			type->fields[i] = f;
			type->size = MAX(type->size,
					 (gsize)f->offset + (gsize)f->size);
		} else if (i < known->needed) {
			type->known = NULL;
			return;
		}
	}
}

static struct event_type *type_new(struct tep_handle *tep, int id)
{
	struct event_type *type = g_new0(struct event_type, 1);
	struct tep_event *event = tep_find_event(tep, id);

	type->size = COMMON_SIZE;
	type->known = event && event->name ? find_known(event->name) : NULL;
	if (!type->known)
		return type;
	type->is_waking = !strcmp(event->name, "sched_waking");
	find_fields(type, event);
	return type;
}

/* NULL: the record is too short for what it says it is. */
static const struct event_type *type_of(struct dat_events *events,
					struct tep_record *record)
{
	int id;

	if (record->size < COMMON_SIZE)
		return NULL;
	id = tep_data_type(events->tep, record);
	if (id < 0 || id >= IDS)
		return NULL;
	if (!events->types[id])
		events->types[id] = type_new(events->tep, id);
	return (gsize)record->size < events->types[id]->size
		       ? NULL
		       : events->types[id];
}

enum ab_event_kind dat_event_kind(struct dat_events *events,
				  struct tep_record *record,
				  bool *is_waking_out)
{
	const struct event_type *type = type_of(events, record);

	*is_waking_out = type && type->is_waking;
	return type && type->known ? type->known->kind : AB_EV_OTHER;
}

/* "function: text", as libtraceevent prints a kernel's own trace_printk(). */
static struct ab_bytes printed(struct dat_events *events,
			       struct tep_record *record)
{
	const char *p;

	trace_seq_reset(&events->print);
	tep_print_event(events->tep, &events->print, record, "%s",
			TEP_PRINT_INFO);
	trace_seq_terminate(&events->print);
	p = strstr(events->print.buffer, ": ");
	p = p ? p + 2 : events->print.buffer;
	return (struct ab_bytes){ (const guint8 *)p, strlen(p) };
}

static struct ab_bytes print_text(struct dat_events *events,
				  const struct event_type *type,
				  struct tep_record *record)
{
	const struct tep_format_field *f = type->fields[0];
	const char *p;
	gsize n;

	if (!f)
		return printed(events, record);
	p = (const char *)record->data + f->offset;
	n = (gsize)record->size - (gsize)f->offset;
	return (struct ab_bytes){ (const guint8 *)p, strnlen(p, n) };
}

bool dat_event_decode(struct dat_events *events, struct tep_record *record,
		      struct ab_event *ev, struct ab_bytes *text_out)
{
	const struct event_type *type = type_of(events, record);

	*text_out = (struct ab_bytes){ NULL, 0 };
	if (!type)
		return false;
	ev->tid = tep_data_pid(events->tep, record);
	if (!ab_tid_ok(ev->tid))
		return false;
	events->tids[ev->tid] = MAX(events->tids[ev->tid], TID_SEEN);
	events->last_tid = MAX(events->last_tid, ev->tid);
	if (!type->known)
		return true;
	ev->kind = (guint8)type->known->kind;
	if (type->known->decode)
		return type->known->decode(events, type, record, ev);
	*text_out = print_text(events, type, record);
	text_out->n = MIN(text_out->n, DAT_PRINT_SIZE);
	return true;
}

void dat_events_names(struct dat_events *events, gint64 ts)
{
	const struct ab_bytes none = { NULL, 0 };
	gint32 tid;

	/* Not the idle task's: all CPUs share its tid. */
	for (tid = 1; tid <= events->last_tid; tid++) {
		struct ab_event ev = { .ts = ts, .kind = AB_EV_THREAD };
		const char *name;

		if (events->tids[tid] != TID_SEEN)
			continue;
		name = tep_data_comm_from_pid(events->tep, tid);
		if (!name || !*name || *name == '<')
			continue;
		ev.tid = AB_TID_UNKNOWN;
		ev.proc.tid = tid;
		ev.proc.tgid = -1;
		ev.proc.name = dat_writer_comm(events->writer, name);
		dat_write(events->writer, DAT_EVENT, &ev, sizeof(ev), none);
	}
}

struct dat_events *dat_events_new(struct tep_handle *tep,
				  struct dat_writer *writer)
{
	struct dat_events *events = g_new0(struct dat_events, 1);

	events->tep = tep;
	events->writer = writer;
	events->functions =
		g_hash_table_new_full(ab_key_hash, g_int64_equal, NULL, g_free);
	trace_seq_init(&events->print);
	return events;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

static const char *fact(struct ab_source *src, struct ab_bytes bytes)
{
	return ab_trace_text(src->trace, ab_trace_intern(src->trace, bytes));
}

static void read_utsname(struct ab_source *src, struct ab_bytes message)
{
	struct ab_trace_facts *facts = &src->trace->facts;
	struct ab_reader r = ab_reader(message);
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			facts->uname_version = fact(src, f.bytes);
		else if (AB_FIELD_TAG(&f) == AB_TAG(3, AB_LEN))
			facts->uname_release = fact(src, f.bytes);
	}
}

void pf_system_info(struct ab_source *src, struct ab_bytes message)
{
	struct ab_trace_facts *facts = &src->trace->facts;
	struct ab_reader r = ab_reader(message);
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN))
			read_utsname(src, f.bytes);
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			facts->fingerprint = fact(src, f.bytes);
		else if (AB_FIELD_TAG(&f) == AB_TAG(8, AB_VARINT) &&
			 f.v <= AB_MAX_CPUS)
			facts->cpus = (int)f.v;
	}
}

/* "kworker/0:1-events": the part from the sign on is the work of the moment. */
static struct ab_bytes kthread_name(struct ab_bytes name)
{
	gsize i;

	for (i = 0; i < name.n; i++)
		if (name.p[i] == '-' || name.p[i] == '+')
			return (struct ab_bytes){ name.p, i };
	return name;
}

static bool is_kworker(struct ab_bytes name)
{
	return name.n > 8 && !memcmp(name.p, "kworker/", 8);
}

/* An app that rewrote its command line leaves one text with spaces in it. */
static struct ab_bytes first_word(struct ab_bytes name)
{
	const guint8 *space = name.n ? memchr(name.p, ' ', name.n) : NULL;

	if (space)
		name.n = (gsize)(space - name.p);
	return name;
}

static void add_proc(struct ab_source *src, gint64 ts, guint8 kind, guint64 tid,
		     guint64 tgid, struct ab_bytes name, bool kernel)
{
	struct pf_proc proc = {
		.ts = ts,
		.kind = kind,
		.kernel = kernel,
		.tid = (gint32)tid,
		.tgid = (gint32)tgid,
	};

	if (tid >= AB_MAX_TID || tgid >= AB_MAX_TID) {
		src->trace->quality.damaged_events++;
		return;
	}
	if (is_kworker(name))
		name = kthread_name(name);
	proc.name = kind == AB_EV_THREAD ? ab_trace_comm(src->trace, name)
					 : ab_trace_intern(src->trace, name);
	g_array_append_val(src->procs, proc);
}

static void read_process(struct ab_source *src, struct ab_bytes message,
			 gint64 ts)
{
	struct ab_reader r = ab_reader(message);
	struct ab_bytes name = { (const guint8 *)"", 0 };
	guint64 pid = 0;
	bool kernel = false;
	guint words = 0;
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(3, AB_LEN) && !words++)
			name = f.bytes;
		else if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_VARINT))
			pid = f.v;
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_VARINT))
			kernel = kernel || f.v == AB_TID_KTHREADD;
		else if (AB_FIELD_TAG(&f) == AB_TAG(8, AB_VARINT))
			kernel = kernel || f.v;
	}
	kernel = kernel || pid == AB_TID_KTHREADD;
	if (words == 1)
		name = first_word(name);
	add_proc(src, ts, AB_EV_PROCESS, pid, pid, name, kernel);
	/* A kernel thread has no command: its comm stands there. */
	if (kernel)
		add_proc(src, ts, AB_EV_THREAD, pid, pid, name, true);
}

static void read_thread(struct ab_source *src, struct ab_bytes message,
			gint64 ts)
{
	struct ab_reader r = ab_reader(message);
	struct ab_bytes name = { (const guint8 *)"", 0 };
	guint64 tid = 0, tgid = 0;
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_VARINT))
			tid = f.v;
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			name = f.bytes;
		else if (AB_FIELD_TAG(&f) == AB_TAG(3, AB_VARINT))
			tgid = f.v;
	}
	add_proc(src, ts, AB_EV_THREAD, tid, tgid, name, false);
}

void pf_process_tree(struct ab_source *src, struct ab_bytes message, gint64 ts)
{
	struct ab_reader r = ab_reader(message);
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN))
			read_process(src, f.bytes, ts);
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			read_thread(src, f.bytes, ts);
	}
	if (r.bad)
		src->trace->quality.damaged_packets++;
}

/* FtraceCpuStats: overrun = 3, commit_overrun = 4, dropped_events = 8. */
static guint64 read_cpu_loss(struct ab_bytes message)
{
	struct ab_reader r = ab_reader(message);
	struct ab_field f;
	guint64 lost = 0;

	while (ab_next_field(&r, &f))
		if (f.wire == AB_VARINT &&
		    (f.no == 3 || f.no == 4 || f.no == 8))
			lost += f.v;
	return lost;
}

static void add_unknown(struct ab_source *src, struct ab_bytes name)
{
	GPtrArray *list = src->trace->quality.unknown_events;
	const char *text = fact(src, name);

	if (!g_ptr_array_find_with_equal_func(list, text, g_str_equal, NULL))
		g_ptr_array_add(list, g_strdup(text));
}

static void read_len_stat(struct ab_source *src, struct pf_ftrace_stats *stats,
			  const struct ab_field *f)
{
	/* A few hundred names exist; more are not worth showing. */
	const guint ceiling = 1024;

	if (f->no == 2)
		stats->lost += read_cpu_loss(f->bytes);
	else if ((f->no == 6 || f->no == 7) &&
		 src->trace->quality.unknown_events->len < ceiling)
		add_unknown(src, f->bytes);
}

void pf_ftrace_stats(struct ab_source *src, struct ab_bytes message)
{
	enum { START_OF_TRACE = 1, END_OF_TRACE = 2 };
	struct pf_ftrace_stats stats = { .seen = true };
	struct ab_reader r = ab_reader(message);
	guint64 phase = 0;
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (f.wire == AB_LEN)
			read_len_stat(src, &stats, &f);
		else if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_VARINT))
			phase = f.v;
		else if (AB_FIELD_TAG(&f) == AB_TAG(8, AB_VARINT))
			src->keep_old = f.v != 0;
	}
	if (phase == START_OF_TRACE && !src->ftrace_begin.seen)
		src->ftrace_begin = stats;
	else if (phase == END_OF_TRACE)
		src->ftrace_end = stats; /* written at every flush */
}

/* BufferStats: what tells of loss in one of the service's buffers. */
static void read_buffer(struct ab_source *src, struct ab_bytes message)
{
	enum {
		OVERWRITTEN = 3,
		PATCHES_FAILED = 6,
		VIOLATIONS = 9,
		DISCARDED = 18,
		WRITER_LOSS = 19
	};
	struct ab_reader r = ab_reader(message);
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (f.wire != AB_VARINT || !f.v)
			continue;
		if (f.no == OVERWRITTEN || f.no == PATCHES_FAILED ||
		    f.no == VIOLATIONS || f.no == DISCARDED ||
		    f.no == WRITER_LOSS)
			src->trace->quality.buffer_loss += f.v;
		if (f.no == DISCARDED || f.no == VIOLATIONS)
			src->trace->end_missing = true;
		if (f.no == WRITER_LOSS)
			src->writer_loss += f.v;
	}
}

void pf_trace_stats(struct ab_source *src, struct ab_bytes message)
{
	enum { FINAL_FLUSH_FAILED = 2 };
	struct ab_reader r = ab_reader(message);
	struct ab_field f;

	/* Counters since the start of the session: the last packet counts. */
	src->trace->quality.buffer_loss = 0;
	src->writer_loss = 0;
	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_LEN))
			read_buffer(src, f.bytes);
		else if (AB_FIELD_TAG(&f) == AB_TAG(15, AB_VARINT) &&
			 f.v == FINAL_FLUSH_FAILED)
			src->trace->end_missing = true;
	}
}

void pf_service_event(struct ab_source *src, struct ab_bytes message, gint64 ts)
{
	struct ab_reader r = ab_reader(message);
	struct ab_field f;

	while (ab_next_field(&r, &f))
		if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_VARINT) && f.v)
			src->started_ns = ts;
}

void pf_stats_finish(struct ab_source *src)
{
	struct ab_trace *trace = src->trace;
	guint64 begin = src->ftrace_begin.lost, end = src->ftrace_end.lost;
	int i;

	if (src->ftrace_end.seen && end > begin)
		trace->quality.overrun = end - begin;
	/* A writer that lost packets says so when it writes again. */
	if (src->writer_loss && !trace->quality.packet_loss)
		trace->end_missing = true;
	for (i = AB_MAX_CPUS - 1; i >= 0 && !trace->facts.cpus; i--)
		if (src->cpus[i])
			trace->facts.cpus = i + 1;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

#define MAX_COLUMNS 16

/* What is known of the task with a tid. */
struct tx_process {
	gint32 tgid;  /* + 1; 0: unknown */
	guint32 name; /* hash of the task's name, when it leads the process */
};

void tx_processes_init(struct tx_processes *p, struct ab_trace *trace)
{
	*p = (struct tx_processes){
		.trace = trace,
		.lists = g_array_new(FALSE, FALSE, sizeof(struct ab_bytes)),
	};
}

void tx_processes_clear(struct tx_processes *p)
{
	guint i;

	g_array_unref(p->lists);
	for (i = 0; i < G_N_ELEMENTS(p->pages); i++)
		g_free(p->pages[i]);
}

void tx_processes_add(struct tx_processes *p, struct ab_bytes list)
{
	if (p->lists->len < TX_MAX_SECTIONS)
		g_array_append_val(p->lists, list);
	else
		p->trace->quality.bytes_ignored += list.n;
}

static struct tx_process *known(struct tx_processes *p, gint32 tid)
{
	struct tx_process **page = &p->pages[tid / TX_PAGE];

	if (!*page)
		*page = g_new0(struct tx_process, TX_PAGE);
	return &(*page)[tid % TX_PAGE];
}

static struct ab_event proc_event(enum ab_event_kind kind, gint64 ts,
				  gint32 tid, gint32 tgid, guint32 name)
{
	return (struct ab_event){
		.ts = ts,
		.kind = (guint8)kind,
		.tid = AB_TID_UNKNOWN,
		.proc = { .tid = tid, .tgid = tgid, .name = name },
	};
}

/* The columns of a table, by its titles; false when it has no tasks. */
static bool read_titles(struct tx_columns *c, struct ab_bytes in)
{
	struct ab_bytes word, before = { NULL, 0 };
	int i;

	*c = (struct tx_columns){ -1, -1, -1, -1, false };
	for (i = 0; i < MAX_COLUMNS; i++) {
		tx_skip_blanks(&in);
		word = tx_word(&in);
		if (!word.n)
			break;
		if (tx_equal(word, "PID"))
			c->pid = i;
		else if (tx_equal(word, "PPID"))
			c->ppid = i;
		else if (tx_equal(word, "TID"))
			c->tid = i;
		else if (c->name < 0 &&
			 (tx_equal(word, "NAME") || tx_equal(word, "CMD"))) {
			c->name = i;
			c->unnamed_state = tx_equal(before, "PC");
		}
		before = word;
	}
	return c->pid >= 0 && c->name >= 0;
}

struct row {
	gint32 pid, ppid, tid; /* -1: not told */
	struct ab_bytes name;
};

static gint32 number_of(struct ab_bytes word)
{
	gint32 tid;

	return tx_tid(&word, &tid) && !word.n ? tid : -1;
}

static bool read_row(const struct tx_columns *c, struct ab_bytes in,
		     struct row *row)
{
	int name = c->name + (c->unnamed_state ? 1 : 0), i;

	*row = (struct row){ -1, -1, -1, { NULL, 0 } };
	for (i = 0; i < name; i++) {
		struct ab_bytes word;

		tx_skip_blanks(&in);
		word = tx_word(&in);
		if (i == c->pid)
			row->pid = number_of(word);
		else if (i == c->ppid)
			row->ppid = number_of(word);
		else if (i == c->tid)
			row->tid = number_of(word);
	}
	tx_skip_blanks(&in);
	row->name = tx_trim_end(in);
	return row->pid > 0 && (c->tid < 0 || row->tid > 0);
}

/* ps shows kernel threads in brackets; what follows a worker's sign is the
 * work of the moment. */
static struct ab_bytes thread_name(struct ab_bytes name)
{
	struct ab_bytes rest;
	gsize i;

	if (name.n > 2 && *name.p == '[' && name.p[name.n - 1] == ']')
		name = (struct ab_bytes){ name.p + 1, name.n - 2 };
	rest = name;
	if (!tx_skip(&rest, "kworker/"))
		return name;
	for (i = 0; i < name.n; i++)
		if (name.p[i] == '-' || name.p[i] == '+')
			name.n = i;
	return name;
}

/* No task's name has this hash, as far as it matters: ps is better. */
#define NAMED G_MAXUINT32

static void add(struct tx_processes *p, struct tx_proc_events *out,
		enum ab_event_kind kind, const struct row *row, guint32 name)
{
	gint32 tid = kind == AB_EV_THREAD ? row->tid : row->pid;
	struct ab_event *ev = &out->events[out->n++];

	*ev = proc_event(kind, p->begin_ns, tid, row->pid, name);
	ev->proc.kernel =
		row->pid == AB_TID_KTHREADD || row->ppid == AB_TID_KTHREADD;
}

static void add_thread(struct tx_processes *p, struct tx_proc_events *out,
		       const struct row *row)
{
	struct ab_bytes name = thread_name(row->name);

	known(p, row->tid)->tgid = row->pid + 1;
	add(p, out, AB_EV_THREAD, row, ab_trace_comm(p->trace, name));
}

static void add_process(struct tx_processes *p, struct tx_proc_events *out,
			struct row *row)
{
	struct ab_bytes rest = row->name;

	/* The name may be followed by the comm. */
	row->name = thread_name(tx_word(&rest));
	row->tid = row->pid;
	*known(p, row->pid) = (struct tx_process){ row->pid + 1, NAMED };
	add(p, out, AB_EV_PROCESS, row, ab_trace_intern(p->trace, row->name));
	/* A kernel thread has no command: its comm stands there. */
	if (row->pid == AB_TID_KTHREADD || row->ppid == AB_TID_KTHREADD)
		add_thread(p, out, row);
}

/*
 * A table of processes, or one of threads: with a column for them, or the
 * second one of an old ps, which puts the process in the parent's place.
 */
static void add_row(struct tx_processes *p, struct tx_proc_events *out,
		    struct row *row)
{
	if (row->tid > 0) {
		add_thread(p, out, row);
	} else if (p->table % 2) {
		add_process(p, out, row);
	} else if (!known(p, row->pid)->tgid && row->ppid > 0) {
		row->tid = row->pid;
		row->pid = row->ppid;
		add_thread(p, out, row);
	}
}

static void read_line(struct tx_processes *p, struct tx_proc_events *out,
		      struct ab_bytes text)
{
	struct ab_bytes begin = text;
	struct row row;

	if (tx_equal(text, "PROCESS DUMP"))
		p->table = 0;
	else if (tx_skip(&begin, "USER ") && read_titles(&p->columns, text))
		p->table++;
	else if (p->table && read_row(&p->columns, text, &row))
		add_row(p, out, &row);
}

bool tx_processes_next(struct tx_processes *p, struct tx_proc_events *out)
{
	struct ab_bytes text;
	bool ended;

	out->n = 0;
	while (!out->n) {
		if (tx_next_line(&p->rest, &text, &ended)) {
			read_line(p, out, text);
			continue;
		}
		if (p->list == p->lists->len)
			return false;
		p->rest = g_array_index(p->lists, struct ab_bytes, p->list++);
		p->table = 0;
	}
	return true;
}

static guint32 hash_of(struct ab_bytes name)
{
	guint32 hash = 2166136261u;
	gsize i;

	for (i = 0; i < name.n; i++)
		hash = (hash ^ name.p[i]) * 16777619u;
	return hash;
}

/*
 * systrace puts a process's command in the place of its first thread's name;
 * else the kernel's comm stands there, which is cut when it is this long.
 */
static bool is_whole(struct ab_bytes task)
{
	return task.n != TX_COMM_MAX && !tx_equal(task, "<...>");
}

/* The name of a process that ps does not list: its first thread's. */
static bool learn_process(struct tx_processes *p, const struct tx_line *line,
			  struct tx_process *k, struct ab_event *ev)
{
	bool whole = is_whole(line->task);
	guint32 name = whole ? hash_of(line->task) : 0, text = 0;

	if (k->tgid == line->tgid + 1 &&
	    (!whole || k->name == name || k->name == NAMED))
		return false;
	*k = (struct tx_process){ line->tgid + 1, name };
	if (whole)
		text = ab_trace_intern(p->trace, line->task);
	*ev = proc_event(AB_EV_PROCESS, line->ts, line->tid, line->tgid, text);
	return true;
}

bool tx_processes_learn(struct tx_processes *p, const struct tx_line *line,
			struct ab_event *ev)
{
	struct tx_process *k;

	if (line->tgid <= 0 || !line->tid)
		return false;
	k = known(p, line->tid);
	if (line->tgid == line->tid)
		return learn_process(p, line, k, ev);
	if (k->tgid == line->tgid + 1)
		return false;
	k->tgid = line->tgid + 1;
	*ev = proc_event(AB_EV_THREAD, line->ts, line->tid, line->tgid, 0);
	return true;
}

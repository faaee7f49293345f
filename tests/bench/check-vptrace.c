// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Is what was planted in the trace?  A decoder written from the format's
 * description, apart from the code that writes the trace: it replays the
 * scheduler and compares waits, D-states and frames with the planted ones.
 *
 * usage: check-vptrace TRACE PLANTED [lost]	(see bench-vptrace)
 */
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CPUS 16

struct pb {
	const guint8 *at, *end;
	guint32 field;
	guint64 number; /* of a varint field */
};

enum kind { SWITCH, WAKING, BLOCKED, START, END, OTHER };

struct event {
	gint64 ts;
	int cpu, kind, order;
	int pid;	/* who ran when it fired; -1: not recorded */
	int tid, state; /* next and prev_state, wakee, blocked thread */
	guint64 symbol;
	GHashTable *symbols; /* of its generation */
};

struct thread {
	int cpu;   /* -1: does not run */
	int state; /* as it was switched out: 0 R, 1 S, 2 D, ...; -1: unknown */
	bool runnable;
	gint64 since, wait;
	gint64 blocked, woken; /* of the last D-state */
	int waker;
	char *function;
};

struct item {
	gint64 start, wait, run, d_state;
	int tid, waiter;
};

static struct {
	GArray *events;
	GPtrArray *generations;
	GHashTable *frames; /* cookie -> its jank type + 1 */
	GHashTable *energy; /* rail -> last value */
	int packets, truncated, unpaired, shown, app_missed, sf_missed;
	int lost_bundles, energy_back, rails, samples;
	guint64 overrun;
} trace;

static int tests, failures;

static void check(bool ok, const char *what, gint64 got, gint64 expected)
{
	tests++;
	failures += !ok;
	printf("%sok %d - %s", ok ? "" : "not ", tests, what);
	if (!ok)
		printf(" (%" G_GINT64_FORMAT ", expected %" G_GINT64_FORMAT ")",
		       got, expected);
	putchar('\n');
}

static void check_equal(const char *what, gint64 got, gint64 expected)
{
	check(got == expected, what, got, expected);
}

static bool varint(struct pb *pb, guint64 *out)
{
	*out = 0;
	for (int shift = 0; pb->at < pb->end && shift < 64; shift += 7) {
		guint8 byte = *pb->at++;
		*out |= (guint64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* The next field; @sub is its contents when it has a length. */
static bool pb_next(struct pb *pb, struct pb *sub)
{
	guint64 tag, len;

	*sub = (struct pb){ 0 };
	if (pb->at >= pb->end || !varint(pb, &tag))
		return false;
	pb->field = (guint32)(tag >> 3);
	switch (tag & 7) {
	case 0:
		return varint(pb, &pb->number);
	case 2:
		if (!varint(pb, &len))
			return false;
		break;
	default:
		len = (tag & 7) == 1 ? 8 : 4;
	}
	if (len > (guint64)(pb->end - pb->at)) {
		trace.truncated++;
		return false;
	}
	sub->at = pb->at;
	sub->end = pb->at + len;
	pb->at += len;
	return true;
}

/* Field @want of a message of numbers. */
static guint64 number(struct pb pb, guint32 want)
{
	struct pb sub;
	guint64 value = 0;

	while (pb_next(&pb, &sub))
		if (pb.field == want)
			value = pb.number;
	return value;
}

static void add(struct event event)
{
	event.order = (int)trace.events->len;
	g_array_append_val(trace.events, event);
}

static GHashTable *generation(void)
{
	return g_ptr_array_index(trace.generations, trace.generations->len - 1);
}

static void ftrace_event(struct pb pb, int cpu)
{
	struct event event = { .cpu = cpu, .kind = OTHER };
	struct pb sub;

	event.symbols = generation();
	while (pb_next(&pb, &sub)) {
		if (pb.field == 1)
			event.ts = (gint64)pb.number;
		else if (pb.field == 2)
			event.pid = (int)pb.number;
		if (!sub.at)
			continue;
		event.tid = (int)number(sub, 2);
		event.symbol = number(sub, 2);
		if (pb.field == 4) {
			event.kind = SWITCH;
			event.tid = (int)number(sub, 6);
			event.state = (int)number(sub, 4);
		} else if (pb.field == 20) {
			event.kind = WAKING;
		} else if (pb.field == 18) {
			event.kind = BLOCKED;
			event.tid = (int)number(sub, 1);
		} else if (pb.field == 58 || pb.field == 57) {
			event.kind = pb.field == 58 ? START : END;
		}
	}
	add(event);
}

static void compact(struct pb pb, int cpu)
{
	struct pb column[13] = { 0 };
	struct pb sub;
	guint64 ts, a, b;
	struct event event = { .cpu = cpu, .pid = -1, .kind = SWITCH };

	while (pb_next(&pb, &sub))
		if (pb.field < G_N_ELEMENTS(column) && pb.field != 5)
			column[pb.field] = sub;
	while (varint(&column[1], &ts) && varint(&column[2], &a) &&
	       varint(&column[3], &b)) {
		event.ts += (gint64)ts;
		event.state = (int)a;
		event.tid = (int)b;
		add(event);
	}
	event = (struct event){ .cpu = cpu, .pid = -1, .kind = WAKING };
	while (varint(&column[7], &ts) && varint(&column[8], &a)) {
		event.ts += (gint64)ts;
		event.tid = (int)a;
		add(event);
	}
}

static void bundle(struct pb pb)
{
	int cpu = (int)number(pb, 1);
	struct pb sub;

	while (pb_next(&pb, &sub)) {
		if (pb.field == 2)
			ftrace_event(sub, cpu);
		else if (pb.field == 4)
			compact(sub, cpu);
		else if (pb.field == 3)
			trace.lost_bundles++;
	}
}

static void symbols(struct pb pb)
{
	struct pb sub, field;

	while (pb_next(&pb, &sub)) {
		guint64 iid = number(sub, 1);
		while (pb.field == 26 && pb_next(&sub, &field))
			if (sub.field == 2)
				g_hash_table_insert(
					generation(), GUINT_TO_POINTER(iid),
					g_strndup(
						(const char *)field.at,
						(gsize)(field.end - field.at)));
	}
}

static void frame(struct pb pb)
{
	static const guint64 app = 64 | 4096, sf = 2 | 4 | 8 | 16 | 32;
	struct pb sub;

	if (!pb_next(&pb, &sub))
		return;
	gpointer cookie = GUINT_TO_POINTER(number(sub, 1));
	if (pb.field == 5) {
		trace.unpaired += !g_hash_table_remove(trace.frames, cookie);
		return;
	}
	g_hash_table_add(trace.frames, cookie);
	if (pb.field != 4)
		return;
	guint64 jank = number(sub, 9);
	trace.shown++;
	trace.app_missed += (jank & app) != 0;
	trace.sf_missed += (jank & sf) != 0;
}

static void rails(struct pb pb)
{
	struct pb sub;

	while (pb_next(&pb, &sub)) {
		gpointer rail = GUINT_TO_POINTER(number(sub, 1));
		gsize uws = number(sub, 3);
		trace.rails += pb.field == 1;
		if (pb.field != 2)
			continue;
		gsize last = GPOINTER_TO_SIZE(
			g_hash_table_lookup(trace.energy, rail));
		trace.samples++;
		trace.energy_back += uws < last;
		g_hash_table_insert(trace.energy, rail, GSIZE_TO_POINTER(uws));
	}
}

static void ftrace_stats(struct pb pb)
{
	struct pb sub;

	while (pb_next(&pb, &sub))
		if (pb.field == 2)
			trace.overrun += number(sub, 3);
}

static void packet(struct pb pb)
{
	struct pb again = pb, sub;

	/* The flag and the symbols follow the bundle that needs them. */
	if (number(pb, 13) & 1)
		g_ptr_array_add(trace.generations,
				g_hash_table_new_full(NULL, NULL, NULL,
						      g_free));
	while (pb_next(&pb, &sub))
		if (pb.field == 12)
			symbols(sub);
	while (pb_next(&again, &sub)) {
		if (again.field == 1)
			bundle(sub);
		else if (again.field == 76)
			frame(sub);
		else if (again.field == 40)
			rails(sub);
		else if (again.field == 34)
			ftrace_stats(sub);
	}
}

static int compare_events(const void *x, const void *y)
{
	const struct event *a = x, *b = y;

	if (a->ts != b->ts)
		return a->ts > b->ts ? 1 : -1;
	/* A switch is written apart from what fires at its very instant. */
	if ((a->kind == SWITCH) != (b->kind == SWITCH))
		return a->kind == SWITCH ? -1 : 1;
	return a->order - b->order;
}

/* ---- replay ---- */

static struct {
	GHashTable *threads;
	int current[MAX_CPUS];
	int two_cpus, not_woken, wrong_pid, waits, runs, d_states;
	int items, unplanned;
	GHashTable *planted; /* start -> struct item */
	GHashTable *waiters; /* tid -> struct item that it waits for */
} replay;

static struct thread *thread_of(int tid)
{
	struct thread *t =
		g_hash_table_lookup(replay.threads, GINT_TO_POINTER(tid));

	if (!t) {
		t = g_new0(struct thread, 1);
		t->cpu = t->state = -1;
		g_hash_table_insert(replay.threads, GINT_TO_POINTER(tid), t);
	}
	return t;
}

static void switch_out(const struct event *e)
{
	int tid = replay.current[e->cpu];
	struct thread *t = thread_of(tid);

	if (!tid)
		return;
	t->cpu = -1;
	t->state = e->state & 0xff;
	t->runnable = t->state == 0;
	t->since = e->ts;
	t->blocked = t->state == 2 ? e->ts : 0;
	g_clear_pointer(&t->function, g_free);
}

/* The D-state that ends: as long as planted, in rpm_resume, by the worker. */
static void check_d_state(int tid, struct thread *t)
{
	struct item *item =
		g_hash_table_lookup(replay.waiters, GINT_TO_POINTER(tid));

	if (!item || !t->blocked)
		return;
	g_hash_table_remove(replay.waiters, GINT_TO_POINTER(tid));
	replay.d_states += t->woken - t->blocked == item->d_state &&
			   t->waker == item->tid &&
			   g_strcmp0(t->function, "rpm_resume") == 0;
}

static void switch_in(const struct event *e)
{
	struct thread *t = thread_of(e->tid);

	replay.current[e->cpu] = e->tid;
	if (!e->tid)
		return;
	replay.two_cpus += t->cpu >= 0;
	replay.not_woken += t->state >= 0 && !t->runnable;
	t->wait = t->runnable ? e->ts - t->since : -1;
	check_d_state(e->tid, t);
	t->cpu = e->cpu;
	t->runnable = false;
	t->since = e->ts;
	t->blocked = 0;
}

static void waking(const struct event *e)
{
	struct thread *t = thread_of(e->tid);

	if (t->cpu >= 0 || t->runnable)
		return;
	t->runnable = true;
	t->since = t->woken = e->ts;
	t->waker = replay.current[e->cpu];
}

static const char *symbol(const struct event *e)
{
	return g_hash_table_lookup(e->symbols, GUINT_TO_POINTER(e->symbol));
}

static void work(const struct event *e)
{
	struct thread *t = thread_of(e->pid);
	struct item *item = g_hash_table_lookup(replay.planted, &t->since);

	if (g_strcmp0(symbol(e), "pm_runtime_work") != 0)
		return;
	if (e->kind == END) {
		replay.runs += item && e->ts < item->start + item->run;
		return;
	}
	replay.items++;
	replay.unplanned += !item;
	if (!item || item->tid != e->pid)
		return;
	replay.waits += t->wait == item->wait;
	if (item->waiter)
		g_hash_table_insert(replay.waiters,
				    GINT_TO_POINTER(item->waiter), item);
}

static void replay_event(const struct event *e)
{
	if (e->pid >= 0)
		replay.wrong_pid += e->pid != replay.current[e->cpu];
	switch (e->kind) {
	case SWITCH:
		switch_out(e);
		switch_in(e);
		break;
	case WAKING:
		waking(e);
		break;
	case BLOCKED:
		g_free(thread_of(e->tid)->function);
		thread_of(e->tid)->function = g_strdup(symbol(e));
		break;
	case START:
	case END:
		work(e);
		break;
	default:
		break;
	}
}

static gint64 field(char **fields, int n)
{
	return g_ascii_strtoll(fields[n], NULL, 10);
}

static GPtrArray *load_planted(const char *path, gint64 frames_out[3])
{
	GPtrArray *items = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		exit(2);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		g_auto(GStrv) f = g_strsplit(*line, "\t", -1);
		guint n = g_strv_length(f);
		for (int i = 0; n == 4 && i < 3; i++)
			frames_out[i] = field(f, i + 1);
		if (n != 7)
			continue;
		struct item *item = g_new0(struct item, 1);
		item->tid = (int)field(f, 1);
		item->start = field(f, 2);
		item->wait = field(f, 3);
		item->run = field(f, 4);
		item->waiter = (int)field(f, 5);
		item->d_state = field(f, 6);
		g_ptr_array_add(items, item);
	}
	return items;
}

static void load_trace(const char *path)
{
	g_autofree char *data = NULL;
	gsize len;
	struct pb sub;

	if (!g_file_get_contents(path, &data, &len, NULL))
		exit(2);
	struct pb pb = { .at = (guint8 *)data, .end = (guint8 *)data + len };
	trace.events = g_array_new(false, false, sizeof(struct event));
	trace.generations = g_ptr_array_new_with_free_func(
		(GDestroyNotify)g_hash_table_unref);
	g_ptr_array_add(trace.generations, g_hash_table_new(NULL, NULL));
	trace.frames = g_hash_table_new(NULL, NULL);
	trace.energy = g_hash_table_new(NULL, NULL);
	while (pb_next(&pb, &sub)) {
		trace.packets++;
		packet(sub);
	}
	trace.truncated += pb.at != pb.end;
	g_array_sort(trace.events, compare_events);
}

static void thread_free(gpointer data)
{
	struct thread *t = data;

	g_free(t->function);
	g_free(t);
}

static void replay_all(const GPtrArray *items)
{
	replay.threads = g_hash_table_new_full(NULL, NULL, NULL, thread_free);
	replay.planted = g_hash_table_new(g_int64_hash, g_int64_equal);
	replay.waiters = g_hash_table_new(NULL, NULL);
	for (guint i = 0; i < items->len; i++) {
		struct item *item = g_ptr_array_index(items, i);
		g_hash_table_insert(replay.planted, &item->start, item);
	}
	for (guint i = 0; i < trace.events->len; i++)
		replay_event(&g_array_index(trace.events, struct event, i));
}

static void check_items(const GPtrArray *items)
{
	int waiters = 0;

	for (guint i = 0; i < items->len; i++) {
		const struct item *item = g_ptr_array_index(items, i);
		waiters += item->waiter != 0;
	}
	waiters -= (int)g_hash_table_size(replay.waiters);
	check(items->len > 0, "items were planted", items->len, 1);
	check_equal("no thread is on two CPUs", replay.two_cpus, 0);
	check_equal("no thread runs without being woken", replay.not_woken, 0);
	check_equal("events have the running thread's pid", replay.wrong_pid,
		    0);
	/* One may be cut by the end of the trace. */
	check(replay.unplanned <= 1, "no items but the planted ones",
	      replay.unplanned, 0);
	check_equal("every item waits as planted", replay.waits, items->len);
	check_equal("every item runs as planted", replay.runs, items->len);
	check_equal("every D-state is as planted", replay.d_states, waiters);
}

int main(int argc, char **argv)
{
	gint64 frames[3] = { 0 };

	if (argc < 3) {
		fprintf(stderr, "usage: check-vptrace TRACE PLANTED [lost]\n");
		return 2;
	}
	bool lost = argc > 3 && strcmp(argv[3], "lost") == 0;
	g_autoptr(GPtrArray) items = load_planted(argv[2], frames);
	load_trace(argv[1]);
	replay_all(items);
	check_equal("the trace is whole", trace.truncated, 0);
	check_items(items);
	check_equal("frames", trace.shown, frames[0]);
	check_equal("frames missed by the app", trace.app_missed, frames[1]);
	check_equal("frames missed by SF", trace.sf_missed, frames[2]);
	check_equal("every frame's end has its start", trace.unpaired, 0);
	check_equal("every frame ends", g_hash_table_size(trace.frames), 0);
	check_equal("rails", trace.rails, 16);
	check(trace.samples > 0 && !trace.energy_back, "energy only grows",
	      trace.energy_back, 0);
	check_equal("bundles after lost events", trace.lost_bundles, lost);
	check((trace.overrun > 0) == lost, "overrun", (gint64)trace.overrun,
	      lost);
	printf("1..%d\n", tests);
	g_array_unref(trace.events);
	g_ptr_array_unref(trace.generations);
	g_hash_table_unref(trace.frames);
	g_hash_table_unref(trace.energy);
	g_hash_table_unref(replay.threads);
	g_hash_table_unref(replay.planted);
	g_hash_table_unref(replay.waiters);
	return failures > 0;
}

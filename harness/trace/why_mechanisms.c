// SPDX-License-Identifier: GPL-3.0-or-later
/* What the waits of many chains have in common, and how many are on none. */
#include "thread_rules.h"
#include "why.h"
#include "work_items.h"

/* So many are told apart; waits of further kinds are not counted. */
#define MAX_MECHANISMS 256

/* The id is a kind's, a dot and a name; the text begins with the name. */
enum { CPU_WAIT, UI_D_STATE, D_STATE, QUEUE_WAIT, S_STATE };
static const struct {
	const char *id, *middle, *end;
} kinds[] = {
	[CPU_WAIT] = { "cpu_wait", "waited", " for a CPU" },
	[UI_D_STATE] = { "ui_d_state", "D state", " of a UI thread" },
	[D_STATE] = { "d_state", "D state", " of another thread" },
	[QUEUE_WAIT] = { "queue_wait", "item queued", " before its turn" },
	[S_STATE] = { "s_state", "woke a sleeper after", "" },
};

/* Those that are told of, with 0, where there are none. */
static const struct {
	guint kind;
	const char *name;
} always[] = {
	{ CPU_WAIT, "kworker.pm" },   { QUEUE_WAIT, "pm" },
	{ UI_D_STATE, "rpm_resume" }, { CPU_WAIT, "app.main" },
	{ CPU_WAIT, "RenderThread" }, { CPU_WAIT, "surfaceflinger" },
};

struct count {
	const struct ab_why_context *c;
	GHashTable *by_id;    /* id -> index + 1 */
	GHashTable *on_chain; /* guint64: waits that are on a chain already */
	guint32 *in_frame; /* by mechanism: the last frame that had it, + 1 */
};

static char *threshold_text(gint64 ns)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strdup_printf("%s ms",
			       g_ascii_formatd(digits, sizeof(digits), "%g",
					       (double)ns / 1e6));
}

/* A compiler's suffix is another one in another build. */
static char *stem_of(guint kind, const char *name)
{
	bool symbol = kind == UI_D_STATE || kind == D_STATE;

	return g_strndup(name, symbol ? strcspn(name, ".+") : strlen(name));
}

/* The mechanism of that kind and name, by its index; -1: too many. */
static int find(struct count *n, guint kind, const char *name)
{
	struct ab_why *why = n->c->why;
	g_autofree char *stem = stem_of(kind, name);
	g_autofree char *id = g_strdup_printf("%s.%s", kinds[kind].id, stem);
	g_autofree char *limit = threshold_text(why->threshold_ns);
	g_autofree char *text =
		g_strdup_printf("%s %s >= %s%s", stem, kinds[kind].middle,
				limit, kinds[kind].end);
	struct ab_mechanism m = {
		.waits = kind == S_STATE ? -1 : 0,
	};
	guint at = GPOINTER_TO_UINT(g_hash_table_lookup(n->by_id, id));

	if (at)
		return (int)at - 1;
	if (why->mechanisms->len == MAX_MECHANISMS)
		return -1;
	m.id = g_string_chunk_insert_const(why->texts, id);
	m.text = g_string_chunk_insert_const(why->texts, text);
	g_array_append_val(why->mechanisms, m);
	g_hash_table_insert(n->by_id, (gpointer)m.id,
			    GUINT_TO_POINTER(why->mechanisms->len));
	return (int)why->mechanisms->len - 1;
}

/* ---- on the chains ---- */

/* Of the step at @i and those that go on with it: how long, and up to which. */
static gint64 length_of(const GArray *steps, guint i, guint *end_out)
{
	const struct ab_why_step *s =
		&g_array_index(steps, struct ab_why_step, i);
	gint64 ns = 0;

	/* An item is queued behind one, then behind the next. */
	for (; i < steps->len; i++) {
		const struct ab_why_step *next =
			&g_array_index(steps, struct ab_why_step, i);

		if (next != s && (s->state != AB_STEP_QUEUED ||
				  next->state != AB_STEP_QUEUED ||
				  next->thread.tid != s->thread.tid))
			break;
		ns += next->end_ns - next->begin_ns;
	}
	*end_out = i;
	return ns;
}

static int mechanism_of(struct count *n, const struct ab_why_step *s)
{
	switch (s->state) {
	case AB_STEP_RUNNABLE:
		return find(n, CPU_WAIT, s->thread.class_name);
	case AB_STEP_D:
		return find(n, s->ui ? UI_D_STATE : D_STATE,
			    s->function ? s->function : "not_told");
	case AB_STEP_QUEUED:
		return find(n, QUEUE_WAIT, s->workqueue ? s->workqueue : "?");
	case AB_STEP_S:
		if (s->same_process || !s->waker.comm)
			return -1;
		return find(n, S_STATE, s->waker.class_name);
	default:
		return -1;
	}
}

/* False when a wait of another frame's chain is the same one. */
static bool first_time(struct count *n, const struct ab_why_step *s)
{
	guint64 *key = g_new(guint64, 1);

	*key = (guint64)s->end_ns ^ (guint64)s->thread.tid << 40 ^
	       (guint64)s->state << 60;
	return g_hash_table_add(n->on_chain, key);
}

static void count_step(struct count *n, guint32 frame, struct ab_why_step *s,
		       gint64 ns)
{
	struct ab_mechanism *m;

	s->mechanism = mechanism_of(n, s);
	if (s->mechanism < 0)
		return;
	m = &g_array_index(n->c->why->mechanisms, struct ab_mechanism,
			   (guint)s->mechanism);
	if (n->in_frame[s->mechanism] != frame)
		m->frames++;
	n->in_frame[s->mechanism] = frame;
	m->on_chain += first_time(n, s);
	m->longest_ns = MAX(m->longest_ns, ns);
}

static void count_frame(struct count *n, guint32 frame, GArray *steps)
{
	struct ab_why *why = n->c->why;
	bool any = false;
	guint i, end;

	for (i = 0; i < steps->len; i = end) {
		struct ab_why_step *s =
			&g_array_index(steps, struct ab_why_step, i);
		gint64 ns = length_of(steps, i, &end);

		if (ns < why->threshold_ns)
			continue;
		count_step(n, frame, s, ns);
		any |= s->mechanism >= 0;
	}
	why->none += !any;
}

/* ---- in the window ---- */

static void count_wait(struct count *n, guint kind, const char *name, gint64 ns)
{
	int i;

	if (ns < n->c->why->threshold_ns)
		return;
	i = find(n, kind, name);
	if (i >= 0)
		g_array_index(n->c->why->mechanisms, struct ab_mechanism,
			      (guint)i)
			.waits++;
}

static void count_cpu_waits(struct count *n, const struct ab_chains *chains)
{
	const struct ab_trace *trace = chains->trace;
	guint i;

	for (i = 0; i < chains->waits->len; i++) {
		const struct ab_long_wait *w =
			&g_array_index(chains->waits, struct ab_long_wait, i);
		const struct ab_thread *th =
			ab_thread(trace->threads, w->thread);
		bool kworker = ab_thread_is_kworker(trace, th);

		/* A worker's wait is told of twice: then with what for. */
		if (kworker == (w->workqueue != 0) &&
		    ab_in_window(trace, w->begin_ns))
			count_wait(n, CPU_WAIT,
				   ab_why_class(n->c, w->thread, w->workqueue),
				   w->end_ns - w->begin_ns);
	}
}

static void count_sleeps(struct count *n, const struct ab_chains *chains)
{
	const struct ab_trace *trace = chains->trace;
	guint i;

	for (i = 0; i < chains->sleeps->len; i++) {
		const struct ab_sleep *s =
			&g_array_index(chains->sleeps, struct ab_sleep, i);
		const char *function =
			s->function ? ab_trace_text(trace, s->function)
				    : "not_told";

		if (ab_in_window(trace, s->begin_ns))
			count_wait(n,
				   n->c->ui[s->thread] ? UI_D_STATE : D_STATE,
				   function, s->end_ns - s->begin_ns);
	}
}

static void count_items(struct count *n, const struct ab_trace *trace)
{
	const GArray *items = ab_work_items(trace);
	guint i;

	for (i = 0; i < items->len; i++) {
		const struct ab_work_item *item =
			&g_array_index(items, struct ab_work_item, i);

		if (item->queued_ns >= 0 && item->workqueue &&
		    ab_in_window(trace, item->start_ns))
			count_wait(n, QUEUE_WAIT,
				   ab_trace_text(trace, item->workqueue),
				   item->start_ns - item->queued_ns -
					   MAX(item->wait_ns, 0));
	}
}

static int by_frames(const void *a, const void *b)
{
	const struct ab_mechanism *x = a, *y = b;

	if (x->frames != y->frames)
		return x->frames < y->frames ? 1 : -1;
	if (x->waits != y->waits)
		return x->waits < y->waits ? 1 : -1;
	return strcmp(x->id, y->id);
}

/* Sorted, they have other numbers. */
static void sort(struct count *n)
{
	GArray *list = n->c->why->mechanisms;
	g_autofree int *place = g_new(int, MAX_MECHANISMS);
	guint i, k;

	g_array_sort(list, by_frames);
	for (i = 0; i < list->len; i++) {
		struct ab_mechanism *m =
			&g_array_index(list, struct ab_mechanism, i);
		guint old =
			GPOINTER_TO_UINT(g_hash_table_lookup(n->by_id, m->id));

		place[old - 1] = (int)i;
		m->elsewhere = m->waits < 0		? -1
			       : m->waits > m->on_chain ? m->waits - m->on_chain
							: 0;
	}
	for (i = 0; i < n->c->why->frames->len; i++) {
		const struct ab_why_frame *f = n->c->why->frames->pdata[i];

		for (k = 0; k < f->steps->len; k++) {
			struct ab_why_step *s =
				&g_array_index(f->steps, struct ab_why_step, k);

			if (s->mechanism >= 0)
				s->mechanism = place[s->mechanism];
		}
	}
}

void ab_why_mechanisms(const struct ab_why_context *c,
		       const struct ab_chains *chains)
{
	g_autoptr(GHashTable) by_id = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) on_chain =
		g_hash_table_new_full(ab_key_hash, g_int64_equal, g_free, NULL);
	g_autofree guint32 *in_frame = g_new0(guint32, MAX_MECHANISMS);
	struct count n = { c, by_id, on_chain, in_frame };
	guint i;

	for (i = 0; i < G_N_ELEMENTS(always); i++)
		find(&n, always[i].kind, always[i].name);
	for (i = 0; i < c->why->frames->len; i++) {
		const struct ab_why_frame *f = c->why->frames->pdata[i];

		if (!f->not_explained)
			count_frame(&n, i + 1, f->steps);
	}
	count_cpu_waits(&n, chains);
	count_sleeps(&n, chains);
	count_items(&n, chains->trace);
	sort(&n);
}

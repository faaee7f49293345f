// SPDX-License-Identifier: GPL-3.0-or-later
#include "why.h"

#include "columns.h"
#include "frame_tables.h"
#include "quality.h"
#include <math.h>

#define FRAMES "why.frames"
#define NOT_EXPLAINED "why.not_explained"
#define NONE "why.none.frames"
/* A run value for each; the shorter ones are one. */
#define MAX_PARTS 32

static const char *const names[] = { FRAMES, NOT_EXPLAINED, NONE, NULL };

/* ---- while the events pass ---- */

static void *begin(struct ab_trace *trace)
{
	struct ab_chains *chains = ab_chains_new(trace);

	trace->chains = chains;
	ab_chains_list(chains);
	/* The first bundles are opened before anyone is asked. */
	trace->prios |= chains->chains->len > 0;
	return chains;
}

static void end(void *state)
{
	ab_chains_free(state);
}

static void sleep_ended(void *state, const struct ab_sleep *sleep)
{
	struct ab_chains *chains = state;

	if (sleep->end_ns - sleep->begin_ns >= AB_WHY_LEAST_NS)
		ab_chains_slept(chains, sleep);
}

static void worked(void *state, const struct ab_thread *th, gint64 begin_ns,
		   gint64 end_ns)
{
	struct ab_chains *chains = state;
	const struct ab_thread *first = ab_thread(chains->trace->threads, 0);

	(void)end_ns;
	if (th->wait_known && th->wait_ns >= AB_WHY_LEAST_NS)
		ab_chains_waited(chains, (guint32)(th - first), th->workqueue,
				 begin_ns - th->wait_ns, begin_ns);
}

/* ---- the result ---- */

static void free_frame(gpointer data)
{
	struct ab_why_frame *f = data;

	g_array_unref(f->steps);
	g_array_unref(f->split);
	g_free(f);
}

static struct ab_why *new_why(gint64 threshold_ns)
{
	struct ab_why *why = g_new0(struct ab_why, 1);

	why->threshold_ns = MAX(threshold_ns, AB_WHY_LEAST_NS);
	why->frames = g_ptr_array_new_with_free_func(free_frame);
	why->mechanisms =
		g_array_new(FALSE, FALSE, sizeof(struct ab_mechanism));
	why->split = g_array_new(FALSE, FALSE, sizeof(struct ab_why_part));
	why->texts = g_string_chunk_new(4096);
	return why;
}

void ab_why_free(struct ab_why *why)
{
	if (!why)
		return;
	g_ptr_array_unref(why->frames);
	g_array_unref(why->mechanisms);
	g_array_unref(why->split);
	g_free(why->withheld);
	g_string_chunk_free(why->texts);
	g_free(why);
}

static const char *lost_in(const struct ab_why_context *c,
			   const struct ab_chain *chain)
{
	const struct ab_lost *lost =
		ab_lost_in(c->a->trace->lost_events, chain->walk.begin_ns,
			   chain->walk.end_ns);

	return lost ? lost->what : NULL;
}

static void add_frame(const struct ab_why_context *c,
		      const struct ab_chain *chain)
{
	struct ab_why_frame *f = g_new0(struct ab_why_frame, 1);
	const struct ab_trace *trace = c->a->trace;
	g_autofree char *jank = ab_jank_text(chain->frame.jank);

	f->token = chain->frame.token;
	f->pid = chain->frame.pid;
	f->process = g_string_chunk_insert_const(
		c->why->texts, ab_frame_process(trace, f->pid));
	f->layer = ab_why_text(c, chain->frame.layer);
	f->jank = g_string_chunk_insert_const(c->why->texts, jank);
	f->by_sf = chain->by_sf;
	f->begin_ns = chain->walk.begin_ns;
	f->end_ns = chain->walk.end_ns;
	f->deadline_ns = chain->made.deadline_ns;
	f->steps = g_array_new(FALSE, FALSE, sizeof(struct ab_why_step));
	f->split = g_array_new(FALSE, FALSE, sizeof(struct ab_why_part));
	f->not_explained = chain->problem ? chain->problem : lost_in(c, chain);
	f->cut = !chain->whole;
	if (!f->not_explained)
		ab_why_steps(c, chain->links, f);
	c->why->explained += !f->not_explained;
	g_ptr_array_add(c->why->frames, f);
}

static int by_begin(const void *a, const void *b)
{
	const struct ab_why_frame *x = *(const struct ab_why_frame *const *)a;
	const struct ab_why_frame *y = *(const struct ab_why_frame *const *)b;

	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return (x->token > y->token) - (x->token < y->token);
}

static void add_frames(const struct ab_why_context *c,
		       const struct ab_chains *chains)
{
	const struct ab_frame_source_ops *source = ab_frames_ui_source(c->a);
	guint i;

	for (i = 0; i < chains->chains->len; i++) {
		const struct ab_chain *chain = chains->chains->pdata[i];

		if (chain->made.source == source &&
		    ab_in_window(c->a->trace, chain->frame.begin_ns) &&
		    ab_frame_is_ui(c->a, c->ui, &chain->made))
			add_frame(c, chain);
	}
	g_ptr_array_sort(c->why->frames, by_begin);
}

static void sum_split(struct ab_why *why)
{
	guint i, k;

	for (i = 0; i < why->frames->len; i++) {
		const struct ab_why_frame *f = why->frames->pdata[i];

		for (k = 0; k < f->split->len; k++) {
			const struct ab_why_part *p =
				&g_array_index(f->split, struct ab_why_part, k);

			ab_why_part_add(why->split, p->name, p->ns);
		}
	}
	ab_why_parts_sort(why->split);
}

/* Why nothing can be said of any frame; to be freed. */
static char *why_withheld(const struct ab_analysis *a)
{
	const char *no_waits = ab_no_waits_reason(a->trace);

	if (no_waits)
		return g_strdup(no_waits);
	return ab_lost_reason(a->trace, a->trace->lost_events);
}

struct ab_why *ab_why_make(struct ab_analysis *a, gint64 threshold_ns)
{
	struct ab_chains *chains = a->trace->chains;
	g_autofree guint8 *ui = ab_ui_threads(a);
	struct ab_why_context c = {
		a, ui,
		new_why(threshold_ns ? threshold_ns : AB_WHY_THRESHOLD_NS)
	};

	ab_chains_walk(chains, G_MAXINT64);
	c.why->trace_begin_ns = a->trace->first_ns;
	c.why->not_kept = (guint)MIN(chains->not_kept, G_MAXUINT);
	c.why->withheld = why_withheld(a);
	add_frames(&c, chains);
	sum_split(c.why);
	ab_why_mechanisms(&c, chains);
	return c.why;
}

/* ---- run values ---- */

static void set_mechanism(struct ab_analysis *a, const struct ab_mechanism *m)
{
	g_autofree char *frames = g_strdup_printf("why.%s.frames", m->id);
	g_autofree char *waits = g_strdup_printf("why.%s.waits", m->id);
	g_autofree char *off = g_strdup_printf("why.%s.off_chain", m->id);

	ab_run_data_set(a->data, frames, m->frames);
	if (m->waits < 0)
		return;
	ab_run_data_set(a->data, waits, (double)m->waits);
	ab_run_data_set(a->data, off, (double)m->elsewhere);
}

static void set_split(struct ab_analysis *a, const struct ab_why *why)
{
	double rest_ms = 0;
	guint i;

	for (i = 0; why->explained && i < why->split->len; i++) {
		const struct ab_why_part *p =
			&g_array_index(why->split, struct ab_why_part, i);
		g_autofree char *name =
			g_strdup_printf("why.split.%s", p->name);
		double ms = (double)p->ns / 1e6 / why->explained;

		if (i < MAX_PARTS)
			ab_run_data_set(a->data, name, ms);
		else
			rest_ms += ms;
	}
	if (rest_ms > 0)
		ab_run_data_set(a->data, "why.split.other", rest_ms);
}

/* Without frames, what frames.* say of that is enough. */
static void measure(struct ab_analysis *a, const void *state)
{
	ab_autoptr(ab_why) why = NULL;
	guint i;

	(void)state;
	if (!ab_frames_ui_source(a))
		return;
	why = ab_why_make(a, 0);
	if (why->withheld) {
		ab_withhold_all(a, names, why->withheld);
		return;
	}
	ab_run_data_set(a->data, FRAMES, why->explained);
	ab_run_data_set(a->data, NOT_EXPLAINED,
			why->frames->len - why->explained + why->not_kept);
	ab_run_data_set(a->data, NONE, why->none);
	for (i = 0; i < why->mechanisms->len; i++)
		set_mechanism(a, &g_array_index(why->mechanisms,
						struct ab_mechanism, i));
	set_split(a, why);
}

/* ---- tables ---- */

static const struct ab_column columns[] = {
	AB_TEXT_COLUMN("mechanism", "mechanism"),
	AB_COUNT_COLUMN("frames", "missed frames"),
	AB_NUMBER_COLUMN("waits", "waits", "", 0),
	AB_NUMBER_COLUMN("off_chain", "on no chain", "", 0),
	AB_MS_COLUMN("longest_ms", "longest on a chain"),
};

static double known(gint64 n)
{
	return n < 0 ? NAN : (double)n;
}

static void tabulate(struct ab_analysis *a, const void *state,
		     GPtrArray *tables)
{
	ab_autoptr(ab_why) why = NULL;
	struct ab_table *t;
	guint i;

	(void)state;
	if (!ab_frames_ui_source(a))
		return;
	why = ab_why_make(a, 0);
	if (why->withheld || !why->explained)
		return;
	t = AB_NEW_TABLE("why", "Why frames were missed", columns);
	for (i = 0; i < why->mechanisms->len; i++) {
		const struct ab_mechanism *m =
			&g_array_index(why->mechanisms, struct ab_mechanism, i);

		if (!m->frames && m->waits <= 0)
			continue;
		ab_table_text(t, m->text);
		ab_table_count(t, m->frames);
		ab_table_number(t, known(m->waits));
		ab_table_number(t, known(m->elsewhere));
		ab_table_number(t, (double)m->longest_ns / 1e6);
	}
	g_ptr_array_add(tables, t);
}

const struct ab_analysis_ops ab_analysis_why = {
	.name = "why",
	.begin = begin,
	.sleep = sleep_ended,
	.worked = worked,
	.measure = measure,
	.tabulate = tabulate,
	.end = end,
};

// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Repeats: every planned run (a "slot" of a block and variant) ends in an
 * accepted run, or in more rejections than the plan allows.  What is missing
 * is computed from the store alone, so that a harness killed at any point
 * repeats the same runs as one that was not.
 */
#include "repeat.h"

#include <abrig/error.h>
#include <math.h>
#include <string.h>

#define MAX_SLOTS 100000

struct slot {
	bool covered;	/* accepted, or still to be executed */
	int rejections; /* that count: not the rig's own interruptions */
	const struct ab_run_row *last;
};

static bool same_cell(const struct ab_session_row *a,
		      const struct ab_session_row *b)
{
	return a->device == b->device && a->block == b->block &&
	       a->variant == b->variant;
}

static void note_run(GArray *slots, const struct ab_run_row *run)
{
	struct slot *s;

	if (run->slot < 0 || run->slot >= MAX_SLOTS)
		return;
	if ((guint)run->slot >= slots->len)
		g_array_set_size(slots, (guint)run->slot + 1);
	s = &g_array_index(slots, struct slot, run->slot);
	if (run->state != AB_RUN_REJECTED)
		s->covered = true;
	else if (g_strcmp0(run->gate, "interrupted"))
		s->rejections++;
	s->last = run;
}

/* All runs of the block and variant of @row; @rows_out keeps them alive. */
static GArray *find_slots(struct worker *w, const struct ab_session_row *row,
			  GPtrArray *rows_out, GError **error)
{
	g_autoptr(GPtrArray) sessions =
		ab_store_sessions(w->store, row->device, error);
	g_autoptr(GArray) slots = g_array_new(FALSE, TRUE, sizeof(struct slot));
	guint i, j;

	for (i = 0; sessions && i < sessions->len; i++) {
		const struct ab_session_row *s = sessions->pdata[i];
		GPtrArray *runs;

		if (!same_cell(s, row))
			continue;
		runs = ab_store_runs(w->store, s->id, error);
		if (!runs)
			return NULL;
		for (j = 0; j < runs->len; j++)
			note_run(slots, runs->pdata[j]);
		g_ptr_array_add(rows_out, runs);
	}
	return sessions ? g_steal_pointer(&slots) : NULL;
}

static bool next_position(struct worker *w, gint64 session, int *position_out,
			  GError **error)
{
	g_autoptr(GPtrArray) runs = ab_store_runs(w->store, session, error);

	if (!runs)
		return false;
	*position_out = 0;
	if (runs->len) {
		const struct ab_run_row *last = runs->pdata[runs->len - 1];

		*position_out = last->position + 1;
	}
	return true;
}

static bool append(struct worker *w, gint64 session, const struct slot *slot,
		   GError **error)
{
	struct ab_run_row run = {
		.session = session,
		.scenario = slot->last->scenario,
		.slot = slot->last->slot,
		.attempt = slot->rejections,
		.warmup = slot->last->warmup,
		.state = AB_RUN_PLANNED,
		.skin_c = NAN,
		.battery = -1,
	};

	return next_position(w, session, &run.position, error) &&
	       ab_store_add_run(w->store, &run, error);
}

static void free_rows(gpointer rows)
{
	g_ptr_array_unref(rows);
}

bool repeat_rejected(struct worker *w, const struct ab_session_row *row,
		     gint64 session, GError **error)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(free_rows);
	g_autoptr(GArray) slots = find_slots(w, row, rows, error);
	guint i;

	for (i = 0; slots && i < slots->len; i++) {
		const struct slot *s = &g_array_index(slots, struct slot, i);

		if (s->covered || !s->last ||
		    s->rejections > w->plan->schedule.retries)
			continue;
		if (!append(w, session, s, error))
			return false;
	}
	return slots != NULL;
}

static bool move_planned(struct worker *w, gint64 from, gint64 to,
			 GError **error)
{
	g_autoptr(GPtrArray) runs = ab_store_runs(w->store, from, error);
	int position = 0;
	guint i;

	for (i = 0; runs && i < runs->len; i++) {
		struct ab_run_row *run = runs->pdata[i];

		if (run->state != AB_RUN_PLANNED)
			continue;
		run->session = to;
		run->position = position++;
		if (!ab_store_update_run(w->store, run, error))
			return false;
	}
	return runs != NULL;
}

/* How often this block and variant was tried in vain, and its next place. */
static bool survey(struct worker *w, const struct ab_session_row *row,
		   int *failures_out, int *position_out, GError **error)
{
	g_autoptr(GPtrArray) sessions =
		ab_store_sessions(w->store, row->device, error);
	guint i;

	*failures_out = 0;
	*position_out = 0;
	for (i = 0; sessions && i < sessions->len; i++) {
		const struct ab_session_row *s = sessions->pdata[i];

		if (s->block != row->block)
			continue;
		*position_out = MAX(*position_out, s->position + 1);
		if (same_cell(s, row) && (s->state == AB_SESSION_LOST ||
					  s->state == AB_SESSION_FAILED))
			++*failures_out;
	}
	return sessions != NULL;
}

static bool replace_session(struct worker *w, const struct ab_session_row *row,
			    int position, GError **error)
{
	struct ab_session_row next = {
		.device = row->device,
		.block = row->block,
		.position = position,
		.variant = row->variant,
		.state = AB_SESSION_PLANNED,
	};

	return ab_store_add_session(w->store, &next, error) &&
	       move_planned(w, row->id, next.id, error) &&
	       repeat_rejected(w, row, next.id, error);
}

bool repeat_session(struct worker *w, struct ab_session_row *row,
		    enum ab_session_state state, const char *reason,
		    bool *given_up_out, GError **error)
{
	int failures, position;

	row->state = state;
	g_free(row->reason);
	row->reason = g_strdup(reason);
	g_free(row->ended);
	row->ended = worker_now();
	/* One transaction: a session ends together with its replacement. */
	if (!ab_store_begin(w->store, error))
		return false;
	if (!ab_store_update_session(w->store, row, error) ||
	    !survey(w, row, &failures, &position, error))
		return false;
	*given_up_out = failures > w->plan->schedule.retries;
	if (!*given_up_out && !replace_session(w, row, position, error))
		return false;
	return ab_store_commit(w->store, error);
}

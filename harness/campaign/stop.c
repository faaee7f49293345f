// SPDX-License-Identifier: GPL-3.0-or-later
#include "stop.h"

#include <abrig/error.h>
#include <abrig/log.h>
#include <abrig/text.h>
#include <math.h>
#include <string.h>

#define LEVEL 0.95

/* ---- the rule in the store ---- */

static bool put_number(struct ab_store *store, const char *key, int number,
		       GError **error)
{
	g_autofree char *text = g_strdup_printf("%d", number);

	return ab_store_set_fact(store, key, text, error);
}

static int number_of(struct ab_store *store, const char *key)
{
	g_autofree char *text = ab_store_fact(store, key, NULL);
	gint64 number = 0;

	if (!text || !ab_text_to_int(text, &number) || number < 0 ||
	    number > G_MAXINT)
		return 0;
	return (int)number;
}

bool stop_put(const struct ab_plan *plan, struct ab_store *store,
	      GError **error)
{
	const struct ab_stop *stop = &plan->schedule.stop;
	g_autofree char *text = NULL;

	if (!stop->when)
		return true;
	text = g_strdup_printf("%s\t%d\t%d\t%d", stop->spending,
			       (int)stop->first, (int)stop->every,
			       (int)plan->schedule.blocks);
	return ab_store_set_fact(store, "stop", text, error);
}

bool stop_rule(struct ab_store *store, struct ab_looks *looks_out,
	       GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *text = ab_store_fact(store, "stop", &why);
	g_auto(GStrv) f = text ? g_strsplit(text, "\t", 4) : NULL;
	gint64 n[3] = { 0 };

	if (why)
		g_propagate_error(error, g_steal_pointer(&why));
	if (!text)
		return false;
	for (int i = 0; i < 3 && g_strv_length(f) == 4; i++)
		if (!ab_text_to_int(f[i + 1], &n[i]) || n[i] > G_MAXINT)
			n[i] = 0;
	if (n[0] < 1 || n[1] < 1 || n[2] < n[0]) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "the campaign's database has '%s' as the rule to "
			    "stop",
			    text);
		return false;
	}
	*looks_out = (struct ab_looks){
		.spending = strcmp(f[0], "pocock") ? AB_SPEND_OBRIEN_FLEMING
						   : AB_SPEND_POCOCK,
		.first = (int)n[0],
		.every = (int)n[1],
		.blocks = (int)n[2],
	};
	return true;
}

int stop_blocks(struct ab_store *store)
{
	return number_of(store, "stop.blocks");
}

/* ---- verdicts at a look ---- */

/* The look whose blocks are whole on all devices that did not fail, or 0. */
static int look_reached(const struct ab_looks *looks, const GPtrArray *devices,
			const GPtrArray *sessions)
{
	int whole = looks->blocks, number = 0;
	struct ab_look look;

	for (guint i = 0; i < sessions->len; i++) {
		const struct ab_session_row *s = sessions->pdata[i];
		bool open = s->state == AB_SESSION_PLANNED ||
			    s->state == AB_SESSION_OPEN;

		for (guint k = 0; open && k < devices->len; k++) {
			const struct ab_device_row *d = devices->pdata[k];

			if (d->id == s->device && !d->failed)
				whole = MIN(whole, s->block);
		}
	}
	while (ab_stats_look(looks, 1 - LEVEL, number + 1, &look) &&
	       look.blocks <= whole)
		number++;
	return number;
}

/* Of one of @m primary tests. */
static bool look_of(const struct ab_looks *looks, int number, size_t m,
		    struct ab_look *look_out)
{
	return ab_stats_look(looks, (1 - LEVEL) / (double)MAX(m, 1), number,
			     look_out);
}

static void decide_at(struct results *r, const struct ab_looks *looks,
		      int number, double level)
{
	struct ab_look look;
	double m;

	/* Once to count the tests. */
	ab_report_decide(&r->report, level, level);
	m = (double)r->report.families.primaries;
	if (m > 0 && look_of(looks, number, (size_t)m, &look))
		ab_report_decide(&r->report, level, 1 - m * look.nominal);
}

void stop_decide(struct results *r, double level)
{
	struct ab_looks looks;
	int number;

	if (!stop_rule(r->store, &looks, NULL)) {
		ab_report_decide(&r->report, level, level);
		return;
	}
	number = look_reached(&looks, r->devices, r->sessions);
	if (stop_blocks(r->store))
		number = number_of(r->store, "stop.look");
	/* Before the first look its level, the narrowest error of all. */
	decide_at(r, &looks, MAX(number, 1), level);
}

/* ---- looking ---- */

struct answers {
	int tests, different, equivalent, futile;
};

static void add_answer(const struct results *r, const struct ab_looks *looks,
		       int number, const struct ab_comparison *c,
		       struct answers *a)
{
	double alpha = (1 - LEVEL) / (double)r->report.families.primaries;

	a->tests++;
	if (c->verdict == AB_DIFFERENT)
		a->different++;
	else if (c->verdict == AB_EQUIVALENT)
		a->equivalent++;
	else if (ab_stats_chance(looks, alpha, number, c) < AB_FUTILE)
		a->futile++;
}

static struct answers answers_of(const struct results *r,
				 const struct ab_looks *looks, int number)
{
	const struct ab_report *rep = &r->report;
	struct answers a = { 0 };

	for (size_t t = 0; t < rep->n_tables; t++)
		for (size_t i = 0; i < rep->tables[t].n_rows; i++) {
			const struct ab_report_row *row =
				&rep->tables[t].rows[i];

			for (size_t v = 1; row->primary && v < rep->n_variants;
			     v++)
				add_answer(r, looks, number,
					   &row->versus[v - 1], &a);
		}
	return a;
}

static char *note_of(const struct results *r, const struct ab_looks *looks,
		     int number, const struct answers *a)
{
	struct ab_look look;
	double m = (double)r->report.families.primaries;

	if (!look_of(looks, number, (size_t)m, &look))
		return NULL;
	return g_strdup_printf(
		"stopped early, at look %d of %d: %d of %d blocks, information "
		"fraction %.2f, %.2g %% of %g %% error spent. Primary tests: "
		"%d different, %d equivalent, %d that the blocks left would "
		"hardly have decided. Their intervals are repeated intervals, "
		"which hold at all looks together. Runs of later blocks are "
		"not analysed.",
		number, look.of, look.blocks, looks->blocks, look.fraction,
		100 * m * look.spent, 100 * (1 - LEVEL), a->different,
		a->equivalent, a->futile);
}

/* One transaction: a look is taken together with what follows from it. */
static bool record(struct ab_store *store, int number, int blocks,
		   const char *note, GError **error)
{
	ab_log("look", AB_I("number", number), AB_I("stops", note != NULL));
	return ab_store_begin(store, error) &&
	       put_number(store, "stop.look", number, error) &&
	       (!note || (put_number(store, "stop.blocks", blocks, error) &&
			  ab_store_add_note(store, note, error))) &&
	       ab_store_commit(store, error);
}

static bool take_look(struct ab_store *store, const char *dir,
		      const struct ab_looks *looks, int number,
		      bool *stopped_out, GError **error)
{
	g_autofree char *note = NULL;
	struct ab_look look;
	struct results *r;
	struct answers a;

	if (!ab_stats_look(looks, 1 - LEVEL, number, &look))
		return true;
	r = results_open_blocks(dir, look.blocks, error);
	if (!r)
		return false;
	results_fill_primaries(r);
	decide_at(r, looks, number, LEVEL);
	a = answers_of(r, looks, number);
	*stopped_out =
		a.tests > 0 && a.different + a.equivalent + a.futile == a.tests;
	if (*stopped_out)
		note = note_of(r, looks, number, &a);
	ab_results_free(&r->report);
	return record(store, number, look.blocks, note, error);
}

bool stop_check(struct ab_store *store, const char *dir, bool *stopped_out,
		GError **error)
{
	g_autoptr(GPtrArray) devices = NULL, sessions = NULL;
	g_autoptr(GError) why = NULL;
	struct ab_looks looks;
	int due;

	*stopped_out = false;
	if (!stop_rule(store, &looks, &why)) {
		if (!why)
			return true;
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	*stopped_out = stop_blocks(store) > 0;
	devices = ab_store_devices(store, error);
	sessions = devices ? ab_store_sessions(store, 0, error) : NULL;
	if (!sessions)
		return false;
	/* After the last block there is nothing to stop. */
	due = MIN(look_reached(&looks, devices, sessions),
		  ab_stats_looks(&looks) - 1);
	for (int k = number_of(store, "stop.look") + 1;
	     k <= due && !*stopped_out; k++)
		if (!take_look(store, dir, &looks, k, stopped_out, error))
			return false;
	return true;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* From the nights of a device to what they say about it. */
#include <abrig/aa.h>
#include <abrig/stats_methods.h>

#include <math.h>
#include <string.h>

#define LEVEL 0.95
/* The last night has 5 % already; both together must stay near that. */
#define CHANCE 0.01

/* A metric while nights are added. */
struct tally {
	struct ab_aa_metric metric;
	const char *plan; /* whose nights make its floor */
	GArray *floors, *percents;
};

struct judge {
	GPtrArray *tallies; /* struct tally *, those of the last night first */
	GHashTable *by_name;
};

static void free_tally(gpointer data)
{
	struct tally *t = data;

	g_array_unref(t->floors);
	g_array_unref(t->percents);
	g_free(t);
}

static struct tally *tally_of(struct judge *judge,
			      const struct ab_aa_test *test, const char *plan)
{
	g_autofree char *name =
		g_strdup_printf("%s\n%s", test->scenario, test->metric);
	struct tally *t = g_hash_table_lookup(judge->by_name, name);

	if (t)
		return t;
	t = g_new0(struct tally, 1);
	t->metric.scenario = g_strdup(test->scenario);
	t->metric.metric = g_strdup(test->metric);
	t->metric.last_p = t->metric.last_adjusted = NAN;
	t->plan = plan;
	t->floors = g_array_new(FALSE, FALSE, sizeof(double));
	t->percents = g_array_new(FALSE, FALSE, sizeof(double));
	g_ptr_array_add(judge->tallies, t);
	g_hash_table_insert(judge->by_name, g_steal_pointer(&name), t);
	return t;
}

static void add_night(struct judge *judge, const struct ab_aa_night *night)
{
	for (guint i = 0; i < night->tests->len; i++) {
		const struct ab_aa_test *test = night->tests->pdata[i];
		struct tally *t = tally_of(judge, test, night->plan_sha256);

		t->metric.tests++;
		t->metric.alarms += test->p <= AB_AA_ALPHA;
		if (strcmp(t->plan, night->plan_sha256) != 0)
			continue;
		t->metric.floor_nights++;
		if (isfinite(test->floor))
			g_array_append_val(t->floors, test->floor);
		if (isfinite(test->floor_pct))
			g_array_append_val(t->percents, test->floor_pct);
	}
}

/* The p-values of a night, corrected; how many are at or below alpha. */
static double *adjusted(const struct ab_aa_night *night, int *found_out)
{
	guint n = night->tests->len;
	double *p = g_new(double, n + 1);

	*found_out = 0;
	for (guint i = 0; i < n; i++)
		p[i] = ((const struct ab_aa_test *)night->tests->pdata[i])->p;
	ab_stats_benjamini_hochberg(p, n, p);
	for (guint i = 0; i < n; i++)
		*found_out += p[i] <= 1 - LEVEL;
	return p;
}

static void judge_last(struct judge *judge, const struct ab_aa_night *night)
{
	int found;
	g_autofree double *p = adjusted(night, &found);

	for (guint i = 0; i < night->tests->len; i++) {
		const struct ab_aa_test *test = night->tests->pdata[i];
		struct ab_aa_metric *m =
			&tally_of(judge, test, night->plan_sha256)->metric;

		m->last_p = test->p;
		m->last_adjusted = p[i];
		m->different = p[i] <= 1 - LEVEL;
	}
}

static void judge_chance(struct judge *judge)
{
	guint n = judge->tallies->len;
	g_autofree double *p = g_new(double, n + 1);

	for (guint i = 0; i < n; i++) {
		struct tally *t = judge->tallies->pdata[i];

		t->metric.chance = p[i] = ab_stats_binomial_tail(
			t->metric.alarms, t->metric.tests, AB_AA_ALPHA);
	}
	ab_stats_holm(p, n, p);
	for (guint i = 0; i < n; i++) {
		struct tally *t = judge->tallies->pdata[i];

		t->metric.chance_adjusted = p[i];
		t->metric.too_often = p[i] <= CHANCE;
	}
}

static int compare_doubles(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(GArray *values)
{
	g_array_sort(values, compare_doubles);
	return ab_stats_quantile((const double *)(const void *)values->data,
				 values->len, 0.5);
}

static void take_metrics(const struct judge *judge, struct ab_aa_summary *s)
{
	struct ab_bounds rate;

	for (guint i = 0; i < judge->tallies->len; i++) {
		struct tally *t = judge->tallies->pdata[i];
		struct ab_aa_metric *m = &t->metric;

		m->floor = median(t->floors);
		m->floor_pct = median(t->percents);
		s->tests += m->tests;
		s->alarms += m->alarms;
		s->failed |= m->different || m->too_often;
		g_array_append_val(s->metrics, *m);
	}
	if (s->tests == 0)
		return;
	rate = ab_stats_share_interval(s->alarms, s->tests, LEVEL);
	s->rate = (double)s->alarms / s->tests;
	s->rate_lo = rate.lo;
	s->rate_hi = rate.hi;
}

static void take_nights(const struct ab_aa_record *record,
			struct ab_aa_summary *s)
{
	guint n = record->nights->len;
	const struct ab_aa_night *last;

	s->nights = (int)n;
	for (guint i = 0; i < n; i++) {
		int found;

		g_free(adjusted(record->nights->pdata[i], &found));
		s->nights_failed += found > 0;
	}
	if (n == 0)
		return;
	last = record->nights->pdata[n - 1];
	s->last = g_strdup(last->began);
	s->plan = g_strdup(last->plan);
	s->boots = last->boots;
	s->runs = last->runs;
}

static void clear_metric(gpointer data)
{
	struct ab_aa_metric *m = data;

	g_free(m->scenario);
	g_free(m->metric);
}

static struct ab_aa_summary *summary_new(const struct ab_aa_record *record)
{
	struct ab_aa_summary *s = g_new0(struct ab_aa_summary, 1);
	g_autoptr(GStrvBuilder) problems = g_strv_builder_new();

	s->serial = g_strdup(record->serial);
	s->rate = s->rate_lo = s->rate_hi = NAN;
	s->metrics = g_array_new(FALSE, FALSE, sizeof(struct ab_aa_metric));
	g_array_set_clear_func(s->metrics, clear_metric);
	for (guint i = 0; i < record->problems->len; i++)
		g_strv_builder_add(problems, record->problems->pdata[i]);
	s->problems = g_strv_builder_end(problems);
	return s;
}

struct ab_aa_summary *ab_aa_judge(const struct ab_aa_record *record)
{
	struct ab_aa_summary *s = summary_new(record);
	g_autoptr(GPtrArray) tallies =
		g_ptr_array_new_with_free_func(free_tally);
	g_autoptr(GHashTable) by_name =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct judge judge = { tallies, by_name };
	guint n = record->nights->len;

	for (guint i = n; i > 0; i--)
		add_night(&judge, record->nights->pdata[i - 1]);
	if (n > 0)
		judge_last(&judge, record->nights->pdata[n - 1]);
	judge_chance(&judge);
	take_metrics(&judge, s);
	take_nights(record, s);
	return s;
}

void ab_aa_summary_free(struct ab_aa_summary *s)
{
	if (!s)
		return;
	g_free(s->serial);
	g_free(s->last);
	g_free(s->plan);
	g_array_unref(s->metrics);
	g_strfreev(s->problems);
	g_free(s);
}

const struct ab_aa_metric *ab_aa_find(const struct ab_aa_summary *s,
				      const char *scenario, const char *metric)
{
	for (guint i = 0; i < s->metrics->len; i++) {
		const struct ab_aa_metric *m =
			&g_array_index(s->metrics, struct ab_aa_metric, i);

		if (!strcmp(m->scenario, scenario) &&
		    !strcmp(m->metric, metric))
			return m;
	}
	return NULL;
}

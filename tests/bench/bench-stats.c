// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Do the intervals hold what they promise?  Simulated campaigns with known
 * truth: coverage of the 95 % intervals of difference and percent, and false
 * alarms when both variants are the same.  Beside it what two usual ways of
 * ignoring boots give.  docs/STATISTICS.md has the table of a long run.
 *
 * bench-stats [CAMPAIGNS [KIND]]: in a cell; only kinds that begin so.
 */
#include "../../harness/stats/interval.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.95
#define EFFECT 0.9	 /* B is this much of A */
#define BLOCK_SPREAD 0.1 /* of what both variants of a block have in common */
#define RESAMPLES 200
#define BESIDE 8 /* the usual ways are tried on every eighth campaign */
#define MIN_BEYOND 10
#define PARETO 2.5 /* exponent: the variance is finite, the skewness is not */

static const int all_boots[] = { 4, 6, 8, 16 };
static const int all_runs[] = { 3, 5, 20 };
static const double all_iccs[] = { 0, 0.2, 0.5 };
#define CELLS_A_LINE (G_N_ELEMENTS(all_runs) * G_N_ELEMENTS(all_iccs))

struct kind {
	const char *name;
	struct ab_metric metric;
	double spread; /* of boot and run effects together */
	double rate;   /* events per run; negative: in all of both arms */
	size_t samples;
	/* One boot or run effect, with mean 0 and standard deviation 1. */
	double (*effect)(gsl_rng *rng);
	bool added; /* effects are added to the value, else its log */
	/* Fill one run, whose mean is @mean times all effects. */
	void (*run)(const struct kind *kind, gsl_rng *rng, double mean,
		    double floor, struct ab_obs *obs, double *samples);
};

/* ---- data ---- */

static double normal(gsl_rng *rng)
{
	return gsl_ran_gaussian_ziggurat(rng, 1);
}

static double student(gsl_rng *rng)
{
	return gsl_ran_tdist(rng, 3) / sqrt(3);
}

static double pareto(gsl_rng *rng)
{
	double a = PARETO, mean = a / (a - 1);

	return (gsl_ran_pareto(rng, a, 1) - mean) /
	       sqrt(mean / (a - 1) / (a - 2));
}

static void run_value(const struct kind *kind, gsl_rng *rng, double mean,
		      double floor, struct ab_obs *obs, double *samples)
{
	(void)kind, (void)rng, (void)floor, (void)samples;
	obs->value = mean;
}

static void run_events(const struct kind *kind, gsl_rng *rng, double mean,
		       double floor, struct ab_obs *obs, double *samples)
{
	(void)kind, (void)floor, (void)samples;
	obs->value = gsl_ran_poisson(rng, mean);
}

/* Negative binomial of size 1/2: half of the runs have none at a mean of 1. */
static void run_clumps(const struct kind *kind, gsl_rng *rng, double mean,
		       double floor, struct ab_obs *obs, double *samples)
{
	run_events(kind, rng, gsl_ran_gamma(rng, 0.5, mean / 0.5), floor, obs,
		   samples);
}

static void run_frames(const struct kind *kind, gsl_rng *rng, double mean,
		       double floor, struct ab_obs *obs, double *samples)
{
	(void)kind, (void)floor, (void)samples;
	obs->per = 100 + gsl_ran_poisson(rng, 200);
	obs->value = gsl_ran_poisson(rng, mean * obs->per);
}

/*
 * Exponential samples.  Those below @floor, far below the quantile, only
 * count; the others come in order, by their spacings (Renyi 1953).
 */
static void run_samples(const struct kind *kind, gsl_rng *rng, double mean,
			double floor, struct ab_obs *obs, double *samples)
{
	unsigned int n = (unsigned int)kind->samples, above, below;
	double x = floor;

	above = gsl_ran_binomial(rng, exp(-floor / mean), n);
	below = n - above;
	for (unsigned int i = 0; i < below; i++)
		samples[i] = -(double)(below - i);
	for (unsigned int i = 0; i < above; i++) {
		x += gsl_ran_exponential(rng, mean) / (above - i);
		samples[below + i] = x;
	}
	obs->value = NAN;
	obs->samples = samples;
	obs->n_samples = n;
}

#define VALUE(n, s, e, a)                                                  \
	{                                                                  \
		.name = (n), .metric = { .unit = "us" }, .spread = (s),    \
		.effect = (e), .added = (a), .rate = 100, .run = run_value \
	}
#define EVENTS(n, r, f)                                               \
	{                                                             \
		.name = (n), .metric = { .unit = "" }, .spread = 0.3, \
		.effect = normal, .rate = (r), .run = (f)             \
	}
#define QUANTILE(q, n)                                                      \
	{                                                                   \
		.name = #n ", P" #q,                                        \
		.metric = { .unit = "us",                                   \
			    .stat = AB_STAT_QUANTILE,                       \
			    .arg = (q) / 100.0 },                           \
		.spread = 0.3, .effect = normal, .rate = 1, .samples = (n), \
		.run = run_samples                                          \
	}
static const struct kind kinds[] = {
	VALUE("normal", 0.1, normal, true),
	VALUE("log-normal", 0.5, normal, false),
	VALUE("Student t3", 0.1, student, true),
	VALUE("Pareto 2.5", 0.2, pareto, true),
	EVENTS("5 a run", 5, run_events),
	EVENTS("40 events", -40, run_events),
	EVENTS("20 events", -20, run_events),
	EVENTS("12 events", -12, run_events),
	EVENTS("4 events", -4, run_events),
	EVENTS("2, clumped", 2, run_clumps),
	EVENTS("40, clumped", -40, run_clumps),
	EVENTS("12, clumped", -12, run_clumps),
	{ .name = "5 % ratio",
	  .metric = { .unit = "%", .stat = AB_STAT_RATIO, .arg = 100 },
	  .spread = 0.3,
	  .effect = normal,
	  .rate = 0.05,
	  .run = run_frames },
	QUANTILE(90, 100),
	QUANTILE(90, 1000),
	QUANTILE(99, 100),
	QUANTILE(99, 1000),
};

/* ---- campaigns ---- */

struct tally {
	int n, hits;
};

struct cell {
	const struct kind *kind;
	int boots, runs;
	double icc;
	int campaigns;
	struct tally diff, pct, alarm, pooled, two_level;
};

/* A single block's effect is part of what is estimated. */
static double block_spread(const struct cell *c)
{
	return c->boots > 1 ? BLOCK_SPREAD : 0;
}

static double rate_of(const struct cell *c)
{
	if (c->kind->rate >= 0)
		return c->kind->rate;
	return -c->kind->rate / 2 / c->boots / c->runs;
}

/* Share of exponential samples above @x, when their mean varies. */
static double share_above(double x, double log_sd)
{
	double sum = 0, weights = 0;

	for (int i = -60; i <= 60; i++) {
		double z = i / 10.0, weight = exp(-z * z / 2);

		sum += weight * exp(-x / exp(z * log_sd));
		weights += weight;
	}
	return sum / weights;
}

static double quantile_truth(double q, double log_sd)
{
	double lo = 0, hi = 1000;

	for (int i = 0; i < 60; i++) {
		double x = (lo + hi) / 2;

		if (share_above(x, log_sd) > 1 - q)
			lo = x;
		else
			hi = x;
	}
	return lo;
}

/* The baseline's true value. */
static double truth_of(const struct cell *c)
{
	const struct kind *k = c->kind;
	double block = block_spread(c);
	double log_var = block * block + k->spread * k->spread;
	double scale = k->metric.stat == AB_STAT_RATIO ? k->metric.arg : 1;

	if (k->samples)
		return quantile_truth(k->metric.arg, sqrt(log_var));
	return scale * rate_of(c) * (k->added ? 1 : exp(log_var / 2));
}

struct data {
	struct ab_obs *obs;
	double *samples;
	size_t n;
};

static void simulate(const struct cell *c, double effect, double floor,
		     gsl_rng *rng, struct data *d)
{
	const struct kind *k = c->kind;
	double boot_sd = k->spread * sqrt(c->icc);
	double run_sd = k->spread * sqrt(1 - c->icc);
	double block = 0, boot = 0;

	for (size_t i = 0; i < d->n; i++) {
		int session = (int)i / c->runs, b = session % 2;
		double all;

		if (i % (2 * (size_t)c->runs) == 0)
			block = block_spread(c) * normal(rng);
		if (i % (size_t)c->runs == 0)
			boot = boot_sd * k->effect(rng);
		all = block + boot + run_sd * k->effect(rng);
		all = k->added ? 1 + all : exp(all);
		d->obs[i] = (struct ab_obs){ .variant = b,
					     .block = session / 2,
					     .session = session };
		k->run(k, rng, (b ? effect : 1) * rate_of(c) * all, floor,
		       &d->obs[i], d->samples + i * k->samples);
	}
}

/* ---- what is made of them ---- */

static void count(struct tally *t, bool hit)
{
	t->n++;
	t->hits += hit;
}

/* What ab_stats_compare() does, without the permutation test. */
static bool take_moments(const struct cell *c, const struct stats_set *set,
			 gsl_rng *rng, struct ab_moments *m)
{
	bool ok = set->pool ? moments_bootstrap(set, RESAMPLES, rng, m)
			    : moments_linear(set, m);

	moments_few_events(set, m);
	return ok && (!set->pool || (double)c->boots * c->runs *
						    (double)c->kind->samples *
						    (1 - c->kind->metric.arg) >=
					    MIN_BEYOND);
}

static void count_alarm(struct tally *t, const struct ab_moments *m)
{
	double above = change_tail(m, 0, true);
	double below = change_tail(m, 0, false);

	count(t, 2 * MIN(above, below) <= 1 - LEVEL);
}

static void count_covered(struct cell *c, const struct ab_moments *m,
			  double truth)
{
	double diff = (EFFECT - 1) * truth, pct = 100 * (EFFECT - 1), lo, hi;
	const char *reason;

	difference_interval(m, LEVEL, &lo, &hi);
	count(&c->diff, lo <= diff && diff <= hi);
	if (percent_interval(m, LEVEL, &lo, &hi, &reason))
		count(&c->pct, lo <= pct && pct <= hi);
}

/* Runs of one boot, as a set of runs has them, drawn with replacement. */
static void draw_boot(const struct cell *c, const struct stats_set *runs,
		      size_t begin, gsl_rng *rng, unsigned int *weights,
		      struct cluster *sum)
{
	sum->num = sum->den = 0;
	for (int i = 0; i < c->runs; i++) {
		size_t k = begin + gsl_rng_uniform_int(rng, (gulong)c->runs);

		weights[k]++;
		sum->num += runs->clusters[k].num;
		sum->den += runs->clusters[k].den;
	}
}

static double draw_diff(const struct cell *c, const struct stats_set *runs,
			gsl_rng *rng, unsigned int *weights[2])
{
	struct cluster sum[2] = { 0 }, boot;
	size_t boots = (size_t)c->boots, per = (size_t)c->runs;

	for (int arm = 0; arm < 2; arm++)
		memset(weights[arm], 0, runs->n * sizeof(*weights[arm]));
	for (size_t i = 0; i < boots; i++) {
		size_t k = gsl_rng_uniform_int(rng, boots);

		for (size_t arm = 0; arm < 2; arm++) {
			draw_boot(c, runs, (arm * boots + k) * per, rng,
				  weights[arm], &boot);
			sum[arm].num += boot.num;
			sum[arm].den += boot.den;
		}
	}
	if (runs->pool)
		return stats_set_eval(runs, weights[1]) -
		       stats_set_eval(runs, weights[0]);
	return sum[1].num / sum[1].den - sum[0].num / sum[0].den;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Blocks drawn, then runs within each of their boots; percentiles. */
static void count_two_level(struct cell *c, const struct stats_set *runs,
			    gsl_rng *rng)
{
	unsigned int *weights[2] = { stats_set_arm(runs, 0),
				     stats_set_arm(runs, 1) };
	double diffs[RESAMPLES];
	struct ab_bounds ends;

	for (int i = 0; i < RESAMPLES; i++)
		diffs[i] = draw_diff(c, runs, rng, weights);
	qsort(diffs, RESAMPLES, sizeof(*diffs), compare_doubles);
	ends = ab_stats_percentile(diffs, RESAMPLES, LEVEL);
	count(&c->two_level, ends.lo <= 0 && ends.hi >= 0);
	g_free(weights[0]);
	g_free(weights[1]);
}

static void try_usual(struct cell *c, const struct obs_list *list, gsl_rng *rng)
{
	struct ab_moments m;
	struct stats_set runs;

	stats_set_init(&runs, &c->kind->metric, list, false);
	if (take_moments(c, &runs, rng, &m)) {
		count_alarm(&c->pooled, &m);
		count_two_level(c, &runs, rng);
	}
	stats_set_clear(&runs);
}

/* Moments of a campaign whose B is @effect times that of @m. */
static struct ab_moments scaled(const struct ab_moments *m, double effect)
{
	struct ab_moments s = *m;

	s.b *= effect;
	s.var_b *= effect * effect;
	s.cov *= effect;
	return s;
}

/*
 * One campaign, or two of the same size where an effect is not a mere factor
 * on all values of B: with events.
 */
static void campaign(struct cell *c, int number, double truth, gsl_rng *rng,
		     struct data *d)
{
	bool factor = c->kind->samples || c->kind->run == run_value;

	for (int same = 1; same >= (factor ? 1 : 0); same--) {
		struct ab_moments m, effect;
		struct obs_list list;
		struct stats_set set;

		simulate(c, same ? 1 : EFFECT, truth / 2, rng, d);
		list = obs_list_new(&c->kind->metric, d->obs, d->n, 0, 1);
		stats_set_init(&set, &c->kind->metric, &list, c->boots > 1);
		if (take_moments(c, &set, rng, &m)) {
			effect = factor ? scaled(&m, EFFECT) : m;
			if (same)
				count_alarm(&c->alarm, &m);
			if (!same || factor)
				count_covered(c, &effect, truth);
			if (same && number % BESIDE == 0 && c->boots > 1)
				try_usual(c, &list, rng);
		}
		stats_set_clear(&set);
		obs_list_clear(&list);
	}
}

static void fill_cell(gpointer data, gpointer user_data)
{
	struct cell *c = data;
	struct data d = { .n = 2 * (size_t)c->boots * (size_t)c->runs };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double truth = truth_of(c);

	(void)user_data;
	gsl_rng_set(rng, (gulong)c->boots * 10000 + (gulong)c->runs * 10 +
				 (gulong)(c->icc * 10));
	d.obs = g_new0(struct ab_obs, d.n);
	d.samples = g_new(double, d.n * c->kind->samples + 1);
	for (int i = 0; i < c->campaigns; i++)
		campaign(c, i, truth, rng, &d);
	g_free(d.obs);
	g_free(d.samples);
	gsl_rng_free(rng);
}

/* ---- tables ---- */

static double share(const struct tally *t)
{
	return t->n ? 100.0 * t->hits / t->n : NAN;
}

/* The smallest and the largest share of @n cells, where enough were counted. */
static void print_range(const struct cell *cells, size_t n, size_t offset)
{
	double lo = INFINITY, hi = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		const struct tally *t =
			(const void *)((const char *)&cells[i] + offset);

		if (4 * BESIDE * t->n < cells[i].campaigns || !t->n)
			continue;
		lo = fmin(lo, share(t));
		hi = fmax(hi, share(t));
	}
	if (lo <= hi)
		g_print(" | %5.1f %5.1f", lo, hi);
	else
		g_print(" | %11s", "-");
}

static void print_cells(const struct cell *c, size_t n)
{
	g_print(" %-11s | %5d", c->kind->name, c->boots);
	if (n == 1)
		g_print(" | %4d | %.1f", c->runs, c->icc);
	print_range(c, n, G_STRUCT_OFFSET(struct cell, diff));
	print_range(c, n, G_STRUCT_OFFSET(struct cell, pct));
	print_range(c, n, G_STRUCT_OFFSET(struct cell, alarm));
	if (c->boots > 1) {
		print_range(c, n, G_STRUCT_OFFSET(struct cell, pooled));
		print_range(c, n, G_STRUCT_OFFSET(struct cell, two_level));
	}
	g_print("\n");
}

static void fill(GArray *cells)
{
	GThreadPool *pool = g_thread_pool_new(
		fill_cell, NULL, (int)g_get_num_processors(), TRUE, NULL);

	for (guint i = 0; i < cells->len; i++)
		g_thread_pool_push(pool, &g_array_index(cells, struct cell, i),
				   NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
}

static void add_cells(GArray *cells, const struct kind *kind, int boots,
		      const int *runs, int campaigns)
{
	for (size_t r = 0; r < G_N_ELEMENTS(all_runs); r++)
		for (size_t i = 0; i < G_N_ELEMENTS(all_iccs); i++) {
			struct cell c = { .kind = kind,
					  .boots = boots,
					  .runs = runs[r],
					  .icc = all_iccs[i],
					  .campaigns = campaigns };

			g_array_append_val(cells, c);
		}
}

static void print_table(int campaigns, const char *prefix)
{
	g_autoptr(GArray) cells =
		g_array_new(FALSE, FALSE, sizeof(struct cell));

	for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++)
		for (size_t b = 0; b < G_N_ELEMENTS(all_boots); b++)
			if (g_str_has_prefix(kinds[k].name, prefix))
				add_cells(cells, &kinds[k], all_boots[b],
					  all_runs, campaigns);
	fill(cells);
	g_print("# %d campaigns a cell; %%, from - to over runs a boot and ICC\n"
		" data        | boots | cover diff. | cover perc. | A/A alarms  "
		"| runs pooled | two-level\n",
		campaigns);
	for (size_t i = 0; i < cells->len; i += CELLS_A_LINE)
		print_cells(&g_array_index(cells, struct cell, i),
			    CELLS_A_LINE);
}

/* One boot of each variant: the runs are all there is. */
static void print_single(int campaigns, const char *prefix)
{
	static const int runs[] = { 5, 20, 100 };
	g_autoptr(GArray) cells =
		g_array_new(FALSE, FALSE, sizeof(struct cell));

	for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++)
		if (kinds[k].rate > 0 && kinds[k].samples < 1000 &&
		    g_str_has_prefix(kinds[k].name, prefix))
			add_cells(cells, &kinds[k], 1, runs, campaigns);
	fill(cells);
	g_print("# one boot of each variant, %d campaigns a cell\n"
		" data        | boots | runs | ICC | cover diff. | cover perc. | "
		"A/A alarms\n",
		campaigns);
	for (size_t i = 0; i < cells->len; i++)
		print_cells(&g_array_index(cells, struct cell, i), 1);
}

int main(int argc, char **argv)
{
	int campaigns = argc > 1 ? atoi(argv[1]) : 250;
	const char *prefix = argc > 2 ? argv[2] : "";

	print_table(campaigns, prefix);
	print_single(campaigns, prefix);
	return 0;
}

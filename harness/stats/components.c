// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Variance components.  With two variants the fit of variant and blocks has a
 * closed form: within blocks, the variant's indicator is one regressor, x.
 */
#include "linear.h"
#include "noise.h"

#include <abrig/stats_design.h>
#include <math.h>

struct boot {
	double n, mean;
	double x;      /* 1: the variant */
	size_t block;  /* index into blocks */
	double square; /* of its runs about its mean */
};

struct block {
	double n, mean, x; /* over runs */
	double arm_n[2];
};

struct layout {
	struct boot *boots;
	struct block *blocks;
	size_t n_boots, n_blocks;
	double n, arm_n[2], arm_mean[2];
	double sxx, sxy; /* of x and the boots' means within blocks */
};

static bool same_boot(const struct ab_obs *a, const struct ab_obs *b)
{
	return obs_same_block(a, b) && a->variant == b->variant &&
	       a->session == b->session;
}

static struct boot boot_of(const struct obs_list *list, const double *y,
			   size_t begin, size_t end)
{
	struct boot boot = { .n = (double)(end - begin),
			     .x = list->obs[begin]->variant != 0 };

	for (size_t i = begin; i < end; i++)
		boot.mean += y[i] / boot.n;
	for (size_t i = begin; i < end; i++)
		boot.square += (y[i] - boot.mean) * (y[i] - boot.mean);
	return boot;
}

static void add_boots(struct layout *l, const struct obs_list *list,
		      const double *y)
{
	size_t end;

	for (size_t i = 0; i < list->n; i = end) {
		if (i > 0 && !obs_same_block(list->obs[i - 1], list->obs[i]))
			l->n_blocks++;
		for (end = i;
		     end < list->n && same_boot(list->obs[i], list->obs[end]);
		     end++)
			;
		l->boots[l->n_boots] = boot_of(list, y, i, end);
		l->boots[l->n_boots++].block = l->n_blocks;
	}
	l->n_blocks += list->n > 0;
}

static void add_means(struct layout *l)
{
	for (size_t k = 0; k < l->n_boots; k++) {
		const struct boot *boot = &l->boots[k];
		struct block *block = &l->blocks[boot->block];
		int arm = boot->x > 0;

		l->n += boot->n;
		block->n += boot->n;
		block->mean += boot->n * (boot->mean - block->mean) / block->n;
		block->x += boot->n * (boot->x - block->x) / block->n;
		block->arm_n[arm] += boot->n;
		l->arm_n[arm] += boot->n;
		l->arm_mean[arm] += boot->n * (boot->mean - l->arm_mean[arm]) /
				    l->arm_n[arm];
	}
	for (size_t k = 0; k < l->n_boots; k++) {
		const struct boot *boot = &l->boots[k];
		const struct block *block = &l->blocks[boot->block];
		double x = boot->x - block->x;

		l->sxx += boot->n * x * x;
		l->sxy += boot->n * x * (boot->mean - block->mean);
	}
}

static void layout_init(struct layout *l, const struct obs_list *list,
			const double *y)
{
	*l = (struct layout){
		.boots = g_new0(struct boot, list->n + 1),
		.blocks = g_new0(struct block, list->n + 1),
	};
	add_boots(l, list, y);
	add_means(l);
}

static void layout_clear(struct layout *l)
{
	g_free(l->boots);
	g_free(l->blocks);
}

/* Trace of Z' P Z for boots, P the fit of variant and blocks. */
static double boots_fitted(const struct layout *l)
{
	double sum = 0;

	for (size_t k = 0; k < l->n_boots; k++) {
		const struct boot *boot = &l->boots[k];
		const struct block *block = &l->blocks[boot->block];
		double x = boot->n * (boot->x - block->x);

		sum += boot->n * boot->n / block->n + x * x / l->sxx;
	}
	return sum;
}

static void add_squares(struct ab_squares *s, const struct layout *l)
{
	double total = 0, boots = -l->sxy * l->sxy / l->sxx;

	for (size_t k = 0; k < l->n_boots; k++) {
		const struct boot *boot = &l->boots[k];
		double d = boot->mean - l->blocks[boot->block].mean;
		double v = boot->mean - l->arm_mean[boot->x > 0];

		s->run += boot->square;
		boots += boot->n * d * d;
		total += boot->n * v * v;
		s->size_squares += boot->n * boot->n;
	}
	/* Rounding must not make them negative. */
	s->boot += MAX(boots, 0);
	s->block += MAX(total - boots, 0);
}

static void add_expectations(struct ab_squares *s, const struct layout *l)
{
	double fitted = boots_fitted(l), by_variant = 0, blocks = 0;

	for (size_t k = 0; k < l->n_boots; k++)
		by_variant += l->boots[k].n * l->boots[k].n /
			      l->arm_n[l->boots[k].x > 0];
	for (size_t i = 0; i < l->n_blocks; i++)
		for (int arm = 0; arm < 2; arm++)
			blocks += l->blocks[i].arm_n[arm] *
				  l->blocks[i].arm_n[arm] / l->arm_n[arm];
	s->run_df += l->n - (double)l->n_boots;
	s->boot_df += (double)l->n_boots - (double)l->n_blocks - 1;
	s->block_df += (double)l->n_blocks - 1;
	s->boot_in_boot += l->n - fitted;
	s->boot_in_block += fitted - by_variant;
	s->block_in_block += l->n - blocks;
}

static void add_counts(struct ab_squares *s, const struct layout *l)
{
	s->blocks += (int)l->n_blocks;
	s->base_sum += l->arm_n[0] * l->arm_mean[0];
	s->variant_sum += l->arm_n[1] * l->arm_mean[1];
	for (int arm = 0; arm < 2; arm++)
		s->runs[arm] += (int)l->arm_n[arm];
	for (size_t k = 0; k < l->n_boots; k++)
		s->boots[l->boots[k].x > 0]++;
}

static bool add_values(struct ab_squares *s, const struct obs_list *list,
		       const double *y)
{
	struct layout l;
	bool ok;

	layout_init(&l, list, y);
	ok = isfinite(l.arm_mean[0]) && isfinite(l.sxy);
	if (ok) {
		add_squares(s, &l);
		add_expectations(s, &l);
		add_counts(s, &l);
	}
	layout_clear(&l);
	return ok;
}

/* ---- how noise follows the mean ---- */

/* The logarithms of @y, scaled to vary as the values do; false: there are
 * none.  The scale, the geometric mean, makes likelihoods comparable. */
static bool scaled_logs(const double *y, size_t n, double *logs_out)
{
	double mean = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(y[i] > 0))
			return false;
		logs_out[i] = log(y[i]);
		mean += logs_out[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++)
		logs_out[i] *= exp(mean);
	return true;
}

static bool has_sign(const struct ab_obs *obs)
{
	return obs->value < 0 || (obs->n_samples > 0 && obs->samples[0] < 0);
}

/* Linearised values have none. */
static bool has_logs(const struct ab_metric *metric)
{
	return metric->stat != AB_STAT_QUANTILE &&
	       metric->stat != AB_STAT_RATIO;
}

/* df / 2 times the log of the ratio of two mean squares. */
static double gained(double values, double logs, double df)
{
	return df > 0 && values > 0 && logs > 0 ? df / 2 * log(values / logs)
						: 0;
}

static void add_growth(struct ab_squares *s, const struct ab_metric *metric,
		       const struct obs_list *list, const double *y)
{
	g_autofree double *logs = g_new(double, list->n + 1);
	struct ab_squares v = { 0 }, l = { 0 };

	if (obs_list_counts(metric, list))
		return;
	for (size_t i = 0; i < list->n; i++)
		s->signs |= has_sign(list->obs[i]);
	if (!has_logs(metric) || !scaled_logs(y, list->n, logs) ||
	    !add_values(&v, list, y) || !add_values(&l, list, logs))
		return;
	s->logs += gained(v.run, l.run, v.run_df) +
		   gained(v.boot, l.boot, v.boot_df) +
		   gained(v.block, l.block, v.block_df);
}

static double growth_of(const struct ab_squares *s)
{
	return s->signs ? 0 : 2 / (1 + exp(-s->logs));
}

double components_growth(const struct ab_metric *metric,
			 const struct obs_list *list)
{
	g_autofree double *y = g_new0(double, list->n + 1);
	struct ab_squares s = { 0 };

	if (!has_logs(metric) || !linear_run_values(metric, list, y))
		add_growth(&s, metric, list, y);
	return growth_of(&s);
}

static const char *add_list(struct ab_squares *s,
			    const struct ab_metric *metric,
			    const struct obs_list *list)
{
	g_autofree double *y = g_new0(double, list->n + 1);
	const char *reason = linear_run_values(metric, list, y);

	if (reason)
		return reason;
	if (!add_values(s, list, y))
		return "values too large";
	add_growth(s, metric, list, y);
	return NULL;
}

void ab_stats_squares_add(struct ab_squares *squares,
			  const struct ab_metric *metric,
			  const struct ab_obs *obs, size_t n_obs, int b)
{
	struct obs_list list = obs_list_new(metric, obs, n_obs, 0, b);
	const char *reason = "no block holds both variants";

	if (obs_list_keep_pairs(&list, 0, b) > 0)
		reason = add_list(squares, metric, &list);
	if (reason)
		squares->reason = reason;
	obs_list_clear(&list);
}

static const char *why_unknown(const struct ab_squares *s)
{
	if (!s->blocks)
		return s->reason ? s->reason : "nothing was measured";
	if (!(s->boot_df > 0))
		return "one boot per variant: boot-to-boot variation was not "
		       "measured";
	if (!(s->run_df > 0))
		return "one run per boot: its boot and its own variation "
		       "cannot be told apart";
	return NULL;
}

static void solve(const struct ab_squares *s, struct ab_components *c)
{
	double run = s->run_df > 0 ? s->run / s->run_df : 0;

	if (s->run_df > 0)
		c->run = run;
	if (s->boot_df > 0)
		c->boot = (s->boot - s->boot_df * run) / s->boot_in_boot;
	if (s->block_in_block > 0 && s->boot_df > 0)
		c->block = (s->block - s->block_df * run -
			    s->boot_in_block * c->boot) /
			   s->block_in_block;
}

static void set_icc(struct ab_components *c)
{
	double boot = MAX(c->boot, 0);

	c->truncated = c->boot < 0;
	if (isnan(c->run) || isnan(c->boot))
		return;
	/* Without any variation runs of a boot are not more alike. */
	c->icc = boot + c->run > 0 ? boot / (boot + c->run) : 0;
	c->design_effect = 1 + (c->runs_per_boot - 1) * c->icc;
	for (int arm = 0; arm < 2; arm++)
		c->effective[arm] = c->runs[arm] / c->design_effect;
}

void ab_stats_components_of(const struct ab_squares *squares,
			    struct ab_components *components_out)
{
	const struct ab_squares *s = squares;
	struct ab_components c = {
		.mean = NAN,
		.ratio = NAN,
		.growth = growth_of(s),
		.run = NAN,
		.boot = NAN,
		.block = NAN,
		.icc = NAN,
		.runs_per_boot = NAN,
		.design_effect = NAN,
		.effective = { NAN, NAN },
		.runs = { s->runs[0], s->runs[1] },
		.boots = { s->boots[0], s->boots[1] },
		.blocks = s->blocks,
		.reason = why_unknown(s),
	};

	if (s->blocks > 0) {
		c.mean = s->base_sum / s->runs[0];
		c.ratio = s->variant_sum / s->runs[1] / c.mean;
		c.runs_per_boot = s->size_squares / (s->runs[0] + s->runs[1]);
		solve(s, &c);
		set_icc(&c);
	}
	*components_out = c;
}

void ab_stats_components(const struct ab_metric *metric,
			 const struct ab_obs *obs, size_t n_obs, int b,
			 struct ab_components *components_out)
{
	struct ab_squares squares = { 0 };

	ab_stats_squares_add(&squares, metric, obs, n_obs, b);
	ab_stats_components_of(&squares, components_out);
}

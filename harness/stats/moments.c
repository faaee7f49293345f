// SPDX-License-Identifier: GPL-3.0-or-later
#include "set.h"

#include <math.h>

double moments_var_diff(const struct ab_moments *s)
{
	/* Rounding must not make it negative. */
	return MAX(s->var_a + s->var_b - 2 * s->cov, 0);
}

static void set_df(const struct stats_set *set, struct ab_moments *m)
{
	double n_a = (double)set->n_base, n_b = (double)(set->n - set->n_base);
	double sum = m->var_a + m->var_b;

	if (set->paired) {
		m->df = n_a - 1;
		return;
	}
	/* Welch-Satterthwaite; without variance any will do. */
	m->df = MIN(n_a, n_b) - 1;
	if (sum > 0) {
		double share = m->var_a / sum;

		m->df = 1 / (share * share / (n_a - 1) +
			     (1 - share) * (1 - share) / (n_b - 1));
	}
}

/* Values near the end of the range overflow when squared. */
static bool finite_moments(const struct ab_moments *m)
{
	return isfinite(m->a) && isfinite(m->b) && isfinite(m->var_a) &&
	       isfinite(m->var_b) && isfinite(m->cov) && isfinite(m->df);
}

static bool enough_clusters(const struct stats_set *set)
{
	return set->n_base >= 2 && set->n - set->n_base >= 2;
}

/* @value and (num - value * den) / mean(den) of one arm's clusters. */
struct linear_arm {
	size_t n;
	double value;
	double *residuals;
};

static void linear_arm_init(struct linear_arm *arm, const struct stats_set *set,
			    int which)
{
	double num = 0, den = 0;

	*arm = (struct linear_arm){ .residuals = g_new0(double, set->n) };
	for (size_t i = 0; i < set->n; i++)
		if (set->clusters[i].arm == which) {
			num += set->clusters[i].num;
			den += set->clusters[i].den;
			arm->n++;
		}
	arm->value = num / den;
	for (size_t i = 0, k = 0; i < set->n; i++) {
		const struct cluster *c = &set->clusters[i];

		if (c->arm == which)
			arm->residuals[k++] = (c->num - arm->value * c->den) /
					      (den / (double)arm->n);
	}
}

/* Covariance of two means of @n. */
static double mean_cov(const double *x, const double *y, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum / (double)(n - 1) / (double)n;
}

bool moments_linear(const struct stats_set *set, struct ab_moments *s_out)
{
	struct linear_arm a, b;
	struct ab_moments m = { .floor = true };

	if (!enough_clusters(set))
		return false;
	linear_arm_init(&a, set, 0);
	linear_arm_init(&b, set, 1);
	m.a = a.value;
	m.b = b.value;
	m.var_a = mean_cov(a.residuals, a.residuals, a.n);
	m.var_b = mean_cov(b.residuals, b.residuals, b.n);
	if (set->paired)
		m.cov = mean_cov(a.residuals, b.residuals, a.n);
	g_free(a.residuals);
	g_free(b.residuals);
	for (size_t i = 0; i < set->n; i++)
		m.floor &= set->clusters[i].num >= 0;
	set_df(set, &m);
	*s_out = m;
	return finite_moments(&m);
}

/* Each cluster, or pair of clusters, as often as it was drawn. */
static void draw(const struct stats_set *set, gsl_rng *rng, unsigned int *arm_a,
		 unsigned int *arm_b)
{
	size_t n_a = set->n_base, n_b = set->n - set->n_base;

	for (size_t i = 0; i < set->n; i++)
		arm_a[i] = arm_b[i] = 0;
	for (size_t i = 0; i < n_a; i++) {
		size_t k = gsl_rng_uniform_int(rng, n_a);

		arm_a[set->paired ? 2 * k : k]++;
		if (set->paired)
			arm_b[2 * k + 1]++;
	}
	for (size_t i = 0; !set->paired && i < n_b; i++)
		arm_b[n_a + gsl_rng_uniform_int(rng, n_b)]++;
}

struct running {
	double n, mean_a, mean_b, aa, bb, ab;
};

static void running_add(struct running *r, double a, double b)
{
	double da = a - r->mean_a, db = b - r->mean_b;

	r->n++;
	r->mean_a += da / r->n;
	r->mean_b += db / r->n;
	r->aa += da * (a - r->mean_a);
	r->bb += db * (b - r->mean_b);
	r->ab += da * (b - r->mean_b);
}

static void use_running(const struct running *r, const struct stats_set *set,
			struct ab_moments *m)
{
	double n_a = (double)set->n_base, n_b = (double)(set->n - set->n_base);

	/* The variance of a resample misses the factor n / (n - 1). */
	m->var_a = r->aa / (r->n - 1) * n_a / (n_a - 1);
	m->var_b = r->bb / (r->n - 1) * n_b / (n_b - 1);
	if (set->paired)
		m->cov = r->ab / (r->n - 1) * n_a / (n_a - 1);
}

bool moments_bootstrap(const struct stats_set *set, int resamples, gsl_rng *rng,
		       struct ab_moments *s_out)
{
	g_autofree unsigned int *arm_a = stats_set_arm(set, 0);
	g_autofree unsigned int *arm_b = stats_set_arm(set, 1);
	struct running r = { 0 };
	struct ab_moments m = { .a = stats_set_eval(set, arm_a),
				.b = stats_set_eval(set, arm_b),
				.floor = true };

	if (!enough_clusters(set) || !isfinite(m.a) || !isfinite(m.b))
		return false;
	for (int i = 0; i < MAX(resamples, 2); i++) {
		double a, b;

		draw(set, rng, arm_a, arm_b);
		a = stats_set_eval(set, arm_a);
		b = stats_set_eval(set, arm_b);
		m.floor &= a >= 0 && b >= 0;
		running_add(&r, a, b);
	}
	use_running(&r, set, &m);
	set_df(set, &m);
	*s_out = m;
	return finite_moments(&m);
}

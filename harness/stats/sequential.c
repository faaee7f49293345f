// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Group-sequential boundaries.  The statistic is Brownian motion at the
 * information fractions; what has not crossed yet has a sub-density on the
 * interval between the boundaries, carried from look to look.
 */
#include <abrig/stats_sequential.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#define MAX_Z 38 /* beyond it the normal tail is 0 */
#define HALVINGS 60
/*
 * What boundaries for normal statistics may spend where t statistics of few
 * blocks are compared with them: simulated, these spend up to 1.17 times as
 * much from 3 blocks on (docs/STATISTICS.md, "Stopping early").
 */
#define FEW_BLOCKS 0.85

double ab_stats_spent(enum ab_spending spending, double alpha, double t)
{
	double z;

	if (!(t > 0))
		return 0;
	if (t >= 1)
		return alpha;
	if (spending == AB_SPEND_POCOCK)
		return alpha * log(1 + (M_E - 1) * t);
	/* Each side spends half of it. */
	z = gsl_cdf_ugaussian_Qinv(alpha / 4);
	return 4 * gsl_cdf_ugaussian_Q(z / sqrt(t));
}

/* The sub-density at the nodes of a rule. */
struct density {
	gsl_integration_glfixed_table *table;
	size_t n;
	double *x, *mass; /* weight times density */
};

static void density_clear(struct density *d)
{
	if (d->table)
		gsl_integration_glfixed_table_free(d->table);
	g_free(d->x);
	g_free(d->mass);
	*d = (struct density){ 0 };
}

/* Nodes on [-edge, edge], no farther apart than the kernels are wide. */
static void density_init(struct density *d, double edge, double width)
{
	*d = (struct density){ .n = 128 };
	while ((double)d->n < 4 * edge / width && d->n < 4096)
		d->n *= 2;
	d->table = gsl_integration_glfixed_table_alloc(d->n);
	d->x = g_new(double, d->n);
	d->mass = g_new(double, d->n);
	for (size_t i = 0; i < d->n; i++)
		gsl_integration_glfixed_point(-edge, edge, i, &d->x[i],
					      &d->mass[i], d->table);
}

/* Without a density yet, all of it is at 0. */
static double density_at(const struct density *d, double x, double width)
{
	double sum = 0;

	if (!d->n)
		return gsl_ran_gaussian_pdf(x, width);
	for (size_t i = 0; i < d->n; i++)
		sum += d->mass[i] * gsl_ran_gaussian_pdf(x - d->x[i], width);
	return sum;
}

/* What will be beyond -@edge or @edge a step of @width later. */
static double beyond(const struct density *d, double edge, double width)
{
	double sum = 0;

	if (!d->n)
		return 2 * gsl_cdf_gaussian_Q(edge, width);
	for (size_t i = 0; i < d->n; i++)
		sum += d->mass[i] * (gsl_cdf_gaussian_Q(edge - d->x[i], width) +
				     gsl_cdf_gaussian_Q(edge + d->x[i], width));
	return sum;
}

/* The edge beyond which the step leaves @error. */
static double find_edge(const struct density *d, double width, double most,
			double error)
{
	double low = 0, high = most;

	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		if (beyond(d, middle, width) > error)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static void step(struct density *d, double edge, double width,
		 double next_width)
{
	struct density next;

	density_init(&next, edge, MIN(width, next_width));
	for (size_t i = 0; i < next.n; i++)
		next.mass[i] *= density_at(d, next.x[i], width);
	density_clear(d);
	*d = next;
}

static bool are_fractions(const double *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(t[i] > (i ? t[i - 1] : 0) && t[i] <= 1))
			return false;
	return true;
}

bool ab_stats_sequential_bounds(enum ab_spending spending, double alpha,
				const double *t, size_t n, double *z_out)
{
	struct density d = { 0 };
	double spent = 0;

	if (!(alpha > 0 && alpha < 1) || !are_fractions(t, n))
		return false;
	for (size_t i = 0; i < n; i++) {
		double width = sqrt(t[i] - (i ? t[i - 1] : 0));
		double now = ab_stats_spent(spending, alpha, t[i]);
		double edge =
			find_edge(&d, width, MAX_Z * sqrt(t[i]), now - spent);

		z_out[i] = edge / sqrt(t[i]);
		spent = now;
		if (i + 1 < n)
			step(&d, edge, width, sqrt(t[i + 1] - t[i]));
	}
	density_clear(&d);
	return true;
}

/* ---- looks at blocks ---- */

int ab_stats_looks(const struct ab_looks *looks)
{
	int between = looks->blocks - looks->first;

	return 1 + (between + looks->every - 1) / looks->every;
}

static int blocks_at(const struct ab_looks *looks, int number)
{
	/* Not a product that may overflow. */
	if (number >= ab_stats_looks(looks))
		return looks->blocks;
	return looks->first + (number - 1) * looks->every;
}

bool ab_stats_look(const struct ab_looks *looks, double alpha, int number,
		   struct ab_look *look_out)
{
	g_autofree double *t = NULL, *z = NULL;

	if (looks->first < 1 || looks->every < 1 ||
	    looks->blocks < looks->first || number < 1 ||
	    number > ab_stats_looks(looks))
		return false;
	t = g_new(double, number);
	z = g_new(double, number);
	for (int i = 0; i < number; i++)
		t[i] = (double)blocks_at(looks, i + 1) / looks->blocks;
	if (!ab_stats_sequential_bounds(looks->spending, FEW_BLOCKS * alpha, t,
					(size_t)number, z))
		return false;
	*look_out = (struct ab_look){
		.number = number,
		.of = ab_stats_looks(looks),
		.blocks = blocks_at(looks, number),
		.fraction = t[number - 1],
		.spent = ab_stats_spent(looks->spending, alpha, t[number - 1]),
		.nominal = 2 * gsl_cdf_ugaussian_Q(z[number - 1]),
	};
	return true;
}

/* ---- futility ---- */

static double within(double mean, double sd, double half)
{
	if (half <= 0)
		return 0;
	return gsl_cdf_gaussian_P(half - mean, sd) -
	       gsl_cdf_gaussian_P(-half - mean, sd);
}

static double t_of(double level, double df)
{
	return gsl_cdf_tdist_Pinv(0.5 + level / 2, df);
}

double ab_stats_chance(const struct ab_looks *looks, double alpha, int number,
		       const struct ab_comparison *c)
{
	double margin = c->margin_pct / 100 * fabs(c->a.value), se, last,
	       chance;
	double df = c->blocks - 1, last_df, sd;
	struct ab_look look, end;

	if (!ab_stats_look(looks, alpha, number, &look) ||
	    !ab_stats_look(looks, alpha, look.of, &end) || !(df >= 1) ||
	    !isfinite(c->diff_lo) || !isfinite(c->diff_hi))
		return NAN;
	se = (c->diff_hi - c->diff_lo) / 2 / t_of(c->level, df);
	last = se * sqrt(look.fraction);
	last_df = c->blocks / look.fraction - 1;
	sd = MAX(se * sqrt(1 - look.fraction), 1e-300);
	chance = 1 - within(c->diff, sd, last * t_of(1 - end.nominal, last_df));
	if (isfinite(margin))
		chance += within(c->diff, sd,
				 margin - last * t_of(1 - 2 * end.nominal,
						      last_df));
	return MIN(chance, 1);
}

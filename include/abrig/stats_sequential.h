/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at results while a campaign runs, with the error controlled: a
 * group-sequential plan whose looks are at whole blocks, with an error
 * spending function (Lan and DeMets 1983).
 *
 * At look k of K, with the fraction t_k of the planned blocks, the two-sided
 * error a(t_k) has been spent.  The boundaries for normal statistics with
 * independent increments become nominal p values, p_k = 2 Phi(-z_k), and
 * these become t quantiles with the degrees of freedom of the look
 * (significance-level approach, Jennison and Turnbull 2000, ch. 11).  An
 * interval at level 1 - p_k is a repeated confidence interval (the same, ch.
 * 9): all of them hold at once with 1 - alpha, whether or not and why ever the
 * campaign is stopped.  Assumption beside that of the t interval: data
 * gathered between looks do not depend on earlier results.
 */
#ifndef ABRIG_STATS_SEQUENTIAL_H
#define ABRIG_STATS_SEQUENTIAL_H

#include <abrig/stats.h>

enum ab_spending {
	/* 2 a(alpha / 2), a(x) = 2 - 2 Phi(z_(x/2) / sqrt(t)): little early */
	AB_SPEND_OBRIEN_FLEMING,
	/* alpha ln(1 + (e - 1) t): much the same at each look */
	AB_SPEND_POCOCK,
};
/* The two-sided error spent at the fraction @t, 0 to 1, of the blocks. */
double ab_stats_spent(enum ab_spending spending, double alpha, double t);

/*
 * Boundaries of |Z| at the @n fractions @t (growing, above 0, at most 1), by
 * recursive numerical integration (Armitage, McPherson and Rowe 1969), to
 * 1e-6.  False when @t is not so, or @alpha is not within 0 to 1.
 */
bool ab_stats_sequential_bounds(enum ab_spending spending, double alpha,
				const double *t, size_t n, double *z_out);

/* Looks after @first blocks, every @every after that, and after all. */
struct ab_looks {
	enum ab_spending spending;
	int first, every, blocks; /* per device; first < blocks */
};
/* How many there are. */
int ab_stats_looks(const struct ab_looks *looks);

struct ab_look {
	int number, of;	 /* look @number (from 1) of @of */
	int blocks;	 /* per device */
	double fraction; /* of the planned blocks */
	double spent;	 /* two-sided error up to this look */
	double nominal;	 /* p_k; the repeated interval's level is 1 - p_k */
};
/*
 * Look @number with the two-sided error @alpha; false: there is none.  The
 * boundaries spend 0.85 of it: with few blocks successive t statistics cross
 * them more often than normal ones.
 */
bool ab_stats_look(const struct ab_looks *looks, double alpha, int number,
		   struct ab_look *look_out);

/*
 * The chance that the last look will find the comparison different or
 * equivalent, if the blocks to come are like those so far (predictive
 * distribution with a flat prior; Jennison and Turnbull 2000, ch. 10).
 * @c was made at look @number at the level of its repeated interval.  Stopping
 * because of it lowers the error further: the boundaries do not count on it.
 * NAN when @c has no interval.
 */
double ab_stats_chance(const struct ab_looks *looks, double alpha, int number,
		       const struct ab_comparison *c);
/* A chance below this is futile. */
#define AB_FUTILE 0.05

#endif

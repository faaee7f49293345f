/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What rank tests and their intervals share. */
#ifndef STATS_RANKS_H
#define STATS_RANKS_H

#include <abrig/stats_methods.h>
#include <glib.h>

/* A copy of @x without NANs, ascending (caller frees). */
double *ranks_sorted(const double *x, size_t n, size_t *n_out);
/* Sum of t^3 - t over the groups of equal values. */
double ranks_tie_sum(const double *sorted, size_t n);

/*
 * Exact null distributions, as probabilities: P(U = k) for k = 0 .. n_a n_b,
 * P(V = k) for k = 0 .. n (n + 1) / 2 (caller frees).
 */
double *ranks_u_distribution(size_t n_a, size_t n_b);
double *ranks_v_distribution(size_t n);

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double *ranks_sorted(const double *x, size_t n, size_t *n_out)
{
	double *sorted = g_new(double, n + 1);
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(x[i]))
			sorted[kept++] = x[i];
	qsort(sorted, kept, sizeof(*sorted), compare_doubles);
	*n_out = kept;
	return sorted;
}

double ranks_tie_sum(const double *sorted, size_t n)
{
	double sum = 0;

	for (size_t i = 0, end; i < n; i = end) {
		double t;

		for (end = i + 1; end < n && sorted[end] == sorted[i]; end++)
			;
		t = (double)(end - i);
		sum += t * t * t - t;
	}
	return sum;
}

/*
 * The largest of all values is one of a with probability i / (i + j), and adds
 * nothing to U, or one of b, and is above all i.  Sums of positive terms only:
 * nothing cancels.
 */
double *ranks_u_distribution(size_t n_a, size_t n_b)
{
	size_t width = n_a * n_b + 1;
	double *rows = g_new0(double, (n_b + 1) * width);

	for (size_t j = 0; j <= n_b; j++)
		rows[j * width] = 1;
	for (size_t i = 1; i <= n_a; i++)
		for (size_t j = 1; j <= n_b; j++) {
			double *row = rows + j * width;
			const double *less = row - width;
			double share = (double)i / (double)(i + j);

			for (size_t k = i * j + 1; k-- > 0;)
				row[k] = share * row[k] +
					 (k >= i ? (1 - share) * less[k - i]
						 : 0);
		}
	memmove(rows, rows + n_b * width, width * sizeof(*rows));
	return rows;
}

double *ranks_v_distribution(size_t n)
{
	double *p = g_new0(double, n *(n + 1) / 2 + 1);

	p[0] = 1;
	for (size_t i = 1; i <= n; i++)
		for (size_t k = i * (i + 1) / 2 + 1; k-- > 0;)
			p[k] = 0.5 * p[k] + (k >= i ? 0.5 * p[k - i] : 0);
	return p;
}

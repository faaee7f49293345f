// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/stats_methods.h>

#include <math.h>

double ab_stats_quantile(const double *sorted, size_t n, double q)
{
	double h, whole, frac;
	size_t i;

	if (n == 0 || !(q >= 0 && q <= 1))
		return NAN;
	h = (double)(n - 1) * q;
	frac = modf(h, &whole);
	i = (size_t)whole;
	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + frac * (sorted[i + 1] - sorted[i]);
}

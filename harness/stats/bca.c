// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/stats_methods.h>

#include <gsl/gsl_cdf.h>
#include <math.h>

double ab_stats_replicate_quantile(const double *sorted, size_t n, double alpha)
{
	double rank = (double)(n + 1) * alpha, below, above, z;
	size_t k;

	if (n == 0 || !(alpha >= 0 && alpha <= 1))
		return NAN;
	if (rank < 1)
		return sorted[0];
	if (rank >= (double)n)
		return sorted[n - 1];
	k = (size_t)rank;
	if ((double)k == rank)
		return sorted[k - 1];
	below = gsl_cdf_ugaussian_Pinv((double)k / (double)(n + 1));
	above = gsl_cdf_ugaussian_Pinv((double)(k + 1) / (double)(n + 1));
	z = gsl_cdf_ugaussian_Pinv(alpha);
	return sorted[k - 1] +
	       (z - below) / (above - below) * (sorted[k] - sorted[k - 1]);
}

struct ab_bounds ab_stats_percentile(const double *sorted, size_t n,
				     double level)
{
	return (struct ab_bounds){
		ab_stats_replicate_quantile(sorted, n, (1 - level) / 2),
		ab_stats_replicate_quantile(sorted, n, (1 + level) / 2),
	};
}

static double share_below(const double *sorted, size_t n, double value)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sorted[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return (double)low / (double)n;
}

static double acceleration(const double *jackknife, size_t n)
{
	double mean = 0, squares = 0, cubes = 0;

	for (size_t i = 0; i < n; i++)
		mean += jackknife[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		double off = mean - jackknife[i];

		squares += off * off;
		cubes += off * off * off;
	}
	return squares == 0 ? 0 : cubes / (6 * pow(squares, 1.5));
}

/* The end at normal quantile @z; false when the correction has no value. */
static bool corrected_end(const struct ab_bca *bca, const double *sorted,
			  size_t n, double z, double *end_out,
			  bool *extreme_out)
{
	double shifted = bca->bias + z;
	double bent = 1 - bca->skew * shifted;
	double alpha, rank;

	if (!(bent > 0))
		return false;
	alpha = gsl_cdf_ugaussian_P(bca->bias + shifted / bent);
	rank = alpha * (double)(n + 1);
	*extreme_out |= rank < 1 || rank > (double)n;
	*end_out = ab_stats_replicate_quantile(sorted, n, alpha);
	return true;
}

void ab_stats_bca(double value, const double *sorted, size_t n,
		  const double *jackknife, size_t n_jackknife, double level,
		  struct ab_bca *bca_out)
{
	struct ab_bca b = { .lo = NAN, .hi = NAN, .bias = NAN, .skew = NAN };
	double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
	double share = n > 0 ? share_below(sorted, n, value) : 0;

	*bca_out = b;
	if (!(share > 0 && share < 1)) {
		bca_out->reason = "all replicates are on one side of the value";
		return;
	}
	b.bias = gsl_cdf_ugaussian_Pinv(share);
	b.skew = acceleration(jackknife, n_jackknife);
	if (!isfinite(b.skew) ||
	    !corrected_end(&b, sorted, n, -z, &b.lo, &b.extreme) ||
	    !corrected_end(&b, sorted, n, z, &b.hi, &b.extreme)) {
		b.lo = b.hi = NAN;
		b.reason = "the values are too skewed for a correction";
	}
	*bca_out = b;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/stats_methods.h>

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

double ab_stats_zero_bound(double exposure, double level)
{
	return exposure > 0 ? -log(1 - level) / exposure : NAN;
}

double ab_stats_poisson_test(double x1, double t1, double x2, double t2)
{
	double share = t1 / (t1 + t2), likelihood, p = 0;
	unsigned int n, k;

	if (!(x1 >= 0 && x2 >= 0 && t1 > 0 && t2 > 0 && x1 + x2 < 1e9))
		return NAN;
	n = (unsigned int)(x1 + x2);
	/* Equally likely arrangements differ by rounding. */
	likelihood =
		gsl_ran_binomial_pdf((unsigned int)x1, share, n) * (1 + 1e-7);
	if (x1 < n * share) {
		p = gsl_cdf_binomial_P((unsigned int)x1, share, n);
		for (k = n;
		     k > x1 && gsl_ran_binomial_pdf(k, share, n) <= likelihood;
		     k--)
			p += gsl_ran_binomial_pdf(k, share, n);
	} else {
		p = gsl_cdf_binomial_Q((unsigned int)x1, share, n) +
		    gsl_ran_binomial_pdf((unsigned int)x1, share, n);
		for (k = 0;
		     k < x1 && gsl_ran_binomial_pdf(k, share, n) <= likelihood;
		     k++)
			p += gsl_ran_binomial_pdf(k, share, n);
	}
	return MIN(p, 1);
}

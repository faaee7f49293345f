// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/stats_methods.h>

#include <math.h>

static const char *why_none(const struct ab_gmean *g)
{
	if (g->not_finite > 0)
		return "a value is not finite";
	if (g->negative > 0)
		return "a value is below 0";
	if (g->zero > 0)
		return "a value is 0";
	return g->n == 0 ? "no value" : NULL;
}

void ab_stats_gmean(const double *x, size_t n, struct ab_gmean *gmean_out)
{
	struct ab_gmean *g = gmean_out;
	double sum = 0;

	*g = (struct ab_gmean){ .value = NAN };
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i])) {
			g->not_finite++;
		} else if (x[i] < 0) {
			g->negative++;
		} else if (x[i] == 0) {
			g->zero++;
		} else {
			sum += log(x[i]);
			g->n++;
		}
	}
	g->reason = why_none(g);
	if (!g->reason)
		g->value = exp(sum / (double)g->n);
}

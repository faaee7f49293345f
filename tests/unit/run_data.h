/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run's data says, and what it withholds. */
#ifndef UNIT_RUN_DATA_H
#define UNIT_RUN_DATA_H

#include <abrig/metric.h>
#include <string.h>

/* Why @name is withheld; NULL when it is not. */
static inline const char *withheld(const struct ab_run_data *data,
				   const char *name)
{
	guint i;

	for (i = 0; i < data->withheld->len; i++) {
		const struct ab_withheld *w = data->withheld->pdata[i];

		if (!strcmp(w->name, name))
			return w->reason;
	}
	return NULL;
}

static inline void expect_withheld(const struct ab_run_data *data,
				   const char *name, const char *part)
{
	const char *reason = withheld(data, name);

	g_assert_nonnull(reason);
	g_assert_nonnull(strstr(reason, part));
}

static inline void expect_samples(const struct ab_run_data *data,
				  const char *name, guint n, const double *us)
{
	const GArray *samples = ab_run_data_find(data, name);
	guint i;

	g_assert_nonnull(samples);
	g_assert_cmpuint(samples->len, ==, n);
	for (i = 0; i < n; i++)
		g_assert_cmpfloat_with_epsilon(
			g_array_index(samples, double, i), us[i], 1e-9);
}

#endif

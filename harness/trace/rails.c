// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze.h"

/* Energy of one rail over the window, between its own samples there. */
struct sum {
	gint64 last_ns;
	double seconds; /* of the steps that count */
	guint64 last_uws;
	double energy_uws;
	bool seen;
};

static void add_sample(struct sum *sum, const struct ab_rail_sample *s)
{
	/* A counter that went back was reset: that step is not known. */
	if (sum->seen && s->energy_uws >= sum->last_uws) {
		sum->energy_uws += (double)(s->energy_uws - sum->last_uws);
		sum->seconds += (double)(s->ts - sum->last_ns) / 1e9;
	}
	sum->seen = true;
	sum->last_ns = s->ts;
	sum->last_uws = s->energy_uws;
}

static void publish(struct ab_analysis *a, const struct ab_rail *rail,
		    const struct sum *sum)
{
	g_autofree char *name = g_strdup_printf("trace_power.%s", rail->name);

	if (sum->seconds > 0)
		ab_run_data_set(a->data, name,
				sum->energy_uws / sum->seconds / 1000);
}

void ab_analyze_rails(struct ab_analysis *a)
{
	const struct ab_trace *trace = a->trace;
	g_autoptr(GArray) sums = g_array_new(FALSE, TRUE, sizeof(struct sum));
	guint i;

	g_array_set_size(sums, trace->rails->len);
	for (i = 0; i < trace->rail_samples->len; i++) {
		const struct ab_rail_sample *s = &g_array_index(
			trace->rail_samples, struct ab_rail_sample, i);

		if (ab_in_window(a, s->ts))
			add_sample(&g_array_index(sums, struct sum, s->rail),
				   s);
	}
	for (i = 0; i < trace->rails->len; i++)
		publish(a, &g_array_index(trace->rails, struct ab_rail, i),
			&g_array_index(sums, struct sum, i));
}

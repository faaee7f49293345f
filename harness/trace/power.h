/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy by rail, and the battery's counters. */
#ifndef TRACE_POWER_H
#define TRACE_POWER_H

#include <abrig/table.h>

#include "trace.h"

/* What one rail used between two instants. */
struct ab_rail_sum {
	guint32 name, subsystem; /* texts */
	double energy_uws;	 /* of the covered time */
	gint64 covered_ns;	 /* of which the energy is known */
	guint64 samples, resets; /* in the window */
};

/* struct ab_rail_sum by name, in the order of the descriptors. */
GArray *ab_rail_sums(const struct ab_trace *trace);
/* In mW; NAN when nothing is covered. */
double ab_rail_mw(const struct ab_rail_sum *sum);

enum ab_battery_counter {
	AB_COUNTER_CAPACITY,
	AB_COUNTER_CHARGE,
	AB_COUNTER_CURRENT,
	AB_COUNTER_CURRENT_AVG,
	AB_COUNTER_VOLTAGE,
	AB_COUNTER_POWER,
	AB_COUNTERS,
};

/* What @sample says of a counter, derived where trace processor does. */
bool ab_battery_value(const struct ab_battery_sample *sample,
		      enum ab_battery_counter counter, double *value_out);

/* battery.c: append the tables "battery" and "charging" if there are rows. */
void ab_battery_tables(const struct ab_trace *trace, GPtrArray *tables);

#endif

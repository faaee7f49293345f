// SPDX-License-Identifier: GPL-3.0-or-later
#include "power.h"

#include <math.h>

#include "columns.h"

/* Charge in uAh from energy in uWh. */
static bool charge(const struct ab_battery_sample *s, double *value_out)
{
	gint64 scaled;

	*value_out = (double)s->charge_uah;
	if (s->has & AB_BATTERY_CHARGE)
		return true;
	if (!(s->has & AB_BATTERY_ENERGY) || !(s->has & AB_BATTERY_VOLTAGE) ||
	    s->voltage_uv <= 0 ||
	    __builtin_mul_overflow(s->energy_uwh, 1000000, &scaled))
		return false;
	scaled /= s->voltage_uv;
	*value_out = (double)scaled;
	return true;
}

static bool power(const struct ab_battery_sample *s, double *value_out)
{
	gint64 product;

	if (!(s->has & AB_BATTERY_CURRENT) || !(s->has & AB_BATTERY_VOLTAGE) ||
	    __builtin_mul_overflow(s->current_ua, s->voltage_uv, &product))
		return false;
	product /= 1000000000;
	*value_out = (double)ABS(product);
	return true;
}

bool ab_battery_value(const struct ab_battery_sample *sample,
		      enum ab_battery_counter counter, double *value_out)
{
	switch (counter) {
	case AB_COUNTER_CAPACITY:
		*value_out = sample->capacity_percent;
		return sample->has & AB_BATTERY_CAPACITY;
	case AB_COUNTER_CHARGE:
		return charge(sample, value_out);
	case AB_COUNTER_CURRENT:
		*value_out = (double)sample->current_ua;
		return sample->has & AB_BATTERY_CURRENT;
	case AB_COUNTER_CURRENT_AVG:
		*value_out = (double)sample->current_avg_ua;
		return sample->has & AB_BATTERY_CURRENT_AVG;
	case AB_COUNTER_VOLTAGE:
		*value_out = (double)sample->voltage_uv;
		return sample->has & AB_BATTERY_VOLTAGE;
	case AB_COUNTER_POWER:
		return power(sample, value_out);
	case AB_COUNTERS:
		break;
	}
	return false;
}

static const struct {
	const char *name, *unit;
} counters[AB_COUNTERS] = {
	[AB_COUNTER_CAPACITY] = { "capacity", "%" },
	[AB_COUNTER_CHARGE] = { "charge", "uAh" },
	[AB_COUNTER_CURRENT] = { "current", "uA" },
	[AB_COUNTER_CURRENT_AVG] = { "average current", "uA" },
	[AB_COUNTER_VOLTAGE] = { "voltage", "uV" },
	[AB_COUNTER_POWER] = { "power", "mW" },
};

struct series {
	double first, last, sum;
	guint64 n;
};

/* One battery in the window. */
struct battery {
	guint32 name;
	struct series series[AB_COUNTERS];
};

static void add_sample(struct battery *b, const struct ab_battery_sample *s)
{
	double value;
	guint i;

	for (i = 0; i < AB_COUNTERS; i++) {
		struct series *series = &b->series[i];

		if (!ab_battery_value(s, i, &value))
			continue;
		if (!series->n++)
			series->first = value;
		series->last = value;
		series->sum += value;
	}
}

/* A phone has one, a laptop two; of more only the samples are counted. */
#define MAX_BATTERIES 16

struct batteries {
	struct battery list[MAX_BATTERIES];
	guint n;
	gint64 others; /* samples of those that are too many */
};

/* NULL when there are too many. */
static struct battery *battery_of(struct batteries *all, guint32 name)
{
	guint i;

	for (i = 0; i < all->n; i++)
		if (all->list[i].name == name)
			return &all->list[i];
	if (all->n == MAX_BATTERIES)
		return NULL;
	all->list[all->n].name = name;
	return &all->list[all->n++];
}

static void read_batteries(const struct ab_trace *trace, struct batteries *all)
{
	guint i;

	for (i = 0; i < trace->battery->len; i++) {
		const struct ab_battery_sample *s = &g_array_index(
			trace->battery, struct ab_battery_sample, i);
		struct battery *b;

		if (!ab_in_window(trace, s->ts))
			continue;
		b = battery_of(all, s->name);
		if (b)
			add_sample(b, s);
		else
			all->others++;
	}
}

static const struct ab_column battery_columns[] = {
	AB_TEXT_COLUMN("battery", "battery"),
	AB_TEXT_COLUMN("counter", "counter"),
	AB_TEXT_COLUMN("unit", "unit"),
	AB_NUMBER_COLUMN("first", "first", "", 1),
	AB_NUMBER_COLUMN("last", "last", "", 1),
	AB_NUMBER_COLUMN("mean", "mean", "", 1),
	AB_COUNT_COLUMN("samples", "samples"),
};

static const struct ab_column charging_columns[] = {
	AB_TEXT_COLUMN("battery", "battery"),
	AB_TEXT_COLUMN("state", "state"),
	AB_NUMBER_COLUMN("change_uah", "change", "uAh", 0),
};

static void put_counters(struct ab_table *t, const char *name,
			 const struct battery *b)
{
	guint i;

	for (i = 0; i < AB_COUNTERS; i++) {
		const struct series *s = &b->series[i];

		if (!s->n)
			continue;
		ab_table_text(t, name);
		ab_table_text(t, counters[i].name);
		ab_table_text(t, counters[i].unit);
		ab_table_number(t, s->first);
		ab_table_number(t, s->last);
		ab_table_number(t, s->sum / (double)s->n);
		ab_table_count(t, (gint64)s->n);
	}
}

static void put_others(struct ab_table *t, gint64 samples)
{
	ab_table_text(t, "others");
	ab_table_text(t, "");
	ab_table_text(t, "");
	ab_table_number(t, NAN);
	ab_table_number(t, NAN);
	ab_table_number(t, NAN);
	ab_table_count(t, samples);
}

/* The sign of the current differs between vendors; the counter's does not. */
static void put_charging(struct ab_table *t, const char *name,
			 const struct battery *b)
{
	const struct series *s = &b->series[AB_COUNTER_CHARGE];
	double change = s->last - s->first;

	ab_table_text(t, name);
	ab_table_text(t, change > 0   ? "charging"
			 : change < 0 ? "discharging"
				      : "unknown");
	ab_table_number(t, s->n > 1 ? change : NAN);
}

void ab_battery_tables(const struct ab_trace *trace, GPtrArray *tables)
{
	struct batteries all = { .n = 0 };
	struct ab_table *values, *charging;
	guint i;

	read_batteries(trace, &all);
	if (!all.n)
		return;
	values = AB_NEW_TABLE("battery", "Battery", battery_columns);
	charging = AB_NEW_TABLE("charging",
				"Charging, by the charge counter's change",
				charging_columns);
	for (i = 0; i < all.n; i++) {
		const char *name = ab_trace_text(trace, all.list[i].name);

		put_counters(values, name, &all.list[i]);
		put_charging(charging, name, &all.list[i]);
	}
	if (all.others)
		put_others(values, all.others);
	g_ptr_array_add(tables, values);
	g_ptr_array_add(tables, charging);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>

#include "columns.h"
#include "cpus.h"

#define NUMBER(id_, title_, unit_, decimals_)                    \
	{                                                        \
		.id = (id_), .title = (title_), .unit = (unit_), \
		.kind = AB_CELL_NUMBER, .decimals = (decimals_)  \
	}
#define SHARES                                        \
	NUMBER("busy_percent", "not idle", "%", 2),   \
		NUMBER("mean_mhz", "mean", "MHz", 1), \
		NUMBER("busy_mhz", "not idle", "MHz", 1)

static const struct ab_column cluster_columns[] = {
	AB_COUNT_COLUMN("cluster", "cluster"),
	AB_TEXT_COLUMN("cpus", "CPUs"),
	NUMBER("capacity", "capacity", "", 0),
	NUMBER("max_mhz", "max", "MHz", 1),
	SHARES,
};

static const struct ab_column cpu_columns[] = {
	AB_COUNT_COLUMN("cluster", "cluster"),
	AB_COUNT_COLUMN("cpu", "CPU"),
	SHARES,
	AB_MS_COLUMN("idle_known_ms", "idle known"),
	AB_MS_COLUMN("frequency_known_ms", "frequency known"),
};

static const struct ab_column frequency_columns[] = {
	AB_COUNT_COLUMN("cluster", "cluster"),
	AB_COUNT_COLUMN("cpu", "CPU"),
	NUMBER("khz", "frequency", "kHz", 0),
	AB_MS_COLUMN("time_ms", "time"),
	NUMBER("percent", "share", "%", 2),
	AB_MS_COLUMN("busy_ms", "not idle"),
};

static const struct ab_column idle_columns[] = {
	AB_COUNT_COLUMN("cluster", "cluster"),
	AB_COUNT_COLUMN("cpu", "CPU"),
	AB_TEXT_COLUMN("state", "state"),
	AB_MS_COLUMN("time_ms", "time"),
	NUMBER("percent", "share", "%", 2),
	AB_COUNT_COLUMN("entries", "entries"),
};

static const struct ab_column overutilized_columns[] = {
	AB_MS_COLUMN("overutilized_ms", "overutilised"),
	NUMBER("percent", "share", "%", 2),
	AB_MS_COLUMN("known_ms", "known"),
	AB_COUNT_COLUMN("times", "times"),
};

#define NEW_TABLE(id, title, columns) \
	ab_table_new(id, title, columns, G_N_ELEMENTS(columns))

static double ratio(double a, double b)
{
	return b != 0 ? a / b : NAN;
}

static double percent(gint64 ns, gint64 of_ns)
{
	return 100 * ratio((double)ns, (double)of_ns);
}

static void put_shares(struct ab_table *t, const struct ab_cpu_sum *s)
{
	ab_table_number(t, percent(s->busy_ns, s->busy_ns + s->idle_ns));
	ab_table_number(t, ratio(s->khz_ns, s->frequency_ns) / 1e3);
	ab_table_number(t, ratio(s->busy_khz_ns, s->busy_frequency_ns) / 1e3);
}

/* What the trace says of a kind of CPU; NAN: nothing. */
static void put_kind(struct ab_table *t, const struct ab_trace *trace,
		     guint cpu)
{
	struct ab_cpu_info info = { 0 };

	if (cpu < trace->cpu_info->len)
		info = g_array_index(trace->cpu_info, struct ab_cpu_info, cpu);
	ab_table_number(t, info.capacity ? info.capacity : NAN);
	ab_table_number(t, info.max_khz ? info.max_khz / 1e3 : NAN);
}

static void put_cluster(struct ab_table *t, const struct ab_cpus *c,
			guint first, guint last, const struct ab_cpu_sum *sum)
{
	g_autofree char *cpus = first == last
					? g_strdup_printf("%u", first)
					: g_strdup_printf("%u-%u", first, last);

	ab_table_count(t, c->cpus[first]->cluster);
	ab_table_text(t, cpus);
	put_kind(t, c->trace, first);
	put_shares(t, sum);
}

static void fill_clusters(struct ab_table *t, const struct ab_cpus *c)
{
	struct ab_cpu_sum sum = { 0 };
	guint i, first = 0, last = AB_MAX_CPUS;

	for (i = 0; i < AB_MAX_CPUS; i++) {
		if (!c->cpus[i])
			continue;
		if (last == AB_MAX_CPUS) {
			first = i;
		} else if (c->cpus[i]->cluster != c->cpus[last]->cluster) {
			put_cluster(t, c, first, last, &sum);
			sum = (struct ab_cpu_sum){ 0 };
			first = i;
		}
		ab_cpu_sum_add(&sum, c->cpus[i]);
		last = i;
	}
	if (last < AB_MAX_CPUS)
		put_cluster(t, c, first, last, &sum);
}

static void fill_cpus(struct ab_table *t, const struct ab_cpus *c, guint n)
{
	const struct ab_cpu_times *cpu = c->cpus[n];
	struct ab_cpu_sum sum = { 0 };

	ab_cpu_sum_add(&sum, cpu);
	ab_table_count(t, cpu->cluster);
	ab_table_count(t, n);
	put_shares(t, &sum);
	ab_table_number(t, (double)(sum.busy_ns + sum.idle_ns) / 1e6);
	ab_table_number(t, sum.frequency_ns / 1e6);
}

static void fill_frequencies(struct ab_table *t, const struct ab_cpus *c,
			     guint n)
{
	const struct ab_cpu_times *cpu = c->cpus[n];
	bool idle_known = cpu->busy_ns || ab_cpu_idle_ns(cpu);
	gint64 all = 0;
	guint i;

	for (i = 0; i < cpu->frequencies->len; i++)
		all += g_array_index(cpu->frequencies, struct ab_cpu_frequency,
				     i)
			       .ns;
	for (i = 0; i < cpu->frequencies->len; i++) {
		const struct ab_cpu_frequency *f = &g_array_index(
			cpu->frequencies, struct ab_cpu_frequency, i);

		if (!f->ns)
			continue;
		ab_table_count(t, cpu->cluster);
		ab_table_count(t, n);
		ab_table_number(t, f->khz == G_MAXUINT32 ? NAN : f->khz);
		ab_table_number(t, (double)f->ns / 1e6);
		ab_table_number(t, percent(f->ns, all));
		ab_table_number(t, idle_known ? (double)f->busy_ns / 1e6 : NAN);
	}
}

static void put_state(struct ab_table *t, const struct ab_cpus *c, guint n,
		      const char *state, const struct ab_cpu_idle *idle)
{
	const struct ab_cpu_times *cpu = c->cpus[n];

	if (!idle->ns && !idle->entries)
		return;
	ab_table_count(t, cpu->cluster);
	ab_table_count(t, n);
	ab_table_text(t, state);
	ab_table_number(t, (double)idle->ns / 1e6);
	ab_table_number(t,
			percent(idle->ns, cpu->busy_ns + ab_cpu_idle_ns(cpu)));
	ab_table_count(t, (gint64)idle->entries);
}

static void fill_idle(struct ab_table *t, const struct ab_cpus *c, guint n)
{
	const struct ab_cpu_times *cpu = c->cpus[n];
	struct ab_cpu_idle busy = { cpu->busy_ns, cpu->exits };
	char state[16];
	guint i;

	for (i = 0; i < AB_CPU_IDLE_STATES; i++) {
		g_snprintf(state, sizeof(state), "%u", i);
		put_state(t, c, n, state, &cpu->idle[i]);
	}
	put_state(t, c, n, "other", &cpu->idle[i]);
	put_state(t, c, n, "not idle", &busy);
}

static void add_or_free(GPtrArray *tables, struct ab_table *t)
{
	if (ab_table_rows(t))
		g_ptr_array_add(tables, t);
	else
		ab_table_free(t);
}

static void
add_filled(GPtrArray *tables, const struct ab_cpus *c, struct ab_table *t,
	   void (*fill)(struct ab_table *t, const struct ab_cpus *c, guint n))
{
	guint i;

	for (i = 0; i < AB_MAX_CPUS; i++)
		if (c->cpus[i])
			fill(t, c, i);
	add_or_free(tables, t);
}

static void add_overutilized(GPtrArray *tables, const struct ab_overutilized *o)
{
	struct ab_table *t;

	if (!o->known_ns)
		return;
	t = NEW_TABLE("overutilized", "Overutilised", overutilized_columns);
	ab_table_number(t, (double)o->ns / 1e6);
	ab_table_number(t, percent(o->ns, o->known_ns));
	ab_table_number(t, (double)o->known_ns / 1e6);
	ab_table_count(t, (gint64)o->times);
	g_ptr_array_add(tables, t);
}

void ab_cpu_tables(const struct ab_cpus *finished, GPtrArray *tables)
{
	struct ab_table *clusters =
		NEW_TABLE("clusters", "Clusters", cluster_columns);

	fill_clusters(clusters, finished);
	add_or_free(tables, clusters);
	add_filled(tables, finished, NEW_TABLE("cpus", "CPUs", cpu_columns),
		   fill_cpus);
	add_filled(tables, finished,
		   NEW_TABLE("cpu_frequency", "Time at each frequency",
			     frequency_columns),
		   fill_frequencies);
	add_filled(tables, finished,
		   NEW_TABLE("cpu_idle", "Time in each idle state",
			     idle_columns),
		   fill_idle);
	add_overutilized(tables, &finished->overutilized);
}

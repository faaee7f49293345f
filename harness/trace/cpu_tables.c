// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>

#include "columns.h"
#include "cpus.h"

#define SHARES                                                  \
	AB_NUMBER_COLUMN("busy_percent", "not idle", "%", 2),   \
		AB_NUMBER_COLUMN("mean_mhz", "mean", "MHz", 1), \
		AB_NUMBER_COLUMN("busy_mhz", "not idle", "MHz", 1)

static const struct ab_column cluster_columns[] = {
	AB_COUNT_COLUMN("cluster", "cluster"),
	AB_TEXT_COLUMN("cpus", "CPUs"),
	AB_NUMBER_COLUMN("capacity", "capacity", "", 0),
	AB_NUMBER_COLUMN("max_mhz", "max", "MHz", 1),
	SHARES,
};

static const struct ab_column cpu_columns[] = {
	AB_COUNT_COLUMN("cluster", "cluster"),
	AB_COUNT_COLUMN("cpu", "CPU"),
	SHARES,
	AB_MS_COLUMN("idle_known_ms", "idle known"),
	AB_MS_COLUMN("frequency_known_ms", "frequency known"),
};

#define FREQUENCY                                             \
	AB_NUMBER_COLUMN("khz", "frequency", "kHz", 0),       \
		AB_MS_COLUMN("time_ms", "time"),              \
		AB_NUMBER_COLUMN("percent", "share", "%", 2), \
		AB_MS_COLUMN("busy_ms", "not idle")

static const struct ab_column cluster_frequency_columns[] = {
	AB_COUNT_COLUMN("cluster", "cluster"),
	AB_TEXT_COLUMN("cpus", "CPUs"),
	FREQUENCY,
};

static const struct ab_column frequency_columns[] = {
	AB_COUNT_COLUMN("cluster", "cluster"),
	AB_COUNT_COLUMN("cpu", "CPU"),
	FREQUENCY,
};

static const struct ab_column idle_columns[] = {
	AB_COUNT_COLUMN("cluster", "cluster"),
	AB_COUNT_COLUMN("cpu", "CPU"),
	AB_TEXT_COLUMN("state", "state"),
	AB_MS_COLUMN("time_ms", "time"),
	AB_NUMBER_COLUMN("percent", "share", "%", 2),
	AB_COUNT_COLUMN("entries", "entries"),
};

static const struct ab_column overutilized_columns[] = {
	AB_MS_COLUMN("overutilized_ms", "overutilised"),
	AB_NUMBER_COLUMN("percent", "share", "%", 2),
	AB_MS_COLUMN("known_ms", "known"),
	AB_COUNT_COLUMN("times", "times"),
};

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
	ab_table_number(t,
			percent(s->busy_ns, ab_ns_add(s->busy_ns, s->idle_ns)));
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

/* Neighbours of one kind, the first to the last. */
struct cluster {
	guint first, last;
};

/* From CPU @at on; false when there is none. */
static bool next_cluster(const struct ab_cpus *c, guint at,
			 struct cluster *cluster_out)
{
	while (at < AB_MAX_CPUS && !c->cpus[at])
		at++;
	if (at == AB_MAX_CPUS)
		return false;
	cluster_out->first = cluster_out->last = at;
	for (; at < AB_MAX_CPUS; at++) {
		if (!c->cpus[at])
			continue;
		if (c->cpus[at]->cluster !=
		    c->cpus[cluster_out->first]->cluster)
			break;
		cluster_out->last = at;
	}
	return true;
}

static void put_cluster_name(struct ab_table *t, const struct ab_cpus *c,
			     const struct cluster *k)
{
	g_autofree char *cpus =
		k->first == k->last
			? g_strdup_printf("%u", k->first)
			: g_strdup_printf("%u-%u", k->first, k->last);

	ab_table_count(t, c->cpus[k->first]->cluster);
	ab_table_text(t, cpus);
}

static void fill_cluster(struct ab_table *t, const struct ab_cpus *c,
			 const struct cluster *k)
{
	struct ab_cpu_sum sum = { 0 };
	guint i;

	for (i = k->first; i <= k->last; i++)
		if (c->cpus[i])
			ab_cpu_sum_add(&sum, c->cpus[i]);
	put_cluster_name(t, c, k);
	put_kind(t, c->trace, k->first);
	put_shares(t, &sum);
}

/* The cluster's frequencies, each once, with the time of all its CPUs. */
static GArray *cluster_frequencies(const struct ab_cpus *c,
				   const struct cluster *k)
{
	GArray *list =
		g_array_new(FALSE, FALSE, sizeof(struct ab_cpu_frequency));
	guint i, kept = 0;

	for (i = k->first; i <= k->last; i++)
		if (c->cpus[i])
			g_array_append_vals(list, c->cpus[i]->frequencies->data,
					    c->cpus[i]->frequencies->len);
	g_array_sort(list, ab_cpu_by_khz);
	for (i = 0; i < list->len; i++) {
		struct ab_cpu_frequency *f =
			&g_array_index(list, struct ab_cpu_frequency, i);
		struct ab_cpu_frequency *last = &g_array_index(
			list, struct ab_cpu_frequency, kept ? kept - 1 : 0);

		if (kept && last->khz == f->khz) {
			last->ns = ab_ns_add(last->ns, f->ns);
			last->busy_ns = ab_ns_add(last->busy_ns, f->busy_ns);
		} else {
			g_array_index(list, struct ab_cpu_frequency, kept++) =
				*f;
		}
	}
	g_array_set_size(list, kept);
	return list;
}

static gint64 all_time(const GArray *frequencies)
{
	gint64 ns = 0;
	guint i;

	for (i = 0; i < frequencies->len; i++)
		ns = ab_ns_add(ns, g_array_index(frequencies,
						 struct ab_cpu_frequency, i)
					   .ns);
	return ns;
}

static void put_frequency(struct ab_table *t, const struct ab_cpu_frequency *f,
			  gint64 all_ns, bool idle_known)
{
	ab_table_number(t, f->khz == G_MAXUINT32 ? NAN : f->khz);
	ab_table_number(t, (double)f->ns / 1e6);
	ab_table_number(t, percent(f->ns, all_ns));
	ab_table_number(t, idle_known ? (double)f->busy_ns / 1e6 : NAN);
}

static bool tells_idle(const struct ab_cpu_times *cpu)
{
	return cpu->busy_ns || ab_cpu_idle_ns(cpu);
}

static void fill_cluster_frequencies(struct ab_table *t,
				     const struct ab_cpus *c,
				     const struct cluster *k)
{
	g_autoptr(GArray) list = cluster_frequencies(c, k);
	gint64 all_ns = all_time(list);
	bool idle_known = true;
	guint i;

	for (i = k->first; i <= k->last; i++)
		if (c->cpus[i] && !tells_idle(c->cpus[i]))
			idle_known = false;
	for (i = 0; i < list->len; i++) {
		const struct ab_cpu_frequency *f =
			&g_array_index(list, struct ab_cpu_frequency, i);

		if (!f->ns)
			continue;
		put_cluster_name(t, c, k);
		put_frequency(t, f, all_ns, idle_known);
	}
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
	gint64 all_ns = all_time(cpu->frequencies);
	guint i;

	for (i = 0; i < cpu->frequencies->len; i++) {
		const struct ab_cpu_frequency *f = &g_array_index(
			cpu->frequencies, struct ab_cpu_frequency, i);

		if (!f->ns)
			continue;
		ab_table_count(t, cpu->cluster);
		ab_table_count(t, n);
		put_frequency(t, f, all_ns, tells_idle(cpu));
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
add_by_cluster(GPtrArray *tables, const struct ab_cpus *c, struct ab_table *t,
	       void (*fill)(struct ab_table *t, const struct ab_cpus *c,
			    const struct cluster *k))
{
	struct cluster k;
	guint at;

	for (at = 0; next_cluster(c, at, &k); at = k.last + 1)
		fill(t, c, &k);
	add_or_free(tables, t);
}

static void
add_by_cpu(GPtrArray *tables, const struct ab_cpus *c, struct ab_table *t,
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
	t = AB_NEW_TABLE("overutilized", "Overutilised", overutilized_columns);
	ab_table_number(t, (double)o->ns / 1e6);
	ab_table_number(t, percent(o->ns, o->known_ns));
	ab_table_number(t, (double)o->known_ns / 1e6);
	ab_table_count(t, (gint64)o->times);
	g_ptr_array_add(tables, t);
}

void ab_cpu_tables(const struct ab_cpus *finished, GPtrArray *tables)
{
	add_by_cluster(tables, finished,
		       AB_NEW_TABLE("clusters", "Clusters", cluster_columns),
		       fill_cluster);
	add_by_cpu(tables, finished, AB_NEW_TABLE("cpus", "CPUs", cpu_columns),
		   fill_cpus);
	add_by_cluster(tables, finished,
		       AB_NEW_TABLE("cluster_frequency",
				    "Time at each frequency, by cluster",
				    cluster_frequency_columns),
		       fill_cluster_frequencies);
	add_by_cpu(tables, finished,
		   AB_NEW_TABLE("cpu_frequency",
				"Time at each frequency, by CPU",
				frequency_columns),
		   fill_frequencies);
	add_by_cpu(tables, finished,
		   AB_NEW_TABLE("cpu_idle", "Time in each idle state",
				idle_columns),
		   fill_idle);
	add_overutilized(tables, &finished->overutilized);
}

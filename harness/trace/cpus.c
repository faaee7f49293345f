// SPDX-License-Identifier: GPL-3.0-or-later
#include "cpus.h"

#include "analyze.h"

static void *begin(struct ab_trace *trace)
{
	struct ab_cpus *c = g_new0(struct ab_cpus, 1);

	c->trace = trace;
	return c;
}

void ab_cpus_free(struct ab_cpus *c)
{
	guint i;

	for (i = 0; i < AB_MAX_CPUS; i++)
		if (c->cpus[i]) {
			g_array_unref(c->cpus[i]->frequencies);
			g_free(c->cpus[i]);
		}
	g_free(c);
}

static void end(void *state)
{
	ab_cpus_free(state);
}

static struct ab_cpu_times *cpu_of(struct ab_cpus *c, guint32 number)
{
	struct ab_cpu_times *cpu;

	if (number >= AB_MAX_CPUS) {
		c->trace->quality.damaged_events++;
		return NULL;
	}
	cpu = c->cpus[number];
	if (!cpu) {
		cpu = c->cpus[number] = g_new0(struct ab_cpu_times, 1);
		cpu->frequencies = g_array_new(FALSE, FALSE,
					       sizeof(struct ab_cpu_frequency));
	}
	return cpu;
}

/* Up to @ts the CPU was as it is. */
static void account(const struct ab_trace *trace, struct ab_cpu_times *cpu,
		    gint64 ts)
{
	gint64 ns = ab_clip(trace, cpu->since_ns, ts);

	cpu->since_ns = ts;
	if (cpu->frequency) {
		struct ab_cpu_frequency *f =
			&g_array_index(cpu->frequencies,
				       struct ab_cpu_frequency,
				       cpu->frequency - 1);

		f->ns += ns;
		f->busy_ns += cpu->state == 1 ? ns : 0;
	}
	if (cpu->state == 1)
		cpu->busy_ns += ns;
	else if (cpu->state)
		cpu->idle[cpu->state - 2].ns += ns;
}

int ab_cpu_by_khz(const void *a, const void *b)
{
	const struct ab_cpu_frequency *x = a, *y = b;

	return (x->khz > y->khz) - (x->khz < y->khz);
}

/* The place of @khz among the frequencies, made when absent. */
static guint frequency_of(struct ab_cpu_times *cpu, guint32 khz)
{
	struct ab_cpu_frequency f = { .khz = khz };
	GArray *list = cpu->frequencies;
	guint at;

	if (g_array_binary_search(list, &f, ab_cpu_by_khz, &at))
		return at;
	if (list->len >= AB_CPU_FREQUENCIES)
		f.khz = G_MAXUINT32;
	if (g_array_binary_search(list, &f, ab_cpu_by_khz, &at))
		return at;
	for (at = 0; at < list->len; at++)
		if (ab_cpu_by_khz(&g_array_index(list, struct ab_cpu_frequency,
						 at),
				  &f) > 0)
			break;
	g_array_insert_val(list, at, f);
	return at;
}

static void change_state(const struct ab_trace *trace, struct ab_cpu_times *cpu,
			 const struct ab_event *ev)
{
	guint32 state = MIN(ev->counter.value, AB_CPU_IDLE_STATES);

	if (ev->counter.value == AB_IDLE_EXIT) {
		cpu->state = 1;
		cpu->exits += ab_in_window(trace, ev->ts);
		return;
	}
	cpu->state = state + 2;
	cpu->idle[state].entries += ab_in_window(trace, ev->ts);
}

static void account_overutilized(const struct ab_trace *trace,
				 struct ab_overutilized *o, gint64 ts)
{
	gint64 ns = o->state ? ab_clip(trace, o->since_ns, ts) : 0;

	o->known_ns += ns;
	o->ns += o->state == 2 ? ns : 0;
	o->since_ns = ts;
}

static void change_overutilized(struct ab_cpus *c, const struct ab_event *ev)
{
	struct ab_overutilized *o = &c->overutilized;
	guint8 state = ev->counter.value ? 2 : 1;

	account_overutilized(c->trace, o, ev->ts);
	o->times +=
		state == 2 && o->state != 2 && ab_in_window(c->trace, ev->ts);
	o->state = state;
}

static void event(void *state, struct ab_sched *sched,
		  const struct ab_event *ev)
{
	struct ab_cpus *c = state;
	struct ab_cpu_times *cpu;

	(void)sched;
	if (ev->kind == AB_EV_OVERUTILIZED) {
		change_overutilized(c, ev);
		return;
	}
	cpu = cpu_of(c, ev->counter.cpu);
	if (!cpu)
		return;
	account(c->trace, cpu, ev->ts);
	if (ev->kind == AB_EV_CPU_FREQUENCY)
		cpu->frequency = frequency_of(cpu, ev->counter.value) + 1;
	else
		change_state(c->trace, cpu, ev);
}

static bool same_info(const struct ab_trace *trace, guint a, guint b)
{
	const struct ab_cpu_info *x, *y;

	if (a >= trace->cpu_info->len || b >= trace->cpu_info->len)
		return false;
	x = &g_array_index(trace->cpu_info, struct ab_cpu_info, a);
	y = &g_array_index(trace->cpu_info, struct ab_cpu_info, b);
	return x->capacity == y->capacity && x->max_khz == y->max_khz;
}

static bool same_frequencies(const GArray *a, const GArray *b)
{
	guint i;

	if (a->len != b->len)
		return false;
	for (i = 0; i < a->len; i++)
		if (ab_cpu_by_khz(&g_array_index(a, struct ab_cpu_frequency, i),
				  &g_array_index(b, struct ab_cpu_frequency,
						 i)) != 0)
			return false;
	return true;
}

/* Neighbours of one kind are a cluster. */
static void set_clusters(struct ab_cpus *c)
{
	guint i, last = AB_MAX_CPUS, cluster = 0;

	for (i = 0; i < AB_MAX_CPUS; i++) {
		bool same;

		if (!c->cpus[i])
			continue;
		same = last == AB_MAX_CPUS ||
		       (c->trace->cpu_info->len
				? same_info(c->trace, last, i)
				: same_frequencies(c->cpus[last]->frequencies,
						   c->cpus[i]->frequencies));
		cluster += !same;
		c->cpus[i]->cluster = cluster;
		last = i;
	}
}

static struct ab_cpu_times *copy_cpu(const struct ab_cpu_times *cpu)
{
	struct ab_cpu_times *copy = g_new(struct ab_cpu_times, 1);

	*copy = *cpu;
	copy->frequencies = g_array_copy(cpu->frequencies);
	return copy;
}

struct ab_cpus *ab_cpus_finished(const struct ab_cpus *cpus)
{
	struct ab_cpus *c = g_new(struct ab_cpus, 1);
	guint i;

	*c = *cpus;
	for (i = 0; i < AB_MAX_CPUS; i++) {
		if (!c->cpus[i])
			continue;
		c->cpus[i] = copy_cpu(cpus->cpus[i]);
		account(c->trace, c->cpus[i], c->trace->end_ns);
	}
	account_overutilized(c->trace, &c->overutilized, c->trace->end_ns);
	set_clusters(c);
	return c;
}

gint64 ab_cpu_idle_ns(const struct ab_cpu_times *cpu)
{
	gint64 ns = 0;
	guint i;

	for (i = 0; i < G_N_ELEMENTS(cpu->idle); i++)
		ns += cpu->idle[i].ns;
	return ns;
}

void ab_cpu_sum_add(struct ab_cpu_sum *sum, const struct ab_cpu_times *cpu)
{
	guint i;

	sum->busy_ns = ab_ns_add(sum->busy_ns, cpu->busy_ns);
	sum->idle_ns = ab_ns_add(sum->idle_ns, ab_cpu_idle_ns(cpu));
	for (i = 0; i < cpu->frequencies->len; i++) {
		const struct ab_cpu_frequency *f = &g_array_index(
			cpu->frequencies, struct ab_cpu_frequency, i);

		if (f->khz == G_MAXUINT32)
			continue;
		sum->khz_ns += (double)f->khz * (double)f->ns;
		sum->frequency_ns += (double)f->ns;
		sum->busy_khz_ns += (double)f->khz * (double)f->busy_ns;
		sum->busy_frequency_ns += (double)f->busy_ns;
	}
}

static void measure_share(struct ab_analysis *a, const char *name, gint64 ns,
			  gint64 of_ns)
{
	const char *const names[] = { name, NULL };

	if (of_ns && !ab_withhold_lost(a, a->trace->lost_events, names))
		ab_run_data_set(a->data, name,
				100 * (double)ns / (double)of_ns);
}

static void measure(struct ab_analysis *a, const void *state)
{
	ab_autoptr(ab_cpus) c = ab_cpus_finished(state);
	struct ab_cpu_sum sum = { 0 };
	guint i;

	for (i = 0; i < AB_MAX_CPUS; i++)
		if (c->cpus[i])
			ab_cpu_sum_add(&sum, c->cpus[i]);
	measure_share(a, "cpu.busy", sum.busy_ns,
		      ab_ns_add(sum.busy_ns, sum.idle_ns));
	measure_share(a, "cpu.overutilized", c->overutilized.ns,
		      c->overutilized.known_ns);
}

static void tabulate(struct ab_analysis *a, const void *state,
		     GPtrArray *tables)
{
	ab_autoptr(ab_cpus) c = ab_cpus_finished(state);
	g_autofree char *lost = ab_lost_reason(a->trace, a->trace->lost_events);

	if (!lost)
		ab_cpu_tables(c, tables);
}

const struct ab_analysis_ops ab_analysis_cpus = {
	.name = "cpus",
	.kinds = AB_KIND(AB_EV_CPU_FREQUENCY) | AB_KIND(AB_EV_CPU_IDLE) |
		 AB_KIND(AB_EV_OVERUTILIZED),
	.begin = begin,
	.event = event,
	.measure = measure,
	.tabulate = tabulate,
	.end = end,
};

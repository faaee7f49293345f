/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the CPUs' time in the window went: frequencies and idle states. */
#ifndef TRACE_CPUS_H
#define TRACE_CPUS_H

#include <abrig/table.h>

#include "event.h"
#include "trace.h"

/* More are counted as one "other". */
#define AB_CPU_FREQUENCIES 256
#define AB_CPU_IDLE_STATES 64

struct ab_cpu_frequency {
	guint32 khz; /* G_MAXUINT32: other */
	gint64 ns;
	gint64 busy_ns; /* of which the CPU was not idle, as far as known */
};

struct ab_cpu_idle {
	gint64 ns;
	guint64 entries;
};

/* One CPU.  Before its first event of a kind nothing is known of that kind. */
struct ab_cpu_times {
	GArray *frequencies; /* struct ab_cpu_frequency, ascending */
	struct ab_cpu_idle idle[AB_CPU_IDLE_STATES + 1]; /* last: other */
	gint64 busy_ns;
	guint64 exits;	   /* from an idle state */
	gint64 since_ns;   /* accounted up to here */
	guint32 frequency; /* index + 1 of the one that it has; 0: unknown */
	guint32 state;	   /* number + 2; 1: not idle; 0: unknown */
	guint cluster;
};

struct ab_overutilized {
	gint64 ns, known_ns, since_ns;
	guint64 times; /* that it began in the window */
	guint8 state;  /* 0: unknown, 1: no, 2: yes */
};

struct ab_cpus {
	struct ab_trace *trace;
	struct ab_cpu_times *cpus[AB_MAX_CPUS]; /* NULL: no event */
	struct ab_overutilized overutilized;
};

/* A copy of @cpus with all that is left of the window, and the clusters. */
struct ab_cpus *ab_cpus_finished(const struct ab_cpus *cpus);
void ab_cpus_free(struct ab_cpus *cpus);
AB_DEFINE_AUTO(ab_cpus, ab_cpus_free)

gint64 ab_cpu_idle_ns(const struct ab_cpu_times *cpu);

/* Compares two struct ab_cpu_frequency. */
int ab_cpu_by_khz(const void *a, const void *b);

/* Sums over some CPUs. */
struct ab_cpu_sum {
	gint64 busy_ns, idle_ns;
	double khz_ns, frequency_ns;	       /* all of the time */
	double busy_khz_ns, busy_frequency_ns; /* while not idle */
};
void ab_cpu_sum_add(struct ab_cpu_sum *sum, const struct ab_cpu_times *cpu);

/* cpu_tables.c: append those that have rows. */
void ab_cpu_tables(const struct ab_cpus *finished, GPtrArray *tables);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Large Perfetto traces of a phone with 8 CPUs, for benchmarks and tests.
 *
 * A scheduler is simulated event by event, so every CPU's chain of switches
 * closes, only sleeping threads are woken, and what was planted is known to
 * the nanosecond.  The trace is written while it is simulated: memory does
 * not grow with it.
 */
#ifndef BENCH_GEN_H
#define BENCH_GEN_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#define GEN_RAILS 16

enum gen_mix {
	GEN_COMPACT, /* sched_switch and sched_waking, nearly nothing else */
	GEN_FULL,    /* everything that the rig's own recording asks for */
};

struct gen_spec {
	enum gen_mix mix;
	guint64 seed;
	guint64 bytes; /* at which the trace soon ends */
};

/* Intervals: the sum of their parts inside the window; number and maximum of
 * those that lie in it as a whole. */
struct gen_sum {
	gint64 ns, max_ns;
	guint64 n;
};

/* What was planted. */
struct gen_truth {
	guint64 bytes;
	/* In the whole trace. */
	guint64 switches, wakings, events; /* events: the others */

	/* In the window between the rig's marks. */
	gint64 begin_ns, end_ns;
	struct gen_sum running, after_wakeup, after_preemption;
	guint64 migrations;
	struct gen_sum pm_wait; /* CPU wait of pm_runtime_work */
	struct gen_sum ui_rpm;	/* D state of UI threads in rpm_resume */
	guint64 frames, app_missed, sf_missed;
	gint64 rail_mw[GEN_RAILS];
};

/* The name of a rail; rail_mw has its power. */
const char *gen_rail_name(int rail);

/* False when @out cannot be written. */
bool gen_write(const struct gen_spec *spec, FILE *out,
	       struct gen_truth *truth_out);

#endif

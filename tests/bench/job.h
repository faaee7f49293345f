/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of a virtual phone, for the benchmarks that want only its trace. */
#ifndef BENCH_JOB_H
#define BENCH_JOB_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../vphone/vphone.h"

#define JOB_MODELS "tests/vphone/models"
#define JOB_SKIN_MC 33000

/* What is measured: [window_begin, window_end) lies inside the trace. */
struct job {
	struct vp_boot boot;
	struct vp_trace_request rq;
	struct vp_act *acts;
	struct vp_mark marks[2];
	gint64 window_begin_ns, window_end_ns;
};

struct job_spec {
	const struct vp_hw *hw;
	const struct vp_model *model;
	bool bench; /* one Jankbench iteration, else a swipe per second */
	guint64 phone_seed, run_seed;
	int boot_number, seconds;
	gint64 begin_ns;
};

static inline const struct vp_hw *job_hw(const char *platform)
{
	const struct vp_hw *hw = vp_hw_find(platform);

	if (hw)
		return hw;
	fprintf(stderr, "bench: no platform '%s'\n", platform);
	exit(2);
}

/* @name: a file, or a kernel of @platform. */
static inline struct vp_model *job_model(const char *platform, const char *name)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	g_autofree char *known =
		g_strdup_printf(JOB_MODELS "/%s/%s.model", platform, name);
	const char *file = strchr(name, '.') ? name : known;
	struct vp_model *model = NULL;

	if (g_file_get_contents(file, &text, NULL, &error))
		model = vp_model_parse(text, &error);
	if (model)
		return model;
	fprintf(stderr, "bench: %s: %s\n", file, error->message);
	exit(2);
}

/* A swipe of half a second in every second, or one Jankbench iteration. */
static inline size_t job_acts(const struct job_spec *spec,
			      struct vp_act **acts_out)
{
	size_t n = spec->bench ? 1 : (size_t)spec->seconds;
	struct vp_act *acts = g_new0(struct vp_act, n);

	for (size_t i = 0; i < n; i++) {
		gint64 second_ns = spec->begin_ns + (gint64)i * VP_NSEC;
		acts[i] = (struct vp_act){
			.kind = VP_ACT_SHADE,
			.begin_ns = second_ns + 300 * VP_MSEC,
			.end_ns = second_ns + 800 * VP_MSEC,
		};
	}
	if (spec->bench) {
		acts[0].kind = VP_ACT_BENCH;
		acts[0].end_ns = spec->begin_ns + spec->seconds * VP_NSEC -
				 200 * VP_MSEC;
	}
	*acts_out = acts;
	return n;
}

static inline struct vp_trace_request job_request(void)
{
	return (struct vp_trace_request){
		.mono_offset_ns = 1234567,
		.realtime_ns = G_GINT64_CONSTANT(1764500000) * VP_NSEC,
		.skin_mc = JOB_SKIN_MC,
		.uname_release = "6.12.30-android16-5-g0123456789ab",
		.uname_version = "#1 SMP PREEMPT Mon Nov 2 05:03:00 UTC 2026",
		.sched = true,
		.waking = true,
		.workqueue = true,
		.blocked_reason = true,
		.rpm = true,
		.freq = true,
		.idle = true,
		.print = true,
		.frametimeline = true,
		.rails = true,
		.battery = true,
		.processes = true,
		.compact = true,
		.symbols = true,
	};
}

/* @job must not move: its request points into it. */
static inline void job_init(struct job *job, const struct job_spec *spec)
{
	gint64 end_ns = spec->begin_ns + spec->seconds * VP_NSEC;

	*job = (struct job){
		.window_begin_ns = spec->begin_ns + 150 * VP_MSEC,
		.window_end_ns = end_ns - 100 * VP_MSEC,
	};
	vp_boot_draw(&job->boot, spec->model, spec->hw, spec->phone_seed,
		     spec->boot_number);
	job->marks[0] = (struct vp_mark){ job->window_begin_ns, 7001,
					  "S|7001|abrig:run|1\n" };
	job->marks[1] = (struct vp_mark){ job->window_end_ns, 7001,
					  "F|7001|abrig:run|1\n" };
	job->rq = job_request();
	job->rq.boot = &job->boot;
	job->rq.n_acts = job_acts(spec, &job->acts);
	job->rq.acts = job->acts;
	job->rq.begin_ns = spec->begin_ns;
	job->rq.end_ns = end_ns;
	job->rq.fingerprint = spec->hw->fingerprint;
	job->rq.marks = job->marks;
	job->rq.n_marks = 2;
	job->rq.run_seed = spec->run_seed;
}

static inline void job_clear(struct job *job)
{
	g_free(job->acts);
}

#endif

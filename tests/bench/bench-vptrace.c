// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Traces of the virtual phone without a phone: written to a file for those
 * who need one, with what was planted in them; or timed.
 */
#include <glib.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../vphone/trace_sim.h"

#define MODELS "tests/vphone/models"

static struct {
	char *write, *planted, *platform, *model, *workload;
	int seed, seconds, boot, sample;
	gboolean truth, classic, no_symbols, lost;
} opt = { .seed = 1, .seconds = 20, .boot = 1 };

static const GOptionEntry entries[] = {
	{ "write", 0, 0, G_OPTION_ARG_FILENAME, &opt.write,
	  "write one trace to FILE", "FILE" },
	{ "planted", 0, 0, G_OPTION_ARG_FILENAME, &opt.planted,
	  "with --write: what is in the trace, for check-vptrace", "FILE" },
	{ "truth", 0, 0, G_OPTION_ARG_NONE, &opt.truth,
	  "print the model's ground truth", NULL },
	{ "sample", 0, 0, G_OPTION_ARG_INT, &opt.sample,
	  "print the same of what N boots, a run each, drew", "N" },
	{ "platform", 0, 0, G_OPTION_ARG_STRING, &opt.platform, "A or B", "P" },
	{ "model", 0, 0, G_OPTION_ARG_FILENAME, &opt.model,
	  "model text (default: base of the platform)", "FILE" },
	{ "workload", 0, 0, G_OPTION_ARG_STRING, &opt.workload,
	  "shade (default) or bench", "W" },
	{ "seed", 0, 0, G_OPTION_ARG_INT, &opt.seed, "seed of the run", "N" },
	{ "boot", 0, 0, G_OPTION_ARG_INT, &opt.boot, "boot number", "N" },
	{ "seconds", 0, 0, G_OPTION_ARG_INT, &opt.seconds,
	  "length of the trace", "S" },
	{ "classic", 0, 0, G_OPTION_ARG_NONE, &opt.classic, "no compact_sched",
	  NULL },
	{ "no-symbols", 0, 0, G_OPTION_ARG_NONE, &opt.no_symbols,
	  "no symbolize_ksyms", NULL },
	{ "lost", 0, 0, G_OPTION_ARG_NONE, &opt.lost, "plant lost events",
	  NULL },
	{ NULL, 0, 0, 0, NULL, NULL, NULL },
};

/* One request and all that it points to. */
struct job {
	struct vp_model *model;
	struct vp_boot boot;
	struct vp_trace_request rq;
	struct vp_act *acts;
	struct vp_mark marks[2];
};

static struct vp_model *load_model(const char *platform, const char *path)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	g_autofree char *base = g_strdup_printf(MODELS "/%s/%s.model", platform,
						path ? path : "base");
	const char *file = path && strchr(path, '.') ? path : base;
	struct vp_model *model = NULL;

	if (g_file_get_contents(file, &text, NULL, &error))
		model = vp_model_parse(text, &error);
	if (!model) {
		fprintf(stderr, "bench-vptrace: %s: %s\n", file,
			error->message);
		exit(2);
	}
	return model;
}

/* A swipe of half a second in every second, or one Jankbench iteration. */
static size_t make_acts(struct vp_act **acts_out, bool bench, gint64 begin_ns,
			int seconds)
{
	size_t n = bench ? 1 : (size_t)seconds;
	struct vp_act *acts = g_new0(struct vp_act, n);

	for (size_t i = 0; i < n; i++)
		acts[i] = (struct vp_act){
			.kind = VP_ACT_SHADE,
			.begin_ns =
				begin_ns + (gint64)i * VP_NSEC + 300 * VP_MSEC,
			.end_ns =
				begin_ns + (gint64)i * VP_NSEC + 800 * VP_MSEC,
		};
	if (bench) {
		acts[0].kind = VP_ACT_BENCH;
		acts[0].end_ns = begin_ns + seconds * VP_NSEC - 200 * VP_MSEC;
	}
	*acts_out = acts;
	return n;
}

static void job_init(struct job *job, const char *platform, const char *model,
		     bool bench, guint64 seed, int boot, int seconds)
{
	const struct vp_hw *hw = vp_hw_find(platform);
	gint64 begin_ns = 95 * VP_NSEC + (gint64)(vp_mix(seed, 7) % VP_NSEC);
	gint64 end_ns = begin_ns + seconds * VP_NSEC;

	if (!hw) {
		fprintf(stderr, "bench-vptrace: no platform '%s'\n", platform);
		exit(2);
	}
	*job = (struct job){ .model = load_model(platform, model) };
	vp_boot_draw(&job->boot, job->model, hw, 4711, boot);
	job->marks[0] = (struct vp_mark){ begin_ns + 150 * VP_MSEC, 7001,
					  "S|7001|abrig:run|1\n" };
	job->marks[1] = (struct vp_mark){ end_ns - 100 * VP_MSEC, 7001,
					  "F|7001|abrig:run|1\n" };
	job->rq = (struct vp_trace_request){
		.boot = &job->boot,
		.n_acts = make_acts(&job->acts, bench, begin_ns, seconds),
		.begin_ns = begin_ns,
		.end_ns = end_ns,
		.mono_offset_ns = 1234567,
		.realtime_ns = G_GINT64_CONSTANT(1764500000) * VP_NSEC,
		.skin_mc = 33000,
		.uname_release = "6.12.30-android16-5-g0123456789ab",
		.uname_version = "#1 SMP PREEMPT Mon Nov 2 05:03:00 UTC 2026",
		.fingerprint = hw->fingerprint,
		.marks = job->marks,
		.n_marks = 2,
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
		.run_seed = seed,
	};
	job->rq.acts = job->acts;
}

static void job_clear(struct job *job)
{
	vp_model_free(job->model);
	g_free(job->acts);
}

static void write_bytes(const char *path, const char *data, gsize len)
{
	g_autoptr(GError) error = NULL;

	if (g_file_set_contents(path, data, (gssize)len, &error))
		return;
	fprintf(stderr, "bench-vptrace: %s\n", error->message);
	exit(1);
}

static void add_items(const struct vp_sim *sim, GString *out)
{
	const struct vp_trace_request *rq = sim->rq;

	for (guint i = 0; i < sim->items->len; i++) {
		const struct vp_item *item =
			&g_array_index(sim->items, struct vp_item, i);
		gint64 start_ns = item->queue_ns + item->wait_ns;
		int worker = vp_sim_cpu_task(sim, item->cpu, VP_CPU_PM_WORKER);
		if (start_ns + item->run_ns >= rq->end_ns)
			continue;
		g_string_append_printf(
			out,
			"item\t%d\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT
			"\t%" G_GINT64_FORMAT "\t%d\t%" G_GINT64_FORMAT "\n",
			vp_sim_task(sim, worker)->tid, start_ns, item->wait_ns,
			item->run_ns,
			item->resume_ns ? vp_sim_task(sim, item->waiter)->tid
					: 0,
			item->resume_ns ? VP_UI_LEAD_NS + item->wait_ns +
						  item->resume_ns
					: 0);
	}
}

/* Lines "item", tid, start, CPU wait, run time, waiter, D-state; "frames". */
static void write_planted(const struct vp_trace_request *rq, const char *path)
{
	struct vp_sim *sim = vp_sim_new(rq);
	g_autoptr(GString) out = g_string_new(NULL);
	int shown = 0, app = 0, sf = 0;

	add_items(sim, out);
	for (guint i = 0; i < sim->frames->len; i++) {
		const struct vp_frame *frame =
			&g_array_index(sim->frames, struct vp_frame, i);
		if (frame->present_ns >= rq->end_ns)
			continue;
		shown++;
		app += frame->app_missed;
		sf += frame->sf_missed;
	}
	g_string_append_printf(out, "frames\t%d\t%d\t%d\n", shown, app, sf);
	write_bytes(path, out->str, out->len);
	vp_sim_free(sim);
}

static void write_trace(const char *path)
{
	struct job job;

	job_init(&job, opt.platform, opt.model,
		 g_strcmp0(opt.workload, "bench") == 0, (guint64)opt.seed,
		 opt.boot, opt.seconds);
	job.rq.compact = !opt.classic;
	job.rq.symbols = !opt.no_symbols;
	job.rq.lost = opt.lost;
	g_autoptr(GByteArray) pb = vp_trace_build(&job.rq);
	write_bytes(path, (const char *)pb->data, pb->len);
	if (opt.planted)
		write_planted(&job.rq, opt.planted);
	job_clear(&job);
}

static void print_values(const struct vp_truth *t)
{
	printf("items %.1f\nmean_us %.1f\np99_us %.1f\n"
	       "over_2ms %.3f\nover_5ms %.4f\n"
	       "ui_waker_wait_p90_us %.1f\nui_d_state_p90_us %.1f\n"
	       "app_missed %.3f\nsf_missed %.3f\n",
	       t->items_per_run, t->wait_mean_us, t->wait_p99_us,
	       t->wait_2ms_per_run, t->wait_5ms_per_run,
	       t->ui_waker_wait_p90_us, t->ui_d_state_p90_us,
	       t->app_missed_per_run, t->sf_missed_per_run);
}

static void print_truth(void)
{
	struct vp_run_shape shape = { .swipes = opt.seconds, .skin_mc = 33000 };
	struct vp_model *model = load_model(opt.platform, opt.model);
	struct vp_truth truth;

	vp_truth(model, &shape, &truth);
	print_values(&truth);
	printf("bench_frame_ms %.3f\n", truth.bench_frame_ms);
	vp_model_free(model);
}

/* Waits in us of many runs, and what is counted in them. */
struct sample {
	GArray *all, *ui, *d_state; /* double */
	int runs, app, sf;
};

static void sample_run(struct sample *sample, const struct vp_sim *sim)
{
	sample->runs++;
	for (guint i = 0; i < sim->items->len; i++) {
		const struct vp_item *item =
			&g_array_index(sim->items, struct vp_item, i);
		double wait_us = (double)item->wait_ns / 1000;
		double d_us = wait_us +
			      (double)(item->resume_ns + VP_UI_LEAD_NS) / 1000;
		g_array_append_val(sample->all, wait_us);
		if (!item->resume_ns)
			continue;
		g_array_append_val(sample->ui, wait_us);
		g_array_append_val(sample->d_state, d_us);
	}
	for (guint i = 0; i < sim->frames->len; i++) {
		const struct vp_frame *frame =
			&g_array_index(sim->frames, struct vp_frame, i);
		sample->app += frame->app_missed;
		sample->sf += frame->sf_missed;
	}
}

static double quantile(GArray *values, double q)
{
	gsl_sort((double *)(void *)values->data, 1, values->len);
	return gsl_stats_quantile_from_sorted_data(
		(const double *)(const void *)values->data, 1, values->len, q);
}

static double per_run_over(const struct sample *sample, double us)
{
	int n = 0;

	for (guint i = 0; i < sample->all->len; i++)
		n += g_array_index(sample->all, double, i) >= us;
	return (double)n / sample->runs;
}

static void print_sample(void)
{
	struct sample s = {
		.all = g_array_new(false, false, sizeof(double)),
		.ui = g_array_new(false, false, sizeof(double)),
		.d_state = g_array_new(false, false, sizeof(double)),
	};

	for (int boot = 1; boot <= opt.sample; boot++) {
		struct job job;
		guint64 seed = vp_mix((guint64)opt.seed, (guint64)boot);
		job_init(&job, opt.platform, opt.model, false, seed, boot,
			 opt.seconds);
		struct vp_sim *sim = vp_sim_new(&job.rq);
		sample_run(&s, sim);
		vp_sim_free(sim);
		job_clear(&job);
	}
	struct vp_truth got = {
		.items_per_run = (double)s.all->len / s.runs,
		.wait_mean_us = gsl_stats_mean(
			(const double *)(const void *)s.all->data, 1,
			s.all->len),
		.wait_p99_us = quantile(s.all, 0.99),
		.wait_2ms_per_run = per_run_over(&s, 2000),
		.wait_5ms_per_run = per_run_over(&s, 5000),
		.ui_waker_wait_p90_us = quantile(s.ui, 0.9),
		.ui_d_state_p90_us = quantile(s.d_state, 0.9),
		.app_missed_per_run = (double)s.app / s.runs,
		.sf_missed_per_run = (double)s.sf / s.runs,
	};
	print_values(&got);
	g_array_unref(s.all);
	g_array_unref(s.ui);
	g_array_unref(s.d_state);
}

static void time_build(void)
{
	enum { BUILDS = 20 };
	clock_t begin = 0;
	gint64 bytes = 0;

	for (int i = 0; i <= BUILDS; i++) {
		struct job job;
		job_init(&job, "A", "base", false, (guint64)i, 1, 20);
		if (i == 1)
			begin = clock();
		g_autoptr(GByteArray) pb = vp_trace_build(&job.rq);
		bytes = pb->len;
		job_clear(&job);
	}
	printf("vptrace: 20 s with 20 swipes: %.1f ms of CPU, %.2f MB\n",
	       (double)(clock() - begin) * 1000 / CLOCKS_PER_SEC / BUILDS,
	       (double)bytes / 1e6);
}

int main(int argc, char **argv)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error)) {
		fprintf(stderr, "bench-vptrace: %s\n", error->message);
		return 2;
	}
	if (!opt.platform)
		opt.platform = g_strdup("A");
	if (opt.truth)
		print_truth();
	else if (opt.sample > 0)
		print_sample();
	else if (opt.write)
		write_trace(opt.write);
	else
		time_build();
	return 0;
}

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
#include "job.h"

static struct {
	char *write, *planted, *platform, *model, *workload;
	int seed, seconds, boot, sample;
	gboolean truth, classic, no_symbols, lost, late_waits;
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
	{ "late-waits", 0, 0, G_OPTION_ARG_NONE, &opt.late_waits,
	  "frames are missed for long waits, see docs/VPHONE.md", NULL },
	{ NULL, 0, 0, 0, NULL, NULL, NULL },
};

/* The run that the options ask for. */
static void job_of_options(struct job *job, const struct vp_model *model,
			   guint64 seed, int boot)
{
	struct job_spec spec = {
		.hw = job_hw(opt.platform),
		.model = model,
		.bench = g_strcmp0(opt.workload, "bench") == 0,
		.phone_seed = 4711,
		.run_seed = seed,
		.boot_number = boot,
		.seconds = opt.seconds,
		.begin_ns = 95 * VP_NSEC + (gint64)(vp_mix(seed, 7) % VP_NSEC),
	};

	job_init(job, &spec);
	job->rq.compact = !opt.classic;
	job->rq.symbols = !opt.no_symbols;
	job->rq.lost = opt.lost;
	job->rq.late_waits = opt.late_waits;
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
	int shown = 0, app = 0, sf = 0, late = 0;

	add_items(sim, out);
	for (guint i = 0; i < sim->frames->len; i++) {
		const struct vp_frame *frame =
			&g_array_index(sim->frames, struct vp_frame, i);
		if (frame->present_ns >= rq->end_ns)
			continue;
		shown++;
		app += frame->app_missed;
		sf += frame->sf_missed;
		late += frame->late_wait;
	}
	g_string_append_printf(out, "frames\t%d\t%d\t%d\nlate_waits\t%d\n",
			       shown, app, sf, late);
	write_bytes(path, out->str, out->len);
	vp_sim_free(sim);
}

static void write_trace(const struct vp_model *model, const char *path)
{
	struct job job;

	job_of_options(&job, model, (guint64)opt.seed, opt.boot);
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

static void print_truth(const struct vp_model *model)
{
	struct vp_run_shape shape = { .swipes = opt.seconds,
				      .skin_mc = JOB_SKIN_MC };
	struct vp_truth truth;

	vp_truth(model, &shape, &truth);
	print_values(&truth);
	printf("bench_frame_ms %.3f\n", truth.bench_frame_ms);
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

static void print_sample(const struct vp_model *model)
{
	struct sample s = {
		.all = g_array_new(false, false, sizeof(double)),
		.ui = g_array_new(false, false, sizeof(double)),
		.d_state = g_array_new(false, false, sizeof(double)),
	};

	for (int boot = 1; boot <= opt.sample; boot++) {
		struct job job;
		guint64 seed = vp_mix((guint64)opt.seed, (guint64)boot);
		job_of_options(&job, model, seed, boot);
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

static void time_build(const struct vp_model *model)
{
	enum { BUILDS = 20 };
	clock_t begin = 0;
	gint64 bytes = 0;

	for (int i = 0; i <= BUILDS; i++) {
		struct job job;
		job_of_options(&job, model, (guint64)i, 1);
		if (i == 1)
			begin = clock();
		g_autoptr(GByteArray) pb = vp_trace_build(&job.rq);
		bytes = pb->len;
		job_clear(&job);
	}
	printf("vptrace: %d s: %.1f ms of CPU, %.2f MB\n", opt.seconds,
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
	struct vp_model *model =
		job_model(opt.platform, opt.model ? opt.model : "base");
	if (opt.truth)
		print_truth(model);
	else if (opt.sample > 0)
		print_sample(model);
	else if (opt.write)
		write_trace(model, opt.write);
	else
		time_build(model);
	vp_model_free(model);
	return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* abrig analyze: what a trace says; or a whole campaign's artefacts again. */
#include "cmd.h"

#include <abrig/campaign.h>
#include <abrig/trace.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_quality(const struct ab_trace *trace)
{
	const struct ab_trace_quality *q = ab_trace_quality(trace);
	const struct ab_trace_facts *f = ab_trace_facts(trace);
	const struct {
		const char *what;
		guint64 n;
	} counts[] = {
		{ "bytes ignored", q->bytes_ignored },
		{ "damaged packets", q->damaged_packets },
		{ "damaged events", q->damaged_events },
		{ "gaps in kernel buffers", q->lost_bundles },
		{ "kernel events overwritten", q->overrun },
		{ "packets lost", q->packet_loss },
		{ "packets without state", q->state_dropped },
		{ "buffer chunks lost", q->buffer_loss },
		{ "events of a task that did not run", q->switch_mismatch },
		{ "unpaired events", q->unpaired },
		{ "unknown enum values", q->unknown_enums },
		{ "time stamps without a clock", q->clock_failures },
		{ "packets of another machine", q->foreign_packets },
		{ "work items without a symbol", q->unresolved },
		{ "waits that are not known", q->unknown_waits },
	};
	size_t i;

	printf("  kernel   %s\n  window   %.3f s%s, %d CPUs, %" G_GUINT64_FORMAT
	       " packets, %" G_GUINT64_FORMAT " events\n",
	       f->uname_release ? f->uname_release : "unknown",
	       (double)(f->end_ns - f->begin_ns) / 1e9,
	       f->window_marked ? "" : " (no markers: the whole trace)",
	       f->cpus, q->packets, q->events);
	for (i = 0; i < G_N_ELEMENTS(counts); i++)
		if (counts[i].n)
			printf("  quality  %" G_GUINT64_FORMAT " %s\n",
			       counts[i].n, counts[i].what);
	if (q->loss_in_window)
		puts("  quality  data was lost in the window");
}

/* One trace is one run: its own statistics, without intervals. */
static void print_metric(const struct ab_metric *m,
			 const struct ab_run_data *data)
{
	const GArray *samples = ab_run_data_find(data, m->source);
	struct ab_obs obs = { .value = NAN, .per = NAN };
	struct ab_estimate e;

	if (samples) {
		ab_samples_sort((GArray *)samples);
		obs.samples = (const double *)(const void *)samples->data;
		obs.n_samples = samples->len;
	} else if (!ab_run_data_get(data, m->source, &obs.value)) {
		return;
	}
	if (m->per)
		ab_run_data_get(data, m->per, &obs.per);
	ab_stats_estimate(m, &obs, 1, 0, 0.95, &e);
	if (isnan(e.value))
		return;
	printf("  %-32s %12.3f %-3s", m->id, e.value, m->unit);
	if (samples)
		printf(" n %u", samples->len);
	putchar('\n');
}

static void print_trace(const char *path, struct ab_trace *trace)
{
	ab_autoptr(ab_run_data) data = ab_run_data_new();
	const struct ab_trace_options options = { 0 };
	const struct ab_metric *m;
	guint i;

	ab_trace_analyze(trace, &options, data);
	printf("%s\n", path);
	print_quality(trace);
	for (m = ab_metrics; m->id; m++)
		print_metric(m, data);
	for (i = 0; i < data->withheld->len; i++) {
		const struct ab_withheld *w = data->withheld->pdata[i];

		printf("  withheld %s: %s\n", w->name, w->reason);
	}
}

static int analyze_file(const char *path)
{
	GError *error = NULL;
	ab_autoptr(ab_trace) trace = ab_trace_open(path, &error);

	if (!trace)
		return cmd_fail(error);
	print_trace(path, trace);
	return 0;
}

static int analyze_campaign(const char *dir)
{
	GError *error = NULL;
	int count;

	if (!ab_results_analyze(dir, cmd_intr(), &count, &error))
		return cmd_fail(error);
	printf("%d runs analysed; abrig report %s prints the table\n", count,
	       dir);
	return 0;
}

int cmd_analyze(int argc, char **argv)
{
	gboolean list = FALSE;
	const GOptionEntry options[] = {
		{ "list-metrics", 0, 0, G_OPTION_ARG_NONE, &list,
		  "print name, unit, direction and definition of all metrics",
		  NULL },
		{ .long_name = NULL },
	};
	char *topic[] = { (char *)"help", (char *)"metrics", NULL };
	int status = 0, i;

	if (!cmd_parse("analyze", options, &argc, &argv, 0, -1))
		return 2;
	if (list)
		return cmd_help(2, topic);
	if (argc < 2) {
		fputs("abrig analyze: name traces or a campaign's directory\n",
		      stderr);
		return 2;
	}
	for (i = 1; i < argc; i++) {
		int one = g_file_test(argv[i], G_FILE_TEST_IS_DIR)
				  ? analyze_campaign(argv[i])
				  : analyze_file(argv[i]);

		status = MAX(status, one);
	}
	return status;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* One trace, in a process of its own: file in, report out. */
#include "analyze.h"

#include <abrig/campaign.h>
#include <abrig/file.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

/* Opening a pipe would wait for its writer. */
static bool check_file(const char *path, GError **error)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "cannot read %s: %s; check the name and who may "
			    "read it",
			    path, g_strerror(errno));
		return false;
	}
	if (!S_ISREG(st.st_mode)) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s is no regular file; copy its contents into "
			    "one",
			    path);
		return false;
	}
	return true;
}

static void note_read(void *user, guint64 done, guint64 size)
{
	(void)size;
	__atomic_store_n((guint64 *)user, done, __ATOMIC_RELAXED);
}

static struct ab_trace *open_trace(const struct analyze *a, guint i,
				   guint64 *read, GError **error)
{
	const char *path = a->files[i];
	const struct ab_trace_progress progress = { note_read, read };
	struct ab_trace *trace;
	const struct ab_trace_facts *facts;

	if (!check_file(path, error))
		return NULL;
	trace = ab_trace_open(path, a->window, read ? &progress : NULL, error);
	if (!trace)
		return NULL;
	facts = ab_trace_facts(trace);
	if (facts->window_given && facts->begin_ns >= facts->end_ns) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: the window begins when the trace is over; "
			    "give an earlier --window",
			    path);
		ab_trace_free(trace);
		return NULL;
	}
	return trace;
}

/* One trace is one run: its own statistics, without intervals. */
static void add_metric(const struct ab_metric *metric,
		       const struct ab_run_data *data, GArray *metrics)
{
	struct ab_metric_value value = { .metric = metric, .n = -1 };
	GArray *samples = (GArray *)ab_run_data_find(data, metric->source);
	struct ab_obs obs = { .value = NAN, .per = NAN };
	struct ab_estimate e;

	if (samples) {
		ab_samples_sort(samples);
		obs.samples = (const double *)(const void *)samples->data;
		obs.n_samples = samples->len;
		value.n = samples->len;
	} else if (!ab_run_data_get(data, metric->source, &obs.value)) {
		return;
	}
	if (metric->per)
		ab_run_data_get(data, metric->per, &obs.per);
	ab_stats_estimate(metric, &obs, 1, 0, 0.95, &e);
	value.value = e.value;
	if (!isnan(e.value))
		g_array_append_val(metrics, value);
}

static GArray *all_metrics(const struct ab_run_data *data)
{
	GArray *metrics =
		g_array_new(FALSE, FALSE, sizeof(struct ab_metric_value));
	const struct ab_metric *m;

	for (m = ab_metrics; m->id; m++)
		add_metric(m, data, metrics);
	return metrics;
}

static void free_samples_file(gpointer data)
{
	struct ab_samples_file *f = data;

	g_free(f->path);
	g_free(f);
}

static bool write_table(const struct analyze *a, guint i,
			const struct ab_table *table, GPtrArray *files,
			GError **error)
{
	g_autofree char *name = g_strdup_printf(
		"%s.%s.csv", (char *)a->sample_names->pdata[i], table->id);
	struct ab_samples_file *f = g_new(struct ab_samples_file, 1);
	g_autoptr(GString) text = g_string_new(NULL);

	f->path = g_build_filename(a->samples, name, NULL);
	f->table = table->id;
	f->rows = ab_table_rows(table);
	g_ptr_array_add(files, f);
	ab_table_csv(table, text);
	return ab_file_write(f->path, text->str, (gssize)text->len, error);
}

/* Into @files what was written. */
static bool write_samples(const struct analyze *a, guint i,
			  struct ab_trace *trace,
			  const struct ab_trace_options *options,
			  GPtrArray *files, GError **error)
{
	struct ab_table *next;
	guint k;

	for (k = 0; a->samples && ab_trace_samples(trace, options, k, &next);
	     k++) {
		ab_autoptr(ab_table) table = next;

		if (table && !write_table(a, i, table, files, error))
			return false;
	}
	return true;
}

static bool put_report(const struct ab_trace_format *format,
		       const struct ab_trace_report *report, int out,
		       GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	format->write(report, text);
	if (ab_file_put(out, text->str, text->len))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "%s: cannot keep the results: %s; free some memory",
		    report->file, g_strerror(errno));
	return false;
}

static bool report_trace(const struct analyze *a, guint i,
			 struct ab_trace *trace, int out, GError **error)
{
	const struct ab_trace_options options = { .rules = a->rules };
	const struct ab_trace_quality *q = ab_trace_quality(trace);
	const struct ab_trace_facts *f = ab_trace_facts(trace);
	ab_autoptr(ab_run_data) data = ab_run_data_new();
	g_autofree struct ab_quality_count *quality = NULL;
	g_autoptr(GPtrArray) tables = NULL;
	g_autoptr(GArray) metrics = NULL;
	g_autoptr(GPtrArray) files =
		g_ptr_array_new_with_free_func(free_samples_file);
	struct ab_trace_report r = { .file = a->files[i] };

	ab_trace_analyze(trace, &options, data);
	tables = ab_trace_tables(trace, &options);
	if (!write_samples(a, i, trace, &options, files, error))
		return false;
	metrics = all_metrics(data);
	quality = analyze_quality(q, &r.n_quality);
	r.format = f->format;
	r.width = a->width;
	r.kernel = f->uname_release;
	r.kernel_version = f->uname_version;
	r.fingerprint = f->fingerprint;
	r.cpus = f->cpus;
	r.packets = q->packets;
	r.events = q->events;
	r.begin_ns = f->begin_ns;
	r.end_ns = f->end_ns;
	r.window_marked = f->window_marked;
	r.window_given = f->window_given;
	r.quality = quality;
	r.unknown_events = q->unknown_events;
	r.loss_in_window = q->loss_in_window;
	r.data = data;
	r.metrics = metrics;
	r.tables = tables;
	r.files = files;
	return put_report(a->format, &r, out, error);
}

int analyze_file(const struct analyze *a, guint i, guint64 *read, int out)
{
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_trace) trace = open_trace(a, i, read, &error);
	struct ab_trace_report failed = { .file = a->files[i] };

	if (trace && report_trace(a, i, trace, out, &error))
		return 0;
	fprintf(stderr, "abrig: %s\n", error->message);
	failed.error = error->message;
	put_report(a->format, &failed, out, NULL);
	return ab_error_exit_status(error);
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* One trace for people: what to distrust first, then what it says. */
#include "parts.h"

#include <abrig/trace_report.h>
#include <math.h>
#include <string.h>

#define MOST_VALUES 20
#define DECIMALS 3 /* ns where the unit is us */
#define SECOND 1e9
#define INDENT 2
#define LABEL 9 /* width */

/* "  label     text", wrapped. */
static void entry(GString *out, const char *label, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
static void entry(GString *out, const char *label, const char *format, ...)
{
	g_autofree char *head = g_strdup_printf("%-*s", LABEL, label);
	g_autofree char *text = NULL;
	g_autofree char *line = NULL;
	va_list ap;

	va_start(ap, format);
	text = g_strdup_vprintf(format, ap);
	va_end(ap);
	/* Kept, so that the texts stand in line. */
	g_strdelimit(head, " ", *TEXT_KEEP);
	line = g_strconcat(head, " ", text, NULL);
	text_wrap(out, line, INDENT, INDENT + LABEL + 1);
}

static const char *verdict(const struct ab_trace_report *r)
{
	bool loss = r->loss_in_window, any = r->unknown_events->len > 0;

	if (loss)
		return "DATA IS MISSING in the window";
	for (guint i = 0; i < r->n_quality; i++) {
		any |= r->quality[i].n > 0;
		loss |= r->quality[i].n > 0 && r->quality[i].loss;
	}
	if (loss)
		return "data is missing, none that is known to touch the "
		       "window";
	return any ? "nothing was lost or damaged"
		   : "nothing was lost or damaged, all was understood";
}

static void add_quality(const struct ab_trace_report *r, GString *out)
{
	g_autoptr(GString) events = g_string_new(NULL);

	entry(out, "quality", "%s", verdict(r));
	for (guint i = 0; i < r->n_quality; i++) {
		const struct ab_quality_count *q = &r->quality[i];
		g_autofree char *n = number_count(q->n);

		if (q->n)
			entry(out, "", "%s %s: %s", n, q->what, q->means);
	}
	for (guint i = 0; i < r->unknown_events->len; i++)
		text_item(events, "%s",
			  (const char *)r->unknown_events->pdata[i]);
	if (events->len)
		entry(out, "",
		      "events asked for that the kernel does not "
		      "have: %s",
		      events->str);
}

/* Each reason once, with all that it withholds. */
static void add_withheld(const struct ab_run_data *data, GString *out)
{
	g_autoptr(GHashTable) said = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < data->withheld->len; i++) {
		const struct ab_withheld *first = data->withheld->pdata[i];
		g_autoptr(GString) names = g_string_new(NULL);

		if (!g_hash_table_add(said, first->reason))
			continue;
		for (guint k = i; k < data->withheld->len; k++) {
			const struct ab_withheld *w = data->withheld->pdata[k];

			if (strcmp(w->reason, first->reason) != 0)
				continue;
			if (names->len)
				g_string_append_c(names, ',');
			text_item(names, "%s", w->name);
		}
		entry(out, "withheld", "%s: %s", names->str, first->reason);
	}
}

/* The same in one line, however long. */
static void fact(GString *out, const char *label, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
static void fact(GString *out, const char *label, const char *format, ...)
{
	g_autofree char *text = NULL;
	g_autofree char *ascii = NULL;
	va_list ap;

	va_start(ap, format);
	text = g_strdup_vprintf(format, ap);
	va_end(ap);
	ascii = text_ascii(text);
	g_string_append_printf(out, "%*s%-*s %s\n", INDENT, "", LABEL, label,
			       g_strchomp(ascii));
}

static void add_facts(const struct ab_trace_report *r, GString *out)
{
	g_autofree char *events = number_count(r->events);
	g_autofree char *packets = number_count(r->packets);
	g_autofree char *cpus = r->cpus > 0
					? g_strdup_printf("%d CPUs, ", r->cpus)
					: g_strdup("");

	fact(out, "trace", "%s, %s%s events%s%s%s",
	     r->format ? r->format : "unknown format", cpus, events,
	     r->packets ? " in " : "", r->packets ? packets : "",
	     r->packets ? " packets" : "");
	fact(out, "window", "%.3f s, %s",
	     (double)(r->end_ns - r->begin_ns) / SECOND,
	     r->window_given	? "as given"
	     : r->window_marked ? "between the rig's markers"
				: "the whole trace (it has no markers)");
	fact(out, "kernel", "%s", r->kernel ? r->kernel : "unknown");
	if (r->kernel_version)
		fact(out, "", "%s", r->kernel_version);
	if (r->fingerprint)
		fact(out, "build", "%s", r->fingerprint);
}

/* Whole numbers without decimals, but the points in line. */
static char *value_text(double value)
{
	g_autofree char *number = NULL;

	if (!isfinite(value))
		return g_strdup("-");
	if (value != floor(value))
		return number_text(value, DECIMALS);
	number = number_text(value, 0);
	return g_strdup_printf("%s%*s", number, DECIMALS + 1, "");
}

static bool is_source(const struct ab_trace_report *r, const char *name)
{
	for (guint i = 0; i < r->metrics->len; i++) {
		const struct ab_metric_value *m =
			&g_array_index(r->metrics, struct ab_metric_value, i);

		if (!strcmp(m->metric->source, name))
			return true;
	}
	return false;
}

static void add_cells(GPtrArray *cells, const char *name, double value,
		      const char *unit, gint64 n)
{
	g_ptr_array_add(cells, text_ascii(name));
	g_ptr_array_add(cells, value_text(value));
	g_ptr_array_add(cells, text_ascii(unit));
	g_ptr_array_add(cells, n < 0 ? g_strdup("") : number_int(n));
}

static void print_cells(const char *const titles[4], const GPtrArray *cells,
			GString *out)
{
	static const char *const units[4] = { "", "", "", "" };
	static const bool right[4] = { false, true, false, true };
	const struct text_table table = {
		.titles = titles,
		.units = units,
		.right = right,
		.n_columns = 4,
		.cells = (const char *const *)cells->pdata,
		.n_rows = cells->len / 4,
		.n_keys = 1,
		.width = TEXT_TABLE_WIDTH,
	};

	g_string_append_c(out, '\n');
	text_table(&table, out);
}

static void add_metrics(const struct ab_trace_report *r, GString *out)
{
	static const char *const titles[] = { "metric", "value", "unit", "n" };
	g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < r->metrics->len; i++) {
		const struct ab_metric_value *m =
			&g_array_index(r->metrics, struct ab_metric_value, i);

		add_cells(cells, m->metric->id, m->value, m->metric->unit,
			  m->n);
	}
	if (cells->len)
		print_cells(titles, cells, out);
	else
		g_string_append(out, "\n  no metrics\n");
}

/* Run values that no metric shows already. */
static void add_values(const struct ab_trace_report *r, GString *out)
{
	static const char *const titles[] = { "run value", "value", "", "" };
	g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
	guint more = 0;

	for (guint i = 0; i < r->data->values->len; i++) {
		const struct ab_run_value *v = r->data->values->pdata[i];

		if (is_source(r, v->name))
			continue;
		if (cells->len / 4 < MOST_VALUES)
			add_cells(cells, v->name, v->value, "", -1);
		else
			more++;
	}
	if (cells->len)
		print_cells(titles, cells, out);
	if (more)
		g_string_append_printf(
			out, "  ... and %u more; --csv and --json have all\n",
			more);
}

static void add_files(const struct ab_trace_report *r, GString *out)
{
	for (guint i = 0; r->files && i < r->files->len; i++) {
		const struct ab_samples_file *f = r->files->pdata[i];
		g_autofree char *rows = number_count(f->rows);
		g_autofree char *path = text_ascii(f->path);

		g_string_append_printf(out, "%ssamples   %s: %s\n",
				       i ? "  " : "\n  ", path, rows);
	}
}

static void write_page(const struct ab_trace_report *r, GString *out)
{
	g_autofree char *file = text_ascii(r->file);

	/* Said on standard error; no page is no page. */
	if (r->error)
		return;
	g_string_append_printf(out, "%s\n", g_strchomp(file));
	add_quality(r, out);
	add_withheld(r->data, out);
	add_facts(r, out);
	add_metrics(r, out);
	for (guint i = 0; i < r->tables->len; i++) {
		g_string_append_c(out, '\n');
		text_cells(r->tables->pdata[i],
			   r->width ? r->width : TEXT_TABLE_WIDTH, out);
	}
	add_values(r, out);
	add_files(r, out);
}

const struct ab_trace_format ab_trace_format_page = {
	.head = "",
	.between = "\n",
	.tail = "",
	.write = write_page,
};

// SPDX-License-Identifier: GPL-3.0-or-later
/* A report without what its phones and its host are called. */
#include "parts.h"

#include <abrig/aa.h>
#include <abrig/redact.h>
#include <string.h>

struct redacted {
	struct ab_report report; /* first: it is what callers hold */
	const struct ab_secrets *secrets;
	GStringChunk *texts;
	GPtrArray *data; /* struct ab_run_data * */
};

static const char *hide(struct redacted *r, const char *text)
{
	g_autoptr(GString) hidden = NULL;

	if (!text)
		return NULL;
	hidden = g_string_new(text);
	ab_secrets_hide(r->secrets, hidden);
	return g_string_chunk_insert_const(r->texts, hidden->str);
}

static char **hide_list(struct redacted *r, char **list)
{
	guint n = list ? g_strv_length(list) : 0;
	char **hidden = g_new0(char *, n + 1);

	for (guint i = 0; i < n; i++)
		hidden[i] = (char *)hide(r, list[i]);
	return hidden;
}

/* ---- runs ---- */

/* "Linux version 6.12.30 (who@where) (clang) ...": who is the host's, too. */
static const char *hide_banner(struct redacted *r, const char *banner)
{
	const char *at = banner ? strchr(banner, '@') : NULL;
	const char *begin = at, *end = at ? strchr(at, ')') : NULL;
	g_autofree char *hidden = NULL;

	while (begin && begin > banner && *begin != '(')
		begin--;
	if (!end || *begin != '(')
		return hide(r, banner);
	hidden = g_strdup_printf("%.*s(builder%s", (int)(begin - banner),
				 banner, end);
	return hide(r, hidden);
}

static void free_withheld(gpointer data)
{
	struct ab_withheld *w = data;

	g_free(w->name);
	g_free(w->reason);
	g_free(w);
}

static void free_data(gpointer data)
{
	struct ab_run_data *d = data;

	g_ptr_array_unref(d->withheld);
	g_free(d);
}

/* Its numbers are the report's own; the reasons for missing ones are text. */
static const struct ab_run_data *hide_data(struct redacted *r,
					   const struct ab_run_data *data)
{
	struct ab_run_data *copy;

	if (!data)
		return NULL;
	copy = g_memdup2(data, sizeof(*data));
	copy->withheld = g_ptr_array_new_with_free_func(free_withheld);
	for (guint i = 0; i < data->withheld->len; i++) {
		const struct ab_withheld *from = data->withheld->pdata[i];
		struct ab_withheld *w = g_new(struct ab_withheld, 1);

		w->name = g_strdup(hide(r, from->name));
		w->reason = g_strdup(hide(r, from->reason));
		g_ptr_array_add(copy->withheld, w);
	}
	g_ptr_array_add(r->data, copy);
	return copy;
}

static void hide_runs(struct redacted *r)
{
	struct ab_report *rep = &r->report;

	rep->runs = g_memdup2(rep->runs, rep->n_runs * sizeof(*rep->runs));
	for (size_t i = 0; i < rep->n_runs; i++) {
		struct ab_report_run *run = &rep->runs[i];

		run->platform = hide(r, run->platform);
		run->scenario = hide(r, run->scenario);
		run->device = hide(r, run->device);
		run->gate = hide(r, run->gate);
		run->reason = hide(r, run->reason);
		run->dir = hide(r, run->dir);
		run->banner = hide_banner(r, run->banner);
		run->data = hide_data(r, run->data);
	}
}

/* ---- the rest ---- */

static void hide_tables(struct redacted *r)
{
	struct ab_report *rep = &r->report;

	rep->tables =
		g_memdup2(rep->tables, rep->n_tables * sizeof(*rep->tables));
	for (size_t i = 0; i < rep->n_tables; i++) {
		rep->tables[i].platform = hide(r, rep->tables[i].platform);
		rep->tables[i].scenario = hide(r, rep->tables[i].scenario);
	}
}

static void hide_devices(struct redacted *r)
{
	struct ab_report *rep = &r->report;

	rep->devices =
		g_memdup2(rep->devices, rep->n_devices * sizeof(*rep->devices));
	for (size_t i = 0; i < rep->n_devices; i++) {
		struct ab_report_device *d = &rep->devices[i];

		d->serial = hide(r, d->serial);
		d->fastboot = hide(r, d->fastboot);
		d->platform = hide(r, d->platform);
		d->product = hide(r, d->product);
		d->model = hide(r, d->model);
		d->fingerprint = hide(r, d->fingerprint);
		d->failed = hide(r, d->failed);
	}
}

static void hide_exclusions(struct redacted *r)
{
	struct ab_report *rep = &r->report;

	rep->exclusions = g_memdup2(
		rep->exclusions, rep->n_exclusions * sizeof(*rep->exclusions));
	for (size_t i = 0; i < rep->n_exclusions; i++) {
		struct ab_report_exclusion *e = &rep->exclusions[i];

		e->platform = hide(r, e->platform);
		e->scenario = hide(r, e->scenario);
		e->variant = hide(r, e->variant);
		e->reason = hide(r, e->reason);
	}
}

static void free_summary(gpointer data)
{
	struct ab_aa_summary *s = data;

	g_free(s->problems);
	g_free(s);
}

static void hide_aa(struct redacted *r)
{
	const GPtrArray *aa = r->report.aa;

	if (!aa)
		return;
	r->report.aa = g_ptr_array_new_with_free_func(free_summary);
	for (guint i = 0; i < aa->len; i++) {
		struct ab_aa_summary *s =
			g_memdup2(aa->pdata[i], sizeof(struct ab_aa_summary));

		s->serial = (char *)hide(r, s->serial);
		s->plan = (char *)hide(r, s->plan);
		s->problems = hide_list(r, s->problems);
		g_ptr_array_add(r->report.aa, s);
	}
}

static void hide_head(struct redacted *r)
{
	struct ab_report *rep = &r->report;
	g_autofree char *directory =
		rep->directory ? g_path_get_basename(rep->directory) : NULL;

	rep->plan = hide(r, rep->plan);
	rep->plan_file = NULL;
	rep->plan_text = NULL;
	rep->directory = hide(r, directory);
	rep->variants = hide_list(r, rep->variants);
	rep->notes = hide_list(r, rep->notes);
	rep->provenance = hide_list(r, rep->provenance);
}

struct ab_report *ab_report_redact(const struct ab_report *report,
				   const struct ab_secrets *secrets)
{
	struct redacted *r = g_new0(struct redacted, 1);

	r->report = *report;
	r->secrets = secrets;
	r->texts = g_string_chunk_new(4096);
	r->data = g_ptr_array_new_with_free_func(free_data);
	hide_head(r);
	hide_tables(r);
	hide_runs(r);
	hide_devices(r);
	hide_exclusions(r);
	hide_aa(r);
	return &r->report;
}

void ab_report_redacted_free(struct ab_report *redacted)
{
	struct redacted *r = (struct redacted *)redacted;

	if (!r)
		return;
	g_free(redacted->variants);
	g_free(redacted->notes);
	g_free(redacted->provenance);
	g_free(redacted->tables);
	g_free(redacted->runs);
	g_free(redacted->devices);
	g_free(redacted->exclusions);
	g_clear_pointer(&redacted->aa, g_ptr_array_unref);
	g_ptr_array_unref(r->data);
	g_string_chunk_free(r->texts);
	g_free(r);
}

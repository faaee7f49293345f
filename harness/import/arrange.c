// SPDX-License-Identifier: GPL-3.0-or-later
/* From what was taken in to what statistics take. */
#include "import.h"

#include <abrig/error.h>
#include <abrig/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct ab_obs *obs_at(const GArray *obs, guint i)
{
	return &g_array_index(obs, struct ab_obs, i);
}

/* ---- runs ---- */

static int compare_obs(const void *x, const void *y)
{
	const struct ab_obs *a = x, *b = y;

	if (a->variant != b->variant)
		return a->variant < b->variant ? -1 : 1;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	if (a->session != b->session)
		return a->session < b->session ? -1 : 1;
	return (a->position > b->position) - (a->position < b->position);
}

/* What was measured several times in a run is its mean. */
static guint merge_runs(GArray *obs)
{
	guint kept = 0, n, end, before = obs->len;

	for (guint i = 0; i < before; i = end) {
		struct ab_obs run = *obs_at(obs, i);
		double mean = run.value;

		for (end = i + 1, n = 1; end < before; end++) {
			const struct ab_obs *next = obs_at(obs, end);

			if (next->session != run.session ||
			    next->position != run.position)
				break;
			mean += (next->value - mean) / ++n;
		}
		run.value = mean;
		*obs_at(obs, kept++) = run;
	}
	g_array_set_size(obs, kept);
	return before - kept;
}

static void number_runs(GArray *obs)
{
	int session = -1, position = 0;

	for (guint i = 0; i < obs->len; i++) {
		struct ab_obs *o = obs_at(obs, i);

		position = o->session == session ? position + 1 : 0;
		session = o->session;
		o->position = position;
	}
}

static void arrange_metric(struct ab_import *import, GArray *obs)
{
	for (guint i = 0; i < obs->len; i++) {
		struct ab_obs *o = obs_at(obs, i);

		/* Boots without blocks are paired in their order. */
		if (!import->has_block && import->has_boot)
			o->block =
				g_array_index(import->ranks, int, o->session);
	}
	qsort(obs->data, obs->len, sizeof(struct ab_obs), compare_obs);
	import->merged += merge_runs(obs);
	number_runs(obs);
}

/* ---- variants ---- */

static bool check_variants(const struct ab_import *import, GError **error)
{
	const char *first = import->variants.list->len
				    ? import->variants.list->pdata[0]
				    : "";

	if (import->told && import->untold) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "some of the files tell the variant in a column "
			    "and some do not; with --by-file each file is one");
		return false;
	}
	if (import->variants.list->len >= 2)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "only one variant ('%s') was found: name the column that "
		    "tells them apart with --by, or give a file for each%s",
		    first, import->told ? " and --by-file" : "");
	return false;
}

static void make_first(struct ab_import *import, int baseline)
{
	GPtrArray *list = import->variants.list;
	char *name = list->pdata[baseline];

	memmove(list->pdata + 1, list->pdata,
		(size_t)baseline * sizeof(gpointer));
	list->pdata[0] = name;
	for (guint m = 0; m < import->metrics->len; m++) {
		struct ab_import_metric *metric = import->metrics->pdata[m];

		for (guint i = 0; i < metric->obs->len; i++) {
			int *v = &obs_at(metric->obs, i)->variant;

			if (*v <= baseline)
				*v = *v == baseline ? 0 : *v + 1;
		}
	}
}

static bool choose_baseline(struct ab_import *import, const char *name,
			    GError **error)
{
	GPtrArray *list = import->variants.list;
	g_autofree char *all = NULL;
	guint index;

	if (!name)
		return true;
	if (g_ptr_array_find_with_equal_func(list, name, g_str_equal, &index)) {
		make_first(import, (int)index);
		return true;
	}
	g_ptr_array_add(list, NULL);
	all = g_strjoinv(", ", (char **)list->pdata);
	g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
		    "--baseline: there is no variant '%s'; there are: %s", name,
		    all);
	return false;
}

/* ---- directions ---- */

static bool is_named(const char *const *list, const struct ab_metric *m)
{
	return import_listed(list, m->label) || import_listed(list, m->id);
}

static enum ab_direction direction_of(const struct ab_import *import,
				      const struct ab_metric *m)
{
	const char *told;

	if (is_named(import->options->higher, m))
		return AB_HIGHER_IS_BETTER;
	if (is_named(import->options->lower, m))
		return AB_LOWER_IS_BETTER;
	told = g_hash_table_lookup(import->unit_better, m->unit);
	if (told)
		return !strcmp(told, "higher") ? AB_HIGHER_IS_BETTER
					       : AB_LOWER_IS_BETTER;
	return import_unit_direction(m->unit);
}

static void describe(struct ab_import *import, struct ab_metric *m)
{
	m->direction = direction_of(import, m);
	m->continuous = !is_named(import->options->events, m);
	if (m->continuous)
		return;
	/* Events have none: see ab_stats_compare(). */
	g_free((char *)m->unit);
	m->unit = g_strdup("");
}

/* A name on the command line that fits nothing is a mistake. */
static bool check_named(const struct ab_import *import, const char *option,
			const char *const *list, GError **error)
{
	for (; list && *list; list++) {
		const char *one[] = { *list, NULL };
		guint i = 0;

		while (i < import->metrics->len) {
			struct ab_import_metric *m = import->metrics->pdata[i];

			if (is_named(one, &m->metric))
				break;
			i++;
		}
		if (i < import->metrics->len)
			continue;
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "%s: there is no metric '%s'", option, *list);
		return false;
	}
	return true;
}

static bool check_options(const struct ab_import *import, GError **error)
{
	const struct ab_import_options *o = import->options;

	return check_named(import, "--higher", o->higher, error) &&
	       check_named(import, "--lower", o->lower, error) &&
	       check_named(import, "--events", o->events, error);
}

/* ---- the whole ---- */

static void add_note(struct ab_import *import, char *note)
{
	g_ptr_array_add(import->notes, note);
}

static void add_notes(struct ab_import *import)
{
	if (import->missing)
		add_note(import,
			 g_strdup_printf("%u empty or not-a-number cells were "
					 "left out",
					 import->missing));
	if (import->merged)
		add_note(import,
			 g_strdup_printf("%u numbers were averaged with others "
					 "of the same metric and run; --split "
					 "COLUMN makes metrics of them",
					 import->merged));
	if (import->has_boot && !import->has_block)
		add_note(import,
			 g_strdup(
				 "no column tells blocks: boots were paired in "
				 "the order in which they come"));
	g_ptr_array_add(import->notes, NULL);
}

bool ab_import_finish(struct ab_import *import, const char *baseline,
		      GError **error)
{
	if (!check_variants(import, error) || !check_options(import, error) ||
	    !choose_baseline(import, baseline, error))
		return false;
	for (guint i = 0; i < import->metrics->len; i++) {
		struct ab_import_metric *m = import->metrics->pdata[i];

		arrange_metric(import, m->obs);
		describe(import, &m->metric);
	}
	g_ptr_array_add(import->variants.list, NULL);
	add_notes(import);
	return true;
}

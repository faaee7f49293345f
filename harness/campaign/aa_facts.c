// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What was on record of a campaign's devices when it began: kept in its
 * database, so that its report can be printed again anywhere.
 *
 *	aa.<serial>		how many nights
 *	aa.<serial>.<i>		each of them, as in its file
 *	aa.<serial>.problems	why others did not count, a line each
 */
#include "aa_facts.h"

#include <abrig/text.h>
#include <math.h>
#include <string.h>

static char *key_of(const char *serial, const char *part)
{
	return g_strconcat("aa.", serial, part, NULL);
}

/* ---- into the store ---- */

static bool put_nights(struct ab_store *store,
		       const struct ab_aa_record *record, GError **error)
{
	g_autofree char *key = key_of(record->serial, "");
	g_autofree char *count = g_strdup_printf("%u", record->nights->len);

	for (guint i = 0; i < record->nights->len; i++) {
		g_autofree char *part = g_strdup_printf(".%u", i);
		g_autofree char *night = key_of(record->serial, part);
		g_autofree char *text =
			ab_aa_night_to_json(record->nights->pdata[i]);

		if (!ab_store_set_fact(store, night, text, error))
			return false;
	}
	return ab_store_set_fact(store, key, count, error);
}

static bool put_problems(struct ab_store *store,
			 const struct ab_aa_record *record, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *key = key_of(record->serial, ".problems");

	for (guint i = 0; i < record->problems->len; i++)
		g_string_append_printf(text, "%s%s", i ? "\n" : "",
				       (char *)record->problems->pdata[i]);
	return text->len == 0 ||
	       ab_store_set_fact(store, key, text->str, error);
}

/* A record that cannot be read is said in the report, and stops no night. */
static struct ab_aa_record *load(const char *dir, const char *serial)
{
	g_autoptr(GError) why = NULL;
	struct ab_aa_record *record = ab_aa_record_load(dir, serial, &why);

	if (record)
		return record;
	record = ab_aa_record_new(serial);
	g_ptr_array_add(record->problems, g_strdup(why->message));
	return record;
}

bool aa_put_facts(const struct ab_plan *plan, struct ab_store *store,
		  const char *dir, GError **error)
{
	for (guint i = 0; i < plan->platforms->len; i++) {
		const struct ab_plan_platform *p = plan->platforms->pdata[i];

		for (guint k = 0; k < p->devices->len; k++) {
			const struct ab_plan_device *d = p->devices->pdata[k];
			ab_autoptr(ab_aa_record) record = load(dir, d->serial);

			if (!put_nights(store, record, error) ||
			    !put_problems(store, record, error))
				return false;
		}
	}
	return true;
}

/* ---- and into the report ---- */

static void take_problems(struct ab_store *store, struct ab_aa_record *record)
{
	g_autofree char *key = key_of(record->serial, ".problems");
	g_autofree char *text = ab_store_fact(store, key, NULL);
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

	for (char **line = lines; *line; line++)
		if (**line)
			g_ptr_array_add(record->problems, g_strdup(*line));
}

static void take_night(struct ab_store *store, struct ab_aa_record *record,
		       gint64 i)
{
	g_autofree char *part = g_strdup_printf(".%" G_GINT64_FORMAT, i);
	g_autofree char *key = key_of(record->serial, part);
	g_autofree char *text = ab_store_fact(store, key, NULL);
	g_autoptr(GError) why = NULL;
	struct ab_aa_night *night =
		ab_aa_night_parse(text ? text : "", key, &why);

	if (night)
		g_ptr_array_add(record->nights, night);
	else
		g_ptr_array_add(record->problems, g_strdup(why->message));
}

/* NULL: a campaign of an abrig that did not look. */
static struct ab_aa_record *take_record(struct ab_store *store,
					const char *serial)
{
	g_autofree char *key = key_of(serial, "");
	g_autofree char *text = ab_store_fact(store, key, NULL);
	struct ab_aa_record *record;
	gint64 n = 0;

	if (!text || !ab_text_to_int(text, &n))
		return NULL;
	record = ab_aa_record_new(serial);
	for (gint64 i = 0; i < MIN(n, AB_AA_MAX_NIGHTS); i++)
		take_night(store, record, i);
	take_problems(store, record);
	return record;
}

/* The largest of the platform's devices, each for itself. */
static double floor_of(const struct results *r, const char *platform,
		       const char *scenario, const char *metric)
{
	double floor = NAN;

	for (guint i = 0; i < r->devices->len; i++) {
		const struct ab_device_row *d = r->devices->pdata[i];

		if (strcmp(d->platform, platform) != 0)
			continue;
		for (guint k = 0; k < r->report.aa->len; k++) {
			const struct ab_aa_summary *s = r->report.aa->pdata[k];
			const struct ab_aa_metric *m =
				ab_aa_find(s, scenario, metric);

			if (m && !strcmp(s->serial, d->serial))
				floor = fmax(floor, m->floor_pct);
		}
	}
	return floor;
}

static void fill_floors(struct results *r)
{
	for (size_t i = 0; i < r->report.n_tables; i++) {
		const struct ab_report_table *t = &r->report.tables[i];

		for (size_t k = 0; k < t->n_rows; k++)
			t->rows[k].noise_floor_pct =
				floor_of(r, t->platform, t->scenario,
					 t->rows[k].metric->id);
	}
}

static void free_summary(gpointer summary)
{
	ab_aa_summary_free(summary);
}

void aa_take_facts(struct results *r)
{
	r->report.aa = g_ptr_array_new_with_free_func(free_summary);
	for (guint i = 0; i < r->devices->len; i++) {
		const struct ab_device_row *d = r->devices->pdata[i];
		ab_autoptr(ab_aa_record) record =
			take_record(r->store, d->serial);

		if (record)
			g_ptr_array_add(r->report.aa, ab_aa_judge(record));
	}
	fill_floors(r);
}

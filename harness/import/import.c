// SPDX-License-Identifier: GPL-3.0-or-later
/* Recognise, parse, collect. */
#include "import.h"

#include <abrig/error.h>
#include <abrig/text.h>

#include <math.h>
#include <string.h>

#define MAX_VARIANTS 64
#define MAX_DEVICES 1000
#define MAX_BOOTS 100000
#define MAX_METRICS 10000
#define MAX_VALUES 2000000

static const struct import_format *const formats[] = {
	&import_benchfmt, &import_csv, &import_column, /* what no other takes */
};

static void free_metric(gpointer data)
{
	struct ab_import_metric *m = data;

	g_free(m->workload);
	g_free((char *)m->metric.id);
	g_free((char *)m->metric.label);
	g_free((char *)m->metric.unit);
	g_array_unref(m->obs);
	g_free(m);
}

struct ab_import *ab_import_new(const struct ab_import_options *options)
{
	struct ab_import *import = g_new0(struct ab_import, 1);

	import->options = options;
	names_init(&import->variants, "variants", MAX_VARIANTS);
	names_init(&import->devices, "devices", MAX_DEVICES);
	names_init(&import->blocks, "blocks", MAX_BOOTS);
	names_init(&import->boots, "boots", MAX_BOOTS);
	import->ranks = g_array_new(FALSE, FALSE, sizeof(int));
	import->boots_of =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	import->runs =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	import->metrics = g_ptr_array_new_with_free_func(free_metric);
	import->by_id = g_hash_table_new(g_str_hash, g_str_equal);
	import->unit_better =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	import->notes = g_ptr_array_new_with_free_func(g_free);
	return import;
}

void ab_import_free(struct ab_import *import)
{
	names_clear(&import->variants);
	names_clear(&import->devices);
	names_clear(&import->blocks);
	names_clear(&import->boots);
	g_array_unref(import->ranks);
	g_hash_table_unref(import->boots_of);
	g_hash_table_unref(import->runs);
	g_ptr_array_unref(import->metrics);
	g_hash_table_unref(import->by_id);
	g_hash_table_unref(import->unit_better);
	g_ptr_array_unref(import->notes);
	g_free(import);
}

/* ---- a number ---- */

static bool check_names(const struct import_record *r, GError **error)
{
	for (int i = 0; i < AB_IMPORT_N_ROLES; i++) {
		size_t n = r->text[i] ? strlen(r->text[i]) : 0;

		if (n <= MAX_NAME)
			continue;
		import_error(&r->at, error,
			     "a name of %zu bytes; at most %d are taken", n,
			     MAX_NAME);
		return false;
	}
	return true;
}

static const char *told(const struct import_record *r, enum ab_import_role role)
{
	return r->text[role] ? r->text[role] : "";
}

static struct ab_import_metric *add_metric(struct ab_import *import,
					   const struct import_record *r,
					   const char *id, GError **error)
{
	const char *unit = told(r, AB_IMPORT_UNIT);
	struct ab_import_metric *m;

	if (import->metrics->len >= MAX_METRICS) {
		import_error(&r->at, error, "more than %d metrics",
			     MAX_METRICS);
		return NULL;
	}
	if (!*unit && import->options->unit)
		unit = import->options->unit;
	m = g_new0(struct ab_import_metric, 1);
	m->workload = g_strdup(told(r, AB_IMPORT_WORKLOAD));
	m->metric = (struct ab_metric){
		.id = g_strdup(id),
		.group = m->workload,
		.label = g_strdup(told(r, AB_IMPORT_METRIC)),
		.unit = g_strdup(unit),
		.stat = AB_STAT_RUN_MEAN,
		.direction = AB_DIRECTION_UNKNOWN,
		.continuous = true,
		.definition = "",
	};
	m->metric.source = m->metric.id;
	m->obs = g_array_new(FALSE, FALSE, sizeof(struct ab_obs));
	g_ptr_array_add(import->metrics, m);
	g_hash_table_insert(import->by_id, (char *)m->metric.id, m);
	return m;
}

static struct ab_import_metric *find_metric(struct ab_import *import,
					    const struct import_record *r,
					    GError **error)
{
	const char *workload = told(r, AB_IMPORT_WORKLOAD);
	const char *unit = told(r, AB_IMPORT_UNIT);
	g_autofree char *id = g_strconcat(workload, *workload ? "/" : "",
					  told(r, AB_IMPORT_METRIC), NULL);
	struct ab_import_metric *m = g_hash_table_lookup(import->by_id, id);

	if (!m)
		return add_metric(import, r, id, error);
	if (!*unit || !strcmp(unit, m->metric.unit))
		return m;
	import_error(&r->at, error,
		     "the metric is in '%s' here and in '%s' before; convert "
		     "one of them",
		     unit, m->metric.unit);
	return NULL;
}

/* By a character that no sane name has; a clash only merges two boots. */
static char *joined(const char *a, const char *b, const char *c, const char *d)
{
	return g_strjoin("\x1f", a, b, c, d, NULL);
}

static bool take_boot(struct ab_import *import, const struct import_record *r,
		      const char *variant, struct ab_obs *obs, GError **error)
{
	g_autofree char *boot =
		joined(variant, told(r, AB_IMPORT_DEVICE),
		       told(r, AB_IMPORT_BLOCK), told(r, AB_IMPORT_BOOT));
	g_autofree char *owner =
		joined(variant, told(r, AB_IMPORT_DEVICE), NULL, NULL);
	int rank;

	if (!names_add(&import->boots, &r->at, boot, &obs->session, error))
		return false;
	if ((guint)obs->session < import->ranks->len)
		return true;
	rank = GPOINTER_TO_INT(g_hash_table_lookup(import->boots_of, owner));
	g_array_append_val(import->ranks, rank);
	g_hash_table_insert(import->boots_of, g_steal_pointer(&owner),
			    GINT_TO_POINTER(rank + 1));
	return true;
}

/* Values of the same run have the same place: that of the first. */
static int place_of_run(struct ab_import *import, const struct import_record *r,
			int session)
{
	int place = (int)import->values;
	g_autofree char *key = NULL;
	gpointer known;

	if (!r->text[AB_IMPORT_RUN])
		return place;
	key = g_strdup_printf("%u\x1f%d\x1f%s", import->file_index, session,
			      r->text[AB_IMPORT_RUN]);
	known = g_hash_table_lookup(import->runs, key);
	if (known)
		return GPOINTER_TO_INT(known) - 1;
	g_hash_table_insert(import->runs, g_steal_pointer(&key),
			    GINT_TO_POINTER(place + 1));
	return place;
}

static const char *variant_of(struct ab_import *import,
			      const struct import_record *r)
{
	const char *variant =
		import->options->by_file ? NULL : r->text[AB_IMPORT_VARIANT];

	if (variant)
		import->told = true;
	else
		import->untold = true;
	return variant ? variant : import->variant;
}

static bool observe(struct ab_import *import, const struct import_record *r,
		    struct ab_obs *obs, GError **error)
{
	const char *variant = variant_of(import, r);

	*obs = (struct ab_obs){
		.value = r->value,
		.per = NAN,
		.at = NAN,
		.skin_c = NAN,
		.battery = NAN,
	};
	import->has_block |= r->text[AB_IMPORT_BLOCK] != NULL;
	import->has_boot |= r->text[AB_IMPORT_BOOT] != NULL;
	if (!names_add(&import->variants, &r->at, variant, &obs->variant,
		       error) ||
	    !names_add(&import->devices, &r->at, told(r, AB_IMPORT_DEVICE),
		       &obs->device, error) ||
	    !names_add(&import->blocks, &r->at, told(r, AB_IMPORT_BLOCK),
		       &obs->block, error) ||
	    !take_boot(import, r, variant, obs, error))
		return false;
	obs->position = place_of_run(import, r, obs->session);
	return true;
}

bool import_take(struct ab_import *import, const struct import_record *record,
		 GError **error)
{
	struct ab_import_metric *m;
	struct ab_obs obs;

	if (!check_names(record, error))
		return false;
	if (isnan(record->value)) {
		import->missing++;
		return true;
	}
	if (import->values >= MAX_VALUES) {
		import_error(&record->at, error, "more than %d numbers",
			     MAX_VALUES);
		return false;
	}
	m = find_metric(import, record, error);
	if (!m || !observe(import, record, &obs, error))
		return false;
	g_array_append_val(m->obs, obs);
	import->values++;
	return true;
}

/* ---- a file ---- */

static bool check_text(struct ab_import *import, const char *text, gsize len,
		       GError **error)
{
	const char *nul = memchr(text, '\0', len);
	struct import_place at = { import->file, 1, 1 };

	if (!nul)
		return true;
	for (const char *p = text; p < nul; p++) {
		at.column = *p == '\n' ? 1 : at.column + 1;
		at.line += *p == '\n';
	}
	import_error(&at, error,
		     "a NUL byte: this is no text, or not in UTF-8");
	return false;
}

bool ab_import_add(struct ab_import *import, const char *file,
		   const char *variant, const char *text, gsize len,
		   GError **error)
{
	static const char bom[] = "\xef\xbb\xbf";
	g_autofree char *copy = NULL;
	guint before = import->values;
	size_t i = 0;

	import->file = file;
	import->variant = variant;
	import->file_index++;
	if (!check_text(import, text, len, error))
		return false;
	copy = g_strndup(text, len);
	if (g_str_has_prefix(copy, bom))
		memmove(copy, copy + 3, len - 3 + 1);
	while (i + 1 < G_N_ELEMENTS(formats) && !formats[i]->recognise(copy))
		i++;
	if (!formats[i]->parse(import, copy, error))
		return false;
	if (import->values > before)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "%s:1:1: no number in it (read as %s)", file,
		    formats[i]->name);
	return false;
}

/* ---- results ---- */

const char *const *ab_import_variants(const struct ab_import *import)
{
	return (const char *const *)import->variants.list->pdata;
}

const GPtrArray *ab_import_metrics(const struct ab_import *import)
{
	return import->metrics;
}

const char *const *ab_import_notes(const struct ab_import *import)
{
	return (const char *const *)import->notes->pdata;
}

bool ab_import_has_boots(const struct ab_import *import)
{
	return import->has_block || import->has_boot ||
	       import->devices.list->len > 1;
}

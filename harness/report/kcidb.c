// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * KCIDB v5.3: a checkout and a build per variant and platform, a test for each
 * metric with one number, and one for each gate that rejected runs.  That
 * schema knows no null: what is unknown is left out.
 */
#include "parts.h"

#include <math.h>
#include <string.h>

#define ID_BYTES "-_.:"
#define KEY 16 /* digits of the campaign's */
#define COMMIT 40

struct writer {
	JsonBuilder *b;
	const struct ab_report *report;
	const char *origin;
	char *key; /* of the campaign, in all ids */
};

bool ab_report_origin_valid(const char *origin)
{
	return *origin && strspn(origin, "abcdefghijklmnopqrstuvwxyz"
					 "0123456789_") == strlen(origin);
}

/* The same for the same results, and nothing else's. */
static char *campaign_key(const struct ab_report *report)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree char *seed =
		g_strdup_printf("%" G_GUINT64_FORMAT, report->seed);
	const char *const parts[] = { report->plan_sha256, report->began,
				      seed };

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		const char *part = parts[i] ? parts[i] : "";

		g_checksum_update(sum, (const guchar *)part,
				  (gssize)strlen(part) + 1);
	}
	/* Numbers of others are known by their files' hashes. */
	for (char **p = report->provenance; !report->began && p && *p; p++)
		g_checksum_update(sum, (const guchar *)*p, -1);
	return g_strndup(g_checksum_get_string(sum), KEY);
}

/* ---- members that may be missing ---- */

static void add_text(struct writer *w, const char *key, const char *value)
{
	if (value && *value)
		json_text(w->b, key, value);
}

static void add_number(struct writer *w, const char *key, double value)
{
	if (isfinite(value))
		json_number(w->b, key, value);
}

/* A date-time of RFC 3339 has a zone. */
static void add_time(struct writer *w, const char *key, const char *time)
{
	g_autoptr(GDateTime) parsed =
		time ? g_date_time_new_from_iso8601(time, NULL) : NULL;
	g_autofree char *text =
		parsed ? g_date_time_format(parsed, "%Y-%m-%dT%H:%M:%SZ")
		       : NULL;

	add_text(w, key, text);
}

static void add_id(struct writer *w, const char *key, const char *rest)
{
	g_autofree char *id =
		g_strdup_printf("%s:%s-%s", w->origin, w->key, rest);

	json_text(w->b, key, id);
}

static char *build_name(size_t variant, const char *platform)
{
	g_autofree char *word = text_word(platform ? platform : "-", ID_BYTES);

	return g_strdup_printf("v%zu-%s", variant, word);
}

/* ---- kernels ---- */

/* A session of it that was proved; NULL: none. */
static const struct ab_report_run *proved(const struct ab_report *report,
					  size_t variant, const char *platform)
{
	for (size_t i = 0; i < report->n_runs; i++) {
		const struct ab_report_run *run = &report->runs[i];

		if (run->banner && run->variant == (int)variant &&
		    !g_strcmp0(run->platform, platform))
			return run;
	}
	return NULL;
}

/* A whole commit hash in @text, as a kernel built for CI may have it. */
static char *commit_of(const char *text)
{
	while (text && *text) {
		size_t n = strspn(text, "0123456789abcdef");

		/* "-g" and the hash is how git describe puts it. */
		if (n == COMMIT && !g_ascii_isalnum(text[n]))
			return g_strndup(text, n);
		text += n;
		while (g_ascii_isalnum(*text) && *text != 'g')
			text++;
		text += *text != '\0';
	}
	return NULL;
}

static char *kernel_comment(const struct writer *w, size_t variant)
{
	return g_strdup_printf("variant %s of plan %s",
			       w->report->variants[variant],
			       w->report->plan ? w->report->plan : "-");
}

static void add_checkout(struct writer *w, size_t variant, const char *platform)
{
	const struct ab_report_run *run = proved(w->report, variant, platform);
	g_autofree char *commit = commit_of(run ? run->banner : NULL);
	g_autofree char *comment = kernel_comment(w, variant);
	g_autofree char *name = build_name(variant, platform);

	json_begin(w->b, NULL, false);
	add_id(w, "id", name);
	json_text(w->b, "origin", w->origin);
	add_text(w, "git_commit_hash", commit);
	json_text(w->b, "comment", comment);
	json_builder_end_object(w->b);
}

static void add_build(struct writer *w, size_t variant, const char *platform)
{
	const struct ab_report_run *run = proved(w->report, variant, platform);
	g_autofree char *name = build_name(variant, platform);

	json_begin(w->b, NULL, false);
	add_id(w, "id", name);
	json_text(w->b, "origin", w->origin);
	add_id(w, "checkout_id", name);
	if (run) {
		json_text(w->b, "comment", run->banner);
		json_text(w->b, "status", "PASS");
	}
	json_begin(w->b, "misc", false);
	json_text(w->b, "variant", w->report->variants[variant]);
	add_text(w, "platform", platform);
	add_text(w, "config_sha256", run ? run->config_sha256 : NULL);
	json_builder_end_object(w->b);
	json_builder_end_object(w->b);
}

/* Call @add for each platform, once, with each variant. */
static void each_build(struct writer *w, const char *key,
		       void (*add)(struct writer *, size_t, const char *))
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	json_begin(w->b, key, true);
	for (size_t t = 0; t < w->report->n_tables; t++) {
		const char *platform = w->report->tables[t].platform;

		if (!g_hash_table_add(seen,
				      (gpointer)(platform ? platform : "-")))
			continue;
		for (size_t v = 0; v < w->report->n_variants; v++)
			add(w, v, platform);
	}
	json_builder_end_array(w->b);
}

/* ---- tests ---- */

static void add_environment(struct writer *w,
			    const struct ab_report_table *table)
{
	const struct ab_report *r = w->report;

	if (!table->platform)
		return;
	json_begin(w->b, "environment", false);
	json_begin(w->b, "misc", false);
	json_text(w->b, "platform", table->platform);
	json_begin(w->b, "devices", true);
	for (size_t i = 0; i < r->n_devices; i++) {
		const struct ab_report_device *d = &r->devices[i];

		if (g_strcmp0(d->platform, table->platform))
			continue;
		json_begin(w->b, NULL, false);
		add_text(w, "model", d->model);
		add_text(w, "soc", d->soc);
		add_text(w, "build", d->fingerprint);
		json_builder_end_object(w->b);
	}
	json_builder_end_array(w->b);
	json_builder_end_object(w->b);
	json_builder_end_object(w->b);
}

static void begin_test(struct writer *w, const char *id, const char *path,
		       const char *status, const struct ab_report_table *table,
		       size_t variant)
{
	g_autofree char *name = build_name(variant, table->platform);

	json_begin(w->b, NULL, false);
	add_id(w, "id", id);
	json_text(w->b, "origin", w->origin);
	add_id(w, "build_id", name);
	json_text(w->b, "path", path);
	json_text(w->b, "status", status);
	add_time(w, "start_time", w->report->began);
	add_environment(w, table);
}

/* "abrig.SCENARIO.NAME": letters, digits, '_' and '-' between single dots. */
static char *test_path(const struct ab_report_table *table, const char *name)
{
	const char *scenario = table->scenario ? table->scenario : "all";
	g_autofree char *first = text_word(scenario, "-_");
	g_autofree char *word = text_word(name, "-_.");
	g_auto(GStrv) parts = g_strsplit(word, ".", -1);
	GString *path = g_string_new("abrig");

	g_string_append_printf(path, ".%s", first);
	for (char **p = parts; *p; p++)
		if (**p)
			g_string_append_printf(path, ".%s", *p);
	return g_string_free(path, FALSE);
}

static void add_comparison(struct writer *w, const struct ab_comparison *c)
{
	add_number(w, "baseline", c->a.value);
	add_number(w, "diff", c->diff);
	add_number(w, "diff_lo", c->diff_lo);
	add_number(w, "diff_hi", c->diff_hi);
	add_number(w, "pct", c->pct);
	add_number(w, "pct_lo", c->pct_lo);
	add_number(w, "pct_hi", c->pct_hi);
	add_number(w, "level", c->level);
	json_text(w->b, "verdict", ab_verdict_word(c->verdict));
	add_text(w, "reason", c->reason);
}

static void add_misc(struct writer *w, const struct ab_report_row *row,
		     const struct ab_estimate *e, size_t variant)
{
	json_begin(w->b, "misc", false);
	json_text(w->b, "variant", w->report->variants[variant]);
	json_int(w->b, "runs", e->runs);
	json_int(w->b, "boots", e->boots);
	json_int(w->b, "samples", (gint64)e->samples);
	add_text(w, "better", ab_direction_word(row->metric->direction));
	json_bool(w->b, "primary", row->primary);
	add_text(w, "plan", w->report->plan);
	add_text(w, "plan_sha256", w->report->plan_sha256);
	add_text(w, "tool", w->report->tool);
	if (variant > 0)
		add_comparison(w, &row->versus[variant - 1]);
	json_builder_end_object(w->b);
}

/* What names a row in an id: unique, also where bytes had to be replaced. */
static char *row_name(const struct ab_report *report,
		      const struct ab_report_table *table, size_t k)
{
	const char *id = table->rows[k].metric->id;
	g_autofree char *word = text_word(id, ID_BYTES);
	size_t t = (size_t)(table - report->tables);

	if (strcmp(word, id) == 0)
		return g_strdup_printf("t%zu-%s", t, word);
	return g_strdup_printf("t%zu-%zu-%s", t, k, word);
}

static void add_metric(struct writer *w, const struct ab_report_table *table,
		       size_t k, size_t variant)
{
	const struct ab_report_row *row = &table->rows[k];
	const struct ab_estimate *e =
		variant ? &row->versus[variant - 1].b : &row->base;
	g_autofree char *name = row_name(w->report, table, k);
	g_autofree char *id = g_strdup_printf("%s-v%zu", name, variant);
	g_autofree char *path = test_path(table, row->metric->id);

	if (!isfinite(e->value))
		return;
	begin_test(w, id, path, "DONE", table, variant);
	json_begin(w->b, "number", false);
	json_number(w->b, "value", e->value);
	add_text(w, "unit", row->metric->unit);
	json_builder_end_object(w->b);
	add_misc(w, row, e, variant);
	json_builder_end_object(w->b);
}

static const struct ab_report_table *
table_of(const struct ab_report *report, const struct ab_report_exclusion *e)
{
	for (size_t t = 0; t < report->n_tables; t++) {
		const struct ab_report_table *table = &report->tables[t];

		if (!g_strcmp0(table->platform, e->platform) &&
		    !g_strcmp0(table->scenario, e->scenario))
			return table;
	}
	return NULL;
}

static bool find_variant(const struct ab_report *report, const char *name,
			 size_t *variant_out)
{
	for (size_t v = 0; v < report->n_variants; v++)
		if (!g_strcmp0(report->variants[v], name)) {
			*variant_out = v;
			return true;
		}
	return false;
}

/* The rig could not measure, which says nothing against the kernel. */
static void add_exclusion(struct writer *w, size_t i)
{
	const struct ab_report_exclusion *e = &w->report->exclusions[i];
	const struct ab_report_table *table = table_of(w->report, e);
	g_autofree char *id = g_strdup_printf("gate%zu", i);
	g_autofree char *gate = g_strdup_printf("gate.%s", e->reason);
	g_autofree char *path = NULL;
	g_autofree char *comment = NULL;
	size_t variant;

	if (!table || !find_variant(w->report, e->variant, &variant))
		return;
	path = test_path(table, gate);
	comment = g_strdup_printf("%d runs rejected by gate %s", e->count,
				  e->reason);
	begin_test(w, id, path, "ERROR", table, variant);
	json_text(w->b, "comment", comment);
	json_begin(w->b, "misc", false);
	json_int(w->b, "runs_rejected", e->count);
	json_int(w->b, "runs_missing", w->report->runs_missing);
	json_builder_end_object(w->b);
	json_builder_end_object(w->b);
}

static void add_tests(struct writer *w)
{
	json_begin(w->b, "tests", true);
	for (size_t t = 0; t < w->report->n_tables; t++)
		for (size_t k = 0; k < w->report->tables[t].n_rows; k++)
			for (size_t v = 0; v < w->report->n_variants; v++)
				add_metric(w, &w->report->tables[t], k, v);
	for (size_t i = 0; i < w->report->n_exclusions; i++)
		add_exclusion(w, i);
	json_builder_end_array(w->b);
}

static void write_kcidb(const struct ab_report *report, GString *out)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	g_autofree char *key = campaign_key(report);
	struct writer w = {
		.b = b,
		.report = report,
		.origin = report->origin ? report->origin : "abrig",
		.key = key,
	};

	json_begin(b, NULL, false);
	json_begin(b, "version", false);
	json_int(b, "major", 5);
	json_int(b, "minor", 3);
	json_builder_end_object(b);
	each_build(&w, "checkouts", add_checkout);
	each_build(&w, "builds", add_build);
	add_tests(&w);
	json_builder_end_object(b);
	json_finish(b, true, out);
	g_string_append_c(out, '\n');
}

const struct ab_report_ops ab_report_kcidb = {
	.name = "kcidb",
	.help = "KernelCI's database, JSON v5.3",
	.file = "kcidb.json",
	.write = write_kcidb,
};

// SPDX-License-Identifier: GPL-3.0-or-later
/* Who pays: from the run values of classes and rails to rows. */
#include <abrig/report.h>

#include <math.h>
#include <string.h>

/* A trace can name any number of classes; of more nothing is told. */
#define MOST_PAYERS 4096

/* How a run value is named: prefix, payer, suffix. */
struct quantity {
	const char *prefix, *suffix, *label;
};

static const struct quantity quantities[AB_PAYS] = {
	[AB_PAY_WAIT] = { "sched.", ".wait", "wait/run" },
	[AB_PAY_WAIT_MEAN] = { "sched.", ".wait_mean", "wait mean" },
	[AB_PAY_WAIT_P99] = { "sched.", ".wait_p99", "wait P99" },
	[AB_PAY_LONG_WAITS] = { "sched.", ".waits_ge_2ms", ">= 2 ms/run" },
	[AB_PAY_RUNNING] = { "sched.", ".running", "running/run" },
	[AB_PAY_ENERGY] = { "rail_energy.", "", "energy/run" },
};

/* Who has waited at all says so in this. */
static const char count_suffix[] = ".waits";

/* A class's name, or a rail's; NULL: @name is of neither. */
static char *payer_of(const char *name, bool rails)
{
	const struct quantity *q =
		&quantities[rails ? AB_PAY_ENERGY : AB_PAY_RUNNING];
	gsize prefix = strlen(q->prefix);

	if (!g_str_has_prefix(name, q->prefix) ||
	    !g_str_has_suffix(name + prefix, q->suffix))
		return NULL;
	return g_strndup(name + prefix,
			 strlen(name + prefix) - strlen(q->suffix));
}

static char *value_name(const char *payer, enum ab_pay pay)
{
	return g_strconcat(quantities[pay].prefix, payer,
			   quantities[pay].suffix, NULL);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* All names that runs have, sorted; to be freed with them. */
static GPtrArray *find_payers(const struct ab_report_measured *runs, size_t n,
			      bool rails)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (size_t i = 0; i < n; i++)
		for (guint k = 0; k < runs[i].data->values->len; k++) {
			const struct ab_run_value *v =
				runs[i].data->values->pdata[k];
			char *name = payer_of(v->name, rails);

			if (!name || names->len == MOST_PAYERS ||
			    g_hash_table_contains(seen, name)) {
				g_free(name);
				continue;
			}
			g_hash_table_add(seen, name);
			g_ptr_array_add(names, name);
		}
	g_ptr_array_sort(names, compare_names);
	return names;
}

/* ---- observations ---- */

static bool is_sum(enum ab_pay pay)
{
	return pay == AB_PAY_WAIT || pay == AB_PAY_RUNNING ||
	       pay == AB_PAY_LONG_WAITS;
}

/* Some class is in the run: what is not, did nothing. */
static bool knows_classes(const struct ab_run_data *data)
{
	for (guint i = 0; i < data->values->len; i++) {
		const struct ab_run_value *v = data->values->pdata[i];

		if (g_str_has_prefix(v->name, "sched."))
			return true;
	}
	return false;
}

/* NAN: not known. */
static double value_in(const struct ab_run_data *data, const char *payer,
		       enum ab_pay pay, bool classes_known)
{
	g_autofree char *name = value_name(payer, pay);
	g_autofree char *count = NULL;
	double value;

	if (ab_run_data_get(data, name, &value))
		return value;
	if (!is_sum(pay) || !classes_known)
		return NAN;
	count = g_strconcat("sched.", payer, count_suffix, NULL);
	return ab_run_data_get(data, count, &value) ? NAN : 0;
}

struct measured {
	const struct ab_report_measured *runs;
	size_t n, n_variants;
	const bool *classes_known; /* of each run */
	const struct ab_stats_options *options;
	guint64 seed;
};

static GArray *observe(const struct measured *m, const char *payer,
		       enum ab_pay pay)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct ab_obs));

	for (size_t i = 0; i < m->n; i++) {
		struct ab_obs obs = m->runs[i].obs;

		obs.value = value_in(m->runs[i].data, payer, pay,
				     m->classes_known[i]);
		obs.per = NAN;
		if (isfinite(obs.value))
			g_array_append_val(all, obs);
	}
	return all;
}

/* ---- rows ---- */

static struct ab_metric *new_metric(const char *payer, enum ab_pay pay,
				    const char *id)
{
	struct ab_metric *m = g_new0(struct ab_metric, 1);
	struct ab_definition d = { .unit = "ms", .definition = "" };

	m->id = g_strdup(id);
	ab_definition_find(id, &d);
	m->source = m->id;
	m->group = payer;
	m->label = quantities[pay].label;
	m->unit = d.unit;
	m->stat = AB_STAT_RUN_MEAN;
	m->direction = AB_LOWER_IS_BETTER;
	m->definition = d.definition;
	return m;
}

static void fill_row(const struct measured *m, struct ab_report_payer *payer,
		     enum ab_pay pay, const char *id, const GArray *obs)
{
	struct ab_report_row *row = &payer->rows[pay];
	struct ab_metric *metric;

	if (!obs->len)
		return;
	metric = new_metric(payer->name, pay, id);
	row->metric = metric;
	ab_report_fill_plain_row(row, metric,
				 (const struct ab_obs *)(const void *)obs->data,
				 obs->len, m->n_variants, m->options, m->seed);
}

static void fill_payer(const struct measured *m, struct ab_report_payer *payer,
		       const char *name, bool rail)
{
	payer->name = g_strdup(name);
	for (int pay = 0; pay < AB_PAYS; pay++) {
		g_autofree char *id = value_name(name, (enum ab_pay)pay);
		g_autoptr(GArray) obs = NULL;

		if ((pay == AB_PAY_ENERGY) != rail)
			continue;
		obs = observe(m, name, (enum ab_pay)pay);
		fill_row(m, payer, (enum ab_pay)pay, id, obs);
	}
}

/* The sum of @pay over @payers, of the runs that know classes. */
static void fill_sum(const struct measured *m, struct ab_report_payer *all,
		     const GPtrArray *classes, enum ab_pay pay)
{
	g_autofree char *id =
		g_strconcat("sched", quantities[pay].suffix, NULL);
	g_autoptr(GArray) sums =
		g_array_new(FALSE, FALSE, sizeof(struct ab_obs));

	for (size_t i = 0; i < m->n; i++) {
		struct ab_obs obs = m->runs[i].obs;

		obs.value = 0;
		obs.per = NAN;
		for (guint k = 0; k < classes->len; k++)
			obs.value +=
				value_in(m->runs[i].data, classes->pdata[k],
					 pay, m->classes_known[i]);
		if (isfinite(obs.value))
			g_array_append_val(sums, obs);
	}
	fill_row(m, all, pay, id, sums);
}

void ab_report_fill_payers(struct ab_report_table *table,
			   const struct ab_report_measured *runs, size_t n,
			   size_t n_variants,
			   const struct ab_stats_options *options, guint64 seed)
{
	g_autoptr(GPtrArray) classes = find_payers(runs, n, false);
	g_autoptr(GPtrArray) rails = find_payers(runs, n, true);
	g_autofree bool *known = g_new0(bool, n + 1);
	struct measured m = { runs, n, n_variants, known, options, seed };

	for (size_t i = 0; i < n; i++)
		known[i] = knows_classes(runs[i].data);
	table->payers =
		g_new0(struct ab_report_payer, classes->len + rails->len);
	for (guint i = 0; i < classes->len; i++)
		fill_payer(&m, &table->payers[table->n_payers++],
			   classes->pdata[i], false);
	for (guint i = 0; i < rails->len; i++)
		fill_payer(&m, &table->payers[table->n_payers++],
			   rails->pdata[i], true);
	if (!classes->len)
		return;
	table->all_classes = g_new0(struct ab_report_payer, 1);
	table->all_classes->name = g_strdup("all classes");
	fill_sum(&m, table->all_classes, classes, AB_PAY_WAIT);
	fill_sum(&m, table->all_classes, classes, AB_PAY_RUNNING);
}

static void clear_payer(struct ab_report_payer *payer)
{
	for (int pay = 0; pay < AB_PAYS; pay++) {
		struct ab_metric *metric =
			(struct ab_metric *)payer->rows[pay].metric;

		if (metric)
			g_free((char *)metric->id);
		g_free(metric);
		ab_report_clear_row(&payer->rows[pay]);
	}
	g_free((char *)payer->name);
}

void ab_report_clear_payers(struct ab_report_table *table)
{
	for (size_t i = 0; i < table->n_payers; i++)
		clear_payer(&table->payers[i]);
	g_clear_pointer(&table->payers, g_free);
	table->n_payers = 0;
	if (table->all_classes)
		clear_payer(table->all_classes);
	g_clear_pointer(&table->all_classes, g_free);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/metric.h>

#include <string.h>

const char *ab_direction_word(enum ab_direction direction)
{
	static const char *const words[] = {
		[AB_LOWER_IS_BETTER] = "lower",
		[AB_HIGHER_IS_BETTER] = "higher",
		[AB_DIRECTION_UNKNOWN] = NULL,
	};

	return words[direction];
}

const struct ab_metric *ab_metric_find(const char *id)
{
	const struct ab_metric *m;

	for (m = ab_metrics; m->id; m++)
		if (!strcmp(m->id, id))
			return m;
	return NULL;
}

const char *const *ab_metric_ids(void)
{
	static gsize ids;

	if (g_once_init_enter(&ids)) {
		GPtrArray *list = g_ptr_array_new();
		const struct ab_metric *m;

		for (m = ab_metrics; m->id; m++)
			g_ptr_array_add(list, (char *)m->id);
		g_ptr_array_add(list, NULL);
		g_once_init_leave(&ids, (gsize)g_ptr_array_free(list, FALSE));
	}
	return (const char *const *)ids;
}

static void free_value(gpointer data)
{
	struct ab_run_value *v = data;

	g_free(v->name);
	g_free(v);
}

static void free_samples(gpointer data)
{
	struct ab_sample_set *s = data;

	g_free(s->name);
	g_array_unref(s->values);
	g_free(s);
}

static void free_withheld(gpointer data)
{
	struct ab_withheld *w = data;

	g_free(w->name);
	g_free(w->reason);
	g_free(w);
}

struct ab_run_data *ab_run_data_new(void)
{
	struct ab_run_data *data = g_new0(struct ab_run_data, 1);

	data->values = g_ptr_array_new_with_free_func(free_value);
	data->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	data->samples = g_ptr_array_new_with_free_func(free_samples);
	data->withheld = g_ptr_array_new_with_free_func(free_withheld);
	return data;
}

void ab_run_data_free(struct ab_run_data *data)
{
	if (!data)
		return;
	g_hash_table_unref(data->by_name);
	g_ptr_array_unref(data->values);
	g_ptr_array_unref(data->samples);
	g_ptr_array_unref(data->withheld);
	g_free(data);
}

void ab_run_data_set(struct ab_run_data *data, const char *name, double value)
{
	struct ab_run_value *v = g_hash_table_lookup(data->by_name, name);

	if (!v) {
		v = g_new0(struct ab_run_value, 1);
		v->name = g_strdup(name);
		g_ptr_array_add(data->values, v);
		g_hash_table_insert(data->by_name, v->name, v);
	}
	v->value = value;
}

bool ab_run_data_get(const struct ab_run_data *data, const char *name,
		     double *value_out)
{
	const struct ab_run_value *v = g_hash_table_lookup(data->by_name, name);

	if (!v)
		return false;
	*value_out = v->value;
	return true;
}

const GArray *ab_run_data_find(const struct ab_run_data *data, const char *name)
{
	guint i;

	for (i = 0; i < data->samples->len; i++) {
		const struct ab_sample_set *s = data->samples->pdata[i];

		if (!strcmp(s->name, name))
			return s->values;
	}
	return NULL;
}

GArray *ab_run_data_samples(struct ab_run_data *data, const char *name)
{
	const GArray *found = ab_run_data_find(data, name);
	struct ab_sample_set *s;

	if (found)
		return (GArray *)found;
	s = g_new0(struct ab_sample_set, 1);
	s->name = g_strdup(name);
	s->values = g_array_new(FALSE, FALSE, sizeof(double));
	g_ptr_array_add(data->samples, s);
	return s->values;
}

void ab_run_data_withhold(struct ab_run_data *data, const char *name,
			  const char *reason)
{
	struct ab_withheld *w = g_new0(struct ab_withheld, 1);

	w->name = g_strdup(name);
	w->reason = g_strdup(reason);
	g_ptr_array_add(data->withheld, w);
}

static int compare_doubles(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void ab_samples_sort(GArray *values)
{
	g_array_sort(values, compare_doubles);
}

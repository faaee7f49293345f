// SPDX-License-Identifier: GPL-3.0-or-later
#include "odpm_parse.h"

#include <abrig/text.h>
#include <string.h>

#define MAX_RAILS 256
/* The hardware's snapshot may be this much older than the read. */
#define SLACK_MS 3000

static void free_rail(gpointer data)
{
	struct odpm_rail *rail = data;

	g_free(rail->chip);
	g_free(rail->name);
	g_free(rail->subsys);
	g_array_unref(rail->points);
	g_free(rail);
}

void odpm_log_free(struct odpm_log *log)
{
	if (!log)
		return;
	g_ptr_array_unref(log->rails);
	g_free(log);
}

/*
 * Whole schematic names where the buck's number moved between generations,
 * else the part that says what it feeds.
 */
const char *odpm_subsystem(const char *rail)
{
	static const struct {
		const char *part, *subsys;
	} names[] = {
		{ "VDD_CPUCL0", "CPU(LITTLE)" },
		{ "VDD_CPUCL1", "CPU(MID)" },
		{ "VDD_CPUCL2", "CPU(BIG)" },
		{ "VDD_CPU", "CPU" },
		{ "VDD_G3D", "GPU" },
		{ "VDD_MIF", "MIF" },
		{ "VDD_INT", "INT" },
		{ "VDDQ_MEM", "DDR" },
		{ "VDD2L", "DDR" },
		{ "VDD2H_MEM", "DDR" },
		{ "VDD_SLC", "SLC" },
		{ "PWR_DISPLAY", "Display" },
	};
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(names); i++)
		if (strstr(rail, names[i].part))
			return names[i].subsys;
	return "";
}

static struct odpm_rail *find_rail(struct odpm_log *log, const char *chip,
				   const char *name)
{
	struct odpm_rail *rail;
	guint i;

	for (i = 0; i < log->rails->len; i++) {
		rail = log->rails->pdata[i];
		if (!strcmp(rail->name, name) && !strcmp(rail->chip, chip))
			return rail;
	}
	if (log->rails->len >= MAX_RAILS)
		return NULL;
	rail = g_new0(struct odpm_rail, 1);
	rail->chip = g_strdup(chip);
	rail->name = g_strdup(name);
	rail->subsys = g_strdup(odpm_subsystem(name));
	rail->points = g_array_new(FALSE, FALSE, sizeof(struct odpm_point));
	g_ptr_array_add(log->rails, rail);
	return rail;
}

static void add_point(struct odpm_rail *rail, gint64 t_ms, gint64 energy)
{
	const struct odpm_point p = { .t_ms = t_ms, .energy_uws = energy };

	if (rail->points->len) {
		const struct odpm_point *last = &g_array_index(
			rail->points, struct odpm_point, rail->points->len - 1);

		if (t_ms == last->t_ms) {
			rail->stale++;
			return;
		}
		if (t_ms < last->t_ms || energy < last->energy_uws) {
			rail->resets++;
			g_array_set_size(rail->points, 0);
		}
	}
	g_array_append_val(rail->points, p);
}

/* "CH0(T=349894)[S10M_VDD_TPU], 5578756" */
static bool parse_channel(struct odpm_log *log, const char *chip, gint64 t_ms,
			  const char *line)
{
	const char *open = strstr(line, ")[");
	const char *close = open ? strstr(open, "], ") : NULL;
	g_autofree char *name = NULL;
	struct odpm_rail *rail;
	gint64 energy;

	if (!close || !ab_text_to_int(close + 3, &energy) || energy < 0)
		return false;
	name = g_strndup(open + 2, (gsize)(close - open - 2));
	rail = find_rail(log, chip, name);
	if (!rail)
		return false;
	add_point(rail, t_ms, energy);
	return true;
}

struct odpm_log *odpm_parse(const char *text)
{
	struct odpm_log *log = g_new0(struct odpm_log, 1);
	g_autofree char *chip = g_strdup("");
	gint64 t_ms = -1;
	bool empty = false; /* a device line, and no snapshot since */
	char *line;

	log->rails = g_ptr_array_new_with_free_func(free_rail);
	for (; (line = ab_text_next_line(&text)); g_free(line)) {
		if (g_str_has_prefix(line, "device ")) {
			log->empty_reads += empty;
			empty = true;
			t_ms = -1;
			g_free(chip);
			chip = g_strdup(line + 7);
		} else if (g_str_has_prefix(line, "t=")) {
			empty = false;
			if (!ab_text_to_int(line + 2, &t_ms) || t_ms < 0)
				log->bad_lines++;
		} else if (t_ms < 0 || !parse_channel(log, chip, t_ms, line)) {
			log->bad_lines++;
		}
	}
	log->empty_reads += empty;
	return log;
}

/* Energy at @t_ms; @t_ms may lie a little outside the points. */
static double energy_at(const struct odpm_rail *rail, gint64 t_ms)
{
	const struct odpm_point *p =
		(const struct odpm_point *)(const void *)rail->points->data;
	guint i = 1;

	while (i + 1 < rail->points->len && p[i].t_ms < t_ms)
		i++;
	return (double)p[i - 1].energy_uws +
	       (double)(p[i].energy_uws - p[i - 1].energy_uws) *
		       (double)(t_ms - p[i - 1].t_ms) /
		       (double)(p[i].t_ms - p[i - 1].t_ms);
}

bool odpm_mean_mw(const struct odpm_rail *rail, gint64 begin_ms, gint64 end_ms,
		  double *mw_out, char **why_out)
{
	const struct odpm_point *p =
		(const struct odpm_point *)(const void *)rail->points->data;
	guint n = rail->points->len;

	if (n < 2 || end_ms <= begin_ms) {
		*why_out = g_strdup_printf("%u different snapshots, at least 2 "
					   "are needed",
					   n);
		return false;
	}
	if (p[0].t_ms > begin_ms + SLACK_MS ||
	    p[n - 1].t_ms < end_ms - SLACK_MS) {
		*why_out = g_strdup_printf(
			"snapshots from %.1f to %.1f s do not cover the window "
			"from %.1f to %.1f s%s",
			(double)p[0].t_ms / 1e3, (double)p[n - 1].t_ms / 1e3,
			(double)begin_ms / 1e3, (double)end_ms / 1e3,
			rail->resets ? " (the counter was reset)" : "");
		return false;
	}
	/* uWs per ms is mW. */
	*mw_out = (energy_at(rail, end_ms) - energy_at(rail, begin_ms)) /
		  (double)(end_ms - begin_ms);
	return true;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* The text of a kernel model: strict in, parameters out. */
#include <math.h>
#include <string.h>

#include "model.h"

#define MAX_TEXT (64u << 10)

struct key {
	const char *name;
	size_t offset;
	double min, max;
};

/* clang-format off */
#define KEY(name, min, max) { #name, offsetof(struct vp_model, name), min, max }

static const struct key keys[] = {
	KEY(pm_wq_highpri, 0, 1),
	KEY(shade_items_per_act, 0, 200),
	KEY(bench_items_per_s, 0, 400),
	KEY(wait_body_us, 1, 1e4),
	KEY(wait_body_sigma, 0, 2),
	KEY(wait_tail_p, 0, 1),
	KEY(wait_tail_us, 1, 1e5),
	KEY(wait_tail_sigma, 0, 2),
	KEY(wait_cap_us, 100, 1e5),
	KEY(work_run_us, 15, 1e4),
	KEY(work_run_sigma, 0, 2),
	KEY(preempt_p, 0, 1),
	KEY(ui_share, 0, 0.5),
	KEY(ui_wait_body_us, 1, 1e4),
	KEY(ui_wait_tail_p, 0, 1),
	KEY(ui_wait_tail_us, 1, 1e5),
	KEY(ui_resume_us, 5, 1e4),
	KEY(ui_resume_sigma, 0, 2),
	KEY(shade_app_missed_per_act, 0, 5),
	KEY(shade_sf_missed_per_act, 0, 5),
	KEY(bench_app_missed_per_s, 0, 30),
	KEY(bench_sf_missed_per_s, 0, 30),
	KEY(app_frame_ms, 0.2, 12),
	KEY(sf_frame_ms, 0.2, 12),
	KEY(frame_sigma, 0, 1),
	KEY(commit_us, 20, 5e3),
	KEY(bench_frame_ms, 0.5, 50),
	KEY(bench_frame_sigma, 0, 1),
	KEY(bench_jank_p, 0, 1),
	KEY(bench_jank_ms, 1, 500),
	KEY(background_hz, 0, 200),
	KEY(background_us, 20, 1e4),
	KEY(power_cpu, 0.1, 10),
	KEY(power_gpu, 0.1, 10),
	KEY(power_memory, 0.1, 10),
	KEY(power_display, 0.1, 10),
	KEY(power_other, 0.1, 10),
	KEY(wait_boot_sd, 0, 1),
	KEY(wait_run_sd, 0, 1),
	KEY(frame_boot_sd, 0, 1),
	KEY(frame_run_sd, 0, 1),
	KEY(power_boot_sd, 0, 1),
	KEY(power_act_sd, 0, 1),
	KEY(heat_idle_c, 10, 60),
	KEY(heat_shade_c, 0, 60),
	KEY(heat_bench_c, 0, 60),
	KEY(heat_tau_s, 1, 1e4),
	KEY(throttle_c, 20, 90),
	KEY(throttle_slope, 0, 1),
};
/* clang-format on */

static bool fail(GError **error, int line, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static bool fail(GError **error, int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	if (line)
		g_set_error(error, VP_ERROR, 0, "model line %d: %s", line,
			    what);
	else
		g_set_error(error, VP_ERROR, 0, "model: %s", what);
	return false;
}

static int key_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		if (strcmp(keys[i].name, name) == 0)
			return (int)i;
	return -1;
}

static bool set_value(struct vp_model *model, const struct key *key,
		      const char *text, int line, GError **error)
{
	char *end;
	double value = g_ascii_strtod(text, &end);

	if (end == text || *end || !isfinite(value))
		return fail(error, line, "%s is '%s', which is no number",
			    key->name, text);
	if (value < key->min || value > key->max)
		return fail(error, line, "%s is %s, outside of %g to %g",
			    key->name, text, key->min, key->max);
	memcpy((char *)model + key->offset, &value, sizeof(value));
	return true;
}

static bool parse_line(struct vp_model *model, bool *seen, char *text, int line,
		       GError **error)
{
	text[strcspn(text, "#")] = '\0';
	g_strstrip(text);
	if (!*text)
		return true;
	char *equals = strchr(text, '=');
	if (!equals)
		return fail(error, line, "'%s' is not 'key = value'", text);
	*equals = '\0';
	const char *name = g_strchomp(text);
	int i = key_find(name);
	if (i < 0)
		return fail(error, line, "unknown key '%s'", name);
	if (seen[i])
		return fail(error, line, "%s is given twice", name);
	seen[i] = true;
	return set_value(model, &keys[i], g_strchug(equals + 1), line, error);
}

static bool parse_all(struct vp_model *model, const char *text, GError **error)
{
	bool seen[G_N_ELEMENTS(keys)] = { false };
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (int i = 0; lines[i]; i++)
		if (!parse_line(model, seen, lines[i], i + 1, error))
			return false;
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		if (!seen[i])
			return fail(error, 0, "missing key '%s'", keys[i].name);
	return true;
}

struct vp_model *vp_model_parse(const char *text, GError **error)
{
	if (strlen(text) > MAX_TEXT) {
		fail(error, 0, "longer than %u bytes", MAX_TEXT);
		return NULL;
	}
	struct vp_model *model = g_new0(struct vp_model, 1);
	if (!parse_all(model, text, error)) {
		vp_model_free(model);
		return NULL;
	}
	return model;
}

void vp_model_free(struct vp_model *model)
{
	g_free(model);
}

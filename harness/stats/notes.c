// SPDX-License-Identifier: GPL-3.0-or-later
#include "notes.h"

#include <abrig/stats_methods.h>
#include <math.h>

static const struct note_ops *const kinds[AB_NOTE_KINDS] = {
	[AB_NOTE_TREND_TIME] = &note_trend_time,
	[AB_NOTE_TREND_SKIN] = &note_trend_skin,
	[AB_NOTE_TREND_BATTERY] = &note_trend_battery,
	[AB_NOTE_WARMUP] = &note_warmup,
	[AB_NOTE_OUTLIERS] = &note_outliers,
	[AB_NOTE_MODES_RUNS] = &note_modes_runs,
	[AB_NOTE_MODES_SAMPLES] = &note_modes_samples,
	[AB_NOTE_AUTOCORRELATION] = &note_autocorrelation,
	[AB_NOTE_DEVICES] = &note_devices,
};

const char *ab_note_name(enum ab_note_kind kind)
{
	return kinds[kind]->name;
}

const char *ab_note_title(enum ab_note_kind kind)
{
	return kinds[kind]->title;
}

static struct ab_note empty_note(enum ab_note_kind kind)
{
	return (struct ab_note){
		.kind = kind,
		.variant = AB_NOTE_BOTH,
		.p = NAN,
		.size = NAN,
		.size_pct = NAN,
		.range = NAN,
		.q = NAN,
		.robust = NAN,
		.adjusted = { NAN, NAN, NAN, NAN, NAN, NAN, NULL, 0 },
	};
}

static void clear_note(struct ab_note *note)
{
	g_free(note->places);
	g_free(note->devices);
}

void ab_notes_clear(struct ab_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		clear_note(&notes->notes[i]);
	g_free(notes->notes);
	*notes = (struct ab_notes){ 0 };
}

void ab_notes_find(const struct ab_metric *metric, const struct ab_obs *obs,
		   size_t n_obs, int b, const struct ab_stats_options *options,
		   gsl_rng *rng, struct ab_notes *notes_out)
{
	struct note_data d;

	*notes_out = (struct ab_notes){ 0 };
	if (metric->stat == AB_STAT_MAX)
		return;
	note_data_init(&d, metric, obs, n_obs, b);
	d.level = options->level;
	d.resamples = options->resamples;
	d.rng = rng;
	notes_out->notes = g_new0(struct ab_note, AB_NOTE_KINDS);
	for (int kind = 0; kind < AB_NOTE_KINDS; kind++) {
		struct ab_note note = empty_note((enum ab_note_kind)kind);

		if (kinds[kind]->look(&d, &note) && isfinite(note.p))
			notes_out->notes[notes_out->n++] = note;
		else
			clear_note(&note);
	}
	note_data_clear(&d);
}

static void control_kind(struct ab_note **notes, size_t n, int kind, double q)
{
	g_autofree double *p = g_new(double, n + 1);

	for (size_t i = 0; i < n; i++)
		p[i] = (int)notes[i]->kind == kind ? notes[i]->p : NAN;
	ab_stats_benjamini_hochberg(p, n, p);
	for (size_t i = 0; i < n; i++)
		if ((int)notes[i]->kind == kind)
			notes[i]->noticed = p[i] <= q;
}

void ab_notes_control(struct ab_note **notes, size_t n, double q)
{
	for (int kind = 0; kind < AB_NOTE_KINDS; kind++)
		control_kind(notes, n, kind, q);
}

/* ---- text ---- */

static char *add_commas(const char *digits)
{
	GString *out = g_string_new(digits);

	for (gssize i = (gssize)out->len - 3; i > 1; i -= 3)
		g_string_insert_c(out, i, ',');
	return g_string_free(out, FALSE);
}

char *note_signed(double value)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];
	double size = fabs(value);
	int decimals;

	if (!isfinite(value))
		return g_strdup("n/a");
	if (size >= 1e6 || (size > 0 && size < 1e-4)) {
		g_ascii_formatd(digits, sizeof(digits), "%+.3g", value);
		return g_strdup(digits);
	}
	decimals = size > 0 ? 2 - (int)floor(log10(size)) : 0;
	if (decimals <= 0) {
		g_ascii_formatd(digits, sizeof(digits), "%+.0f", value);
		return add_commas(digits);
	} else {
		g_autofree char *format = g_strdup_printf("%%+.%df", decimals);

		g_ascii_formatd(digits, sizeof(digits), format, value);
		return g_strdup(digits);
	}
}

char *note_p(double p)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];

	if (p < 1e-4)
		return g_strdup("p < 0.0001");
	g_ascii_formatd(digits, sizeof(digits), "%.2g", p);
	return g_strdup_printf("p = %s", digits);
}

char *ab_note_brief(const struct ab_note *note, const struct ab_metric *metric)
{
	GString *out = g_string_new(NULL);

	kinds[note->kind]->say(note, metric, out);
	return g_string_free(out, FALSE);
}

char *ab_note_text(const struct ab_note *note, const struct ab_metric *metric)
{
	g_autofree char *brief = ab_note_brief(note, metric);

	return g_strdup_printf("%s: %s", ab_note_title(note->kind), brief);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "notes.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define MIN_DF 2

/* A regression through the device's own level. */
struct line {
	double xx, xy, yy;
	int n, df;
};

/* Blocks of known covariate, as means (or half differences) of their arms. */
struct points {
	double *x, *y;
	int *device;
	size_t n;
};

static struct points points_of(const struct note_data *d, enum note_covariate c,
			       bool differences)
{
	struct points p = { g_new0(double, d->n_blocks + 1),
			    g_new0(double, d->n_blocks + 1),
			    g_new0(int, d->n_blocks + 1), 0 };
	double sign = differences ? -0.5 : 0.5;

	for (size_t i = 0; i < d->n_blocks; i++) {
		const struct note_block *block = &d->blocks[i];
		double x = block->x[c][1] / 2 + sign * block->x[c][0];
		double y = block->value[1] / 2 + sign * block->value[0];

		if (!isfinite(x) || !isfinite(y))
			continue;
		p.x[p.n] = x;
		p.y[p.n] = y;
		p.device[p.n++] = block->device;
	}
	return p;
}

static void points_clear(struct points *p)
{
	g_free(p->x);
	g_free(p->y);
	g_free(p->device);
}

static double mean_of(const double *values, size_t begin, size_t end)
{
	double sum = 0;

	for (size_t i = begin; i < end; i++)
		sum += values[i];
	return sum / (double)(end - begin);
}

static struct line fit(const struct points *p)
{
	struct line line = { .n = (int)p->n, .df = (int)p->n - 1 };
	size_t end;

	for (size_t i = 0; i < p->n; i = end) {
		double x, y;

		for (end = i + 1; end < p->n && p->device[i] == p->device[end];
		     end++)
			;
		x = mean_of(p->x, i, end);
		y = mean_of(p->y, i, end);
		line.df--;
		for (size_t k = i; k < end; k++) {
			line.xx += (p->x[k] - x) * (p->x[k] - x);
			line.xy += (p->x[k] - x) * (p->y[k] - y);
			line.yy += (p->y[k] - y) * (p->y[k] - y);
		}
	}
	return line;
}

static struct line fit_blocks(const struct note_data *d, enum note_covariate c,
			      bool differences)
{
	struct points p = points_of(d, c, differences);
	struct line line = fit(&p);

	points_clear(&p);
	return line;
}

/* Hours since 1970 leave few digits for their differences. */
static bool has_slope(const struct line *line, double x, double y)
{
	return line->df >= MIN_DF && sqrt(line->xx) > 1e-6 &&
	       !note_is_flat(sqrt(line->xx), x) &&
	       !note_is_flat(sqrt(line->yy), y);
}

#define LARGEST_Z 8.0 /* beyond it a p is not told from 0 */

/* The t of the slope as a normal deviate of the same p. */
static double deviate(const struct line *line)
{
	double slope = line->xy / line->xx;
	double rest = MAX(line->yy - slope * line->xy, 0);
	double z, t;

	if (rest <= 1e-18 * line->yy)
		return slope > 0 ? LARGEST_Z : -LARGEST_Z;
	t = slope / sqrt(rest / line->df / line->xx);
	z = gsl_cdf_ugaussian_Qinv(gsl_cdf_tdist_Q(fabs(t), line->df));
	return copysign(MIN(z, LARGEST_Z), t);
}

static double p_of(const struct line *lines, const bool *use)
{
	double sum = 0, square = 0;

	for (int i = 0; i < 2; i++)
		if (use[i]) {
			sum += sqrt(lines[i].xx) * deviate(&lines[i]);
			square += lines[i].xx;
		}
	return 2 * gsl_cdf_ugaussian_Q(fabs(sum) / sqrt(square));
}

static double range_of(const struct note_data *d, enum note_covariate c)
{
	double lo = INFINITY, hi = -INFINITY;

	for (size_t i = 0; i < d->n_blocks; i++)
		for (int arm = 0; arm < 2; arm++)
			if (isfinite(d->blocks[i].x[c][arm])) {
				lo = fmin(lo, d->blocks[i].x[c][arm]);
				hi = fmax(hi, d->blocks[i].x[c][arm]);
			}
	return hi - lo;
}

static bool look(const struct note_data *d, enum note_covariate c,
		 struct ab_note *note)
{
	struct line lines[2] = { fit_blocks(d, c, false),
				 fit_blocks(d, c, true) };
	double range = range_of(d, c);
	bool use[2];

	for (int i = 0; i < 2; i++)
		use[i] = has_slope(&lines[i], range, d->arm[0]);
	if (!use[0] && !use[1])
		return false;
	note->n = lines[0].n;
	note->range = range;
	note->size = (lines[0].xy + lines[1].xy) / (lines[0].xx + lines[1].xx);
	if (d->arm[0] > 0)
		note->size_pct = 100 * note->size / d->arm[0];
	note->p = p_of(lines, use);
	note_adjust(d, c, &note->adjusted);
	return true;
}

static bool look_time(const struct note_data *d, struct ab_note *note)
{
	return look(d, NOTE_TIME, note);
}

static bool look_skin(const struct note_data *d, struct ab_note *note)
{
	return look(d, NOTE_SKIN, note);
}

static bool look_battery(const struct note_data *d, struct ab_note *note)
{
	return look(d, NOTE_BATTERY, note);
}

static void say_adjusted(const struct ab_note_adjusted *a,
			 const struct ab_metric *metric, GString *out)
{
	bool pct = isfinite(a->pct);
	g_autofree char *mid = note_signed(pct ? a->pct : a->diff);
	g_autofree char *lo = note_signed(pct ? a->pct_lo : a->lo);
	g_autofree char *hi = note_signed(pct ? a->pct_hi : a->hi);

	if (isfinite(a->diff))
		g_string_append_printf(out, "; adjusted %s%s%s [%s,%s]", mid,
				       pct || *metric->unit ? " " : "",
				       pct ? "%" : metric->unit, lo, hi);
}

static void say(const struct ab_note *note, const struct ab_metric *metric,
		const char *per, GString *out)
{
	g_autofree char *slope = note_signed(note->size);
	g_autofree char *p = note_p(note->p);

	g_string_append_printf(out, "%s%s%s per %s, %s", slope,
			       *metric->unit ? " " : "", metric->unit, per, p);
	say_adjusted(&note->adjusted, metric, out);
}

static void say_time(const struct ab_note *note, const struct ab_metric *metric,
		     GString *out)
{
	say(note, metric, "hour", out);
}

static void say_skin(const struct ab_note *note, const struct ab_metric *metric,
		     GString *out)
{
	say(note, metric, "degC", out);
}

static void say_battery(const struct ab_note *note,
			const struct ab_metric *metric, GString *out)
{
	say(note, metric, "% of charge", out);
}

const struct note_ops note_trend_time = { "trend-time", "drift over time",
					  look_time, say_time };
const struct note_ops note_trend_skin = { "trend-skin",
					  "varies with the skin temperature",
					  look_skin, say_skin };
const struct note_ops note_trend_battery = { "trend-battery",
					     "varies with the battery level",
					     look_battery, say_battery };

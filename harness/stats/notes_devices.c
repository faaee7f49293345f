// SPDX-License-Identifier: GPL-3.0-or-later
#include "notes.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define MIN_BLOCKS 2

/* The mean block difference of blocks @begin to @end, those of one device. */
static struct ab_note_device device_of(const struct note_block *blocks,
				       size_t n)
{
	struct ab_note_device dev = { .device = blocks->device,
				      .blocks = (int)n };
	double square = 0;

	for (size_t i = 0; i < n; i++)
		dev.diff +=
			(blocks[i].value[1] - blocks[i].value[0]) / (double)n;
	for (size_t i = 0; i < n; i++) {
		double r = blocks[i].value[1] - blocks[i].value[0] - dev.diff;

		square += r * r;
	}
	dev.se = sqrt(square / (double)(n - 1) / (double)n);
	return dev;
}

static void add_devices(const struct note_data *d, struct ab_note *note)
{
	size_t end;

	note->devices = g_new0(struct ab_note_device, d->n_blocks + 1);
	for (size_t i = 0; i < d->n_blocks; i = end) {
		for (end = i + 1; end < d->n_blocks &&
				  d->blocks[i].device == d->blocks[end].device;
		     end++)
			;
		if (end - i >= MIN_BLOCKS)
			note->devices[note->n_devices++] =
				device_of(d->blocks + i, end - i);
	}
}

/*
 * Welch's F: Q over its degrees of freedom, less what weights from few blocks
 * add to it.
 */
static double welch_p(const struct ab_note *note, double sum_w)
{
	double k = (double)note->n_devices, h = 0, f, df;

	for (size_t i = 0; i < note->n_devices; i++) {
		const struct ab_note_device *dev = &note->devices[i];
		double share = 1 - 1 / (dev->se * dev->se) / sum_w;

		h += share * share / (dev->blocks - 1);
	}
	f = note->q / (k - 1) / (1 + 2 * (k - 2) / (k * k - 1) * h);
	df = (k * k - 1) / (3 * h);
	return gsl_cdf_fdist_Q(f, k - 1, df);
}

static bool set_q(struct ab_note *note, double scale)
{
	double sum_w = 0, sum = 0;

	for (size_t i = 0; i < note->n_devices; i++) {
		const struct ab_note_device *dev = &note->devices[i];

		/* Without spread in a device its weight has no limit. */
		if (note_is_flat(dev->se, scale))
			return false;
		sum_w += 1 / (dev->se * dev->se);
		sum += dev->diff / (dev->se * dev->se);
	}
	note->q = 0;
	for (size_t i = 0; i < note->n_devices; i++) {
		double r = (note->devices[i].diff - sum / sum_w) /
			   note->devices[i].se;

		note->q += r * r;
	}
	note->size = 100 * MAX(1 - (double)(note->n_devices - 1) / note->q, 0);
	note->p = welch_p(note, sum_w);
	return isfinite(note->p);
}

static bool look(const struct note_data *d, struct ab_note *note)
{
	double scale = MAX(fabs(d->arm[0]), fabs(d->arm[1]));

	add_devices(d, note);
	note->n = (int)note->n_devices;
	return note->n_devices >= 2 && set_q(note, scale);
}

static void say(const struct ab_note *note, const struct ab_metric *metric,
		GString *out)
{
	double lo = INFINITY, hi = -INFINITY;
	g_autofree char *p = note_p(note->p);
	g_autofree char *least = NULL, *most = NULL;

	for (size_t i = 0; i < note->n_devices; i++) {
		lo = fmin(lo, note->devices[i].diff);
		hi = fmax(hi, note->devices[i].diff);
	}
	least = note_signed(lo);
	most = note_signed(hi);
	g_string_append_printf(
		out, "%s to %s%s%s by device, Q = %.1f, I2 = %.0f %%, %s",
		least, most, *metric->unit ? " " : "", metric->unit, note->q,
		note->size, p);
}

const struct note_ops note_devices = { "devices",
				       "change differs between devices", look,
				       say };

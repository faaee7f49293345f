// SPDX-License-Identifier: GPL-3.0-or-later
#include "noise.h"

#include <math.h>

#define MAX_RATIO 1e6
#define HALVINGS 100

double noise_at(double growth, double ratio)
{
	/* Without a mean to compare with, nothing is known to grow. */
	if (!isfinite(ratio))
		return 1;
	return pow(MAX(ratio, 0), growth);
}

/* Noise that follows the mean makes more of what a block adds, too. */
static double shared(const struct noise *noise, double ratio)
{
	double more = sqrt(noise_at(noise->growth, ratio)) - 1;

	return noise->block > 0 ? noise->block * more * more : 0;
}

double noise_sd(const struct noise *noise, double effect)
{
	double ratio = 1 + effect / noise->mean;

	return sqrt(noise->arm * (1 + noise_at(noise->growth, ratio)) +
		    shared(noise, ratio));
}

/* Above 0 when the change @ratio - 1 is more than @times its deviations. */
static double excess(const struct noise *noise, double ratio, double times)
{
	double effect = (ratio - 1) * noise->mean;

	return fabs(effect) - times * noise_sd(noise, effect);
}

double noise_effect(const struct noise *noise, double ratio, bool fall)
{
	double none = 1, clear = fall ? 0 : MAX_RATIO;

	if (noise->growth == 0 || !(noise->mean > 0))
		return ratio * sqrt(2 * noise->arm);
	if (!(excess(noise, clear, ratio) > 0))
		return NAN;
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (none + clear) / 2;

		if (excess(noise, middle, ratio) > 0)
			clear = middle;
		else
			none = middle;
	}
	return fabs(clear - 1) * noise->mean;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* The keyguard away; the pinned refresh rate proved by the active mode. */
#include <abrig/error.h>
#include <abrig/log.h>

#include <math.h>

#include "prepare.h"

#define POLL_MS 250
#define SETTLE_MS 10000

static bool keyguard_prepare(const struct prepare *p, GError **error)
{
	return ab_phone_unlock(p->phone, p->w, error);
}

/* A state, not a setting: the screen locks by itself later. */
const struct prepare_item prepare_keyguard = {
	.kind = "keyguard",
	.prepare = keyguard_prepare,
};

/* ---- refresh rate ---- */

struct rates {
	double active, highest;
};

static bool read_rates(const struct prepare *p, struct rates *rates_out,
		       GError **error)
{
	static const char *const commands[] = { AB_ANDROID_SURFACEFLINGER,
						AB_ANDROID_DISPLAY, NULL };
	g_auto(GStrv) texts = ab_phone_texts(p->phone, p->w, commands, error);

	if (!texts)
		return false;
	rates_out->active = ab_android_parse_refresh(texts[0], texts[1]);
	rates_out->highest = ab_android_parse_refresh_max(texts[1]);
	return true;
}

static bool fail_rate(const struct prepare *p, const struct rates *rates,
		      GError **error)
{
	g_autofree char *highest =
		rates->highest > 0
			? g_strdup_printf("its highest mode is %.0f Hz",
					  rates->highest)
			: g_strdup("its modes are not known");

	if (rates->active <= 0)
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "%s: cannot prove the refresh rate: neither "
			    "SurfaceFlinger nor the display say which mode is "
			    "active; set prepare.refresh to 0",
			    p->phone->serial);
	else
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "%s: the display runs at %.0f Hz, not at the "
			    "wanted %d Hz (min_refresh_rate and "
			    "peak_refresh_rate are set; %s); switch battery "
			    "saver off, or change prepare.refresh",
			    p->phone->serial, rates->active,
			    (int)p->options->refresh_hz, highest);
	return false;
}

static bool refresh_prepare(const struct prepare *p, GError **error)
{
	struct ab_wait sub = ab_wait_sub(p->w, SETTLE_MS);
	struct rates rates = { -1, -1 };

	if (p->options->refresh_hz <= 0)
		return true;
	for (;;) {
		g_autoptr(GError) over = NULL;

		if (!read_rates(p, &rates, error))
			return false;
		if (fabs(rates.active - (double)p->options->refresh_hz) < 1)
			break;
		if (ab_wait_pause(&sub, POLL_MS, "pinning the refresh rate",
				  &over))
			continue;
		if (g_error_matches(over, AB_ERROR, AB_ERROR_TIMEOUT))
			return fail_rate(p, &rates, error);
		g_propagate_error(error, g_steal_pointer(&over));
		return false;
	}
	p->phone->refresh_hz = (int)p->options->refresh_hz;
	return true;
}

/* Its settings are recorded as such. */
const struct prepare_item prepare_refresh = {
	.kind = "refresh",
	.prepare = refresh_prepare,
};

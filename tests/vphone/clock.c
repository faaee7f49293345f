// SPDX-License-Identifier: GPL-3.0-or-later
// The phone's clock.
#include "core.h"

/* Long after boot a phone that slept a little would show something like it. */
#define MONO_OFFSET_NS (250 * VP_MSEC)

void vp_clock_start(struct vphone *vp)
{
	vp->core->start_host_us = g_get_monotonic_time();
	/* A restart must not turn the phone's time back. */
	vp->core->start_realtime_ns =
		MAX(vp->core->start_realtime_ns, g_get_real_time() * 1000);
	vp->boot_host_us = vp->core->start_host_us;
}

void vp_clock_boot(struct vphone *vp)
{
	vp->boot_host_us = g_get_monotonic_time();
}

gint64 vp_now_ns(const struct vphone *vp)
{
	return (g_get_monotonic_time() - vp->boot_host_us) * 1000 * vp->speed;
}

gint64 vp_mono_offset_ns(const struct vphone *vp)
{
	(void)vp;
	return MONO_OFFSET_NS;
}

gint64 vp_realtime_ns(const struct vphone *vp)
{
	gint64 us = g_get_monotonic_time() - vp->core->start_host_us;

	return vp->core->start_realtime_ns + us * 1000 * vp->speed;
}

gint64 vp_host_us(const struct vphone *vp, gint64 ns)
{
	return ns / 1000 / vp->speed;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* dumpsys display, SurfaceFlinger, gfxinfo, meminfo, jobscheduler. */
#include "android.h"
#include "pids.h"

#include <math.h>
#include <string.h>

/* ---- display ---- */

/* Mode ids: 1 is the best rate, 2 is 60 Hz. */
static int active_mode(const struct vphone *vp)
{
	return vp_display_rate(vp) > 60.5 ? 1 : 2;
}

void vp_dump_display(struct vp_call *call, GString *out)
{
	const struct vphone *vp = call->vp;
	const struct vp_hw *hw = vp->hw;
	double brightness = vp->awake ? vp_display_brightness(vp) : 0;

	g_string_append_printf(
		out,
		"DISPLAY MANAGER (dumpsys display)\n"
		"  mViewports=[DisplayViewport{type=INTERNAL, valid=true, "
		"displayId=0, orientation=%d, deviceWidth=%d, "
		"deviceHeight=%d}]\n"
		"  mScreenState=%s\n"
		"  mActiveModeId=%d\n"
		"  mSupportedModes:\n"
		"    DisplayModeRecord{mMode={id=1, width=%d, height=%d, "
		"fps=%.5f, alternativeRefreshRates=[60.000004]}}\n"
		"    DisplayModeRecord{mMode={id=2, width=%d, height=%d, "
		"fps=60.000004, alternativeRefreshRates=[%.5f]}}\n"
		"  renderFrameRate %.5f\n",
		vp_display_rotation(vp), hw->width, hw->height,
		vp_panel_on(vp) ? "ON" : "OFF", active_mode(vp), hw->width,
		hw->height, (double)hw->refresh_hz, hw->width, hw->height,
		(double)hw->refresh_hz, vp_display_rate(vp));
	g_string_append_printf(out,
			       "  Display Brightness:\n"
			       "    mScreenBrightness=%.6f\n"
			       "    mLatestFloatBrightness=%.6f\n"
			       "    mActualBacklight=%.6f\n",
			       brightness, brightness, brightness);
}

/* ---- SurfaceFlinger ---- */

static void latency(const struct vphone *vp, const char *layer, GString *out)
{
	g_string_append_printf(out, "%.0f\n",
			       (double)VP_NSEC / vp_display_rate(vp));
	/* A layer that does not exist looks like one that never drew. */
	for (int i = 0; layer && i < 127; i++)
		g_string_append(out, "0\t0\t0\n");
}

void vp_dump_surfaceflinger(struct vp_call *call, GString *out)
{
	const struct vphone *vp = call->vp;
	double rate = vp_display_rate(vp);

	if (vp_is(vp_arg(call, 1), "--latency")) {
		latency(vp, vp_arg(call, 2), out);
		return;
	}
	if (vp_is(vp_arg(call, 1), "--list")) {
		g_string_append_printf(out,
				       "NotificationShade#91\nStatusBar#83\n"
				       "%s#140\n",
				       vp->focus);
		return;
	}
	g_string_append_printf(
		out,
		"Scheduler:\n"
		"  renderRate=%.2f Hz\n"
		"  activeMode={fps=%.2f Hz, modePtr={id=%d, hwcId=%d, "
		"resolution=%dx%d, vsyncRate=%.2f Hz, dpi=409.43x411.89, "
		"group=0}}\n"
		"Total missed frame count: %u\n"
		"HWC missed frame count: %u\n"
		"GPU missed frame count: 0\n",
		rate, rate, active_mode(vp) - 1, active_mode(vp) - 1,
		vp->hw->width, vp->hw->height, rate, vp->acts->len * 2,
		vp->acts->len * 2);
}

/* ---- gfxinfo ---- */

#define BUCKETS_MAX 160
#define FRAMES_MAX 2048 /* of one act */

struct histogram {
	int label_ms[BUCKETS_MAX];
	unsigned count[BUCKETS_MAX];
	size_t n;
	unsigned frames, janky;
	double period_ms;
};

/* 5 to 32 by 1, to 48 by 2, 53, 57 to 133 by 4, 150, 200 to 4950 by 50 */
static void labels(struct histogram *h)
{
	for (int ms = 5; ms <= 4950;) {
		h->label_ms[h->n++] = ms;
		if (ms < 32)
			ms += 1;
		else if (ms < 48)
			ms += 2;
		else if (ms == 48)
			ms = 53;
		else if (ms < 133)
			ms += 4;
		else if (ms == 133)
			ms = 150;
		else
			ms += 50;
	}
}

static void histogram_add(struct histogram *h, double ms)
{
	size_t i = 0;

	while (i + 1 < h->n && h->label_ms[i + 1] <= ms)
		i++;
	h->count[i]++;
	h->frames++;
	h->janky += ms > h->period_ms;
}

static int percentile(const struct histogram *h, double p)
{
	double sum = 0;

	for (size_t i = 0; i < h->n; i++) {
		sum += h->count[i];
		if (h->frames && sum >= p * h->frames)
			return h->label_ms[i];
	}
	return 0;
}

/*
 * The model is asked for the frames of Jankbench; the shade's, which only a
 * trace shows, are drawn from the first test's distribution.
 */
static void collect(const struct vphone *vp, enum vp_act_kind kind,
		    struct histogram *h)
{
	double ms[FRAMES_MAX];
	gint64 now_ns = vp_now_ns(vp);

	labels(h);
	h->period_ms = 1000 / vp_display_rate(vp);
	for (guint i = 0; i < vp->acts->len; i++) {
		const struct vp_act *act =
			&g_array_index(vp->acts, struct vp_act, i);
		size_t n, fit;

		if (act->kind != kind || act->begin_ns > now_ns ||
		    act->end_ns < vp->android->gfx_since_ns)
			continue;
		n = vp_bench_frames(&vp->boot, act->test, act->iteration,
				    vp->boot.seed + i, vp->start_mc, ms,
				    FRAMES_MAX);
		fit = (size_t)((double)(MIN(act->end_ns, now_ns) -
					act->begin_ns) /
			       (double)VP_MSEC / h->period_ms);
		for (size_t f = 0; f < MIN(n, fit); f++)
			histogram_add(h, ms[f]);
	}
}

static void print_histogram(const struct histogram *h, GString *out)
{
	g_string_append(out, "HISTOGRAM:");
	for (size_t i = 0; i < h->n; i++)
		g_string_append_printf(out, " %dms=%u", h->label_ms[i],
				       h->count[i]);
	g_string_append_c(out, '\n');
}

static void print_summary(const struct vphone *vp, const struct histogram *h,
			  GString *out)
{
	double share = h->frames ? 100.0 * h->janky / h->frames : 0;

	g_string_append_printf(
		out,
		"Stats since: %" G_GINT64_FORMAT "ns\n"
		"Total frames rendered: %u\n"
		"Janky frames: %u (%.2f%%)\n"
		"Janky frames (legacy): %u (%.2f%%)\n"
		"50th percentile: %dms\n90th percentile: %dms\n"
		"95th percentile: %dms\n99th percentile: %dms\n",
		vp->android->gfx_since_ns - vp_mono_offset_ns(vp), h->frames,
		h->janky, share, h->janky, share, percentile(h, 0.5),
		percentile(h, 0.9), percentile(h, 0.95), percentile(h, 0.99));
	g_string_append_printf(out,
			       "Number Missed Vsync: %u\n"
			       "Number High input latency: %u\n"
			       "Number Slow UI thread: %u\n"
			       "Number Slow bitmap uploads: 0\n"
			       "Number Slow issue draw commands: %u\n"
			       "Number Frame deadline missed: %u\n"
			       "Number Frame deadline missed (legacy): %u\n",
			       h->janky / 2, h->frames, h->janky / 3,
			       h->janky / 4, h->janky, h->janky);
	print_histogram(h, out);
}

void vp_dump_gfxinfo(struct vp_call *call, GString *out)
{
	struct vphone *vp = call->vp;
	const char *package = vp_arg(call, 1);
	struct histogram h = { 0 };
	pid_t pid = package ? vp_system_pid(vp, package) : 0;
	bool shade = vp_is(package, "com.android.systemui");

	g_string_append_printf(out,
			       "Applications Graphics Acceleration Info:\n"
			       "Uptime: %" G_GINT64_FORMAT
			       " Realtime: %" G_GINT64_FORMAT "\n\n",
			       (vp_now_ns(vp) - vp_mono_offset_ns(vp)) /
				       VP_MSEC,
			       vp_now_ns(vp) / VP_MSEC);
	if (!pid) {
		g_string_assign(out, "");
		g_string_append_printf(out, "No process found for: %s\n",
				       package ? package : "");
		return;
	}
	if (vp_is(vp_arg(call, 2), "reset"))
		vp->android->gfx_since_ns = vp_now_ns(vp);
	collect(vp, shade ? VP_ACT_SHADE : VP_ACT_BENCH, &h);
	g_string_append_printf(out, "** Graphics info for pid %d [%s] **\n\n",
			       (int)pid, package);
	print_summary(vp, &h, out);
}

/* ---- memory, jobs ---- */

void vp_dump_meminfo(struct vp_call *call, GString *out)
{
	const char *package = vp_arg(call, 1);
	pid_t pid = package ? vp_system_pid(call->vp, package) : 0;

	if (package && !pid) {
		g_string_append_printf(out, "No process found for: %s\n",
				       package);
		return;
	}
	g_string_append(out, "Applications Memory Usage (in Kilobytes):\n");
	if (pid)
		g_string_append_printf(out,
				       "** MEMINFO in pid %d [%s] **\n"
				       "           TOTAL PSS:   186432  TOTAL "
				       "RSS:   301044\n",
				       (int)pid, package);
	else
		g_string_append(out, "Total RAM: 7,758,540K (status normal)\n"
				     " Free RAM: 3,201,764K\n");
}

void vp_dump_jobscheduler(struct vp_call *call, GString *out)
{
	(void)call;
	g_string_append(out, "JOB SCHEDULER (dumpsys jobscheduler)\n"
			     "Registered 0 jobs:\n\n"
			     "Active jobs:\n"
			     "  (none)\n");
}

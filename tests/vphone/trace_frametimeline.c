// SPDX-License-Identifier: GPL-3.0-or-later
/* FrameTimeline packets.  SurfaceFlinger stamps them with CLOCK_MONOTONIC. */
#include "pids.h"
#include "trace_packets.h"

enum { CLOCK_MONOTONIC_ID = 3 };
enum {
	EXPECTED_DISPLAY = 1,
	ACTUAL_DISPLAY,
	EXPECTED_SURFACE,
	ACTUAL_SURFACE,
	FRAME_END
};

#define JANK_NONE 1
#define JANK_APP_DEADLINE 64
#define SHADE_LAYER "TX - NotificationShade#87"
#define BENCH_LAYER                   \
	"TX - com.android.benchmark/" \
	"com.android.benchmark.ui.ListViewScrollActivity#412"

/* Vsync ids grow over the phone's life; two per frame, app and display. */
#define TOKEN_BASE 61000
#define COOKIE_BASE 240000

struct timeline {
	struct vp_trace *trace;
	const struct vp_frame *frame;
	const struct vp_frame_ids *ids;
};

static gsize begin(const struct timeline *tl, gint64 ts_ns, gsize *packet_out)
{
	GByteArray *pb = tl->trace->pb;

	*packet_out = vp_packet_begin(tl->trace);
	vp_pb_int(pb, 8, ts_ns - tl->trace->rq->mono_offset_ns);
	vp_pb_int(pb, 58, CLOCK_MONOTONIC_ID);
	return vp_pb_open(pb, 76);
}

static void end(const struct timeline *tl, gsize event, gsize packet)
{
	vp_pb_close(tl->trace->pb, event);
	vp_packet_end(tl->trace, packet, VP_SEQ_FRAMES);
}

static void frame_end(const struct timeline *tl, gint64 ts_ns, int slice)
{
	GByteArray *pb = tl->trace->pb;
	gsize packet, event = begin(tl, ts_ns, &packet);
	gsize message = vp_pb_open(pb, FRAME_END);

	vp_pb_int(pb, 1, tl->ids->cookie + slice);
	vp_pb_close(pb, message);
	end(tl, event, packet);
}

static void expected_surface(const struct timeline *tl, gint64 begin_ns,
			     gint64 end_ns, int pid, const char *layer)
{
	GByteArray *pb = tl->trace->pb;
	gsize packet, event = begin(tl, begin_ns, &packet);
	gsize message = vp_pb_open(pb, EXPECTED_SURFACE);

	vp_pb_int(pb, 1, tl->ids->cookie);
	vp_pb_int(pb, 2, tl->ids->token);
	vp_pb_int(pb, 3, tl->ids->display_token);
	vp_pb_int(pb, 4, pid);
	vp_pb_string(pb, 5, layer);
	vp_pb_close(pb, message);
	end(tl, event, packet);
	frame_end(tl, end_ns, 0);
}

static void actual_surface(const struct timeline *tl, int pid,
			   const char *layer)
{
	const struct vp_frame *f = tl->frame;
	GByteArray *pb = tl->trace->pb;
	int jank = (f->app_missed ? JANK_APP_DEADLINE : 0) | f->jank;
	bool late = f->app_missed || f->sf_missed;
	gsize packet, event = begin(tl, f->app_begin_ns, &packet);
	gsize message = vp_pb_open(pb, ACTUAL_SURFACE);

	vp_pb_int(pb, 1, tl->ids->cookie + 1);
	vp_pb_int(pb, 2, tl->ids->token);
	vp_pb_int(pb, 3, tl->ids->display_token);
	vp_pb_int(pb, 4, pid);
	vp_pb_string(pb, 5, layer);
	vp_pb_int(pb, 6, late ? 2 : 1);
	vp_pb_int(pb, 7, !f->app_missed);
	vp_pb_int(pb, 8, 0);
	vp_pb_int(pb, 9, jank ? jank : JANK_NONE);
	vp_pb_int(pb, 10, 1);
	vp_pb_int(pb, 11, 1);
	vp_pb_int(pb, 12, jank ? 3 : 1);
	vp_pb_close(pb, message);
	end(tl, event, packet);
	/* Seen by SurfaceFlinger when the later of GPU and app is done. */
	frame_end(tl, f->app_end_ns, 1);
}

static void expected_display(const struct timeline *tl, gint64 begin_ns,
			     gint64 end_ns)
{
	GByteArray *pb = tl->trace->pb;
	gsize packet, event = begin(tl, begin_ns, &packet);
	gsize message = vp_pb_open(pb, EXPECTED_DISPLAY);

	vp_pb_int(pb, 1, tl->ids->cookie);
	vp_pb_int(pb, 2, tl->ids->display_token);
	vp_pb_int(pb, 3, VP_PID_SURFACEFLINGER);
	vp_pb_close(pb, message);
	end(tl, event, packet);
	frame_end(tl, end_ns, 0);
}

static void actual_display(const struct timeline *tl)
{
	const struct vp_frame *f = tl->frame;
	GByteArray *pb = tl->trace->pb;
	gsize packet, event = begin(tl, f->sf_begin_ns, &packet);
	gsize message = vp_pb_open(pb, ACTUAL_DISPLAY);

	vp_pb_int(pb, 1, tl->ids->cookie + 1);
	vp_pb_int(pb, 2, tl->ids->display_token);
	vp_pb_int(pb, 3, VP_PID_SURFACEFLINGER);
	vp_pb_int(pb, 4, f->sf_missed ? 2 : 1);
	vp_pb_int(pb, 5, !f->sf_missed);
	vp_pb_int(pb, 6, 0);
	vp_pb_int(pb, 7, f->jank ? f->jank : JANK_NONE);
	vp_pb_int(pb, 8, 1);
	vp_pb_int(pb, 9, f->jank ? 3 : 1);
	vp_pb_close(pb, message);
	end(tl, event, packet);
	frame_end(tl, f->present_ns, 1);
}

static gint64 period_ns(const struct vp_trace *trace)
{
	return VP_NSEC / trace->sim->hw->refresh_hz;
}

void vp_surface_frame(struct vp_trace *trace, const struct vp_frame *frame,
		      const struct vp_frame_ids *ids, int pid,
		      const char *layer)
{
	struct timeline tl = { trace, frame, ids };

	expected_surface(&tl, frame->vsync_ns,
			 frame->vsync_ns + period_ns(trace), pid, layer);
	actual_surface(&tl, pid, layer);
}

void vp_display_frame(struct vp_trace *trace, const struct vp_frame *frame,
		      const struct vp_frame_ids *ids)
{
	struct timeline tl = { trace, frame, ids };
	gint64 begin_ns = frame->vsync_ns + period_ns(trace);

	expected_display(&tl, begin_ns, begin_ns + period_ns(trace));
	actual_display(&tl);
}

static void write_frame(struct vp_trace *trace, guint n)
{
	const struct vp_frame *frame =
		&g_array_index(trace->sim->frames, struct vp_frame, n);
	/* All are unique in a boot, whatever part of it is recorded. */
	gint64 serial = frame->vsync_ns / (period_ns(trace) - VP_USEC);
	struct vp_frame_ids ids = {
		.token = TOKEN_BASE + 2 * serial,
		.display_token = TOKEN_BASE + 2 * serial + 1,
		.cookie = COOKIE_BASE + 4 * serial,
	};

	vp_surface_frame(trace, frame, &ids,
			 frame->bench ? VP_PID_BENCHMARK : VP_PID_SYSTEMUI,
			 frame->bench ? BENCH_LAYER : SHADE_LAYER);
	ids.cookie += 2;
	vp_display_frame(trace, frame, &ids);
}

void vp_frametimeline(struct vp_trace *trace, gint64 begin_ns, gint64 end_ns)
{
	const GArray *frames = trace->sim->frames;

	for (guint i = 0; i < frames->len; i++) {
		const struct vp_frame *frame =
			&g_array_index(frames, struct vp_frame, i);
		if (frame->present_ns >= begin_ns && frame->present_ns < end_ns)
			write_frame(trace, i);
	}
}

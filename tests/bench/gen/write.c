// SPDX-License-Identifier: GPL-3.0-or-later
/* The packets beside the kernel's events, and when the trace ends. */
#include "sim.h"

#define BEGIN_NS (95 * VP_NSEC)
#define SNAPSHOT_NS (10 * VP_NSEC)
#define HZ 120
#define PERIOD_NS (VP_NSEC / HZ)
#define LAYER_APP "TX - com.example.app/com.example.app.MainActivity#412"
#define LAYER_SHADE "TX - NotificationShade#87"
#define JANK_SF_CPU_DEADLINE 16
#define TOKENS_PER_FRAME 3

static const struct {
	const char *name, *subsystem;
	int mw;
} rails[GEN_RAILS] = {
	{ "S4M_VDD_CPUCL0", "cpu", 131 },
	{ "S3M_VDD_CPUCL1", "cpu", 262 },
	{ "S2M_VDD_CPUCL2", "cpu", 418 },
	{ "S8S_VDD_G3D", "gpu", 305 },
	{ "S1M_VDD_MIF", "memory", 177 },
	{ "S5M_VDD_INT", "system", 93 },
	{ "S9M_VDD_CPUCL0_M", "cpu", 11 },
	{ "VSYS_PWR_DISPLAY", "display", 702 },
	{ "L2S_VDD_AOC_RET", "aoc", 3 },
	{ "S1S_VDD_CAM", "camera", 0 },
	{ "S4S_VDD2H_MEM", "memory", 142 },
	{ "S10M_VDD_TPU", "tpu", 7 },
	{ "L9S_GNSS_CORE", "gps", 1 },
	{ "VSYS_PWR_MODEM", "modem", 88 },
	{ "VSYS_PWR_WLAN_BT", "wifi", 54 },
	{ "L15M_VDD_SLC_M", "memory", 29 },
};

const char *gen_rail_name(int rail)
{
	return rails[rail].name;
}

/* ---- frames ---- */

static bool late(struct gen_sim *sim)
{
	return gen_once_in(sim, 50);
}

static void app_frame(struct gen_sim *sim, struct vp_frame *frame,
		      const struct vp_frame_ids *ids, int pid,
		      const char *layer)
{
	struct gen_truth *truth = sim->truth;

	frame->app_missed = late(sim);
	frame->app_begin_ns = frame->vsync_ns + gen_about(sim, 300 * VP_USEC);
	frame->app_end_ns = frame->app_begin_ns +
			    (frame->app_missed ? 9 : 4) * VP_MSEC +
			    gen_about(sim, 200 * VP_USEC);
	vp_surface_frame(&sim->trace, frame, ids, pid, layer);
	if (!gen_in_window(sim, frame->app_begin_ns))
		return;
	truth->frames++;
	truth->app_missed += frame->app_missed;
	truth->sf_missed += frame->sf_missed;
}

static void write_vsync(struct gen_sim *sim)
{
	gint64 n = (sim->vsync_ns - BEGIN_NS) / PERIOD_NS;
	bool sf_missed = late(sim);
	struct vp_frame frame = {
		.vsync_ns = sim->vsync_ns,
		.sf_begin_ns = sim->vsync_ns + PERIOD_NS,
		.sf_missed = sf_missed,
		.jank = sf_missed ? JANK_SF_CPU_DEADLINE : 0,
	};
	struct vp_frame_ids ids = {
		.token = 61000 + TOKENS_PER_FRAME * n,
		.display_token = 61000 + TOKENS_PER_FRAME * n + 2,
		.cookie = 240000 + 6 * n,
	};

	frame.sf_end_ns = frame.sf_begin_ns + 2 * VP_MSEC;
	frame.present_ns = frame.sf_begin_ns + (sf_missed ? 2 : 1) * PERIOD_NS;
	app_frame(sim, &frame, &ids, GEN_PID_APP, LAYER_APP);
	ids.token++;
	ids.cookie += 2;
	app_frame(sim, &frame, &ids, VP_PID_SYSTEMUI, LAYER_SHADE);
	ids.cookie += 2;
	vp_display_frame(&sim->trace, &frame, &ids);
}

/* ---- rails ---- */

static void write_rails(struct gen_sim *sim, gint64 ts_ns, bool first)
{
	GByteArray *pb = sim->trace.pb;
	gsize packet = vp_packet_begin(&sim->trace);
	gint64 ms = ts_ns / VP_MSEC;

	vp_pb_int(pb, 8, ts_ns);
	gsize message = vp_pb_open(pb, 40);
	for (int i = 0; first && i < GEN_RAILS; i++) {
		gsize rail = vp_pb_open(pb, 1);

		vp_pb_int(pb, 1, i);
		vp_pb_string(pb, 2, rails[i].name);
		vp_pb_string(pb, 3, rails[i].subsystem);
		vp_pb_int(pb, 4, 0);
		vp_pb_close_padded(pb, rail);
	}
	for (int i = 0; i < GEN_RAILS; i++) {
		gsize data = vp_pb_open(pb, 2);

		vp_pb_int(pb, 1, i);
		vp_pb_int(pb, 2, ms);
		vp_pb_int(pb, 3, ms * rails[i].mw);
		vp_pb_close_padded(pb, data);
	}
	vp_pb_close_padded(pb, message);
	vp_packet_end(&sim->trace, packet, VP_SEQ_POWER);
}

/* ---- head and tail ---- */

static void write_ftrace_stats(struct gen_sim *sim, bool end)
{
	GByteArray *pb = sim->trace.pb;
	gsize packet = vp_packet_begin(&sim->trace);
	gsize stats = vp_pb_open(pb, 34);

	vp_pb_int(pb, 1, end ? 2 : 1);
	for (int i = 0; i < GEN_CPUS; i++) {
		gsize cpu = vp_pb_open(pb, 2);

		vp_pb_int(pb, 1, i);
		vp_pb_int(pb, 2, 0);
		vp_pb_int(pb, 3, 0);
		vp_pb_int(pb, 4, 0);
		vp_pb_int(pb, 8, 0);
		vp_pb_varint(pb, 9, sim->cpus[i].entries);
		vp_pb_close_padded(pb, cpu);
	}
	vp_pb_close_padded(pb, stats);
	vp_packet_end(&sim->trace, packet, VP_SEQ_FTRACE);
}

static void write_head(struct gen_sim *sim)
{
	vp_clock_snapshot(&sim->trace, BEGIN_NS);
	vp_sync_marker(&sim->trace);
	vp_system_info(&sim->trace);
	vp_service_event(&sim->trace, BEGIN_NS, VP_TRACING_STARTED);
	vp_service_event(&sim->trace, BEGIN_NS + VP_MSEC,
			 VP_ALL_DATA_SOURCES_STARTED);
	write_ftrace_stats(sim, false);
	gen_process_tree(sim);
}

static void write_tail(struct gen_sim *sim, gint64 end_ns)
{
	write_ftrace_stats(sim, true);
	sim->rq.end_ns = end_ns;
	vp_service_event(&sim->trace, end_ns, VP_ALL_DATA_SOURCES_FLUSHED);
	vp_service_event(&sim->trace, end_ns + VP_MSEC, VP_TRACING_DISABLED);
	vp_trace_tail(&sim->trace);
}

/* ---- the whole ---- */

static void write_pass(struct gen_sim *sim, gint64 end_ns)
{
	gen_sim_run(sim, end_ns);
	gen_drain(sim);
	if (end_ns - sim->snapshot_ns >= SNAPSHOT_NS) {
		sim->snapshot_ns = end_ns;
		vp_clock_snapshot(&sim->trace, end_ns);
		vp_sync_marker(&sim->trace);
	}
	if (!gen_full(sim))
		return;
	/* A frame is reported when it is on the screen. */
	for (; sim->vsync_ns + 3 * PERIOD_NS < end_ns;
	     sim->vsync_ns += PERIOD_NS)
		write_vsync(sim);
	write_rails(sim, end_ns, end_ns == BEGIN_NS + GEN_PASS_NS);
}

static bool flush(struct gen_sim *sim, FILE *out)
{
	GByteArray *pb = sim->trace.pb;
	gsize len = pb->len;

	sim->truth->bytes += len;
	g_byte_array_set_size(pb, 0);
	return fwrite(pb->data, 1, len, out) == len;
}

/* What runs or waits at the end of the trace does so in the window, too. */
static void finish_truth(struct gen_sim *sim)
{
	struct gen_truth *truth = sim->truth;

	for (int i = 0; i < GEN_CPUS; i++) {
		const struct gen_cpu *cpu = &sim->cpus[i];

		if (cpu->current != GEN_IDLE)
			gen_planted_sum(sim, &truth->running,
					gen_current(sim, cpu)->since_ns,
					cpu->last_ns);
	}
	for (int i = 0; i < GEN_RAILS; i++)
		truth->rail_mw[i] = rails[i].mw;
}

/* The marks are set in the second pass and in the last but one. */
static bool write_passes(struct gen_sim *sim, FILE *out)
{
	const struct gen_truth *truth = sim->truth;
	gint64 end_ns = BEGIN_NS;
	bool last = false;

	for (int pass = 0; !last; pass++) {
		guint64 before = truth->bytes;

		last = truth->end_ns != G_MAXINT64;
		end_ns += GEN_PASS_NS;
		write_pass(sim, end_ns);
		if (last)
			write_tail(sim, end_ns);
		if (!flush(sim, out))
			return false;
		sim->mark_begin = pass == 0;
		sim->mark_end = pass > 0 && truth->end_ns == G_MAXINT64 &&
				truth->bytes + 2 * (truth->bytes - before) >=
					sim->spec->bytes;
	}
	return true;
}

static void sim_setup(struct gen_sim *sim, const struct gen_spec *spec,
		      struct gen_truth *truth)
{
	sim->spec = spec;
	sim->truth = truth;
	sim->random = vp_mix(spec->seed, 1) | 1;
	sim->rq = (struct vp_trace_request){
		.begin_ns = BEGIN_NS,
		.end_ns = BEGIN_NS,
		.mono_offset_ns = 1234567,
		.realtime_ns = G_GINT64_CONSTANT(1764500000) * VP_NSEC,
		.uname_release = "6.12.30-android16-5-g0123456789ab",
		.uname_version = "#1 SMP PREEMPT Mon Nov 2 05:03:00 UTC 2026",
		.run_seed = spec->seed,
	};
	sim->vp.hw = vp_hw_find("A");
	sim->rq.fingerprint = sim->vp.hw->fingerprint;
	sim->vp.rq = &sim->rq;
	sim->trace.rq = &sim->rq;
	sim->trace.sim = &sim->vp;
	sim->trace.pb = g_byte_array_sized_new(8 << 20);
	sim->vsync_ns = BEGIN_NS;
	sim->snapshot_ns = BEGIN_NS;
	truth->begin_ns = G_MAXINT64;
	truth->end_ns = G_MAXINT64;
}

bool gen_write(const struct gen_spec *spec, FILE *out,
	       struct gen_truth *truth_out)
{
	struct gen_sim *sim = g_new0(struct gen_sim, 1);
	bool ok;

	memset(truth_out, 0, sizeof(*truth_out));
	sim_setup(sim, spec, truth_out);
	gen_sim_init(sim);
	write_head(sim);
	ok = write_passes(sim, out);
	finish_truth(sim);
	gen_bundles_clear(sim);
	g_byte_array_unref(sim->trace.pb);
	g_free(sim);
	return ok;
}

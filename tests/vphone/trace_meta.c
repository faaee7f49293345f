// SPDX-License-Identifier: GPL-3.0-or-later
/* What frames the data: clocks, system, configuration, processes, counts. */
#include <string.h>

#include "pids.h"
#include "trace_packets.h"

enum clock_id {
	CLOCK_ID_REALTIME = 1,
	CLOCK_ID_REALTIME_COARSE,
	CLOCK_ID_MONOTONIC,
	CLOCK_ID_MONOTONIC_COARSE,
	CLOCK_ID_MONOTONIC_RAW,
	CLOCK_ID_BOOTTIME,
};

#define COARSE_NS (4 * VP_MSEC)
#define SNAPSHOT_NS (10 * VP_NSEC)

static void clock_value(GByteArray *pb, enum clock_id id, gint64 ns)
{
	gsize clock = vp_pb_open(pb, 1);

	vp_pb_int(pb, 1, id);
	vp_pb_int(pb, 2, ns);
	vp_pb_close(pb, clock);
}

void vp_clock_snapshot(struct vp_trace *trace, gint64 ts_ns)
{
	const struct vp_trace_request *rq = trace->rq;
	GByteArray *pb = trace->pb;
	gint64 mono_ns = ts_ns - rq->mono_offset_ns;
	gint64 real_ns = rq->realtime_ns + ts_ns - rq->begin_ns;
	gsize packet = vp_packet_begin(trace);
	gsize snapshot = vp_pb_open(pb, 6);

	vp_pb_int(pb, 2, CLOCK_ID_BOOTTIME);
	clock_value(pb, CLOCK_ID_BOOTTIME, ts_ns);
	clock_value(pb, CLOCK_ID_REALTIME_COARSE,
		    real_ns - real_ns % COARSE_NS);
	clock_value(pb, CLOCK_ID_MONOTONIC_COARSE,
		    mono_ns - mono_ns % COARSE_NS);
	clock_value(pb, CLOCK_ID_REALTIME, real_ns);
	clock_value(pb, CLOCK_ID_MONOTONIC, mono_ns);
	clock_value(pb, CLOCK_ID_MONOTONIC_RAW, mono_ns - 71 * VP_USEC);
	vp_pb_close(pb, snapshot);
	vp_packet_end(trace, packet, VP_SEQ_SERVICE);
}

void vp_service_event(struct vp_trace *trace, gint64 ts_ns,
		      enum vp_service_event field)
{
	gsize packet = vp_packet_begin(trace);

	vp_pb_int(trace->pb, 8, ts_ns);
	gsize event = vp_pb_open(trace->pb, 69);
	vp_pb_int(trace->pb, field, 1);
	vp_pb_close(trace->pb, event);
	vp_packet_end(trace, packet, VP_SEQ_SERVICE);
}

void vp_sync_marker(struct vp_trace *trace)
{
	static const guint8 uuid[] = { 0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d,
				       0x42, 0xba, 0x81, 0xdc, 0x33, 0x32,
				       0x6d, 0x57, 0xa0, 0x79 };
	gsize packet = vp_packet_begin(trace);

	vp_pb_bytes(trace->pb, 36, uuid, sizeof(uuid));
	vp_packet_end(trace, packet, VP_SEQ_SERVICE);
}

static void trace_config(struct vp_trace *trace)
{
	const struct vp_trace_request *rq = trace->rq;
	gsize packet = vp_packet_begin(trace);

	if (rq->config_pb)
		vp_pb_bytes(trace->pb, 33, rq->config_pb, rq->config_pb_len);
	else
		vp_pb_bytes(trace->pb, 33, "", 0);
	vp_packet_end(trace, packet, VP_SEQ_SERVICE);
}

static void trace_uuid(struct vp_trace *trace)
{
	guint64 seed = trace->rq->run_seed;
	gsize packet = vp_packet_begin(trace);
	gsize uuid = vp_pb_open(trace->pb, 89);

	vp_pb_varint(trace->pb, 1, vp_mix(seed, 1001));
	vp_pb_varint(trace->pb, 2, vp_mix(seed, 1002));
	vp_pb_close(trace->pb, uuid);
	vp_packet_end(trace, packet, VP_SEQ_SERVICE);
}

void vp_system_info(struct vp_trace *trace)
{
	const struct vp_trace_request *rq = trace->rq;
	GByteArray *pb = trace->pb;
	gsize packet = vp_packet_begin(trace);
	gsize info = vp_pb_open(pb, 45);
	gsize uts = vp_pb_open(pb, 1);

	vp_pb_string(pb, 1, "Linux");
	vp_pb_string(pb, 2, rq->uname_version);
	vp_pb_string(pb, 4, "aarch64");
	vp_pb_string(pb, 3, rq->uname_release);
	vp_pb_close(pb, uts);
	vp_pb_string(pb, 2, rq->fingerprint);
	vp_pb_int(pb, 3, 100);
	vp_pb_string(pb, 4, "Perfetto v47.0 (N/A)");
	vp_pb_int(pb, 5, 34);
	vp_pb_int(pb, 6, 4096);
	vp_pb_int(pb, 7, 0);
	vp_pb_int(pb, 8, trace->sim->hw->cpus);
	vp_pb_string(pb, 9, trace->sim->hw->soc);
	vp_pb_close(pb, info);
	vp_packet_end(trace, packet, VP_SEQ_SERVICE);
}

/* The service keeps its own events and writes them in front of the data. */
void vp_trace_head(struct vp_trace *trace)
{
	const struct vp_trace_request *rq = trace->rq;
	gint64 started_ns = MAX(rq->started_ns, rq->begin_ns + VP_MSEC);

	for (gint64 ts_ns = rq->begin_ns; ts_ns < rq->end_ns;
	     ts_ns += SNAPSHOT_NS)
		vp_clock_snapshot(trace, ts_ns);
	vp_sync_marker(trace);
	trace_config(trace);
	trace_uuid(trace);
	vp_system_info(trace);
	vp_service_event(trace, rq->begin_ns, VP_TRACING_STARTED);
	vp_service_event(trace, started_ns, VP_ALL_DATA_SOURCES_STARTED);
	vp_service_event(trace, rq->end_ns, VP_ALL_DATA_SOURCES_FLUSHED);
	vp_service_event(trace, rq->end_ns + VP_MSEC, VP_TRACING_DISABLED);
}

static const struct {
	int pid, ppid, uid;
	const char *cmdline;
} processes[] = {
	{ VP_PID_INIT, 0, 0, "/system/bin/init" },
	{ VP_PID_KTHREADD, 0, 0, "kthreadd" },
	{ VP_PID_COMPOSER, 1, 1000,
	  "/vendor/bin/hw/android.hardware.composer.hwc3-service.pixel" },
	{ VP_PID_SURFACEFLINGER, 1, 1000, "/system/bin/surfaceflinger" },
	{ VP_PID_ZYGOTE64, 1, 0, "zygote64" },
	{ VP_PID_SYSTEM_SERVER, VP_PID_ZYGOTE64, 1000, "system_server" },
	{ VP_PID_SYSTEMUI, VP_PID_ZYGOTE64, 10120, "com.android.systemui" },
	{ VP_PID_GMS, VP_PID_ZYGOTE64, 10110, "com.google.android.gms" },
	{ VP_PID_BENCHMARK, VP_PID_ZYGOTE64, 10201, "com.android.benchmark" },
};

void vp_process(GByteArray *pb, int pid, int ppid, int uid, const char *cmdline,
		bool kthread)
{
	gsize opened = vp_pb_open(pb, 1);

	vp_pb_int(pb, 1, pid);
	vp_pb_int(pb, 2, ppid);
	vp_pb_string(pb, 3, cmdline);
	vp_pb_int(pb, 5, uid);
	if (kthread)
		vp_pb_int(pb, 8, 1);
	if (kthread)
		vp_pb_int(pb, 9, 1);
	vp_pb_close(pb, opened);
}

void vp_thread(GByteArray *pb, const struct vp_task *task)
{
	gsize opened = vp_pb_open(pb, 2);

	vp_pb_int(pb, 1, task->tid);
	if (!task->kthread)
		vp_pb_string(pb, 2, task->comm);
	vp_pb_int(pb, 3, task->tgid);
	vp_pb_close(pb, opened);
}

static bool bench_runs(const struct vp_trace_request *rq)
{
	for (size_t i = 0; i < rq->n_acts; i++)
		if (rq->acts[i].kind == VP_ACT_BENCH &&
		    rq->acts[i].begin_ns < rq->end_ns &&
		    rq->acts[i].end_ns > rq->begin_ns)
			return true;
	return false;
}

static void user_processes(struct vp_trace *trace, bool bench)
{
	for (size_t i = 0; i < G_N_ELEMENTS(processes); i++)
		if (bench || processes[i].pid != VP_PID_BENCHMARK)
			vp_process(trace->pb, processes[i].pid,
				   processes[i].ppid, processes[i].uid,
				   processes[i].cmdline,
				   processes[i].pid == VP_PID_KTHREADD);
}

static void tasks(struct vp_trace *trace, bool bench)
{
	GByteArray *pb = trace->pb;
	guint fixed =
		VP_TASK_FIXED + (guint)trace->sim->hw->cpus * VP_CPU_TASKS;

	for (guint i = 1; i < trace->sim->tasks->len; i++) {
		const struct vp_task *task = vp_sim_task(trace->sim, (int)i);
		g_autofree char *name =
			g_strconcat(task->comm, task->suffix, NULL);
		if (!bench && task->tgid == VP_PID_BENCHMARK)
			continue;
		if (task->kthread)
			vp_process(pb, task->tid, VP_PID_KTHREADD, 0, name,
				   true);
		else if (i >= fixed)
			vp_process(pb, task->tgid, 1, 2000, "sh", false);
		vp_thread(pb, task);
	}
}

void vp_trace_processes(struct vp_trace *trace)
{
	const struct vp_trace_request *rq = trace->rq;
	bool bench = bench_runs(rq);
	gsize packet = vp_packet_begin(trace);

	vp_pb_int(trace->pb, 8, rq->begin_ns + 2 * VP_MSEC);
	vp_pb_int(trace->pb, 41, 1);
	gsize tree = vp_pb_open(trace->pb, 2);
	user_processes(trace, bench);
	tasks(trace, bench);
	vp_pb_int(trace->pb, 3, rq->begin_ns + 9 * VP_MSEC);
	vp_pb_close(trace->pb, tree);
	vp_packet_end(trace, packet, VP_SEQ_PROCESSES);
}

static void buffer_stats(GByteArray *pb, guint64 written)
{
	gsize stats = vp_pb_open(pb, 1);
	guint64 chunks = written / 4096 + 1;

	vp_pb_varint(pb, 12, 64u << 20);
	vp_pb_varint(pb, 1, written);
	vp_pb_varint(pb, 14, written);
	vp_pb_varint(pb, 2, chunks);
	vp_pb_varint(pb, 17, chunks);
	vp_pb_varint(pb, 5, chunks / 3);
	vp_pb_close(pb, stats);
}

void vp_trace_tail(struct vp_trace *trace)
{
	GByteArray *pb = trace->pb;
	guint64 written = pb->len;
	gsize packet;

	vp_service_event(trace, trace->rq->end_ns + 2 * VP_MSEC,
			 VP_READ_BUFFERS_COMPLETED);
	packet = vp_packet_begin(trace);
	gsize stats = vp_pb_open(pb, 35);
	buffer_stats(pb, written);
	vp_pb_int(pb, 2, 5);
	vp_pb_int(pb, 3, 38);
	vp_pb_int(pb, 4, 21);
	vp_pb_int(pb, 5, 151);
	vp_pb_int(pb, 6, 1);
	vp_pb_int(pb, 7, 1);
	vp_pb_int(pb, 8, 0);
	vp_pb_int(pb, 12, 1);
	vp_pb_int(pb, 13, 1);
	vp_pb_int(pb, 14, 0);
	vp_pb_int(pb, 15, 1);
	vp_pb_close(pb, stats);
	vp_packet_end(trace, packet, VP_SEQ_SERVICE);
}

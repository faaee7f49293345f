// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Ftrace bundles: what traced_probes writes when it drains the CPUs' buffers,
 * one CPU after the other, pass after pass.
 */
#include <string.h>

#include "trace_packets.h"

/* common_flags of sched_waking */
#define FLAG_HARDIRQ 0x08
#define FLAG_NEED_RESCHED 0x01

struct switched {
	gint64 ts_ns;
	int prev, prev_state, next;
};

/* A CPU's reader: what it wrote and where it is. */
struct reader {
	GArray *switches; /* struct switched */
	guint next_switch, next_ev;
	int current;	/* task */
	gint64 last_ns; /* of the last event written; 0: none yet */
	guint64 entries, bytes, overrun;
};

/* The columns of CompactSched. */
enum column {
	SWITCH_TS = 1,
	SWITCH_STATE,
	SWITCH_PID,
	SWITCH_PRIO,
	INTERN,
	SWITCH_COMM,
	WAKING_TS,
	WAKING_PID,
	WAKING_CPU,
	WAKING_PRIO,
	WAKING_COMM,
	WAKING_FLAGS,
	COLUMNS,
};

struct vp_drain {
	struct vp_trace *trace;
	struct reader reader[VP_MAX_CPUS];
	struct vp_mangler mangler;
	gint64 lost_after_ns; /* the bundle after it gets lost_events */
	bool lost_done;

	/* the bundle that is being written */
	GByteArray *column[COLUMNS];
	gint64 switch_ns, waking_ns; /* of the last one, 0: none */
	GArray *comms;		     /* int task, by index in the table */
	bool descriptor[4];	     /* by enum vp_rpm */
	guint64 bundle_entries;
};

static void add_switch(struct reader *reader, gint64 ts_ns, int prev,
		       int prev_state, int next)
{
	struct switched sw = { ts_ns, prev, prev_state, next };

	g_array_append_val(reader->switches, sw);
}

/* From stretches to switches; between stretches the idle task runs. */
static void make_switches(struct vp_trace *trace, int cpu,
			  struct reader *reader)
{
	const GArray *segs = trace->sim->line[cpu].segs;
	const struct vp_seg *prev = NULL;

	reader->switches = g_array_new(false, false, sizeof(struct switched));
	for (guint i = 0; i < segs->len; i++) {
		const struct vp_seg *seg =
			&g_array_index(segs, struct vp_seg, i);
		if (prev && prev->end_ns < seg->begin_ns)
			add_switch(reader, prev->end_ns, prev->task,
				   prev->end_state, VP_TASK_IDLE);
		if (prev && prev->end_ns == seg->begin_ns)
			add_switch(reader, seg->begin_ns, prev->task,
				   prev->end_state, seg->task);
		else
			add_switch(reader, seg->begin_ns, VP_TASK_IDLE,
				   VP_END_RUNNABLE, seg->task);
		prev = seg;
	}
	if (prev)
		add_switch(reader, prev->end_ns, prev->task, prev->end_state,
			   VP_TASK_IDLE);
}

struct vp_drain *vp_drain_new(struct vp_trace *trace)
{
	const struct vp_trace_request *rq = trace->rq;
	struct vp_drain *drain = g_new0(struct vp_drain, 1);

	drain->trace = trace;
	drain->lost_done = !rq->lost;
	drain->lost_after_ns = (rq->begin_ns + rq->end_ns) / 2;
	drain->mangler.fresh = g_array_new(false, false, sizeof(int));
	drain->comms = g_array_new(false, false, sizeof(int));
	for (int i = 0; i < COLUMNS; i++)
		drain->column[i] = g_byte_array_new();
	for (int cpu = 0; cpu < trace->sim->hw->cpus; cpu++)
		make_switches(trace, cpu, &drain->reader[cpu]);
	return drain;
}

void vp_drain_free(struct vp_drain *drain)
{
	for (int cpu = 0; cpu < drain->trace->sim->hw->cpus; cpu++)
		g_array_unref(drain->reader[cpu].switches);
	for (int i = 0; i < COLUMNS; i++)
		g_byte_array_unref(drain->column[i]);
	g_array_unref(drain->comms);
	g_array_unref(drain->mangler.fresh);
	g_free(drain);
}

static guint comm_index(struct vp_drain *drain, int task)
{
	GArray *comms = drain->comms;

	for (guint i = 0; i < comms->len; i++)
		if (g_array_index(comms, int, i) == task)
			return i;
	g_array_append_val(comms, task);
	return comms->len - 1;
}

static void put(struct vp_drain *drain, enum column column, gint64 value)
{
	vp_pb_raw_varint(drain->column[column], (guint64)value);
}

static void compact_switch(struct vp_drain *drain, const struct switched *sw)
{
	const struct vp_task *next = vp_sim_task(drain->trace->sim, sw->next);

	put(drain, SWITCH_TS, sw->ts_ns - drain->switch_ns);
	put(drain, SWITCH_STATE, sw->prev_state);
	put(drain, SWITCH_PID, next->tid);
	put(drain, SWITCH_PRIO, next->prio);
	put(drain, SWITCH_COMM, comm_index(drain, sw->next));
	drain->switch_ns = sw->ts_ns;
}

static void compact_waking(struct vp_drain *drain, const struct vp_ev *ev,
			   bool idle)
{
	int task = (int)ev->a;
	const struct vp_task *wakee = vp_sim_task(drain->trace->sim, task);

	put(drain, WAKING_TS, ev->ts_ns - drain->waking_ns);
	put(drain, WAKING_PID, wakee->tid);
	put(drain, WAKING_CPU, ev->b);
	put(drain, WAKING_PRIO, wakee->prio);
	put(drain, WAKING_COMM, comm_index(drain, task));
	/* The idle task wakes nobody: an interrupt did. */
	put(drain, WAKING_FLAGS,
	    idle ? FLAG_HARDIRQ | FLAG_NEED_RESCHED : FLAG_NEED_RESCHED);
	drain->waking_ns = ev->ts_ns;
}

static void wrote(struct vp_drain *drain, struct reader *reader, gint64 ts_ns)
{
	reader->last_ns = ts_ns;
	drain->bundle_entries++;
}

static void take_switch(struct vp_drain *drain, struct reader *reader)
{
	const struct vp_trace_request *rq = drain->trace->rq;
	const struct switched *sw = &g_array_index(
		reader->switches, struct switched, reader->next_switch++);

	reader->current = sw->next;
	if (!rq->sched)
		return;
	if (rq->compact)
		compact_switch(drain, sw);
	else
		vp_ev_write_switch(drain->trace->pb, drain->trace->sim,
				   sw->ts_ns, sw->prev, sw->prev_state,
				   sw->next);
	wrote(drain, reader, sw->ts_ns);
}

static void take_event(struct vp_drain *drain, struct reader *reader,
		       const struct vp_ev *ev)
{
	const struct vp_trace_request *rq = drain->trace->rq;

	reader->next_ev++;
	if (ev->ts_ns < rq->begin_ns || !vp_ev_wanted(rq, ev))
		return;
	if (ev->kind == VP_EV_WAKING && rq->compact)
		compact_waking(drain, ev, reader->current == VP_TASK_IDLE);
	else
		vp_ev_write(drain->trace->pb, drain->trace->sim, ev,
			    reader->current, &drain->mangler);
	if (ev->kind == VP_EV_RPM)
		drain->descriptor[ev->a] = true;
	if (ev->kind == VP_EV_RPM_RETURN)
		drain->descriptor[VP_RPM_RETURN] = true;
	wrote(drain, reader, ev->ts_ns);
}

static void take_all(struct vp_drain *drain, int cpu, gint64 end_ns)
{
	struct reader *reader = &drain->reader[cpu];
	const GArray *evs = drain->trace->sim->line[cpu].evs;

	for (;;) {
		gint64 switch_ns = G_MAXINT64, ev_ns = G_MAXINT64;
		const struct vp_ev *ev = NULL;
		if (reader->next_switch < reader->switches->len)
			switch_ns =
				g_array_index(reader->switches, struct switched,
					      reader->next_switch)
					.ts_ns;
		if (reader->next_ev < evs->len) {
			ev = &g_array_index(evs, struct vp_ev, reader->next_ev);
			ev_ns = ev->ts_ns;
		}
		if (MIN(switch_ns, ev_ns) >= end_ns)
			return;
		if (switch_ns <= ev_ns)
			take_switch(drain, reader);
		else
			take_event(drain, reader, ev);
	}
}

static void write_compact(struct vp_drain *drain)
{
	GByteArray *pb = drain->trace->pb;
	gsize compact;

	if (!drain->comms->len)
		return;
	compact = vp_pb_open(pb, 4);
	for (guint i = 0; i < drain->comms->len; i++) {
		int task = g_array_index(drain->comms, int, i);
		vp_pb_string(pb, INTERN,
			     vp_sim_task(drain->trace->sim, task)->comm);
	}
	for (guint32 i = SWITCH_TS; i < COLUMNS; i++)
		if (drain->column[i]->len)
			vp_pb_bytes(pb, i, drain->column[i]->data,
				    drain->column[i]->len);
	vp_pb_close(pb, compact);
}

static void reset_bundle(struct vp_drain *drain)
{
	for (int i = 0; i < COLUMNS; i++)
		g_byte_array_set_size(drain->column[i], 0);
	g_array_set_size(drain->comms, 0);
	g_array_set_size(drain->mangler.fresh, 0);
	memset(drain->descriptor, 0, sizeof(drain->descriptor));
	drain->switch_ns = 0;
	drain->waking_ns = 0;
	drain->bundle_entries = 0;
}

/* The first packet of a pass with symbols starts a new table of them. */
static void write_symbols(struct vp_drain *drain)
{
	struct vp_mangler *mangler = &drain->mangler;
	GByteArray *pb = drain->trace->pb;

	if (!drain->trace->rq->symbols || !mangler->fresh->len)
		return;
	if (!mangler->announced)
		vp_pb_int(pb, 13, 1);
	mangler->announced = true;
	gsize interned = vp_pb_open(pb, 12);
	for (guint i = 0; i < mangler->fresh->len; i++) {
		int sym = g_array_index(mangler->fresh, int, i);
		gsize entry = vp_pb_open(pb, 26);
		vp_pb_int(pb, 1, mangler->index[sym]);
		vp_pb_string(pb, 2, vp_sym_name((enum vp_sym)sym));
		vp_pb_close(pb, entry);
	}
	vp_pb_close(pb, interned);
}

static void drain_cpu(struct vp_drain *drain, int cpu, gint64 end_ns)
{
	struct reader *reader = &drain->reader[cpu];
	GByteArray *pb = drain->trace->pb;
	guint begin = pb->len;
	gsize packet = vp_packet_begin(drain->trace);
	gsize bundle = vp_pb_open(pb, 1);

	reset_bundle(drain);
	vp_pb_int(pb, 1, cpu);
	vp_pb_int(pb, 10, reader->last_ns);
	take_all(drain, cpu, end_ns);
	if (!drain->bundle_entries) {
		g_byte_array_set_size(pb, begin);
		return;
	}
	write_compact(drain);
	for (int i = 0; i < (int)G_N_ELEMENTS(drain->descriptor); i++)
		if (drain->descriptor[i])
			vp_rpm_descriptor(pb, (enum vp_rpm)i);
	if (!drain->lost_done && end_ns > drain->lost_after_ns) {
		drain->lost_done = true;
		reader->overrun = 137;
		vp_pb_int(pb, 3, 1);
	}
	vp_pb_close(pb, bundle);
	write_symbols(drain);
	reader->entries += drain->bundle_entries;
	reader->bytes += drain->bundle_entries * 36;
	vp_packet_end(drain->trace, packet, VP_SEQ_FTRACE);
}

void vp_drain_pass(struct vp_drain *drain, gint64 end_ns)
{
	memset(drain->mangler.index, 0, sizeof(drain->mangler.index));
	drain->mangler.next = 1;
	drain->mangler.announced = false;
	for (int cpu = 0; cpu < drain->trace->sim->hw->cpus; cpu++)
		drain_cpu(drain, cpu, end_ns);
}

static void cpu_stats(const struct vp_drain *drain, int cpu, gint64 now_ns,
		      bool end)
{
	const struct reader *reader = &drain->reader[cpu];
	GByteArray *pb = drain->trace->pb;
	gsize stats = vp_pb_open(pb, 2);

	vp_pb_int(pb, 1, cpu);
	vp_pb_int(pb, 2, 0);
	vp_pb_varint(pb, 3, end ? reader->overrun : 0);
	vp_pb_int(pb, 4, 0);
	vp_pb_varint(pb, 5, end ? reader->bytes : 0);
	vp_pb_double(pb, 6, 0);
	vp_pb_double(pb, 7, (double)now_ns / VP_NSEC);
	vp_pb_int(pb, 8, 0);
	vp_pb_varint(pb, 9, end ? reader->entries : 0);
	vp_pb_close(pb, stats);
}

void vp_drain_stats(struct vp_drain *drain, bool end)
{
	const struct vp_trace_request *rq = drain->trace->rq;
	GByteArray *pb = drain->trace->pb;
	gsize packet = vp_packet_begin(drain->trace);
	gsize stats = vp_pb_open(pb, 34);

	vp_pb_int(pb, 1, end ? 2 : 1);
	for (int cpu = 0; cpu < drain->trace->sim->hw->cpus; cpu++)
		cpu_stats(drain, cpu, end ? rq->end_ns : rq->begin_ns, end);
	for (int i = 0; rq->unknown_events && rq->unknown_events[i]; i++)
		vp_pb_string(pb, 6, rq->unknown_events[i]);
	if (rq->symbols) {
		vp_pb_int(pb, 3, 174052);
		vp_pb_int(pb, 4, 1590);
	}
	vp_pb_int(pb, 11, 4096);
	vp_pb_int(pb, 12, 4096);
	vp_pb_close(pb, stats);
	vp_packet_end(drain->trace, packet, VP_SEQ_FTRACE);
}

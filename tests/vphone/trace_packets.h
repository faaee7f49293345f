/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The packets of a trace, from a simulation.
 *
 *	trace.c			the order of packets in the file
 *	trace_ftrace.c		ftrace bundles, one drain pass at a time
 *	trace_ftrace_events.c	the events in them
 *	trace_frametimeline.c	frames as SurfaceFlinger reports them
 *	trace_meta.c		clocks, system, configuration, statistics
 *	trace_power.c		rails and battery
 */
#ifndef VPHONE_TRACE_PACKETS_H
#define VPHONE_TRACE_PACKETS_H

#include "trace_pb.h"
#include "trace_sim.h"

/* trusted_packet_sequence_id: one per producer and writer */
enum vp_seq {
	VP_SEQ_SERVICE = 1,
	VP_SEQ_FTRACE,
	VP_SEQ_PROCESSES,
	VP_SEQ_POWER,
	VP_SEQ_FRAMES,
	VP_SEQS,
};

struct vp_trace {
	const struct vp_trace_request *rq;
	struct vp_sim *sim;
	GByteArray *pb;
	bool seen[VP_SEQS]; /* the sequence has its first packet */
};

/* Begin and end a TracePacket; vp_packet_end() says who wrote it. */
gsize vp_packet_begin(struct vp_trace *trace);
void vp_packet_end(struct vp_trace *trace, gsize opened, enum vp_seq seq);

/* trace_ftrace.c */
struct vp_drain;
struct vp_drain *vp_drain_new(struct vp_trace *trace);
void vp_drain_free(struct vp_drain *drain);
/* What all CPUs recorded until @end_ns, as one pass of the reader. */
void vp_drain_pass(struct vp_drain *drain, gint64 end_ns);
/* FtraceStats at the start or the end of the trace. */
void vp_drain_stats(struct vp_drain *drain, bool end);

/* trace_ftrace_events.c */

/* The numbers that pointers get during one pass. */
struct vp_mangler {
	guint32 index[VP_POINTERS]; /* 0: not seen yet */
	guint32 next;
	bool announced; /* a packet of this pass carried symbols */
	GArray *fresh;	/* int: symbols to be announced by this packet */
};

/* Is @ev among what the configuration asked for? */
bool vp_ev_wanted(const struct vp_trace_request *rq, const struct vp_ev *ev);
void vp_ev_write(GByteArray *pb, const struct vp_sim *sim,
		 const struct vp_ev *ev, int current,
		 struct vp_mangler *mangler);
void vp_ev_write_switch(GByteArray *pb, const struct vp_sim *sim, gint64 ts_ns,
			int prev, int prev_state, int next);
void vp_rpm_descriptor(GByteArray *pb, enum vp_rpm rpm);
const char *vp_sym_name(enum vp_sym sym);

/* trace_frametimeline.c: the frames seen from @begin_ns to @end_ns. */
void vp_frametimeline(struct vp_trace *trace, gint64 begin_ns, gint64 end_ns);
/* A frame's numbers; @cookie and the next one are those of its slices. */
struct vp_frame_ids {
	gint64 token, display_token, cookie;
};
/* The frame of an app, expected and actual. */
void vp_surface_frame(struct vp_trace *trace, const struct vp_frame *frame,
		      const struct vp_frame_ids *ids, int pid,
		      const char *layer);
/* The same of SurfaceFlinger; no token but the display's. */
void vp_display_frame(struct vp_trace *trace, const struct vp_frame *frame,
		      const struct vp_frame_ids *ids);

/* trace_meta.c */
enum vp_service_event {
	VP_ALL_DATA_SOURCES_STARTED = 1,
	VP_TRACING_STARTED,
	VP_ALL_DATA_SOURCES_FLUSHED,
	VP_READ_BUFFERS_COMPLETED,
	VP_TRACING_DISABLED,
};
void vp_service_event(struct vp_trace *trace, gint64 ts_ns,
		      enum vp_service_event field);
void vp_clock_snapshot(struct vp_trace *trace, gint64 ts_ns);
void vp_sync_marker(struct vp_trace *trace);
void vp_system_info(struct vp_trace *trace);
/* Entries of an open ProcessTree. */
void vp_process(GByteArray *pb, int pid, int ppid, int uid, const char *cmdline,
		bool kthread);
void vp_thread(GByteArray *pb, const struct vp_task *task);
void vp_trace_head(struct vp_trace *trace);
void vp_trace_tail(struct vp_trace *trace);
void vp_trace_processes(struct vp_trace *trace);

/* trace_power.c: samples from @begin_ns to @end_ns. */
void vp_trace_power(struct vp_trace *trace, gint64 begin_ns, gint64 end_ns);

#endif

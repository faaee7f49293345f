/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Perfetto decoder's private parts.
 *
 * Two passes.  The first walks the packets in file order, keeps sequence state
 * and clocks, decodes everything that is small, and notes where each ftrace
 * bundle lies and in which state it is to be read.  The second reads the
 * bundles, one at a time per CPU, and merges them in time.  Memory: the index
 * of bundles (less than 16 times the bytes of an empty one, a few thousandths
 * of real ones), and some decoded events per CPU.
 */
#ifndef TRACE_PERFETTO_H
#define TRACE_PERFETTO_H

#include "clock.h"
#include "event.h"
#include "merge.h"
#include "trace.h"

#define PF_LATEST (G_MAXINT64 - 10 * G_GINT64_CONSTANT(1000000000))
#define PF_END AB_MERGE_END

/* Kernel symbols of one generation of mangled pointers. */
struct pf_symbol {
	guint64 iid;
	guint32 name; /* text */
};

struct pf_generation {
	GArray *symbols; /* struct pf_symbol; sorted after the first pass */
};

/* State of one trusted_packet_sequence_id. */
struct pf_sequence {
	guint32 id;
	bool seen;	    /* not its first packet */
	bool valid;	    /* incremental state may be used */
	guint32 clock;	    /* default of its packets, 0: none */
	guint32 generation; /* index + 1; 0: none */
	guint32 losses;	    /* of the source, up to which it is valid */
};

struct pf_packet {
	guint32 no; /* field number of the payload that is handled, or 0 */
	struct ab_bytes payload;
	guint64 timestamp, flags, dropped, machine;
	guint32 sequence, clock;
	bool has_timestamp, cleared, has_defaults;
	struct ab_bytes interned, defaults;
	guint64 clock_key; /* of @timestamp, resolved */
};

struct pf_bundle {
	struct ab_bytes bytes, compact; /* compact: p NULL when absent */
	gint64 first_ns, last_ns;	/* of what was read from it */
	guint64 clock;
	guint32 snapshots;  /* clock snapshots before it in the file */
	guint32 generation; /* index + 1 */
	guint32 number;	    /* among all bundles of the file */
	bool lost, has_events;
};

/* An FtraceEvent, found but not decoded. */
struct pf_row {
	gint64 ts;
	gint32 tid;
	guint32 no; /* field number of the message it holds */
	struct ab_bytes body;
};

/* FtraceEventBundle.event */
#define PF_EVENT 2

/* Rows that are decoded at a time: all streams' fit the second-level cache. */
#define PF_ROWS 128

/* A packed field of a compact bundle, read row by row. */
struct pf_column {
	struct ab_reader in;
	GByteArray *joined; /* its parts, when it came in several; or NULL */
};

/* Fields of CompactSched; the same five for switches and for wakings. */
enum pf_column_no { PF_TS, PF_TID, PF_PRIO, PF_STATE, PF_COMM, PF_COLUMNS };

/* The switches or the wakings of a bundle, a few rows decoded at a time. */
struct pf_compact {
	struct pf_column columns[PF_COLUMNS];
	bool prio;		/* of this bundle, priorities are wanted */
	guint64 raw;		/* time stamp before the next row */
	guint at, n;		/* of the rows below */
	gint64 ts[PF_ROWS + 1]; /* behind the last row PF_END */
	guint32 values[PF_COLUMNS][PF_ROWS];
};

/* Its other events; the same. */
struct pf_plain {
	struct ab_reader in; /* the rest of the bundle */
	gint64 last_ns;	     /* of the row before */
	guint at, n;
	struct pf_row rows[PF_ROWS + 1];
};

enum pf_half { PF_SWITCHES, PF_WAKINGS, PF_HALVES };

/* The events of one CPU, bundle after bundle. */
struct pf_stream {
	guint16 cpu;
	guint bundle; /* the next to load */
	struct pf_bundle *loaded;
	guint32 *names; /* texts: the bundle's intern table, and 0 at its end */
	guint n_names, room_for_names;
	struct pf_compact compact[PF_HALVES];
	struct pf_plain plain;
	guint at, n; /* of what is decoded and in order: */
	struct ab_event events[PF_ROWS];
};

struct pf_cpu {
	GArray *bundles;   /* struct pf_bundle, in file order */
	gint64 covered_ns; /* nothing is missing from here on */
};

/* A bundle that may hold markers of the window. */
struct pf_marked {
	guint16 cpu;
	guint32 index;
};

/* A /proc observation; becomes an event. */
struct pf_proc {
	gint64 ts;
	guint8 kind; /* AB_EV_PROCESS or AB_EV_THREAD */
	bool kernel;
	gint32 tid, tgid;
	guint32 name; /* text */
};

/* Counters of the kernel's buffers, all CPUs. */
struct pf_ftrace_stats {
	bool seen;
	guint64 lost;
};

/* How a self-described event is laid out, of those that are decoded. */
struct pf_generic {
	guint32 event;	      /* field number in FtraceEvent */
	guint32 known;	      /* which event it is: perfetto_generic.c */
	guint32 text, number; /* member numbers; 0: has none */
};

struct ab_source {
	struct ab_trace *trace;
	GHashTable *sequences;	/* id -> struct pf_sequence */
	guint32 losses;		/* damage: packets of any sequence missed */
	GPtrArray *generations; /* struct pf_generation */
	struct ab_clocks *clocks;
	guint64 trace_clock;
	bool trace_clock_known;
	GArray *deferred; /* struct pf_packet whose clock is not known yet */

	struct pf_cpu *cpus[AB_MAX_CPUS];
	guint32 bundles, opened; /* of all CPUs; those whose events are read */
	GArray *gaps;	 /* guint32: packets were lost before bundle number */
	GArray *generic; /* struct pf_generic */
	GArray *procs;	 /* struct pf_proc, by time once streams start */
	guint next_proc;
	gint64 started_ns; /* kernel events before it are not of this trace */
	bool keep_old;	   /* ... unless the trace wants the old buffer: */
	gint64 wanted_ns;  /* from here on they are handed out */
	struct pf_ftrace_stats ftrace_begin, ftrace_end;
	guint64 writer_loss;

	GArray *frame_events;  /* struct pf_frame_event */
	gint64 frames_seen_ns; /* the latest FrameTimeline packet */
	bool frames_broken;    /* packets are missing since then */
	GArray *sessions;      /* struct pf_rail_session */

	GPtrArray *streams; /* struct pf_stream, in the CPUs' order of coming */
	struct ab_merge merge;
	guint32 current; /* the stream that has the turn */
	bool drained;	 /* all that it had decoded is handed out */
	GArray *marked;	 /* struct pf_marked: bundles with window markers */
};

/* perfetto_seq.c: sequences and interned symbols. */
struct pf_sequence *pf_sequence(struct ab_source *src, guint32 id);
/* Apply @pkt's state; false when the packet needs state that is lost. */
bool pf_sequence_update(struct ab_source *src, struct pf_sequence *seq,
			const struct pf_packet *pkt);
void pf_generations_sort(struct ab_source *src);
/* Without symbols, passes over the kernel's buffers cannot be told apart. */
bool pf_any_symbol(const struct ab_source *src);
/* The text of a symbol; 0 when there is none. */
guint32 pf_symbol(const struct ab_source *src, guint32 generation, guint64 iid);
void pf_generation_free(gpointer generation);

/* perfetto_time.c: time stamps in the trace clock. */
/* Of @raw in @clock, by the snapshots before @limit or else by all. */
bool pf_time(const struct ab_source *src, guint64 clock, guint limit,
	     guint64 raw, gint64 *ts_out);
void pf_clock_snapshot(struct ab_source *src, const struct pf_packet *pkt,
		       struct ab_bytes message);

/* perfetto_ftrace.c: bundles. */
void pf_bundle(struct ab_source *src, const struct pf_packet *pkt,
	       const struct pf_sequence *seq, bool gap);
/* Packets with kernel events may be missing here. */
void pf_gap(struct ab_source *src);
void pf_cpu_free(struct pf_cpu *cpu);
void pf_marks_finish(struct ab_source *src);
/* The first instant from which on all CPUs are covered. */
gint64 pf_crop(const struct ab_source *src);
void pf_lost_bundles(struct ab_source *src);

/* perfetto_event.c, perfetto_compact.c: the contents of a bundle. */
/* Begin with s->loaded. */
void pf_open_events(struct pf_stream *s);
void pf_open_compact(struct ab_source *src, struct pf_stream *s);
/* Decode the next rows of s->loaded; none at its end. */
void pf_read_events(struct ab_source *src, struct pf_stream *s);
void pf_read_compact(struct ab_source *src, struct pf_stream *s,
		     enum pf_half half);
/* The row at s->plain.at. */
bool pf_decode_event(struct ab_source *src, const struct pf_stream *s,
		     struct ab_event *ev);
void pf_generic_descriptor(struct ab_source *src, struct ab_bytes message);
bool pf_decode_generic(const struct ab_source *src, const struct pf_row *row,
		       struct ab_event *ev);
/* Hand the trace_marker texts of @b that may bound the window on. */
void pf_find_marks(struct ab_source *src, const struct pf_bundle *b);

/* perfetto_stream.c: one CPU's bundles. */
struct pf_stream *pf_stream_new(guint16 cpu);
void pf_stream_free(gpointer stream);
/* Decode the next of s->events; the time of the first, PF_END: none is left. */
gint64 pf_stream_refill(struct ab_source *src, struct pf_stream *s);

/* perfetto_next.c: all CPUs and /proc merged. */
void pf_streams_start(struct ab_source *src);
guint pf_next(struct ab_source *src, struct ab_batch *batch, guint max);

/* perfetto_meta.c: facts, processes, statistics. */
void pf_system_info(struct ab_source *src, struct ab_bytes message);
void pf_process_tree(struct ab_source *src, struct ab_bytes message, gint64 ts);
void pf_ftrace_stats(struct ab_source *src, struct ab_bytes message);
void pf_trace_stats(struct ab_source *src, struct ab_bytes message);
void pf_service_event(struct ab_source *src, struct ab_bytes message,
		      gint64 ts);
void pf_stats_finish(struct ab_source *src);
void pf_cpu_info(struct ab_source *src, struct ab_bytes message);

/* perfetto_frames.c, perfetto_rails.c */
void pf_frame_event(struct ab_source *src, struct ab_bytes message, gint64 ts);
void pf_frames_finish(struct ab_source *src);
GArray *pf_frame_events_new(void);
void pf_power_rails(struct ab_source *src, struct ab_bytes message, gint64 ts);
void pf_rails_finish(struct ab_source *src);
GArray *pf_rail_sessions_new(void);

/* perfetto_battery.c */
void pf_battery(struct ab_source *src, struct ab_bytes message, gint64 ts);
void pf_battery_finish(struct ab_source *src);

#endif

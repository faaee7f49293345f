/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why frames were missed: for each the chain of what it waited for, back from
 * its end; and what chains have in common.  docs/METRICS.md has drawings.
 */
#ifndef ABRIG_WHY_H
#define ABRIG_WHY_H

#include <abrig/auto.h>
#include <glib.h>
#include <stdbool.h>

struct ab_trace;
struct ab_trace_options;

/* Ceilings: of a chain, and of what is kept of a trace. */
#define AB_WHY_STEPS 128
#define AB_WHY_DEPTH 8
#define AB_WHY_FRAMES 4096
/* A frame's chain reaches back at most so far from its end. */
#define AB_WHY_SPAN_NS (500 * G_GINT64_CONSTANT(1000000))
/* From here on a wait counts, unless someone asks for another threshold. */
#define AB_WHY_THRESHOLD_NS (2 * G_GINT64_CONSTANT(1000000))
/* No threshold may be lower: shorter waits are not kept. */
#define AB_WHY_LEAST_NS G_GINT64_CONSTANT(1000000)

enum ab_step_state {
	AB_STEP_RUNNING,
	AB_STEP_RUNNABLE, /* waiting for a CPU */
	AB_STEP_D,	  /* asleep, uninterruptible */
	AB_STEP_S,	  /* asleep otherwise */
	AB_STEP_QUEUED,	  /* the work item is queued, its worker busy or not
			     yet awake */
	AB_STEP_AFTER,	  /* the frame's thread is done: GPU or display */
	AB_STEP_UNKNOWN,  /* not recorded, or not kept */
	AB_STEP_STATES,
};
/* "running", "runnable", "d_state", ... */
const char *ab_step_word(enum ab_step_state state);

/* A thread in a chain; @comm NULL: there is none. */
struct ab_why_thread {
	const char *comm;
	const char *class_name; /* as the rules say: abrig help threads */
	gint32 tid;
	/* As the kernel counts: below 100 real-time, 100 + 20 + nice;
	 * AB_WHY_NO_PRIO: not known. */
	int prio;
};
#define AB_WHY_NO_PRIO (-1)

/* What a thread did, within the chain: times in ns, trace clock. */
struct ab_why_step {
	gint64 begin_ns, end_ns;
	enum ab_step_state state;
	guint depth; /* 0: the frame's thread; a sleep's waker is one deeper */
	struct ab_why_thread thread;
	int cpu;	       /* RUNNING, RUNNABLE; else -1 */
	bool ui;	       /* a UI thread */
	const char *function;  /* D: in which it sleeps; else the work item's
				 (QUEUED: of the item before it); or NULL */
	const char *workqueue; /* of the item, or NULL */
	const char *device;    /* D: whose runtime PM it waits for, or NULL */
	/* D, S: who woke it; comm NULL: not known.  tid 0: an interrupt. */
	struct ab_why_thread waker;
	bool same_process; /* the waker's is the thread's */
	/* RUNNABLE: who ran on that CPU longest meanwhile, and how long. */
	struct ab_why_thread other;
	gint64 other_ns;
	guint others;  /* how many ran there */
	int mechanism; /* index in ab_why.mechanisms, or -1 */
};

/* A part of the time between a frame's begin and its end. */
struct ab_why_part {
	const char *name; /* "running", "d_state.rpm_resume", ... */
	gint64 ns;
};

struct ab_why_frame {
	gint64 token; /* FrameTimeline's; of markers, their number */
	gint32 pid;
	const char *process, *layer, *jank;
	bool by_sf;		   /* missed by SurfaceFlinger */
	gint64 begin_ns, end_ns;   /* -1: it has none */
	gint64 deadline_ns;	   /* -1: not known */
	const char *not_explained; /* why there is no chain, or NULL */
	bool cut;		   /* something in the chain is not known */
	GArray *steps;		   /* struct ab_why_step, the latest first */
	GArray *split;		   /* struct ab_why_part, longest first */
};

/* Waits of one kind. */
struct ab_mechanism {
	const char *id;	  /* "cpu_wait.kworker.pm" */
	const char *text; /* "kworker.pm waited >= 2 ms for a CPU" */
	guint frames;	  /* missed frames whose chain has one */
	guint on_chain;	  /* such waits on the chains */
	gint64 waits;	  /* such waits in the window; -1: not counted */
	gint64 elsewhere; /* those on no chain; -1: not counted */
	gint64 longest_ns;
};

struct ab_why {
	gint64 threshold_ns;
	gint64 trace_begin_ns; /* the first event: 0 s in Perfetto's UI */
	GPtrArray *frames;     /* struct ab_why_frame *: missed frames of the UI
			      processes in the window, by begin */
	guint explained;       /* those that have a chain */
	guint not_kept;	    /* further ones, of any process, beyond a ceiling */
	GArray *mechanisms; /* struct ab_mechanism, most frames first */
	guint none;	    /* explained frames without any of them */
	GArray *split;	    /* struct ab_why_part: of all explained frames */
	char *withheld;	    /* why nothing can be said, or NULL */
	GStringChunk *texts;
};

/* @threshold_ns 0: the default; @options as ab_trace_analyze(). */
struct ab_why *ab_trace_why(struct ab_trace *trace,
			    const struct ab_trace_options *options,
			    gint64 threshold_ns);
void ab_why_free(struct ab_why *why);
AB_DEFINE_AUTO(ab_why, ab_why_free)

#endif

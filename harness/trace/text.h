/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The private parts of the decoder of ftrace text and systrace HTML.
 *
 * Two passes.  The first reads the head of every line: which CPUs there are,
 * where events were lost, whether the file is ordered, and the window's
 * markers.  The second decodes lines as their events are asked for.  A file
 * that is not ordered consists of runs that are, and these are merged.
 * Memory: the runs (at most TX_MAX_RUNS of 56 bytes), the processes of the
 * threads that were seen (at most 32 MB), and 32 kB of state of the CPUs.
 */
#ifndef TRACE_TEXT_H
#define TRACE_TEXT_H

#include "event.h"
#include "merge.h"
#include "trace.h"

/* More changes of direction than that are no order to speak of. */
#define TX_MAX_RUNS (1u << 18)
/* A page has few scripts with data. */
#define TX_MAX_SECTIONS 256

#define TX_COMM_MAX 15

/* One event, as it stands in its line. */
struct tx_line {
	struct ab_bytes task; /* the running task's name */
	gint32 tid, tgid;     /* tgid -1: not told */
	guint16 cpu;
	guint8 irq; /* AB_FLAG_HARDIRQ | AB_FLAG_SOFTIRQ */
	gint64 ts;
	struct ab_bytes event, body; /* event empty: a function's name */
};

/* text_lex.c: take something off the front of a text.  A function that
 * returns false has taken nothing. */
bool tx_skip(struct ab_bytes *in, const char *literal);
void tx_skip_blanks(struct ab_bytes *in);
bool tx_uint(struct ab_bytes *in, guint64 max, guint64 *value_out);
bool tx_int(struct ab_bytes *in, gint32 *value_out);
/* Hexadecimal, with or without 0x. */
bool tx_hex(struct ab_bytes *in, guint64 *value_out);
/* The same of a pointer: with 0x, or the 8 or 16 digits that the kernel prints.
 * A few functions' names have nothing but such digits, too. */
bool tx_address(struct ab_bytes *in, guint64 *value_out);
bool tx_tid(struct ab_bytes *in, gint32 *tid_out);
/* All up to a blank or the end. */
struct ab_bytes tx_word(struct ab_bytes *in);
/* The next line without its end; false when there is none.  @ended_out: it
 * has a line feed. */
bool tx_next_line(struct ab_bytes *in, struct ab_bytes *line_out,
		  bool *ended_out);
/* Without blanks at its end. */
struct ab_bytes tx_trim_end(struct ab_bytes text);
/* What follows the first @literal in @text; p NULL when it is not there. */
struct ab_bytes tx_after(struct ab_bytes text, const char *literal);
bool tx_equal(struct ab_bytes text, const char *literal);

/* text_line.c: lines with an event. */
bool tx_line_parse(struct ab_bytes text, struct tx_line *line_out);
/* The text that a line wrote through trace_marker; false for other events. */
bool tx_line_print(const struct tx_line *line, struct ab_bytes *print_out);

/* text_note.c: what a line that is no event says. */
enum tx_note_kind {
	TX_NOTE_NONE,  /* damaged */
	TX_NOTE_PLAIN, /* comment, part of a stack, ... */
	TX_NOTE_COUNTS,
	TX_NOTE_CPUS,
	TX_NOTE_STARTED, /* the CPU's buffer begins here */
	TX_NOTE_LOST,
	TX_NOTE_PROCESSES, /* a list of processes follows */
};

struct tx_note {
	enum tx_note_kind kind;
	guint16 cpu;
	guint64 lost; /* 0: not told how many */
	guint64 kept, written;
	int cpus; /* 0: not told */
};

void tx_note_parse(struct ab_bytes text, struct tx_note *note_out);

/* text_section.c: where in the file the trace is. */
struct tx_section {
	struct ab_bytes bytes;
	bool cut; /* its end is missing */
};

bool tx_is_html(struct ab_bytes bytes);
/* Does it begin like a trace? */
bool tx_is_trace(struct ab_bytes bytes);
bool tx_is_processes(struct ab_bytes bytes);
/* The next script with data in an HTML page. */
bool tx_next_section(struct ab_bytes *rest, struct tx_section *section_out);

/* text_state.c */
/* prev_state as a number or in letters, in the bits that sched.c assumes of a
 * kernel whose release is not known; false when a letter is new. */
bool tx_task_state(struct ab_bytes text, guint32 *state_out);

/* text_event.c: bodies. */
struct tx_decoder {
	struct ab_trace *trace;
	bool has_waking; /* wakeups say the same again */
};

/* False when the body is damaged; @ev has its head already. */
bool tx_event_decode(const struct tx_decoder *decoder,
		     const struct tx_line *line, struct ab_event *ev);

/* text_order.c: lines of all runs in time. */
struct tx_run {
	struct ab_bytes rest; /* from its next event on */
	gint64 head;	      /* of its first event */
};

struct tx_order {
	GArray *runs; /* struct tx_run, in file order */
	struct ab_merge merge;
	guint32 loaded;	       /* the run whose next event is in @line */
	struct ab_bytes after; /* the rest of that run behind it */
	struct tx_line line;
	gint64 last_ns; /* of the line that was handed out last */
};

void tx_order_init(struct tx_order *order);
void tx_order_clear(struct tx_order *order);
/* A new run, behind the others in the file, where they end. */
void tx_order_add(struct tx_order *order, struct ab_bytes rest, gint64 ts);
/* No run is added any more. */
void tx_order_start(struct tx_order *order);
/*
 * The next line; false at the end.  Lines that come too late, for want of
 * runs, are counted in @late.
 */
bool tx_order_next(struct tx_order *order, struct tx_line *line_out,
		   guint64 *late);

/* text_process.c: what threads belong to. */
#define TX_PAGE 1024

struct tx_process;

struct tx_columns {
	int pid, ppid, tid, name; /* -1: has none */
	bool unnamed_state;	  /* a column before the name has no title */
};

struct tx_processes {
	struct ab_trace *trace;
	gint64 begin_ns; /* that the lists hold from */
	GArray *lists;	 /* struct ab_bytes, output of ps */
	guint list;
	struct ab_bytes rest; /* of the list before number @list */
	guint table;	      /* in it, from 1 */
	struct tx_columns columns;
	/* By tid; pages exist when they are used. */
	struct tx_process *pages[AB_MAX_TID / TX_PAGE];
};

/* AB_EV_PROCESS, AB_EV_THREAD */
struct tx_proc_events {
	struct ab_event events[2];
	guint n;
};

void tx_processes_init(struct tx_processes *p, struct ab_trace *trace);
void tx_processes_clear(struct tx_processes *p);
void tx_processes_add(struct tx_processes *p, struct ab_bytes list);
/* What the next row of the lists says; false at their end. */
bool tx_processes_next(struct tx_processes *p, struct tx_proc_events *out);
/* What the line tells of its task that is new; false when nothing. */
bool tx_processes_learn(struct tx_processes *p, const struct tx_line *line,
			struct ab_event *ev);

/* text_survey.c: the first pass. */
struct tx_survey {
	struct ab_trace *trace;
	struct tx_order *order;
	struct tx_processes *processes;
	struct tx_cpu *cpus; /* AB_MAX_CPUS */
	struct ab_bytes file;
	guint64 lines; /* events, damaged ones too */
	guint64 kept, written;
	gint64 first_ns, last_ns; /* last_ns: of the run */
	bool cut_begin;		  /* the kernel overwrote the oldest events */
	bool has_waking;
};

void tx_survey_init(struct tx_survey *survey, struct ab_trace *trace,
		    struct tx_order *order, struct tx_processes *processes);
void tx_survey_clear(struct tx_survey *survey);
void tx_survey_section(struct tx_survey *survey,
		       const struct tx_section *section);
/* State in the trace what is missing. */
void tx_survey_finish(struct tx_survey *survey);

#endif

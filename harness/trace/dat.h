/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace-cmd's .dat files, decoded by libtracecmd in a child process.
 *
 * libtracecmd dies of some damaged files.  So a child with limits decodes and
 * writes records into a pipe, and the source reads them and believes none.
 * Both are one program: the records have no version and no byte order.
 *
 *	dat_source.c	the event source: two children, one after the other
 *	dat_child.c	a limited process: begin, read from it, end
 *	dat_reader.c	records -> events, checked
 *	dat_file.c	the bytes as a file, for libtracecmd
 *	dat_decode.c	in the child: the file, its CPUs merged
 *	dat_event.c	in the child: one record of the kernel -> an event
 *	dat_writer.c	in the child: events -> records
 */
#ifndef TRACE_DAT_H
#define TRACE_DAT_H

#include <sys/types.h>

#include "event.h"
#include "trace.h"

enum dat_kind {
	DAT_INFO = 1, /* struct dat_info; the last one counts */
	DAT_UNAME,    /* text */
	DAT_TEXT,     /* text: the next number */
	DAT_COMM,     /* the same of a comm */
	DAT_MARK,     /* gint64 time stamp, text: may bound the window */
	DAT_EVENT,    /* struct ab_event, and the text of a print */
	DAT_LOST,     /* struct dat_lost */
	DAT_DAMAGED,  /* guint64: so many events do not parse */
	DAT_ALIVE,    /* struct dat_share */
	DAT_DONE,     /* nothing: the last record */
};

struct dat_record {
	guint32 kind;
	guint32 size; /* of what follows, without the padding to 8 bytes */
};

#define DAT_PADDED(size) (((gsize)(size) + 7) & ~(gsize)7)

/* Ceilings of what a child may say, and of what it tries to. */
#define DAT_TEXT_SIZE 512
#define DAT_TEXTS_MAX 262144
#define DAT_PRINT_SIZE 16384
#define DAT_PAYLOAD_MAX (sizeof(struct ab_event) + DAT_PRINT_SIZE)

struct dat_info {
	gint64 first_ns;
	gint64 crop_ns;	 /* before it some CPU's events were overwritten */
	guint64 overrun; /* what the kernel counted, but for those */
	guint32 cpus;
	guint32 instances; /* with buffers of their own, not read */
	/* Truth values; a hostile byte is no bool. */
	guint32 has_waking; /* else sched_wakeup stands for it */
	guint32 clock_ns;   /* the trace clock counts nanoseconds */
};

/* How far a pass is, in bytes of the kernel's buffers. */
struct dat_share {
	guint64 done, total;
};

struct dat_lost {
	gint64 begin_ns, end_ns;
	guint64 cpu;
};

/* dat_child.c */
struct dat_child {
	pid_t pid; /* 0: none */
	int fd;
};

/*
 * Run @body in a limited process: it reads @file (of @size bytes) and writes
 * records to @out.  False when there can be no process.
 */
typedef bool dat_child_body(int file, int out, const struct dat_info *info);
bool dat_child_start(struct dat_child *child, int file, gsize size,
		     dat_child_body *body, const struct dat_info *info);
/* Some bytes; 0 at the end, and when the child is silent for too long. */
gsize dat_child_read(struct dat_child *child, guint8 *to, gsize size);
/* End it, whatever it does, and reap it. */
void dat_child_finish(struct dat_child *child);

/* dat_reader.c */
struct dat_reader {
	struct ab_trace *trace;
	struct dat_info info;
	GArray *texts; /* guint32: the child's number -> ours */
	GByteArray *buffer;
	gsize at, n; /* the part of the buffer that is not read yet */
	gint64 last_ns;
	bool has_info;
	bool done; /* it said all that it wanted to */
	bool bad;  /* it said something that makes no sense */
};

void dat_reader_init(struct dat_reader *r, struct ab_trace *trace);
void dat_reader_clear(struct dat_reader *r);
/* Room for more bytes; texts of earlier events are overwritten. */
guint8 *dat_reader_room(struct dat_reader *r, gsize *size_out);
/* Up to @max events from the records that are complete. */
guint dat_reader_events(struct dat_reader *r, struct ab_event *events,
			guint max);

/* dat_file.c */
/* A nameless file with the bytes, or -1. */
int dat_file_new(struct ab_bytes bytes);
/* Let the table of CPUs end where the cut file does: was there a need to? */
bool dat_file_mend(int file, struct ab_bytes bytes);

/* dat_decode.c */
/* Facts and marks; @info is not used. */
bool dat_decode_marks(int file, int out, const struct dat_info *info);
/* Events; @info is what the first pass found. */
bool dat_decode_events(int file, int out, const struct dat_info *info);

/* dat_writer.c; what it holds is freed by the child's end, as all there */
struct dat_writer {
	int fd;
	bool failed;
	GByteArray *buffer;
	GHashTable *texts, *comms; /* text -> number */
	guint32 n_texts;
	guint64 damaged; /* not told yet */
};

void dat_writer_init(struct dat_writer *w, int fd);
void dat_write(struct dat_writer *w, enum dat_kind kind, const void *head,
	       gsize head_size, struct ab_bytes text);
bool dat_writer_flush(struct dat_writer *w);
/* Numbers of texts, 0 when empty. */
guint32 dat_writer_text(struct dat_writer *w, const char *text);
guint32 dat_writer_comm(struct dat_writer *w, const char *comm);

/* dat_event.c */
struct dat_events;
struct tep_handle;
struct tep_record;

struct dat_events *dat_events_new(struct tep_handle *tep,
				  struct dat_writer *writer);
/* What kind of event is it?  Nothing is decoded. */
enum ab_event_kind dat_event_kind(struct dat_events *events,
				  struct tep_record *record,
				  bool *is_waking_out);
/* False when it is damaged; @text_out: of a print. */
bool dat_event_decode(struct dat_events *events, struct tep_record *record,
		      struct ab_event *ev, struct ab_bytes *text_out);
/* After the last: the names of those that no event named. */
void dat_events_names(struct dat_events *events, gint64 ts);

#endif

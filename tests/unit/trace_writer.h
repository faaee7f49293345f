/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A writer of small Perfetto traces.  Messages are byte arrays; put_message()
 * appends one and frees it.
 */
#ifndef UNIT_TRACE_WRITER_H
#define UNIT_TRACE_WRITER_H

#include <glib.h>
#include <stdbool.h>
#include <string.h>

static inline void put_raw(GByteArray *b, guint64 v)
{
	do {
		guint8 byte = (v & 0x7f) | (v > 0x7f ? 0x80 : 0);

		g_byte_array_append(b, &byte, 1);
		v >>= 7;
	} while (v);
}

static inline void put(GByteArray *b, guint no, guint64 v)
{
	put_raw(b, (guint64)no << 3);
	put_raw(b, v);
}

static inline void put_bytes(GByteArray *b, guint no, const void *p, gsize n)
{
	put_raw(b, (guint64)no << 3 | 2);
	put_raw(b, n);
	g_byte_array_append(b, p, (guint)n);
}

static inline void put_text(GByteArray *b, guint no, const char *text)
{
	put_bytes(b, no, text, strlen(text));
}

/* Append the message @m as field @no, and free it. */
static inline void put_message(GByteArray *b, guint no, GByteArray *m)
{
	put_bytes(b, no, m->data, m->len);
	g_byte_array_unref(m);
}

#define SWITCH 4
#define BLOCKED 18
#define WAKING 20
#define WORK_END 57
#define WORK_START 58
#define PRINT 3

/* Interned symbols of the traces below. */
#define PM_RUNTIME_WORK 1
#define RPM_RESUME 2
#define OTHER_FUNCTION 3
#define NO_SYMBOL 9

static inline void event(GByteArray *bundle, guint64 ts, int tid, guint no,
			 GByteArray *body)
{
	GByteArray *e = g_byte_array_new();

	put(e, 1, ts);
	put(e, 2, (guint64)tid);
	put_message(e, no, body);
	put_message(bundle, 2, e);
}

static inline void sched_switch(GByteArray *bundle, guint64 ts, int prev,
				int state, int next)
{
	GByteArray *b = g_byte_array_new();

	put(b, 2, (guint64)prev);
	put(b, 3, 120);
	put(b, 4, (guint64)state);
	put(b, 6, (guint64)next);
	put(b, 7, 120);
	event(bundle, ts, prev, SWITCH, b);
}

static inline void waking(GByteArray *bundle, guint64 ts, int waker, int wakee)
{
	GByteArray *b = g_byte_array_new();

	put(b, 2, (guint64)wakee);
	event(bundle, ts, waker, WAKING, b);
}

static inline void work(GByteArray *bundle, guint64 ts, int tid, guint no,
			guint64 function)
{
	GByteArray *b = g_byte_array_new();

	put(b, 1, 77);
	put(b, 2, function);
	event(bundle, ts, tid, no, b);
}

static inline void blocked(GByteArray *bundle, guint64 ts, int tid,
			   guint64 caller)
{
	GByteArray *b = g_byte_array_new();

	put(b, 1, (guint64)tid);
	put(b, 2, caller);
	event(bundle, ts, 0, BLOCKED, b);
}

static inline void print(GByteArray *bundle, guint64 ts, int tid,
			 const char *text)
{
	GByteArray *b = g_byte_array_new();

	put_text(b, 2, text);
	event(bundle, ts, tid, PRINT, b);
}

static inline GByteArray *new_bundle(int cpu)
{
	GByteArray *b = g_byte_array_new();

	put(b, 1, (guint64)cpu);
	return b;
}

static inline GByteArray *symbols(const char *first)
{
	const char *const names[] = { first, "rpm_resume", "other_function" };
	GByteArray *interned = g_byte_array_new();
	guint i;

	for (i = 0; i < G_N_ELEMENTS(names); i++) {
		GByteArray *s = g_byte_array_new();

		put(s, 1, i + 1);
		put_text(s, 2, names[i]);
		put_message(interned, 26, s);
	}
	return interned;
}

/* A packet of sequence 7 that clears the state and carries @bundle. */
static inline void bundle_packet(GByteArray *trace, GByteArray *bundle,
				 const char *first_symbol, bool dropped)
{
	GByteArray *p = g_byte_array_new();

	put(p, 10, 7);
	put(p, 13, 1);
	if (dropped)
		put(p, 42, 1);
	put_message(p, 12, symbols(first_symbol));
	put_message(p, 1, bundle);
	put_message(trace, 1, p);
}

static inline void process(GByteArray *trace, int pid, const char *name)
{
	GByteArray *p = g_byte_array_new(), *tree = g_byte_array_new();
	GByteArray *proc = g_byte_array_new();

	put(proc, 1, (guint64)pid);
	put_text(proc, 3, name);
	put_message(tree, 1, proc);
	put(p, 8, 1);
	put(p, 10, 5);
	put_message(p, 2, tree);
	put_message(trace, 1, p);
}

#endif

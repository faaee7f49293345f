// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_body.h"

/*
 * A comm that ends before @next.  It may hold any byte, @next's too, but is
 * short: the last place within its length is the right one.  Where a tool has
 * put a longer name in its place, the first.
 */
static bool take_comm(struct ab_bytes *in, const char *next,
		      struct ab_bytes *comm_out)
{
	gsize n = strlen(next), at;
	struct ab_bytes after;

	if (in->n < n)
		return false;
	for (at = MIN(in->n - n, TX_COMM_MAX); at < in->n; at--) {
		if (in->p[at] != (guint8)*next ||
		    memcmp(in->p + at, next, n) != 0)
			continue;
		*comm_out = (struct ab_bytes){ in->p, at };
		in->p += at + n;
		in->n -= at + n;
		return true;
	}
	after = tx_after(*in, next);
	if (!after.p)
		return false;
	*comm_out = (struct ab_bytes){ in->p, in->n - after.n - n };
	*in = after;
	return true;
}

/* trace-cmd's "comm:123 [120]". */
static bool take_task(struct ab_bytes *in, struct ab_bytes *comm_out,
		      gint32 *tid_out, gint32 *prio_out)
{
	struct ab_bytes rest = *in, digits;

	while ((rest = tx_after(rest, " [")).p) {
		gsize end = in->n - rest.n - strlen(" ["), at = end;

		while (at && g_ascii_isdigit(in->p[at - 1]))
			at--;
		digits = (struct ab_bytes){ in->p + at, end - at };
		if (!at || in->p[at - 1] != ':' || !tx_tid(&digits, tid_out) ||
		    !tx_int(&rest, prio_out) || !tx_skip(&rest, "]"))
			continue;
		*comm_out = (struct ab_bytes){ in->p, at - 1 };
		*in = rest;
		return true;
	}
	return false;
}

/* The two tasks of a switch. */
struct pair {
	struct ab_bytes prev, next, state;
	gint32 prev_tid, next_tid, prev_prio, next_prio;
};

/* "prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=..."; a
 * report of raw fields has no arrow. */
static bool take_fields(struct ab_bytes in, struct pair *pair)
{
	if (!tx_skip(&in, "prev_comm=") ||
	    !take_comm(&in, " prev_pid=", &pair->prev) ||
	    !tx_tid(&in, &pair->prev_tid) || !tx_skip(&in, " prev_prio=") ||
	    !tx_int(&in, &pair->prev_prio) || !tx_skip(&in, " prev_state="))
		return false;
	pair->state = tx_word(&in);
	tx_skip(&in, " ==>");
	return tx_skip(&in, " next_comm=") &&
	       take_comm(&in, " next_pid=", &pair->next) &&
	       tx_tid(&in, &pair->next_tid) && tx_skip(&in, " next_prio=") &&
	       tx_int(&in, &pair->next_prio);
}

/* "a:1 [120] S ==> b:2 [120]" */
static bool take_report(struct ab_bytes in, struct pair *pair)
{
	if (!take_task(&in, &pair->prev, &pair->prev_tid, &pair->prev_prio) ||
	    !tx_skip(&in, " "))
		return false;
	pair->state = tx_word(&in);
	return tx_skip(&in, " ==> ") &&
	       take_task(&in, &pair->next, &pair->next_tid, &pair->next_prio);
}

bool tx_decode_switch(const struct tx_decoder *d, struct ab_bytes in,
		      struct ab_event *ev)
{
	struct pair pair;

	if (!take_fields(in, &pair) && !take_report(in, &pair))
		return false;
	if (!tx_task_state(pair.state, &ev->sw.prev_state))
		d->trace->quality.unknown_enums++;
	ev->sw.prev_tid = pair.prev_tid;
	ev->sw.next_tid = pair.next_tid;
	ev->sw.next_prio = pair.next_prio;
	ev->sw.prev_comm = ab_trace_comm(d->trace, pair.prev);
	ev->sw.next_comm = ab_trace_comm(d->trace, pair.next);
	return true;
}

bool tx_decode_waking(const struct tx_decoder *d, struct ab_bytes in,
		      struct ab_event *ev)
{
	struct ab_bytes comm;
	gint32 prio;

	if (tx_skip(&in, "comm=")) {
		if (!take_comm(&in, " pid=", &comm) ||
		    !tx_tid(&in, &ev->waking.tid))
			return false;
	} else if (!take_task(&in, &comm, &ev->waking.tid, &prio)) {
		return false;
	}
	/* Old kernels tell of wakeups that had no effect. */
	if (tx_after(in, " success=0").p)
		ev->kind = AB_EV_OTHER;
	else
		ev->waking.comm = ab_trace_comm(d->trace, comm);
	return true;
}

bool tx_decode_wakeup(const struct tx_decoder *d, struct ab_bytes in,
		      struct ab_event *ev)
{
	if (!d->has_waking)
		return tx_decode_waking(d, in, ev);
	ev->kind = AB_EV_OTHER;
	return true;
}

bool tx_decode_newtask(const struct tx_decoder *d, struct ab_bytes in,
		       struct ab_event *ev)
{
	struct ab_bytes comm;

	if (!tx_skip(&in, "pid=") || !tx_tid(&in, &ev->task.tid) ||
	    !tx_skip(&in, " comm=") ||
	    !take_comm(&in, " clone_flags=", &comm) ||
	    !tx_hex(&in, &ev->task.clone_flags))
		return false;
	ev->task.comm = ab_trace_comm(d->trace, comm);
	return true;
}

bool tx_decode_rename(const struct tx_decoder *d, struct ab_bytes in,
		      struct ab_event *ev)
{
	struct ab_bytes old, comm;

	if (!tx_skip(&in, "pid=") || !tx_tid(&in, &ev->task.tid) ||
	    !tx_skip(&in, " oldcomm=") || !take_comm(&in, " newcomm=", &old) ||
	    !take_comm(&in, " oom_score_adj=", &comm))
		return false;
	ev->task.comm = ab_trace_comm(d->trace, comm);
	ev->task.clone_flags = 0;
	return true;
}

bool tx_decode_free(const struct tx_decoder *d, struct ab_bytes in,
		    struct ab_event *ev)
{
	struct ab_bytes comm;

	if (!tx_skip(&in, "comm=") || !take_comm(&in, " pid=", &comm) ||
	    !tx_tid(&in, &ev->task.tid))
		return false;
	ev->task.comm = ab_trace_comm(d->trace, comm);
	ev->task.clone_flags = 0;
	return true;
}

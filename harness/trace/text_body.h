/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bodies of events in ftrace text, as the kernel prints them and as trace-cmd
 * does.  Each takes the body @in and fills the event's fields but not its
 * head; false when it is damaged.
 */
#ifndef TRACE_TEXT_BODY_H
#define TRACE_TEXT_BODY_H

#include "text.h"

/* text_sched.c */
bool tx_decode_switch(const struct tx_decoder *d, struct ab_bytes in,
		      struct ab_event *ev);
bool tx_decode_waking(const struct tx_decoder *d, struct ab_bytes in,
		      struct ab_event *ev);
/* The same, but AB_EV_OTHER when the trace has sched_waking, too. */
bool tx_decode_wakeup(const struct tx_decoder *d, struct ab_bytes in,
		      struct ab_event *ev);
bool tx_decode_newtask(const struct tx_decoder *d, struct ab_bytes in,
		       struct ab_event *ev);
bool tx_decode_rename(const struct tx_decoder *d, struct ab_bytes in,
		      struct ab_event *ev);
bool tx_decode_free(const struct tx_decoder *d, struct ab_bytes in,
		    struct ab_event *ev);

/* text_work.c */
bool tx_decode_blocked(const struct tx_decoder *d, struct ab_bytes in,
		       struct ab_event *ev);
bool tx_decode_queue(const struct tx_decoder *d, struct ab_bytes in,
		     struct ab_event *ev);
bool tx_decode_work(const struct tx_decoder *d, struct ab_bytes in,
		    struct ab_event *ev);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prev_state where the trace does not name its kernel's release: in the bits
 * that sched.c takes for an unknown one (before 4.8).
 */
#ifndef TRACE_TASK_STATE_H
#define TRACE_TASK_STATE_H

#include <glib.h>

#define AB_TASK_PREEMPTED 0x800
#define AB_TASK_IDLE 0x402 /* uninterruptible, but no load */

/* What @state, of a kernel that is not known, means in those bits. */
guint32 ab_task_state_guess(guint64 state);

#endif

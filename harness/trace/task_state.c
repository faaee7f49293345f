// SPDX-License-Identifier: GPL-3.0-or-later
#include "task_state.h"

/*
 * Alone, these bits say "preempted": 0x100 since 4.14, 0x1000 since 4.8, 0x800
 * and 0x400 before; and 0x80 is TASK_IDLE since 4.14.  No kernel has them
 * alone for anything else that a task is in when it is switched away from.
 */
guint32 ab_task_state_guess(guint64 state)
{
	switch (state) {
	case 0x100:
	case 0x400:
	case 0x800:
	case 0x1000:
		return AB_TASK_PREEMPTED;
	case 0x80:
		return AB_TASK_IDLE;
	default:
		return (guint32)(state & (AB_TASK_PREEMPTED - 1));
	}
}

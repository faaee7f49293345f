/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executed work items and the CPU wait of their workers. */
#ifndef TRACE_WORK_H
#define TRACE_WORK_H

#include "sched.h"

void ab_work_start(struct ab_sched *sched, const struct ab_event *ev);
void ab_work_end(struct ab_sched *sched, const struct ab_event *ev);

#endif

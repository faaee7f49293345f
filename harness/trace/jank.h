/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What FrameTimeline says of a frame: jank types, present types, tags. */
#ifndef TRACE_JANK_H
#define TRACE_JANK_H

#include "trace.h"

/* JankType: bits. */
#define AB_JANK_NONE 0x1u
#define AB_JANK_SF_SCHEDULING 0x2u
#define AB_JANK_PREDICTION_ERROR 0x4u
#define AB_JANK_DISPLAY_HAL 0x8u
#define AB_JANK_SF_CPU_DEADLINE 0x10u
#define AB_JANK_SF_GPU_DEADLINE 0x20u
#define AB_JANK_APP_DEADLINE 0x40u
#define AB_JANK_BUFFER_STUFFING 0x80u
#define AB_JANK_UNKNOWN 0x100u
#define AB_JANK_SF_STUFFING 0x200u
#define AB_JANK_DROPPED 0x400u
#define AB_JANK_NON_ANIMATING 0x800u
#define AB_JANK_APP_JITTER 0x1000u
#define AB_JANK_DISPLAY_OFF 0x2000u
#define AB_JANK_MODE_CHANGE 0x4000u
#define AB_JANK_POWER_CHANGE 0x8000u
#define AB_JANK_KNOWN 0xffffu

/* What Perfetto's frame-timeline metric counts as missed by whom. */
#define AB_JANK_BY_APP (AB_JANK_APP_DEADLINE | AB_JANK_APP_JITTER)
#define AB_JANK_BY_SF                                       \
	(AB_JANK_SF_SCHEDULING | AB_JANK_PREDICTION_ERROR | \
	 AB_JANK_DISPLAY_HAL | AB_JANK_SF_CPU_DEADLINE |    \
	 AB_JANK_SF_GPU_DEADLINE)

/* PresentType */
#define AB_PRESENT_DROPPED 4
#define AB_PRESENT_UNKNOWN 5
#define AB_PRESENT_TYPES 6

/*
 * The names of @jank's bits in Perfetto's words and order, joined by ", ";
 * bits that have no name as one number behind them.  Caller frees.
 */
char *ab_jank_text(guint32 jank);
/* Likewise of a present type. */
char *ab_present_text(guint8 present);
/* Whose jank it is, as trace processor tags an actual frame. */
const char *ab_jank_tag(const struct ab_frame *frame);

#endif

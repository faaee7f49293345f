// SPDX-License-Identifier: GPL-3.0-or-later
/* What each count of the quality record means to a reader. */
#include "analyze.h"

#include <stddef.h>

#define COUNT(field, loss_, what_, means_)                          \
	{                                                           \
		.offset = offsetof(struct ab_trace_quality, field), \
		.count = { .id = #field,                            \
			   .what = (what_),                         \
			   .means = (means_),                       \
			   .loss = (loss_) },                       \
	}

/* Losses first, as they weigh most. */
static const struct {
	size_t offset;
	struct ab_quality_count count;
} counts[] = {
	COUNT(overrun, true, "kernel events overwritten",
	      "a CPU's ring buffer was full before it was read; make it "
	      "larger, read it more often, or trace fewer events"),
	COUNT(lost_bundles, true, "gaps in kernel buffers",
	      "before each, events of one CPU are missing"),
	COUNT(packet_loss, true, "times packets were lost",
	      "a process wrote faster than the tracing service took over"),
	COUNT(buffer_loss, true, "pieces of the trace buffer lost",
	      "the trace buffer was too small, or was not read in time"),
	COUNT(state_dropped, true, "packets without state",
	      "what their numbers stand for was lost before; left out"),
	COUNT(bytes_ignored, true, "bytes ignored",
	      "the file is cut, or holds what is not part of a trace"),
	COUNT(damaged_packets, true, "damaged packets", "left out"),
	COUNT(damaged_events, true, "damaged events", "left out"),
	COUNT(clock_failures, true, "time stamps without a clock",
	      "no snapshot relates their clock to the trace's; left out"),
	COUNT(switch_mismatch, true, "events of a task that did not run",
	      "by the switches seen another one ran on that CPU, so a switch "
	      "is missing though no loss is flagged"),
	COUNT(unpaired, false, "unpaired events",
	      "an end without its begin, usual where a trace begins"),
	COUNT(unknown_enums, false, "unknown enum values",
	      "written by a newer Android; counted as unclassified"),
	COUNT(foreign_packets, false, "packets of another machine",
	      "a guest's; left out"),
	COUNT(unresolved, false, "work items without a symbol",
	      "record with symbolize_ksyms, as root"),
	COUNT(unknown_waits, false, "waits that are not known",
	      "their begin was not seen; they are no samples"),
	COUNT(sentinel_times, false, "frame times that are none",
	      "SurfaceFlinger's \"unset\" and \"never\"; left out"),
	COUNT(buffers_ignored, false, "buffers of instances",
	      "recorded with trace-cmd record -B; only the events of the main "
	      "buffer are read"),
};

struct ab_quality_count *analyze_quality(const struct ab_trace_quality *quality,
					 guint *n_out)
{
	struct ab_quality_count *list =
		g_new(struct ab_quality_count, G_N_ELEMENTS(counts));
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(counts); i++) {
		list[i] = counts[i].count;
		list[i].n =
			*(const guint64 *)(const void *)((const char *)quality +
							 counts[i].offset);
	}
	*n_out = G_N_ELEMENTS(counts);
	return list;
}

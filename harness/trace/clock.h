/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conversion between clocks, as Perfetto's trace processor does it: snapshots
 * of several clocks taken together make a graph; each hop adds the difference
 * of the latest snapshot at or before the time.  Offsets are piecewise
 * constant, there is no interpolation.
 */
#ifndef TRACE_CLOCK_H
#define TRACE_CLOCK_H

#include <glib.h>
#include <stdbool.h>

/* Built-in clocks; 64 to 127 are private to a packet sequence. */
#define AB_CLOCK_REALTIME 1
#define AB_CLOCK_MONOTONIC 3
#define AB_CLOCK_MONOTONIC_RAW 5
#define AB_CLOCK_BOOTTIME 6
#define AB_CLOCK_PRIVATE 64

/* More clocks in one snapshot, or more kinds of snapshot, are ignored. */
#define AB_MAX_SNAPSHOT_CLOCKS 32
#define AB_MAX_SNAPSHOT_GROUPS 64

struct ab_clock_value {
	guint64 clock; /* ab_clock_key() */
	gint64 ns;
};

struct ab_clocks;

struct ab_clocks *ab_clocks_new(void);
void ab_clocks_free(struct ab_clocks *clocks);

static inline guint64 ab_clock_key(guint32 id, guint32 sequence)
{
	bool is_private = id >= AB_CLOCK_PRIVATE && id < 128;

	return id | (is_private ? (guint64)sequence << 32 : 0);
}

/* Add a snapshot; false when it is beyond a ceiling or names a clock twice. */
bool ab_clocks_add(struct ab_clocks *clocks,
		   const struct ab_clock_value *values, guint n);
/* How many snapshots there are: the limit for what is read now. */
guint ab_clocks_count(const struct ab_clocks *clocks);

/*
 * @ns of clock @from in clock @to, by the first @limit snapshots.  False when
 * no path of at most four hops connects them or the result is no time.
 */
bool ab_clocks_convert(const struct ab_clocks *clocks, guint limit,
		       guint64 from, guint64 to, gint64 ns, gint64 *ns_out);

#endif

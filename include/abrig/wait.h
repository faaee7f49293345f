/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocking with a deadline and an interrupt.
 *
 * Every call that can block takes a struct ab_wait: until when it may block,
 * and who may interrupt it.  An ab_intr may be triggered from any thread and
 * from a signal handler; it stays triggered until it is reset.
 *
 * Time: one documented switch for tests, the environment variable
 * ABRIG_TIME_SCALE=N (default 1), says that the phone's clock runs N times
 * faster than the host's.  Pauses and polls then shrink by N.  Deadlines
 * shrink by N too, but never below AB_DEADLINE_FLOOR_MS (or their own length,
 * if that is shorter), because the host's share of the work does not shrink.
 */
#ifndef ABRIG_WAIT_H
#define ABRIG_WAIT_H

#include <glib.h>
#include <stdbool.h>

#define AB_DEADLINE_FLOOR_MS 10000

struct ab_intr; /* opaque */

struct ab_intr *ab_intr_new(void);
void ab_intr_free(struct ab_intr *intr);
/* Async-signal-safe. */
void ab_intr_trigger(struct ab_intr *intr);
void ab_intr_reset(struct ab_intr *intr);
bool ab_intr_triggered(const struct ab_intr *intr);
/* A descriptor that polls readable while @intr is triggered; not to be read. */
int ab_intr_fd(const struct ab_intr *intr);

struct ab_wait {
	struct ab_intr *intr; /* may be NULL: cannot be interrupted */
	gint64 deadline;      /* g_get_monotonic_time() microseconds */
};

/* The time scale of ABRIG_TIME_SCALE, read once; 1 when unset or absurd. */
int ab_time_scale(void);

/* A wait that ends @ms phone milliseconds from now (see the floor above). */
struct ab_wait ab_wait_in(struct ab_intr *intr, gint64 ms);

/* @outer, or @ms from now, whichever ends first. */
struct ab_wait ab_wait_sub(const struct ab_wait *outer, gint64 ms);

/* Milliseconds of host time left, never below 0. */
gint64 ab_wait_left_ms(const struct ab_wait *w);

/*
 * False with AB_ERROR_INTERRUPTED or AB_ERROR_TIMEOUT when @w is over.
 * @what completes "timed out after 5 s while ..." and names device and action.
 */
bool ab_wait_check(const struct ab_wait *w, const char *what, GError **error);

/*
 * Wait until @fd polls one of @events (POLLIN, POLLOUT; hang-up and error
 * count as ready, the following read or write tells).  @fd may be -1: then it
 * only waits for the end of @w.
 */
bool ab_wait_fd(const struct ab_wait *w, int fd, short events, const char *what,
		GError **error);

/* Pause for @ms phone milliseconds; false when @w ends before. */
bool ab_wait_pause(const struct ab_wait *w, gint64 ms, const char *what,
		   GError **error);

#endif

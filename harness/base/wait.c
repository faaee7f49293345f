// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/text.h>
#include <abrig/wait.h>

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MAX_SCALE 1000

struct ab_intr {
	int fd;
};

struct ab_intr *ab_intr_new(void)
{
	struct ab_intr *intr = g_new0(struct ab_intr, 1);

	intr->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (intr->fd < 0)
		g_error("eventfd: %s", g_strerror(errno));
	return intr;
}

void ab_intr_free(struct ab_intr *intr)
{
	if (!intr)
		return;
	close(intr->fd);
	g_free(intr);
}

void ab_intr_trigger(struct ab_intr *intr)
{
	uint64_t one = 1;
	ssize_t n = write(intr->fd, &one, sizeof(one));

	(void)n; /* only fails when it is triggered already */
}

void ab_intr_reset(struct ab_intr *intr)
{
	uint64_t count;
	ssize_t n = read(intr->fd, &count, sizeof(count));

	(void)n; /* only fails when it was not triggered */
}

bool ab_intr_triggered(const struct ab_intr *intr)
{
	struct pollfd p = { .fd = intr->fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

int ab_intr_fd(const struct ab_intr *intr)
{
	return intr->fd;
}

int ab_time_scale(void)
{
	static gsize scale;

	if (g_once_init_enter(&scale)) {
		const char *text = g_getenv("ABRIG_TIME_SCALE");
		gint64 value = 1;

		if (text && (!ab_text_to_int(text, &value) || value < 1 ||
			     value > MAX_SCALE))
			value = 1;
		g_once_init_leave(&scale, (gsize)value);
	}
	return (int)scale;
}

struct ab_wait ab_wait_in(struct ab_intr *intr, gint64 ms)
{
	gint64 real = MAX(ms / ab_time_scale(), MIN(ms, AB_DEADLINE_FLOOR_MS));

	return (struct ab_wait){
		.intr = intr,
		.deadline = g_get_monotonic_time() + real * 1000,
	};
}

struct ab_wait ab_wait_sub(const struct ab_wait *outer, gint64 ms)
{
	struct ab_wait w = ab_wait_in(outer->intr, ms);

	w.deadline = MIN(w.deadline, outer->deadline);
	return w;
}

gint64 ab_wait_left_ms(const struct ab_wait *w)
{
	gint64 left = w->deadline - g_get_monotonic_time();

	return left <= 0 ? 0 : (left + 999) / 1000;
}

bool ab_wait_check(const struct ab_wait *w, const char *what, GError **error)
{
	if (w->intr && ab_intr_triggered(w->intr)) {
		g_set_error(error, AB_ERROR, AB_ERROR_INTERRUPTED,
			    "interrupted while %s", what);
		return false;
	}
	if (g_get_monotonic_time() >= w->deadline) {
		g_set_error(error, AB_ERROR, AB_ERROR_TIMEOUT,
			    "deadline passed while %s", what);
		return false;
	}
	return true;
}

bool ab_wait_fd(const struct ab_wait *w, int fd, short events, const char *what,
		GError **error)
{
	struct pollfd p[2] = {
		{ .fd = fd, .events = events },
		{ .fd = w->intr ? w->intr->fd : -1, .events = POLLIN },
	};

	for (;;) {
		int n;

		if (!ab_wait_check(w, what, error))
			return false;
		n = poll(p, 2, (int)MIN(ab_wait_left_ms(w), 3600 * 1000));
		if (n < 0 && errno != EINTR) {
			g_set_error(error, AB_ERROR, AB_ERROR_FAILED,
				    "poll failed while %s: %s", what,
				    g_strerror(errno));
			return false;
		}
		if (n > 0 && p[0].revents && !p[1].revents)
			return true;
	}
}

bool ab_wait_pause(const struct ab_wait *w, gint64 ms, const char *what,
		   GError **error)
{
	gint64 end = g_get_monotonic_time() + ms * 1000 / ab_time_scale();
	struct ab_wait nap = { .intr = w->intr,
			       .deadline = MIN(end, w->deadline) };
	g_autoptr(GError) over = NULL;

	ab_wait_fd(&nap, -1, 0, what, &over);
	if (g_error_matches(over, AB_ERROR, AB_ERROR_TIMEOUT) &&
	    end <= w->deadline)
		return true;
	g_propagate_error(error, g_steal_pointer(&over));
	return false;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "frames.h"

#include <math.h>

/* A next frame that begins later than this after a frame's end was not asked
 * for at once: nothing was drawn in between. */
#define IDLE_NS (100 * G_GINT64_CONSTANT(1000000))

/* What is true of at least one of a token's frames (layers). */
enum {
	APP = 1,
	SF = 2,
	DROPPED = 4,
	NOT_SHOWN = 8,
	UNCLASSIFIED = 16,
	OPEN = 32
};

struct tally {
	gint64 token, begin_ns, end_ns;
	gint32 pid;
	guint32 bits;
};

static guint32 classify(const struct ab_frame *f)
{
	guint32 bits = 0;

	if (f->jank & AB_JANK_BY_APP)
		bits |= APP;
	if (f->jank & AB_JANK_BY_SF)
		bits |= SF;
	if (f->jank & AB_JANK_DROPPED)
		bits |= DROPPED;
	if ((f->jank & AB_JANK_DROPPED) || f->present == AB_PRESENT_DROPPED)
		bits |= NOT_SHOWN;
	if (!f->jank || (f->jank & (AB_JANK_UNKNOWN | ~AB_JANK_KNOWN)))
		bits |= UNCLASSIFIED;
	if (f->end_ns < 0)
		bits |= OPEN;
	return bits;
}

static int by_token(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->token > y->token) - (x->token < y->token);
}

static int by_begin(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static void add_frame(GArray *list, const struct ab_frame *f)
{
	struct tally t = { f->token, f->begin_ns, MAX(f->begin_ns, f->end_ns),
			   f->pid, classify(f) };

	g_array_append_val(list, t);
}

/* Make one of a token's layers. */
static void merge_layers(GArray *list)
{
	guint i, kept = 0;

	g_array_sort(list, by_token);
	for (i = 0; i < list->len; i++) {
		const struct tally *t = &g_array_index(list, struct tally, i);
		struct tally *last =
			kept ? &g_array_index(list, struct tally, kept - 1)
			     : NULL;

		if (!last || by_token(last, t)) {
			g_array_index(list, struct tally, kept++) = *t;
			continue;
		}
		last->bits |= t->bits;
		last->begin_ns = MIN(last->begin_ns, t->begin_ns);
		last->end_ns = MAX(last->end_ns, t->end_ns);
	}
	g_array_set_size(list, kept);
}

static void count_token(struct ab_frame_counts *counts, guint32 bits)
{
	counts->total++;
	counts->app_missed += !!(bits & APP);
	counts->sf_missed += !!(bits & SF);
	counts->missed += !!(bits & (APP | SF | DROPPED));
	counts->dropped += !!(bits & DROPPED);
	counts->not_shown += !!(bits & NOT_SHOWN);
	counts->unclassified += !!(bits & UNCLASSIFIED);
	counts->open += !!(bits & OPEN);
}

static void add_intervals(GArray *list, struct ab_frame_counts *counts)
{
	gint64 drawn_ns = 0;
	guint i;

	g_array_sort(list, by_begin);
	for (i = 0; i < list->len; i++) {
		const struct tally *t = &g_array_index(list, struct tally, i);

		if (!i || t->pid != t[-1].pid) {
			drawn_ns = t->end_ns;
			continue;
		}
		if (t->begin_ns - drawn_ns <= IDLE_NS) {
			counts->intervals++;
			counts->active_ns =
				ab_ns_add(counts->active_ns,
					  t->begin_ns - t[-1].begin_ns);
		}
		drawn_ns = MAX(drawn_ns, t->end_ns);
	}
}

static void count(GArray *list, struct ab_frame_counts *counts_out)
{
	guint i;

	*counts_out = (struct ab_frame_counts){ 0 };
	merge_layers(list);
	for (i = 0; i < list->len; i++)
		count_token(counts_out,
			    g_array_index(list, struct tally, i).bits);
	add_intervals(list, counts_out);
}

void ab_frames_count(const struct ab_trace *trace, ab_frame_filter filter,
		     const void *user, struct ab_frame_counts *counts_out)
{
	g_autoptr(GArray) list =
		g_array_new(FALSE, FALSE, sizeof(struct tally));
	guint i;

	for (i = 0; i < trace->frames->len; i++) {
		const struct ab_frame *f =
			&g_array_index(trace->frames, struct ab_frame, i);

		if (filter(f, user))
			add_frame(list, f);
	}
	count(list, counts_out);
}

void ab_frames_count_made(const struct ab_made_frame *frames, guint n,
			  struct ab_frame_counts *counts_out)
{
	g_autoptr(GArray) list =
		g_array_new(FALSE, FALSE, sizeof(struct tally));
	guint i;

	for (i = 0; i < n; i++)
		add_frame(list, frames[i].frame);
	count(list, counts_out);
}

double ab_frames_rate(const struct ab_frame_counts *counts)
{
	if (!counts->active_ns)
		return NAN;
	return (double)counts->intervals * 1e9 / (double)counts->active_ns;
}

bool ab_frame_duration(const struct ab_frame *frame, gint64 *ns_out)
{
	*ns_out = frame->end_ns - frame->begin_ns;
	return frame->end_ns >= 0 && !(frame->jank & AB_JANK_DROPPED);
}

bool ab_frame_overrun(const struct ab_made_frame *made, gint64 *ns_out)
{
	gint64 duration_ns;

	*ns_out = made->frame->end_ns - made->deadline_ns;
	return made->deadline_ns >= 0 &&
	       ab_frame_duration(made->frame, &duration_ns);
}

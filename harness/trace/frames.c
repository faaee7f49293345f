// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze.h"

/* JankType */
#define JANK_NONE 0x1u
#define JANK_SF_SCHEDULING 0x2u
#define JANK_PREDICTION_ERROR 0x4u
#define JANK_DISPLAY_HAL 0x8u
#define JANK_SF_CPU_DEADLINE 0x10u
#define JANK_SF_GPU_DEADLINE 0x20u
#define JANK_APP_DEADLINE 0x40u
#define JANK_UNKNOWN 0x100u
#define JANK_DROPPED 0x400u
#define JANK_APP_JITTER 0x1000u
#define JANK_KNOWN 0xffffu

#define JANK_APP (JANK_APP_DEADLINE | JANK_APP_JITTER)
#define JANK_SF                                                          \
	(JANK_SF_SCHEDULING | JANK_PREDICTION_ERROR | JANK_DISPLAY_HAL | \
	 JANK_SF_CPU_DEADLINE | JANK_SF_GPU_DEADLINE)

#define PRESENT_DROPPED 4

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
	gint64 token;
	gint32 pid;
	guint32 bits;
};

static const char *const names[] = {
	"frames.app_missed",
	"frames.sf_missed",
	"frames.total",
	"frames.dropped",
	"frames.unclassified",
	"frames.open",
	NULL,
};

static guint32 classify(const struct ab_frame *f)
{
	guint32 bits = 0;

	if (f->jank & JANK_APP)
		bits |= APP;
	if (f->jank & JANK_SF)
		bits |= SF;
	if (f->jank & JANK_DROPPED)
		bits |= DROPPED;
	if ((f->jank & JANK_DROPPED) || f->present == PRESENT_DROPPED)
		bits |= NOT_SHOWN;
	if (!f->jank || (f->jank & (JANK_UNKNOWN | ~JANK_KNOWN)))
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

static void add_token(struct ab_frame_counts *counts, guint32 bits)
{
	counts->total++;
	counts->app_missed += !!(bits & APP);
	counts->sf_missed += !!(bits & SF);
	counts->dropped += !!(bits & DROPPED);
	counts->not_shown += !!(bits & NOT_SHOWN);
	counts->unclassified += !!(bits & UNCLASSIFIED);
	counts->open += !!(bits & OPEN);
}

void ab_frames_count(const struct ab_trace *trace, ab_frame_filter filter,
		     const void *user, struct ab_frame_counts *counts_out)
{
	g_autoptr(GArray) list =
		g_array_new(FALSE, FALSE, sizeof(struct tally));
	guint i, j;

	for (i = 0; i < trace->frames->len; i++) {
		const struct ab_frame *f =
			&g_array_index(trace->frames, struct ab_frame, i);
		struct tally t = { f->token, f->pid, classify(f) };

		if (filter(f, user))
			g_array_append_val(list, t);
	}
	g_array_sort(list, by_token);
	*counts_out = (struct ab_frame_counts){ 0 };
	for (i = 0; i < list->len; i = j) {
		struct tally t = g_array_index(list, struct tally, i);

		for (j = i + 1; j < list->len; j++) {
			struct tally *next =
				&g_array_index(list, struct tally, j);

			if (by_token(&t, next))
				break;
			t.bits |= next->bits;
		}
		add_token(counts_out, t.bits);
	}
}

/* Where the trace does not name the process, its layer may. */
static bool layer_names_ui(const struct ab_analysis *a,
			   const struct ab_frame *f)
{
	const char *const *name;

	if (!f->layer ||
	    g_hash_table_contains(a->trace->processes, GINT_TO_POINTER(f->pid)))
		return false;
	for (name = a->ui_processes; *name; name++)
		if (strstr(f->layer, *name))
			return true;
	return false;
}

static bool is_ui_frame(const struct ab_frame *f, const void *user)
{
	const struct ab_analysis *a = user;

	return f->kind == AB_FRAME_ACTUAL_SURFACE &&
	       ab_in_window(a, f->begin_ns) &&
	       (ab_ui_process(a, f->pid) || layer_names_ui(a, f));
}

/* The layers that there are, for someone who looked for another app. */
static char *list_layers(const struct ab_trace *trace)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	GString *text = g_string_new(NULL);
	guint i;

	for (i = 0; i < trace->frames->len; i++) {
		const char *layer =
			g_array_index(trace->frames, struct ab_frame, i).layer;

		if (!layer || !g_hash_table_add(seen, (gpointer)layer) ||
		    text->len > 200)
			continue;
		g_string_append_printf(text, "%s%.80s", text->len ? ", " : "",
				       layer);
	}
	if (!seen || !g_hash_table_size(seen))
		g_string_append(text, "none");
	return g_string_free(text, FALSE);
}

static void withhold_absent(struct ab_analysis *a)
{
	g_autofree char *layers = list_layers(a->trace);
	g_autofree char *who = g_strjoinv(", ", (char **)a->ui_processes);
	g_autofree char *reason = NULL;

	if (a->trace->frames->len)
		reason = g_strdup_printf("no frames of %s in the window; "
					 "layers seen: %s",
					 who, layers);
	else
		reason = g_strdup("no FrameTimeline events in the trace "
				  "(Android 12 or later has them)");
	ab_withhold_all(a, names, reason);
}

void ab_analyze_frames(struct ab_analysis *a)
{
	struct ab_frame_counts counts;

	if (ab_withhold_lost(a, a->trace->lost_frames, names))
		return;
	ab_frames_count(a->trace, is_ui_frame, a, &counts);
	if (!counts.total) {
		withhold_absent(a);
		return;
	}
	ab_run_data_set(a->data, "frames.app_missed",
			(double)counts.app_missed);
	ab_run_data_set(a->data, "frames.sf_missed", (double)counts.sf_missed);
	ab_run_data_set(a->data, "frames.total", (double)counts.total);
	ab_run_data_set(a->data, "frames.dropped", (double)counts.not_shown);
	ab_run_data_set(a->data, "frames.unclassified",
			(double)counts.unclassified);
	ab_run_data_set(a->data, "frames.open", (double)counts.open);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "thread_rules.h"
#include "why.h"

const char *ab_step_word(enum ab_step_state state)
{
	static const char *const words[AB_STEP_STATES] = {
		[AB_STEP_RUNNING] = "running", [AB_STEP_RUNNABLE] = "runnable",
		[AB_STEP_D] = "d_state",       [AB_STEP_S] = "s_state",
		[AB_STEP_QUEUED] = "queued",   [AB_STEP_AFTER] = "after",
		[AB_STEP_UNKNOWN] = "unknown",
	};

	return words[state];
}

const char *ab_why_text(const struct ab_why_context *c, guint32 text)
{
	return text ? g_string_chunk_insert_const(
			      c->why->texts, ab_trace_text(c->a->trace, text))
		    : NULL;
}

const char *ab_why_class(const struct ab_why_context *c, guint32 thread,
			 guint32 workqueue)
{
	const struct ab_trace *trace = c->a->trace;
	char name[AB_CLASS_MAX];

	ab_thread_class(c->a->rules, trace, ab_thread(trace->threads, thread),
			workqueue, name);
	return g_string_chunk_insert_const(c->why->texts, name);
}

static struct ab_why_thread name_thread(const struct ab_why_context *c,
					guint32 thread, guint32 workqueue,
					gint16 prio)
{
	const struct ab_thread *th;

	if (thread == AB_NO_THREAD)
		return (struct ab_why_thread){ .prio = AB_WHY_NO_PRIO };
	if (!thread)
		return (struct ab_why_thread){ "(interrupt)", "interrupt", 0,
					       AB_WHY_NO_PRIO };
	th = ab_thread(c->a->trace->threads, thread);
	return (struct ab_why_thread){
		.comm = th->comm ? ab_why_text(c, th->comm) : "(no name)",
		.class_name = ab_why_class(c, thread, workqueue),
		.tid = th->tid,
		.prio = prio == AB_PRIO_UNKNOWN ? AB_WHY_NO_PRIO : prio,
	};
}

static bool same_process(const struct ab_why_context *c,
			 const struct ab_link *link)
{
	const struct ab_threads *threads = c->a->trace->threads;
	gint32 tgid = ab_thread(threads, link->thread)->tgid;

	return link->waker != AB_NO_THREAD && link->waker && tgid >= 0 &&
	       ab_thread(threads, link->waker)->tgid == tgid;
}

static struct ab_why_step step_of(const struct ab_why_context *c,
				  const struct ab_link *link)
{
	bool on_cpu = link->state == AB_STEP_RUNNING ||
		      link->state == AB_STEP_RUNNABLE;

	return (struct ab_why_step){
		.begin_ns = link->begin_ns,
		.end_ns = link->end_ns,
		.state = link->state,
		.depth = link->depth,
		.thread = name_thread(c, link->thread, link->workqueue,
				      link->prio),
		.cpu = on_cpu ? link->cpu : -1,
		.ui = c->ui[link->thread],
		.function = ab_why_text(c, link->function),
		.workqueue = ab_why_text(c, link->workqueue),
		.device = ab_why_text(c, link->device),
		.waker = name_thread(c, link->waker, 0, AB_PRIO_UNKNOWN),
		.same_process = same_process(c, link),
		.other = name_thread(c,
				     link->others ? link->other : AB_NO_THREAD,
				     0, link->other_prio),
		.other_ns = link->other_ns,
		.others = link->others,
		.mechanism = -1,
	};
}

/* ---- the split ---- */

void ab_why_part_add(GArray *split, const char *name, gint64 ns)
{
	const struct ab_why_part part = { name, ns };
	guint i;

	for (i = 0; i < split->len; i++) {
		struct ab_why_part *p =
			&g_array_index(split, struct ab_why_part, i);

		if (!strcmp(p->name, name)) {
			p->ns = ab_ns_add(p->ns, ns);
			return;
		}
	}
	g_array_append_val(split, part);
}

static int by_length(const void *a, const void *b)
{
	const struct ab_why_part *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return strcmp(x->name, y->name);
}

void ab_why_parts_sort(GArray *split)
{
	g_array_sort(split, by_length);
}

/* "d_state.rpm_resume", "s_state.kworker.pm", "running". */
static const char *part_name(const struct ab_why_context *c,
			     const struct ab_why_step *step)
{
	const char *word = ab_step_word(step->state);
	const char *detail = NULL;
	g_autofree char *name = NULL;

	if (step->state == AB_STEP_D)
		detail = step->function ? step->function : "not_told";
	else if (step->state == AB_STEP_S)
		detail = step->waker.comm ? step->waker.class_name : "unknown";
	if (!detail)
		return word;
	name = g_strdup_printf("%s.%.*s", word, (int)strcspn(detail, ".+"),
			       detail);
	if (step->state == AB_STEP_S) {
		g_free(name);
		name = g_strdup_printf("%s.%s", word, detail);
	}
	return g_string_chunk_insert_const(c->why->texts, name);
}

/*
 * The steps of the frame's thread; but a sleep that a thread of its own
 * process ended is replaced by what that thread did meanwhile.
 */
static void split_time(const struct ab_why_context *c,
		       struct ab_why_frame *frame)
{
	guint depth = 0, i;

	for (i = 0; i < frame->steps->len; i++) {
		const struct ab_why_step *s =
			&g_array_index(frame->steps, struct ab_why_step, i);
		bool followed =
			i + 1 < frame->steps->len && s[1].depth > s->depth;

		if (s->depth > depth)
			continue;
		depth = s->depth;
		if (s->state == AB_STEP_S && s->same_process && followed)
			depth++;
		else
			ab_why_part_add(frame->split, part_name(c, s),
					s->end_ns - s->begin_ns);
	}
	ab_why_parts_sort(frame->split);
}

void ab_why_steps(const struct ab_why_context *c, const GArray *links,
		  struct ab_why_frame *frame)
{
	guint i;

	for (i = 0; i < links->len; i++) {
		const struct ab_why_step step =
			step_of(c, &g_array_index(links, struct ab_link, i));

		g_array_append_val(frame->steps, step);
	}
	split_time(c, frame);
}

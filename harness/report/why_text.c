// SPDX-License-Identifier: GPL-3.0-or-later
/* Missed frames and their chains as text. */
#include "parts.h"

#include <abrig/why_report.h>
#include <math.h>

#define MS 1e6
#define MOST_PARTS 6
/* What stands before a step's sentence. */
#define TIMES_WIDTH 21
#define COUNTS_WIDTH 27

static double ms(gint64 ns)
{
	return (double)ns / MS;
}

static char *text_of(const char *text)
{
	return text_ascii(text ? text : "");
}

/* "kworker/u16:3 40" */
static char *name_of(const struct ab_why_thread *t)
{
	g_autofree char *comm = text_of(t->comm);

	if (!t->comm)
		return g_strdup("an unknown thread");
	if (!t->tid)
		return g_strdup("an interrupt or an idle CPU");
	return g_strdup_printf("%s %d", comm, t->tid);
}

/* ", nice -10", ", RT 50"; the kernel's 0 is what migration threads have. */
static char *priority_of(const struct ab_why_thread *t)
{
	if (t->prio == AB_WHY_NO_PRIO)
		return g_strdup("");
	if (t->prio < 100)
		return g_strdup_printf(" (RT %d)", 99 - t->prio);
	return g_strdup_printf(" (nice %d)", t->prio - 120);
}

static void say_runnable(const struct ab_why_step *s, GString *text)
{
	g_autofree char *other = name_of(&s->other);
	g_autofree char *priority = priority_of(&s->other);

	g_string_append_printf(text, "waited for CPU %d", s->cpu);
	if (s->workqueue) {
		g_autofree char *wq = text_of(s->workqueue);

		g_string_append_printf(text, " for an item of %s", wq);
	}
	if (!s->other.comm)
		return;
	g_string_append_printf(text, "; %s%s had it %.3f ms", other, priority,
			       ms(s->other_ns));
	if (s->others > 1)
		g_string_append_printf(text, ", %u others too", s->others - 1);
}

static void say_sleep(const struct ab_why_step *s, GString *text)
{
	g_autofree char *function = text_of(s->function);
	g_autofree char *device = text_of(s->device);
	g_autofree char *waker = name_of(&s->waker);

	g_string_append(text, s->state == AB_STEP_D ? "slept (D)" : "slept");
	if (s->state == AB_STEP_D)
		g_string_append_printf(text, " in %s",
				       s->function ? function
						   : "a function not told");
	if (s->device)
		g_string_append_printf(text, " of %s", device);
	if (s->waker.comm)
		g_string_append_printf(text, "; woken by %s", waker);
}

static void say_running(const struct ab_why_step *s, GString *text)
{
	g_autofree char *function = text_of(s->function);
	g_autofree char *wq = text_of(s->workqueue);

	g_string_append_printf(text, "ran on CPU %d", s->cpu);
	if (s->function)
		g_string_append_printf(text, ": %s", function);
	if (s->workqueue)
		g_string_append_printf(text, " of %s", wq);
}

static void say_queued(const struct ab_why_step *s, GString *text)
{
	g_autofree char *function = text_of(s->function);
	g_autofree char *wq = text_of(s->workqueue);

	g_string_append_printf(text, "had an item of %s queued",
			       s->workqueue ? wq : "a workqueue");
	if (s->function)
		g_string_append_printf(text, " behind %s", function);
}

static char *sentence(const struct ab_why_step *s)
{
	GString *text = g_string_new(NULL);
	g_autofree char *name = name_of(&s->thread);
	g_autofree char *priority = priority_of(&s->thread);

	g_string_append_printf(text, "%s%s ", name, priority);
	switch (s->state) {
	case AB_STEP_RUNNING:
		say_running(s, text);
		break;
	case AB_STEP_RUNNABLE:
		say_runnable(s, text);
		break;
	case AB_STEP_D:
	case AB_STEP_S:
		say_sleep(s, text);
		break;
	case AB_STEP_QUEUED:
		say_queued(s, text);
		break;
	case AB_STEP_AFTER:
		g_string_append(text, "was done; GPU and display follow");
		break;
	default:
		g_string_append(text, s->thread.tid
					      ? "did what is not recorded"
					      : "queued it: the chain ends");
		break;
	}
	return g_string_free(text, FALSE);
}

/* @times at the margin, and @text behind it, wrapped. */
static void add_line(GString *out, const char *times, const char *text,
		     int indent)
{
	g_autoptr(GString) lines = g_string_new(NULL);

	text_wrap(lines, text, indent, indent + 2);
	g_string_append(out, times);
	g_string_append(out, lines->str + MIN(strlen(times), lines->len));
}

static void add_step(const struct ab_why_frame *f, const struct ab_why_step *s,
		     GString *out)
{
	g_autofree char *what = sentence(s);
	g_autofree char *times =
		g_strdup_printf("%c%9.3f %8.3f", s->mechanism < 0 ? ' ' : '*',
				-ms(f->end_ns - s->begin_ns),
				ms(s->end_ns - s->begin_ns));

	add_line(out, times, what, TIMES_WIDTH + 2 * (int)s->depth);
}

static const char *missed_by(const struct ab_why_frame *f)
{
	return f->by_sf ? "SurfaceFlinger" : "the app";
}

static char *split_text(const GArray *split, double divisor, guint most)
{
	GString *text = g_string_new(NULL);
	guint i;

	for (i = 0; i < MIN(most, split->len); i++) {
		const struct ab_why_part *p =
			&g_array_index(split, struct ab_why_part, i);

		g_string_append_printf(text, "%s%s %.3f ms", i ? ", " : "",
				       p->name, ms(p->ns) / divisor);
	}
	if (split->len > most)
		g_string_append(text, ", ...");
	return g_string_free(text, FALSE);
}

static void add_mechanisms(const struct ab_why *why,
			   const struct ab_why_frame *f, GString *out)
{
	g_autofree bool *said = g_new0(bool, why->mechanisms->len);
	guint i, n = 0;

	for (i = 0; i < f->steps->len; i++) {
		int m = g_array_index(f->steps, struct ab_why_step, i)
				.mechanism;
		g_autofree char *text = NULL;

		if (m < 0 || said[m])
			continue;
		said[m] = true;
		n++;
		text = g_strdup_printf(
			"* %s", g_array_index(why->mechanisms,
					      struct ab_mechanism, (guint)m)
					.text);
		text_wrap(out, text, 2, 4);
	}
	if (!n)
		g_string_append_printf(out, "  no wait >= %g ms\n",
				       ms(why->threshold_ns));
}

static void add_head(const struct ab_why *why, const struct ab_why_frame *f,
		     const char *file, GString *out)
{
	g_autofree char *process = text_of(f->process);
	g_autofree char *jank = text_of(f->jank);
	g_autofree char *name = text_of(file);
	g_autofree char *head =
		g_strdup_printf("frame %" G_GINT64_FORMAT
				" of %s (pid %d), missed by %s: %s",
				f->token, process, f->pid, missed_by(f), jank);

	text_wrap(out, name, 0, 2);
	text_wrap(out, head, 0, 2);
	if (f->deadline_ns >= 0)
		g_string_append_printf(
			out, "  took %.3f ms, %.3f ms after its deadline\n",
			ms(f->end_ns - f->begin_ns),
			ms(f->end_ns - f->deadline_ns));
	g_string_append_printf(
		out,
		"  Perfetto UI: %.9f s, ts %" G_GINT64_FORMAT " (its begin)\n",
		(double)(f->begin_ns - why->trace_begin_ns) / 1e9, f->begin_ns);
}

void ab_why_chain(const struct ab_why *why, const struct ab_why_frame *f,
		  const char *file, GString *out)
{
	g_autofree char *split = split_text(f->split, 1, MOST_PARTS);
	guint i;

	add_head(why, f, file, out);
	if (f->not_explained) {
		g_string_append_printf(out, "  not explained: %s\n",
				       f->not_explained);
		return;
	}
	g_string_append(out, "\nbegin, before   for  what, the latest first\n"
			     "  the end, ms    ms\n");
	for (i = 0; i < f->steps->len; i++)
		add_step(f, &g_array_index(f->steps, struct ab_why_step, i),
			 out);
	if (f->cut)
		g_string_append(out, "  not all of it is known\n");
	g_string_append(out, "\nits time\n");
	text_wrap(out, split, 2, 4);
	g_string_append(out, "waits\n");
	add_mechanisms(why, f, out);
}

/* ---- all of them ---- */

static const char *first_mechanism(const struct ab_why *why,
				   const struct ab_why_frame *f)
{
	const struct ab_why_step *longest = NULL;
	guint i;

	for (i = 0; i < f->steps->len; i++) {
		const struct ab_why_step *s =
			&g_array_index(f->steps, struct ab_why_step, i);

		/* The deepest explains those around it. */
		if (s->mechanism >= 0 &&
		    (!longest || s->depth > longest->depth))
			longest = s;
	}
	if (f->not_explained)
		return f->not_explained;
	if (!longest)
		return "-";
	return g_array_index(why->mechanisms, struct ab_mechanism,
			     (guint)longest->mechanism)
		.id;
}

static void add_frame(const struct ab_why *why, guint i, GString *out)
{
	const struct ab_why_frame *f = why->frames->pdata[i];
	g_autofree char *late =
		f->deadline_ns < 0
			? g_strdup("-")
			: g_strdup_printf("%.3f",
					  ms(f->end_ns - f->deadline_ns));

	g_string_append_printf(
		out, "%5u %9" G_GINT64_FORMAT " %13.6f %8s  %-3s  %.30s\n",
		i + 1, f->token,
		(double)(f->begin_ns - why->trace_begin_ns) / 1e9, late,
		f->by_sf ? "SF" : "app", first_mechanism(why, f));
}

static void add_row(GString *out, guint frames, gint64 waits, gint64 off,
		    const char *text)
{
	g_autofree char *n = waits < 0 ? g_strdup("-") : number_int(waits);
	g_autofree char *m = waits < 0 ? g_strdup("-") : number_int(off);
	g_autofree char *counts = g_strdup_printf("%6u %8s %9s", frames, n, m);

	add_line(out, counts, text, COUNTS_WIDTH);
}

static void add_table(const struct ab_why *why, GString *out)
{
	g_autofree char *none =
		g_strdup_printf("no wait >= %g ms", ms(why->threshold_ns));
	guint i;

	g_string_append(out, "\nmissed           on no\n"
			     "frames    waits   chain  mechanism\n");
	for (i = 0; i < why->mechanisms->len; i++) {
		const struct ab_mechanism *m =
			&g_array_index(why->mechanisms, struct ab_mechanism, i);

		if (m->frames || m->waits > 0)
			add_row(out, m->frames, m->waits, m->elsewhere,
				m->text);
	}
	add_row(out, why->none, -1, -1, none);
}

void ab_why_list(const struct ab_why *why, const char *file, GString *out)
{
	g_autofree char *name = text_of(file);
	g_autofree char *head =
		g_strdup_printf("%s: %u missed frames, %u explained", name,
				why->frames->len, why->explained);
	guint i;

	text_wrap(out, head, 0, 2);
	if (why->not_kept)
		g_string_append_printf(out, "  %u earlier ones are not kept\n",
				       why->not_kept);
	if (why->withheld)
		text_wrap(out, why->withheld, 2, 2);
	if (!why->frames->len)
		return;
	g_string_append(out, "\n    N     token  begin, s      late, ms  by   "
			     "mechanism\n");
	for (i = 0; i < why->frames->len; i++)
		add_frame(why, i, out);
	add_table(why, out);
	if (why->explained) {
		g_autofree char *split =
			split_text(why->split, why->explained, MOST_PARTS);

		g_string_append(out, "\ntime of a missed frame, mean\n");
		text_wrap(out, split, 2, 2);
	}
}

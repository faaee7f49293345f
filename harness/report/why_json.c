// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

#include <abrig/why_report.h>

#define VERSION 1

static void add_thread(JsonBuilder *b, const char *key,
		       const struct ab_why_thread *t)
{
	if (!t->comm)
		return;
	json_begin(b, key, false);
	json_text(b, "comm", t->comm);
	json_int(b, "tid", t->tid);
	json_text(b, "class", t->class_name);
	if (t->prio != AB_WHY_NO_PRIO)
		json_int(b, "prio", t->prio);
	json_builder_end_object(b);
}

static void add_text(JsonBuilder *b, const char *key, const char *text)
{
	if (text)
		json_text(b, key, text);
}

static void add_step(JsonBuilder *b, const struct ab_why *why,
		     const struct ab_why_step *s)
{
	json_begin(b, NULL, false);
	json_int(b, "begin_ns", s->begin_ns);
	json_int(b, "end_ns", s->end_ns);
	json_text(b, "state", ab_step_word(s->state));
	json_int(b, "depth", s->depth);
	add_thread(b, "thread", &s->thread);
	if (s->cpu >= 0)
		json_int(b, "cpu", s->cpu);
	add_text(b, "function", s->function);
	add_text(b, "workqueue", s->workqueue);
	add_text(b, "device", s->device);
	add_thread(b, "waker", &s->waker);
	add_thread(b, "other", &s->other);
	if (s->others) {
		json_int(b, "other_ns", s->other_ns);
		json_int(b, "others", s->others);
	}
	if (s->mechanism >= 0)
		json_text(b, "mechanism",
			  g_array_index(why->mechanisms, struct ab_mechanism,
					(guint)s->mechanism)
				  .id);
	json_builder_end_object(b);
}

static void add_split(JsonBuilder *b, const GArray *split)
{
	guint i;

	json_begin(b, "split_ns", false);
	for (i = 0; i < split->len; i++) {
		const struct ab_why_part *p =
			&g_array_index(split, struct ab_why_part, i);

		json_int(b, p->name, p->ns);
	}
	json_builder_end_object(b);
}

static void add_frame(JsonBuilder *b, const struct ab_why *why,
		      const struct ab_why_frame *f)
{
	guint i;

	json_begin(b, NULL, false);
	json_int(b, "token", f->token);
	json_int(b, "pid", f->pid);
	json_text(b, "process", f->process);
	add_text(b, "layer", f->layer);
	json_text(b, "jank", f->jank);
	json_text(b, "missed_by", f->by_sf ? "surfaceflinger" : "app");
	json_int(b, "begin_ns", f->begin_ns);
	json_int(b, "end_ns", f->end_ns);
	if (f->deadline_ns >= 0)
		json_int(b, "deadline_ns", f->deadline_ns);
	add_text(b, "not_explained", f->not_explained);
	json_bool(b, "cut", f->cut);
	json_begin(b, "steps", true);
	for (i = 0; i < f->steps->len; i++)
		add_step(b, why,
			 &g_array_index(f->steps, struct ab_why_step, i));
	json_builder_end_array(b);
	add_split(b, f->split);
	json_builder_end_object(b);
}

static void add_mechanism(JsonBuilder *b, const struct ab_mechanism *m)
{
	json_begin(b, NULL, false);
	json_text(b, "id", m->id);
	json_text(b, "text", m->text);
	json_int(b, "frames", m->frames);
	json_int(b, "on_chain", m->on_chain);
	if (m->waits >= 0) {
		json_int(b, "waits", m->waits);
		json_int(b, "off_chain", m->elsewhere);
	}
	json_int(b, "longest_ns", m->longest_ns);
	json_builder_end_object(b);
}

void ab_why_json(const struct ab_why *why, const struct ab_why_frame *frame,
		 const char *file, GString *out)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	guint i;

	json_begin(b, NULL, false);
	json_int(b, "version", VERSION);
	json_text(b, "file", file);
	json_int(b, "trace_begin_ns", why->trace_begin_ns);
	json_int(b, "threshold_ns", why->threshold_ns);
	add_text(b, "withheld", why->withheld);
	json_int(b, "explained", why->explained);
	json_int(b, "not_kept", why->not_kept);
	json_int(b, "none", why->none);
	json_begin(b, "mechanisms", true);
	for (i = 0; i < why->mechanisms->len; i++)
		add_mechanism(b, &g_array_index(why->mechanisms,
						struct ab_mechanism, i));
	json_builder_end_array(b);
	add_split(b, why->split);
	json_begin(b, "frames", true);
	for (i = 0; i < why->frames->len; i++)
		if (!frame || frame == why->frames->pdata[i])
			add_frame(b, why, why->frames->pdata[i]);
	json_builder_end_array(b);
	json_builder_end_object(b);
	json_finish(b, true, out);
}

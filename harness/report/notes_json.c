// SPDX-License-Identifier: GPL-3.0-or-later
#include "notes.h"

#include <math.h>

static const char *variant_of(const struct ab_report *report,
			      const struct ab_note *note)
{
	return note->variant == AB_NOTE_BOTH ? NULL
					     : report->variants[note->variant];
}

static void add_adjusted(JsonBuilder *b, const struct ab_note_adjusted *a)
{
	json_begin(b, "adjusted", false);
	json_number(b, "diff", a->diff);
	json_number(b, "diff_lo", a->lo);
	json_number(b, "diff_hi", a->hi);
	json_number(b, "pct", a->pct);
	json_number(b, "pct_lo", a->pct_lo);
	json_number(b, "pct_hi", a->pct_hi);
	json_text(b, "basis", a->basis);
	json_int(b, "blocks", a->blocks);
	json_builder_end_object(b);
}

static void add_places(JsonBuilder *b, const struct ab_report *report,
		       const struct ab_note *note)
{
	json_begin(b, "places", true);
	for (size_t i = 0; i < note->n_places; i++) {
		const struct ab_note_place *place = &note->places[i];

		json_begin(b, NULL, false);
		json_text(b, "variant", report->variants[place->variant]);
		json_int(b, "device", place->device);
		json_int(b, "block", place->block);
		json_int(b, "session", place->session);
		if (place->position >= 0)
			json_int(b, "position", place->position);
		json_number(b, "value", place->value);
		json_number(b, "score", place->score);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void add_outliers(JsonBuilder *b, const struct ab_report *report,
			 const struct ab_note *note)
{
	json_int(b, "runs", note->runs);
	json_int(b, "boots", note->boots);
	json_number(b, "hodges_lehmann", note->robust);
	add_places(b, report, note);
}

static void add_devices(JsonBuilder *b, const struct ab_note *note)
{
	json_number(b, "q", note->q);
	json_begin(b, "devices", true);
	for (size_t i = 0; i < note->n_devices; i++) {
		const struct ab_note_device *dev = &note->devices[i];

		json_begin(b, NULL, false);
		json_int(b, "device", dev->device);
		json_int(b, "blocks", dev->blocks);
		json_number(b, "diff", dev->diff);
		json_number(b, "se", dev->se);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void add_note(JsonBuilder *b, const struct ab_report *report,
		     const struct ab_note *note)
{
	json_begin(b, NULL, false);
	json_text(b, "kind", ab_note_name(note->kind));
	json_text(b, "variant", variant_of(report, note));
	json_bool(b, "noticed", note->noticed);
	json_number(b, "p", note->p);
	json_number(b, "size", note->size);
	json_number(b, "size_pct", note->size_pct);
	json_int(b, "n", note->n);
	if (note->adjusted.basis) {
		json_number(b, "range", note->range);
		add_adjusted(b, &note->adjusted);
	}
	if (note->kind == AB_NOTE_OUTLIERS)
		add_outliers(b, report, note);
	if (note->n_devices > 0)
		add_devices(b, note);
	json_builder_end_object(b);
}

/* What devices say is of use without a difference, too. */
void notes_json(JsonBuilder *b, const struct ab_report *report,
		const struct ab_notes *notes)
{
	json_begin(b, "noticed", true);
	for (size_t i = 0; i < notes->n; i++)
		if (notes->notes[i].noticed ||
		    notes->notes[i].kind == AB_NOTE_DEVICES)
			add_note(b, report, &notes->notes[i]);
	json_builder_end_array(b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The measured window of a run: markers in the kernel's trace for what is
 * traced, and the phone's CLOCK_BOOTTIME for everything else.  Kept beside the
 * artefacts as window.json.
 */
#ifndef ABRIG_WINDOW_H
#define ABRIG_WINDOW_H

#include <abrig/phone.h>

struct ab_window {
	gint64 begin_ms, end_ms; /* CLOCK_BOOTTIME of the phone */
};

bool ab_window_begin(struct ab_phone *phone, const struct ab_wait *w,
		     struct ab_window *window, GError **error);
bool ab_window_end(struct ab_phone *phone, const struct ab_wait *w,
		   struct ab_window *window, GError **error);
bool ab_window_save(const struct ab_window *window, const char *dir,
		    GError **error);
/* AB_ERROR_DATA when the file is absent or says nothing usable. */
bool ab_window_load(const char *dir, struct ab_window *window_out,
		    GError **error);

#endif

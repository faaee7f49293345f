// SPDX-License-Identifier: GPL-3.0-or-later
#include "jank.h"

static const struct {
	guint32 bit;
	const char *name;
} names[] = {
	{ AB_JANK_SF_SCHEDULING, "SurfaceFlinger Scheduling" },
	{ AB_JANK_PREDICTION_ERROR, "Prediction Error" },
	{ AB_JANK_DISPLAY_HAL, "Display HAL" },
	{ AB_JANK_SF_CPU_DEADLINE, "SurfaceFlinger CPU Deadline Missed" },
	{ AB_JANK_SF_GPU_DEADLINE, "SurfaceFlinger GPU Deadline Missed" },
	{ AB_JANK_APP_DEADLINE, "App Deadline Missed" },
	{ AB_JANK_APP_JITTER, "App Resynced Jitter" },
	{ AB_JANK_BUFFER_STUFFING, "Buffer Stuffing" },
	{ AB_JANK_UNKNOWN, "Unknown Jank" },
	{ AB_JANK_SF_STUFFING, "SurfaceFlinger Stuffing" },
	{ AB_JANK_DROPPED, "Dropped Frame" },
	{ AB_JANK_NON_ANIMATING, "Non Animating" },
	{ AB_JANK_DISPLAY_OFF, "Display not ON" },
	{ AB_JANK_MODE_CHANGE, "ModeChange in progress" },
	{ AB_JANK_POWER_CHANGE, "PowerModeChange in progress" },
};

char *ab_jank_text(guint32 jank)
{
	GString *text = g_string_new(NULL);
	guint32 rest = jank & ~AB_JANK_KNOWN;
	guint i;

	if (!jank)
		g_string_append(text, "Unspecified");
	else if (jank == AB_JANK_NONE)
		g_string_append(text, "None");
	for (i = 0; i < G_N_ELEMENTS(names); i++)
		if (jank & names[i].bit)
			g_string_append_printf(text, "%s%s",
					       text->len ? ", " : "",
					       names[i].name);
	if (rest)
		g_string_append_printf(text, "%s%#x", text->len ? ", " : "",
				       rest);
	return g_string_free(text, FALSE);
}

char *ab_present_text(guint8 present)
{
	static const char *const texts[AB_PRESENT_TYPES] = {
		"Unspecified Present", "On-time Present", "Late Present",
		"Early Present",       "Dropped Frame",	  "Unknown Present",
	};

	if (present < AB_PRESENT_TYPES)
		return g_strdup(texts[present]);
	return g_strdup_printf("%u", present);
}

static bool is_not_perceived(guint32 jank)
{
	return jank == AB_JANK_NON_ANIMATING || jank == AB_JANK_DISPLAY_OFF ||
	       jank == AB_JANK_POWER_CHANGE;
}

static const char *surface_tag(const struct ab_frame *f)
{
	if (f->jank & (AB_JANK_BY_APP | AB_JANK_UNKNOWN))
		return "Self Jank";
	if (f->jank & AB_JANK_BY_SF)
		return "Other Jank";
	if (f->jank == AB_JANK_BUFFER_STUFFING)
		return "Buffer Stuffing";
	if (f->jank == AB_JANK_SF_STUFFING)
		return "SurfaceFlinger Stuffing";
	if (f->present == AB_PRESENT_DROPPED)
		return "Dropped Frame";
	return is_not_perceived(f->jank) ? "Non-perceivable Jank" : "No Jank";
}

static const char *display_tag(const struct ab_frame *f)
{
	if (f->jank & AB_JANK_BY_SF)
		return "Self Jank";
	if (f->jank == AB_JANK_SF_STUFFING)
		return "SurfaceFlinger Stuffing";
	if (f->jank == AB_JANK_DROPPED)
		return "Dropped Frame";
	return is_not_perceived(f->jank) ? "Non-perceivable Jank" : "No Jank";
}

const char *ab_jank_tag(const struct ab_frame *frame)
{
	if (!frame->jank)
		return "Unspecified";
	return frame->kind == AB_FRAME_ACTUAL_SURFACE ? surface_tag(frame)
						      : display_tag(frame);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "clip.h"

#include <glib.h>
#include <string.h>

#define CLIP_MAX 200

char *ab_clip(const char *text, size_t len)
{
	g_autofree char *head = g_strndup(text, MIN(len, CLIP_MAX));
	char *valid = g_utf8_make_valid(head, -1);
	char *p;

	for (p = valid; *p; p++)
		if (g_ascii_iscntrl(*p))
			*p = ' ';
	g_strstrip(valid);
	if (len <= CLIP_MAX)
		return valid;
	p = g_strconcat(valid, "...", NULL);
	g_free(valid);
	return p;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What perfetto.c and perfetto_config.c share. */
#ifndef VPHONE_PERFETTO_H
#define VPHONE_PERFETTO_H

#include "vphone.h"

/* A checked configuration. */
struct vp_config {
	struct vp_trace_request wants; /* only what is asked for is set */
	gint64 duration_ns;	       /* 0: until stopped */
	GByteArray *pb;		       /* serialised TraceConfig */
	GPtrArray *unknown;	       /* char *, NULL-terminated */
};

/*
 * Parse @text, called @file in messages.  The error's message is what the
 * command prints.
 */
bool vp_config_parse(struct vp_config *config, const char *file,
		     const char *text, GError **error);
void vp_config_clear(struct vp_config *config);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace in memory and its run data. */
#ifndef UNIT_TRACE_RESULT_H
#define UNIT_TRACE_RESULT_H

#include <abrig/trace.h>

#include "run_data.h"

struct result {
	struct ab_trace *trace;
	struct ab_run_data *data;
};

static inline struct result result_of(const void *bytes, gsize size)
{
	struct result r = { .data = ab_run_data_new() };
	GError *error = NULL;

	r.trace = ab_trace_open_bytes(bytes, size, NULL, &error);
	g_assert_no_error(error);
	ab_trace_analyze(r.trace, NULL, r.data);
	return r;
}

static inline void done(struct result *r)
{
	ab_trace_free(r->trace);
	ab_run_data_free(r->data);
}

/* The samples @name of @r, all of them. */
#define EXPECT(r, name, ...)                                      \
	expect_samples((r)->data, name,                           \
		       G_N_ELEMENTS(((double[]){ __VA_ARGS__ })), \
		       (const double[]){ __VA_ARGS__ })

#endif

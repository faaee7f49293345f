// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * ftrace text and systrace pages, from bytes to what the events leave behind.
 *
 *	clang -fsanitize=fuzzer,address,undefined ... fuzz-trace-text.c LIBRARY
 */
#include <abrig/trace.h>

#include "../../harness/trace/event.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
	struct ab_trace *trace;

	if (!ab_source_text.recognise((struct ab_bytes){ data, size }))
		return 0;
	trace = ab_trace_open_bytes(data, size, NULL, NULL);
	if (trace)
		ab_trace_free(trace);
	return 0;
}

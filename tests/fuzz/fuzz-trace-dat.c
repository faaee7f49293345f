// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * trace-cmd files, from bytes to samples, with the processes that decode them.
 *
 *	clang -fsanitize=fuzzer,address,undefined ... fuzz-trace-dat.c LIBRARY
 */
#include <abrig/trace.h>

#include "../../harness/trace/event.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);
const char *__asan_default_options(void);

/* The sanitizer's address space has no bound; this stands in for it. */
const char *__asan_default_options(void)
{
	return "max_allocation_size_mb=256:allocator_may_return_null=1";
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
	struct ab_trace *trace;
	struct ab_run_data *values;

	if (!ab_source_dat.recognise((struct ab_bytes){ data, size }))
		return 0;
	trace = ab_trace_open_bytes(data, size, NULL, NULL);
	if (!trace)
		return 0;
	values = ab_run_data_new();
	ab_trace_analyze(trace, NULL, values);
	ab_run_data_free(values);
	ab_trace_free(trace);
	return 0;
}

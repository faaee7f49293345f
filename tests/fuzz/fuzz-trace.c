// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The whole way of a trace from bytes to samples.
 *
 *	clang -fsanitize=fuzzer,address,undefined ... fuzz-trace.c LIBRARY
 */
#include <abrig/trace.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
	struct ab_trace *trace = ab_trace_open_bytes(data, size, NULL, NULL);
	struct ab_run_data *values;

	if (!trace)
		return 0;
	values = ab_run_data_new();
	ab_trace_analyze(trace, NULL, values);
	ab_run_data_free(values);
	ab_trace_free(trace);
	return 0;
}

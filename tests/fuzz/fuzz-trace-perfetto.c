// SPDX-License-Identifier: GPL-3.0-or-later
/* A Perfetto trace's whole way from bytes to samples and tables. */
#include <abrig/trace.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static void analyze(struct ab_trace *trace)
{
	ab_autoptr(ab_run_data) values = ab_run_data_new();
	struct ab_table *samples;
	guint i;

	ab_trace_analyze(trace, NULL, values);
	g_ptr_array_unref(ab_trace_tables(trace, NULL));
	for (i = 0; ab_trace_samples(trace, NULL, i, &samples); i++)
		if (samples)
			ab_table_free(samples);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
	/* Other formats have fuzzers of their own. */
	struct ab_trace *trace =
		size && *data == 0x0a
			? ab_trace_open_bytes(data, size, NULL, NULL)
			: NULL;

	if (trace)
		analyze(trace);
	ab_trace_free(trace);
	return 0;
}

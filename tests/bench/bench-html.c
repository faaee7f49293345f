// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * bench-html FILE [RUNS [METRICS [SAMPLES]]]: write the page of a report of
 * that size, with SAMPLES samples per run and set, and say how long it took.
 */
#include "../unit/html_report.h"

#include <abrig/text.h>
#include <stdio.h>

static size_t argument(int argc, char **argv, int i, size_t otherwise)
{
	gint64 n;

	return i < argc && ab_text_to_int(argv[i], &n) && n > 0 ? (size_t)n
								: otherwise;
}

int main(int argc, char **argv)
{
	struct made_size size = {
		.runs = argument(argc, argv, 2, 500),
		.metrics = argument(argc, argv, 3, 60),
		.samples = argument(argc, argv, 4, 200),
	};
	g_autoptr(GString) page = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	struct made *made;
	gint64 began;
	double seconds;

	if (argc < 2) {
		fprintf(stderr, "usage: %s FILE [RUNS [METRICS [SAMPLES]]]\n",
			argv[0]);
		return 2;
	}
	made = made_new(&size);
	began = g_get_monotonic_time();
	ab_report_find("html")->write(&made->report, page);
	seconds = (double)(g_get_monotonic_time() - began) / 1e6;
	made_free(made);
	if (!g_file_set_contents(argv[1], page->str, (gssize)page->len,
				 &error)) {
		fprintf(stderr, "%s\n", error->message);
		return 1;
	}
	printf("%zu runs, %zu metrics: %.2f MB written in %.2f s\n", size.runs,
	       size.metrics, (double)page->len / 1e6, seconds);
	return 0;
}

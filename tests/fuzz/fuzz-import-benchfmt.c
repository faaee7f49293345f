// SPDX-License-Identifier: GPL-3.0-or-later
/* clang -fsanitize=fuzzer,address,undefined: any bytes as Go benchmarks. */
#include "import.h"

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size);

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size)
{
	static const char *const split[] = { "goos", NULL };
	const struct ab_import_options plain = { .unit = "ms" };
	const struct ab_import_options by = {
		.names = { [AB_IMPORT_VARIANT] = "arm" },
		.split = split,
	};

	import_any(&plain, &import_benchfmt, data, size);
	import_any(&by, &import_benchfmt, data, size);
	return 0;
}

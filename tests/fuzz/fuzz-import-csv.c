// SPDX-License-Identifier: GPL-3.0-or-later
/* clang -fsanitize=fuzzer,address,undefined: any bytes as a table. */
#include "import.h"

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size);

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size)
{
	static const char *const columns[] = { "a", "2", NULL };
	static const char *const split[] = { "id", NULL };
	const struct ab_import_options plain = { .unit = "ms" };
	const struct ab_import_options wide = { .columns = columns };
	const struct ab_import_options by_file = { .split = split,
						   .by_file = true };

	import_any(&plain, &import_csv, data, size);
	import_any(&wide, &import_csv, data, size);
	import_any(&by_file, &import_csv, data, size);
	return 0;
}

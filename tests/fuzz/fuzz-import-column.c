// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * clang -fsanitize=fuzzer,address,undefined: any bytes as columns, and as
 * whatever they are recognised as.
 */
#include "import.h"

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size);

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size)
{
	static const char *const columns[] = { "time", "2", NULL };
	const struct ab_import_options plain = { .unit = NULL };
	const struct ab_import_options named = { .columns = columns };

	import_any(&plain, &import_column, data, size);
	import_any(&named, &import_column, data, size);
	import_any(&plain, NULL, data, size);
	return 0;
}

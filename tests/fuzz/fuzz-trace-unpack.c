// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Any bytes as zlib, gzip or zstd (the first byte says which), and as a trace
 * of compressed packets; some of it in a file, and little of it allowed.
 */
#include "../../harness/trace/perfetto_unpack.h"
#include "../../harness/trace/unpack.h"

#define CEILING ((gsize)1 << 20)
#define MEMORY ((gsize)64 << 10)

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static void check(struct ab_spool *spool, bool done, GError *error)
{
	struct ab_bytes bytes;

	if (done == !!error)
		g_error("failed without a reason, or the reverse");
	g_clear_error(&error);
	if (!ab_spool_bytes(spool, 0, &bytes, NULL) || bytes.n > CEILING ||
	    bytes.n != ab_spool_size(spool))
		g_error("the spool does not hold its contents");
}

static void as_stream(enum ab_packing packing, struct ab_bytes bytes)
{
	ab_autoptr(ab_spool) spool = ab_spool_new(CEILING, MEMORY);
	GError *error = NULL;
	enum ab_unpacked end = ab_unpack(packing, bytes, spool, NULL, &error);

	check(spool, end != AB_UNPACKED_NOT, error);
}

static void as_trace(struct ab_bytes bytes)
{
	ab_autoptr(ab_spool) spool = ab_spool_new(CEILING, MEMORY);
	GError *error = NULL;
	guint64 skipped = 0;
	bool done = pf_unpack(bytes, spool, &skipped, NULL, &error);

	check(spool, done, error);
	if (skipped > bytes.n)
		g_error("skipped more than there is");
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
	if (!size)
		return 0;
	as_stream(*data & 1 ? AB_PACKING_ZSTD : AB_PACKING_ZLIB,
		  (struct ab_bytes){ data + 1, size - 1 });
	as_trace((struct ab_bytes){ data, size });
	return 0;
}

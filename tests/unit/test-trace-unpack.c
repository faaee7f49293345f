// SPDX-License-Identifier: GPL-3.0-or-later
/* Compressed bytes and damaged files, before any decoder sees them. */
#include <abrig/error.h>
#include <signal.h>
#include <sys/resource.h>

#include "../../harness/trace/perfetto_unpack.h"
#include "../../harness/trace/perfetto_walk.h"
#include "../../harness/trace/unpack.h"
#include "trace_writer.h"
#include "zlib_pack.h"
#include "zstd_pack.h"

#define ZSTD 0

#define NO_CEILING ((gsize)1 << 40)

static struct ab_bytes bytes_of(const GByteArray *a)
{
	return (struct ab_bytes){ a->data, a->len };
}

static GByteArray *pack(const GByteArray *plain, int format)
{
	return format == ZSTD ? zstd_pack(plain) : zlib_pack(plain, format);
}

/* Compressible, but not without limit. */
static GByteArray *text(guint size)
{
	GByteArray *a = g_byte_array_new();
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	guint i;

	g_byte_array_set_size(a, size);
	for (i = 0; i < size; i++)
		a->data[i] = (guint8)g_rand_int_range(rand, 'a', 'i');
	return a;
}

static enum ab_packing packing(int format)
{
	return format == ZSTD ? AB_PACKING_ZSTD : AB_PACKING_ZLIB;
}

static void expect_bytes(struct ab_spool *spool, const guint8 *p, gsize n)
{
	struct ab_bytes bytes;

	g_assert_true(ab_spool_bytes(spool, 0, &bytes, NULL));
	g_assert_cmpmem(bytes.p, bytes.n, p, n);
}

/* ---- the spool ---- */

static void test_spool(void)
{
	static const gsize memory[] = { 0, 1, 10, 4096, 1 << 20 };
	g_autoptr(GByteArray) plain = text(20000);
	struct ab_bytes bytes;
	guint i, at;

	for (i = 0; i < G_N_ELEMENTS(memory); i++) {
		ab_autoptr(ab_spool) s = ab_spool_new(NO_CEILING, memory[i]);

		expect_bytes(s, NULL, 0);
		for (at = 0; at < plain->len; at += 100)
			g_assert_true(ab_spool_append(
				s, (struct ab_bytes){ plain->data + at, 100 },
				NULL));
		expect_bytes(s, plain->data, plain->len);
		/* What is appended behind a shorter rest takes its place. */
		ab_spool_truncate(s, 5000);
		expect_bytes(s, plain->data, 5000);
		g_assert_true(ab_spool_append(
			s, (struct ab_bytes){ plain->data + 5000, 15000 },
			NULL));
		g_assert_true(ab_spool_bytes(s, 19990, &bytes, NULL));
		g_assert_cmpmem(bytes.p, bytes.n, plain->data + 19990, 10);
		expect_bytes(s, plain->data, plain->len);
	}
}

static void test_ceiling(void)
{
	ab_autoptr(ab_spool) s = ab_spool_new(10, 5);
	struct ab_bytes bytes = { (const guint8 *)"0123456789a", 11 };
	g_autoptr(GError) error = NULL;

	g_assert_false(ab_spool_append(s, bytes, &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
	g_assert_true(ab_spool_full(s));
	bytes.n = 10;
	g_assert_true(ab_spool_append(s, bytes, NULL));
	expect_bytes(s, bytes.p, 10);
	g_assert_cmpuint(ab_unpack_ceiling(0), ==, 16 << 20);
	g_assert_cmpuint(ab_unpack_ceiling(1 << 20), ==, 116 << 20);
	g_assert_cmpuint(ab_unpack_ceiling(G_MAXSIZE), ==, G_MAXSSIZE);
}

/* As on a full disk: the kernel refuses to let the file grow. */
static void test_full_disk(void)
{
	const struct rlimit small = { 4096, RLIM_INFINITY };
	ab_autoptr(ab_spool) s = ab_spool_new(NO_CEILING, 100);
	g_autoptr(GByteArray) plain = text(5000);
	g_autoptr(GError) error = NULL;
	struct rlimit before;
	bool stored;

	signal(SIGXFSZ, SIG_IGN);
	g_assert_cmpint(getrlimit(RLIMIT_FSIZE, &before), ==, 0);
	g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &small), ==, 0);
	g_assert_true(
		ab_spool_append(s, (struct ab_bytes){ plain->data, 50 }, NULL));
	stored = ab_spool_append(s, bytes_of(plain), &error);
	setrlimit(RLIMIT_FSIZE, &before);
	g_assert_true(!stored || !ab_spool_append(s, bytes_of(plain), &error));
	g_assert_error(error, AB_ERROR, AB_ERROR_ENV);
	g_assert_nonnull(strstr(error->message, g_get_tmp_dir()));
	g_assert_nonnull(strstr(error->message, "TMPDIR"));
}

/* ---- streams ---- */

static const int formats[] = { ZLIB, GZIP, ZSTD };

static void test_round_trip(void)
{
	static const guint sizes[] = { 0, 1, 65535, 65536, 65537, 1000000 };
	guint i, k;

	for (i = 0; i < G_N_ELEMENTS(formats); i++)
		for (k = 0; k < G_N_ELEMENTS(sizes); k++) {
			ab_autoptr(ab_spool) s =
				ab_spool_new(NO_CEILING, 100000);
			g_autoptr(GByteArray) plain = text(sizes[k]);
			g_autoptr(GByteArray) packed = pack(plain, formats[i]);
			g_autoptr(GError) error = NULL;

			g_assert_cmpint(ab_unpack(packing(formats[i]),
						  bytes_of(packed), s, NULL,
						  &error),
					==, AB_UNPACKED_WHOLE);
			g_assert_no_error(error);
			expect_bytes(s, plain->data, plain->len);
			g_assert_true(ab_packing_of(bytes_of(packed)) ==
				      (formats[i] == ZLIB
					       ? AB_PACKING_NONE
					       : packing(formats[i])));
		}
}

static void add(GByteArray *a, GByteArray *b)
{
	g_byte_array_append(a, b->data, b->len);
	g_byte_array_unref(b);
}

/* Three in a row, zeros as tools pad with, and then what does not belong. */
static void test_members(void)
{
	static const guint8 zeros[600] = { 0 };
	g_autoptr(GByteArray) plain = text(30000);
	guint i;

	for (i = 1; i < G_N_ELEMENTS(formats); i++) {
		ab_autoptr(ab_spool) s = ab_spool_new(NO_CEILING, 100);
		g_autoptr(GByteArray) packed = pack(plain, formats[i]);
		enum ab_packing p = packing(formats[i]);

		add(packed, pack(plain, formats[i]));
		add(packed, pack(plain, formats[i]));
		g_assert_cmpint(ab_unpack(p, bytes_of(packed), s, NULL, NULL),
				==, AB_UNPACKED_WHOLE);
		g_assert_cmpuint(ab_spool_size(s), ==, 90000);
		g_byte_array_append(packed, zeros, sizeof(zeros));
		g_assert_cmpint(ab_unpack(p, bytes_of(packed), s, NULL, NULL),
				==, AB_UNPACKED_WHOLE);
		g_assert_cmpuint(ab_spool_size(s), ==, 180000);
		g_byte_array_append(packed, (const guint8 *)"x", 1);
		g_assert_cmpint(ab_unpack(p, bytes_of(packed), s, NULL, NULL),
				==, AB_UNPACKED_CUT);
		g_assert_cmpuint(ab_spool_size(s), ==, 270000);
	}
}

/* Whatever comes out is the beginning of what went in. */
static void expect_prefix(struct ab_spool *s, const GByteArray *plain)
{
	struct ab_bytes bytes;

	g_assert_true(ab_spool_bytes(s, 0, &bytes, NULL));
	g_assert_cmpuint(bytes.n, <=, plain->len);
	g_assert_cmpmem(bytes.p, bytes.n, plain->data, bytes.n);
}

static void test_cut(void)
{
	g_autoptr(GByteArray) plain = text(3000);
	guint i, n;

	for (i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_autoptr(GByteArray) packed = pack(plain, formats[i]);

		for (n = 0; n < packed->len; n++) {
			ab_autoptr(ab_spool) s = ab_spool_new(NO_CEILING, 100);
			g_autoptr(GError) error = NULL;
			enum ab_unpacked end =
				ab_unpack(packing(formats[i]),
					  (struct ab_bytes){ packed->data, n },
					  s, NULL, &error);

			g_assert_true(end == AB_UNPACKED_CUT ||
				      end == AB_UNPACKED_NOT);
			g_assert_true((end == AB_UNPACKED_NOT) == !!error);
			g_assert_true((end == AB_UNPACKED_NOT) ==
				      !ab_spool_size(s));
			expect_prefix(s, plain);
		}
	}
}

/* The blocks before the damage are there; zstd alone would forget them. */
static void test_damaged(void)
{
	g_autoptr(GByteArray) plain = text(1000000);
	guint i;

	for (i = 0; i < G_N_ELEMENTS(formats); i++) {
		ab_autoptr(ab_spool) s = ab_spool_new(NO_CEILING, 100);
		g_autoptr(GByteArray) packed = pack(plain, formats[i]);

		memset(packed->data + packed->len / 2, 0xff, 1000);
		g_assert_cmpint(ab_unpack(packing(formats[i]), bytes_of(packed),
					  s, NULL, NULL),
				==, AB_UNPACKED_DAMAGED);
		g_assert_cmpuint(ab_spool_size(s), >, 300000);
		ab_spool_truncate(s, 300000);
		expect_prefix(s, plain);
	}
}

static void test_not_packed(void)
{
	ab_autoptr(ab_spool) s = ab_spool_new(NO_CEILING, 100);
	struct ab_bytes junk = { (const guint8 *)"\x01\x02\x03", 3 };
	guint i;

	g_assert_cmpint(ab_packing_of(junk), ==, AB_PACKING_NONE);
	for (i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_autoptr(GError) error = NULL;

		g_assert_cmpint(ab_unpack(packing(formats[i]), junk, s, NULL,
					  &error),
				==, AB_UNPACKED_NOT);
		g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
	}
}

static void test_bomb(void)
{
	g_autoptr(GByteArray) zeros = g_byte_array_new();
	guint i;

	g_byte_array_set_size(zeros, 8 << 20);
	memset(zeros->data, 0, zeros->len);
	for (i = 0; i < G_N_ELEMENTS(formats); i++) {
		ab_autoptr(ab_spool) s = ab_spool_new(1 << 20, 1 << 16);
		g_autoptr(GByteArray) packed = pack(zeros, formats[i]);
		g_autoptr(GError) error = NULL;

		g_assert_cmpint(ab_unpack(packing(formats[i]), bytes_of(packed),
					  s, NULL, &error),
				==, AB_UNPACKED_NOT);
		g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
		g_assert_true(ab_spool_full(s));
		g_assert_cmpuint(ab_spool_size(s), <=, 1 << 20);
	}
}

/* ---- walking over a damaged file ---- */

/* A packet that holds the number @i and a filling of @size bytes. */
static void numbered(GByteArray *trace, guint i, guint size)
{
	g_autoptr(GByteArray) filling = text(size);
	GByteArray *p = g_byte_array_new();

	put(p, 900, i);
	put_bytes(p, 901, filling->data, size);
	put_message(trace, 1, p);
}

static void add_marker(GByteArray *trace)
{
	static const guint8 uuid[] = { 0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d,
				       0x42, 0xba, 0x81, 0xdc, 0x33, 0x32,
				       0x6d, 0x57, 0xa0, 0x79 };
	GByteArray *p = g_byte_array_new();

	put(p, 3, 1000);
	put(p, 10, 1);
	put_bytes(p, 36, uuid, sizeof(uuid));
	put_message(trace, 1, p);
}

static bool parses(struct ab_bytes packet, guint64 *number)
{
	struct ab_reader r = ab_reader(packet);
	struct ab_field f;

	*number = 0;
	while (ab_next_field(&r, &f))
		if (f.no == 900)
			*number = f.v;
	return !r.bad;
}

/* "1 2 ? | 5": numbers, packets that do not parse, and gaps. */
static char *walk_text(struct ab_bytes file, guint64 *skipped, gsize *rest)
{
	GString *s = g_string_new(NULL);
	struct pf_walk walk = pf_walk(file);
	struct ab_bytes packet;
	guint64 number;

	while (pf_walk_next(&walk, &packet)) {
		bool whole = parses(packet, &number);

		if (walk.gap)
			g_string_append(s, "| ");
		walk.gap = NULL;
		if (!whole)
			g_string_append(s, "? ");
		else if (number)
			g_string_append_printf(s, "%u ", (guint)number);
		if (!whole)
			pf_walk_doubt(&walk);
	}
	*skipped = walk.skipped;
	*rest = (gsize)(walk.r.end - walk.at);
	return g_string_free(s, FALSE);
}

static void expect_walk(const GByteArray *trace, const char *expected,
			guint64 skipped, gsize rest)
{
	guint64 skipped_is;
	gsize rest_is;
	g_autofree char *is = walk_text(bytes_of(trace), &skipped_is, &rest_is);

	g_assert_cmpstr(is, ==, expected);
	g_assert_cmpuint(skipped_is, ==, skipped);
	g_assert_cmpuint(rest_is, ==, rest);
}

/* Ten packets; a marker before numbers 1, 5 and 9.  Returns its places. */
static GByteArray *ten(guint *at)
{
	GByteArray *trace = g_byte_array_new();
	guint i;

	for (i = 1; i <= 10; i++) {
		at[i] = trace->len;
		if (i % 4 == 1)
			add_marker(trace);
		numbered(trace, i, 300);
	}
	return trace;
}

static void test_walk_whole(void)
{
	guint at[11];
	g_autoptr(GByteArray) trace = ten(at);

	expect_walk(trace, "1 2 3 4 5 6 7 8 9 10 ", 0, 0);
	g_byte_array_set_size(trace, trace->len - 1);
	expect_walk(trace, "1 2 3 4 5 6 7 8 9 ", 0, trace->len - at[10]);
}

/* Zeros over the end of one packet and the beginning of the next. */
static void test_walk_zeros(void)
{
	guint at[11];
	g_autoptr(GByteArray) trace = ten(at);

	memset(trace->data + at[7] - 20, 0, 40);
	expect_walk(trace, "1 2 3 4 5 6 | 9 10 ", at[9] - at[7], 0);
}

/* A length that leads too far, or not far enough. */
static void test_walk_length(void)
{
	guint at[11];
	g_autoptr(GByteArray) trace = ten(at);

	trace->data[at[6] + 1] ^= 0x10;
	expect_walk(trace, "1 2 3 4 5 ? | 9 10 ", at[9] - at[6], 0);
	trace->data[at[6] + 1] ^= 0x10;
	trace->data[at[6] + 2] = 0x7f;
	expect_walk(trace, "1 2 3 4 5 | 9 10 ", at[9] - at[6], 0);
}

/* What is framed well loses only itself. */
static void test_walk_contents(void)
{
	guint at[11];
	g_autoptr(GByteArray) trace = ten(at);

	memset(trace->data + at[6] + 3, 0, 10);
	expect_walk(trace, "1 2 3 4 5 ? 7 8 9 10 ", 0, 0);
	memset(trace->data + at[10] + 3, 0, 10);
	expect_walk(trace, "1 2 3 4 5 ? 7 8 9 ? ", 0, 0);
}

/* No marker behind it: the rest is lost. */
static void test_walk_end(void)
{
	guint at[11];
	g_autoptr(GByteArray) trace = ten(at);

	trace->data[at[10]] = 0;
	expect_walk(trace, "1 2 3 4 5 6 7 8 9 ", 0, trace->len - at[10]);
}

/* Another field of the file is skipped. */
static void test_walk_other(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();

	numbered(trace, 1, 10);
	put_text(trace, 2, "x");
	numbered(trace, 2, 10);
	put_text(trace, 2, "x");
	expect_walk(trace, "1 | 2 ", 6, 0);
}

/* Markers, and packets that do not parse, without end: still linear. */
static void test_walk_hostile(void)
{
	static const guint8 bad[] = { 0x0a, 0x01, 0x00 };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	g_autofree char *is = NULL;
	guint64 skipped;
	gsize rest;
	guint i;

	for (i = 0; i < 1000000; i++)
		g_byte_array_append(trace, bad, sizeof(bad));
	is = walk_text(bytes_of(trace), &skipped, &rest);
	g_assert_cmpuint(strlen(is), ==, 2000000);
	g_assert_cmpuint(skipped, ==, 0);
}

/* ---- packets in packets ---- */

#define PACKED_ZLIB PF_COMPRESSED_PACKETS
#define PACKED_ZSTD PF_ZSTD_COMPRESSED_PACKETS

static void packed_packet(GByteArray *trace, guint field,
			  const GByteArray *plain)
{
	GByteArray *p = g_byte_array_new();

	put_message(p, field, pack(plain, field == PACKED_ZSTD ? ZSTD : ZLIB));
	put_message(trace, 1, p);
}

/* Packets 1 to 12, four in each compressed packet.  Returns its places. */
static GByteArray *three(guint field, guint *at)
{
	GByteArray *trace = g_byte_array_new();
	guint i, k;

	for (i = 0; i < 3; i++) {
		g_autoptr(GByteArray) part = g_byte_array_new();

		for (k = 1; k <= 4; k++)
			numbered(part, i * 4 + k, 700);
		at[i] = trace->len;
		packed_packet(trace, field, part);
	}
	at[3] = trace->len;
	return trace;
}

static void expect_unpacked(const GByteArray *trace, const char *expected,
			    guint64 skipped, bool cut)
{
	ab_autoptr(ab_spool) s = ab_spool_new(NO_CEILING, 1000);
	g_autoptr(GError) error = NULL;
	g_autofree char *is = NULL;
	struct ab_bytes plain;
	guint64 skipped_is = 0, unused;
	gsize rest;

	g_assert_true(pf_unpack(bytes_of(trace), s, &skipped_is, NULL, &error));
	g_assert_no_error(error);
	g_assert_true(ab_spool_bytes(s, 0, &plain, NULL));
	is = walk_text(plain, &unused, &rest);
	g_assert_cmpstr(is, ==, expected);
	g_assert_cmpuint(skipped_is, ==, skipped);
	g_assert_true(cut == (rest > 0));
}

static const guint packed_fields[] = { PACKED_ZLIB, PACKED_ZSTD };

static void test_packets(void)
{
	g_autoptr(GByteArray) plain = g_byte_array_new();
	guint at[4], i;

	for (i = 0; i < 2; i++) {
		g_autoptr(GByteArray) trace = three(packed_fields[i], at);

		expect_unpacked(trace, "1 2 3 4 5 6 7 8 9 10 11 12 ", 0, false);
		numbered(trace, 13, 10);
		packed_packet(trace, packed_fields[i], trace);
		/* Nested ones are not unpacked: the decoder refuses them. */
		expect_unpacked(trace, "1 2 3 4 5 6 7 8 9 10 11 12 13 13 ", 0,
				false);
	}
	numbered(plain, 1, 10);
	expect_unpacked(plain, "", 0, false);
}

/* The contents of the second are damaged, and then also its frame. */
static void test_packets_damaged(void)
{
	guint at[4], i;

	for (i = 0; i < 2; i++) {
		g_autoptr(GByteArray) trace = three(packed_fields[i], at);

		memset(trace->data + at[1] + 8, 0xff, 20);
		expect_unpacked(trace, "1 2 3 4 ? 9 10 11 12 ", 0, false);
		memset(trace->data + at[1], 0, 10);
		expect_unpacked(trace, "1 2 3 4 ? 9 10 11 12 ", at[2] - at[1],
				false);
	}
}

/* Cut within the third, at every byte. */
static void test_packets_cut(void)
{
	guint at[4];
	g_autoptr(GByteArray) trace = three(PACKED_ZLIB, at);
	guint n, most = 0;

	for (n = at[2]; n < at[3]; n++) {
		ab_autoptr(ab_spool) s = ab_spool_new(NO_CEILING, 1000);
		struct ab_bytes file = { trace->data, n }, plain;
		g_autofree char *is = NULL;
		guint64 skipped = 0, unused;
		gsize rest;

		g_assert_true(pf_unpack(file, s, &skipped, NULL, NULL));
		g_assert_true(ab_spool_bytes(s, 0, &plain, NULL));
		is = walk_text(plain, &unused, &rest);
		g_assert_true(g_str_has_prefix(is, "1 2 3 4 5 6 7 8 "));
		g_assert_true((n > at[2]) == (rest > 0));
		most = MAX(most, (guint)strlen(is));
	}
	/* The packets before the cut one's end were used: "9 10 11 ? ". */
	g_assert_cmpuint(most, >=, strlen("1 2 3 4 5 6 7 8 9 10 11 ? "));
}

/* Behind a bomb nothing is unpacked any more. */
static void test_packets_bomb(void)
{
	g_autoptr(GByteArray) zeros = g_byte_array_new();
	g_autoptr(GByteArray) trace = g_byte_array_new();
	g_autofree char *is = NULL;
	ab_autoptr(ab_spool) s = ab_spool_new(1 << 20, 1000);
	guint64 skipped = 0;
	struct ab_bytes plain;
	gsize rest;

	g_byte_array_set_size(zeros, 8 << 20);
	memset(zeros->data, 0, zeros->len);
	numbered(trace, 1, 10);
	packed_packet(trace, PACKED_ZLIB, zeros);
	numbered(trace, 2, 10);
	g_assert_true(pf_unpack(bytes_of(trace), s, &skipped, NULL, NULL));
	g_assert_true(ab_spool_bytes(s, 0, &plain, NULL));
	is = walk_text(plain, &skipped, &rest);
	g_assert_cmpstr(is, ==, "1 ? ");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace/spool", test_spool);
	g_test_add_func("/trace/spool/ceiling", test_ceiling);
	g_test_add_func("/trace/spool/full-disk", test_full_disk);
	g_test_add_func("/trace/unpack/round-trip", test_round_trip);
	g_test_add_func("/trace/unpack/members", test_members);
	g_test_add_func("/trace/unpack/cut", test_cut);
	g_test_add_func("/trace/unpack/damaged", test_damaged);
	g_test_add_func("/trace/unpack/not-packed", test_not_packed);
	g_test_add_func("/trace/unpack/bomb", test_bomb);
	g_test_add_func("/trace/walk/whole", test_walk_whole);
	g_test_add_func("/trace/walk/zeros", test_walk_zeros);
	g_test_add_func("/trace/walk/length", test_walk_length);
	g_test_add_func("/trace/walk/contents", test_walk_contents);
	g_test_add_func("/trace/walk/end", test_walk_end);
	g_test_add_func("/trace/walk/other", test_walk_other);
	g_test_add_func("/trace/walk/hostile", test_walk_hostile);
	g_test_add_func("/trace/packets", test_packets);
	g_test_add_func("/trace/packets/damaged", test_packets_damaged);
	g_test_add_func("/trace/packets/cut", test_packets_cut);
	g_test_add_func("/trace/packets/bomb", test_packets_bomb);
	return g_test_run();
}

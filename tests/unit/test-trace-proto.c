// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib.h>

#include "../../harness/trace/clock.h"
#include "../../harness/trace/proto.h"

#define BYTES(...)                                           \
	((struct ab_bytes){ (const guint8[]){ __VA_ARGS__ }, \
			    sizeof((const guint8[]){ __VA_ARGS__ }) })

static guint64 only_varint(struct ab_bytes bytes)
{
	struct ab_reader r = ab_reader(bytes);
	guint64 v = 0;

	g_assert_true(ab_read_varint(&r, &v));
	g_assert_true(r.p == r.end);
	g_assert_false(r.bad);
	return v;
}

static void test_varint(void)
{
	g_assert_cmpuint(only_varint(BYTES(0x00)), ==, 0);
	g_assert_cmpuint(only_varint(BYTES(0x7f)), ==, 127);
	g_assert_cmpuint(only_varint(BYTES(0x85, 0x01)), ==, 133);
	/* Perfetto pads the length of a nested message to four bytes. */
	g_assert_cmpuint(only_varint(BYTES(0x85, 0x81, 0x80, 0x00)), ==, 133);
	/* A negative int32 is sign extended: ten bytes. */
	g_assert_cmpint((gint32)only_varint(BYTES(0xff, 0xff, 0xff, 0xff, 0xff,
						  0xff, 0xff, 0xff, 0xff,
						  0x01)),
			==, -1);
	g_assert_cmpint((gint64)only_varint(BYTES(0xfe, 0xff, 0xff, 0xff, 0xff,
						  0xff, 0xff, 0xff, 0xff,
						  0x01)),
			==, -2);
}

static void test_varint_bad(void)
{
	static const guint8 endless[11] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
					    0x80, 0x80, 0x80, 0x80, 0x00 };
	struct ab_reader r = ab_reader(BYTES(0x80, 0x80));
	guint64 v;

	g_assert_false(ab_read_varint(&r, &v));
	g_assert_true(r.bad);
	r = ab_reader((struct ab_bytes){ endless, sizeof(endless) });
	g_assert_false(ab_read_varint(&r, &v));
	g_assert_true(r.bad);
	r = ab_reader((struct ab_bytes){ endless, 0 });
	g_assert_false(ab_read_varint(&r, &v));
}

static void test_fields(void)
{
	/* 1: 5; unknown 99: "xy"; 2: double; 3: float; 1: 6 (the last wins) */
	struct ab_reader r = ab_reader(BYTES(0x08, 0x05, 0x9a, 0x06, 0x02, 'x',
					     'y', 0x11, 1, 0, 0, 0, 0, 0, 0, 0,
					     0x1d, 2, 0, 0, 0, 0x08, 0x06));
	struct ab_field f;

	g_assert_true(ab_next_field(&r, &f));
	g_assert_cmpuint(AB_FIELD_TAG(&f), ==, AB_TAG(1, AB_VARINT));
	g_assert_cmpuint(f.v, ==, 5);
	g_assert_true(ab_next_field(&r, &f));
	g_assert_cmpuint(AB_FIELD_TAG(&f), ==, AB_TAG(99, AB_LEN));
	g_assert_cmpmem(f.bytes.p, f.bytes.n, "xy", 2);
	g_assert_true(ab_next_field(&r, &f));
	g_assert_cmpuint(AB_FIELD_TAG(&f), ==, AB_TAG(2, AB_FIXED64));
	g_assert_cmpuint(f.v, ==, 1);
	g_assert_true(ab_next_field(&r, &f));
	g_assert_cmpuint(AB_FIELD_TAG(&f), ==, AB_TAG(3, AB_FIXED32));
	g_assert_cmpuint(f.v, ==, 2);
	g_assert_true(ab_next_field(&r, &f));
	g_assert_cmpuint(f.v, ==, 6);
	g_assert_false(ab_next_field(&r, &f));
	g_assert_false(r.bad);
}

static void refuse(struct ab_bytes bytes)
{
	struct ab_reader r = ab_reader(bytes);
	struct ab_field f;

	g_assert_false(ab_next_field(&r, &f));
	g_assert_true(r.bad);
}

static void test_fields_bad(void)
{
	refuse(BYTES(0x0a, 0x05, 'a', 'b')); /* cut in the middle */
	refuse(BYTES(0x0a));		     /* cut before the length */
	refuse(BYTES(0x08));		     /* cut before the value */
	refuse(BYTES(0x0b, 0x0c));	     /* group */
	refuse(BYTES(0x0e, 0x00));	     /* wire type 6 */
	refuse(BYTES(0x0f, 0x00));	     /* wire type 7 */
	refuse(BYTES(0x02, 0x00));	     /* field 0 */
	refuse(BYTES(0x11, 1, 2, 3, 4));     /* short fixed64 */
	refuse(BYTES(0x1d, 1, 2, 3));	     /* short fixed32 */
	/* A length near 2^64 must not wrap around. */
	refuse(BYTES(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		     0x01));
	/* A field number of more than 29 bits. */
	refuse(BYTES(0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0x00));
}

static gint64 convert(const struct ab_clocks *clocks, guint limit, gint64 ns)
{
	gint64 out = -1;

	g_assert_true(ab_clocks_convert(clocks, limit, AB_CLOCK_MONOTONIC,
					AB_CLOCK_BOOTTIME, ns, &out));
	return out;
}

/* MONOTONIC stands still in suspend: its offset to BOOTTIME jumps. */
static void test_clock_suspend(void)
{
	const struct ab_clock_value before[] = { { AB_CLOCK_BOOTTIME, 1000 },
						 { AB_CLOCK_MONOTONIC, 900 } };
	const struct ab_clock_value after[] = { { AB_CLOCK_BOOTTIME, 6000 },
						{ AB_CLOCK_MONOTONIC, 1900 } };
	struct ab_clocks *clocks = ab_clocks_new();
	gint64 out;

	g_assert_false(ab_clocks_convert(clocks, G_MAXUINT, AB_CLOCK_MONOTONIC,
					 AB_CLOCK_BOOTTIME, 5, &out));
	g_assert_true(ab_clocks_add(clocks, before, 2));
	g_assert_true(ab_clocks_add(clocks, after, 2));
	g_assert_cmpint(convert(clocks, G_MAXUINT, 950), ==, 1050);
	g_assert_cmpint(convert(clocks, G_MAXUINT, 1900), ==, 6000);
	g_assert_cmpint(convert(clocks, G_MAXUINT, 1899), ==, 1999);
	/* Before the first snapshot its offset counts. */
	g_assert_cmpint(convert(clocks, G_MAXUINT, 100), ==, 200);
	/* Read before the second snapshot: only the first is known. */
	g_assert_cmpint(convert(clocks, 1, 1900), ==, 2000);
	ab_clocks_free(clocks);
}

static void test_clock_path(void)
{
	const struct ab_clock_value ab[] = { { 100, 10 }, { 5, 20 } };
	const struct ab_clock_value bc[] = { { 5, 20 }, { 6, 50 } };
	const struct ab_clock_value twice[] = { { 5, 20 }, { 5, 50 } };
	struct ab_clocks *clocks = ab_clocks_new();
	gint64 out;

	g_assert_true(ab_clocks_add(clocks, ab, 2));
	g_assert_true(ab_clocks_add(clocks, bc, 2));
	g_assert_false(ab_clocks_add(clocks, twice, 2));
	g_assert_true(ab_clocks_convert(clocks, G_MAXUINT, 100, 6, 11, &out));
	g_assert_cmpint(out, ==, 51);
	g_assert_true(ab_clocks_convert(clocks, G_MAXUINT, 7, 7, 11, &out));
	g_assert_cmpint(out, ==, 11);
	/* A result before zero is no time. */
	g_assert_false(ab_clocks_convert(clocks, G_MAXUINT, 6, 100, 5, &out));
	ab_clocks_free(clocks);
}

/* A clock that went back is no source any more; others still reach it. */
static void test_clock_backwards(void)
{
	const struct ab_clock_value first[] = { { AB_CLOCK_BOOTTIME, 1000 },
						{ AB_CLOCK_REALTIME, 9000 } };
	const struct ab_clock_value second[] = { { AB_CLOCK_BOOTTIME, 2000 },
						 { AB_CLOCK_REALTIME, 5000 } };
	struct ab_clocks *clocks = ab_clocks_new();
	gint64 out;

	g_assert_true(ab_clocks_add(clocks, first, 2));
	g_assert_true(ab_clocks_add(clocks, second, 2));
	g_assert_false(ab_clocks_convert(clocks, G_MAXUINT, AB_CLOCK_REALTIME,
					 AB_CLOCK_BOOTTIME, 9000, &out));
	g_assert_true(ab_clocks_convert(clocks, G_MAXUINT, AB_CLOCK_BOOTTIME,
					AB_CLOCK_REALTIME, 2001, &out));
	g_assert_cmpint(out, ==, 5001);
	ab_clocks_free(clocks);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace/proto/varint", test_varint);
	g_test_add_func("/trace/proto/varint-bad", test_varint_bad);
	g_test_add_func("/trace/proto/fields", test_fields);
	g_test_add_func("/trace/proto/fields-bad", test_fields_bad);
	g_test_add_func("/trace/clock/suspend", test_clock_suspend);
	g_test_add_func("/trace/clock/path", test_clock_path);
	g_test_add_func("/trace/clock/backwards", test_clock_backwards);
	return g_test_run();
}

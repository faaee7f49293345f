// SPDX-License-Identifier: GPL-3.0-or-later
/* Traces that are compressed, cut or damaged, from bytes to run data. */
#include <abrig/trace.h>

#include "run_data.h"
#include "trace_writer.h"
#include "zlib_pack.h"
#include "zstd_pack.h"

#define WAIT "pm_runtime_work.cpu_wait"

static struct ab_trace *open_trace(const GByteArray *file,
				   const struct ab_trace_window *window)
{
	GError *error = NULL;
	struct ab_trace *trace =
		ab_trace_open_bytes(file->data, file->len, window, &error);

	g_assert_no_error(error);
	return trace;
}

/* ---- packing ---- */

/* Two compressed packets: @first bytes of @plain, and the others. */
static GByteArray *packets(const GByteArray *plain, guint first, bool zstd)
{
	GByteArray *trace = g_byte_array_new();
	guint i;

	for (i = 0; i < 2; i++) {
		g_autoptr(GByteArray) part = g_byte_array_new();
		GByteArray *p = g_byte_array_new();

		g_byte_array_append(part, plain->data + (i ? first : 0),
				    i ? plain->len - first : first);
		put_message(p, zstd ? 133 : 50,
			    zstd ? zstd_pack(part) : zlib_pack(part, ZLIB));
		put_message(trace, 1, p);
	}
	return trace;
}

/* ---- traces ---- */

/* From @t on: worker 40 waits 300 ns and executes an item. */
static GByteArray *worker(guint64 t)
{
	GByteArray *b = new_bundle(0);

	sched_switch(b, t, 0, 0, 10);
	waking(b, t + 100, 10, 40);
	sched_switch(b, t + 400, 10, 1, 40);
	work(b, t + 410, 40, WORK_START, PM_RUNTIME_WORK);
	work(b, t + 500, 40, WORK_END, PM_RUNTIME_WORK);
	sched_switch(b, t + 600, 40, 1, 0);
	return b;
}

static void add_worker(GByteArray *trace, guint64 t)
{
	bundle_packet(trace, worker(t), "pm_runtime_work", false);
}

/* Of a sequence that counts on what was said before. */
static void add_dependent(GByteArray *trace, guint64 t)
{
	GByteArray *p = g_byte_array_new();

	put(p, 10, 7);
	put(p, 13, 2);
	put_message(p, 1, worker(t));
	put_message(trace, 1, p);
}

static void add_frame(GByteArray *trace, guint64 t, guint64 cookie)
{
	GByteArray *p = g_byte_array_new(), *e = g_byte_array_new();
	GByteArray *b = g_byte_array_new();

	put(b, 1, cookie);
	put(b, 2, cookie);
	put(b, 3, cookie + 1000);
	put(b, 4, 100);
	put_text(b, 5, "TX - Shade#1");
	put(b, 6, 1);
	put(b, 9, 1);
	put_message(e, 4, b);
	put(p, 8, t);
	put(p, 10, 21);
	put_message(p, 76, e);
	put_message(trace, 1, p);
}

static void add_marker(GByteArray *trace)
{
	static const guint8 uuid[] = { 0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d,
				       0x42, 0xba, 0x81, 0xdc, 0x33, 0x32,
				       0x6d, 0x57, 0xa0, 0x79 };
	GByteArray *p = g_byte_array_new();

	put(p, 10, 1);
	put_bytes(p, 36, uuid, sizeof(uuid));
	put_message(trace, 1, p);
}

static GByteArray *whole(void)
{
	GByteArray *trace = g_byte_array_new();

	process(trace, 100, "com.android.systemui");
	add_worker(trace, 1000);
	add_frame(trace, 1500, 1);
	add_worker(trace, 2000);
	add_frame(trace, 2500, 2);
	return trace;
}

/* ---- packed is the same ---- */

/* Everything that came out of @file, as text. */
static char *result(const GByteArray *file)
{
	ab_autoptr(ab_trace) trace = open_trace(file, NULL);
	ab_autoptr(ab_run_data) data = ab_run_data_new();
	GString *s = g_string_new(NULL);
	guint i, k;

	ab_trace_analyze(trace, NULL, data);
	for (i = 0; i < data->values->len; i++) {
		const struct ab_run_value *v = data->values->pdata[i];

		g_string_append_printf(s, "%s %.12g\n", v->name, v->value);
	}
	for (i = 0; i < data->samples->len; i++) {
		const struct ab_sample_set *set = data->samples->pdata[i];

		for (k = 0; k < set->values->len; k++)
			g_string_append_printf(s, "%s %.12g\n", set->name,
					       g_array_index(set->values,
							     double, k));
	}
	for (i = 0; i < data->withheld->len; i++) {
		const struct ab_withheld *w = data->withheld->pdata[i];

		g_string_append_printf(s, "%s: %s\n", w->name, w->reason);
	}
	return g_string_free(s, FALSE);
}

static void expect_same(const char *expected, GByteArray *file)
{
	g_autofree char *is = result(file);

	g_assert_cmpstr(is, ==, expected);
	g_byte_array_unref(file);
}

static void test_packed(void)
{
	g_autoptr(GByteArray) plain = whole();
	g_autofree char *expected = result(plain);
	g_autoptr(GByteArray) zlib = packets(plain, 0, false);
	g_autoptr(GByteArray) zstd = packets(plain, 0, true);

	g_assert_nonnull(strstr(expected, WAIT " 0.3"));
	g_assert_nonnull(strstr(expected, "frames.total 2\n"));
	expect_same(expected, zlib_pack(plain, GZIP));
	expect_same(expected, zstd_pack(plain));
	expect_same(expected, zlib_pack(zlib, GZIP));
	expect_same(expected, zstd_pack(zstd));
	expect_same(expected, g_steal_pointer(&zlib));
	expect_same(expected, g_steal_pointer(&zstd));
}

/* Other formats are unpacked as well. */
static void test_packed_text(void)
{
	static const char line[] =
		"     sleep-40    [000] d..2     1.000000: sched_switch: "
		"prev_comm=sleep prev_pid=40 prev_prio=120 prev_state=S ==> "
		"next_comm=swapper/0 next_pid=0 next_prio=120\n";
	g_autoptr(GByteArray) plain = g_byte_array_new();
	g_autoptr(GByteArray) packed = NULL;
	ab_autoptr(ab_trace) a = NULL;
	ab_autoptr(ab_trace) b = NULL;
	guint i;

	g_byte_array_append(plain, (const guint8 *)"# tracer: nop\n#\n", 16);
	for (i = 0; i < 100; i++)
		g_byte_array_append(plain, (const guint8 *)line,
				    sizeof(line) - 1);
	packed = zstd_pack(plain);
	a = open_trace(plain, NULL);
	b = open_trace(packed, NULL);
	g_assert_cmpstr(ab_trace_facts(a)->format, ==,
			ab_trace_facts(b)->format);
	g_assert_cmpuint(ab_trace_quality(b)->events, ==, 100);
}

static void expect_all_withheld(const GByteArray *file, const char *reason)
{
	ab_autoptr(ab_trace) trace = open_trace(file, NULL);
	ab_autoptr(ab_run_data) data = ab_run_data_new();

	ab_trace_analyze(trace, NULL, data);
	g_assert_true(ab_trace_quality(trace)->loss_in_window);
	expect_withheld(data, WAIT, reason);
	expect_withheld(data, "frames.total", reason);
}

static void test_packed_cut(void)
{
	g_autoptr(GByteArray) plain = whole();
	g_autoptr(GByteArray) gzip = zlib_pack(plain, GZIP);

	/* Without its length and half of its checksum. */
	g_byte_array_set_size(gzip, gzip->len - 6);
	expect_all_withheld(gzip, "the end of the trace is missing");
}

static void test_packed_damaged(void)
{
	g_autoptr(GByteArray) plain = whole();
	g_autoptr(GByteArray) gzip = zlib_pack(plain, GZIP);

	gzip->data[gzip->len - 8] ^= 1; /* the checksum */
	expect_all_withheld(gzip, "the compressed file is damaged");
}

/* ---- damage in the middle ---- */

/*
 * Workers at 1000, 2000 (damaged), 3000 (damaged or fine) and, behind a
 * marker, 4000; a frame after the first and one after the last.
 */
static GByteArray *damaged(void)
{
	GByteArray *trace = g_byte_array_new();
	guint at;

	add_marker(trace);
	add_worker(trace, 1000);
	add_frame(trace, 1800, 1);
	at = trace->len;
	add_worker(trace, 2000);
	add_worker(trace, 3000);
	add_marker(trace);
	add_worker(trace, 4000);
	add_frame(trace, 4800, 2);
	memset(trace->data + at, 0, 40);
	return trace;
}

static void expect_waits(const GByteArray *file, gint64 begin_ns, gint64 end_ns,
			 guint expected)
{
	const struct ab_trace_window window = { begin_ns, end_ns };
	ab_autoptr(ab_trace) trace = open_trace(file, &window);
	ab_autoptr(ab_run_data) data = ab_run_data_new();
	const GArray *waits;

	ab_trace_analyze(trace, NULL, data);
	waits = ab_run_data_find(data, WAIT);
	g_assert_cmpuint(waits ? waits->len : 0, ==, expected);
	g_assert_true(!expected == !!withheld(data, WAIT));
}

static void test_middle(void)
{
	g_autoptr(GByteArray) file = damaged();
	ab_autoptr(ab_trace) trace = open_trace(file, NULL);
	ab_autoptr(ab_run_data) data = ab_run_data_new();
	const struct ab_trace_quality *q = ab_trace_quality(trace);

	ab_trace_analyze(trace, NULL, data);
	g_assert_cmpuint(q->packets, ==, 6);
	g_assert_cmpuint(q->packet_loss, ==, 1);
	g_assert_cmpuint(q->bytes_ignored, >, 300);
	g_assert_cmpuint(q->state_dropped, ==, 0);
	expect_withheld(data, WAIT, "packets with kernel events were lost");
	expect_withheld(data, "frames.total", "FrameTimeline packets were");
	/* Since the first event: what lies on either side is whole. */
	expect_waits(file, 0, 600, 1);
	expect_waits(file, 3000, 3600, 1);
	/* 1600 to 4000 is lost. */
	expect_waits(file, 0, 700, 0);
	expect_waits(file, 2900, 3600, 0);
}

/* Behind the damage nobody knows what was interned. */
static void test_state(void)
{
	g_autoptr(GByteArray) file = g_byte_array_new();
	ab_autoptr(ab_trace) trace = NULL;
	guint at;

	add_worker(file, 1000);
	add_dependent(file, 2000);
	at = file->len;
	add_worker(file, 3000);
	add_marker(file);
	add_dependent(file, 4000);
	memset(file->data + at, 0, 40);
	trace = open_trace(file, NULL);
	g_assert_cmpuint(ab_trace_quality(trace)->packet_loss, ==, 1);
	g_assert_cmpuint(ab_trace_quality(trace)->state_dropped, ==, 1);
}

/* One packet does not parse; the next is where it should be. */
static void test_one_packet(void)
{
	g_autoptr(GByteArray) file = g_byte_array_new();
	static const guint8 bad[] = { 0x0a, 0x02, 0x50, 0x80 };
	ab_autoptr(ab_trace) trace = NULL;

	add_worker(file, 1000);
	g_byte_array_append(file, bad, sizeof(bad));
	add_worker(file, 2000);
	trace = open_trace(file, NULL);
	g_assert_cmpuint(ab_trace_quality(trace)->damaged_packets, ==, 1);
	g_assert_cmpuint(ab_trace_quality(trace)->packet_loss, ==, 1);
	g_assert_cmpuint(ab_trace_quality(trace)->bytes_ignored, ==, 0);
	expect_waits(file, 0, 600, 1);
	expect_waits(file, 1000, 1600, 1);
	expect_waits(file, 500, 1600, 0);
}

/* The second of two compressed packets is damaged, so all of it. */
static void test_packet_damaged(void)
{
	g_autoptr(GByteArray) plain = g_byte_array_new();
	g_autoptr(GByteArray) file = NULL;
	guint first;

	add_worker(plain, 1000);
	first = plain->len;
	add_worker(plain, 2000);
	file = packets(plain, first, false);
	file->data[file->len - 1] ^= 1; /* the checksum */
	expect_waits(file, 0, 550, 1);
	expect_waits(file, 0, 600, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace/packed", test_packed);
	g_test_add_func("/trace/packed/text", test_packed_text);
	g_test_add_func("/trace/packed/cut", test_packed_cut);
	g_test_add_func("/trace/packed/damaged", test_packed_damaged);
	g_test_add_func("/trace/damage/middle", test_middle);
	g_test_add_func("/trace/damage/state", test_state);
	g_test_add_func("/trace/damage/one-packet", test_one_packet);
	g_test_add_func("/trace/damage/compressed-packet", test_packet_damaged);
	return g_test_run();
}

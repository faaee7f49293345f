// SPDX-License-Identifier: GPL-3.0-or-later
/* Whoever waits for a trace is told how much of its file is read. */
#include <glib/gstdio.h>
#include <unistd.h>

#include "../../harness/trace/proto.h"
#include "../../harness/trace/reading.h"
#include "dat_file.h"
#include "trace_writer.h"
#include "zlib_pack.h"
#include "zstd_pack.h"

/* Enough of each for more than a few steps. */
#define PACKETS 400
#define SWITCHES 20 /* there and back, in each */
#define LINES 40000
#define RECORDS 100000
#define SHOWN 5 /* how often one wants to see something move, at least */
#define LARGEST_STEP 0.6

struct watcher {
	guint64 done, size, largest;
	guint told;
};

static void tell(void *user, guint64 done, guint64 size)
{
	struct watcher *w = user;

	g_assert_cmpuint(done, >=, w->done);
	g_assert_cmpuint(done, <=, size);
	g_assert_true(!w->told || size == w->size);
	w->largest = MAX(w->largest, done - w->done);
	w->done = done;
	w->size = size;
	w->told++;
}

/* Read @bytes as a file; @w: what was told. */
static bool watch(const guint8 *data, gsize size, struct watcher *w)
{
	const struct ab_trace_progress progress = { tell, w };
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("progress-XXXXXX", &path, NULL);
	ab_autoptr(ab_trace) trace = NULL;

	*w = (struct watcher){ 0 };
	g_assert_cmpint(write(fd, data, size), ==, size);
	close(fd);
	trace = ab_trace_open(path, NULL, &progress, NULL);
	g_unlink(path);
	return trace != NULL;
}

static void expect_steps(const GByteArray *bytes)
{
	struct watcher w = { 0 };

	g_assert_true(watch(bytes->data, bytes->len, &w));
	g_assert_cmpuint(w.size, ==, bytes->len);
	g_assert_cmpuint(w.done, ==, bytes->len);
	g_assert_cmpuint(w.told, >=, SHOWN);
	g_assert_cmpuint(w.told, <=, 1100);
	g_assert_cmpfloat((double)w.largest, <,
			  LARGEST_STEP * (double)bytes->len);
}

/* ---- the traces ---- */

static GByteArray *perfetto(void)
{
	GByteArray *trace = g_byte_array_new();
	guint64 ts = 1000;
	guint i, k;

	for (i = 0; i < PACKETS; i++) {
		GByteArray *bundle = new_bundle((int)i % 4);

		for (k = 0; k < SWITCHES; k++, ts += 10) {
			sched_switch(bundle, ts, 0, 0, 40);
			sched_switch(bundle, ts + 5, 40, 1, 0);
		}
		bundle_packet(trace, bundle, "pm_runtime_work", false);
	}
	return trace;
}

/* The same in compressed packets of some packets each. */
static GByteArray *packed_packets(void)
{
	g_autoptr(GByteArray) plain = perfetto();
	GByteArray *trace = g_byte_array_new();
	struct ab_reader r =
		ab_reader((struct ab_bytes){ plain->data, plain->len });
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		g_autoptr(GByteArray) one = g_byte_array_new();
		GByteArray *packet = g_byte_array_new();

		put_bytes(one, 1, f.bytes.p, f.bytes.n);
		put_message(packet, 50, zlib_pack(one, ZLIB));
		put_message(trace, 1, packet);
	}
	return trace;
}

static GByteArray *ftrace_text(void)
{
	g_autoptr(GString) text = g_string_new("# tracer: nop\n#\n");
	guint i;

	for (i = 0; i < LINES; i++)
		g_string_append_printf(
			text,
			"          cat-7     [000] d..2   100.%06u: sched_waking:"
			" comm=dog pid=8 prio=120 target_cpu=001\n",
			i);
	return g_bytes_unref_to_array(
		g_string_free_to_bytes(g_steal_pointer(&text)));
}

static GByteArray *trace_cmd(void)
{
	struct dat_file f;
	guint i;

	dat_init(&f);
	for (i = 0; i < RECORDS; i++) {
		GByteArray *b = dat_fields();

		dat_comm(b, "dog");
		dat_le(b, 8, 4);
		dat_add(&f, (int)i % DAT_CPUS, 1000 + i * 10, DAT_WAKING_ID, 0,
			7, b);
	}
	return dat_finish(&f);
}

/* ---- */

static void test_perfetto(void)
{
	g_autoptr(GByteArray) trace = perfetto();

	expect_steps(trace);
}

static void test_packed_packets(void)
{
	g_autoptr(GByteArray) trace = packed_packets();

	expect_steps(trace);
}

static void test_text(void)
{
	g_autoptr(GByteArray) trace = ftrace_text();

	expect_steps(trace);
}

static void test_dat(void)
{
	g_autoptr(GByteArray) trace = trace_cmd();

	expect_steps(trace);
}

static void test_packed_files(void)
{
	g_autoptr(GByteArray) trace = perfetto();
	g_autoptr(GByteArray) gzip = zlib_pack(trace, GZIP);
	g_autoptr(GByteArray) zstd = zstd_pack(trace);

	expect_steps(gzip);
	expect_steps(zstd);
}

/* A cut file is read up to its end; what is no trace is not. */
static void test_damaged(void)
{
	g_autoptr(GByteArray) trace = perfetto();
	struct watcher w = { 0 };

	g_assert_true(watch(trace->data, trace->len / 2 - 1, &w));
	g_assert_cmpuint(w.done, ==, trace->len / 2 - 1);
	g_assert_false(watch((const guint8 *)"hello", 5, &w));
	g_assert_cmpuint(w.done, <, 5);
}

/* What a child or a damaged file announces may be anything. */
static void test_announced(void)
{
	struct watcher w = { 0 };
	const struct ab_trace_progress progress = { tell, &w };
	struct ab_reading r = { .progress = &progress, .size = 1000 };

	ab_reading_stage(&r, 0.5);
	ab_reading_at(&r, 1, 0);
	g_assert_cmpuint(w.told, ==, 0);
	ab_reading_at(&r, 3, 4);
	g_assert_cmpuint(w.done, ==, 375);
	ab_reading_at(&r, 1, 4);
	g_assert_cmpuint(w.told, ==, 1);
	ab_reading_at(&r, G_MAXUINT64, 4);
	g_assert_cmpuint(w.done, ==, 500);
	ab_reading_stage(&r, 1);
	ab_reading_at(&r, 1, 2);
	g_assert_cmpuint(w.done, ==, 750);
	ab_reading_end(&r);
	g_assert_cmpuint(w.done, ==, 1000);
	ab_reading_at(&r, 1, 1);
	g_assert_cmpuint(w.told, ==, 4);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/progress/perfetto", test_perfetto);
	g_test_add_func("/progress/packed-packets", test_packed_packets);
	g_test_add_func("/progress/text", test_text);
	g_test_add_func("/progress/dat", test_dat);
	g_test_add_func("/progress/packed-files", test_packed_files);
	g_test_add_func("/progress/damaged", test_damaged);
	g_test_add_func("/progress/announced", test_announced);
	return g_test_run();
}

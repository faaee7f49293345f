// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Frames: the missed-frame metric of Perfetto's trace processor field by
 * field, and traces written here with answers worked out by hand.
 *
 * Differences on purpose from that metric:
 *  - an open frame has no duration here; trace processor counts it as one of
 *    -1 ns, which is added back below before the comparison;
 *  - weighted_missed_frames and its kin are not made: jank severity scores
 *    exist in few Android versions and have no unit.
 */
#include <abrig/stats.h>

#include "../../harness/trace/frames.h"
#include "shared.h"
#include "trace_tables.h"
#include "trace_writer.h"

/* ---- trace processor's metric ---- */

static bool is_actual(const struct ab_frame *f)
{
	return f->kind == AB_FRAME_ACTUAL_DISPLAY ||
	       f->kind == AB_FRAME_ACTUAL_SURFACE;
}

static bool same_process(const struct ab_frame *f, const void *user)
{
	return f->pid == *(const gint32 *)user && is_actual(f);
}

static guint64 field(const char *block, const char *indent, const char *name)
{
	g_autofree char *key = g_strdup_printf("\n%s%s: ", indent, name);
	const char *at = strstr(block, key);

	g_assert_nonnull(at);
	return g_ascii_strtoull(at + strlen(key), NULL, 10);
}

static int by_length(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* In ns, as trace processor has them. */
static GArray *durations_of(const struct ab_trace *trace, gint32 pid)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(double));
	guint i;

	for (i = 0; i < trace->frames->len; i++) {
		const struct ab_frame *f =
			&g_array_index(trace->frames, struct ab_frame, i);
		gint64 ns = -1;
		double value;

		if (f->pid != pid || !is_actual(f) ||
		    (!ab_frame_duration(f, &ns) && f->end_ns >= 0))
			continue;
		value = f->end_ns < 0 ? -1 : (double)ns;
		g_array_append_val(list, value);
	}
	g_array_sort(list, by_length);
	return list;
}

/* It cuts fractions of a nanosecond off. */
static void expect_cut(double value, guint64 expected)
{
	g_assert_cmpuint((guint64)(value + 1e-6), ==, expected);
}

static void compare_durations(const struct ab_trace *trace, gint32 pid,
			      const char *block)
{
	static const struct {
		const char *name;
		double q;
	} quantiles[] = {
		{ "frame_dur_p50", 0.50 }, { "frame_dur_p90", 0.90 },
		{ "frame_dur_p95", 0.95 }, { "frame_dur_p99", 0.99 },
		{ "frame_dur_max", 1 },
	};
	g_autoptr(GArray) list = durations_of(trace, pid);
	const double *values = (const void *)list->data;
	double sum = 0;
	guint i;

	for (i = 0; i < list->len; i++)
		sum += values[i];
	expect_cut(sum / list->len, field(block, "    ", "frame_dur_avg"));
	for (i = 0; i < G_N_ELEMENTS(quantiles); i++)
		expect_cut(ab_stats_quantile(values, list->len, quantiles[i].q),
			   field(block, "    ", quantiles[i].name));
}

/*
 * Tokens with a jank type and a present type (-1: any) of process @pid, or of
 * all (0): a token that two processes have in common counts once then.
 */
static guint64 count_types(const struct ab_trace *trace, gint32 pid,
			   const char *type, int present)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	guint i;

	for (i = 0; i < trace->frames->len; i++) {
		const struct ab_frame *f =
			&g_array_index(trace->frames, struct ab_frame, i);
		g_autofree char *text = ab_jank_text(f->jank);
		g_auto(GStrv) types = g_strsplit(text, ", ", -1);

		if (is_actual(f) && (!pid || f->pid == pid) &&
		    (present < 0 || f->present == present) &&
		    g_strv_contains((const char *const *)types, type))
			g_hash_table_add(seen,
					 g_strdup_printf("%" G_GINT64_FORMAT,
							 f->token));
	}
	return g_hash_table_size(seen);
}

static void compare_type(const struct ab_trace *trace, gint32 pid,
			 const char *block, const char *indent)
{
	static const char *const presents[AB_PRESENT_TYPES] = {
		"present_unspecified_count", "present_on_time_count",
		"present_late_count",	     "present_early_count",
		"present_dropped_count",     "present_unknown_count",
	};
	const char *at = strstr(block, "type: \"");
	g_autofree char *type = NULL;
	int i;

	g_assert_nonnull(at);
	at += strlen("type: \"");
	type = g_strndup(at, (gsize)(strchr(at, '"') - at));
	g_assert_cmpuint(count_types(trace, pid, type, -1), ==,
			 field(block, indent, "total_count"));
	for (i = 0; i < AB_PRESENT_TYPES; i++)
		g_assert_cmpuint(count_types(trace, pid, type, i), ==,
				 field(block, indent, presents[i]));
}

/* Every "jank_types { ... }" that stands in @text at @indent. */
static void compare_types(const struct ab_trace *trace, gint32 pid,
			  const char *text, const char *indent)
{
	g_autofree char *open = g_strdup_printf("\n%sjank_types {", indent);
	g_autofree char *inner = g_strdup_printf("%s  ", indent);
	g_auto(GStrv) blocks = g_strsplit(text, open, -1);
	guint i;

	for (i = 1; blocks[i]; i++)
		compare_type(trace, pid, blocks[i], inner);
}

/* One "process { ... }". */
static void compare_process(const struct ab_trace *trace, const char *block)
{
	gint32 pid = (gint32)field(block, "      ", "pid");
	struct ab_frame_counts counts;

	ab_frames_count(trace, same_process, &pid, &counts);
	g_assert_cmpuint(counts.total, ==,
			 field(block, "    ", "total_frames"));
	g_assert_cmpuint(counts.missed, ==,
			 field(block, "    ", "missed_frames"));
	g_assert_cmpuint(counts.app_missed, ==,
			 field(block, "    ", "missed_app_frames"));
	g_assert_cmpuint(counts.sf_missed, ==,
			 field(block, "    ", "missed_sf_frames"));
	g_assert_cmpuint(counts.dropped, ==,
			 field(block, "    ", "dropped_frames"));
	compare_durations(trace, pid, block);
	compare_types(trace, pid, block, "    ");
}

static bool any_actual(const struct ab_frame *f, const void *user)
{
	(void)user;
	return is_actual(f);
}

static void compare_whole(const struct ab_trace *trace, const char *text)
{
	struct ab_frame_counts counts;

	ab_frames_count(trace, any_actual, NULL, &counts);
	g_assert_cmpuint(counts.total, ==, field(text, "  ", "total_frames"));
	g_assert_cmpuint(counts.app_missed, ==,
			 field(text, "  ", "missed_app_frames"));
	g_assert_cmpuint(counts.dropped, ==,
			 field(text, "  ", "dropped_frames"));
	compare_types(trace, 0, text, "  ");
}

struct capture {
	const char *trace, *answers;
};

static const struct capture captures[] = {
	{ "data/perfetto/androidx-api32_startup_warm.perfetto-trace",
	  "data/oracle/real/androidx-api32_startup_warm" },
	{ "data/perfetto/sidky-nowinandroid.perfetto-trace",
	  "data/oracle/real/sidky-nowinandroid" },
	{ "data/oracle/custom/frame_timeline_clock/trace.pftrace",
	  "data/oracle/custom/frame_timeline_clock" },
};

static void test_metric(gconstpointer data)
{
	const struct capture *c = data;
	g_autofree char *name = g_build_filename(
		c->answers, "frame_timeline_metric.textproto", NULL);
	g_autofree char *path = shared_path(c->trace);
	g_autofree char *text = NULL;
	ab_autoptr(ab_trace) trace = NULL;
	g_auto(GStrv) blocks = NULL;
	GError *error = NULL;
	guint i;

	if (!path)
		return;
	text = shared_text(name);
	trace = ab_trace_open(path, NULL, NULL, &error);
	g_assert_no_error(error);
	blocks = g_strsplit(text, "\n  process {", -1);
	g_assert_cmpuint(g_strv_length(blocks), >, 1);
	for (i = 1; blocks[i]; i++)
		compare_process(trace, blocks[i]);
	compare_whole(trace, text);
}

/* ---- FrameTimeline, by hand ---- */

#define MS 1000000ull

static void frame_packet(GByteArray *trace, guint64 ts, guint no,
			 GByteArray *body)
{
	GByteArray *p = g_byte_array_new(), *e = g_byte_array_new();

	put_message(e, no, body);
	put(p, 8, ts);
	put(p, 10, 21);
	put_message(p, 76, e);
	put_message(trace, 1, p);
}

struct frame {
	guint64 token, begin_ms, length_ms; /* length 0: it stays open */
	int pid;
	guint64 jank, present;
};

static guint64 next_cookie = 1;

static void end_frame(GByteArray *trace, guint64 ts)
{
	GByteArray *end = g_byte_array_new();

	put(end, 1, next_cookie++);
	frame_packet(trace, ts, 5, end);
}

static void add_actual(GByteArray *trace, const struct frame *f,
		       const char *layer)
{
	GByteArray *b = g_byte_array_new();

	put(b, 1, next_cookie);
	put(b, 2, f->token);
	put(b, 3, f->token + 1000);
	put(b, 4, (guint64)f->pid);
	put_text(b, 5, layer);
	put(b, 6, f->present);
	put(b, 9, f->jank);
	frame_packet(trace, f->begin_ms * MS, 4, b);
	if (f->length_ms)
		end_frame(trace, (f->begin_ms + f->length_ms) * MS);
	else
		next_cookie++;
}

static void add_expected(GByteArray *trace, guint64 token, int pid,
			 guint64 begin_ms, guint64 end_ms)
{
	GByteArray *b = g_byte_array_new();

	put(b, 1, next_cookie);
	put(b, 2, token);
	put(b, 3, token + 1000);
	put(b, 4, (guint64)pid);
	put_text(b, 5, "layer");
	frame_packet(trace, begin_ms * MS, 3, b);
	end_frame(trace, end_ms * MS);
}

static void add_display(GByteArray *trace, guint no, guint64 token,
			guint64 begin_us, guint64 end_us, guint64 jank)
{
	GByteArray *b = g_byte_array_new();

	put(b, 1, next_cookie);
	put(b, 2, token);
	put(b, 3, 50);
	if (no == 2) {
		put(b, 4, 1);
		put(b, 7, jank);
	}
	frame_packet(trace, begin_us * 1000, no, b);
	end_frame(trace, end_us * 1000);
}

/*
 * systemui: token 1 takes 100 to 110 ms and should end at 116, token 2 from
 * 116 to 140 (of two layers, one fine) and should at 132; token 3 from 140 to
 * 145, not expected; token 4 is dropped; token 5, a second later, stays open.
 * Intervals while active: 16, 24, 10 ms.
 */
static void add_shade(GByteArray *trace)
{
	static const struct frame frames[] = {
		{ 1, 100, 10, 100, 1, 1 }, { 2, 116, 24, 100, 64, 2 },
		{ 3, 140, 5, 100, 1, 1 },  { 4, 150, 1, 100, 1024, 4 },
		{ 5, 1150, 0, 100, 1, 1 },
	};
	static const struct frame second = { 2, 117, 4, 100, 1, 1 };
	guint i;

	process(trace, 100, "com.android.systemui");
	add_expected(trace, 1, 100, 99, 116);
	add_expected(trace, 2, 100, 115, 132);
	for (i = 0; i < G_N_ELEMENTS(frames); i++)
		add_actual(trace, &frames[i], "TX - Shade#1");
	add_actual(trace, &second, "TX - Bar#2");
}

static void test_frames_table(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed a;

	add_shade(trace);
	a = analyse(trace);
	t = table_of(&a, "frames");
	g_assert_cmpuint(ab_table_rows(t), ==, 2);
	g_assert_cmpstr(text_at(t, 0, "process"), ==, "com.android.systemui");
	g_assert_cmpstr(text_at(t, 0, "source"), ==, "FrameTimeline");
	/* Layers in the order in which the trace names them. */
	g_assert_cmpstr(text_at(t, 0, "layer"), ==, "TX - Shade#1");
	g_assert_cmpint(count_at(t, 0, "pid"), ==, 100);
	g_assert_cmpint(count_at(t, 0, "frames"), ==, 5);
	g_assert_cmpint(count_at(t, 0, "app_missed"), ==, 1);
	expect_number(t, 0, "sf_missed", 0);
	expect_number(t, 0, "dropped", 1);
	g_assert_cmpint(count_at(t, 0, "open"), ==, 1);
	/* 5, 10, 24 ms: neither the dropped nor the open one. */
	expect_number(t, 0, "duration_p50_ms", 10);
	expect_number(t, 0, "duration_p90_ms", 10 + 14 * 0.8);
	expect_number(t, 0, "duration_max_ms", 24);
	/* -6 and 8 ms: the third was not expected. */
	expect_number(t, 0, "overrun_p90_ms", -6 + 14 * 0.9);
	expect_number(t, 0, "overrun_max_ms", 8);
	expect_number(t, 0, "rate_hz", 3 / 0.050);
	g_assert_cmpstr(text_at(t, 1, "layer"), ==, "TX - Bar#2");
	g_assert_cmpint(count_at(t, 1, "app_missed"), ==, 0);
	expect_number(t, 1, "overrun_max_ms", 121 - 132);
	expect_number(t, 1, "rate_hz", NAN);
	analysed_clear(&a);
}

static void test_frames_values(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const GArray *durations, *overruns;
	struct analysed a;

	add_shade(trace);
	a = analyse(trace);
	expect_run_value(&a, "frames.total", 5);
	expect_run_value(&a, "frames.app_missed", 1);
	expect_run_value(&a, "frames.dropped", 1);
	expect_run_value(&a, "frames.open", 1);
	expect_run_value(&a, "frames.rate", 3 / 0.050);
	durations = ab_run_data_find(a.data, "frames.duration");
	overruns = ab_run_data_find(a.data, "frames.overrun");
	g_assert_cmpuint(durations->len, ==, 4);
	g_assert_cmpfloat(g_array_index(durations, double, 0), ==, 10);
	g_assert_cmpuint(overruns->len, ==, 3);
	g_assert_cmpfloat(g_array_index(overruns, double, 0), ==, -6);
	analysed_clear(&a);
}

static void test_samples(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	ab_autoptr(ab_table) t = NULL;
	struct analysed a;
	guint i;

	add_shade(trace);
	a = analyse(trace);
	for (i = 0; ab_trace_samples(a.trace, NULL, i, &t); i++) {
		if (t && !strcmp(t->id, "frames"))
			break;
		ab_table_free(t);
		t = NULL;
	}
	g_assert_nonnull(t);
	g_assert_cmpuint(ab_table_rows(t), ==, 6);
	g_assert_cmpint(count_at(t, 1, "begin_ns"), ==, 116 * MS);
	g_assert_cmpint(count_at(t, 1, "token"), ==, 2);
	expect_number(t, 1, "duration_us", 24000);
	expect_number(t, 1, "overrun_us", 8000);
	g_assert_cmpstr(text_at(t, 1, "jank"), ==, "App Deadline Missed");
	expect_number(t, 5, "duration_us", NAN);
	analysed_clear(&a);
}

/*
 * Expected display frames every 8.3 ms, with jitter, 40 ms of which nothing is
 * drawn, and twice every second one left out.
 */
static void test_display(void)
{
	static const guint64 begins_us[] = { 100000, 108300, 116700, 125000,
					     133200, 149800, 158200, 198200,
					     206500, 223100 };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed a;
	guint i;

	for (i = 0; i < G_N_ELEMENTS(begins_us); i++) {
		add_display(trace, 1, i, begins_us[i], begins_us[i] + 5000, 0);
		add_display(trace, 2, i, begins_us[i] + 100,
			    begins_us[i] + 5000 + 100 * i, i == 3 ? 2 : 1);
	}
	a = analyse(trace);
	t = table_of(&a, "display");
	g_assert_cmpuint(ab_table_rows(t), ==, 1);
	g_assert_cmpint(count_at(t, 0, "frames"), ==, 10);
	g_assert_cmpint(count_at(t, 0, "sf_missed"), ==, 1);
	expect_number(t, 0, "duration_max_ms", 5.8);
	expect_number(t, 0, "overrun_max_ms", 0.9);
	/* 8300, 8400, 8300, 8200, 8400, 8300: the two of 16600 are fewer. */
	expect_number(t, 0, "refresh_hz", 6 / 0.0499);
	/* No app drew. */
	g_assert_null(find_table(a.tables, "frames"));
	expect_reason(&a, "frames.refresh_rate", "no frames of");
	analysed_clear(&a);
}

static void expect_jank(const struct ab_table *t, guint row, const char *whose,
			const char *jank, const char *present, const char *tag,
			gint64 count)
{
	g_assert_cmpstr(text_at(t, row, "frames"), ==, whose);
	g_assert_cmpstr(text_at(t, row, "jank"), ==, jank);
	g_assert_cmpstr(text_at(t, row, "present"), ==, present);
	g_assert_cmpstr(text_at(t, row, "tag"), ==, tag);
	g_assert_cmpint(count_at(t, row, "count"), ==, count);
}

static void test_jank_table(void)
{
	static const struct frame frames[] = {
		{ 1, 10, 5, 100, 1, 1 },
		{ 2, 20, 5, 100, 192, 2 },
		{ 3, 30, 5, 100, 192, 2 },
		{ 4, 40, 5, 100, 0x100000 | 2, 9 },
	};
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed a;
	guint i;

	for (i = 0; i < G_N_ELEMENTS(frames); i++)
		add_actual(trace, &frames[i], "TX");
	add_display(trace, 2, 5, 50000, 51000, 0);
	a = analyse(trace);
	t = table_of(&a, "jank");
	g_assert_cmpuint(ab_table_rows(t), ==, 4);
	expect_jank(t, 0, "apps", "App Deadline Missed, Buffer Stuffing",
		    "Late Present", "Self Jank", 2);
	expect_jank(t, 1, "apps", "None", "On-time Present", "No Jank", 1);
	expect_jank(t, 2, "apps", "SurfaceFlinger Scheduling, 0x100000", "9",
		    "Other Jank", 1);
	expect_jank(t, 3, "SurfaceFlinger", "Unspecified", "On-time Present",
		    "Unspecified", 1);
	g_assert_cmpuint(ab_trace_quality(a.trace)->unknown_enums, ==, 1);
	analysed_clear(&a);
}

/* "Unset" and "never" are no instants. */
static void test_sentinels(void)
{
	static const guint64 times[] = { 0, G_MAXINT64, G_MAXUINT64 };
	static const struct frame good = { 1, 10, 5, 100, 1, 1 };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct analysed a;
	guint i;

	for (i = 0; i < G_N_ELEMENTS(times); i++) {
		GByteArray *end = g_byte_array_new();

		put(end, 1, 1);
		frame_packet(trace, times[i], 5, end);
	}
	add_actual(trace, &good, "TX");
	a = analyse(trace);
	g_assert_cmpuint(ab_trace_quality(a.trace)->sentinel_times, ==, 3);
	g_assert_cmpuint(ab_trace_quality(a.trace)->unpaired, ==, 0);
	g_assert_cmpint(ab_trace_facts(a.trace)->begin_ns, ==, 10 * MS);
	g_assert_cmpint(ab_trace_facts(a.trace)->end_ns, ==, 15 * MS);
	analysed_clear(&a);
}

/* ---- trace markers ---- */

static void test_mark_grammar(void)
{
	static const struct {
		const char *text;
		enum ab_frame_mark_kind kind;
	} texts[] = {
		{ "S|12|abrig:frame:8333|7", AB_MARK_FRAME },
		{ "S|12|abrig:frame:8333|7\n", AB_MARK_FRAME },
		{ "S|12|abrig:frame:10000000|0", AB_MARK_FRAME },
		{ "S|12|abrig:frame:10000001|0", AB_MARK_BAD },
		{ "S|12|abrig:frame:|7", AB_MARK_BAD },
		{ "S|12|abrig:frame:8333|", AB_MARK_BAD },
		{ "S|12|abrig:frame:8333", AB_MARK_BAD },
		{ "S|12|abrig:frame:8333|-1", AB_MARK_BAD },
		{ "S|12|abrig:frame:8333|9223372036854775808", AB_MARK_BAD },
		{ "S|4194304|abrig:frame:8333|7", AB_MARK_BAD },
		{ "S||abrig:frame:8333|7", AB_MARK_BAD },
		{ "S|12|abrig:run|7", AB_MARK_NONE },
		{ "B|12|abrig:frame:8333|7", AB_MARK_NONE },
		{ "S|", AB_MARK_NONE },
		{ "", AB_MARK_NONE },
	};
	struct ab_frame_mark mark;
	guint i;

	for (i = 0; i < G_N_ELEMENTS(texts); i++) {
		struct ab_bytes text = { (const guint8 *)texts[i].text,
					 strlen(texts[i].text) };

		g_assert_cmpint(ab_frame_mark_parse(text, &mark), ==,
				texts[i].kind);
	}
	ab_frame_mark_parse((struct ab_bytes){ (const guint8 *)texts[0].text,
					       strlen(texts[0].text) },
			    &mark);
	g_assert_true(mark.begin);
	g_assert_cmpint(mark.pid, ==, 12);
	g_assert_cmpint(mark.budget_us, ==, 8333);
	g_assert_cmpint(mark.cookie, ==, 7);
}

/*
 * Process 100 has 10 ms for a frame.  Frame 7 takes 100 to 108 ms; 8 from 110
 * to 123: late; two at once, 9 and 10, which end in the other order; a cookie
 * that is used again; and one that stays open.  An end without a begin.
 */
static void add_marks(GByteArray *trace, int pid)
{
	static const struct {
		guint64 ms;
		const char *text;
	} marks[] = {
		{ 100, "S|%d|abrig:frame:10000|7" },
		{ 108, "F|%d|abrig:frame:10000|7" },
		{ 110, "S|%d|abrig:frame:10000|8" },
		{ 120, "S|%d|abrig:frame:10000|9" },
		{ 123, "F|%d|abrig:frame:10000|8" },
		{ 130, "S|%d|abrig:frame:10000|10" },
		{ 131, "F|%d|abrig:frame:10000|10" },
		{ 134, "F|%d|abrig:frame:10000|9" },
		{ 140, "S|%d|abrig:frame:10000|7" },
		{ 150, "F|%d|abrig:frame:10000|7" },
		{ 160, "S|%d|abrig:frame:10000|11" },
		{ 170, "F|%d|abrig:frame:10000|12" },
	};
	GByteArray *b = new_bundle(0);
	guint i;

	for (i = 0; i < G_N_ELEMENTS(marks); i++) {
		g_auto(GStrv) part = g_strsplit(marks[i].text, "%d", 2);
		g_autofree char *text =
			g_strdup_printf("%s%d%s\n", part[0], pid, part[1]);

		print(b, marks[i].ms * MS, pid, text);
	}
	bundle_packet(trace, b, "pm_runtime_work", false);
}

static void test_marks(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed a;

	process(trace, 100, "com.android.systemui");
	add_marks(trace, 100);
	a = analyse(trace);
	t = table_of(&a, "frames");
	g_assert_cmpuint(ab_table_rows(t), ==, 1);
	g_assert_cmpstr(text_at(t, 0, "source"), ==, "markers");
	g_assert_cmpstr(text_at(t, 0, "layer"), ==, "");
	g_assert_cmpint(count_at(t, 0, "frames"), ==, 6);
	g_assert_cmpint(count_at(t, 0, "app_missed"), ==, 2);
	g_assert_cmpint(count_at(t, 0, "open"), ==, 1);
	expect_number(t, 0, "sf_missed", NAN);
	expect_number(t, 0, "dropped", NAN);
	/* 1, 8, 10, 13, 14 */
	expect_number(t, 0, "duration_p50_ms", 10);
	expect_number(t, 0, "duration_max_ms", 14);
	expect_number(t, 0, "overrun_max_ms", 4);
	/* 10, 10, 10, 10 and 20 ms */
	expect_number(t, 0, "rate_hz", 5 / 0.060);
	expect_run_value(&a, "frames.total", 6);
	expect_run_value(&a, "frames.app_missed", 2);
	expect_run_value(&a, "frames.open", 1);
	expect_reason(&a, "frames.sf_missed", "markers");
	expect_reason(&a, "frames.dropped", "markers");
	g_assert_cmpuint(ab_trace_quality(a.trace)->unpaired, ==, 1);
	g_assert_null(find_table(a.tables, "jank"));
	analysed_clear(&a);
}

/* FrameTimeline's numbers are not mixed with markers', which stand beside. */
static void test_both_sources(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	const struct ab_table *t;
	struct analysed a;

	add_shade(trace);
	add_marks(trace, 100);
	a = analyse(trace);
	t = table_of(&a, "frames");
	g_assert_cmpuint(ab_table_rows(t), ==, 3);
	g_assert_cmpstr(text_at(t, 2, "source"), ==, "markers");
	expect_run_value(&a, "frames.total", 5);
	expect_run_value(&a, "frames.sf_missed", 0);
	analysed_clear(&a);
}

/* A process that only its main thread's comm names. */
static void test_marks_by_comm(void)
{
	static const char *const ui[] = { "vsync_app", NULL };
	const struct ab_trace_options options = { .ui_processes = ui };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0), *body = g_byte_array_new();
	struct analysed a;

	put_text(body, 1, "vsync_app");
	put(body, 2, 100);
	put(body, 4, 1);
	put(body, 6, 0);
	event(b, 50 * MS, 100, SWITCH, body);
	bundle_packet(trace, b, "pm_runtime_work", false);
	add_marks(trace, 100);
	a = analyse_with(trace, NULL, &options);
	expect_run_value(&a, "frames.total", 6);
	analysed_clear(&a);
	a = analyse(trace);
	expect_reason(&a, "frames.total", "processes seen: 100 vsync_app");
	analysed_clear(&a);
}

/* Frames that begin from 110 to 130 ms after the first event, at 100 ms. */
static void test_window(void)
{
	static const struct ab_trace_window window = { 10 * MS, 30 * MS };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct analysed a;

	process(trace, 100, "com.android.systemui");
	add_marks(trace, 100);
	a = analyse_with(trace, &window, NULL);
	expect_run_value(&a, "frames.total", 3);
	expect_run_value(&a, "frames.app_missed", 2);
	analysed_clear(&a);
}

static void test_window_beyond(void)
{
	static const struct ab_trace_window window = { G_MAXINT64 - 1,
						       G_MAXINT64 };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct analysed a;

	add_marks(trace, 100);
	a = analyse_with(trace, &window, NULL);
	g_assert_cmpint(ab_trace_facts(a.trace)->begin_ns, ==, G_MAXINT64);
	g_assert_cmpint(ab_trace_facts(a.trace)->end_ns, ==, G_MAXINT64);
	analysed_clear(&a);
}

/* A packet that does not parse may have been one of any kind. */
static void test_lost(void)
{
	static const guint8 damaged[] = { 0x0a, 0x01, 0x00 };
	static const struct frame last = { 9, 1300, 5, 100, 1, 1 };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct analysed a;

	add_shade(trace);
	g_byte_array_append(trace, damaged, sizeof(damaged));
	add_actual(trace, &last, "layer");
	a = analyse(trace);
	expect_reason(&a, "frames.total", "FrameTimeline packets were lost");
	g_assert_null(find_table(a.tables, "frames"));
	g_assert_null(find_table(a.tables, "jank"));
	analysed_clear(&a);
}

/* An app that only its layer names. */
static void test_layer_pattern(void)
{
	static const char *const ui[] = { "com.*.shade", NULL };
	static const struct frame frame = { 1, 100, 5, 100, 1, 1 };
	const struct ab_trace_options options = { .ui_processes = ui };
	g_autoptr(GByteArray) trace = g_byte_array_new();
	struct analysed a;

	add_actual(trace, &frame, "TX - com.example.shade/Main#0");
	a = analyse_with(trace, NULL, &options);
	expect_run_value(&a, "frames.total", 1);
	expect_reason(&a, "frames.rate", "no two frames");
	expect_reason(&a, "frames.refresh_rate", "fewer than three");
	analysed_clear(&a);
}

/* More open frames than are remembered: the oldest stay open. */
static void test_many_open(void)
{
	g_autoptr(GByteArray) trace = g_byte_array_new();
	GByteArray *b = new_bundle(0);
	char text[64];
	struct analysed a;
	guint i;

	process(trace, 100, "com.android.systemui");
	for (i = 0; i < 600; i++) {
		g_snprintf(text, sizeof(text), "%c|100|abrig:frame:1000|%u",
			   i < 300 ? 'S' : 'F', i % 300);
		print(b, (100 + i) * MS, 100, text);
	}
	bundle_packet(trace, b, "pm_runtime_work", false);
	a = analyse(trace);
	expect_run_value(&a, "frames.total", 300);
	expect_run_value(&a, "frames.open", 44);
	g_assert_cmpuint(ab_trace_quality(a.trace)->unpaired, ==, 44);
	analysed_clear(&a);
}

int main(int argc, char **argv)
{
	guint i;

	g_test_init(&argc, &argv, NULL);
	for (i = 0; i < G_N_ELEMENTS(captures); i++) {
		g_autofree char *base =
			g_path_get_basename(captures[i].answers);
		g_autofree char *name =
			g_strdup_printf("/trace/frames/metric/%s", base);

		g_test_add_data_func(name, &captures[i], test_metric);
	}
	g_test_add_func("/trace/frames/table", test_frames_table);
	g_test_add_func("/trace/frames/values", test_frames_values);
	g_test_add_func("/trace/frames/samples", test_samples);
	g_test_add_func("/trace/frames/display", test_display);
	g_test_add_func("/trace/frames/jank", test_jank_table);
	g_test_add_func("/trace/frames/sentinels", test_sentinels);
	g_test_add_func("/trace/frames/mark-grammar", test_mark_grammar);
	g_test_add_func("/trace/frames/marks", test_marks);
	g_test_add_func("/trace/frames/both-sources", test_both_sources);
	g_test_add_func("/trace/frames/marks-by-comm", test_marks_by_comm);
	g_test_add_func("/trace/frames/window", test_window);
	g_test_add_func("/trace/frames/window-beyond", test_window_beyond);
	g_test_add_func("/trace/frames/lost", test_lost);
	g_test_add_func("/trace/frames/layer-pattern", test_layer_pattern);
	g_test_add_func("/trace/frames/many-open", test_many_open);
	return g_test_run();
}

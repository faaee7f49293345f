// SPDX-License-Identifier: GPL-3.0-or-later
/* Whole traces in ftrace text and systrace pages. */
#include <string.h>

#include "../../harness/trace/text.h"
#include "shared.h"
#include "trace_result.h"

static struct ab_bytes bytes_of(const char *text)
{
	return (struct ab_bytes){ (const guint8 *)text, strlen(text) };
}

/* ---- the stream of events ---- */

static char kind_letter(guint8 kind)
{
	return "oswbQASENRFPfiuMpt"[kind];
}

static void show(GString *out, const struct ab_trace *trace,
		 const struct ab_event *ev)
{
	g_string_append_printf(out, "%c%s%" G_GINT64_FORMAT "/%u/%d",
			       kind_letter(ev->kind),
			       ev->flags & AB_EVENT_CROPPED ? "!" : "", ev->ts,
			       ev->cpu, ev->tid);
	if (ev->kind >= AB_EV_PROCESS)
		g_string_append_printf(out, "=%d:%d:%s%s", ev->proc.tid,
				       ev->proc.tgid,
				       ab_trace_text(trace, ev->proc.name),
				       ev->proc.kernel ? ":k" : "");
	g_string_append_c(out, ' ');
}

/* All events of @text, @batch at a time; @trace_out may be NULL. */
static char *stream(struct ab_bytes text, guint batch,
		    struct ab_trace **trace_out)
{
	struct ab_trace *trace = ab_trace_new();
	g_autofree struct ab_batch *events = g_new(struct ab_batch, 1);
	GString *out = g_string_new(NULL);
	struct ab_source *source;
	guint n, i;

	g_assert_true(ab_source_text.recognise(text));
	source = ab_source_text.open(trace, text);
	g_assert_nonnull(source);
	while ((n = ab_source_text.next(source, events, batch)))
		for (i = 0; i < n; i++)
			show(out, trace, &events->room[i]);
	ab_source_text.close(source);
	if (trace_out)
		*trace_out = trace;
	else
		ab_trace_free(trace);
	return g_string_free(out, FALSE);
}

static void expect_stream(const char *text, const char *expected)
{
	g_autofree char *one = stream(bytes_of(text), 1, NULL);
	g_autofree char *many = stream(bytes_of(text), 256, NULL);

	g_assert_cmpstr(many, ==, expected);
	g_assert_cmpstr(one, ==, expected);
}

static void test_empty(void)
{
	expect_stream("# tracer: nop\n#\n", "");
}

/* Three CPUs' files, one after the other; equal stamps keep their order. */
static void test_order(void)
{
	expect_stream("# tracer: nop\n"
		      "a-1 [000] 1.000001: x: 1\n"
		      "a-2 [000] 1.000003: x: 2\n"
		      "a-3 [000] 1.000003: x: 3\n"
		      "# tracer: nop\n"
		      "a-4 [001] 1.000002: x: 4\n"
		      "a-5 [001] 1.000003: x: 5\n"
		      "damage\n"
		      "a-6 [001] 1.000009: x: 6\n"
		      "a-7 [002] 0.999999: x: 7\n"
		      "a-8 [002] 1.000003: x: 8\n",
		      "o999999000/2/7 o1000001000/0/1 o1000002000/1/4 "
		      "o1000003000/0/2 o1000003000/0/3 o1000003000/1/5 "
		      "o1000003000/2/8 o1000009000/1/6 ");
}

/* A file without any order: what does not fit into the runs comes too late. */
static void test_no_order(void)
{
	const guint n = TX_MAX_RUNS + 100;
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *events = NULL;
	struct ab_trace *trace;
	guint i;

	for (i = 0; i < n; i++)
		g_string_append_printf(text, "a-%u [000] %u.000000: x:\n",
				       i % 100 + 1, n - i);
	events = stream(bytes_of(text->str), 256, &trace);
	g_assert_true(g_str_has_prefix(events, "o"));
	g_assert_cmpuint(trace->quality.damaged_events, ==, 100);
	g_assert_nonnull(strstr(events, "o102000000000/"));
	g_assert_null(strstr(events, "o100000000000/"));
	ab_trace_free(trace);
}

static void test_wakeup_only(void)
{
	expect_stream("a-1 [000] 1.000001: sched_wakeup: comm=b pid=2\n"
		      "a-1 [000] 1.000002: sched_wakeup_new: comm=b pid=2\n",
		      "w1000001000/0/1 w1000002000/0/1 ");
	/* A marker that only holds the word is not the event. */
	expect_stream("a-1 [000] 1.000001: sched_wakeup: comm=b pid=2\n"
		      "a-1 [000] 1.000002: tracing_mark_write: sched_waking:\n",
		      "w1000001000/0/1 P1000002000/0/1 ");
	expect_stream("a-1 [000] 1.000001: sched_wakeup: comm=b pid=2\n"
		      "a-1 [000] 1.000002: sched_waking: comm=b pid=2\n",
		      "o1000001000/0/1 w1000002000/0/1 ");
}

/* ---- processes ---- */

static void test_tgid_column(void)
{
	expect_stream("main-5 (    5) [000] .... 1.000001: x: 1\n"
		      "main-5 (    5) [000] .... 1.000002: x: 1\n"
		      "w-6 (    5) [000] .... 1.000003: x: 1\n"
		      "w-6 (-----) [000] .... 1.000004: x: 1\n"
		      "com.long.command-5 (    5) [000] .... 1.000005: x: 1\n"
		      "<...>-5 (    5) [000] .... 1.000006: x: 1\n"
		      "exactlyfifteen1-7 (    7) [000] .... 1.000007: x: 1\n"
		      "w-6 (    7) [000] .... 1.000008: x: 1\n"
		      "<idle>-0 (    0) [000] .... 1.000009: x: 1\n",
		      "p1000001000/0/-1=5:5:main o1000001000/0/5 "
		      "o1000002000/0/5 "
		      "t1000003000/0/-1=6:5: o1000003000/0/6 "
		      "o1000004000/0/6 "
		      "p1000005000/0/-1=5:5:com.long.command o1000005000/0/5 "
		      "o1000006000/0/5 "
		      "p1000007000/0/-1=7:7: o1000007000/0/7 "
		      "t1000008000/0/-1=6:7: o1000008000/0/6 "
		      "o1000009000/0/0 ");
}

#define PAGE "<!DOCTYPE html>\n<html>\n<script>code()\n</script>\n"
#define DATA "  <script class=\"trace-data\" type=\"application/text\">\n"
#define END "  </script>\n"

static void test_process_dump(void)
{
	expect_stream(PAGE DATA
		      "# tracer: nop\n"
		      "m-9 (    9) [000] .... 1.000001: x: 1\n" END DATA
		      "PROCESS DUMP\n"
		      "USER PID PPID VSIZE RSS WCHAN PC S NAME COMM\n"
		      "root 1 0 10 20 0 0 S init init\n"
		      "root 2 0 0 0 0 0 S [kthreadd] kthreadd\n"
		      "root 7 2 0 0 0 0 I [kworker/0:0-events] kworker\n"
		      "u0_a1 9 1 10 20 0 0 S com.android.systemui oid.ui\n"
		      "bad x y\n"
		      "USER PID TID CMD\n"
		      "u0_a1 9 9 ndroid.systemui\n"
		      "u0_a1 9 10 Binder:9_1 x\n" END "</html>\n",
		      "p1000001000/0/-1=1:1:init "
		      "p1000001000/0/-1=2:2:kthreadd:k "
		      "t1000001000/0/-1=2:2:kthreadd:k "
		      "p1000001000/0/-1=7:7:kworker/0:0:k "
		      "t1000001000/0/-1=7:7:kworker/0:0:k "
		      "p1000001000/0/-1=9:9:com.android.systemui "
		      "t1000001000/0/-1=9:9:ndroid.systemui "
		      "t1000001000/0/-1=10:9:Binder:9_1 x "
		      "o1000001000/0/9 ");
}

/* toolbox's ps has no title above the state, and threads look like children. */
static void test_old_process_dump(void)
{
	expect_stream("a-9 [000] 1.000001: x: 1\n"
		      "PROCESS DUMP\n"
		      "USER     PID   PPID  VSIZE  RSS     WCHAN    PC   NAME\n"
		      "root      1     0     8776   820 ffffffff 00000000 S "
		      "/init\n"
		      "u0_a1     9     1     8776   820 ffffffff 00000000 S "
		      "com.a.b\n"
		      "USER     PID   PPID  VSIZE  RSS     WCHAN    PC   NAME\n"
		      "u0_a1     9     1     8776   820 ffffffff 00000000 S "
		      "com.a.b\n"
		      "u0_a1     10    9     8776   820 ffffffff 00000000 S "
		      "Binder 1\n"
		      "a-9 [000] 1.000002: x: 1\n",
		      "p1000001000/0/-1=1:1:/init p1000001000/0/-1=9:9:com.a.b "
		      "t1000001000/0/-1=10:9:Binder 1 "
		      "o1000001000/0/9 o1000002000/0/9 ");
}

/* ---- recognition ---- */

static void test_recognise(void)
{
	static const char *const traces[] = {
		"# tracer: nop\n",
		"\xef\xbb\xbf# tracer: nop\n",
		"TRACE:\n# tracer: nop\n",
		"version = 6\ncpus=6\nCPU 1 is empty\na-1 [000] 1.000000: x:\n",
		"a-1 [000] 1.000000: x:",
		PAGE DATA "# tracer: nop\n" END,
		"\n<!doctype HTML>\n" DATA "a-1 [000] 1.000000: x: y",
		PAGE DATA "{}\n" END DATA "# tracer: nop\n" END,
		PAGE "<script>\n  var linuxPerfData = \"\\\n"
		     "# tracer: nop\\n\\\n\";\n</script>\n",
	};
	static const char *const others[] = {
		"",
		"\n",
		"hello\n",
		"a-1 [000] 1.000000\n",
		"#!/bin/sh\n",
		PAGE,
		PAGE "# tracer: nop\n",
		PAGE DATA "{}\n" END,
		PAGE "if (x == '<script class=\"trace-data\">') {\n"
		     "# tracer: nop\n",
		PAGE DATA END "# tracer: nop\n",
		PAGE DATA "PROCESS DUMP\nUSER PID NAME\n" END,
		"\x0a\x10\x0a\x08 a-1 [000] 1.000000 x",
	};
	guint i;

	for (i = 0; i < G_N_ELEMENTS(traces); i++) {
		g_test_message("%s", traces[i]);
		g_assert_true(ab_source_text.recognise(bytes_of(traces[i])));
	}
	for (i = 0; i < G_N_ELEMENTS(others); i++) {
		g_test_message("%s", others[i]);
		g_assert_false(ab_source_text.recognise(bytes_of(others[i])));
	}
}

/* The oldest pages hold a string of JavaScript. */
static void test_script_page(void)
{
	expect_stream(PAGE "<script>\n  var linuxPerfData = \"\\\n"
			   "# tracer: nop\\n\\\n"
			   "a-1 [000] 1.000001: x: y\\n\\\n"
			   "\";\n</script>\n"
			   "a-1 [000] 1.000002: x: y\n",
		      "o1000001000/0/1 ");
}

/* ---- loss ---- */

static struct ab_trace *open_text(const char *text)
{
	struct ab_trace *trace;

	g_free(stream(bytes_of(text), 7, &trace));
	return trace;
}

static void expect_lost(const struct ab_trace *trace, guint i, int cpu,
			gint64 begin_ns, gint64 end_ns)
{
	const struct ab_lost *lost =
		&g_array_index(trace->lost_events, struct ab_lost, i);

	g_assert_cmpuint(trace->lost_events->len, >, i);
	g_assert_cmpint(lost->cpu, ==, cpu);
	g_assert_cmpint(lost->begin_ns, ==, begin_ns);
	g_assert_cmpint(lost->end_ns, ==, end_ns);
}

static void test_lost(void)
{
	struct ab_trace *trace = open_text("a-1 [001] 1.000001: x:\n"
					   "a-1 [000] 1.000002: x:\n"
					   "CPU:1 [LOST 12 EVENTS]\n"
					   "a-1 [000] 1.000003: x:\n"
					   "CPU:1 [LOST 3 EVENTS]\n"
					   "a-1 [001] 1.000004: x:\n"
					   "a-1 [001] 1.000005: x:\n"
					   "CPU:7 [EVENTS DROPPED]\n"
					   "a-1 [007] 1.000006: x:\n"
					   "CPU:0 [1 EVENTS DROPPED]\n");

	g_assert_cmpuint(trace->lost_events->len, ==, 3);
	expect_lost(trace, 0, 1, 1000001000, 1000004000);
	expect_lost(trace, 1, 7, G_MININT64, 1000006000);
	expect_lost(trace, 2, 0, 1000003000, G_MAXINT64);
	g_assert_cmpuint(trace->quality.overrun, ==, 16);
	g_assert_cmpuint(trace->quality.lost_bundles, ==, 4);
	g_assert_cmpint(trace->facts.cpus, ==, 8);
	ab_trace_free(trace);
}

/* The oldest events were overwritten: CPU 1 is covered from its first on. */
static void test_overwritten(void)
{
	const char *text = "# entries-in-buffer/entries-written: 4/10   #P:4\n"
			   "a-1 [000] 1.000001: x:\n"
			   "a-1 [000] 1.000002: x:\n"
			   "##### CPU 1 buffer started ####\n"
			   "a-1 [001] 1.000003: x:\n"
			   "a-1 [000] 1.000004: x:\n";
	struct ab_trace *trace = open_text(text);

	g_assert_cmpint(trace->crop_ns, ==, 1000003000);
	g_assert_cmpuint(trace->quality.overrun, ==, 6);
	g_assert_cmpuint(trace->quality.lost_bundles, ==, 1);
	g_assert_cmpint(trace->facts.cpus, ==, 4);
	g_assert_false(trace->end_missing);
	ab_trace_free(trace);
	expect_stream(text, "o!1000001000/0/1 o!1000002000/0/1 "
			    "o1000003000/1/1 o1000004000/0/1 ");
}

/* Without a loss in the window nothing is withheld. */
static void test_overwritten_window(void)
{
	const char *text = "# entries-in-buffer/entries-written: 2/10   #P:4\n"
			   "a-1 [000] 1.000001: x:\n"
			   "a-1 [001] 1.000003: x:\n";
	ab_autoptr(ab_trace) trace = ab_trace_open_bytes(
		(const guint8 *)text, strlen(text), NULL, NULL);

	g_assert_nonnull(trace);
	g_assert_cmpint(ab_trace_facts(trace)->begin_ns, ==, 1000003000);
	g_assert_false(ab_trace_quality(trace)->loss_in_window);
}

static void test_cut(void)
{
	struct ab_trace *trace;

	/* A stump of a line. */
	trace = open_text("a-1 [000] 1.000001: x:\na-1 [000] 1.00");
	g_assert_true(trace->end_missing);
	g_assert_cmpuint(trace->quality.bytes_ignored, ==, 14);
	g_assert_cmpuint(trace->quality.damaged_events, ==, 0);
	ab_trace_free(trace);
	/* A whole last line without its end. */
	trace = open_text("a-1 [000] 1.000001: x:\na-1 [000] 1.000002: x:");
	g_assert_false(trace->end_missing);
	ab_trace_free(trace);
	/* Fewer lines than the buffer had. */
	trace = open_text("# entries-in-buffer/entries-written: 3/3   #P:4\n"
			  "a-1 [000] 1.000001: x:\nbroken line\n");
	g_assert_true(trace->end_missing);
	g_assert_cmpuint(trace->quality.damaged_events, ==, 1);
	ab_trace_free(trace);
	/* A page that ends within its script. */
	trace = open_text(PAGE DATA "a-1 [000] 1.000001: x:\n");
	g_assert_true(trace->end_missing);
	ab_trace_free(trace);
}

static void test_damaged(void)
{
	struct ab_trace *trace =
		open_text("# tracer: nop\n"
			  "a-1 [000] 1.000001: sched_switch: prev_comm\n"
			  "a-1 [000] 1.000002: cpu_idle: state=x\n"
			  "a-1 [99999999] 1.000003: x:\n"
			  "a-1 [000] 99999999999999999999.000003: x:\n"
			  "a-1 [000] 1.000004: x:\n");

	g_assert_cmpuint(trace->quality.damaged_events, ==, 4);
	g_assert_cmpuint(trace->quality.bytes_ignored, ==, 0);
	ab_trace_free(trace);
}

/* One line that does not end, of every sign that means something. */
static void test_long_line(void)
{
	static const char signs[] = "a[ :-(=>\\0";
	const gsize n = 4 * 1024 * 1024;
	guint i;

	for (i = 0; i < sizeof(signs); i++) {
		g_autofree guint8 *text = g_malloc(n);
		const char *head = "# tracer: nop\n"
				   "a-1 [000] 1.000001: sched_switch: ";
		struct ab_trace *trace;

		memset(text, signs[i], n);
		memcpy(text, head, strlen(head));
		g_free(stream((struct ab_bytes){ text, n }, 8, &trace));
		g_assert_cmpuint(trace->quality.damaged_events, ==, 1);
		ab_trace_free(trace);
	}
}

/* ---- the whole way ---- */

static struct result analyze(const char *text)
{
	return result_of(text, strlen(text));
}

#define SWITCH(prev, prev_tid, state, next, next_tid)             \
	"sched_switch: prev_comm=" prev " prev_pid=" #prev_tid    \
	" prev_prio=120 prev_state=" state " ==> next_comm=" next \
	" next_pid=" #next_tid " next_prio=120\n"
#define WAKING(comm, tid) \
	"sched_waking: comm=" comm " pid=" #tid " prio=120 target_cpu=000\n"

/*
 * The worker 10 is woken at 100 us, when the item is queued (at 99), and gets
 * the CPU at 350: it waited for 250.  The second item, queued at 380, starts
 * while it runs.  Asleep from 500 and woken at 600 it is preempted before it
 * starts the third (650 to 700): 50 and then 30 more, without a break.
 */
static const char cpu_wait_text[] =
	"# tracer: nop\n"
	"# entries-in-buffer/entries-written: 17/17   #P:1\n"
	"  <idle>-0   [000] d..3 1.000000: " SWITCH(
		"swapper/0", 0, "R", "a",
		5) "       a-5   [000] d..3 1.000099: workqueue_queue_work: "
		   "work struct=ffffff11 function=pm_runtime_work workqueue=pm "
		   "req_cpu=8 cpu=0\n"
		   "       a-5   [000] d..3 1.000099: workqueue_activate_work: "
		   "work struct ffffff11\n"
		   "       a-5   [000] d..3 1.000100: " WAKING("kworker/0:1", 10) "       a-5   [000] d..3 1.000350: " SWITCH(
			   "a", 5, "R+", "kworker/0:1",
			   10) "kworker/0:1-10 [000] ...1 1.000360: workqueue_execute_start: "
			       "work struct ffffff11: function pm_runtime_work\n"
			       "kworker/0:1-10 [000] ...1 1.000380: workqueue_queue_work: "
			       "work struct=ffffff22 function=pm_runtime_work workqueue=pm "
			       "req_cpu=8 cpu=0\n"
			       "kworker/0:1-10 [000] ...1 1.000400: workqueue_execute_end: "
			       "work struct ffffff11: function pm_runtime_work\n"
			       "kworker/0:1-10 [000] ...1 1.000410: workqueue_execute_start: "
			       "work struct ffffff22: function pm_runtime_work\n"
			       "kworker/0:1-10 [000] ...1 1.000450: workqueue_execute_end: "
			       "work struct ffffff22: function pm_runtime_work\n"
			       "kworker/0:1-10 [000] d..3 1.000500: " SWITCH("kworker/0:1", 10, "I", "a", 5) "       a-5   [000] d..3 1.000600: " WAKING("kworker/0:1", 10) "       a-5   [000] d..3 1.000650: " SWITCH(
				       "a", 5, "S", "kworker/0:1",
				       10) "kworker/0:1-10 [000] d..3 1.000660: " SWITCH("kworker/0:1",
											 10,
											 "R+",
											 "b",
											 6) "       b-6   [000] d..3 1.000690: " SWITCH("b",
																	6,
																	"S",
																	"kworker/0:1",
																	10) "kworker/0:1-10 [000] ...1 1.000700: workqueue_execute_start: "
																	    "work struct ffffff11: function pm_runtime_work\n"
																	    "kworker/0:1-10 [000] ...1 1.000710: workqueue_execute_end: "
																	    "work struct ffffff11: function pm_runtime_work\n";

static void test_cpu_wait(void)
{
	struct result r = analyze(cpu_wait_text);
	const struct ab_trace_quality *q = ab_trace_quality(r.trace);

	EXPECT(&r, "pm_runtime_work.cpu_wait", 250, 0, 30);
	EXPECT(&r, "pm_runtime_work.queue_wait", 261, 30);
	g_assert_cmpuint(q->events, ==, 17);
	g_assert_cmpuint(q->switch_mismatch, ==, 0);
	g_assert_cmpuint(q->damaged_events, ==, 0);
	g_assert_false(q->loss_in_window);
	g_assert_cmpstr(ab_trace_facts(r.trace)->format, ==, "ftrace text");
	done(&r);
}

/*
 * systemui's main thread 100 sleeps in rpm_resume from 2000 to 2800.  Its
 * waker 40 is woken at 2100 and runs at 2500: it waited 400.  Then from 3000
 * to 3200, woken by an interrupt of the idle CPU.
 */
#define UI "com.android.systemui-100 (  100) [001] d..3 1.00"
#define IDLE0 "          <idle>-0     (-----) [000] d..3 1.00"
#define IDLE1 "          <idle>-0     (-----) [001] d..3 1.00"
#define W "waker-40   (   40) [000] d..3 1.00"
static const char waker_wait_page[] =
	PAGE DATA "# tracer: nop\n" IDLE0
		  "1000: " SWITCH("swapper/0", 0, "R", "busy", 50) IDLE1
	"1000: " SWITCH("swapper/1", 0, "R", "ndroid.systemui", 100) UI
	"2000: " SWITCH("ndroid.systemui", 100, "D", "swapper/1", 0) "busy-50 (   50) [000] d..3 1.002100: " WAKING(
		"waker",
		40) "busy-50 (   50) [000] d..3 1.002500: " SWITCH("busy", 50,
								   "R", "waker",
								   40) W
	"2800: " WAKING("ndroid.systemui", 100) W
	"2810: sched_blocked_reason: pid=100 iowait=0 "
	"caller=rpm_resume+0x1b4/0x5c8\n" IDLE1
	"2820: " SWITCH("swapper/1", 0, "R", "ndroid.systemui", 100) W
	"2850: " SWITCH("waker", 40, "D|K", "swapper/0", 0) UI "3000: " SWITCH(
		"ndroid.systemui", 100, "D", "swapper/1",
		0) "          <idle>-0     (-----) [000] d.h3 1.003200: " WAKING("ndroid.systemui",
										 100)
		IDLE0
	"3210: sched_blocked_reason: pid=100 iowait=0 "
	"caller=rpm_resume [power]\n" IDLE1
	"3220: " SWITCH("swapper/1", 0, "R", "ndroid.systemui", 100) END
	"</html>\n";

static void test_waker_wait(void)
{
	struct result r = analyze(waker_wait_page);

	EXPECT(&r, "ui.rpm_resume.d_state", 800, 200);
	EXPECT(&r, "ui.rpm_resume.waker_wait", 400, 0);
	g_assert_cmpuint(ab_trace_quality(r.trace)->switch_mismatch, ==, 0);
	g_assert_cmpstr(ab_trace_facts(r.trace)->format, ==, "systrace");
	done(&r);
}

static void test_window(void)
{
	struct result r = analyze(
		"a-1 [000] 1.000001: x:\n"
		"a-1 [000] 1.000002: tracing_mark_write: S|1|abrig:run|7\n"
		"a-1 [000] 1.000003: x:\n"
		"b-2 [001] 1.000004: print: tracing_mark_write: "
		"F|1|abrig:run|7\n"
		"a-1 [000] 1.000005: x:\n");
	const struct ab_trace_facts *facts = ab_trace_facts(r.trace);

	g_assert_true(facts->window_marked);
	g_assert_cmpint(facts->begin_ns, ==, 1000002000);
	g_assert_cmpint(facts->end_ns, ==, 1000004000);
	done(&r);
}

static void test_given_window(void)
{
	const char *text = "a-1 [000] 1.000001: x:\n"
			   "a-1 [000] 1.000009: x:\n";
	const struct ab_trace_window window = { 2000, 5000 };
	ab_autoptr(ab_trace) trace = ab_trace_open_bytes(
		(const guint8 *)text, strlen(text), &window, NULL);

	g_assert_cmpint(ab_trace_facts(trace)->begin_ns, ==, 1000003000);
	g_assert_cmpint(ab_trace_facts(trace)->end_ns, ==, 1000006000);
}

/* ---- real ones ---- */

/* What `grep -c` finds in them. */
static const struct capture {
	const char *name, *format;
	int cpus;
	guint64 switches, wakings, blocked, prints, frequencies, idles,
		overutilized, others;
} captures[] = {
	{ "phone-2018-systrace.html", "systrace", 8, 3180, 2138, 187, 1195, 48,
	  0, 0, 0 },
	{ "lisa-trace_txt.txt", "ftrace text", 6, 1856, 1068, 0, 14, 0, 0, 3,
	  0 },
	{ "catapult-android_systrace.txt", "ftrace text", 1, 58, 33, 0, 0, 0, 0,
	  0, 0 },
	{ "tests-trace_sched.txt", "ftrace text", 6, 0, 4, 0, 0, 1, 0, 0, 6 },
	{ "tests-trace_systrace.html", "systrace", 6, 4, 4, 0, 2, 0, 0, 0, 0 },
	{ "tests-trace_no_trailing_line.txt", "ftrace text", 4, 1, 0, 0, 0, 0,
	  9, 0, 0 },
	{ "tests-trace_equals.txt", "ftrace text", 4, 0, 0, 0, 0, 0, 0, 0, 7 },
};

static void check_capture(const struct capture *c)
{
	g_autofree char *name =
		g_build_filename("data", "ftrace", c->name, NULL);
	g_autofree char *path = shared_path(name);
	ab_autoptr(ab_trace) trace = NULL;
	GError *error = NULL;

	if (!path)
		return;
	g_test_message("%s", c->name);
	trace = ab_trace_open(path, NULL, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(trace->facts.format, ==, c->format);
	g_assert_cmpint(trace->facts.cpus, ==, c->cpus);
	g_assert_cmpuint(trace->seen[AB_EV_SWITCH], ==, c->switches);
	g_assert_cmpuint(trace->seen[AB_EV_WAKING], ==, c->wakings);
	g_assert_cmpuint(trace->seen[AB_EV_BLOCKED], ==, c->blocked);
	g_assert_cmpuint(trace->blocked_resolved, ==, c->blocked);
	g_assert_cmpuint(trace->seen[AB_EV_PRINT], ==, c->prints);
	g_assert_cmpuint(trace->seen[AB_EV_CPU_FREQUENCY], ==, c->frequencies);
	g_assert_cmpuint(trace->seen[AB_EV_CPU_IDLE], ==, c->idles);
	g_assert_cmpuint(trace->seen[AB_EV_OVERUTILIZED], ==, c->overutilized);
	g_assert_cmpuint(trace->seen[AB_EV_OTHER], ==, c->others);
	g_assert_cmpuint(trace->quality.damaged_events, ==, 0);
	g_assert_cmpuint(trace->quality.bytes_ignored, ==, 0);
	g_assert_cmpuint(trace->quality.unknown_enums, ==, 0);
}

static void test_captures(void)
{
	guint i;

	for (i = 0; i < G_N_ELEMENTS(captures); i++)
		check_capture(&captures[i]);
}

static void show_cell(GString *out, const struct ab_column *column,
		      const union ab_cell *cell)
{
	if (column->kind == AB_CELL_TEXT)
		g_string_append_printf(out, "%s ", cell->text);
	else if (column->kind == AB_CELL_COUNT)
		g_string_append_printf(out, "%" G_GINT64_FORMAT " ",
				       cell->count);
	else
		g_string_append_printf(out, "%.9g ", cell->number);
}

/* All tables that @trace yields, as text. */
static char *tables_of(struct ab_trace *trace)
{
	g_autoptr(GPtrArray) tables = ab_trace_tables(trace, NULL);
	GString *out = g_string_new(NULL);
	guint i, row, col;

	for (i = 0; i < tables->len; i++) {
		const struct ab_table *t = tables->pdata[i];

		g_string_append_printf(out, "\n%s", t->id);
		for (row = 0; row < ab_table_rows(t); row++) {
			g_string_append_c(out, '\n');
			for (col = 0; col < t->n_columns; col++)
				show_cell(out, &t->columns[col],
					  ab_table_cell(t, row, col));
		}
	}
	return g_string_free(out, FALSE);
}

/*
 * trace-cmd's own text of a file against the file itself, with all digits of
 * the stamps.  The kernel has states as numbers, the text has letters.
 */
static void test_report(void)
{
	g_autofree char *path = shared_path("data/ftrace/lisa-sched_load.dat");
	g_autofree char *text = NULL, *ours = NULL, *theirs = NULL;
	const char *argv[] = { "trace-cmd", "report", "-t", "-N", path, NULL };
	struct ab_trace *a, *b;
	int status = -1, i;

	if (!path)
		return;
	if (!g_spawn_sync(NULL, (char **)argv, NULL,
			  G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
			  NULL, NULL, &text, NULL, &status, NULL) ||
	    status != 0) {
		g_test_skip("no trace-cmd");
		return;
	}
	a = ab_trace_open_bytes((const guint8 *)text, strlen(text), NULL, NULL);
	b = ab_trace_open(path, NULL, NULL, NULL);
	g_assert_nonnull(a);
	g_assert_nonnull(b);
	ours = tables_of(a);
	theirs = tables_of(b);
	g_assert_cmpstr(ours, ==, theirs);
	for (i = 0; i < AB_EV_PROCESS; i++)
		g_assert_cmpuint(a->seen[i], ==, b->seen[i]);
	ab_trace_free(a);
	ab_trace_free(b);
}

/* Three threads that run for as long as stamps can tell: no sum wraps. */
static void test_longest(void)
{
	static const char text[] =
		"# tracer: nop\n"
		"a-1 [000] 0.000001: " SWITCH("a", 1, "R+", "b", 2) "a-3 [001] 0.000001: " SWITCH("a", 3, "R+", "b", 4) "a-5 [002] 0.000001: " SWITCH("a", 5, "R+", "b", 6) "b-2 [000] 4611686017.000001: " SWITCH(
			"b", 2, "S", "a",
			1) "b-4 [001] 4611686017.000001: " SWITCH("b", 4, "S",
								  "a",
								  3) "b-6 [002] 4611686017.000001: " SWITCH("b",
													    6,
													    "S",
													    "a",
													    5) "a-1 [000] 4611686017.000002: " WAKING("b",
																		      2);
	struct result r = analyze(text);
	double running = 0;

	g_assert_true(ab_run_data_get(r.data, "sched.other.running", &running));
	g_assert_cmpfloat(running, ==, (double)G_MAXINT64 / 1e6);
	done(&r);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace-text/empty", test_empty);
	g_test_add_func("/trace-text/order", test_order);
	g_test_add_func("/trace-text/no-order", test_no_order);
	g_test_add_func("/trace-text/wakeup-only", test_wakeup_only);
	g_test_add_func("/trace-text/tgid-column", test_tgid_column);
	g_test_add_func("/trace-text/process-dump", test_process_dump);
	g_test_add_func("/trace-text/old-process-dump", test_old_process_dump);
	g_test_add_func("/trace-text/recognise", test_recognise);
	g_test_add_func("/trace-text/script-page", test_script_page);
	g_test_add_func("/trace-text/lost", test_lost);
	g_test_add_func("/trace-text/overwritten", test_overwritten);
	g_test_add_func("/trace-text/overwritten-window",
			test_overwritten_window);
	g_test_add_func("/trace-text/cut", test_cut);
	g_test_add_func("/trace-text/damaged", test_damaged);
	g_test_add_func("/trace-text/long-line", test_long_line);
	g_test_add_func("/trace-text/cpu-wait", test_cpu_wait);
	g_test_add_func("/trace-text/waker-wait", test_waker_wait);
	g_test_add_func("/trace-text/window", test_window);
	g_test_add_func("/trace-text/given-window", test_given_window);
	g_test_add_func("/trace-text/longest", test_longest);
	g_test_add_func("/trace-text/captures", test_captures);
	g_test_add_func("/trace-text/report", test_report);
	return g_test_run();
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* Single lines of ftrace text, field by field. */
#include <string.h>

#include "../../harness/trace/text.h"

static struct ab_bytes bytes_of(const char *text)
{
	return (struct ab_bytes){ (const guint8 *)text, strlen(text) };
}

static char *string_of(struct ab_bytes text)
{
	return g_strndup((const char *)text.p, text.n);
}

/* ---- the head of a line ---- */

struct head {
	const char *line;
	const char *task; /* NULL: no event */
	gint32 tid, tgid;
	guint16 cpu;
	guint8 irq;
	gint64 ts;
	const char *event, *body;
};

#define HARD AB_FLAG_HARDIRQ
#define SOFT AB_FLAG_SOFTIRQ

static const struct head heads[] = {
	/* All columns; without flags; without TGID. */
	{ "  kworker/0:1-12    (   12) [003] d..3  5.000001: a_b: c=1", //
	  "kworker/0:1", 12, 12, 3, 0, 5000001000, "a_b", "c=1" },
	{ "            sh-1701  [001]    76.211513: ev:     x=y", //
	  "sh", 1701, -1, 1, 0, 76211513000, "ev", "x=y" },
	{ "adbd-14582 [000] 50260.647722: ev: x\\n\\", //
	  "adbd", 14582, -1, 0, 0, 50260647722000, "ev", "x" },
	{ "a-1 [000] d..2. 1.000000: ev: x\r", //
	  "a", 1, -1, 0, 0, 1000000000, "ev", "x" },
	/* Nanoseconds. */
	{ "a-1 [000] .... 1.123456789: ev: x", //
	  "a", 1, -1, 0, 0, 1123456789, "ev", "x" },
	{ "a-1 [000] 4611686017.999999999: ev: x", //
	  "a", 1, -1, 0, 0, G_GINT64_CONSTANT(4611686017999999999), "ev", "x" },
	/* Names with everything in them. */
	{ "<idle>-0     (-----) [001] dn.4 1.000000: ev: x", //
	  "<idle>", 0, -1, 1, 0, 1000000000, "ev", "x" },
	{ "<idle>-0     (-------) [001] dn.4 1.000000: ev: x", //
	  "<idle>", 0, -1, 1, 0, 1000000000, "ev", "x" },
	{ "<...>-99 (-----) [001] .... 1.000000: ev: x", //
	  "<...>", 99, -1, 1, 0, 1000000000, "ev", "x" },
	{ "  a b-c:d/e (1)-77 (   70) [001] .... 1.000000: ev: x", //
	  "a b-c:d/e (1)", 77, 70, 1, 0, 1000000000, "ev", "x" },
	{ "irq/409-inv_irq-99    [000] 1.000000: ev: x", //
	  "irq/409-inv_irq", 99, -1, 0, 0, 1000000000, "ev", "x" },
	{ "a[1] [2]-3 [004] .... 1.000000: ev: x", //
	  "a[1] [2]", 3, -1, 4, 0, 1000000000, "ev", "x" },
	{ "-5-6 [000] 1.000000: ev: x", //
	  "-5", 6, -1, 0, 0, 1000000000, "ev", "x" },
	{ "com.android.systemui-611   (  611) [1023] d..5 1.000000: ev: x", //
	  "com.android.systemui", 611, 611, 1023, 0, 1000000000, "ev", "x" },
	/* In which interrupt. */
	{ "a-1 [000] d.h3 1.000000: ev: x", //
	  "a", 1, -1, 0, HARD, 1000000000, "ev", "x" },
	{ "a-1 [000] dNs4. 1.000000: ev: x", //
	  "a", 1, -1, 0, SOFT, 1000000000, "ev", "x" },
	{ "a-1 [000] dNH4. 1.000000: ev: x", //
	  "a", 1, -1, 0, HARD | SOFT, 1000000000, "ev", "x" },
	{ "a-1 [000] dnLZ4.1 1.000000: ev: x", //
	  "a", 1, -1, 0, HARD | SOFT, 1000000000, "ev", "x" },
	{ "a-1 [000] d.z3 1.000000: ev: x", //
	  "a", 1, -1, 0, HARD, 1000000000, "ev", "x" },
	/* What follows the stamp. */
	{ "a-1 [000] 1.000000: do_it <-caller", //
	  "a", 1, -1, 0, 0, 1000000000, "", "do_it <-caller" },
	{ "a-1 [000] 1.000000:", //
	  "a", 1, -1, 0, 0, 1000000000, "", "" },
	{ "a-1 [000] 1.000000: ev:", //
	  "a", 1, -1, 0, 0, 1000000000, "ev", "" },
	{ "a-1 [000] 1.000000: tracing_mark_write:   B|1|x ", //
	  "a", 1, -1, 0, 0, 1000000000, "tracing_mark_write", "  B|1|x " },
	{ "a-1 [000] 1.000000: ev: b-2 [001] 2.000000: ev: x", //
	  "a", 1, -1, 0, 0, 1000000000, "ev", "b-2 [001] 2.000000: ev: x" },
	/* No events. */
	{ .line = "" },
	{ .line = "[" },
	{ .line = "-1 [" },
	{ .line = "a [000] 1.000000: ev: x" },
	{ .line = "a- [000] 1.000000: ev: x" },
	{ .line = "a-1 000 1.000000: ev: x" },
	{ .line = "a-1 [] 1.000000: ev: x" },
	{ .line = "a-1 [000 1.000000: ev: x" },
	{ .line = "a-1 [1024] 1.000000: ev: x" },
	{ .line = "a-1 [99999999999999999999] 1.000000: ev: x" },
	{ .line = "a-4194304 [000] 1.000000: ev: x" },
	{ .line = "a-1 (4194304) [000] 1.000000: ev: x" },
	{ .line = "a-1 (x) [000] 1.000000: ev: x" },
	{ .line = "a-1 [000] 1.00000: ev: x" },
	{ .line = "a-1 [000] 1.0000000: ev: x" },
	{ .line = "a-1 [000] 1.000000 ev: x" },
	{ .line = "a-1 [000] 1000000: ev: x" },
	{ .line = "a-1 [000] 4611686018.000000: ev: x" },
	{ .line = "a-1 [000] 99999999999999999999.000000: ev: x" },
	{ .line = "a-1 [000] toomanyflags 1.000000: ev: x" },
	{ .line = "# tracer: nop" },
};

static struct ab_bytes only_line(const char *text)
{
	struct ab_bytes in = bytes_of(text), line = { NULL, 0 };
	bool ended;

	if (!tx_next_line(&in, &line, &ended))
		line = in;
	return line;
}

static void check_head(const struct head *h)
{
	struct tx_line line;
	g_autofree char *task = NULL, *event = NULL, *body = NULL;
	bool found = tx_line_parse(only_line(h->line), &line);

	g_test_message("%s", h->line);
	g_assert_cmpint(found, ==, h->task != NULL);
	if (!found)
		return;
	task = string_of(line.task);
	event = string_of(line.event);
	body = string_of(line.body);
	g_assert_cmpstr(task, ==, h->task);
	g_assert_cmpint(line.tid, ==, h->tid);
	g_assert_cmpint(line.tgid, ==, h->tgid);
	g_assert_cmpint(line.cpu, ==, h->cpu);
	g_assert_cmpint(line.irq, ==, h->irq);
	g_assert_cmpint(line.ts, ==, h->ts);
	g_assert_cmpstr(event, ==, h->event);
	g_assert_cmpstr(body, ==, h->body);
}

static void test_heads(void)
{
	guint i;

	for (i = 0; i < G_N_ELEMENTS(heads); i++)
		check_head(&heads[i]);
}

/* However a line is cut, nothing behind its end is read. */
static void test_cut_heads(void)
{
	guint i, n;

	for (i = 0; i < G_N_ELEMENTS(heads); i++) {
		for (n = 0; n < strlen(heads[i].line); n++) {
			g_autofree guint8 *copy =
				g_memdup2(heads[i].line, n ? n : 1);
			struct tx_line line;
			struct tx_note note;

			tx_line_parse((struct ab_bytes){ copy, n }, &line);
			tx_note_parse((struct ab_bytes){ copy, n }, &note);
		}
	}
}

/* ---- lines that are no events ---- */

static const struct {
	const char *line;
	struct tx_note note;
} notes[] = {
	{ "", { .kind = TX_NOTE_PLAIN } },
	{ "  ", { .kind = TX_NOTE_PLAIN } },
	{ "#", { .kind = TX_NOTE_PLAIN } },
	{ "# tracer: nop", { .kind = TX_NOTE_PLAIN } },
	{ " => vfs_write", { .kind = TX_NOTE_PLAIN } },
	{ "version = 6", { .kind = TX_NOTE_PLAIN } },
	{ "CPU 3 is empty", { .kind = TX_NOTE_PLAIN, .cpu = 3 } },
	{ "cpus=6", { .kind = TX_NOTE_CPUS, .cpus = 6 } },
	{ "cpus=99999999", { .kind = TX_NOTE_NONE } },
	{ "# entries-in-buffer/entries-written: 10/12   #P:8",
	  { .kind = TX_NOTE_COUNTS, .kept = 10, .written = 12, .cpus = 8 } },
	{ "# entries-in-buffer/entries-written: 10/12",
	  { .kind = TX_NOTE_COUNTS, .kept = 10, .written = 12 } },
	{ "# entries-in-buffer/entries-written: 99999999999999999999/1",
	  { .kind = TX_NOTE_PLAIN } },
	{ "##### CPU 2 buffer started ####",
	  { .kind = TX_NOTE_STARTED, .cpu = 2 } },
	{ "##### CPU 99999999 buffer started ####", { .kind = TX_NOTE_PLAIN } },
	{ "CPU:3 [LOST 1234 EVENTS]",
	  { .kind = TX_NOTE_LOST, .cpu = 3, .lost = 1234 } },
	{ "CPU:3 [LOST EVENTS]", { .kind = TX_NOTE_LOST, .cpu = 3 } },
	{ "CPU:3 [1234 EVENTS DROPPED]",
	  { .kind = TX_NOTE_LOST, .cpu = 3, .lost = 1234 } },
	{ "CPU 3 [1234 EVENTS DROPPED]",
	  { .kind = TX_NOTE_LOST, .cpu = 3, .lost = 1234 } },
	{ "CPU:3 [EVENTS DROPPED]", { .kind = TX_NOTE_LOST, .cpu = 3 } },
	{ "CPU:1024 [LOST 1 EVENTS]", { .kind = TX_NOTE_NONE } },
	{ "CPU:3 something", { .kind = TX_NOTE_NONE, .cpu = 3 } },
	{ "PROCESS DUMP", { .kind = TX_NOTE_PROCESSES } },
	{ "USER     PID   PPID  VSIZE", { .kind = TX_NOTE_PROCESSES } },
	{ "USER of this", { .kind = TX_NOTE_NONE } },
	{ "anything", { .kind = TX_NOTE_NONE } },
};

static void test_notes(void)
{
	struct tx_note note;
	guint i;

	for (i = 0; i < G_N_ELEMENTS(notes); i++) {
		const struct tx_note *expected = &notes[i].note;

		g_test_message("%s", notes[i].line);
		tx_note_parse(bytes_of(notes[i].line), &note);
		g_assert_cmpint(note.kind, ==, expected->kind);
		if (note.kind == TX_NOTE_NONE)
			continue;
		g_assert_cmpint(note.cpu, ==, expected->cpu);
		g_assert_cmpuint(note.lost, ==, expected->lost);
		if (note.kind == TX_NOTE_COUNTS) {
			g_assert_cmpuint(note.kept, ==, expected->kept);
			g_assert_cmpuint(note.written, ==, expected->written);
		}
		g_assert_cmpint(note.cpus, ==, expected->cpus);
	}
}

/* ---- prev_state ---- */

static void test_states(void)
{
	static const struct {
		const char *text;
		guint32 state;
	} states[] = {
		{ "R", 0 },	   { "R+", 0x800 },	{ "S", 1 },
		{ "D", 2 },	   { "T", 4 },		{ "t", 8 },
		{ "X", 0x10 },	   { "Z", 0x20 },	{ "x", 0x40 },
		{ "D|K", 0x82 },   { "S|W", 0x101 },	{ "W", 0x100 },
		{ "DK", 0x82 },	   { "I", 0x402 },	{ "D|N", 0x402 },
		{ "P", 0x200 },	   { "S+", 1 },		{ "0", 0 },
		{ "1", 1 },	   { "2", 2 },		{ "130", 0x82 },
		{ "64", 0x40 },	   { "256", 0x800 },	{ "1024", 0x800 },
		{ "2048", 0x800 }, { "4096", 0x800 },	{ "128", 0x402 },
		{ "1026", 0x402 }, { "0x1000", 0x800 }, { "0x2", 2 },
	};
	static const char *const strange[] = { "Q", "S|Q", "1x", "0xg", "-1" };
	guint32 state;
	guint i;

	for (i = 0; i < G_N_ELEMENTS(states); i++) {
		g_test_message("%s", states[i].text);
		g_assert_true(tx_task_state(bytes_of(states[i].text), &state));
		g_assert_cmphex(state, ==, states[i].state);
	}
	for (i = 0; i < G_N_ELEMENTS(strange); i++) {
		g_assert_false(tx_task_state(bytes_of(strange[i]), &state));
		/* Not runnable, in the kernel's low 16 bits. */
		g_assert_cmphex(state, ==, 0x8000);
	}
}

/* ---- bodies ---- */

static char *text_of(const struct ab_trace *trace, const struct ab_event *ev)
{
	const struct ab_event *e = ev;

#define TEXT(number) ab_trace_text(trace, number)
	switch (ev->kind) {
	case AB_EV_SWITCH:
		return g_strdup_printf("switch %s/%d 0x%x %s/%d",
				       TEXT(e->sw.prev_comm), e->sw.prev_tid,
				       e->sw.prev_state, TEXT(e->sw.next_comm),
				       e->sw.next_tid);
	case AB_EV_WAKING:
		return g_strdup_printf("waking %s/%d 0x%x",
				       TEXT(e->waking.comm), e->waking.tid,
				       e->waking.flags);
	case AB_EV_BLOCKED:
		return g_strdup_printf("blocked %d %s %d", e->blocked.tid,
				       TEXT(e->blocked.function),
				       e->blocked.io_wait);
	case AB_EV_WORK_QUEUE:
	case AB_EV_WORK_ACTIVATE:
	case AB_EV_WORK_START:
	case AB_EV_WORK_END:
		return g_strdup_printf(
			"work%d %" G_GINT64_MODIFIER "x %s %s%s",
			e->kind - AB_EV_WORK_QUEUE, e->work.work,
			TEXT(e->work.function), TEXT(e->work.workqueue),
			e->flags & AB_EVENT_UNRESOLVED ? " !" : "");
	case AB_EV_TASK_NEW:
	case AB_EV_TASK_RENAME:
	case AB_EV_TASK_FREE:
		return g_strdup_printf("task%d %s/%d 0x%" G_GINT64_MODIFIER "x",
				       e->kind - AB_EV_TASK_NEW,
				       TEXT(e->task.comm), e->task.tid,
				       e->task.clone_flags);
	case AB_EV_PRINT:
		return g_strdup_printf("print %.*s", (int)e->print.n,
				       (const char *)e->print.p);
	case AB_EV_CPU_FREQUENCY:
	case AB_EV_CPU_IDLE:
	case AB_EV_OVERUTILIZED:
		return g_strdup_printf("counter%d %u %u",
				       e->kind - AB_EV_CPU_FREQUENCY,
				       e->counter.cpu, e->counter.value);
	case AB_EV_RPM_STATUS:
		return g_strdup_printf("rpm %s %d", TEXT(e->rpm.device),
				       e->rpm.status);
	default:
		return g_strdup("other");
	}
#undef TEXT
}

static const struct {
	const char *event;    /* and body */
	const char *expected; /* NULL: damaged */
} bodies[] = {
	{ "sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> "
	  "next_comm=b next_pid=2 next_prio=120",
	  "switch a/1 0x1 b/2" },
	{ "sched_switch: prev_comm=a b=c prev_pid=1 prev_prio=-1 "
	  "prev_state=D|K ==> next_comm=d ==> e=f next_pid=2 next_prio=-1",
	  "switch a b=c/1 0x82 d ==> e=f/2" },
	{ "sched_switch: prev_comm=x prev_pid=9 prev_pid=1 prev_prio=120 "
	  "prev_state=R+ ==> next_comm=y next_pid=8 next_pid=2 next_prio=1",
	  "switch x prev_pid=9/1 0x800 y next_pid=8/2" },
	{ "sched_switch: prev_comm= prev_pid=1 prev_prio=120 prev_state=R ==> "
	  "next_comm= next_pid=2 next_prio=120",
	  "switch /1 0x0 /2" },
	{ "sched_switch: prev_comm=com.android.systemui.long prev_pid=1 "
	  "prev_prio=120 prev_state=x ==> next_comm=swapper/1 next_pid=0 "
	  "next_prio=120",
	  "switch com.android.sys/1 0x40 swapper/1/0" },
	{ "sched_switch: prev_comm=trace-cmd prev_pid=1701 prev_prio=120 "
	  "prev_state=4096 next_comm=swapper/1 next_pid=0 next_prio=120",
	  "switch trace-cmd/1701 0x800 swapper/1/0" },
	{ "sched_switch: swapper/2:0 [120] R ==> kworker/2:1:2923 [120]",
	  "switch swapper/2/0 0x0 kworker/2:1/2923" },
	{ "sched_switch: a [x]:7 [98] D|W ==> b:c d:8 [-1]",
	  "switch a [x]/7 0x102 b:c d/8" },
	{ "sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> "
	  "next_comm=b next_pid=2",
	  NULL },
	{ "sched_switch: prev_comm=a prev_pid=4194304 prev_prio=120 "
	  "prev_state=S ==> next_comm=b next_pid=2 next_prio=120",
	  NULL },
	{ "sched_switch: prev_comm=a prev_pid=1 prev_prio=1", NULL },
	{ "sched_switch: a:7 [98] D", NULL },
	{ "sched_switch:", NULL },
	{ "sched_waking: comm=a b pid=7 prio=120 target_cpu=001",
	  "waking a b/7 0x10" },
	{ "sched_waking: comm=a pid=5 pid=7 prio=120 success=1 target_cpu=001",
	  "waking a pid=5/7 0x10" },
	{ "sched_wakeup: comm=Binder_5 pid=679 prio=120 success=1 "
	  "target_cpu=001 state=W|m",
	  "waking Binder_5/679 0x10" },
	{ "sched_wakeup: comm=a pid=7 prio=120 success=0 target_cpu=001",
	  "other" },
	{ "sched_wakeup: kworker/2:1:2923 [120] success=1 CPU:002",
	  "waking kworker/2:1/2923 0x10" },
	{ "sched_wakeup_new: comm=a pid=7 prio=120 target_cpu=001",
	  "waking a/7 0x10" },
	{ "sched_waking: comm=a pid=x", NULL },
	{ "sched_waking: comm=a", NULL },
	{ "sched_blocked_reason: pid=7 iowait=1 caller=rpm_resume+0x68/0x128",
	  "blocked 7 rpm_resume 1" },
	{ "sched_blocked_reason: pid=7 iowait=0 caller=rpm_resume",
	  "blocked 7 rpm_resume 0" },
	{ "sched_blocked_reason: pid=7 iowait=0 caller=f.cold+0x0/0x10 [wlan]",
	  "blocked 7 f.cold 0" },
	{ "sched_blocked_reason: pid=7 iowait=0 caller=f [wlan]",
	  "blocked 7 f 0" },
	{ "sched_blocked_reason: pid=7 iowait=0 caller=0xffffffc010081234",
	  "blocked 7  0" },
	{ "sched_blocked_reason: pid=7 iowait=0 caller=ffffffdb3633c560",
	  "blocked 7  0" },
	{ "sched_blocked_reason: pid=7 iowait=0 caller=(____ptrval____)",
	  "blocked 7  0" },
	{ "sched_blocked_reason: pid=7 iowait=0 caller=fade", //
	  "blocked 7 fade 0" },
	{ "sched_blocked_reason: pid=7 iowait=0", "blocked 7  0" },
	{ "sched_blocked_reason: pid=7 iowait=2 caller=f", NULL },
	{ "sched_blocked_reason: pid=7", NULL },
	{ "workqueue_queue_work: work struct=ffffffdb3633c560 "
	  "function=pm_runtime_work workqueue=ffffffdb37742000 req_cpu=8 cpu=1",
	  "work0 ffffffdb3633c560 pm_runtime_work " },
	{ "workqueue_queue_work: work struct=00000000f00df00d "
	  "function=hdd_bus_bw_work_handler [wlan] workqueue=events req_cpu=8 "
	  "cpu=1",
	  "work0 f00df00d hdd_bus_bw_work_handler events" },
	{ "workqueue_queue_work: work struct=0xab function=f+0x0/0x8 [m] "
	  "workqueue=my queue req_cpu=-1 cpu=4294967295",
	  "work0 ab f my queue" },
	{ "workqueue_queue_work: work struct=(____ptrval____) function=f "
	  "workqueue=pm req_cpu=8192 cpu=1",
	  "work0 0 f pm" },
	{ "workqueue_queue_work: work struct=ab function=0000000012345678 "
	  "workqueue=pm req_cpu=8192 cpu=1",
	  "work0 ab 0x12345678 pm !" },
	{ "workqueue_queue_work: work struct=ab function=f workqueue=pm",
	  NULL },
	{ "workqueue_queue_work: work struct=ab function=f", NULL },
	{ "workqueue_activate_work: work struct ffffffdb3633c560", //
	  "work1 ffffffdb3633c560  " },
	{ "workqueue_activate_work: work struct ab function=f [m] ", //
	  "work1 ab f " },
	{ "workqueue_execute_start: work struct ab: function pm_runtime_work",
	  "work2 ab pm_runtime_work " },
	{ "workqueue_execute_start: work struct ab: function f [wlan]",
	  "work2 ab f " },
	{ "workqueue_execute_start: work struct ab: function f.cfi_jt",
	  "work2 ab f.cfi_jt " },
	{ "workqueue_execute_start: work struct ab: function 0x12",
	  "work2 ab 0x12  !" },
	{ "workqueue_execute_start: work struct ab: function (____ptrval____)",
	  "work2 ab 0  !" },
	{ "workqueue_execute_start: work struct xyz: function f", NULL },
	{ "workqueue_execute_start: work struct 11112222333344445: function f",
	  NULL },
	{ "workqueue_execute_end: work struct ab", "work3 ab  " },
	{ "workqueue_execute_end: work struct ab: function f", "work3 ab f " },
	{ "task_newtask: pid=9 comm=a b clone_flags=3d0f00 oom_score_adj=-1000",
	  "task0 a b/9 0x3d0f00" },
	{ "task_newtask: pid=9 comm=a", NULL },
	{ "task_rename: pid=9 oldcomm=a newcomm=b c oom_score_adj=0",
	  "task1 b c/9 0x0" },
	{ "task_rename: pid=9 oldcomm=a newcomm=b", NULL },
	{ "sched_process_free: comm=a b pid=9 prio=120", "task2 a b/9 0x0" },
	{ "sched_process_free: comm=a", NULL },
	{ "tracing_mark_write: S|1|abrig:run|7", "print S|1|abrig:run|7" },
	{ "tracing_mark_write: B|1|a: b", "print B|1|a: b" },
	{ "print: tracing_mark_write: B|1|x", "print B|1|x" },
	{ "print:    0xffff00000819ff24s: MARK", "print MARK" },
	{ "print: 0xffff00000819ff24: MARK: x", "print MARK: x" },
	{ "print: add: x", "print add: x" },
	{ "cpu_frequency: state=1200000 cpu_id=3", "counter0 3 1200000" },
	{ "cpu_frequency: state=x cpu_id=3", NULL },
	{ "cpu_frequency: state=1", NULL },
	{ "cpu_frequency: state=1 cpu_id=1024", NULL },
	{ "cpu_idle: state=4294967295 cpu_id=1", "counter1 1 4294967295" },
	{ "cpu_idle: state=4294967296 cpu_id=1", NULL },
	{ "sched_overutilized: overutilized=1", "counter2 0 1" },
	{ "sched_overutilized: overutilized=0\t  ", "counter2 0 0" },
	{ "sched_overutilized: span=0xff overutilized=1", "counter2 0 1" },
	{ "sched_overutilized: x=1", NULL },
	{ "rpm_status: a600000.dwc3 status=RPM_ACTIVE", "rpm a600000.dwc3 0" },
	{ "rpm_status: a b status=RPM_SUSPENDING", "rpm a b 3" },
	{ "rpm_status: a status=RPM_INVALID", "rpm a -1" },
	{ "rpm_status: a status=2", "rpm a 2" },
	{ "rpm_status: a status=-1", "rpm a -1" },
	{ "rpm_status: a status=RPM_NEW", NULL },
	{ "rpm_status: a", NULL },
	{ "rpm_idle: a600000.dwc3 flags-0 cnt-1", "other" },
	{ "tracing_mark_raw_write: # 1 buf: 00", "other" },
	{ "sched_switchy: x", "other" },
};

static bool decode(struct ab_trace *trace, bool has_waking, struct ab_bytes in,
		   struct ab_event *ev)
{
	struct tx_decoder decoder = { trace, has_waking };
	struct tx_line line;

	memset(ev, 0xa5, sizeof(*ev));
	ev->flags = 0;
	g_assert_true(tx_line_parse(in, &line));
	return tx_event_decode(&decoder, &line, ev);
}

static void test_bodies(void)
{
	struct ab_trace *trace = ab_trace_new();
	guint i;

	for (i = 0; i < G_N_ELEMENTS(bodies); i++) {
		g_autofree char *line = g_strdup_printf(
			"t-1 [000] d.s1 1.000000: %s", bodies[i].event);
		g_autofree char *text = NULL;
		struct ab_event ev;

		g_test_message("%s", line);
		if (decode(trace, false, bytes_of(line), &ev))
			text = text_of(trace, &ev);
		g_assert_cmpstr(text, ==, bodies[i].expected);
	}
	g_assert_cmpuint(trace->quality.unknown_enums, ==, 0);
	ab_trace_free(trace);
}

/* However an event is cut, nothing behind its end is read. */
static void test_cut_bodies(void)
{
	struct ab_trace *trace = ab_trace_new();
	const char *head = "t-1 [000] 1.000000: ";
	gsize n, from = strlen(head);
	guint i;

	for (i = 0; i < G_N_ELEMENTS(bodies); i++) {
		g_autofree char *line =
			g_strconcat(head, bodies[i].event, NULL);

		for (n = from; n < strlen(line); n++) {
			g_autofree guint8 *copy = g_memdup2(line, n);
			struct ab_event ev;

			decode(trace, false, (struct ab_bytes){ copy, n }, &ev);
		}
	}
	ab_trace_free(trace);
}

static void test_wakeup_beside_waking(void)
{
	struct ab_trace *trace = ab_trace_new();
	struct ab_event ev;

	g_assert_true(decode(trace, true,
			     bytes_of("t-1 [000] 1.000000: sched_wakeup: "
				      "comm=a pid=7 prio=120 target_cpu=001"),
			     &ev));
	g_assert_cmpint(ev.kind, ==, AB_EV_OTHER);
	g_assert_true(decode(trace, true,
			     bytes_of("t-1 [000] 1.000000: sched_waking: "
				      "comm=a pid=7 prio=120 target_cpu=001"),
			     &ev));
	g_assert_cmpint(ev.kind, ==, AB_EV_WAKING);
	ab_trace_free(trace);
}

/* Hidden addresses are all alike, so none of them tells items apart. */
static void test_hidden_items(void)
{
	struct ab_trace *trace = ab_trace_new();
	struct ab_event ev;

	g_assert_true(decode(trace, true,
			     bytes_of("t-1 [000] 1.000000: "
				      "workqueue_execute_start: work struct "
				      "(____ptrval____): function f"),
			     &ev));
	g_assert_cmpuint(ev.work.generation, ==, AB_NO_GENERATION);
	g_assert_cmpstr(ab_trace_text(trace, ev.work.function), ==, "f");
	ab_trace_free(trace);
}

static void test_unknown_state(void)
{
	struct ab_trace *trace = ab_trace_new();
	struct ab_event ev;

	g_assert_true(decode(trace, true,
			     bytes_of("t-1 [000] 1.000000: sched_switch: "
				      "a:7 [98] Q ==> b:8 [120]"),
			     &ev));
	g_assert_cmpuint(trace->quality.unknown_enums, ==, 1);
	g_assert_cmphex(ev.sw.prev_state, ==, 0x8000);
	ab_trace_free(trace);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace-text/heads", test_heads);
	g_test_add_func("/trace-text/cut-heads", test_cut_heads);
	g_test_add_func("/trace-text/notes", test_notes);
	g_test_add_func("/trace-text/states", test_states);
	g_test_add_func("/trace-text/bodies", test_bodies);
	g_test_add_func("/trace-text/cut-bodies", test_cut_bodies);
	g_test_add_func("/trace-text/wakeup-beside-waking",
			test_wakeup_beside_waking);
	g_test_add_func("/trace-text/hidden-items", test_hidden_items);
	g_test_add_func("/trace-text/unknown-state", test_unknown_state);
	return g_test_run();
}

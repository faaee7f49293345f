// SPDX-License-Identifier: GPL-3.0-or-later
#include "sched.h"

#include "chains.h"

/* TASK_UNINTERRUPTIBLE, which all kernels share, but not their TASK_IDLE. */
#define TASK_INTERRUPTIBLE 0x01
#define TASK_UNINTERRUPTIBLE 0x02
#define TASK_NOLOAD_OLD 0x400
#define TASK_IDLE_4_14 0x80

/* Ranges of kernel releases that encode prev_state alike. */
#define PREEMPTED_4_14 0x100
#define PREEMPTED_4_8 0x1000
#define PREEMPTED_OLD 0x800

void ab_sched_init(struct ab_sched *sched, struct ab_trace *trace,
		   const struct ab_sched_watch *watch)
{
	guint i;

	sched->trace = trace;
	sched->threads = trace->threads;
	sched->watch = watch;
	sched->preempted = ab_task_preempted_bit(trace->facts.uname_release);
	/* Older kernels set D as well: see is_d_state(). */
	sched->idle = sched->preempted == PREEMPTED_4_14 ? TASK_IDLE_4_14
							 : TASK_NOLOAD_OLD;
	ab_waits_init(&sched->waits, trace->size);
	for (i = 0; i < AB_MAX_CPUS; i++)
		sched->cpus[i] = (struct ab_cpu){ .current = AB_NO_THREAD };
}

void ab_sched_clear(struct ab_sched *sched)
{
	ab_waits_clear(&sched->waits);
}

static bool is_runnable(const struct ab_sched *sched, guint32 state)
{
	return !(state & 0xffff) || (state & sched->preempted);
}

static bool is_d_state(const struct ab_sched *sched, guint32 state)
{
	return (state & TASK_UNINTERRUPTIBLE) &&
	       !(state & (TASK_NOLOAD_OLD | sched->preempted));
}

static void show(const struct ab_sched *sched, guint32 index,
		 const struct ab_thread *th, gint64 end_ns)
{
	struct ab_state_row row = {
		.begin_ns = th->since_ns,
		.end_ns = end_ns,
		.thread = index,
		.waker = th->waker,
		.irq = th->irq_wake,
		.run_state = th->run_state,
		.cpu = th->cpu,
		.io_wait = -1,
	};

	sched->watch->state(sched->watch->user, &row);
}

static void show_blocked(const struct ab_sched *sched, guint32 index,
			 const struct ab_blocked *b)
{
	struct ab_state_row row = {
		.begin_ns = b->begin_ns,
		.end_ns = b->end_ns,
		.thread = index,
		.waker = AB_NO_THREAD,
		.irq = -1,
		.run_state = AB_BLOCKED,
		.state = b->state,
		.io_wait = b->io_wait,
		.function = b->function,
	};

	sched->watch->state(sched->watch->user, &row);
}

static void tell_sleep(struct ab_sched *sched, guint32 index,
		       const struct ab_blocked *b)
{
	const struct ab_sleep sleep = {
		.begin_ns = b->begin_ns,
		.end_ns = b->end_ns,
		.waker_wait_ns = b->waker_wait_ns,
		.function = b->function,
		.thread = index,
		.waker = b->waker,
	};
	guint i;

	for (i = 0; i < AB_ANALYSES; i++)
		if (ab_analyses[i]->sleep)
			ab_analyses[i]->sleep(sched->trace->states[i], &sleep);
}

static void tell_worked(struct ab_sched *sched, const struct ab_thread *th,
			gint64 end_ns)
{
	guint i;

	for (i = 0; i < AB_ANALYSES; i++)
		if (ab_analyses[i]->worked)
			ab_analyses[i]->worked(sched->trace->states[i], th,
					       th->since_ns, end_ns);
}

static void tell_blocked(struct ab_sched *sched, guint32 index,
			 struct ab_thread *th)
{
	struct ab_blocked *b = &th->blocked;

	th->has_blocked = false;
	if (G_UNLIKELY(sched->watch))
		show_blocked(sched, index, b);
	if (is_d_state(sched, b->state) && b->end_ns >= 0)
		tell_sleep(sched, index, b);
}

/* Nothing can be learned about the blocked interval any more. */
static inline void finish_blocked(struct ab_sched *sched, guint32 index,
				  struct ab_thread *th)
{
	if (th->has_blocked)
		tell_blocked(sched, index, th);
}

/* What the time counts as that a thread spends off the CPU in @state. */
static enum ab_sum blocked_sum(const struct ab_sched *sched, guint32 state)
{
	/* Which it is cannot be predicted; later ones go before. */
	static const guint8 sums[] = {
		AB_SUMS,
		AB_SUM_S_STATE,
		AB_SUM_D_STATE,
		AB_SUM_D_STATE,
		AB_SUM_AFTER_PREEMPTION,
		AB_SUM_AFTER_PREEMPTION,
		AB_SUM_AFTER_PREEMPTION,
		AB_SUM_AFTER_PREEMPTION,
	};
	guint s = (state & (TASK_INTERRUPTIBLE | sched->idle)) != 0;
	guint d = (state & TASK_UNINTERRUPTIBLE) != 0;
	guint preempted = (state & sched->preempted) != 0;

	d &= (state & TASK_NOLOAD_OLD) == 0;
	return (enum ab_sum)sums[preempted << 2 | d << 1 | s];
}

/* End the state that @th is in; @end_ns -1 when its end was not seen. */
static inline void close_state(struct ab_sched *sched, guint32 index,
			       struct ab_thread *th, gint64 end_ns)
{
	if (th->run_state == AB_STATE_NONE)
		return;
	if (th->run_state == AB_BLOCKED) {
		if (th->has_blocked)
			th->blocked.end_ns = end_ns;
		sched->d_sleeps -= th->sum == AB_SUM_D_STATE;
	} else if (G_UNLIKELY(sched->watch)) {
		show(sched, index, th, end_ns);
	}
	if (end_ns >= 0 && th->sum < AB_SUMS)
		ab_interval_add(sched->trace, &th->times.sums[th->sum],
				th->since_ns, end_ns);
}

static void open_state(struct ab_thread *th, enum ab_run_state state,
		       enum ab_sum sum, gint64 ts)
{
	th->run_state = state;
	th->sum = sum;
	th->since_ns = ts;
	th->waker = AB_NO_THREAD;
	th->irq_wake = -1;
}

static void open_blocked(struct ab_sched *sched, guint32 index,
			 struct ab_thread *th, guint32 state, gint64 ts)
{
	finish_blocked(sched, index, th);
	open_state(th, AB_BLOCKED, blocked_sum(sched, state), ts);
	sched->d_sleeps += th->sum == AB_SUM_D_STATE;
	/* More than the sum is asked of sleeps in D state only. */
	if (th->sum != AB_SUM_D_STATE && G_LIKELY(!sched->watch))
		return;
	th->has_blocked = true;
	th->blocked = (struct ab_blocked){
		.begin_ns = ts,
		.end_ns = -1,
		.waker_wait_ns = -1,
		.waker = AB_NO_THREAD,
		.state = (guint16)state,
		.io_wait = -1,
	};
}

static void stop_running(struct ab_sched *sched, guint32 index,
			 struct ab_thread *th, gint64 ts)
{
	if (th->run_state != AB_RUNNING) {
		close_state(sched, index, th, -1);
		return;
	}
	close_state(sched, index, th, ts);
	th->ran_ns += ts - th->since_ns;
	if (G_UNLIKELY(th->workqueue)) {
		tell_worked(sched, th, ts);
		if (!th->item)
			th->workqueue = 0;
	}
}

static void leave_cpu(struct ab_sched *sched, guint32 index, guint32 state,
		      gint64 ts)
{
	struct ab_thread *th = ab_thread(sched->threads, index);

	if (!index)
		return;
	stop_running(sched, index, th, ts);
	if (state & 0xffff)
		open_blocked(sched, index, th, state, ts);
	else
		open_state(th, AB_RUNNABLE, AB_SUM_AFTER_PREEMPTION, ts);
	th->preempted = is_runnable(sched, state);
	th->runnable_ns = th->preempted ? ts : -1;
}

static void enter_cpu(struct ab_sched *sched, guint32 index, guint16 cpu,
		      gint64 ts)
{
	struct ab_thread *th = ab_thread(sched->threads, index);

	if (!index)
		return;
	th->wait_known = th->runnable_ns >= 0;
	/* A wakeup while preempted starts a new wait: for what it brings. */
	th->wait_ns = ts - th->since_ns;
	/* Only a sleep that lasts can ask for a wait that ends now. */
	if (th->wait_known && ts > th->runnable_ns)
		ab_waits_add(&sched->waits, th, th->runnable_ns, ts,
			     sched->d_sleeps > 0);
	if (G_UNLIKELY(th->wait_ns >= AB_WHY_LEAST_NS) && th->wait_known)
		ab_chains_waited(sched->trace->chains, index, 0, th->since_ns,
				 ts);
	close_state(sched, index, th, ts);
	finish_blocked(sched, index, th);
	open_state(th, AB_RUNNING, AB_SUM_RUNNING, ts);
	th->migrated =
		th->has_run && th->cpu != cpu && ab_in_window(sched->trace, ts);
	th->times.migrations += th->migrated;
	th->has_run = true;
	th->cpu = cpu;
	th->item_ran = false;
	th->runnable_ns = -1;
}

static void end_slice(struct ab_sched *sched, struct ab_cpu *cpu,
		      guint32 end_state, gint64 end_ns)
{
	if (!cpu->has_slice)
		return;
	cpu->has_slice = false;
	if (G_LIKELY(!sched->watch))
		return;
	cpu->slice.end_ns = end_ns;
	cpu->slice.end_state = end_state;
	sched->watch->slice(sched->watch->user, &cpu->slice);
}

static void begin_slice(const struct ab_sched *sched, struct ab_cpu *cpu,
			const struct ab_event *ev, guint32 next)
{
	cpu->current = next;
	cpu->has_slice = true;
	if (G_LIKELY(!sched->watch))
		return;
	cpu->slice = (struct ab_slice){
		.begin_ns = ev->ts,
		.end_ns = -1,
		.thread = next,
		.prio = ev->sw.next_prio,
		.cpu = ev->cpu,
	};
}

/* The thread that was on the CPU, from the record or from what came before. */
static guint32 previous_thread(struct ab_sched *sched, struct ab_cpu *cpu,
			       const struct ab_event *ev)
{
	guint32 prev;

	if (ev->flags & AB_EVENT_COMPACT) {
		end_slice(sched, cpu, ev->sw.prev_state, ev->ts);
		return cpu->current;
	}
	prev = ab_threads_get(sched->threads, ev->sw.prev_tid);
	ab_thread_name(ab_thread(sched->threads, prev), ev->sw.prev_comm,
		       AB_NAME_EVENT);
	if (!cpu->has_slice)
		return prev;
	if (ab_thread(sched->threads, cpu->current)->tid == ev->sw.prev_tid) {
		end_slice(sched, cpu, ev->sw.prev_state, ev->ts);
	} else {
		sched->trace->quality.switch_mismatch++;
		end_slice(sched, cpu, 0, -1);
	}
	return prev;
}

static guint32 next_thread(struct ab_sched *sched, const struct ab_event *ev)
{
	guint32 next = ab_threads_get(sched->threads, ev->sw.next_tid);

	ab_thread_name(ab_thread(sched->threads, next), ev->sw.next_comm,
		       AB_NAME_EVENT);
	return next;
}

void ab_sched_switch(struct ab_sched *sched, const struct ab_event *ev)
{
	struct ab_cpu *cpu = &sched->cpus[ev->cpu];
	guint32 next = next_thread(sched, ev);
	guint32 prev;

	if ((ev->flags & AB_EVENT_COMPACT) && cpu->current == AB_NO_THREAD) {
		/* Who ran before is not known: no state can be told. */
		cpu->current = next;
		return;
	}
	prev = previous_thread(sched, cpu, ev);
	begin_slice(sched, cpu, ev, next);
	leave_cpu(sched, prev, ev->sw.prev_state, ev->ts);
	enter_cpu(sched, next, ev->cpu, ev->ts);
}

void ab_sched_switch_early(struct ab_sched *sched, const struct ab_event *ev)
{
	sched->cpus[ev->cpu].current = next_thread(sched, ev);
}

/* @th sleeps no longer: how long did its waker wait in the meantime? */
static void note_waker(struct ab_sched *sched, struct ab_thread *th,
		       guint32 waker, bool irq, gint64 ts)
{
	struct ab_blocked *b = &th->blocked;

	b->waker = irq ? 0 : waker;
	if (!is_d_state(sched, b->state))
		return;
	b->waker_wait_ns =
		irq || !waker ? 0
			      : ab_waits_sum(&sched->waits,
					     ab_thread(sched->threads, waker),
					     b->begin_ns, ts);
}

static void make_runnable(struct ab_sched *sched, guint32 index, guint32 waker,
			  bool irq, gint64 ts)
{
	struct ab_thread *th = ab_thread(sched->threads, index);

	if (!index || th->run_state == AB_RUNNABLE ||
	    th->run_state == AB_RUNNING)
		return;
	close_state(sched, index, th, ts);
	if (th->has_blocked)
		note_waker(sched, th, waker, irq, ts);
	open_state(th, AB_RUNNABLE, AB_SUM_AFTER_WAKEUP, ts);
	th->preempted = false;
	th->waker = waker;
	th->irq_wake = irq;
	if (th->runnable_ns < 0)
		th->runnable_ns = ts;
}

void ab_sched_waking(struct ab_sched *sched, const struct ab_event *ev)
{
	bool irq = ev->waking.flags & (AB_FLAG_HARDIRQ | AB_FLAG_SOFTIRQ);
	guint32 waker, index;

	if (ev->flags & AB_EVENT_COMPACT)
		waker = sched->cpus[ev->cpu].current;
	else
		waker = ab_threads_get(sched->threads, ev->tid);
	index = ab_threads_get(sched->threads, ev->waking.tid);
	ab_thread_name(ab_thread(sched->threads, index), ev->waking.comm,
		       AB_NAME_EVENT);
	if (waker != AB_NO_THREAD)
		make_runnable(sched, index, waker, irq, ev->ts);
}

void ab_sched_blocked(struct ab_sched *sched, const struct ab_event *ev)
{
	guint32 index = ab_threads_get(sched->threads, ev->blocked.tid);
	struct ab_thread *th = ab_thread(sched->threads, index);
	struct ab_blocked *b = &th->blocked;

	if (!th->has_blocked)
		return;
	b->io_wait = ev->blocked.io_wait;
	b->function = ev->blocked.function;
}

void ab_sched_task_new(struct ab_sched *sched, const struct ab_event *ev)
{
	guint32 parent = ab_threads_get(sched->threads, ev->tid), index;
	struct ab_thread *th;

	if (!ev->task.tid)
		return;
	index = ab_threads_add(sched->threads, ev->task.tid);
	if (!index)
		return;
	th = ab_thread(sched->threads, index);
	ab_thread_name(th, ev->task.comm, AB_NAME_EVENT);
	th->kernel = ev->tid == AB_TID_KTHREADD;
	if (ev->task.clone_flags & AB_CLONE_THREAD)
		th->tgid = ab_thread(sched->threads, parent)->tgid;
	else
		th->tgid = ev->task.tid;
	make_runnable(sched, index, parent, false, ev->ts);
}

/* The state that a thread was in when the trace ended counts up to there. */
static void count_open(struct ab_sched *sched, struct ab_thread *th)
{
	if (th->run_state != AB_STATE_NONE && th->sum < AB_SUMS)
		th->times.sums[th->sum].ns += ab_clip(
			sched->trace, th->since_ns, sched->trace->last_ns);
}

void ab_sched_finish(struct ab_sched *sched)
{
	guint32 i;

	for (i = 0; i < AB_MAX_CPUS; i++)
		end_slice(sched, &sched->cpus[i], 0, -1);
	sched->trace->quality.damaged_events += sched->threads->refused;
	for (i = 1; i < sched->threads->all->len; i++) {
		struct ab_thread *th = ab_thread(sched->threads, i);

		count_open(sched, th);
		close_state(sched, i, th, -1);
		finish_blocked(sched, i, th);
	}
}

guint32 ab_task_preempted_bit(const char *release)
{
	char *end = NULL;
	guint64 major, minor;

	if (!release)
		return PREEMPTED_OLD;
	major = g_ascii_strtoull(release, &end, 10);
	minor = *end == '.' ? g_ascii_strtoull(end + 1, NULL, 10) : 0;
	if (major > 4 || (major == 4 && minor >= 14))
		return PREEMPTED_4_14;
	return major == 4 && minor >= 8 ? PREEMPTED_4_8 : PREEMPTED_OLD;
}

/* Letters by bit, in the order in which they are printed. */
struct letter {
	guint16 bit;
	char name;
};

static const struct letter letters_4_14[] = {
	{ 0x01, 'S' }, { 0x02, 'D' }, { 0x04, 'T' }, { 0x08, 't' },
	{ 0x10, 'X' }, { 0x20, 'Z' }, { 0x40, 'P' }, { 0x80, 'I' },
};

static const struct letter letters_old[] = {
	{ 0x01, 'S' }, { 0x02, 'D' },  { 0x04, 'T' },  { 0x08, 't' },
	{ 0x10, 'X' }, { 0x20, 'Z' },  { 0x200, 'P' }, { 0x40, 'x' },
	{ 0x80, 'K' }, { 0x100, 'W' }, { 0x400, 'N' },
};

const char *ab_task_state_text(guint32 state, guint32 preempted, char *buf,
			       gsize size)
{
	bool recent = preempted == PREEMPTED_4_14;
	const struct letter *l = recent ? letters_4_14 : letters_old;
	guint n =
		recent ? G_N_ELEMENTS(letters_4_14) : G_N_ELEMENTS(letters_old);
	gsize used = 0;
	guint i;

	state &= 0xffff;
	if (recent && (state & 0xfe00))
		return NULL;
	if (!state || (state & preempted))
		return state ? "R+" : "R";
	if (!recent && state == 0x402)
		return "I";
	for (i = 0; i < n && used + 1 < size; i++)
		if (state & l[i].bit)
			buf[used++] = l[i].name;
	buf[used] = '\0';
	return buf;
}

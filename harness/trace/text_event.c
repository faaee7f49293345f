// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

#include "text_body.h"

/* One event, by name. */
struct decoding {
	const char *name;
	bool (*decode)(const struct tx_decoder *d, struct ab_bytes in,
		       struct ab_event *ev);
	guint8 kind;
};

static bool decode_counter(const struct tx_decoder *d, struct ab_bytes in,
			   struct ab_event *ev)
{
	struct ab_bytes cpu = tx_after(in, " cpu_id=");
	guint64 value, number;

	(void)d;
	if (!tx_skip(&in, "state=") || !tx_uint(&in, G_MAXUINT32, &value) ||
	    !cpu.p || !tx_uint(&cpu, AB_MAX_CPUS - 1, &number))
		return false;
	ev->counter.value = (guint32)value;
	ev->counter.cpu = (guint32)number;
	return true;
}

static bool decode_overutilized(const struct tx_decoder *d, struct ab_bytes in,
				struct ab_event *ev)
{
	struct ab_bytes flag = tx_after(in, "overutilized=");
	guint64 value;

	(void)d;
	if (!flag.p || !tx_uint(&flag, G_MAXUINT32, &value))
		return false;
	ev->counter.value = value != 0;
	ev->counter.cpu = 0;
	return true;
}

static bool take_rpm_status(struct ab_bytes in, gint32 *status_out)
{
	static const char *const names[] = {
		"RPM_INVALID",	 "RPM_ACTIVE",	   "RPM_RESUMING",
		"RPM_SUSPENDED", "RPM_SUSPENDING",
	};
	struct ab_bytes number = in;
	guint64 value;
	gint32 i;

	for (i = 0; i < (gint32)G_N_ELEMENTS(names); i++) {
		if (tx_equal(in, names[i])) {
			*status_out = i - 1;
			return true;
		}
	}
	if (tx_equal(in, "-1"))
		value = G_MAXUINT32;
	else if (!tx_uint(&number, G_MAXINT32, &value) || number.n)
		return false;
	*status_out = (gint32)value;
	return true;
}

static bool decode_rpm_status(const struct tx_decoder *d, struct ab_bytes in,
			      struct ab_event *ev)
{
	struct ab_bytes status = tx_after(in, " status="), device = in;

	if (!status.p || !take_rpm_status(tx_trim_end(status), &ev->rpm.status))
		return false;
	device.n -= status.n + strlen(" status=");
	ev->rpm.device = ab_trace_intern(d->trace, device);
	return true;
}

/* The most frequent ones first. */
static const struct decoding decodings[] = {
	{ "sched_switch", tx_decode_switch, AB_EV_SWITCH },
	{ "sched_waking", tx_decode_waking, AB_EV_WAKING },
	{ "sched_wakeup", tx_decode_wakeup, AB_EV_WAKING },
	{ "cpu_idle", decode_counter, AB_EV_CPU_IDLE },
	{ "cpu_frequency", decode_counter, AB_EV_CPU_FREQUENCY },
	{ "sched_blocked_reason", tx_decode_blocked, AB_EV_BLOCKED },
	{ "workqueue_queue_work", tx_decode_queue, AB_EV_WORK_QUEUE },
	{ "workqueue_activate_work", tx_decode_work, AB_EV_WORK_ACTIVATE },
	{ "workqueue_execute_start", tx_decode_work, AB_EV_WORK_START },
	{ "workqueue_execute_end", tx_decode_work, AB_EV_WORK_END },
	{ "rpm_status", decode_rpm_status, AB_EV_RPM_STATUS },
	{ "sched_wakeup_new", tx_decode_wakeup, AB_EV_WAKING },
	{ "task_newtask", tx_decode_newtask, AB_EV_TASK_NEW },
	{ "task_rename", tx_decode_rename, AB_EV_TASK_RENAME },
	{ "sched_process_free", tx_decode_free, AB_EV_TASK_FREE },
	{ "sched_overutilized", decode_overutilized, AB_EV_OVERUTILIZED },
};

static const struct decoding *find(struct ab_bytes name)
{
	guint i;

	for (i = 0; i < G_N_ELEMENTS(decodings); i++)
		if (tx_equal(name, decodings[i].name))
			return &decodings[i];
	return NULL;
}

bool tx_event_decode(const struct tx_decoder *decoder,
		     const struct tx_line *line, struct ab_event *ev)
{
	const struct decoding *found;
	struct ab_bytes print;

	ev->kind = AB_EV_OTHER;
	if (tx_line_print(line, &print)) {
		ev->kind = AB_EV_PRINT;
		ev->print = print;
		return true;
	}
	found = find(line->event);
	if (!found)
		return true;
	ev->kind = found->kind;
	if (ev->kind == AB_EV_WAKING) {
		memset(&ev->waking, 0, sizeof(ev->waking));
		ev->waking.flags = line->irq;
	}
	return found->decode(decoder, line->body, ev);
}

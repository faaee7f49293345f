// SPDX-License-Identifier: GPL-3.0-or-later
/* FtraceEvent messages: field numbers as in perfetto's ftrace_event.proto. */
#include "trace_packets.h"

enum event_field {
	F_PRINT = 3,
	F_SCHED_SWITCH = 4,
	F_CPU_FREQUENCY = 11,
	F_CPU_IDLE = 13,
	F_BLOCKED_REASON = 18,
	F_SCHED_WAKING = 20,
	F_ACTIVATE_WORK = 56,
	F_EXECUTE_END = 57,
	F_EXECUTE_START = 58,
	F_QUEUE_WORK = 59,
	F_RPM_STATUS = 489,
	F_GENERIC = 65536,
};

#define NR_CPUS 32 /* req_cpu of unbound work */
#define RPM_IP 0xffffffc0086a3f84ULL

static const char *const symbols[VP_SYMS] = {
	[VP_SYM_PM_RUNTIME_WORK] = "pm_runtime_work",
	[VP_SYM_RPM_RESUME] = "rpm_resume",
	[VP_SYM_VMSTAT_UPDATE] = "vmstat_update",
	[VP_SYM_PSI_AVGS_WORK] = "psi_avgs_work",
	[VP_SYM_DELAYED_FPUT] = "delayed_fput",
	[VP_SYM_FOLIO_WAIT] = "folio_wait_bit_common",
};

static const char *const rpm_names[] = {
	[VP_RPM_IDLE] = "rpm_idle",
	[VP_RPM_RESUME] = "rpm_resume",
	[VP_RPM_RETURN] = "rpm_return_int",
	[VP_RPM_SUSPEND] = "rpm_suspend",
};

const char *vp_sym_name(enum vp_sym sym)
{
	return symbols[sym];
}

static bool group_wanted(const struct vp_trace_request *rq,
			 enum vp_ev_kind kind)
{
	switch (kind) {
	case VP_EV_WAKING:
		return rq->waking;
	case VP_EV_BLOCKED:
		return rq->blocked_reason;
	case VP_EV_QUEUE:
	case VP_EV_ACTIVATE:
	case VP_EV_EXECUTE:
	case VP_EV_EXECUTED:
		return rq->workqueue;
	case VP_EV_RPM:
	case VP_EV_RPM_RETURN:
	case VP_EV_RPM_STATUS:
		return rq->rpm;
	case VP_EV_FREQ:
		return rq->freq;
	case VP_EV_IDLE:
		return rq->idle;
	case VP_EV_PRINT:
		return rq->print;
	}
	return false;
}

bool vp_ev_wanted(const struct vp_trace_request *rq, const struct vp_ev *ev)
{
	guint32 bit = ev->kind == VP_EV_RPM ? VP_RPM_BIT((guint)ev->a)
					    : VP_EVENT_BIT(ev->kind);

	return !(rq->without & bit) &&
	       group_wanted(rq, (enum vp_ev_kind)ev->kind);
}

static guint32 mangle(struct vp_mangler *mangler, gint64 pointer)
{
	guint32 *index = &mangler->index[pointer];

	if (!*index) {
		*index = mangler->next++;
		int symbol = (int)pointer;
		if (symbol < VP_SYMS)
			g_array_append_val(mangler->fresh, symbol);
	}
	return *index;
}

static gsize event_begin(GByteArray *pb, gint64 ts_ns, int pid)
{
	gsize opened = vp_pb_open(pb, 2);

	vp_pb_int(pb, 1, ts_ns);
	vp_pb_int(pb, 2, pid);
	return opened;
}

void vp_ev_write_switch(GByteArray *pb, const struct vp_sim *sim, gint64 ts_ns,
			int prev, int prev_state, int next)
{
	const struct vp_task *p = vp_sim_task(sim, prev);
	const struct vp_task *n = vp_sim_task(sim, next);
	gsize event = event_begin(pb, ts_ns, p->tid);
	gsize message = vp_pb_open(pb, F_SCHED_SWITCH);

	vp_pb_string(pb, 1, p->comm);
	vp_pb_int(pb, 2, p->tid);
	vp_pb_int(pb, 3, p->prio);
	vp_pb_int(pb, 4, prev_state);
	vp_pb_string(pb, 5, n->comm);
	vp_pb_int(pb, 6, n->tid);
	vp_pb_int(pb, 7, n->prio);
	vp_pb_close(pb, message);
	vp_pb_close(pb, event);
}

static void write_waking(GByteArray *pb, const struct vp_sim *sim,
			 const struct vp_ev *ev)
{
	const struct vp_task *task = vp_sim_task(sim, (int)ev->a);
	gsize message = vp_pb_open(pb, F_SCHED_WAKING);

	vp_pb_string(pb, 1, task->comm);
	vp_pb_int(pb, 2, task->tid);
	vp_pb_int(pb, 3, task->prio);
	vp_pb_int(pb, 4, 1);
	vp_pb_int(pb, 5, ev->b);
	vp_pb_close(pb, message);
}

static void write_blocked(GByteArray *pb, const struct vp_ev *ev,
			  struct vp_mangler *mangler)
{
	gsize message = vp_pb_open(pb, F_BLOCKED_REASON);

	vp_pb_int(pb, 1, ev->a);
	vp_pb_int(pb, 2, mangle(mangler, ev->b));
	vp_pb_int(pb, 3, ev->c);
	vp_pb_close(pb, message);
}

static void write_work(GByteArray *pb, guint32 field, const struct vp_ev *ev,
		       struct vp_mangler *mangler)
{
	gsize message = vp_pb_open(pb, field);

	vp_pb_int(pb, 1, mangle(mangler, ev->a));
	vp_pb_int(pb, 2, mangle(mangler, ev->b));
	if (field == F_QUEUE_WORK) {
		vp_pb_int(pb, 4, NR_CPUS);
		vp_pb_int(pb, 5, ev->c);
		vp_pb_string(pb, 6, ev->name);
	}
	vp_pb_close(pb, message);
}

static void write_rpm(GByteArray *pb, const struct vp_ev *ev)
{
	bool returned = ev->kind == VP_EV_RPM_RETURN;
	guint32 rpm = returned ? VP_RPM_RETURN : (guint32)ev->a;
	gsize message = vp_pb_open(pb, F_GENERIC + rpm);

	vp_pb_string(pb, 1, ev->name);
	vp_pb_varint(pb, 2, returned ? RPM_IP : (guint64)ev->b);
	vp_pb_int(pb, 3, returned ? ev->a : ev->c);
	if (!returned) {
		vp_pb_int(pb, 4, 0);
		vp_pb_int(pb, 5, 1);
		vp_pb_int(pb, 6, 0);
		vp_pb_int(pb, 7, 0);
		vp_pb_int(pb, 8, 0);
	}
	vp_pb_close(pb, message);
}

/* Two plain numbers, in the order in which their messages have them. */
static void write_pair(GByteArray *pb, guint32 field, gint64 a, gint64 b)
{
	gsize message = vp_pb_open(pb, field);

	vp_pb_int(pb, 1, a);
	vp_pb_int(pb, 2, b);
	vp_pb_close(pb, message);
}

static void write_text(GByteArray *pb, guint32 field, guint32 text_field,
		       const char *text, guint32 number_field, gint64 number)
{
	gsize message = vp_pb_open(pb, field);

	if (number_field < text_field)
		vp_pb_int(pb, number_field, number);
	vp_pb_string(pb, text_field, text);
	if (number_field > text_field)
		vp_pb_int(pb, number_field, number);
	vp_pb_close(pb, message);
}

static void write_body(GByteArray *pb, const struct vp_sim *sim,
		       const struct vp_ev *ev, struct vp_mangler *mangler)
{
	switch ((enum vp_ev_kind)ev->kind) {
	case VP_EV_WAKING:
		write_waking(pb, sim, ev);
		return;
	case VP_EV_BLOCKED:
		write_blocked(pb, ev, mangler);
		return;
	case VP_EV_QUEUE:
		write_work(pb, F_QUEUE_WORK, ev, mangler);
		return;
	case VP_EV_ACTIVATE:
		write_work(pb, F_ACTIVATE_WORK, ev, mangler);
		return;
	case VP_EV_EXECUTE:
		write_work(pb, F_EXECUTE_START, ev, mangler);
		return;
	case VP_EV_EXECUTED:
		write_work(pb, F_EXECUTE_END, ev, mangler);
		return;
	case VP_EV_RPM:
	case VP_EV_RPM_RETURN:
		write_rpm(pb, ev);
		return;
	case VP_EV_RPM_STATUS:
		write_text(pb, F_RPM_STATUS, 1, ev->name, 2, ev->a);
		return;
	case VP_EV_FREQ:
		write_pair(pb, F_CPU_FREQUENCY, ev->a, ev->b);
		return;
	case VP_EV_IDLE:
		write_pair(pb, F_CPU_IDLE, ev->a, ev->b);
		return;
	case VP_EV_PRINT:
		write_text(pb, F_PRINT, 2, ev->name, 1, 0);
		return;
	}
}

void vp_ev_write(GByteArray *pb, const struct vp_sim *sim,
		 const struct vp_ev *ev, int current,
		 struct vp_mangler *mangler)
{
	int pid = vp_sim_task(sim, current)->tid;
	gsize event = event_begin(pb, ev->ts_ns, pid);

	write_body(pb, sim, ev, mangler);
	vp_pb_close(pb, event);
}

static void descriptor_field(GByteArray *pb, const char *name, int number,
			     int type)
{
	gsize field = vp_pb_open(pb, 2);

	vp_pb_int(pb, 3, number);
	vp_pb_string(pb, 1, name);
	vp_pb_int(pb, 5, type);
	vp_pb_close(pb, field);
}

/* A google.protobuf.DescriptorProto, for an event without its own message. */
void vp_rpm_descriptor(GByteArray *pb, enum vp_rpm rpm)
{
	static const char *const ints[] = { "flags",	       "usage_count",
					    "disable_depth",   "runtime_auto",
					    "request_pending", "irq_safe",
					    "child_count" };
	enum { TYPE_INT64 = 3, TYPE_UINT64 = 4, TYPE_STRING = 9 };
	gsize descriptor = vp_pb_open(pb, 11);

	vp_pb_int(pb, 1, F_GENERIC + (int)rpm);
	vp_pb_string(pb, 3, "rpm");
	gsize message = vp_pb_open(pb, 2);
	vp_pb_string(pb, 1, rpm_names[rpm]);
	descriptor_field(pb, "name", 1, TYPE_STRING);
	if (rpm == VP_RPM_RETURN) {
		descriptor_field(pb, "ip", 2, TYPE_UINT64);
		descriptor_field(pb, "ret", 3, TYPE_INT64);
	} else {
		for (int i = 0; i < (int)G_N_ELEMENTS(ints); i++)
			descriptor_field(pb, ints[i], 2 + i, TYPE_INT64);
	}
	vp_pb_close(pb, message);
	vp_pb_close(pb, descriptor);
}

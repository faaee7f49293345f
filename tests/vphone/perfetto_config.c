// SPDX-License-Identifier: GPL-3.0-or-later
/* What a trace configuration asks of this phone, and what it never says. */
#include <string.h>

#include "perfetto.h"
#include "perfetto_schema.h"
#include "trace_sim.h"

#define MAX_DURATION_MS G_GINT64_CONSTANT(604800000)

/* A tracepoint that the phone's traces contain. */
struct event {
	const char *group, *name;
	size_t flag;	 /* of vp_trace_request; several events may share it */
	guint32 without; /* the event's bit among them */
};

#define EVENT(group, name, flag, bit)                                     \
	{                                                                 \
		group, name, offsetof(struct vp_trace_request, flag), bit \
	}

static const struct event events[] = {
	EVENT("sched", "sched_switch", sched, 0),
	EVENT("sched", "sched_waking", waking, 0),
	EVENT("sched", "sched_blocked_reason", blocked_reason, 0),
	EVENT("workqueue", "workqueue_queue_work", workqueue,
	      VP_EVENT_BIT(VP_EV_QUEUE)),
	EVENT("workqueue", "workqueue_activate_work", workqueue,
	      VP_EVENT_BIT(VP_EV_ACTIVATE)),
	EVENT("workqueue", "workqueue_execute_start", workqueue,
	      VP_EVENT_BIT(VP_EV_EXECUTE)),
	EVENT("workqueue", "workqueue_execute_end", workqueue,
	      VP_EVENT_BIT(VP_EV_EXECUTED)),
	EVENT("rpm", "rpm_idle", rpm, VP_RPM_BIT(VP_RPM_IDLE)),
	EVENT("rpm", "rpm_resume", rpm, VP_RPM_BIT(VP_RPM_RESUME)),
	EVENT("rpm", "rpm_suspend", rpm, VP_RPM_BIT(VP_RPM_SUSPEND)),
	EVENT("rpm", "rpm_return_int", rpm, VP_EVENT_BIT(VP_EV_RPM_RETURN)),
	EVENT("rpm", "rpm_status", rpm, VP_EVENT_BIT(VP_EV_RPM_STATUS)),
	EVENT("power", "cpu_frequency", freq, 0),
	EVENT("power", "cpu_idle", idle, 0),
	EVENT("ftrace", "print", print, 0),
};

#define RPM_ALL                                                        \
	(VP_RPM_BIT(VP_RPM_IDLE) | VP_RPM_BIT(VP_RPM_RESUME) |         \
	 VP_RPM_BIT(VP_RPM_SUSPEND) | VP_EVENT_BIT(VP_EV_RPM_RETURN) | \
	 VP_EVENT_BIT(VP_EV_RPM_STATUS))
#define WORKQUEUE_ALL                                               \
	(VP_EVENT_BIT(VP_EV_QUEUE) | VP_EVENT_BIT(VP_EV_ACTIVATE) | \
	 VP_EVENT_BIT(VP_EV_EXECUTE) | VP_EVENT_BIT(VP_EV_EXECUTED))

/* Tracepoints that the kernel has and in which nothing happens here. */
static const char *const silent_events[] = {
	"sched/sched_wakeup",
	"sched/sched_wakeup_new",
	"sched/sched_process_exec",
	"sched/sched_process_exit",
	"sched/sched_process_fork",
	"sched/sched_process_free",
	"sched/sched_migrate_task",
	"sched/sched_pi_setprio",
	"sched/sched_cpu_hotplug",
	"task/task_newtask",
	"task/task_rename",
	"rpm/rpm_usage",
	"power/clock_enable",
	"power/clock_disable",
	"power/clock_set_rate",
	"power/cpu_frequency_limits",
	"power/gpu_frequency",
	"power/suspend_resume",
	"power/wakeup_source_activate",
	"power/wakeup_source_deactivate",
	"power/gpu_work_period",
	"gpu_mem/gpu_mem_total",
	"devfreq/devfreq_frequency",
	"devfreq/devfreq_monitor",
	"irq/irq_handler_entry",
	"irq/irq_handler_exit",
	"irq/softirq_entry",
	"irq/softirq_exit",
	"irq/softirq_raise",
	"ipi/ipi_entry",
	"ipi/ipi_exit",
	"ipi/ipi_raise",
	"thermal/thermal_temperature",
	"thermal/cdev_update",
	"binder/binder_transaction",
	"binder/binder_transaction_received",
	"kmem/rss_stat",
	"oom/oom_score_adj_update",
	"cpuhp/cpuhp_enter",
	"cpuhp/cpuhp_exit",
};

static const struct {
	const char *category, *event;
} categories[] = {
	{ "sched", "sched/sched_switch" },
	{ "sched", "sched/sched_waking" },
	{ "sched", "sched/sched_blocked_reason" },
	{ "freq", "power/cpu_frequency" },
	{ "idle", "power/cpu_idle" },
	{ "workq", "workqueue/*" },
};

static bool event_matches(const struct event *event, const char *pattern)
{
	g_autofree char *name =
		g_strconcat(event->group, "/", event->name, NULL);
	g_autofree char *all = g_strconcat(event->group, "/*", NULL);

	return strcmp(pattern, name) == 0 || strcmp(pattern, all) == 0 ||
	       strcmp(pattern, event->name) == 0;
}

static bool is_silent(const char *pattern)
{
	const char *slash = strchr(pattern, '/');
	bool group = slash && strcmp(slash, "/*") == 0;

	for (size_t i = 0; i < G_N_ELEMENTS(silent_events); i++) {
		const char *name = silent_events[i];
		if (strcmp(slash ? name : strchr(name, '/') + 1, pattern) == 0)
			return true;
		if (group &&
		    strncmp(name, pattern, (size_t)(slash + 1 - pattern)) == 0)
			return true;
	}
	return false;
}

static void add_event(struct vp_config *config, const char *pattern)
{
	struct vp_trace_request *wants = &config->wants;
	bool known = false;

	for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
		if (!event_matches(&events[i], pattern))
			continue;
		*(bool *)((char *)wants + events[i].flag) = true;
		wants->without &= ~events[i].without;
		known = true;
	}
	if (!known && !is_silent(pattern))
		g_ptr_array_add(config->unknown, g_strdup(pattern));
}

static void add_category(struct vp_config *config, const char *category)
{
	for (size_t i = 0; i < G_N_ELEMENTS(categories); i++)
		if (strcmp(categories[i].category, category) == 0)
			add_event(config, categories[i].event);
	/* Every category has the apps' own marks. */
	config->wants.print = true;
}

static void add_ftrace(struct vp_config *config, const struct vp_node *ftrace)
{
	struct vp_trace_request *wants = &config->wants;
	const struct vp_node *compact =
		vp_node_child(ftrace, "compact_sched", 0);
	const struct vp_node *node;

	for (guint i = 0; (node = vp_node_child(ftrace, "ftrace_events", i));
	     i++)
		add_event(config, node->text);
	for (guint i = 0;
	     (node = vp_node_child(ftrace, "atrace_categories", i)); i++)
		add_category(config, node->text);
	/* Compact is the default since v42. */
	wants->compact = !compact || vp_node_number(compact, "enabled", 0);
	wants->symbols = vp_node_number(ftrace, "symbolize_ksyms", 0);
	wants->drain_ms = (int)CLAMP(
		vp_node_number(ftrace, "drain_period_ms", 250), 1, 60000);
}

static void add_power(struct vp_config *config, const struct vp_node *power)
{
	struct vp_trace_request *wants = &config->wants;
	gint64 poll_ms = vp_node_number(power, "battery_poll_ms", 1000);

	wants->rails = vp_node_number(power, "collect_power_rails", 0);
	wants->battery = vp_node_child(power, "battery_counters", 0);
	wants->poll_ms = (int)CLAMP(poll_ms, 250, 600000);
}

static void add_source(struct vp_config *config, const struct vp_node *source)
{
	const char *name = vp_node_text(source, "name");

	if (strcmp(name, "linux.ftrace") == 0)
		add_ftrace(config, vp_node_child(source, "ftrace_config", 0));
	else if (strcmp(name, "android.power") == 0)
		add_power(config,
			  vp_node_child(source, "android_power_config", 0));
	else if (strcmp(name, "android.surfaceflinger.frametimeline") == 0)
		config->wants.frametimeline = true;
	else if (strcmp(name, "linux.process_stats") == 0)
		config->wants.processes = true;
}

static bool refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool refuse(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, VP_ERROR, 0, "Service error: %s", what);
	return false;
}

static guint count(const struct vp_node *node, const char *name)
{
	guint n = 0;

	while (vp_node_child(node, name, n))
		n++;
	return n;
}

/* What the service, not the parser, looks at. */
static bool check_service(const struct vp_node *root, GError **error)
{
	gint64 ms = vp_node_number(root, "duration_ms", 0);
	guint buffers = count(root, "buffers");
	const struct vp_node *node;

	if (ms > MAX_DURATION_MS)
		return refuse(error,
			      "Requested too long trace (%" G_GINT64_FORMAT
			      " ms  > %" G_GINT64_FORMAT " ms)",
			      ms, MAX_DURATION_MS);
	for (guint i = 0; (node = vp_node_child(root, "data_sources", i));
	     i++) {
		const struct vp_node *source = vp_node_child(node, "config", 0);
		gint64 target = vp_node_number(source, "target_buffer", 0);
		if (target >= buffers)
			return refuse(error,
				      "Data source \"%s\" specified an out of "
				      "bounds target_buffer (%" G_GINT64_FORMAT
				      " >= %u)",
				      vp_node_text(source, "name"), target,
				      buffers);
	}
	return true;
}

static void take(struct vp_config *config, const struct vp_node *root)
{
	const struct vp_node *node;

	config->wants.without = RPM_ALL | WORKQUEUE_ALL;
	config->duration_ns = vp_node_number(root, "duration_ms", 0) * VP_MSEC;
	for (guint i = 0; (node = vp_node_child(root, "data_sources", i));
	     i++) {
		const struct vp_node *source = vp_node_child(node, "config", 0);
		if (source)
			add_source(config, source);
	}
	vp_node_serialize(root, config->pb);
}

bool vp_config_parse(struct vp_config *config, const char *file,
		     const char *text, GError **error)
{
	memset(config, 0, sizeof(*config));
	config->pb = g_byte_array_new();
	config->unknown = g_ptr_array_new_with_free_func(g_free);
	struct vp_node *root = vp_text_parse(file, text, error);
	if (!root)
		return false;
	bool ok = root->children->len > 0;
	if (!ok)
		g_set_error(error, VP_ERROR, 0, "The TraceConfig is empty");
	ok = ok && check_service(root, error);
	if (ok)
		take(config, root);
	vp_node_free(root);
	g_ptr_array_add(config->unknown, NULL);
	return ok;
}

void vp_config_clear(struct vp_config *config)
{
	g_byte_array_unref(config->pb);
	g_ptr_array_unref(config->unknown);
}

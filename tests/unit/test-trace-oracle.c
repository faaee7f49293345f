// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Every table that this decoder shares with Perfetto's trace processor is
 * printed in the oracle's CSV form and compared as a set of rows: all times to
 * the nanosecond.  An absent CSV file means: no rows.
 *
 * Differences on purpose:
 *  - a rail keeps the name that the phone gave it; the oracle's friendly names
 *    are translated back by rail_names below;
 *  - a thread's name is the kernel's comm, which has at most 15 bytes; a
 *    synthetic trace has longer ones, cut here on the oracle's side;
 *  - packets of another machine (a guest) are left out: where a trace has
 *    some, our rows are a part of the oracle's.
 */
#include <abrig/trace.h>
#include <stdio.h>
#include <string.h>

#include "../../harness/trace/analyze.h"
#include "../../harness/trace/sched.h"
#include "../../harness/trace/work_items.h"
#include "shared.h"

/* The rows of one trace, as text, by table. */
struct tables {
	struct ab_trace *trace;
	GArray *slices, *states;
	GPtrArray *counters, *rpm;
	GHashTable *rpm_open; /* device -> struct rpm_row */
	guint32 preempted;
};

struct rpm_row {
	gint64 begin_ns;
	char *device;
	gint32 status;
};

static void free_rpm_row(gpointer data)
{
	struct rpm_row *row = data;

	g_free(row->device);
	g_free(row);
}

static void keep_slice(void *user, const struct ab_slice *slice)
{
	struct tables *t = user;

	g_array_append_vals(t->slices, slice, 1);
}

static void keep_state(void *user, const struct ab_state_row *row)
{
	struct tables *t = user;

	g_array_append_vals(t->states, row, 1);
}

static const char *rpm_text(gint32 status)
{
	static const char *const names[] = { "Active", "Resuming", "",
					     "Suspending" };

	return status >= 0 && status <= 3 ? names[status] : "Invalid State";
}

static void end_rpm_row(struct tables *t, const struct rpm_row *row,
			gint64 end_ns)
{
	g_ptr_array_add(t->rpm,
			g_strdup_printf("%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
					",\"%s\",\"%s\"",
					row->begin_ns,
					end_ns < 0 ? -1
						   : end_ns - row->begin_ns,
					rpm_text(row->status), row->device));
}

static void keep_rpm(struct tables *t, const struct ab_event *ev)
{
	char *device = g_strdup(ab_trace_text(t->trace, ev->rpm.device));
	struct rpm_row *row = g_hash_table_lookup(t->rpm_open, device);

	if (row)
		end_rpm_row(t, row, ev->ts);
	g_hash_table_remove(t->rpm_open, device);
	if (ev->rpm.status == 2) {
		g_free(device);
		return;
	}
	row = g_new0(struct rpm_row, 1);
	row->begin_ns = ev->ts;
	row->device = device;
	row->status = ev->rpm.status;
	g_hash_table_insert(t->rpm_open, row->device, row);
}

static void keep_event(void *user, const struct ab_event *ev)
{
	struct tables *t = user;

	if (ev->flags & AB_EVENT_CROPPED)
		return;
	if (ev->kind == AB_EV_RPM_STATUS)
		keep_rpm(t, ev);
	if (ev->kind == AB_EV_CPU_FREQUENCY || ev->kind == AB_EV_CPU_IDLE)
		g_ptr_array_add(t->counters,
				g_strdup_printf("%" G_GINT64_FORMAT
						",%u.000000,\"%s\",%u",
						ev->ts, ev->counter.value,
						ev->kind == AB_EV_CPU_IDLE
							? "cpuidle"
							: "cpufreq",
						ev->counter.cpu));
}

static struct tables *read_tables(const char *path)
{
	struct tables *t = g_new0(struct tables, 1);
	const struct ab_sched_watch watch = { keep_slice, keep_state,
					      keep_event, t };
	g_autofree char *data = NULL;
	GError *error = NULL;
	GHashTableIter iter;
	gpointer row;
	gsize size;

	t->trace = ab_trace_new();
	t->slices = g_array_new(FALSE, FALSE, sizeof(struct ab_slice));
	t->states = g_array_new(FALSE, FALSE, sizeof(struct ab_state_row));
	t->counters = g_ptr_array_new_with_free_func(g_free);
	t->rpm = g_ptr_array_new_with_free_func(g_free);
	t->rpm_open = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					    free_rpm_row);
	g_assert_true(g_file_get_contents(path, &data, &size, &error));
	g_assert_true(ab_trace_read(
		t->trace, (struct ab_bytes){ (const guint8 *)data, size }, NULL,
		&watch, &error));
	t->preempted = ab_task_preempted_bit(t->trace->facts.uname_release);
	g_hash_table_iter_init(&iter, t->rpm_open);
	while (g_hash_table_iter_next(&iter, NULL, &row))
		end_rpm_row(t, row, -1);
	return t;
}

static void free_tables(struct tables *t)
{
	ab_trace_free(t->trace);
	g_array_unref(t->slices);
	g_array_unref(t->states);
	g_ptr_array_unref(t->counters);
	g_ptr_array_unref(t->rpm);
	g_hash_table_unref(t->rpm_open);
	g_free(t);
}

static void add_text(GString *row, const char *text)
{
	g_string_append_printf(row, ",\"%s\"", text ? text : "[NULL]");
}

static void add_int(GString *row, gint64 value)
{
	g_string_append_printf(row, ",%" G_GINT64_FORMAT, value);
}

/* A number, or NULL when it is negative. */
static void add_known(GString *row, gint64 value)
{
	if (value < 0)
		add_text(row, NULL);
	else
		add_int(row, value);
}

static GString *new_row(gint64 begin_ns, gint64 end_ns)
{
	GString *row = g_string_new(NULL);

	g_string_append_printf(row, "%" G_GINT64_FORMAT, begin_ns);
	add_int(row, end_ns < 0 ? -1 : end_ns - begin_ns);
	return row;
}

static gint32 tid_of(const struct tables *t, guint32 thread)
{
	return ab_thread(t->trace->threads, thread)->tid;
}

/* NULL when there is none. */
static const char *text_of(const struct tables *t, guint32 text)
{
	return text ? ab_trace_text(t->trace, text) : NULL;
}

static const char *comm_of(const struct tables *t, guint32 thread)
{
	if (!thread)
		return "swapper";
	return text_of(t, ab_thread(t->trace->threads, thread)->comm);
}

static GPtrArray *sched_rows(const struct tables *t)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
	char buf[32];
	guint i;

	for (i = 0; i < t->slices->len; i++) {
		const struct ab_slice *s =
			&g_array_index(t->slices, struct ab_slice, i);
		GString *row = new_row(s->begin_ns, s->end_ns);

		add_int(row, s->cpu);
		add_int(row, tid_of(t, s->thread));
		add_text(row, comm_of(t, s->thread));
		add_text(row, s->end_ns < 0
				      ? NULL
				      : ab_task_state_text(s->end_state,
							   t->preempted, buf,
							   sizeof(buf)));
		add_int(row, s->prio);
		g_ptr_array_add(rows, g_string_free(row, FALSE));
	}
	return rows;
}

static const char *state_text(const struct tables *t,
			      const struct ab_state_row *s, char *buf,
			      gsize size)
{
	if (s->run_state == AB_RUNNING)
		return "Running";
	if (s->run_state == AB_RUNNABLE)
		return "R";
	return ab_task_state_text(s->state, t->preempted, buf, size);
}

static GPtrArray *state_rows(const struct tables *t)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
	char buf[32];
	guint i;

	for (i = 0; i < t->states->len; i++) {
		const struct ab_state_row *s =
			&g_array_index(t->states, struct ab_state_row, i);
		GString *row = new_row(s->begin_ns, s->end_ns);
		bool woken = s->waker != AB_NO_THREAD;

		add_known(row, s->run_state == AB_RUNNING ? s->cpu : -1);
		add_int(row, tid_of(t, s->thread));
		add_text(row, state_text(t, s, buf, sizeof(buf)));
		add_known(row, s->io_wait);
		add_text(row, text_of(t, s->function));
		add_known(row, woken ? tid_of(t, s->waker) : -1);
		add_known(row, s->irq);
		g_ptr_array_add(rows, g_string_free(row, FALSE));
	}
	return rows;
}

static GPtrArray *work_rows(const struct tables *t)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
	const GArray *items = ab_work_items(t->trace);
	guint i;

	for (i = 0; i < items->len; i++) {
		const struct ab_work_item *w =
			&g_array_index(items, struct ab_work_item, i);
		GString *row = new_row(w->start_ns, w->end_ns);

		add_text(row, text_of(t, w->function));
		add_int(row, tid_of(t, w->thread));
		add_text(row, comm_of(t, w->thread));
		g_ptr_array_add(rows, g_string_free(row, FALSE));
	}
	return rows;
}

static const char *const present_names[] = {
	"Unspecified Present", "On-time Present", "Late Present",
	"Early Present",       "Dropped Frame",	  "Unknown Present",
};
static const char *const prediction_names[] = { "Unspecified Prediction",
						"Valid Prediction",
						"Expired Prediction",
						"Unknown Prediction" };

static const struct {
	guint32 bit;
	const char *name;
} jank_names[] = {
	{ 2, "SurfaceFlinger Scheduling" },
	{ 4, "Prediction Error" },
	{ 8, "Display HAL" },
	{ 16, "SurfaceFlinger CPU Deadline Missed" },
	{ 32, "SurfaceFlinger GPU Deadline Missed" },
	{ 64, "App Deadline Missed" },
	{ 4096, "App Resynced Jitter" },
	{ 128, "Buffer Stuffing" },
	{ 256, "Unknown Jank" },
	{ 512, "SurfaceFlinger Stuffing" },
	{ 1024, "Dropped Frame" },
	{ 2048, "Non Animating" },
	{ 8192, "Display not ON" },
	{ 16384, "ModeChange in progress" },
	{ 32768, "PowerModeChange in progress" },
};

static char *jank_text(guint32 jank)
{
	GString *text = g_string_new(NULL);
	guint i;

	if (jank <= 1)
		g_string_append(text, jank ? "None" : "Unspecified");
	for (i = 0; i < G_N_ELEMENTS(jank_names); i++)
		if (jank & jank_names[i].bit)
			g_string_append_printf(text, "%s%s",
					       text->len ? ", " : "",
					       jank_names[i].name);
	return g_string_free(text, FALSE);
}

#define SF_JANK (2 | 4 | 8 | 16 | 32)
#define APP_JANK (64 | 256 | 4096)

static const char *jank_tag(const struct ab_frame *f)
{
	bool surface = f->kind == AB_FRAME_ACTUAL_SURFACE;

	if (!f->jank)
		return "Unspecified";
	if (surface ? f->jank & APP_JANK : f->jank & SF_JANK)
		return "Self Jank";
	if (surface && (f->jank & SF_JANK))
		return "Other Jank";
	if (surface && f->jank == 128)
		return "Buffer Stuffing";
	if (f->jank == 512)
		return "SurfaceFlinger Stuffing";
	if (surface ? f->present == 4 : f->jank == 1024)
		return "Dropped Frame";
	if (f->jank == 2048 || f->jank == 8192 || f->jank == 32768)
		return "Non-perceivable Jank";
	return "No Jank";
}

static void add_tokens(GString *row, const struct ab_frame *f, bool surface)
{
	add_int(row, f->pid);
	if (surface) {
		add_int(row, f->token);
		add_int(row, f->display_token);
	} else {
		add_text(row, NULL);
		add_int(row, f->token);
	}
}

static GPtrArray *actual_rows(const struct tables *t)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
	guint i;

	for (i = 0; i < t->trace->frames->len; i++) {
		const struct ab_frame *f =
			&g_array_index(t->trace->frames, struct ab_frame, i);
		g_autofree char *jank = jank_text(f->jank);
		GString *row;

		if (f->kind != AB_FRAME_ACTUAL_DISPLAY &&
		    f->kind != AB_FRAME_ACTUAL_SURFACE)
			continue;
		row = new_row(f->begin_ns, f->end_ns);
		add_tokens(row, f, f->kind == AB_FRAME_ACTUAL_SURFACE);
		add_text(row, text_of(t, f->layer));
		add_text(row, present_names[f->present]);
		add_int(row, f->on_time);
		add_int(row, f->gpu);
		add_text(row, jank);
		add_text(row, jank_tag(f));
		add_text(row, prediction_names[f->prediction]);
		g_ptr_array_add(rows, g_string_free(row, FALSE));
	}
	return rows;
}

static GPtrArray *expected_rows(const struct tables *t)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
	guint i;

	for (i = 0; i < t->trace->frames->len; i++) {
		const struct ab_frame *f =
			&g_array_index(t->trace->frames, struct ab_frame, i);
		GString *row;

		if (f->kind != AB_FRAME_EXPECTED_DISPLAY &&
		    f->kind != AB_FRAME_EXPECTED_SURFACE)
			continue;
		row = new_row(f->begin_ns, f->end_ns);
		add_tokens(row, f, f->kind == AB_FRAME_EXPECTED_SURFACE);
		g_ptr_array_add(rows, g_string_free(row, FALSE));
	}
	return rows;
}

/* Ours -> the oracle's, of the rails that occur here. */
static const struct {
	const char *ours, *theirs;
} rail_names[] = {
	{ "S2M_VDD_CPUCL2", "power.rails.cpu.big" },
	{ "S3M_VDD_CPUCL1", "power.rails.cpu.mid" },
	{ "S4M_VDD_CPUCL0", "power.rails.cpu.little" },
	{ "S5M_VDD_INT", "power.rails.system.fabric" },
	{ "S10M_VDD_TPU", "power.rails.tpu" },
	{ "S1M_VDD_MIF", "power.rails.memory.interface" },
	{ "VSYS_PWR_DISPLAY", "power.rails.display" },
	{ "VSYS_PWR_MODEM", "power.rails.modem" },
	{ "L9S_GNSS_CORE", "power.rails.gps" },
	{ "L2S_VDD_AOC_RET", "power.rails.aoc.memory" },
	{ "S9S_VDD_AOC", "power.rails.aoc.logic" },
	{ "S5S_VDDQ_MEM", "power.rails.ddr.a" },
	{ "S10S_VDD2L", "power.rails.ddr.b" },
	{ "S4S_VDD2H_MEM", "power.rails.ddr.c" },
	{ "S2S_VDD_G3D", "power.rails.gpu" },
};

static char *rail_name(const char *ours)
{
	guint i;

	for (i = 0; i < G_N_ELEMENTS(rail_names); i++)
		if (!strcmp(ours, rail_names[i].ours))
			return g_strdup(rail_names[i].theirs);
	return g_strdup_printf("power.%s_uws", ours);
}

static GPtrArray *rail_rows(const struct tables *t)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
	guint i;

	for (i = 0; i < t->trace->rail_samples->len; i++) {
		const struct ab_rail_sample *s = &g_array_index(
			t->trace->rail_samples, struct ab_rail_sample, i);
		const struct ab_rail *rail = &g_array_index(
			t->trace->rails, struct ab_rail, s->rail);
		g_autofree char *name =
			rail_name(ab_trace_text(t->trace, rail->name));

		g_ptr_array_add(rows,
				g_strdup_printf("%" G_GINT64_FORMAT
						",%" G_GUINT64_FORMAT
						".000000,\"%s\"",
						s->ts, s->energy_uws, name));
	}
	return rows;
}

static int by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Cut the text between the first two quotes to a comm's length. */
static void cut_comm(char *row)
{
	char *begin = strchr(row, '"'), *end;

	if (!begin)
		return;
	end = strchr(++begin, '"');
	if (end && end - begin > AB_COMM_SIZE - 1)
		memmove(begin + AB_COMM_SIZE - 1, end, strlen(end) + 1);
}

/* The oracle's rows, sorted. */
static GPtrArray *oracle_rows(const char *dir, const char *file)
{
	g_autofree char *path = g_build_filename(dir, file, NULL);
	GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	guint i;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return rows;
	lines = g_strsplit(text, "\n", -1);
	for (i = 1; lines[0] && lines[i]; i++) {
		if (!*g_strchomp(lines[i]))
			continue;
		if (!strcmp(file, "sched.csv"))
			cut_comm(lines[i]);
		g_ptr_array_add(rows, g_strdup(lines[i]));
	}
	g_ptr_array_sort(rows, by_text);
	return rows;
}

/* The first rows that only one side has, for the message. */
static char *difference(const GPtrArray *ours, const GPtrArray *theirs,
			bool subset)
{
	GString *text = g_string_new(NULL);
	guint i = 0, j = 0, shown = 0;

	while ((i < ours->len || j < theirs->len) && shown < 12) {
		int order = i == ours->len ? 1
			    : j == theirs->len
				    ? -1
				    : strcmp(ours->pdata[i], theirs->pdata[j]);

		if (order < 0)
			g_string_append_printf(text, "\n  ours   %s",
					       (char *)ours->pdata[i]);
		else if (order > 0 && !subset)
			g_string_append_printf(text, "\n  oracle %s",
					       (char *)theirs->pdata[j]);
		shown += order < 0 || (order > 0 && !subset);
		i += order <= 0;
		j += order >= 0;
	}
	return g_string_free(text, FALSE);
}

static void compare(const struct tables *t, const char *dir, const char *file,
		    GPtrArray *ours)
{
	bool foreign = t->trace->quality.foreign_packets > 0;
	g_autoptr(GPtrArray) theirs = oracle_rows(dir, file);
	g_autofree char *text = NULL;

	g_ptr_array_sort(ours, by_text);
	text = difference(ours, theirs, foreign);
	if (*text) {
		g_test_message("%s/%s: %u rows, oracle %u:%s", dir, file,
			       ours->len, theirs->len, text);
		g_test_fail();
	}
}

static void compare_and_free(const struct tables *t, const char *dir,
			     const char *file, GPtrArray *ours)
{
	compare(t, dir, file, ours);
	g_ptr_array_unref(ours);
}

static void compare_all(const char *trace, const char *dir)
{
	struct tables *t = read_tables(trace);

	compare_and_free(t, dir, "sched.csv", sched_rows(t));
	compare_and_free(t, dir, "thread_state.csv", state_rows(t));
	compare_and_free(t, dir, "workqueue.csv", work_rows(t));
	compare_and_free(t, dir, "frames_actual.csv", actual_rows(t));
	compare_and_free(t, dir, "frames_expected.csv", expected_rows(t));
	compare_and_free(t, dir, "rails.csv", rail_rows(t));
	compare(t, dir, "cpu_counters.csv", t->counters);
	compare(t, dir, "rpm_status.csv", t->rpm);
	free_tables(t);
}

/* Traces that lie beside their answers. */
static void test_folder(gconstpointer data)
{
	g_autofree char *folder = shared_path(data);
	g_autoptr(GDir) dir = NULL;
	const char *name;
	guint n = 0;

	if (!folder)
		return;
	dir = g_dir_open(folder, 0, NULL);
	g_assert_nonnull(dir);
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *answers = g_build_filename(folder, name, NULL);
		g_autofree char *trace =
			g_build_filename(answers, "trace.pftrace", NULL);

		compare_all(trace, answers);
		n++;
	}
	g_assert_cmpuint(n, >, 0);
}

struct capture {
	const char *trace, *answers;
};

static void test_capture(gconstpointer data)
{
	const struct capture *c = data;
	g_autofree char *trace = shared_path(c->trace);
	g_autofree char *answers = NULL;

	if (!trace)
		return;
	answers = shared_path(c->answers);
	g_assert_nonnull(answers);
	compare_all(trace, answers);
}

static const struct capture captures[] = {
	{ "data/perfetto/androidx-api32_startup_warm.perfetto-trace",
	  "data/oracle/real/androidx-api32_startup_warm" },
	{ "data/perfetto/sidky-nowinandroid.perfetto-trace",
	  "data/oracle/real/sidky-nowinandroid" },
	{ "data/kernel-ab/a1.pftrace", "data/kernel-ab/oracle/a1" },
	{ "data/kernel-ab/b1.pftrace", "data/kernel-ab/oracle/b1" },
};

/* Mean CPU wait, as an independent script found it; data/README.md. */
static void test_kernel_ab(void)
{
	static const struct {
		const char *name;
		double mean_us;
	} runs[] = {
		{ "a1", 1152 }, { "a2", 1142 }, { "a3", 1537 }, { "a4", 872 },
		{ "b1", 368 },	{ "b2", 462 },	{ "b3", 586 },	{ "b4", 477 },
	};
	guint i, j;

	for (i = 0; i < G_N_ELEMENTS(runs); i++) {
		g_autofree char *name = g_strdup_printf(
			"data/kernel-ab/%s.pftrace", runs[i].name);
		g_autofree char *path = shared_path(name);
		ab_autoptr(ab_trace) trace = NULL;
		ab_autoptr(ab_run_data) data = ab_run_data_new();
		const GArray *waits;
		double sum = 0, items = 0;

		if (!path)
			return;
		trace = ab_trace_open(path, NULL, NULL, NULL);
		g_assert_nonnull(trace);
		ab_trace_analyze(trace, NULL, data);
		waits = ab_run_data_find(data, "pm_runtime_work.cpu_wait");
		g_assert_nonnull(waits);
		for (j = 0; j < waits->len; j++)
			sum += g_array_index(waits, double, j);
		g_assert_cmpfloat_with_epsilon(sum / waits->len,
					       runs[i].mean_us, 1);
		g_assert_true(ab_run_data_get(data, "work_items", &items));
		g_assert_cmpfloat(items, ==, waits->len);
		g_assert_false(ab_trace_quality(trace)->loss_in_window);
	}
}

int main(int argc, char **argv)
{
	guint i;

	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/trace/oracle/custom", "data/oracle/custom",
			     test_folder);
	g_test_add_data_func("/trace/oracle/upstream", "data/oracle/upstream",
			     test_folder);
	for (i = 0; i < G_N_ELEMENTS(captures); i++) {
		g_autofree char *base = g_path_get_basename(captures[i].trace);
		g_autofree char *name =
			g_strdup_printf("/trace/oracle/%s", base);

		g_test_add_data_func(name, &captures[i], test_capture);
	}
	g_test_add_func("/trace/kernel-ab", test_kernel_ab);
	return g_test_run();
}

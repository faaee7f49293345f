// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How fast is the trace engine?  Large generated traces are decoded and
 * analysed; beside it, over the same mapped bytes, a loop that only walks tags
 * and varints: less than that no decoder can do.  docs/BENCH.md has the method.
 */
#include <abrig/trace.h>

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "gen/gen.h"

#define SEED 1
#define MAX_SIZES 8
#define MAX_FILES 4
#define MEGABYTE 1000000
#define MEMORY_OF "--memory-of"

static const char *const mix_names[] = { "compact", "full" };

/* One trace, in a file of its own. */
struct subject {
	enum gen_mix mix;
	char *path;
	struct gen_truth truth;
	const guint8 *data;
	gsize size;

	double floor_s, engine_s; /* CPU, best of some rounds */
	guint64 values, events;
	double private_mb;
};

/* ---- the floor ---- */

/* Where the bytes are: what lies below is walked or skipped. */
enum level { TRACE, PACKET, BUNDLE, COMPACT, EVENT, FIELDS };

/* The sum is there so that no value can be left out. */
static guint64 walked_sum, walked_values;

/* What is walked was generated here: no varint is too long. */
static inline const guint8 *varint(const guint8 *p, const guint8 *end,
				   guint64 *v)
{
	guint64 value = 0;

	for (int shift = 0; p < end; shift += 7) {
		guint8 byte = *p++;

		value |= (guint64)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	*v = value;
	return p;
}

static void walk_column(const guint8 *p, const guint8 *end)
{
	guint64 v;

	while (p < end) {
		p = varint(p, end, &v);
		walked_sum += v;
		walked_values++;
	}
}

static void walk(const guint8 *p, const guint8 *end, enum level level);

static inline void walk_below(const guint8 *p, const guint8 *end,
			      enum level level, guint64 field)
{
	if (level == TRACE && field == 1)
		walk(p, end, PACKET);
	else if (level == PACKET && field == 1)
		walk(p, end, BUNDLE);
	else if (level == BUNDLE && field == 4)
		walk(p, end, COMPACT);
	else if (level == COMPACT && field != 5)
		walk_column(p, end);
	else if (level == BUNDLE && field == 2)
		walk(p, end, EVENT);
	else if (level == EVENT)
		walk(p, end, FIELDS);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as enum level */
static void walk(const guint8 *p, const guint8 *end, enum level level)
{
	guint64 tag, v;

	while (p < end) {
		p = varint(p, end, &tag);
		switch (tag & 7) {
		case 0:
			p = varint(p, end, &v);
			walked_sum += v;
			walked_values++;
			break;
		case 1:
			p += 8;
			break;
		case 5:
			p += 4;
			break;
		case 2:
			p = varint(p, end, &v);
			if (v > (guint64)(end - p))
				return;
			walk_below(p, p + v, level, tag >> 3);
			p += v;
			break;
		default:
			return;
		}
	}
}

/* ---- one trace ---- */

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void *map_file(const char *path, gsize size)
{
	int fd = g_open(path, O_RDONLY | O_CLOEXEC);
	void *data;

	if (fd < 0)
		g_error("%s: %m", path);
	data = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (data == MAP_FAILED)
		g_error("%s: %m", path);
	close(fd);
	return data;
}

static guint64 run_floor(const struct subject *s)
{
	walked_sum = 0;
	walked_values = 0;
	walk(s->data, s->data + s->size, TRACE);
	if (walked_sum == 0)
		g_error("%s: nothing in it", s->path);
	return walked_values;
}

static guint64 run_engine(const guint8 *data, gsize size)
{
	struct ab_trace_options options = { .ui_processes = NULL };
	ab_autoptr(ab_run_data) run = ab_run_data_new();
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_trace) trace =
		ab_trace_open_bytes(data, size, NULL, &error);

	if (!trace)
		g_error("%s", error->message);
	ab_trace_analyze(trace, &options, run);
	g_ptr_array_unref(ab_trace_tables(trace, &options));
	return ab_trace_quality(trace)->events;
}

/* Both in turn, so that a busy machine slows down both. */
static void time_both(struct subject *s)
{
	int rounds = s->size > 500 * (gsize)MEGABYTE ? 3 : 7;

	s->floor_s = G_MAXDOUBLE;
	s->engine_s = G_MAXDOUBLE;
	for (int i = 0; i < rounds; i++) {
		double begin = cpu_s(), middle;

		s->values = run_floor(s);
		middle = cpu_s();
		s->events = run_engine(s->data, s->size);
		s->floor_s = MIN(s->floor_s, middle - begin);
		s->engine_s = MIN(s->engine_s, cpu_s() - middle);
	}
}

/* A line of /proc/self/status, in kB. */
static double status_kb(const char *key)
{
	g_autofree char *text = NULL;
	const char *line;

	if (!g_file_get_contents("/proc/self/status", &text, NULL, NULL))
		g_error("no /proc/self/status");
	line = strstr(text, key);
	if (!line)
		g_error("/proc/self/status: no %s", key);
	return (double)g_ascii_strtoull(line + strlen(key), NULL, 10);
}

/*
 * All of the file is resident before and after: what is above is private.
 * This is a process of its own, in whose heap nothing was before.
 */
static void print_private_mb(const char *path)
{
	GStatBuf st;
	FILE *out = fopen("/proc/self/clear_refs", "w");
	const guint8 *data;
	double before_kb;

	if (g_stat(path, &st))
		g_error("%s: %m", path);
	data = map_file(path, (gsize)st.st_size);
	/* "5": the peak begins anew. */
	if (!out || fputs("5", out) < 0 || fclose(out))
		g_error("/proc/self/clear_refs: %m");
	before_kb = status_kb("VmRSS:");
	run_engine(data, (gsize)st.st_size);
	g_print("%f", (status_kb("VmHWM:") - before_kb) * 1024 / MEGABYTE);
}

static double private_mb(const struct subject *s)
{
	const char *const argv[] = { "/proc/self/exe", MEMORY_OF, s->path,
				     NULL };
	g_autofree char *out = NULL;
	g_autoptr(GError) error = NULL;
	int status;

	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL,
			  NULL, &out, NULL, &status, &error) ||
	    !g_spawn_check_wait_status(status, &error))
		g_error("the process that measures memory: %s", error->message);
	return g_ascii_strtod(out, NULL);
}

static void generate(struct subject *s, const char *dir, int mb)
{
	struct gen_spec spec = { s->mix, SEED, (guint64)mb * MEGABYTE };
	FILE *out;

	s->path = g_strdup_printf("%s/%s-%d", dir, mix_names[s->mix], mb);
	out = fopen(s->path, "wb");
	if (!out || !gen_write(&spec, out, &s->truth) || fclose(out))
		g_error("%s: %m", s->path);
	s->size = s->truth.bytes;
}

static void print_subject(const struct subject *s)
{
	double mb = (double)s->size / MEGABYTE;

	g_print("%-8s%8.1f%9.2f%9.1f%8.0f%8.0f%9.1f%7.2f%9.1f%8.3f\n",
		mix_names[s->mix], mb, (double)s->events / 1e6,
		(double)s->values / 1e6, mb / s->floor_s, mb / s->engine_s,
		(double)s->events / 1e6 / s->engine_s, s->engine_s / s->floor_s,
		s->private_mb, s->private_mb / mb);
}

static void measure(struct subject *s, const char *dir, int mb)
{
	generate(s, dir, mb);
	s->data = map_file(s->path, s->size);
	time_both(s);
	munmap((void *)s->data, s->size);
	s->private_mb = private_mb(s);
	print_subject(s);
}

/* Linear: the same time per byte, whatever the size. */
static void print_growth(const struct subject *small,
			 const struct subject *large)
{
	double size = (double)large->size / (double)small->size;

	g_print("growth:  %s, size x%.1f: floor x%.1f, engine x%.1f, private "
		"memory x%.1f\n",
		mix_names[small->mix], size, large->floor_s / small->floor_s,
		large->engine_s / small->engine_s,
		large->private_mb / small->private_mb);
}

/* ---- the program, with one file and with several ---- */

static double children_cpu_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

struct spent {
	double wall_s, cpu_s;
};

static struct spent analyze(const char *abrig, char *const *files, guint n)
{
	const char *argv[MAX_FILES + 3] = { abrig, "analyze" };
	g_autoptr(GError) error = NULL;
	double cpu = children_cpu_s();
	gint64 begin_us = g_get_monotonic_time();
	int status;

	for (guint i = 0; i < n; i++)
		argv[2 + i] = files[i];
	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL,
			  NULL, NULL, NULL, NULL, &status, &error) ||
	    !g_spawn_check_wait_status(status, &error))
		g_error("%s analyze: %s", abrig, error->message);
	return (struct spent){
		(double)(g_get_monotonic_time() - begin_us) / 1e6,
		children_cpu_s() - cpu,
	};
}

static void compare_files(const char *abrig, char *const *files, guint n)
{
	struct spent together, turn = { 0, 0 };

	for (guint i = 0; i < n; i++) {
		struct spent one = analyze(abrig, &files[i], 1);

		turn.wall_s += one.wall_s;
		turn.cpu_s += one.cpu_s;
	}
	together = analyze(abrig, files, n);
	g_print("%u files: one after another %.2f s (%.2f s CPU), in one "
		"command %.2f s (%.2f s CPU): %.2f times as fast\n",
		n, turn.wall_s, turn.cpu_s, together.wall_s, together.cpu_s,
		turn.wall_s / together.wall_s);
}

static void measure_program(const char *abrig, const struct subject *s)
{
	char *files[MAX_FILES];
	struct spent one;

	if (!g_file_test(abrig, G_FILE_TEST_IS_EXECUTABLE)) {
		g_print("\nno %s: the program is not measured\n", abrig);
		return;
	}
	one = analyze(abrig, &s->path, 1);
	g_print("\nabrig analyze, %s, %.1f MB: %.2f s, %.2f s CPU; "
		"%u CPUs\n",
		mix_names[s->mix], (double)s->size / MEGABYTE, one.wall_s,
		one.cpu_s, g_get_num_processors());
	for (guint i = 0; i < MAX_FILES; i++) {
		files[i] = g_strdup_printf("%s-%u", s->path, i);
		if (link(s->path, files[i]))
			g_error("%s: %m", files[i]);
	}
	for (guint n = 2; n <= MAX_FILES; n *= 2)
		compare_files(abrig, files, n);
	for (guint i = 0; i < MAX_FILES; i++) {
		g_unlink(files[i]);
		g_free(files[i]);
	}
}

/* ---- all of it ---- */

static void measure_mix(enum gen_mix mix, const char *dir, const char *abrig,
			const int *sizes_mb, guint n)
{
	struct subject subjects[MAX_SIZES] = { { .mix = mix } };

	g_print("%-8s%8s%9s%9s%8s%8s%9s%7s%9s%8s\n", "mix", "MB", "M event",
		"M value", "floor", "engine", "Mevent/s", "ratio", "private",
		"x size");
	for (guint i = 0; i < n; i++) {
		subjects[i].mix = mix;
		measure(&subjects[i], dir, sizes_mb[i]);
	}
	if (n > 1)
		print_growth(&subjects[0], &subjects[n - 1]);
	measure_program(abrig, &subjects[MIN(n - 1, 1)]);
	g_print("\n");
	for (guint i = 0; i < n; i++) {
		g_unlink(subjects[i].path);
		g_free(subjects[i].path);
	}
}

int main(int argc, char **argv)
{
	int sizes_mb[MAX_SIZES] = { 10, 100 };
	guint n = argc > 1 ? (guint)MIN(argc - 1, MAX_SIZES) : 2;
	g_autofree char *bin = g_path_get_dirname(argv[0]);
	g_autofree char *abrig = g_build_filename(bin, "..", "abrig", NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *dir = NULL;

	if (argc == 3 && g_str_equal(argv[1], MEMORY_OF)) {
		print_private_mb(argv[2]);
		return 0;
	}
	dir = g_dir_make_tmp("abrig-bench.XXXXXX", &error);
	if (!dir)
		g_error("%s", error->message);
	for (guint i = 0; argc > 1 && i < n; i++)
		sizes_mb[i] = MAX(atoi(argv[1 + i]), 1);
	g_print("floor and engine in MB per second of CPU time, private memory "
		"in MB\n\n");
	for (int mix = GEN_COMPACT; mix <= GEN_FULL; mix++)
		measure_mix((enum gen_mix)mix, dir, abrig, sizes_mb, n);
	g_rmdir(dir);
	return 0;
}

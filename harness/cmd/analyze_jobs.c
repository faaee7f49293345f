// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Many traces at once, each in a process of its own with limits; the reports
 * in the order of the arguments.
 */
#include "analyze.h"
#include "cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The limits of one trace; abrig-analyze(1) names them. */
#define MEMORY_BASE ((guint64)2 << 30)
#define MEMORY_PER_BYTE 4
#define CPU_BASE_S 60
#define CPU_BYTES_PER_S 1000000
#define WALL_PER_CPU 10

#define MB 1e6
#define GB 1e9
#define PROGRESS_AFTER_US G_USEC_PER_SEC
#define PROGRESS_EVERY_US (G_USEC_PER_SEC / 5)

struct state {
	const struct analyze *a;
	guint64 *sizes;
	/* Bytes, per file, in memory that all jobs share; NULL: no progress
	 * is shown. */
	guint64 *read;
	guint64 all_bytes;
	bool printed; /* something, so that the next comes behind "between" */
	int status;
	gint64 began, shown; /* monotonic, us */
};

static guint64 size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (guint64)st.st_size
							   : 0;
}

static void limits(void *user, guint i, struct ab_job_limits *limits_out)
{
	guint64 size = ((const struct state *)user)->sizes[i];
	guint64 cpu_s = CPU_BASE_S + size / CPU_BYTES_PER_S;

	*limits_out = (struct ab_job_limits){
		.memory_bytes = MEMORY_BASE + MEMORY_PER_BYTE * size,
		.cpu_s = cpu_s,
		.wall_s = cpu_s * WALL_PER_CPU,
	};
}

/* A failed job has no more to read either. */
static void set_read(struct state *s, guint i)
{
	if (s->read)
		__atomic_store_n(&s->read[i], s->sizes[i], __ATOMIC_RELAXED);
}

static int run(void *user, guint i, int out)
{
	struct state *s = user;
	int status = analyze_file(s->a, i, s->read ? &s->read[i] : NULL, out);

	set_read(s, i);
	return status;
}

static void erase(struct state *s)
{
	if (s->shown)
		fputs("\r\033[K", stderr);
	s->shown = 0;
}

/* A job writes its own number, and perhaps what a hostile trace made of it. */
static guint64 all_read(const struct state *s)
{
	guint64 sum = 0, n;
	guint i;

	for (i = 0; i < s->a->n_files; i++) {
		n = __atomic_load_n(&s->read[i], __ATOMIC_RELAXED);
		sum += MIN(n, s->sizes[i]);
	}
	return sum;
}

static void tick(void *user, guint ended)
{
	struct state *s = user;
	gint64 now = g_get_monotonic_time();
	bool gb = s->all_bytes >= GB;
	double unit = gb ? GB : MB;
	int digits = gb ? 2 : 1;

	if (!s->read || now - s->began < PROGRESS_AFTER_US ||
	    (now - s->shown < PROGRESS_EVERY_US && ended < s->a->n_files))
		return;
	s->shown = now;
	fprintf(stderr,
		"\r\033[K%u of %u traces, %.*f of %.*f %s, %" G_GINT64_FORMAT
		" s",
		ended, s->a->n_files, digits, (double)all_read(s) / unit,
		digits, (double)s->all_bytes / unit, gb ? "GB" : "MB",
		(now - s->began) / G_USEC_PER_SEC);
	fflush(stderr);
}

static void put_text(struct state *s, const char *text, size_t n)
{
	if (!n)
		return;
	if (s->printed)
		fputs(s->a->format->between, stdout);
	s->printed = true;
	fwrite(text, 1, n, stdout);
}

static bool put_output(struct state *s, int fd)
{
	char buf[65536];
	bool first = true;
	ssize_t n;

	for (;;) {
		n = read(fd, buf, sizeof(buf));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		if (first)
			put_text(s, buf, (size_t)n);
		else
			fwrite(buf, 1, (size_t)n, stdout);
		first = false;
	}
}

/* A write that failed before is remembered by the stream. */
static bool flush_output(void)
{
	return fflush(stdout) == 0 && !ferror(stdout);
}

/* What a decoder says may hold what a hostile trace put there. */
static void put_said(const char *said)
{
	const char *p;

	for (p = said; *p; p++)
		fputc(*p == '\n' || (guchar)*p >= 0x80 || g_ascii_isprint(*p)
			      ? *p
			      : '?',
		      stderr);
	if (p > said && p[-1] != '\n')
		fputc('\n', stderr);
}

/* The process ended without a word of its own; its report is made here. */
static void put_crash(struct state *s, guint i, const char *why)
{
	const char *file = s->a->files[i];
	g_autofree char *message =
		g_strdup_printf("%s: the decoder %s", file, why);
	const struct ab_trace_report failed = { .file = file,
						.error = message };
	g_autoptr(GString) text = g_string_new(NULL);

	s->a->format->write(&failed, text);
	put_text(s, text->str, text->len);
	s->status = MAX(s->status, 1);
	fprintf(stderr, "abrig: %s\n", message);
}

static bool done(void *user, guint i, const struct ab_job_end *end,
		 GError **error)
{
	struct state *s = user;
	g_autofree char *why = ab_job_why(end);
	bool ok = true;

	erase(s);
	set_read(s, i);
	if (why)
		put_crash(s, i, why);
	else
		ok = put_output(s, end->out);
	if (!ok || !flush_output()) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "cannot print the results: %s", g_strerror(errno));
		return false;
	}
	put_said(end->said);
	s->status = MAX(s->status, end->status);
	return true;
}

static int analyze_all(struct state *s)
{
	const struct analyze *a = s->a;
	const struct ab_jobs jobs = {
		.n = a->n_files,
		.parallel = a->parallel,
		.user = s,
		.limits = limits,
		.run = run,
		.done = done,
		.tick = tick,
	};
	GError *error = NULL;

	fputs(a->format->head, stdout);
	/* Else every job would have it in its own buffer. */
	fflush(stdout);
	if (!ab_jobs_run(&jobs, cmd_intr(), &error)) {
		erase(s);
		return cmd_fail(error);
	}
	fputs(a->format->tail, stdout);
	if (flush_output())
		return s->status;
	fprintf(stderr, "abrig: cannot print the results: %s\n",
		g_strerror(errno));
	return 3;
}

static void share_read(struct state *s)
{
	void *p =
		mmap(NULL, s->a->n_files * sizeof(*s->read),
		     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	s->read = p == MAP_FAILED ? NULL : p;
}

int analyze_files(const struct analyze *a)
{
	struct state s = { .a = a, .began = g_get_monotonic_time() };
	int status;
	guint i;

	s.sizes = g_new0(guint64, a->n_files);
	for (i = 0; i < a->n_files; i++) {
		s.sizes[i] = size_of(a->files[i]);
		s.all_bytes += s.sizes[i];
	}
	if (isatty(STDERR_FILENO))
		share_read(&s);
	status = analyze_all(&s);
	if (s.read)
		munmap(s.read, a->n_files * sizeof(*s.read));
	g_free(s.sizes);
	return status;
}

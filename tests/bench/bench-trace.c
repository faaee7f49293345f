// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How fast is the trace engine?  A long trace of a virtual phone is decoded
 * and analysed; beside it, over the same bytes, a loop that only finds where
 * every field of the kernel's events ends: less than that no decoder can do.
 */
#include <abrig/trace.h>

#include <glib/gstdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job.h"

#define SECONDS 320
#define ROUNDS 5

/* ---- the trace, made by another process: its memory is not measured ---- */

static void write_trace(const char *path, int seconds)
{
	struct vp_model *model = job_model("A", "base");
	struct job_spec spec = {
		.hw = job_hw("A"),
		.model = model,
		.phone_seed = 4711,
		.run_seed = 1,
		.boot_number = 1,
		.seconds = seconds,
		.begin_ns = 95 * VP_NSEC,
	};
	g_autoptr(GError) error = NULL;
	struct job job;

	job_init(&job, &spec);
	g_autoptr(GByteArray) pb = vp_trace_build(&job.rq);
	if (!g_file_set_contents(path, (const char *)pb->data, pb->len, &error))
		g_error("%s", error->message);
	job_clear(&job);
	vp_model_free(model);
}

static void make_trace(const char *path, int seconds)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		write_trace(path, seconds);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		g_error("no trace was made");
}

/* ---- the bare walk ---- */

static const guint8 *varint(const guint8 *p, const guint8 *end, guint64 *v)
{
	*v = 0;
	for (int shift = 0; p < end && shift < 64; shift += 7) {
		*v |= (guint64)(*p & 0x7f) << shift;
		if (*p++ < 0x80)
			return p;
	}
	return NULL;
}

/* What the bytes of a field are, by where they are in a trace. */
enum level { TRACE, PACKET, BUNDLE, EVENT, FIELDS, COMPACT, PACKED, OPAQUE };

static enum level below(enum level level, guint64 field)
{
	switch (level) {
	case TRACE:
		return PACKET;
	case PACKET:
		return field == 1 ? BUNDLE : OPAQUE;
	case BUNDLE:
		return field == 2 ? EVENT : field == 4 ? COMPACT : OPAQUE;
	case EVENT:
		return FIELDS;
	case COMPACT:
		/* Only the table of names holds no numbers. */
		return field == 5 ? OPAQUE : PACKED;
	default:
		return OPAQUE;
	}
}

static guint64 walk_packed(const guint8 *p, const guint8 *end)
{
	guint64 n = 0, v;

	while (p && p < end) {
		p = varint(p, end, &v);
		n++;
	}
	return n;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as enum level */
static guint64 walk(const guint8 *p, const guint8 *end, enum level level)
{
	guint64 n = 0, tag, v;

	if (level == OPAQUE)
		return 0;
	if (level == PACKED)
		return walk_packed(p, end);
	for (; p && p < end; n++) {
		p = varint(p, end, &tag);
		if (!p)
			break;
		switch (tag & 7) {
		case 0:
			p = varint(p, end, &v);
			break;
		case 1:
			p += 8;
			break;
		case 2:
			p = varint(p, end, &v);
			if (!p || v > (guint64)(end - p))
				return n;
			n += walk(p, p + v, below(level, tag >> 3));
			p += v;
			break;
		case 5:
			p += 4;
			break;
		default:
			return n;
		}
	}
	return n;
}

/* ---- the measurement ---- */

static double cpu_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static double peak_mb(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss * 1024 / 1e6;
}

static guint64 run_engine(const char *path)
{
	struct ab_trace_options options = { NULL };
	struct ab_run_data *data = ab_run_data_new();
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_trace) trace = ab_trace_open(path, &error);

	if (!trace)
		g_error("%s", error->message);
	ab_trace_analyze(trace, &options, data);
	ab_run_data_free(data);
	return ab_trace_quality(trace)->events;
}

/* The best of some rounds: what else the host does only adds. */
static double time_engine(const char *path, guint64 *events_out)
{
	double best = G_MAXDOUBLE;

	for (int i = 0; i < ROUNDS; i++) {
		double begin = cpu_s();
		*events_out = run_engine(path);
		best = MIN(best, cpu_s() - begin);
	}
	return best;
}

static double time_walk(const char *path, gsize *size_out, guint64 *fields_out)
{
	double best = G_MAXDOUBLE;
	g_autofree char *bytes = NULL;
	g_autoptr(GError) error = NULL;

	if (!g_file_get_contents(path, &bytes, size_out, &error))
		g_error("%s", error->message);
	for (int i = 0; i < ROUNDS; i++) {
		const guint8 *p = (const guint8 *)bytes;
		double begin = cpu_s();
		*fields_out = walk(p, p + *size_out, TRACE);
		best = MIN(best, cpu_s() - begin);
	}
	return best;
}

static void measure(const char *path)
{
	double before_mb = peak_mb(), engine, bare, engine_mb;
	guint64 events, fields;
	gsize size;

	engine = time_engine(path, &events);
	engine_mb = peak_mb() - before_mb;
	bare = time_walk(path, &size, &fields);
	double mb = (double)size / 1e6;
	g_print("trace:      %.1f MB, %.2f million events, %.1f million "
		"fields\n"
		"engine:     %.0f MB/s of CPU time, %.1f million events/s\n"
		"bare walk:  %.0f MB/s; the engine takes %.1f times as long\n"
		"memory:     %.0f MB at the peak, %.1f times the trace\n",
		mb, (double)events / 1e6, (double)fields / 1e6, mb / engine,
		(double)events / 1e6 / engine, mb / bare, engine / bare,
		engine_mb, engine_mb / mb);
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : SECONDS;
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("abrig-trace.XXXXXX", &path, &error);

	if (fd < 0)
		g_error("%s", error->message);
	close(fd);
	make_trace(path, MAX(seconds, 1));
	measure(path);
	g_unlink(path);
	return 0;
}

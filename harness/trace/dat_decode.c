// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <unistd.h>

#include <trace-cmd.h>

#include "dat.h"
#include "merge.h"
#include "window.h"

/* The library exports these, but its header does not show them. */
extern const char *tracecmd_get_cpustats(struct tracecmd_input *handle)
	__attribute__((weak));
extern const char *tracecmd_get_trace_clock(struct tracecmd_input *handle)
	__attribute__((weak));
extern const char *tracecmd_get_uname(struct tracecmd_input *handle)
	__attribute__((weak));
extern off64_t tracecmd_get_cpu_file_size(struct tracecmd_input *handle,
					  int cpu) __attribute__((weak));

/* So many records, and the parent is told of our life. */
#define ALIVE_RECORDS 16384

struct stream {
	int cpu;
	struct tep_record *record; /* the next */
	gint64 lost_before;	   /* of the first record */
	gint64 last_ns;		   /* of the record before; -1: none */
	guint64 begin, size;	   /* of its bytes, as libtracecmd counts */
};

struct decoder {
	struct tracecmd_input *input;
	struct dat_writer writer;
	struct dat_events *events;
	struct dat_info info;
	struct stream streams[AB_MAX_CPUS];
	guint n_streams;
	struct ab_merge merge;
	gint64 last_ns;
	bool marks; /* the first pass: nothing is said of the records */
};

/* A record that is not before its predecessor, or the end. */
static gint64 skip_damage(struct decoder *d, struct stream *s)
{
	while (s->record && (s->record->ts > AB_TS_MAX ||
			     (gint64)s->record->ts < s->last_ns)) {
		d->writer.damaged += !d->marks;
		tracecmd_free_record(s->record);
		s->record = tracecmd_read_data(d->input, s->cpu);
	}
	return s->record ? (gint64)s->record->ts : AB_MERGE_END;
}

static gint64 advance(struct decoder *d, struct stream *s)
{
	s->last_ns = (gint64)s->record->ts;
	tracecmd_free_record(s->record);
	s->record = tracecmd_read_data(d->input, s->cpu);
	return skip_damage(d, s);
}

/* 0: not known. */
static guint64 size_of(const struct decoder *d, int cpu)
{
	off64_t size = tracecmd_get_cpu_file_size
			       ? tracecmd_get_cpu_file_size(d->input, cpu)
			       : 0;

	return (guint64)MAX(size, 0);
}

static void open_streams(struct decoder *d)
{
	gint64 heads[AB_MAX_CPUS];
	int cpu;

	for (cpu = 0; cpu < AB_MAX_CPUS; cpu++) {
		struct stream *s = &d->streams[d->n_streams];

		s->cpu = cpu;
		s->last_ns = -1;
		s->record = tracecmd_read_cpu_first(d->input, cpu);
		heads[d->n_streams] = skip_damage(d, s);
		if (!s->record)
			continue;
		s->lost_before = s->record->missed_events;
		s->begin = s->record->offset;
		s->size = size_of(d, cpu);
		d->n_streams++;
	}
	ab_merge_init(&d->merge, heads, d->n_streams);
}

static bool open_input(struct decoder *d, int file, int out)
{
	dat_writer_init(&d->writer, out);
	if (lseek(file, 0, SEEK_SET))
		return false;
	/* It looks at errno without need. */
	errno = 0;
	d->input = tracecmd_open_fd(file, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!d->input)
		return false;
	d->events = dat_events_new(tracecmd_get_tep(d->input), &d->writer);
	open_streams(d);
	return true;
}

static bool finish(struct decoder *d)
{
	const struct ab_bytes none = { NULL, 0 };

	/* Nothing is read behind the last record. */
	dat_writer_flush(&d->writer);
	dat_write(&d->writer, DAT_DONE, NULL, 0, none);
	return dat_writer_flush(&d->writer);
}

static void tell_info(struct decoder *d)
{
	const struct ab_bytes none = { NULL, 0 };

	dat_write(&d->writer, DAT_INFO, &d->info, sizeof(d->info), none);
	dat_writer_flush(&d->writer);
}

static bool tell_alive(struct decoder *d)
{
	const struct ab_bytes none = { NULL, 0 };
	struct dat_share share = { 0, 0 };
	guint i;

	for (i = 0; i < d->n_streams; i++) {
		const struct stream *s = &d->streams[i];

		share.total += s->size;
		share.done +=
			s->record ? s->record->offset - s->begin : s->size;
	}
	dat_write(&d->writer, DAT_ALIVE, &share, sizeof(share), none);
	return dat_writer_flush(&d->writer);
}

/* What was overwritten before a CPU's first record is no loss in the trace. */
static guint64 before_first(const struct decoder *d, guint64 cpu,
			    guint64 overrun)
{
	guint i;

	for (i = 0; i < d->n_streams; i++) {
		gint64 n = d->streams[i].lost_before;

		if ((guint64)d->streams[i].cpu == cpu)
			return n < 0 ? overrun : MIN((guint64)n, overrun);
	}
	return 0;
}

/* "CPU: 0\nentries: 0\noverrun: 12\ncommit overrun: 0\n..." for each CPU. */
static guint64 read_overrun(const struct decoder *d, const char *stats)
{
	g_auto(GStrv) lines = g_strsplit(stats, "\n", -1);
	guint64 cpu = AB_MAX_CPUS, sum = 0, n;
	char **line;

	for (line = lines; *line; line++) {
		const char *value = strstr(*line, ": ");

		n = value ? g_ascii_strtoull(value + 2, NULL, 10) : 0;
		if (g_str_has_prefix(*line, "CPU:"))
			cpu = n;
		else if (g_str_has_prefix(*line, "overrun:"))
			sum += n - before_first(d, cpu, n);
		else if (g_str_has_prefix(*line, "commit overrun:") ||
			 g_str_has_prefix(*line, "dropped events:"))
			sum += n;
	}
	return sum;
}

static bool clock_counts_ns(const char *clock)
{
	static const char *const other[] = { "counter", "x86-tsc", "ppc-tb",
					     "arm-cntvct", NULL };

	return !clock || !g_strv_contains(other, clock);
}

static void read_info(struct decoder *d)
{
	const char *stats =
		tracecmd_get_cpustats ? tracecmd_get_cpustats(d->input) : NULL;
	const char *clock = tracecmd_get_trace_clock
				    ? tracecmd_get_trace_clock(d->input)
				    : NULL;
	const char *uname =
		tracecmd_get_uname ? tracecmd_get_uname(d->input) : NULL;
	int cpus = tep_get_cpus(tracecmd_get_tep(d->input));
	guint i;

	for (i = 0; i < d->n_streams; i++) {
		const struct stream *s = &d->streams[i];
		gint64 first = (gint64)s->record->ts;

		if (s->lost_before)
			d->info.crop_ns = MAX(d->info.crop_ns, first);
		d->info.first_ns = i ? MIN(d->info.first_ns, first) : first;
		cpus = MAX(cpus, s->cpu + 1);
	}
	d->info.cpus = (guint32)CLAMP(cpus, 0, AB_MAX_CPUS);
	d->info.instances =
		(guint32)MAX(tracecmd_buffer_instances(d->input), 0);
	d->info.clock_ns = clock_counts_ns(clock);
	d->info.overrun = stats ? read_overrun(d, stats) : 0;
	if (uname && *uname)
		dat_write(&d->writer, DAT_UNAME, NULL, 0,
			  (struct ab_bytes){ (const guint8 *)uname,
					     strnlen(uname, DAT_TEXT_SIZE) });
	tell_info(d);
}

static void mark(struct decoder *d, const struct stream *s)
{
	struct ab_event ev = { 0 };
	gint64 ts = (gint64)s->record->ts;
	struct ab_bytes text;
	bool is_waking;

	if (dat_event_kind(d->events, s->record, &is_waking) == AB_EV_PRINT &&
	    dat_event_decode(d->events, s->record, &ev, &text) &&
	    ab_window_may_mark(text))
		dat_write(&d->writer, DAT_MARK, &ts, sizeof(ts), text);
	if (is_waking && !d->info.has_waking) {
		d->info.has_waking = true;
		tell_info(d);
	}
}

/* Where records are missing in the middle of a CPU's. */
static void tell_lost(struct decoder *d, const struct stream *s)
{
	const struct ab_bytes none = { NULL, 0 };
	struct dat_lost lost = {
		.begin_ns = s->last_ns,
		.end_ns = (gint64)s->record->ts,
		.cpu = (guint64)s->cpu,
	};

	dat_write(&d->writer, DAT_LOST, &lost, sizeof(lost), none);
}

static void event(struct decoder *d, const struct stream *s)
{
	struct ab_event ev = {
		.ts = (gint64)s->record->ts,
		.cpu = (guint16)s->cpu,
		.flags = (gint64)s->record->ts < d->info.crop_ns
				 ? AB_EVENT_CROPPED
				 : 0,
	};
	struct ab_bytes text;
	bool is_waking;

	d->last_ns = ev.ts;
	if (s->record->missed_events && s->last_ns >= 0)
		tell_lost(d, s);
	if (!dat_event_decode(d->events, s->record, &ev, &text)) {
		d->writer.damaged++;
		return;
	}
	if (ev.kind == AB_EV_WAKING && d->info.has_waking) {
		dat_event_kind(d->events, s->record, &is_waking);
		ev.kind = is_waking ? AB_EV_WAKING : AB_EV_OTHER;
	}
	dat_write(&d->writer, DAT_EVENT, &ev, sizeof(ev), text);
}

/* All records in the order of time. */
static bool each(struct decoder *d,
		 void (*take)(struct decoder *, const struct stream *))
{
	guint32 at = d->n_streams ? ab_merge_first(&d->merge) : 0;
	guint64 n = 0;

	while (d->n_streams && d->streams[at].record) {
		struct stream *s = &d->streams[at];

		take(d, s);
		at = ab_merge_advance(&d->merge, at, advance(d, s));
		if (++n % ALIVE_RECORDS == 0 && !tell_alive(d))
			return false;
	}
	return true;
}

bool dat_decode_marks(int file, int out, const struct dat_info *info)
{
	struct decoder *d = g_new0(struct decoder, 1);

	(void)info;
	d->marks = true;
	if (!open_input(d, file, out))
		return false;
	read_info(d);
	return each(d, mark) && finish(d);
}

bool dat_decode_events(int file, int out, const struct dat_info *info)
{
	struct decoder *d = g_new0(struct decoder, 1);

	d->info = *info;
	if (!open_input(d, file, out) || !each(d, event))
		return false;
	dat_events_names(d->events, d->last_ns);
	return finish(d);
}

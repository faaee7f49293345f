// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include "dat.h"

struct ab_source {
	struct ab_trace *trace;
	gsize size;
	int file;
	bool damaged; /* the file is cut, or the marks are not all known */
	struct dat_reader reader;
	struct dat_child child;
};

static const char magic[] = "\x17\x08\x44"
			    "tracing";

static bool recognise(struct ab_bytes bytes)
{
	const gsize n = sizeof(magic) - 1;

	return bytes.n > n && !memcmp(bytes.p, magic, n);
}

/* More from the child; false when there is no more. */
static bool refill(struct ab_source *src)
{
	gsize room, n;
	guint8 *to = dat_reader_room(&src->reader, &room);

	if (src->reader.done || src->reader.bad)
		return false;
	n = dat_child_read(&src->child, to, room);
	src->reader.n += n;
	return n > 0;
}

static bool start(struct ab_source *src, dat_child_body *body)
{
	return dat_child_start(&src->child, src->file, src->size, body,
			       &src->reader.info);
}

/* The first pass; false when the file cannot be opened. */
static bool read_marks(struct ab_source *src)
{
	struct dat_reader *r = &src->reader;
	struct ab_event ev;

	if (!start(src, dat_decode_marks))
		return false;
	do
		r->bad = r->bad || dat_reader_events(r, &ev, 1);
	while (refill(src));
	dat_child_finish(&src->child);
	return r->has_info;
}

/* What the second child says is counted from zero. */
static void begin_events(struct ab_source *src)
{
	struct dat_reader *r = &src->reader;
	struct dat_info info = r->info;

	src->damaged = src->damaged || !r->done || r->bad;
	dat_reader_clear(r);
	dat_reader_init(r, src->trace);
	r->info = info;
	if (!start(src, dat_decode_events))
		r->bad = true;
}

static void note_facts(struct ab_source *src, struct ab_bytes bytes)
{
	const struct dat_info *info = &src->reader.info;
	struct ab_trace *trace = src->trace;
	struct ab_lost all = { G_MININT64, G_MAXINT64, -1,
			       "the trace clock does not count nanoseconds" };

	trace->facts.format = bytes.p[sizeof(magic) - 1] == '7'
				      ? "trace-cmd v7"
				      : "trace-cmd v6";
	trace->facts.cpus = (int)info->cpus;
	trace->generations = true; /* its addresses are the kernel's */
	trace->crop_ns = info->crop_ns;
	trace->quality.overrun = info->overrun;
	trace->quality.buffers_ignored = info->instances;
	ab_trace_extend(trace, info->first_ns);
	if (info->clock_ns)
		return;
	trace->quality.clock_failures++;
	g_array_append_val(trace->lost_events, all);
}

static void source_free(struct ab_source *src)
{
	dat_child_finish(&src->child);
	dat_reader_clear(&src->reader);
	if (src->file >= 0)
		close(src->file);
	g_free(src);
}

static struct ab_source *source_open(struct ab_trace *trace,
				     struct ab_bytes bytes)
{
	struct ab_source *src = g_new0(struct ab_source, 1);

	src->trace = trace;
	src->size = bytes.n;
	dat_reader_init(&src->reader, trace);
	src->file = dat_file_new(bytes);
	if (src->file >= 0 && !read_marks(src)) {
		src->damaged = true;
		dat_reader_clear(&src->reader);
		dat_reader_init(&src->reader, trace);
		if (dat_file_mend(src->file, bytes))
			read_marks(src);
	}
	if (!src->reader.has_info) {
		source_free(src);
		return NULL;
	}
	note_facts(src, bytes);
	begin_events(src);
	return src;
}

static guint next(struct ab_source *src, struct ab_batch *batch, guint max)
{
	guint n;

	do
		n = dat_reader_events(&src->reader, batch->room, max);
	while (!n && refill(src));
	return n;
}

static void source_close(struct ab_source *src)
{
	const struct dat_reader *r = &src->reader;

	if (src->damaged || r->bad || !r->done) {
		src->trace->quality.damaged_packets++;
		src->trace->end_missing = true;
	}
	source_free(src);
}

const struct ab_source_ops ab_source_dat = {
	.name = "trace-cmd",
	.open_share = 0.5,
	.recognise = recognise,
	.open = source_open,
	.next = next,
	.close = source_close,
};

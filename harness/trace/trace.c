// SPDX-License-Identifier: GPL-3.0-or-later
#include "table.h"

#include <abrig/error.h>

#include "engine.h"
#include "inflate.h"

#define ARRAY(type) g_array_new(FALSE, FALSE, sizeof(type))

/* Every format, in the order in which they are tried. */
static const struct ab_source_ops *const sources[] = {
	&ab_source_perfetto,
};

struct ab_trace *ab_trace_new(void)
{
	struct ab_trace *trace = g_new0(struct ab_trace, 1);

	trace->strings = g_string_chunk_new(4096);
	trace->threads = ab_threads_new();
	trace->processes = g_hash_table_new(NULL, NULL);
	trace->work = ARRAY(struct ab_work_item);
	trace->sleeps = ARRAY(struct ab_sleep);
	trace->frames = ARRAY(struct ab_frame);
	trace->rails = ARRAY(struct ab_rail);
	trace->rail_samples = ARRAY(struct ab_rail_sample);
	trace->lost_events = ARRAY(struct ab_lost);
	trace->lost_frames = ARRAY(struct ab_lost);
	trace->quality.unknown_events = g_ptr_array_new_with_free_func(g_free);
	trace->first_ns = G_MAXINT64;
	trace->last_ns = G_MININT64;
	trace->marker_begin_ns = trace->marker_end_ns = -1;
	return trace;
}

void ab_trace_free(struct ab_trace *trace)
{
	if (!trace)
		return;
	g_string_chunk_free(trace->strings);
	ab_threads_free(trace->threads);
	g_hash_table_unref(trace->processes);
	g_array_unref(trace->work);
	g_array_unref(trace->sleeps);
	g_array_unref(trace->frames);
	g_array_unref(trace->rails);
	g_array_unref(trace->rail_samples);
	g_array_unref(trace->lost_events);
	g_array_unref(trace->lost_frames);
	g_ptr_array_unref(trace->quality.unknown_events);
	g_free(trace);
}

const struct ab_trace_quality *ab_trace_quality(const struct ab_trace *trace)
{
	return &trace->quality;
}

const struct ab_trace_facts *ab_trace_facts(const struct ab_trace *trace)
{
	return &trace->facts;
}

const char *ab_trace_intern(struct ab_trace *trace, struct ab_bytes bytes)
{
	g_autofree char *text = g_strndup((const char *)bytes.p, bytes.n);

	if (!g_utf8_validate(text, -1, NULL)) {
		g_autofree char *valid = g_utf8_make_valid(text, -1);

		return g_string_chunk_insert_const(trace->strings, valid);
	}
	return g_string_chunk_insert_const(trace->strings, text);
}

bool ab_symbol_is(const char *symbol, const char *name)
{
	gsize n = strlen(name);

	return symbol && !strncmp(symbol, name, n) &&
	       (!symbol[n] || symbol[n] == '.' || symbol[n] == '+');
}

static const struct ab_source_ops *recognise(struct ab_bytes bytes)
{
	guint i;

	for (i = 0; i < G_N_ELEMENTS(sources); i++)
		if (sources[i]->recognise(bytes))
			return sources[i];
	return NULL;
}

static bool is_gzip(struct ab_bytes bytes)
{
	return bytes.n > 2 && bytes.p[0] == 0x1f && bytes.p[1] == 0x8b;
}

static bool read_plain(struct ab_trace *trace, struct ab_bytes bytes,
		       const struct ab_sched_watch *watch, GError **error)
{
	const struct ab_source_ops *ops = recognise(bytes);
	struct ab_source *source = ops ? ops->open(trace, bytes) : NULL;

	if (!source) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    bytes.n ? "not a trace of a known format"
				    : "the trace is empty");
		return false;
	}
	ab_engine_run(trace, ops, source, watch);
	return true;
}

bool ab_trace_read(struct ab_trace *trace, struct ab_bytes bytes,
		   const struct ab_sched_watch *watch, GError **error)
{
	g_autoptr(GByteArray) inflated = NULL;
	gsize budget = bytes.n * AB_INFLATE_RATIO + AB_INFLATE_FLOOR;
	bool cut = false;

	if (!is_gzip(bytes))
		return read_plain(trace, bytes, watch, error);
	inflated = ab_inflate(bytes, &budget, &cut);
	if (!inflated) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "the gzip data is damaged, or inflates to more "
			    "than %d times its size",
			    AB_INFLATE_RATIO);
		return false;
	}
	if (cut)
		trace->end_missing = true;
	return read_plain(trace,
			  (struct ab_bytes){ inflated->data, inflated->len },
			  watch, error);
}

struct ab_trace *ab_trace_open_bytes(const guint8 *data, gsize size,
				     GError **error)
{
	struct ab_trace *trace = ab_trace_new();
	struct ab_bytes bytes = { data, size };

	if (ab_trace_read(trace, bytes, NULL, error))
		return trace;
	ab_trace_free(trace);
	return NULL;
}

struct ab_trace *ab_trace_open(const char *path, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, &why);
	struct ab_trace *trace;

	if (!map) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s; check the name and who may read it",
			    why->message);
		return NULL;
	}
	trace = ab_trace_open_bytes(
		(const guint8 *)g_mapped_file_get_contents(map),
		g_mapped_file_get_length(map), error);
	if (!trace)
		g_prefix_error(error, "%s: ", path);
	return trace;
}

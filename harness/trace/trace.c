// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace.h"

#include <abrig/error.h>

#include "analyze.h"
#include "engine.h"
#include "quality.h"
#include "unpack.h"
#include "window.h"

#define ARRAY(type) g_array_new(FALSE, FALSE, sizeof(type))

/* Every format, in the order in which they are tried. */
static const struct ab_source_ops *const sources[] = {
	&ab_source_perfetto,
	&ab_source_dat,
	&ab_source_text,
};

/* Unpacking, as a part of all that is to be done with what is packed. */
#define UNPACK_SHARE 0.5

/* More different texts are a hostile trace's: they all become "". */
#define MAX_TEXTS (1024 * 1024)

/* Takes @text. */
static guint32 add_text(struct ab_trace *trace, char *text)
{
	guint32 id = trace->texts->len;

	if (id >= MAX_TEXTS) {
		trace->quality.damaged_events++;
		g_free(text);
		return 0;
	}
	g_ptr_array_add(trace->texts, text);
	g_hash_table_insert(trace->text_ids, text, GUINT_TO_POINTER(id));
	return id;
}

static guint32 intern_valid(struct ab_trace *trace, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	gpointer id = g_hash_table_lookup(trace->text_ids, valid);

	return id ? GPOINTER_TO_UINT(id)
		  : add_text(trace, g_steal_pointer(&valid));
}

struct ab_trace *ab_trace_new(void)
{
	struct ab_trace *trace = g_new0(struct ab_trace, 1);

	trace->text_ids =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	trace->texts = g_ptr_array_new();
	add_text(trace, g_strdup(""));
	trace->threads = ab_threads_new();
	trace->processes = g_hash_table_new(NULL, NULL);
	trace->marks = ab_window_marks_new();
	trace->frames = ARRAY(struct ab_frame);
	trace->rails = ARRAY(struct ab_rail);
	trace->rail_samples = ARRAY(struct ab_rail_sample);
	trace->battery = ARRAY(struct ab_battery_sample);
	trace->cpu_info = ARRAY(struct ab_cpu_info);
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
	guint i;

	if (!trace)
		return;
	for (i = 0; i < AB_ANALYSES; i++)
		if (trace->states[i])
			ab_analyses[i]->end(trace->states[i]);
	g_hash_table_unref(trace->text_ids);
	g_ptr_array_unref(trace->texts);
	ab_threads_free(trace->threads);
	g_hash_table_unref(trace->processes);
	g_array_unref(trace->marks);
	g_array_unref(trace->frames);
	g_array_unref(trace->rails);
	g_array_unref(trace->rail_samples);
	g_array_unref(trace->battery);
	g_array_unref(trace->cpu_info);
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

static guint32 find_text(struct ab_trace *trace, struct ab_bytes bytes)
{
	char small[64];
	g_autofree char *large = NULL;
	char *text = small;
	gpointer id;

	if (bytes.n < sizeof(small)) {
		memcpy(small, bytes.p, bytes.n);
		small[bytes.n] = '\0';
	} else {
		large = g_strndup((const char *)bytes.p, bytes.n);
		text = large;
	}
	if (!*text)
		return 0;
	id = g_hash_table_lookup(trace->text_ids, text);
	if (id)
		return GPOINTER_TO_UINT(id);
	if (g_utf8_validate(text, -1, NULL))
		return add_text(trace, g_strdup(text));
	return intern_valid(trace, text);
}

/* Words that differ when texts of the same length do; @n from 1 to 16. */
static void text_words(const guint8 *p, gsize n, guint64 *word)
{
	guint32 first, last;

	if (n >= 8) {
		memcpy(&word[0], p, 8);
		memcpy(&word[1], p + n - 8, 8);
		return;
	}
	if (n >= 4) {
		memcpy(&first, p, 4);
		memcpy(&last, p + n - 4, 4);
	} else {
		first = p[0] | (guint32)p[n / 2] << 8;
		last = p[n - 1];
	}
	word[0] = first;
	word[1] = last;
}

/*
 * Every bundle names its threads again, every event its workqueue: the latest
 * short texts are found without the hash table.
 */
guint32 ab_trace_intern(struct ab_trace *trace, struct ab_bytes bytes)
{
	struct ab_recent_text *recent;
	gsize n = bytes.n;
	guint64 word[2];

	if (!n)
		return 0;
	if (n > sizeof(word))
		return find_text(trace, bytes);
	text_words(bytes.p, n, word);
	recent = &trace->recent[((word[0] ^ word[1] * 31 ^ n) *
				 G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)) >>
				(64 - AB_RECENT_TEXT_BITS)];
	if (recent->word[0] != word[0] || recent->word[1] != word[1] ||
	    recent->n != n) {
		memcpy(recent->word, word, sizeof(word));
		recent->n = (guint32)n;
		recent->text = find_text(trace, bytes);
	}
	return recent->text;
}

guint32 ab_trace_comm(struct ab_trace *trace, struct ab_bytes bytes)
{
	bytes.n = MIN(bytes.n, AB_COMM_SIZE - 1);
	return ab_trace_intern(trace, bytes);
}

/* The finaliser of MurmurHash3 (Appleby), of which this is the 64-bit one. */
guint ab_key_hash(gconstpointer key)
{
	guint64 h = *(const guint64 *)key;

	h = (h ^ h >> 33) * G_GUINT64_CONSTANT(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * G_GUINT64_CONSTANT(0xc4ceb9fe1a85ec53);
	return (guint)(h ^ h >> 33);
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

/* Unpack the whole file, if it is packed: *@bytes then lie in *@spool. */
static bool unpack_file(struct ab_trace *trace, struct ab_bytes *bytes,
			gsize ceiling, struct ab_spool **spool, GError **error)
{
	enum ab_packing packing = ab_packing_of(*bytes);

	if (packing == AB_PACKING_NONE)
		return true;
	*spool = ab_spool_new(ceiling, AB_SPOOL_MEMORY);
	ab_reading_stage(&trace->reading, UNPACK_SHARE);
	switch (ab_unpack(packing, *bytes, *spool, &trace->reading, error)) {
	case AB_UNPACKED_NOT:
		return false;
	case AB_UNPACKED_DAMAGED:
		ab_quality_damaged(trace);
		break;
	case AB_UNPACKED_CUT:
		trace->end_missing = true;
		break;
	case AB_UNPACKED_WHOLE:
		break;
	}
	return ab_spool_bytes(*spool, 0, bytes, error);
}

/* The same of what the format itself packs. */
static bool unpack_parts(struct ab_trace *trace,
			 const struct ab_source_ops *ops,
			 struct ab_bytes *bytes, gsize ceiling,
			 struct ab_spool **spool, GError **error)
{
	if (!ops || !ops->unpack)
		return true;
	*spool = ab_spool_new(ceiling, AB_SPOOL_MEMORY);
	ab_reading_stage(&trace->reading, UNPACK_SHARE);
	return ops->unpack(trace, *bytes, *spool, error) &&
	       (!ab_spool_size(*spool) ||
		ab_spool_bytes(*spool, 0, bytes, error));
}

static bool read_plain(struct ab_trace *trace, const struct ab_source_ops *ops,
		       struct ab_bytes bytes,
		       const struct ab_trace_window *window,
		       const struct ab_sched_watch *watch, GError **error)
{
	struct ab_source *source;

	trace->watched = trace->prios = watch != NULL;
	trace->size = bytes.n;
	if (ops)
		ab_reading_stage(&trace->reading, ops->open_share);
	source = ops ? ops->open(trace, bytes) : NULL;
	if (!source) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    bytes.n ? "not a trace of a known format"
				    : "the trace is empty");
		return false;
	}
	if (!trace->facts.format)
		trace->facts.format = ops->name;
	ab_trace_window_begin(trace, window);
	ab_reading_stage(&trace->reading, 1);
	ab_engine_run(trace, ops, source, watch);
	ab_reading_end(&trace->reading);
	return true;
}

bool ab_trace_read(struct ab_trace *trace, struct ab_bytes bytes,
		   const struct ab_trace_window *window,
		   const struct ab_sched_watch *watch, GError **error)
{
	ab_autoptr(ab_spool) file = NULL;
	ab_autoptr(ab_spool) parts = NULL;
	gsize ceiling = ab_unpack_ceiling(bytes.n);
	const struct ab_source_ops *ops;

	trace->reading.size = bytes.n;
	if (!unpack_file(trace, &bytes, ceiling, &file, error))
		return false;
	if (file)
		ceiling -= ab_spool_size(file);
	ops = recognise(bytes);
	return unpack_parts(trace, ops, &bytes, ceiling, &parts, error) &&
	       read_plain(trace, ops, bytes, window, watch, error);
}

static struct ab_trace *open_bytes(struct ab_bytes bytes,
				   const struct ab_trace_window *window,
				   const struct ab_trace_progress *progress,
				   GError **error)
{
	struct ab_trace *trace = ab_trace_new();

	trace->reading.progress = progress;
	if (ab_trace_read(trace, bytes, window, NULL, error))
		return trace;
	ab_trace_free(trace);
	return NULL;
}

struct ab_trace *ab_trace_open_bytes(const guint8 *data, gsize size,
				     const struct ab_trace_window *window,
				     GError **error)
{
	struct ab_bytes bytes = { data, size };

	return open_bytes(bytes, window, NULL, error);
}

struct ab_trace *ab_trace_open(const char *path,
			       const struct ab_trace_window *window,
			       const struct ab_trace_progress *progress,
			       GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, &why);
	struct ab_trace *trace;
	struct ab_bytes bytes;

	if (!map) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s; check the name and who may read it",
			    why->message);
		return NULL;
	}
	bytes.p = (const guint8 *)g_mapped_file_get_contents(map);
	bytes.n = g_mapped_file_get_length(map);
	trace = open_bytes(bytes, window, progress, error);
	if (!trace)
		g_prefix_error(error, "%s: ", path);
	return trace;
}

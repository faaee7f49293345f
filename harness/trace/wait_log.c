// SPDX-License-Identifier: GPL-3.0-or-later
#include "wait_log.h"

#include "huge.h"

#include <math.h>
#include <stdlib.h>

/* Chunks come in blocks, each as large as a huge page. */
#define BLOCK (AB_HUGE_PAGE / sizeof(struct ab_wait_chunk))

void ab_wait_log_init(struct ab_wait_log *log, gsize trace_size)
{
	*log = (struct ab_wait_log){
		.trace_size = trace_size,
		.lists = g_array_new(FALSE, TRUE, sizeof(struct ab_wait_list)),
		.longs = g_array_new(FALSE, FALSE, sizeof(guint64)),
		.blocks = g_ptr_array_new_with_free_func(free),
	};
}

void ab_wait_log_clear(struct ab_wait_log *log)
{
	g_array_unref(log->lists);
	g_array_unref(log->longs);
	g_ptr_array_unref(log->blocks);
}

static struct ab_wait_chunk *new_block(const struct ab_wait_log *log)
{
	void *block;

	/* It may not fill one, and pages that are not reached cost nothing. */
	if (log->trace_size < AB_HUGE_FROM)
		return g_malloc(AB_HUGE_PAGE);
	block = aligned_alloc(AB_HUGE_PAGE, AB_HUGE_PAGE);
	if (!block)
		g_error("no memory for the log of waits");
	ab_huge_pages(block, AB_HUGE_PAGE, log->trace_size);
	return block;
}

static struct ab_wait_chunk *take_chunk(struct ab_wait_log *log)
{
	struct ab_wait_chunk *block;

	if (!log->blocks->len || log->block_chunks == BLOCK) {
		log->full = log->blocks->len >= AB_WAIT_CHUNKS_MAX / BLOCK;
		if (log->full)
			return NULL;
		block = new_block(log);
		g_ptr_array_add(log->blocks, block);
		log->block_chunks = 0;
	}
	block = log->blocks->pdata[log->blocks->len - 1];
	return &block[log->block_chunks++];
}

bool ab_wait_log_grow(struct ab_wait_log *log, guint32 owner)
{
	struct ab_wait_chunk *chunk = take_chunk(log);
	struct ab_wait_list *list;

	if (!chunk)
		return false;
	if (owner >= log->lists->len)
		g_array_set_size(log->lists, owner + 1);
	list = &g_array_index(log->lists, struct ab_wait_list, owner);
	chunk->owner = owner;
	list->chunk = chunk;
	list->n = 0;
	return true;
}

guint32 ab_wait_log_long(struct ab_wait_log *log, gint64 ns)
{
	guint64 length = MIN((guint64)ns, AB_WAIT_NS_MAX);

	/* Fewer than there are words. */
	g_array_append_val(log->longs, length);
	return AB_WAIT_LONG | (log->longs->len - 1);
}

static guint64 length_of(const struct ab_wait_log *log, guint32 word)
{
	if (G_LIKELY(word < AB_WAIT_LONG))
		return word;
	return g_array_index(log->longs, guint64, word & ~AB_WAIT_LONG);
}

/* The owner's last wait takes its place: their order says nothing. */
void ab_wait_log_give(struct ab_wait_log *log, struct ab_wait_at *at,
		      guint32 owner)
{
	struct ab_wait_list *list =
		&g_array_index(log->lists, struct ab_wait_list, at->owner);
	guint64 ns = length_of(log, *at->ns);

	if (owner == at->owner || !list->n)
		return;
	*at->ns = list->chunk->ns[--list->n];
	*at = ab_wait_log_add(log, owner, (gint64)ns);
}

/*
 * Exact percentiles without a sorted copy of the log: the waits of a set that
 * has many are counted in buckets, 64 to a power of two; then only those are
 * sorted that lie in the one or two buckets where the percentile is.
 */
#define MANY 4096
#define SUB_BITS 6
#define SUBS (1u << SUB_BITS)
#define BUCKETS ((AB_WAIT_NS_BITS - SUB_BITS + 1) * SUBS)

static inline guint bucket_of(guint64 ns)
{
	guint octave;

	if (ns < SUBS)
		return (guint)ns;
	octave = 63 - (guint)__builtin_clzll(ns) - SUB_BITS;
	return (octave + 1) * SUBS + (guint)(ns >> octave & (SUBS - 1));
}

struct set {
	GArray *waits;	   /* guint64: all, or those of the buckets below */
	guint32 *counts;   /* by bucket; NULL: they are not many */
	guint first, last; /* buckets that hold the percentile */
	guint64 before;	   /* waits in those below the first */
};

struct summing {
	const struct ab_wait_log *log;
	const guint32 *set_of;
	guint32 n_owners;
	struct set *sets;
	struct ab_waited *out;
};

typedef void (*wait_visitor)(struct summing *s, guint32 set, guint64 ns);

static inline void each_of_chunk(struct summing *s,
				 const struct ab_wait_chunk *chunk,
				 wait_visitor visit)
{
	const struct ab_wait_list *list = &g_array_index(
		s->log->lists, struct ab_wait_list, chunk->owner);
	guint n = chunk == list->chunk ? list->n : AB_WAIT_CHUNK;
	guint32 set = s->set_of[chunk->owner];

	for (guint i = 0; i < n; i++)
		visit(s, set, length_of(s->log, chunk->ns[i]));
}

/* In the order of the memory, not owner by owner: there is much of it. */
static inline void each_wait(struct summing *s, wait_visitor visit)
{
	const GPtrArray *blocks = s->log->blocks;

	for (guint i = 0; i < blocks->len; i++) {
		const struct ab_wait_chunk *block = blocks->pdata[i];
		guint n = i + 1 < blocks->len ? BLOCK : s->log->block_chunks;

		for (guint k = 0; k < n; k++)
			if (block[k].owner < s->n_owners)
				each_of_chunk(s, &block[k], visit);
	}
}

static void begin_counting(struct set *set)
{
	set->counts = g_new0(guint32, BUCKETS);
	for (guint i = 0; i < set->waits->len; i++)
		set->counts[bucket_of(g_array_index(set->waits, guint64, i))]++;
	g_array_set_size(set->waits, 0);
}

static inline void count(struct summing *s, guint32 index, guint64 ns)
{
	struct ab_waited *out = &s->out[index];
	struct set *set = &s->sets[index];

	out->n++;
	out->ns += ns;
	out->n_long += ns >= AB_WAIT_LONG_NS;
	if (set->counts) {
		set->counts[bucket_of(ns)]++;
		return;
	}
	if (!set->waits)
		set->waits = g_array_new(FALSE, FALSE, sizeof(guint64));
	g_array_append_val(set->waits, ns);
	if (set->waits->len == MANY)
		begin_counting(set);
}

static inline void collect(struct summing *s, guint32 index, guint64 ns)
{
	struct set *set = &s->sets[index];

	if (set->counts && bucket_of(ns) >= set->first &&
	    bucket_of(ns) <= set->last)
		g_array_append_val(set->waits, ns);
}

/* Between this rank and the next, from 0 (Hyndman and Fan's type 7). */
static double rank_of(guint64 n)
{
	return 0.99 * (double)(n - 1);
}

static void find_buckets(struct set *set, guint64 n)
{
	guint64 rank = (guint64)rank_of(n), next = MIN(rank + 1, n - 1);
	guint64 seen = 0;
	guint i;

	for (i = 0; seen <= next; i++) {
		if (seen <= rank) {
			set->first = i;
			set->before = seen;
		}
		seen += set->counts[i];
	}
	set->last = i - 1;
}

static int compare_ns(gconstpointer a, gconstpointer b)
{
	guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;

	return (x > y) - (x < y);
}

static double percentile(const struct set *set, guint64 n)
{
	guint64 rank = (guint64)rank_of(n), next = MIN(rank + 1, n - 1);
	double part = rank_of(n) - (double)rank, low, high;

	g_assert(set->waits);
	g_array_sort(set->waits, compare_ns);
	low = (double)g_array_index(set->waits, guint64, rank - set->before);
	high = (double)g_array_index(set->waits, guint64, next - set->before);
	return low + part * (high - low);
}

static void finish(struct set *set, struct ab_waited *out)
{
	if (!out->n)
		return;
	out->p99_ns = percentile(set, out->n);
	g_array_unref(set->waits);
	g_free(set->counts);
}

void ab_wait_log_sum(const struct ab_wait_log *log, const guint32 *set_of,
		     guint32 n_owners, guint n_sets, struct ab_waited *out)
{
	g_autofree struct set *sets = g_new0(struct set, n_sets + 1);
	struct summing s = { log, set_of, n_owners, sets, out };

	for (guint i = 0; i < n_sets; i++)
		out[i] = (struct ab_waited){ .p99_ns = NAN };
	each_wait(&s, count);
	for (guint i = 0; i < n_sets; i++)
		if (sets[i].counts)
			find_buckets(&sets[i], out[i].n);
	each_wait(&s, collect);
	for (guint i = 0; i < n_sets; i++)
		finish(&sets[i], &out[i]);
}

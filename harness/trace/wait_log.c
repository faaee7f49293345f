// SPDX-License-Identifier: GPL-3.0-or-later
#include "wait_log.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

#define BLOCK_BYTES (AB_WAIT_BLOCK * sizeof(guint64))

void ab_wait_log_init(struct ab_wait_log *log)
{
	*log = (struct ab_wait_log){
		.blocks = g_ptr_array_new_with_free_func(free),
	};
}

void ab_wait_log_clear(struct ab_wait_log *log)
{
	g_ptr_array_unref(log->blocks);
}

/*
 * Pages that are not reached cost nothing; those of a log that grows are
 * taken by the huge one where there are any.
 */
static guint64 *new_block(bool huge)
{
	guint64 *block = aligned_alloc(BLOCK_BYTES, BLOCK_BYTES);

	if (!block)
		g_error("no memory for the log of waits");
	if (huge)
		madvise(block, BLOCK_BYTES, MADV_HUGEPAGE);
	return block;
}

bool ab_wait_log_grow(struct ab_wait_log *log)
{
	log->full = log->blocks->len >= AB_WAIT_LOG_MAX / AB_WAIT_BLOCK;
	if (log->full)
		return false;
	log->next = new_block(log->blocks->len > 0);
	log->end = log->next + AB_WAIT_BLOCK;
	g_ptr_array_add(log->blocks, log->next);
	return true;
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

static inline void each_wait(struct summing *s, wait_visitor visit)
{
	const GPtrArray *blocks = s->log->blocks;

	for (guint i = 0; i < blocks->len; i++) {
		const guint64 *w = blocks->pdata[i];
		const guint64 *end =
			i + 1 < blocks->len ? w + AB_WAIT_BLOCK : s->log->next;

		for (; w < end; w++) {
			guint32 owner = ab_wait_owner(*w);

			if (owner < s->n_owners)
				visit(s, s->set_of[owner], ab_wait_ns(*w));
		}
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

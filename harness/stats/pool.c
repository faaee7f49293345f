// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Quantiles under weights without copying.  Whatever the weights, a quantile
 * of all samples together lies between the smallest and the largest of the
 * clusters' own: only samples between these are merged, the rest is counted.  A
 * table holds, for every STEP-th of them, how many samples of each cluster
 * come before it.  A weighted rank is then a search over the table and a scan
 * of at most STEP samples.
 */
#include "set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP 64
#define MARGIN 2 /* ranks, for what rounding does to a product */
#define HALVINGS 20

struct part {
	const double *samples; /* ascending */
	double *own;	       /* the same, if they had to be sorted */
	size_t n;
	guint32 cluster;
};

struct item {
	double value;
	guint32 cluster;
};

struct pool {
	GArray *parts; /* struct part: runs */
	size_t n_clusters;
	guint64 *total;	    /* samples of each cluster */
	struct item *items; /* the middle, ascending */
	size_t n_items;
	guint32 *before; /* [row][cluster], row = item / STEP */
	size_t n_rows;
};

static void part_clear(gpointer part)
{
	g_free(((struct part *)part)->own);
}

struct pool *pool_new(void)
{
	struct pool *pool = g_new0(struct pool, 1);

	pool->parts = g_array_new(FALSE, FALSE, sizeof(struct part));
	g_array_set_clear_func(pool->parts, part_clear);
	return pool;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	g_array_unref(pool->parts);
	g_free(pool->total);
	g_free(pool->items);
	g_free(pool->before);
	g_free(pool);
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool ascending(const double *x, size_t n)
{
	bool ok = n == 0 || (isfinite(x[0]) && isfinite(x[n - 1]));

	for (size_t i = 1; i < n; i++)
		ok &= x[i - 1] <= x[i];
	return ok;
}

void pool_add(struct pool *pool, const double *samples, size_t n,
	      size_t cluster)
{
	struct part part = { samples, NULL, n, (guint32)cluster };

	if (!ascending(samples, n)) {
		part.samples = part.own = g_new(double, n);
		part.n = 0;
		for (size_t i = 0; i < n; i++)
			if (isfinite(samples[i]))
				part.own[part.n++] = samples[i];
		qsort(part.own, part.n, sizeof(*part.own), compare_doubles);
	}
	if (part.n > 0)
		g_array_append_val(pool->parts, part);
	else
		part_clear(&part);
}

/* How many samples of @part are below @x, or not above it. */
static size_t part_rank(const struct part *part, double x, bool with)
{
	size_t low = 0, high = part->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		double y = part->samples[middle];

		if (y < x || (with && y == x))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Neighbouring parts of one cluster, and values between which it is cut. */
struct span {
	const struct part *parts;
	guint n;
	double size, lo, hi;
};

static double span_rank(const struct span *s, double x, bool with)
{
	size_t sum = 0;

	for (guint i = 0; i < s->n; i++)
		sum += part_rank(&s->parts[i], x, with);
	return (double)sum;
}

/* The parts from @at on; returns where the next cluster begins. */
static guint span_init(struct span *s, const struct pool *pool, guint at)
{
	const struct part *p = &g_array_index(pool->parts, struct part, at);
	guint end = at;

	*s = (struct span){ .parts = p, .lo = INFINITY, .hi = -INFINITY };
	for (; end < pool->parts->len && p->cluster == s->parts->cluster;
	     end++, p++) {
		s->lo = fmin(s->lo, p->samples[0]);
		s->hi = fmax(s->hi, p->samples[p->n - 1]);
		s->size += (double)p->n;
	}
	s->n = end - at;
	return end;
}

/*
 * Close to the largest value with no more than @most samples below it; or, with
 * those that equal it counted, to the smallest with more than @most.  What is
 * returned has that property, whatever the distance.
 */
static double span_cut(const struct span *s, double most, bool with)
{
	double lo = s->lo, hi = s->hi;

	for (int i = 0; i < HALVINGS; i++) {
		double middle = lo / 2 + hi / 2;

		if (span_rank(s, middle, with) <= most)
			lo = middle;
		else
			hi = middle;
	}
	return with ? hi : lo;
}

/*
 * The values between which all quantiles from @q_lo to @q_hi are: no cluster
 * has more than its share below the first, nor less than its share below the
 * last.
 */
static void find_middle(const struct pool *pool, double q_lo, double q_hi,
			double *lo_out, double *hi_out)
{
	guint at = 0;

	*lo_out = INFINITY;
	*hi_out = -INFINITY;
	while (at < pool->parts->len) {
		struct span s;
		double below, not_above;

		at = span_init(&s, pool, at);
		below = floor(q_lo * (s.size - 1)) - MARGIN;
		not_above = ceil(q_hi * s.size) + MARGIN;
		*lo_out = fmin(*lo_out, span_cut(&s, fmax(below, 0), false));
		*hi_out = fmax(*hi_out, span_cut(&s, not_above, true));
	}
}

static void merge(const struct item *from, size_t begin, size_t middle,
		  size_t end, struct item *to)
{
	size_t i = begin, j = middle;

	for (size_t k = begin; k < end; k++) {
		if (j >= end || (i < middle && from[i].value <= from[j].value))
			to[k] = from[i++];
		else
			to[k] = from[j++];
	}
}

/* Merge neighbours; @begins has one more element than there are parts. */
static void merge_all(struct pool *pool, size_t *begins, size_t n)
{
	struct item *from = pool->items,
		    *to = g_new(struct item, pool->n_items);

	for (; n > 1; n = (n + 1) / 2) {
		struct item *swap = from;

		for (size_t i = 0; i < n; i += 2) {
			size_t middle = begins[i + 1];
			size_t end = begins[MIN(i + 2, n)];

			merge(from, begins[i], middle, end, to);
			begins[i / 2] = begins[i];
		}
		begins[(n + 1) / 2] = pool->n_items;
		from = to;
		to = swap;
	}
	pool->items = from;
	g_free(to);
}

/* Take what is within [lo, hi]; returns what is below, by cluster. */
static guint32 *take_middle(struct pool *pool, double lo, double hi)
{
	guint32 *below = g_new0(guint32, pool->n_clusters);
	size_t n = pool->parts->len;
	g_autofree size_t *begins = g_new(size_t, n + 2);
	g_autofree size_t *first = g_new(size_t, n + 1);

	begins[0] = 0;
	for (size_t i = 0; i < n; i++) {
		const struct part *p =
			&g_array_index(pool->parts, struct part, i);

		first[i] = part_rank(p, lo, false);
		begins[i + 1] = begins[i] + part_rank(p, hi, true) - first[i];
		below[p->cluster] += (guint32)first[i];
		pool->total[p->cluster] += p->n;
	}
	pool->n_items = begins[n];
	pool->items = g_new(struct item, pool->n_items);
	for (size_t i = 0; i < n; i++) {
		const struct part *p =
			&g_array_index(pool->parts, struct part, i);
		const double *x = p->samples + first[i];

		for (size_t k = begins[i]; k < begins[i + 1]; k++)
			pool->items[k] = (struct item){ *x++, p->cluster };
	}
	merge_all(pool, begins, n);
	return below;
}

void pool_sort(struct pool *pool, size_t n_clusters, double q_lo, double q_hi)
{
	g_autofree guint32 *count = NULL;
	double lo, hi;

	pool->n_clusters = n_clusters;
	pool->total = g_new0(guint64, n_clusters);
	find_middle(pool, q_lo, q_hi, &lo, &hi);
	count = take_middle(pool, lo, hi);
	pool->n_rows = pool->n_items / STEP + 1;
	pool->before = g_new(guint32, pool->n_rows * n_clusters);
	for (size_t i = 0; i <= pool->n_items; i++) {
		if (i % STEP == 0)
			memcpy(pool->before + i / STEP * n_clusters, count,
			       n_clusters * sizeof(*count));
		if (i < pool->n_items)
			count[pool->items[i].cluster]++;
	}
}

guint64 pool_size(const struct pool *pool, const unsigned int *weights)
{
	guint64 sum = 0;

	for (size_t i = 0; i < pool->n_clusters; i++)
		sum += pool->total[i] * weights[i];
	return sum;
}

static guint64 weight_before(const struct pool *pool, size_t row,
			     const unsigned int *weights)
{
	const guint32 *before = pool->before + row * pool->n_clusters;
	guint64 sum = 0;

	for (size_t i = 0; i < pool->n_clusters; i++)
		sum += (guint64)before[i] * weights[i];
	return sum;
}

/* A row between @low and @high, where a straight line between both reaches. */
static size_t guess_row(size_t low, guint64 at_low, size_t high,
			guint64 at_high, guint64 rank)
{
	double share = (double)(rank - at_low) / (double)(at_high - at_low);
	size_t step = (size_t)(share * (double)(high - low));

	return low + CLAMP(step, 1, high - low - 1);
}

/* The last row with no more than @rank before it; *@sum_out gets how many. */
static size_t find_row(const struct pool *pool, const unsigned int *weights,
		       guint64 size, guint64 rank, guint64 *sum_out)
{
	size_t low = 0, high = pool->n_rows;
	guint64 at_low = weight_before(pool, 0, weights), at_high = size;

	/* Guess and halve in turn: fast if straight, never slow. */
	for (bool guess = true; high - low > 1; guess = !guess) {
		size_t row = guess ? guess_row(low, at_low, high, at_high, rank)
				   : low + (high - low) / 2;
		guint64 sum = weight_before(pool, row, weights);

		if (sum <= rank) {
			low = row;
			at_low = sum;
		} else {
			high = row;
			at_high = sum;
		}
	}
	*sum_out = at_low;
	return low;
}

double pool_quantile(const struct pool *pool, const unsigned int *weights,
		     double q)
{
	const struct item *items = pool->items;
	guint64 n = pool_size(pool, weights), sum, rank;
	double whole, frac, value;
	size_t i;

	if (n == 0)
		return NAN;
	frac = modf((double)(n - 1) * q, &whole);
	rank = (guint64)whole;
	i = find_row(pool, weights, n, rank, &sum) * STEP;
	while ((sum += weights[items[i].cluster]) <= rank)
		i++;
	value = items[i].value;
	if (frac > 0 && rank + 1 >= sum) {
		do
			i++;
		while (weights[items[i].cluster] == 0);
	}
	return value + frac * (items[i].value - value);
}

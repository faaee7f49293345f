// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Quantiles under weights without copying: samples are sorted once; a table
 * holds, for every STEP-th sample, how many samples of each cluster come
 * before it.  A weighted rank is then a binary search over the table and a
 * scan of at most STEP samples.
 */
#include "set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP 64

struct item {
	double value;
	guint32 cluster;
};

struct pool {
	GArray *items; /* struct item */
	GArray *parts; /* gsize: where each sorted part begins */
	size_t n_clusters;
	guint32 *before; /* [row][cluster], row = sample / STEP */
	size_t n_rows;
};

struct pool *pool_new(void)
{
	struct pool *pool = g_new0(struct pool, 1);

	pool->items = g_array_new(FALSE, FALSE, sizeof(struct item));
	pool->parts = g_array_new(FALSE, FALSE, sizeof(gsize));
	return pool;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	g_array_unref(pool->items);
	g_array_unref(pool->parts);
	g_free(pool->before);
	g_free(pool);
}

static int compare_items(const void *a, const void *b)
{
	double x = ((const struct item *)a)->value;
	double y = ((const struct item *)b)->value;

	return (x > y) - (x < y);
}

void pool_add(struct pool *pool, const double *samples, size_t n,
	      size_t cluster)
{
	gsize begin = pool->items->len;
	bool sorted = true;
	struct item *items;

	for (size_t i = 0; i < n; i++) {
		struct item item = { samples[i], (guint32)cluster };

		if (isfinite(samples[i]))
			g_array_append_val(pool->items, item);
	}
	items = (struct item *)(void *)pool->items->data;
	for (gsize i = begin + 1; i < pool->items->len; i++)
		sorted = sorted && items[i - 1].value <= items[i].value;
	if (!sorted)
		qsort(items + begin, pool->items->len - begin, sizeof(*items),
		      compare_items);
	g_array_append_val(pool->parts, begin);
}

static void merge(const struct item *from, gsize begin, gsize middle, gsize end,
		  struct item *to)
{
	gsize i = begin, j = middle;

	for (gsize k = begin; k < end; k++) {
		if (j >= end || (i < middle && from[i].value <= from[j].value))
			to[k] = from[i++];
		else
			to[k] = from[j++];
	}
}

/* Merge neighbouring parts of @from into @to, and halve the list of parts. */
static void merge_pairs(struct pool *pool, const struct item *from,
			struct item *to)
{
	gsize *parts = (gsize *)(void *)pool->parts->data;
	guint n = pool->parts->len;

	for (guint i = 0; i < n; i += 2) {
		gsize middle = i + 1 < n ? parts[i + 1] : pool->items->len;
		gsize end = i + 2 < n ? parts[i + 2] : pool->items->len;

		merge(from, parts[i], middle, end, to);
		parts[i / 2] = parts[i];
	}
	g_array_set_size(pool->parts, (n + 1) / 2);
}

static void count_before(struct pool *pool)
{
	const struct item *items = (struct item *)(void *)pool->items->data;
	guint32 *count = g_new0(guint32, pool->n_clusters);

	pool->n_rows = pool->items->len / STEP + 1;
	pool->before = g_new(guint32, pool->n_rows * pool->n_clusters);
	for (size_t i = 0; i <= pool->items->len; i++) {
		if (i % STEP == 0)
			memcpy(pool->before + i / STEP * pool->n_clusters,
			       count, pool->n_clusters * sizeof(*count));
		if (i < pool->items->len)
			count[items[i].cluster]++;
	}
	g_free(count);
}

void pool_sort(struct pool *pool, size_t n_clusters)
{
	GArray *spare = g_array_sized_new(FALSE, FALSE, sizeof(struct item),
					  pool->items->len);

	g_array_set_size(spare, pool->items->len);
	while (pool->parts->len > 1) {
		GArray *swap = pool->items;

		merge_pairs(pool, (struct item *)(void *)pool->items->data,
			    (struct item *)(void *)spare->data);
		pool->items = spare;
		spare = swap;
	}
	g_array_unref(spare);
	pool->n_clusters = n_clusters;
	count_before(pool);
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

guint64 pool_size(const struct pool *pool, const unsigned int *weights)
{
	const struct item *items = (struct item *)(void *)pool->items->data;
	size_t row = pool->n_rows - 1;
	guint64 sum = weight_before(pool, row, weights);

	for (size_t i = row * STEP; i < pool->items->len; i++)
		sum += weights[items[i].cluster];
	return sum;
}

/*
 * The index of the item that holds the weighted rank @rank (from 0); *@end_out
 * gets the first rank beyond that item.
 */
static size_t find_rank(const struct pool *pool, const unsigned int *weights,
			guint64 rank, guint64 *end_out)
{
	const struct item *items = (struct item *)(void *)pool->items->data;
	size_t low = 0, high = pool->n_rows;
	guint64 sum;

	while (high - low > 1) {
		size_t row = (low + high) / 2;

		if (weight_before(pool, row, weights) <= rank)
			low = row;
		else
			high = row;
	}
	sum = weight_before(pool, low, weights);
	for (size_t i = low * STEP;; i++) {
		sum += weights[items[i].cluster];
		if (sum > rank) {
			*end_out = sum;
			return i;
		}
	}
}

double pool_quantile(const struct pool *pool, const unsigned int *weights,
		     double q)
{
	const struct item *items = (struct item *)(void *)pool->items->data;
	guint64 n = pool_size(pool, weights), end;
	double whole, frac, value;
	size_t i;

	if (n == 0)
		return NAN;
	frac = modf((double)(n - 1) * q, &whole);
	i = find_rank(pool, weights, (guint64)whole, &end);
	value = items[i].value;
	if (frac > 0 && (guint64)whole + 1 >= end) {
		do
			i++;
		while (weights[items[i].cluster] == 0);
	}
	return value + frac * (items[i].value - value);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "clock.h"

#define MAX_HOPS 4
#define LATEST (G_MAXINT64 - 10 * G_GINT64_CONSTANT(1000000000))

/* All snapshots of the same clocks in the same order. */
struct group {
	guint n;
	guint64 clocks[AB_MAX_SNAPSHOT_CLOCKS];
	bool backwards[AB_MAX_SNAPSHOT_CLOCKS]; /* the clock once went back */
	GArray *order; /* guint: the place of each snapshot among all */
	GArray *rows;  /* gint64: @n values per snapshot */
};

struct ab_clocks {
	GPtrArray *groups;
	guint count;
};

struct hop {
	guint64 clock; /* reached */
	int back;      /* hop before this one, -1: none */
	guint group;
	guint from, to; /* columns */
	int depth;
};

/* Breadth first over clocks; bounded by what the groups can hold. */
struct search {
	struct hop hops[AB_MAX_SNAPSHOT_CLOCKS * AB_MAX_SNAPSHOT_GROUPS + 1];
	int n;
};

static void free_group(gpointer data)
{
	struct group *g = data;

	g_array_unref(g->order);
	g_array_unref(g->rows);
	g_free(g);
}

struct ab_clocks *ab_clocks_new(void)
{
	struct ab_clocks *clocks = g_new0(struct ab_clocks, 1);

	clocks->groups = g_ptr_array_new_with_free_func(free_group);
	return clocks;
}

void ab_clocks_free(struct ab_clocks *clocks)
{
	if (!clocks)
		return;
	g_ptr_array_unref(clocks->groups);
	g_free(clocks);
}

guint ab_clocks_count(const struct ab_clocks *clocks)
{
	return clocks->count;
}

static bool same_clocks(const struct group *g,
			const struct ab_clock_value *values, guint n)
{
	guint i;

	if (g->n != n)
		return false;
	for (i = 0; i < n; i++)
		if (g->clocks[i] != values[i].clock)
			return false;
	return true;
}

static struct group *group_of(struct ab_clocks *clocks,
			      const struct ab_clock_value *values, guint n)
{
	struct group *g;
	guint i;

	for (i = 0; i < clocks->groups->len; i++)
		if (same_clocks(clocks->groups->pdata[i], values, n))
			return clocks->groups->pdata[i];
	if (clocks->groups->len == AB_MAX_SNAPSHOT_GROUPS)
		return NULL;
	g = g_new0(struct group, 1);
	g->n = n;
	for (i = 0; i < n; i++)
		g->clocks[i] = values[i].clock;
	g->order = g_array_new(FALSE, FALSE, sizeof(guint));
	g->rows = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_ptr_array_add(clocks->groups, g);
	return g;
}

static gint64 value_at(const struct group *g, guint row, guint column)
{
	return g_array_index(g->rows, gint64, row * g->n + column);
}

static bool named_twice(const struct ab_clock_value *values, guint n)
{
	guint i, j;

	for (i = 1; i < n; i++)
		for (j = 0; j < i; j++)
			if (values[i].clock == values[j].clock)
				return true;
	return false;
}

bool ab_clocks_add(struct ab_clocks *clocks,
		   const struct ab_clock_value *values, guint n)
{
	struct group *g;
	guint i, last;

	if (n < 2)
		return true;
	if (n > AB_MAX_SNAPSHOT_CLOCKS || named_twice(values, n))
		return false;
	g = group_of(clocks, values, n);
	if (!g)
		return false;
	last = g->order->len;
	for (i = 0; i < n; i++) {
		if (last && values[i].ns < value_at(g, last - 1, i))
			g->backwards[i] = true;
		g_array_append_val(g->rows, values[i].ns);
	}
	g_array_append_val(g->order, clocks->count);
	clocks->count++;
	return true;
}

static int column_of(const struct group *g, guint64 clock)
{
	guint i;

	for (i = 0; i < g->n; i++)
		if (g->clocks[i] == clock)
			return (int)i;
	return -1;
}

/* How many of @g's snapshots are among the first @limit of all. */
static guint rows_before(const struct group *g, guint limit)
{
	guint low = 0, high = g->order->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(g->order, guint, middle) < limit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool reached(const struct search *s, guint64 clock)
{
	int i;

	for (i = 0; i < s->n; i++)
		if (s->hops[i].clock == clock)
			return true;
	return false;
}

static void expand(const struct ab_clocks *clocks, guint limit,
		   struct search *s, int at)
{
	guint g_index, to;

	for (g_index = 0; g_index < clocks->groups->len; g_index++) {
		const struct group *g = clocks->groups->pdata[g_index];
		int from = column_of(g, s->hops[at].clock);

		if (from < 0 || !rows_before(g, limit) || g->backwards[from])
			continue;
		for (to = 0; to < g->n; to++) {
			if (reached(s, g->clocks[to]))
				continue;
			s->hops[s->n++] = (struct hop){
				.clock = g->clocks[to],
				.back = at,
				.group = g_index,
				.from = (guint)from,
				.to = to,
				.depth = s->hops[at].depth + 1,
			};
		}
	}
}

/* The index of the hop that reaches @to, or -1. */
static int find_path(const struct ab_clocks *clocks, guint limit, guint64 from,
		     guint64 to, struct search *s)
{
	int at;

	s->hops[0] = (struct hop){ .clock = from, .back = -1 };
	s->n = 1;
	for (at = 0; at < s->n; at++) {
		if (s->hops[at].clock == to)
			return at;
		if (s->hops[at].depth < MAX_HOPS)
			expand(clocks, limit, s, at);
	}
	return -1;
}

static gint64 apply_hop(const struct ab_clocks *clocks, guint limit,
			const struct hop *hop, gint64 ns)
{
	const struct group *g = clocks->groups->pdata[hop->group];
	guint low = 0, high = rows_before(g, limit), row;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (value_at(g, middle, hop->from) <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	row = low ? low - 1 : 0;
	/* Unsigned: a hostile snapshot may wrap, which convert() refuses. */
	return (gint64)((guint64)ns + (guint64)value_at(g, row, hop->to) -
			(guint64)value_at(g, row, hop->from));
}

bool ab_clocks_convert(const struct ab_clocks *clocks, guint limit,
		       guint64 from, guint64 to, gint64 ns, gint64 *ns_out)
{
	struct search s;
	int path[MAX_HOPS], n = 0, at;

	if (from != to) {
		at = find_path(clocks, limit, from, to, &s);
		if (at < 0)
			return false;
		for (; s.hops[at].back >= 0; at = s.hops[at].back)
			path[n++] = at;
		while (n--)
			ns = apply_hop(clocks, limit, &s.hops[path[n]], ns);
	}
	*ns_out = ns;
	return ns >= 0 && ns < LATEST;
}

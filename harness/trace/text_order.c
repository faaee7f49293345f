// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

#define NO_RUN G_MAXUINT32

void tx_order_init(struct tx_order *order)
{
	*order = (struct tx_order){
		.runs = g_array_new(FALSE, FALSE, sizeof(struct tx_run)),
		.loaded = NO_RUN,
		.last_ns = G_MININT64,
	};
}

void tx_order_clear(struct tx_order *order)
{
	g_array_unref(order->runs);
	ab_merge_clear(&order->merge);
}

static struct tx_run *run_of(const struct tx_order *order, guint32 number)
{
	return &g_array_index(order->runs, struct tx_run, number);
}

void tx_order_add(struct tx_order *order, struct ab_bytes rest, gint64 ts)
{
	struct tx_run run = { rest, ts }, *last;

	if (order->runs->len) {
		last = run_of(order, order->runs->len - 1);
		if (last->rest.p + last->rest.n > rest.p)
			last->rest.n = (gsize)(rest.p - last->rest.p);
	}
	g_array_append_val(order->runs, run);
}

void tx_order_start(struct tx_order *order)
{
	guint n = order->runs->len, i;
	g_autofree gint64 *heads = g_new(gint64, n);

	for (i = 0; i < n; i++)
		heads[i] = run_of(order, i)->head;
	ab_merge_init(&order->merge, heads, n);
}

/* Find the run's next event, from its rest on; false at its end. */
static bool load(struct tx_order *order, guint32 number)
{
	struct tx_run *run = run_of(order, number);
	struct ab_bytes rest = run->rest, text;
	bool ended;

	order->loaded = number;
	while (tx_next_line(&rest, &text, &ended)) {
		if (tx_line_parse(text, &order->line)) {
			order->after = rest;
			return true;
		}
		run->rest = rest;
	}
	return false;
}

/* The earliest line of all; false at the end. */
static bool take(struct tx_order *order, struct tx_line *line_out)
{
	guint32 number = ab_merge_first(&order->merge);
	gint64 head = AB_MERGE_END;

	if (ab_merge_head(&order->merge) == AB_MERGE_END)
		return false;
	if (order->loaded != number)
		load(order, number);
	*line_out = order->line;
	run_of(order, number)->rest = order->after;
	if (load(order, number))
		head = order->line.ts;
	/* The first in the file comes first, not who has the turn. */
	ab_merge_advance(&order->merge, number, head);
	return true;
}

bool tx_order_next(struct tx_order *order, struct tx_line *line_out,
		   guint64 *late)
{
	while (take(order, line_out)) {
		if (line_out->ts >= order->last_ns) {
			order->last_ns = line_out->ts;
			return true;
		}
		(*late)++;
	}
	return false;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare.h"

static const struct ab_obs *obs_at(const GArray *obs, guint i)
{
	return &g_array_index(obs, struct ab_obs, i);
}

/* A boot's runs, averaged. */
struct boot {
	int device, block;
	double mean;
	guint runs;
};

/* Boots of @variant; @obs stands by variant, device, block and session. */
static GArray *boots_of(const GArray *obs, int variant)
{
	GArray *boots = g_array_new(FALSE, FALSE, sizeof(struct boot));
	int session = -1;

	for (guint i = 0; i < obs->len; i++) {
		const struct ab_obs *o = obs_at(obs, i);
		struct boot new = { o->device, o->block, 0, 0 };
		struct boot *b;

		if (o->variant != variant)
			continue;
		if (o->session != session)
			g_array_append_val(boots, new);
		session = o->session;
		b = &g_array_index(boots, struct boot, boots->len - 1);
		b->mean += (o->value - b->mean) / ++b->runs;
	}
	return boots;
}

/* Boots of one block (the first was lost) weigh as one. */
static void join_blocks(GArray *boots)
{
	guint kept = 0;

	for (guint i = 0; i < boots->len; i++) {
		struct boot *b = &g_array_index(boots, struct boot, i);
		struct boot *last =
			kept ? &g_array_index(boots, struct boot, kept - 1)
			     : NULL;

		if (last && last->device == b->device &&
		    last->block == b->block) {
			last->runs += b->runs;
			last->mean +=
				(b->mean - last->mean) * b->runs / last->runs;
		} else {
			g_array_index(boots, struct boot, kept++) = *b;
		}
	}
	g_array_set_size(boots, kept);
}

static int compare_places(const struct boot *x, const struct boot *y)
{
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->block > y->block) - (x->block < y->block);
}

/* Keep blocks that both have; returns how many. */
static guint keep_pairs(GArray *a, GArray *b)
{
	guint i = 0, j = 0, kept = 0;

	while (i < a->len && j < b->len) {
		struct boot *x = &g_array_index(a, struct boot, i);
		struct boot *y = &g_array_index(b, struct boot, j);
		int order = compare_places(x, y);

		if (order == 0) {
			g_array_index(a, struct boot, kept) = *x;
			g_array_index(b, struct boot, kept++) = *y;
		}
		i += order <= 0;
		j += order >= 0;
	}
	return kept;
}

static double *means(const GArray *boots, size_t n)
{
	double *x = g_new(double, n + 1);

	for (size_t i = 0; i < n; i++)
		x[i] = g_array_index(boots, struct boot, i).mean;
	return x;
}

static double *runs_of(const GArray *obs, int variant, size_t *n_out)
{
	double *x = g_new(double, obs->len + 1);

	*n_out = 0;
	for (guint i = 0; i < obs->len; i++)
		if (obs_at(obs, i)->variant == variant)
			x[(*n_out)++] = obs_at(obs, i)->value;
	return x;
}

void compare_units_init(struct compare_units *u, const GArray *obs, int a,
			int b)
{
	g_autoptr(GArray) boots_a = boots_of(obs, a);
	g_autoptr(GArray) boots_b = boots_of(obs, b);
	guint pairs;

	*u = (struct compare_units){ 0 };
	join_blocks(boots_a);
	join_blocks(boots_b);
	pairs = keep_pairs(boots_a, boots_b);
	if (pairs > 1) {
		u->paired = u->boots = true;
		u->n_a = u->n_b = pairs;
		u->a = means(boots_a, pairs);
		u->b = means(boots_b, pairs);
	} else {
		u->a = runs_of(obs, a, &u->n_a);
		u->b = runs_of(obs, b, &u->n_b);
	}
}

void compare_units_clear(struct compare_units *u)
{
	g_free(u->a);
	g_free(u->b);
	*u = (struct compare_units){ 0 };
}

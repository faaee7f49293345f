// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

/* TracePacket.sequence_flags */
#define STATE_CLEARED 1
#define NEEDS_STATE 2

struct pf_sequence *pf_sequence(struct ab_source *src, guint32 id)
{
	gpointer key = GUINT_TO_POINTER(id);
	struct pf_sequence *seq = g_hash_table_lookup(src->sequences, key);

	if (!seq) {
		seq = g_new0(struct pf_sequence, 1);
		seq->id = id;
		g_hash_table_insert(src->sequences, key, seq);
	}
	if (seq->losses != src->losses)
		seq->valid = false;
	seq->losses = src->losses;
	return seq;
}

static void read_defaults(struct pf_sequence *seq, struct ab_bytes message)
{
	struct ab_reader r = ab_reader(message);
	struct ab_field f;

	seq->clock = 0;
	while (ab_next_field(&r, &f))
		if (AB_FIELD_TAG(&f) == AB_TAG(58, AB_VARINT))
			seq->clock = (guint32)f.v;
}

static void add_symbol(struct ab_source *src, struct pf_generation *gen,
		       struct ab_bytes message)
{
	struct ab_reader r = ab_reader(message);
	struct ab_bytes name = { (const guint8 *)"", 0 };
	struct pf_symbol symbol = { 0 };
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(1, AB_VARINT))
			symbol.iid = f.v;
		else if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_LEN))
			name = f.bytes;
	}
	if (!symbol.iid)
		return;
	symbol.name = ab_trace_intern(src->trace, name);
	if (!gen->symbols)
		gen->symbols =
			g_array_new(FALSE, FALSE, sizeof(struct pf_symbol));
	g_array_append_val(gen->symbols, symbol);
}

static void read_interned(struct ab_source *src, const struct pf_sequence *seq,
			  struct ab_bytes message)
{
	struct pf_generation *gen =
		src->generations->pdata[seq->generation - 1];
	struct ab_reader r = ab_reader(message);
	struct ab_field f;

	while (ab_next_field(&r, &f))
		if (AB_FIELD_TAG(&f) == AB_TAG(26, AB_LEN))
			add_symbol(src, gen, f.bytes);
}

static void clear_state(struct ab_source *src, struct pf_sequence *seq)
{
	g_ptr_array_add(src->generations, g_new0(struct pf_generation, 1));
	seq->generation = src->generations->len;
	seq->clock = 0;
	seq->valid = true;
}

bool pf_sequence_update(struct ab_source *src, struct pf_sequence *seq,
			const struct pf_packet *pkt)
{
	if (pkt->cleared || (pkt->flags & STATE_CLEARED))
		clear_state(src, seq);
	else if (pkt->dropped)
		seq->valid = false;
	if (pkt->has_defaults)
		read_defaults(seq, pkt->defaults);
	if (pkt->interned.n && seq->valid)
		read_interned(src, seq, pkt->interned);
	return seq->valid || !(pkt->flags & NEEDS_STATE);
}

static int by_iid(const void *a, const void *b)
{
	const struct pf_symbol *x = a, *y = b;

	return (x->iid > y->iid) - (x->iid < y->iid);
}

void pf_generations_sort(struct ab_source *src)
{
	guint i;

	for (i = 0; i < src->generations->len; i++) {
		struct pf_generation *gen = src->generations->pdata[i];

		/* Stable: of two with one iid the first counts. */
		if (gen->symbols)
			g_array_sort(gen->symbols, by_iid);
	}
}

bool pf_any_symbol(const struct ab_source *src)
{
	guint i;

	for (i = 0; i < src->generations->len; i++) {
		const struct pf_generation *gen = src->generations->pdata[i];

		if (gen->symbols)
			return true;
	}
	return false;
}

guint32 pf_symbol(const struct ab_source *src, guint32 generation, guint64 iid)
{
	const struct pf_generation *gen =
		generation ? src->generations->pdata[generation - 1] : NULL;
	guint low = 0, high;
	const struct pf_symbol *found;

	if (!gen || !gen->symbols)
		return 0;
	high = gen->symbols->len;
	/* They count up from 1, as a rule. */
	if (iid - 1 < high) {
		found = &g_array_index(gen->symbols, struct pf_symbol, iid - 1);
		if (found->iid == iid && (iid == 1 || found[-1].iid != iid))
			return found->name;
	}
	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(gen->symbols, struct pf_symbol, middle).iid <
		    iid)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == gen->symbols->len)
		return 0;
	found = &g_array_index(gen->symbols, struct pf_symbol, low);
	return found->iid == iid ? found->name : 0;
}

void pf_generation_free(gpointer data)
{
	struct pf_generation *gen = data;

	if (gen->symbols)
		g_array_unref(gen->symbols);
	g_free(gen);
}

// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * CompactSched: one packed column per member of an event.  Most of a trace's
 * bytes are these numbers.
 */
#include "perfetto.h"

#define INTERN_TABLE 5

/* The column that each field is, counted on in the wakings; or NONE. */
#define NONE G_MAXUINT8
#define WAKING(column) (PF_COLUMNS + (column))

static const guint8 columns[] = {
	NONE,
	PF_TS,
	PF_STATE,
	PF_TID,
	PF_PRIO,
	NONE,
	PF_COMM,
	WAKING(PF_TS),
	WAKING(PF_TID),
	NONE,
	WAKING(PF_PRIO),
	WAKING(PF_COMM),
	WAKING(PF_STATE),
};

/* ---- columns of varints ---- */

#define MORE 0x80808080u

/* The last byte of a varint ends below the lowest bit; 0: has more than 4. */
static inline guint32 short_stop(guint32 word)
{
	return ~word & MORE;
}

static inline guint short_size(guint32 stop)
{
	return (guint)__builtin_ctz(stop) / 8 + 1;
}

/* The varint in the low bytes of @word, up to @stop. */
static inline guint32 short_varint(guint32 word, guint32 stop)
{
	word &= stop ^ (stop - 1);
	/* Groups of 7 bits move together: to 14, to 28. */
	word = (word & 0x7f007f) | (word >> 1 & 0x3f803f80);
	return (word & 0x3fff) | (word >> 2 & 0xfffc000);
}

static inline bool is_tiny(guint32 word)
{
	return (word & 0x8080) != 0x8080;
}

/* The same of at most 2 bytes; @more: it has the second. */
static inline guint32 tiny_varint(guint32 word, guint32 more)
{
	return (word & 0x7f) | (word >> 1 & 0x3f80 & -more);
}

static inline guint32 load_word(const guint8 *p)
{
	guint32 word;

	memcpy(&word, p, sizeof(word));
	return GUINT32_FROM_LE(word);
}

static inline bool read_number(struct pf_column *column, guint64 *v)
{
	return column->in.p < column->in.end && ab_read_varint(&column->in, v);
}

/* The next number of each column that is wanted, as long as all have one. */
static bool read_row(struct pf_compact *rows, guint row, bool state)
{
	struct pf_column *c = rows->columns;
	guint64 v;

	if (!read_number(&c[PF_TS], &v))
		return false;
	rows->raw += v;
	rows->ts[row] = (gint64)rows->raw;
	if (!read_number(&c[PF_TID], &v))
		return false;
	rows->values[PF_TID][row] = (guint32)v;
	if (!read_number(&c[PF_COMM], &v))
		return false;
	rows->values[PF_COMM][row] = (guint32)v;
	/* common_flags of wakings are newer than the rest, may be fewer. */
	v = 0;
	if (!read_number(&c[PF_STATE], &v) && state)
		return false;
	rows->values[PF_STATE][row] = (guint32)v;
	return true;
}

/* The last place at which a whole word of @column can be loaded, or NULL. */
static const guint8 *last_word(const struct pf_column *column)
{
	gsize left = (gsize)(column->in.end - column->in.p);

	return left < sizeof(guint32) ? NULL : column->in.end - sizeof(guint32);
}

/* How many of the next @max numbers have one byte. */
static guint single_bytes(const struct pf_column *column, guint max)
{
	const guint8 *p = column->in.p;
	gsize left = (gsize)(column->in.end - p);
	guint n = 0;
	guint64 word;

	for (max = (guint)MIN(left, max); n + sizeof(word) <= max;
	     n += sizeof(word)) {
		memcpy(&word, p + n, sizeof(word));
		if (word & G_GUINT64_CONSTANT(0x8080808080808080))
			break;
	}
	while (n < max && p[n] < 0x80)
		n++;
	return n;
}

/*
 * Rows from @row on, but at most @max, of which every column has a whole word
 * left and a short number: the columns are read side by side, so that none
 * waits for another's bytes.  An index of a name has one byte.  Returns the
 * row after the last.
 */
static guint read_fast_rows(struct pf_compact *rows, guint row, guint max)
{
	struct pf_column *c = rows->columns;
	const guint8 *ts = c[PF_TS].in.p, *ts_last = last_word(&c[PF_TS]);
	const guint8 *tid = c[PF_TID].in.p, *tid_last = last_word(&c[PF_TID]);
	const guint8 *state = c[PF_STATE].in.p;
	const guint8 *state_last = last_word(&c[PF_STATE]);
	const guint8 *comm = c[PF_COMM].in.p;
	guint64 raw = rows->raw;

	if (!ts_last || !tid_last || !state_last)
		return row;
	for (; row < max && ts <= ts_last && tid <= tid_last &&
	       state <= state_last;
	     row++) {
		guint32 w_ts = load_word(ts), stop_ts = short_stop(w_ts);
		guint32 w_tid = load_word(tid), stop_tid = short_stop(w_tid);
		guint32 w_state = load_word(state), more = w_state >> 7 & 1;

		if (G_UNLIKELY(!stop_ts || !stop_tid || !is_tiny(w_state)))
			break;
		ts += short_size(stop_ts);
		tid += short_size(stop_tid);
		state += 1 + more;
		raw += short_varint(w_ts, stop_ts);
		rows->ts[row] = (gint64)raw;
		rows->values[PF_TID][row] = short_varint(w_tid, stop_tid);
		rows->values[PF_STATE][row] = tiny_varint(w_state, more);
		rows->values[PF_COMM][row] = *comm++;
	}
	c[PF_TS].in.p = ts;
	c[PF_TID].in.p = tid;
	c[PF_COMM].in.p = comm;
	c[PF_STATE].in.p = state;
	rows->raw = raw;
	return row;
}

/* ---- a bundle ---- */

/* The field came in parts, or as single numbers: put them together. */
static void join(struct pf_column *column, const struct ab_field *f)
{
	guint8 byte;
	guint64 v = f->v;

	if (!column->joined) {
		column->joined = g_byte_array_new();
		g_byte_array_append(column->joined, column->in.p,
				    (guint)(column->in.end - column->in.p));
	}
	if (f->wire == AB_LEN) {
		g_byte_array_append(column->joined, f->bytes.p,
				    (guint)f->bytes.n);
	} else {
		for (; v > 0x7f; v >>= 7) {
			byte = (guint8)(v | 0x80);
			g_byte_array_append(column->joined, &byte, 1);
		}
		byte = (guint8)v;
		g_byte_array_append(column->joined, &byte, 1);
	}
	column->in = ab_reader(
		(struct ab_bytes){ column->joined->data, column->joined->len });
}

/* The kernel's writer names what it refers to: nothing that is not used. */
static void add_name(struct ab_source *src, struct pf_stream *s,
		     struct ab_bytes bytes)
{
	if (s->n_names + 1 >= s->room_for_names) {
		s->room_for_names = MAX(64, 2 * s->room_for_names);
		s->names = g_renew(guint32, s->names, s->room_for_names);
	}
	s->names[s->n_names++] = ab_trace_comm(src->trace, bytes);
}

static void take_field(struct ab_source *src, struct pf_stream *s,
		       const struct ab_field *f)
{
	struct pf_column *column;
	guint at = f->no < G_N_ELEMENTS(columns) ? columns[f->no] : NONE;

	if (f->no == INTERN_TABLE && f->wire == AB_LEN)
		add_name(src, s, f->bytes);
	if (at == NONE)
		return;
	column = &s->compact[at / PF_COLUMNS].columns[at % PF_COLUMNS];
	if (f->wire == AB_LEN && column->in.p == column->in.end)
		column->in = ab_reader(f->bytes);
	else if (f->wire == AB_LEN || f->wire == AB_VARINT)
		join(column, f);
}

static void clear(struct pf_compact *c, bool prio)
{
	/* Not NULL, which is no place to compare with or to copy from. */
	const struct ab_bytes empty = { (const guint8 *)"", 0 };
	guint i;

	for (i = 0; i < PF_COLUMNS; i++) {
		g_clear_pointer(&c->columns[i].joined, g_byte_array_unref);
		c->columns[i].in = ab_reader(empty);
	}
	c->raw = 0;
	c->prio = prio;
	for (i = 0; i < PF_ROWS; i++)
		c->values[PF_PRIO][i] = (guint32)-1;
}

void pf_open_compact(struct ab_source *src, struct pf_stream *s)
{
	struct ab_reader r = ab_reader(s->loaded->compact);
	struct ab_field f;

	clear(&s->compact[PF_SWITCHES], src->trace->prios);
	clear(&s->compact[PF_WAKINGS], false);
	s->n_names = 0;
	/* Beyond what GLib's arrays hold. */
	if (!s->loaded->compact.p || s->loaded->compact.n > G_MAXINT32)
		return;
	while (ab_next_field(&r, &f)) {
		take_field(src, s, &f);
		while (ab_next_repeated(&r, INTERN_TABLE, &f.bytes))
			add_name(src, s, f.bytes);
	}
	if (s->n_names)
		s->names[s->n_names] = 0;
	src->trace->quality.damaged_events += 2 * r.bad;
}

/* The stamps are of the bundle's clock; make them times of the trace clock. */
static guint convert_times(struct ab_source *src, const struct pf_bundle *b,
			   gint64 *ts, guint n)
{
	guint i;

	if (G_LIKELY(b->clock == src->trace_clock && n &&
		     ts[n - 1] < PF_LATEST && ts[n - 1] >= ts[0] && ts[0] >= 0))
		return n;
	for (i = 0; i < n; i++)
		if (!pf_time(src, b->clock, b->snapshots, (guint64)ts[i],
			     &ts[i])) {
			src->trace->quality.clock_failures += n - i;
			break;
		}
	return i;
}

static bool any_left(const struct pf_compact *c)
{
	guint i;

	for (i = 0; i < PF_COLUMNS; i++)
		if (i != PF_PRIO && c->columns[i].in.p < c->columns[i].in.end)
			return true;
	return false;
}

/* Indexes of the bundle's names become texts. */
static void find_names(const struct pf_stream *s, guint32 *comm, guint rows)
{
	static const guint32 none[] = { 0 };
	const guint32 *names = s->n_names ? s->names : none;
	guint i, n = s->n_names;

	for (i = 0; i < rows; i++)
		comm[i] = names[MIN(comm[i], n)];
}

/* Rows until there are PF_ROWS or a column ends; how many. */
static guint read_rows(struct pf_compact *c, bool state)
{
	guint row = 0;

	for (;;) {
		row = read_fast_rows(c, row,
				     row + single_bytes(&c->columns[PF_COMM],
							PF_ROWS - row));
		/* A number was long, or the columns' last bytes are near. */
		if (row == PF_ROWS || !read_row(c, row, state))
			return row;
		row++;
	}
}

/* Those of @rows rows; few want them, so they are read by themselves. */
static void read_prios(struct pf_compact *c, guint rows)
{
	guint64 v;
	guint i;

	for (i = 0; i < rows; i++)
		c->values[PF_PRIO][i] = read_number(&c->columns[PF_PRIO], &v)
						? (guint32)v
						: (guint32)-1;
}

void pf_read_compact(struct ab_source *src, struct pf_stream *s,
		     enum pf_half half)
{
	struct pf_compact *c = &s->compact[half];
	guint rows = read_rows(c, half == PF_SWITCHES);

	if (G_UNLIKELY(c->prio))
		read_prios(c, rows);
	find_names(s, c->values[PF_COMM], rows);
	c->at = 0;
	c->n = convert_times(src, s->loaded, c->ts, rows);
	c->ts[c->n] = PF_END;
	if (rows == PF_ROWS && c->n == rows)
		return;
	if (c->n == rows && any_left(c))
		src->trace->quality.damaged_events++;
	/* What follows a broken row cannot be told apart. */
	c->columns[PF_TS].in.p = c->columns[PF_TS].in.end;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/file.h>

#include "dat.h"

#define FLUSH_SIZE 65536

void dat_writer_init(struct dat_writer *w, int fd)
{
	*w = (struct dat_writer){ .fd = fd };
	w->buffer = g_byte_array_sized_new(FLUSH_SIZE + DAT_PAYLOAD_MAX);
	w->texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	w->comms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static void append(struct dat_writer *w, enum dat_kind kind, const void *head,
		   gsize head_size, struct ab_bytes text)
{
	static const guint8 zeros[8];
	struct dat_record record = { kind, (guint32)(head_size + text.n) };

	g_byte_array_append(w->buffer, (const guint8 *)&record, sizeof(record));
	if (head_size)
		g_byte_array_append(w->buffer, head, (guint)head_size);
	if (text.n)
		g_byte_array_append(w->buffer, text.p, (guint)text.n);
	g_byte_array_append(w->buffer, zeros,
			    (guint)(DAT_PADDED(record.size) - record.size));
}

bool dat_writer_flush(struct dat_writer *w)
{
	const struct ab_bytes none = { NULL, 0 };

	if (w->damaged)
		append(w, DAT_DAMAGED, &w->damaged, sizeof(w->damaged), none);
	w->damaged = 0;
	w->failed = w->failed ||
		    !ab_file_put(w->fd, w->buffer->data, w->buffer->len);
	g_byte_array_set_size(w->buffer, 0);
	return !w->failed;
}

void dat_write(struct dat_writer *w, enum dat_kind kind, const void *head,
	       gsize head_size, struct ab_bytes text)
{
	append(w, kind, head, head_size, text);
	if (w->buffer->len >= FLUSH_SIZE)
		dat_writer_flush(w);
}

static guint32 number(struct dat_writer *w, GHashTable *table,
		      enum dat_kind kind, const char *text)
{
	gsize n = strnlen(text, DAT_TEXT_SIZE);
	gpointer known;

	if (!n)
		return 0;
	known = g_hash_table_lookup(table, text);
	if (known || w->n_texts == DAT_TEXTS_MAX)
		return GPOINTER_TO_UINT(known);
	w->n_texts++;
	g_hash_table_insert(table, g_strdup(text),
			    GUINT_TO_POINTER(w->n_texts));
	dat_write(w, kind, NULL, 0,
		  (struct ab_bytes){ (const guint8 *)text, n });
	return w->n_texts;
}

guint32 dat_writer_text(struct dat_writer *w, const char *text)
{
	return number(w, w->texts, DAT_TEXT, text);
}

guint32 dat_writer_comm(struct dat_writer *w, const char *comm)
{
	return number(w, w->comms, DAT_COMM, comm);
}

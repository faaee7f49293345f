// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_body.h"

/* KSYM_NAME_LEN of the kernel, module and offset beside it. */
#define MAX_SYMBOL 1024

static bool is_address(struct ab_bytes text)
{
	struct ab_bytes rest = text;
	guint64 address;

	if (tx_equal(text, "0"))
		return true;
	return tx_address(&rest, &address) && !rest.n;
}

/* "function+0x12/0x34 [module]" without all but the function's name. */
static struct ab_bytes symbol_of(struct ab_bytes text)
{
	gsize i;

	text = tx_word(&text);
	for (i = 1; i + 2 < text.n; i++)
		if (!memcmp(text.p + i, "+0x", 3))
			text.n = i;
	return text;
}

/* A pointer that the kernel does not show is "(____ptrval____)". */
static bool is_hidden(struct ab_bytes symbol)
{
	return symbol.n && *symbol.p == '(';
}

static bool set_function(const struct tx_decoder *d, struct ab_bytes text,
			 struct ab_event *ev)
{
	struct ab_bytes symbol;
	guint64 address = 0;
	char number[24];

	if (text.n > MAX_SYMBOL)
		return false;
	symbol = symbol_of(text);
	if (!symbol.n)
		return true;
	if (is_address(symbol) || is_hidden(symbol)) {
		struct ab_bytes rest = symbol;

		tx_hex(&rest, &address);
		g_snprintf(number, sizeof(number), "%#" G_GINT64_MODIFIER "x",
			   address);
		symbol = (struct ab_bytes){ (const guint8 *)number,
					    strlen(number) };
		ev->flags |= AB_EVENT_UNRESOLVED;
	}
	ev->work.function = ab_trace_intern(d->trace, symbol);
	return true;
}

bool tx_decode_blocked(const struct tx_decoder *d, struct ab_bytes in,
		       struct ab_event *ev)
{
	struct ab_bytes caller = tx_after(in, " caller="), symbol;
	guint64 io_wait;

	if (caller.n > MAX_SYMBOL || !tx_skip(&in, "pid=") ||
	    !tx_tid(&in, &ev->blocked.tid) || !tx_skip(&in, " iowait=") ||
	    !tx_uint(&in, 1, &io_wait))
		return false;
	ev->blocked.io_wait = io_wait != 0;
	ev->blocked.function = 0;
	if (!caller.p)
		return true;
	symbol = symbol_of(caller);
	if (symbol.n && !is_address(symbol) && !is_hidden(symbol))
		ev->blocked.function = ab_trace_intern(d->trace, symbol);
	return true;
}

/* "work struct=ffff", "work struct ffff", "work struct ffff: " */
static bool take_work(struct ab_bytes *in, struct ab_event *ev)
{
	memset(&ev->work, 0, sizeof(ev->work));
	if (!tx_skip(in, "work struct") ||
	    (!tx_skip(in, "=") && !tx_skip(in, " ")))
		return false;
	if (tx_hex(in, &ev->work.work))
		return true;
	/* All hidden ones look alike. */
	ev->work.generation = AB_NO_GENERATION;
	return is_hidden(tx_word(in));
}

bool tx_decode_work(const struct tx_decoder *d, struct ab_bytes in,
		    struct ab_event *ev)
{
	if (!take_work(&in, ev))
		return false;
	tx_skip(&in, ":");
	if (tx_skip(&in, " function ") || tx_skip(&in, " function="))
		return set_function(d, in, ev);
	return true;
}

/* Its name, which may hold blanks; older kernels print a pointer there. */
static bool set_workqueue(const struct tx_decoder *d, struct ab_bytes in,
			  struct ab_event *ev)
{
	struct ab_bytes after = tx_after(in, " req_cpu=");

	if (!after.p || in.n - after.n > MAX_SYMBOL)
		return false;
	in.n -= after.n + strlen(" req_cpu=");
	if (in.n && !is_address(in) && !is_hidden(in))
		ev->work.workqueue = ab_trace_intern(d->trace, in);
	return true;
}

bool tx_decode_queue(const struct tx_decoder *d, struct ab_bytes in,
		     struct ab_event *ev)
{
	struct ab_bytes after;

	if (!take_work(&in, ev) || !tx_skip(&in, " function="))
		return false;
	after = tx_after(in, " workqueue=");
	if (!after.p || !set_workqueue(d, after, ev))
		return false;
	in.n -= after.n + strlen(" workqueue=");
	return set_function(d, in, ev);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

#define NS_PER_S G_GINT64_CONSTANT(1000000000)

/* Within that the CPU stands; a process's whole command may precede it. */
#define MAX_HEAD 512
#define MAX_FLAGS 8

/* Seconds, a dot and six or nine digits, exactly. */
static bool take_stamp(struct ab_bytes *in, gint64 *ts_out)
{
	const guint64 max_s = AB_TS_MAX / NS_PER_S - 1;
	struct ab_bytes rest = *in;
	guint64 s, fraction;
	gsize digits;

	if (!tx_uint(&rest, max_s, &s) || !tx_skip(&rest, "."))
		return false;
	digits = rest.n;
	if (!tx_uint(&rest, NS_PER_S - 1, &fraction))
		return false;
	digits -= rest.n;
	if ((digits != 6 && digits != 9) || !tx_skip(&rest, ":"))
		return false;
	if (digits == 6)
		fraction *= 1000;
	*ts_out = (gint64)s * NS_PER_S + (gint64)fraction;
	*in = rest;
	return true;
}

/* "d.h3" and its longer kin: where the letter stands depends on the kernel,
 * but no other column has these. */
static guint8 irq_of(struct ab_bytes flags)
{
	guint8 irq = 0;
	gsize i;

	for (i = 0; i < flags.n; i++) {
		switch (flags.p[i]) {
		case 'h':
		case 'z':
			irq |= AB_FLAG_HARDIRQ;
			break;
		case 's':
			irq |= AB_FLAG_SOFTIRQ;
			break;
		case 'H':
		case 'Z':
			irq |= AB_FLAG_HARDIRQ | AB_FLAG_SOFTIRQ;
			break;
		default:
			break;
		}
	}
	return irq;
}

static void split_event(struct ab_bytes in, struct tx_line *line)
{
	gsize i = 0;

	tx_skip_blanks(&in);
	while (i < in.n && in.p[i] != ':' && in.p[i] != ' ')
		i++;
	if (i == in.n || in.p[i] != ':') {
		line->event = (struct ab_bytes){ in.p, 0 };
		line->body = in;
		return;
	}
	line->event = (struct ab_bytes){ in.p, i };
	line->body = (struct ab_bytes){ in.p + i + 1, in.n - i - 1 };
	/* trace-cmd aligns bodies; a marker's text has one blank before it. */
	if (!tx_equal(line->event, "tracing_mark_write"))
		tx_skip_blanks(&line->body);
	else
		tx_skip(&line->body, " ");
}

/* "[001] d..3 1.000001: event: body" */
static bool parse_right(struct ab_bytes in, struct tx_line *line)
{
	struct ab_bytes flags;
	guint64 cpu;

	if (!tx_skip(&in, "[") || !tx_uint(&in, AB_MAX_CPUS - 1, &cpu) ||
	    !tx_skip(&in, "]"))
		return false;
	line->cpu = (guint16)cpu;
	line->irq = 0;
	tx_skip_blanks(&in);
	if (!take_stamp(&in, &line->ts)) {
		flags = in;
		flags.n = MIN(flags.n, MAX_FLAGS + 1);
		flags = tx_word(&flags);
		if (flags.n > MAX_FLAGS)
			return false;
		line->irq = irq_of(flags);
		in.p += flags.n;
		in.n -= flags.n;
		tx_skip_blanks(&in);
		if (!take_stamp(&in, &line->ts))
			return false;
	}
	split_event(in, line);
	return true;
}

/* A number in parentheses at the end of @in, or dashes, or nothing. */
static bool take_tgid(struct ab_bytes *in, gint32 *tgid_out)
{
	struct ab_bytes inside;
	gsize at = in->n;

	*tgid_out = -1;
	if (!at || in->p[at - 1] != ')')
		return true;
	while (at && in->p[at - 1] != '(')
		at--;
	if (!at)
		return false;
	inside = (struct ab_bytes){ in->p + at, in->n - at - 1 };
	in->n = at - 1;
	tx_skip_blanks(&inside);
	if (inside.n && *inside.p == '-')
		return true;
	return tx_tid(&inside, tgid_out) && !inside.n;
}

/* "   TASK-123   (  100) ", from the right: a name may hold anything. */
static bool parse_left(struct ab_bytes in, struct tx_line *line)
{
	struct ab_bytes digits;
	gsize at;

	in = tx_trim_end(in);
	if (!take_tgid(&in, &line->tgid))
		return false;
	in = tx_trim_end(in);
	at = in.n;
	while (at && g_ascii_isdigit(in.p[at - 1]))
		at--;
	if (!at || in.p[at - 1] != '-')
		return false;
	digits = (struct ab_bytes){ in.p + at, in.n - at };
	if (!tx_tid(&digits, &line->tid))
		return false;
	line->task = (struct ab_bytes){ in.p, at - 1 };
	tx_skip_blanks(&line->task);
	return true;
}

bool tx_line_parse(struct ab_bytes text, struct tx_line *line_out)
{
	gsize limit = MIN(text.n, MAX_HEAD), at = 0;

	while (at < limit) {
		const guint8 *open = memchr(text.p + at, '[', limit - at);
		gsize before;

		if (!open)
			return false;
		before = (gsize)(open - text.p);
		if (parse_right((struct ab_bytes){ open, text.n - before },
				line_out) &&
		    parse_left((struct ab_bytes){ text.p, before }, line_out))
			return true;
		at = before + 1;
	}
	return false;
}

/* A function's address, where the kernel does not show its name; trace-cmd
 * leaves the letter of its format behind it. */
static bool skip_address(struct ab_bytes *in)
{
	struct ab_bytes rest = *in;
	guint64 address;

	if (!tx_address(&rest, &address))
		return false;
	tx_skip(&rest, "s");
	if (!tx_skip(&rest, ":"))
		return false;
	*in = rest;
	return true;
}

bool tx_line_print(const struct tx_line *line, struct ab_bytes *print_out)
{
	*print_out = line->body;
	if (tx_equal(line->event, "tracing_mark_write"))
		return true;
	if (!tx_equal(line->event, "print"))
		return false;
	if (tx_skip(print_out, "tracing_mark_write:") ||
	    skip_address(print_out))
		tx_skip(print_out, " ");
	return true;
}

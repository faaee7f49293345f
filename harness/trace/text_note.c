// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

static bool take_cpu(struct ab_bytes *in, guint16 *cpu_out)
{
	guint64 cpu;

	if (!tx_uint(in, AB_MAX_CPUS - 1, &cpu))
		return false;
	*cpu_out = (guint16)cpu;
	return true;
}

/* "# entries-in-buffer/entries-written: 10/12   #P:8", after the colon. */
static bool parse_counts(struct ab_bytes in, struct tx_note *note)
{
	guint64 cpus;

	tx_skip_blanks(&in);
	if (!tx_uint(&in, G_MAXINT64, &note->kept) || !tx_skip(&in, "/") ||
	    !tx_uint(&in, G_MAXINT64, &note->written))
		return false;
	in = tx_after(in, "#P:");
	if (in.p && tx_uint(&in, AB_MAX_CPUS, &cpus))
		note->cpus = (int)cpus;
	return true;
}

static enum tx_note_kind parse_comment(struct ab_bytes in, struct tx_note *note)
{
	struct ab_bytes counts = tx_after(in, "entries-written:");

	if (counts.p && parse_counts(counts, note))
		return TX_NOTE_COUNTS;
	if (tx_skip(&in, "##### CPU ") && take_cpu(&in, &note->cpu) &&
	    tx_skip(&in, " buffer started"))
		return TX_NOTE_STARTED;
	return TX_NOTE_PLAIN;
}

/*
 * The kernel's "CPU:3 [LOST 12 EVENTS]" and trace-cmd's "CPU:3 [12 EVENTS
 * DROPPED]", after "CPU"; trace-cmd also says of a CPU that it is empty.
 */
static enum tx_note_kind parse_cpu(struct ab_bytes in, struct tx_note *note)
{
	if (!tx_skip(&in, ":"))
		tx_skip_blanks(&in);
	if (!take_cpu(&in, &note->cpu))
		return TX_NOTE_NONE;
	if (tx_skip(&in, " is empty"))
		return TX_NOTE_PLAIN;
	if (!tx_skip(&in, " [") ||
	    (!tx_after(in, "LOST").p && !tx_after(in, "DROPPED").p))
		return TX_NOTE_NONE;
	tx_skip(&in, "LOST ");
	if (!tx_uint(&in, G_MAXINT64, &note->lost))
		note->lost = 0;
	return TX_NOTE_LOST;
}

static enum tx_note_kind parse_cpus(struct ab_bytes in, struct tx_note *note)
{
	guint64 cpus;

	if (!tx_uint(&in, AB_MAX_CPUS, &cpus) || tx_trim_end(in).n)
		return TX_NOTE_NONE;
	note->cpus = (int)cpus;
	return TX_NOTE_CPUS;
}

/* What the tools and the stacktrace option put between events. */
static bool is_plain(struct ab_bytes in)
{
	static const char *const begins[] = {
		"=>", "version = ", "trace-cmd ", "TRACE:", "capturing trace",
	};
	guint i;

	for (i = 0; i < G_N_ELEMENTS(begins); i++)
		if (tx_skip(&in, begins[i]))
			return true;
	return !in.n;
}

static enum tx_note_kind kind_of(struct ab_bytes in, struct tx_note *note)
{
	tx_skip_blanks(&in);
	if (in.n && *in.p == '#')
		return parse_comment(in, note);
	if (tx_skip(&in, "CPU"))
		return parse_cpu(in, note);
	if (tx_skip(&in, "cpus="))
		return parse_cpus(in, note);
	if (tx_is_processes(in))
		return TX_NOTE_PROCESSES;
	return is_plain(in) ? TX_NOTE_PLAIN : TX_NOTE_NONE;
}

void tx_note_parse(struct ab_bytes text, struct tx_note *note_out)
{
	*note_out = (struct tx_note){ .kind = TX_NOTE_NONE };
	note_out->kind = kind_of(text, note_out);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

/* The head of a report names up to 1024 empty CPUs. */
#define MAX_BEGIN (64 * 1024)

static bool skip_any_case(struct ab_bytes *in, const char *literal)
{
	gsize n = strlen(literal);

	if (in->n < n ||
	    g_ascii_strncasecmp((const char *)in->p, literal, n) != 0)
		return false;
	in->p += n;
	in->n -= n;
	return true;
}

bool tx_is_html(struct ab_bytes bytes)
{
	tx_skip(&bytes, "\xef\xbb\xbf");
	while (bytes.n && g_ascii_isspace(*bytes.p)) {
		bytes.p++;
		bytes.n--;
	}
	return skip_any_case(&bytes, "<!DOCTYPE html") ||
	       skip_any_case(&bytes, "<html");
}

bool tx_is_trace(struct ab_bytes bytes)
{
	struct ab_bytes text;
	struct tx_line line;
	bool ended;

	bytes.n = MIN(bytes.n, MAX_BEGIN);
	tx_skip(&bytes, "\xef\xbb\xbf");
	while (tx_next_line(&bytes, &text, &ended)) {
		if (tx_skip(&text, "# tracer:"))
			return true;
		if (!memchr(text.p, 0, text.n) && tx_line_parse(text, &line))
			return true;
	}
	return false;
}

bool tx_is_processes(struct ab_bytes bytes)
{
	struct ab_bytes text = { NULL, 0 };
	bool ended;

	while (!text.n && tx_next_line(&bytes, &text, &ended))
		continue;
	return tx_equal(text, "PROCESS DUMP") ||
	       (tx_skip(&text, "USER ") && tx_after(text, "PID").p);
}

/* A line that opens a script with data: the page's own scripts hold the same
 * words within their code. */
static bool is_begin(struct ab_bytes line)
{
	tx_skip_blanks(&line);
	if (tx_skip(&line, "var linuxPerfData = \""))
		return true;
	return tx_skip(&line, "<script") &&
	       tx_after(line, "\"trace-data\"").p && line.p[line.n - 1] == '>';
}

static bool is_end(struct ab_bytes line)
{
	tx_skip_blanks(&line);
	return tx_equal(line, "\";") || skip_any_case(&line, "</script>");
}

bool tx_next_section(struct ab_bytes *rest, struct tx_section *section_out)
{
	struct ab_bytes line, at;
	bool ended;

	do {
		if (!tx_next_line(rest, &line, &ended))
			return false;
	} while (!is_begin(line));
	section_out->bytes = *rest;
	for (at = *rest; tx_next_line(rest, &line, &ended); at = *rest) {
		if (is_end(line)) {
			section_out->bytes.n =
				(gsize)(at.p - section_out->bytes.p);
			section_out->cut = false;
			return true;
		}
	}
	section_out->cut = true;
	return true;
}

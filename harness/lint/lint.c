// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint.h"

#include <string.h>

#define LONGEST_LINE 1000
#define MOST_FINDINGS 1000

static void free_finding(gpointer data)
{
	struct ab_lint_finding *finding = data;

	g_free(finding->text);
	g_free(finding);
}

void lint_add(struct lint *l, guint line, const char *at, bool refused,
	      const char *format, ...)
{
	const struct lint_line *where = &l->lines[line];
	struct ab_lint_finding *finding;
	va_list ap;

	if (l->findings->len == MOST_FINDINGS)
		return;
	finding = g_new0(struct ab_lint_finding, 1);
	finding->line = where->number;
	finding->column = where->indent + (int)(at - where->text) + 1;
	finding->refused = refused;
	va_start(ap, format);
	finding->text = g_strdup_vprintf(format, ap);
	va_end(ap);
	g_ptr_array_add(l->findings, finding);
}

void lint_no_n(struct lint *l, guint line, const char *at)
{
	if (!l->n_told)
		lint_add(l, line, at, true,
			 "no n: of how many runs or iterations are these?");
}

void lint_no_unit(struct lint *l, guint line, const char *at)
{
	lint_add(l, line, at, true, "no unit");
}

void lint_all_gone(struct lint *l, guint line)
{
	const char *text = l->lines[line].text;
	struct lint_number number;

	for (; lint_next_number(text, &number); text = number.end)
		if (number.value == -100 &&
		    (number.percent || g_str_has_prefix(number.end, " %")))
			lint_add(l, line, number.at, true,
				 "-100 %%: no event in n runs is not never; "
				 "give its upper bound");
}

/* ---- lines ---- */

static struct lint_line read_line(const char *line, gsize len, int number)
{
	gsize indent = 0;

	if (len && *line == '>')
		indent = len > 1 && line[1] == ' ' ? 2 : 1;
	while (len > indent && g_ascii_isspace(line[len - 1]))
		len--;
	return (struct lint_line){
		.text = g_strndup(line + indent,
				  MIN(len - indent, LONGEST_LINE)),
		.number = number,
		.indent = (int)indent,
	};
}

static void read_lines(struct lint *l, const char *text, gsize len)
{
	g_autoptr(GArray) lines =
		g_array_new(FALSE, FALSE, sizeof(struct lint_line));

	for (gsize at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		gsize n = end ? (gsize)(end - text) - at : len - at;
		struct lint_line line =
			read_line(text + at, n, (int)lines->len + 1);

		l->n_told |= lint_tells_n(line.text);
		g_array_append_val(lines, line);
		at += n + 1;
	}
	l->n = lines->len;
	l->lines = (void *)g_array_free(g_steal_pointer(&lines), FALSE);
}

static int compare(gconstpointer a, gconstpointer b)
{
	const struct ab_lint_finding *x = *(void *const *)a;
	const struct ab_lint_finding *y = *(void *const *)b;

	return x->line != y->line ? x->line - y->line : x->column - y->column;
}

static void look(struct lint *l)
{
	static void (*const shapes[])(struct lint *,
				      guint) = { lint_box, lint_robot,
						 lint_arrows, lint_bare };
	bool any = false;

	for (size_t s = 0; s < G_N_ELEMENTS(shapes); s++)
		for (guint i = 0; i < l->n; i++)
			if (!l->lines[i].grouped)
				shapes[s](l, i);
	for (guint i = 0; i < l->n; i++)
		any |= l->lines[i].grouped;
	if (!any && l->n)
		lint_add(l, 0, l->lines[0].text, false, "no table was found");
	g_ptr_array_sort(l->findings, compare);
}

GPtrArray *ab_lint(const char *text, gsize len)
{
	struct lint l = {
		.findings = g_ptr_array_new_with_free_func(free_finding),
	};

	read_lines(&l, text, MIN(len, AB_LINT_MAX));
	look(&l);
	for (guint i = 0; i < l.n; i++)
		g_free(l.lines[i].text);
	g_free(l.lines);
	return l.findings;
}

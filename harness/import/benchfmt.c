// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The Go benchmark format: "key: value" lines, "Benchmark..." lines with
 * value/unit pairs, "Unit" lines.  All other lines belong to what printed them.
 */
#include "import.h"

#include <abrig/text.h>

#include <string.h>

#define PREFIX "Benchmark"
#define MAX_KEYS 1000
#define BLANKS " \t\v\f\r"

struct parser {
	struct ab_import *import;
	GHashTable *config; /* key -> value */
	bool packages;	    /* more than one: they tell names apart */
	guint line;
};

/* The next word of *@cursor, as a new string; NULL at the end. */
static char *next_word(const char **cursor, const char *line, guint *column_out)
{
	const char *begin = *cursor + strspn(*cursor, BLANKS);
	size_t n = strcspn(begin, BLANKS);

	*column_out = (guint)(begin - line) + 1;
	*cursor = begin + n;
	return n ? g_strndup(begin, n) : NULL;
}

static bool is_result(const char *line)
{
	return g_str_has_prefix(line, PREFIX) &&
	       !g_ascii_islower(line[strlen(PREFIX)]);
}

/* ---- recognise ---- */

static bool looks_like_result(const char *line)
{
	const char *p = line + strcspn(line, " \t\r\n");

	if (!is_result(line) || memchr(line, ',', (size_t)(p - line)))
		return false;
	p += strspn(p, " \t");
	return g_ascii_isdigit(*p);
}

static bool recognise(const char *text)
{
	while (*text) {
		if (looks_like_result(text))
			return true;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return false;
}

/* ---- keys ---- */

/* "key: value"; a key is lower case and without blanks. */
static bool split_config(const char *line, char **key_out, const char **value)
{
	const char *colon = strchr(line, ':');

	if (!colon || !g_ascii_islower(*line))
		return false;
	for (const char *p = line; p < colon; p++)
		if (g_ascii_isspace(*p) || g_ascii_isupper(*p))
			return false;
	if (colon[1] && colon[1] != ' ' && colon[1] != '\t')
		return false;
	*value = colon + 1 + strspn(colon + 1, " \t");
	*key_out = g_strndup(line, (gsize)(colon - line));
	return true;
}

static bool set_config(struct parser *p, const char *line, GError **error)
{
	const struct import_place at = { p->import->file, p->line, 1 };
	const char *value;
	char *key;

	if (!split_config(line, &key, &value))
		return true;
	if (!*value) {
		g_hash_table_remove(p->config, key);
		g_free(key);
		return true;
	}
	g_hash_table_insert(p->config, key, g_strdup(value));
	if (g_hash_table_size(p->config) <= MAX_KEYS)
		return true;
	import_error(&at, error, "more than %d keys", MAX_KEYS);
	return false;
}

static bool find_packages(const char *text)
{
	g_autofree char *first = NULL;
	char *line;
	bool several = false;

	while ((line = ab_text_next_line(&text))) {
		if (g_str_has_prefix(line, "pkg:")) {
			if (!first)
				first = g_strdup(line);
			several |= strcmp(first, line) != 0;
		}
		g_free(line);
	}
	return several;
}

/* ---- a result ---- */

/* The role of a key; the variant's is named or it has none. */
static enum ab_import_role role_of(const struct ab_import *import,
				   const char *key)
{
	const struct ab_import_options *o = import->options;
	enum ab_import_role role = import_role(o, key);

	switch (role) {
	case AB_IMPORT_VARIANT:
		return o->names[role] ? role : AB_IMPORT_N_ROLES;
	case AB_IMPORT_DEVICE:
	case AB_IMPORT_BLOCK:
	case AB_IMPORT_BOOT:
	case AB_IMPORT_RUN:
		return role;
	default:
		return AB_IMPORT_N_ROLES;
	}
}

static void take_config(const struct parser *p, struct import_record *r,
			GString *workload)
{
	const struct ab_import_options *o = p->import->options;
	const char *package = g_hash_table_lookup(p->config, "pkg");
	gpointer key, value;
	GHashTableIter i;

	g_hash_table_iter_init(&i, p->config);
	while (g_hash_table_iter_next(&i, &key, &value)) {
		enum ab_import_role role = role_of(p->import, key);

		if (role != AB_IMPORT_N_ROLES)
			r->text[role] = value;
	}
	if (p->packages && package)
		g_string_append_printf(workload, "%s: ", package);
	for (const char *const *s = o->split; s && *s; s++) {
		value = g_hash_table_lookup(p->config, *s);
		if (value)
			g_string_append_printf(workload, "[%s] ",
					       (const char *)value);
	}
}

/* Of "Name/arm=A/size=1" what has a role is taken out of the name. */
static void take_name(const struct parser *p, char **parts,
		      struct import_record *r, GString *workload)
{
	for (char **part = parts; *part; part++) {
		char *equal = strchr(*part, '=');
		enum ab_import_role role = AB_IMPORT_N_ROLES;

		if (equal && part > parts) {
			*equal = '\0';
			role = role_of(p->import, *part);
			*equal = '=';
		}
		if (role != AB_IMPORT_N_ROLES)
			r->text[role] = equal + 1;
		else
			g_string_append_printf(workload, "%s%s",
					       part > parts ? "/" : "", *part);
	}
}

/* Value and unit pairs; @cursor stands after the iterations. */
static bool take_pairs(const struct parser *p, struct import_record *r,
		       const char *cursor, const char *line, GError **error)
{
	for (guint n = 0;; n++) {
		guint column;
		g_autofree char *value =
			next_word(&cursor, line, &r->at.column);
		g_autofree char *unit = next_word(&cursor, line, &column);

		if (!value && n > 0)
			return true;
		if (!unit) {
			import_error(&r->at, error,
				     value ? "a value without a unit"
					   : "a result without values");
			return false;
		}
		r->text[AB_IMPORT_METRIC] = r->text[AB_IMPORT_UNIT] = unit;
		if (!import_number(&r->at, value, &r->value, error) ||
		    !import_take(p->import, r, error))
			return false;
	}
}

static bool take_result(const struct parser *p, const char *line,
			GError **error)
{
	const char *cursor = line;
	struct import_record r = { .at = { p->import->file, p->line, 1 } };
	guint column;
	g_autofree char *name = next_word(&cursor, line, &column);
	g_autofree char *times = next_word(&cursor, line, &r.at.column);
	g_auto(GStrv) parts = g_strsplit(name + strlen(PREFIX), "/", -1);
	g_autoptr(GString) workload = g_string_new(NULL);
	gint64 n;

	/* go test -v announces a benchmark in a line of its own. */
	if (!times)
		return true;
	if (!ab_text_to_int(times, &n) || n < 0) {
		import_error(&r.at, error,
			     "a result's second word is how often it was "
			     "repeated, a whole number");
		return false;
	}
	take_config(p, &r, workload);
	take_name(p, parts, &r, workload);
	r.text[AB_IMPORT_WORKLOAD] = workload->str;
	return take_pairs(p, &r, cursor, line, error);
}

/* ---- units ---- */

static bool set_better(const struct parser *p, const struct import_place *at,
		       const char *unit, const char *better, GError **error)
{
	GHashTable *known = p->import->unit_better;
	const char *before = g_hash_table_lookup(known, unit);

	if (strcmp(better, "lower") != 0 && strcmp(better, "higher") != 0) {
		import_error(at, error, "better is either lower or higher");
		return false;
	}
	if (before && strcmp(before, better) != 0) {
		import_error(at, error, "better=%s was said of the unit before",
			     before);
		return false;
	}
	if (g_hash_table_size(known) >= MAX_KEYS) {
		import_error(at, error, "more than %d units", MAX_KEYS);
		return false;
	}
	g_hash_table_insert(known, g_strdup(unit), g_strdup(better));
	return true;
}

static bool take_unit(const struct parser *p, const char *line, GError **error)
{
	const char *cursor = line + strlen("Unit");
	struct import_place at = { p->import->file, p->line, 1 };
	g_autofree char *unit = next_word(&cursor, line, &at.column);

	if (!unit) {
		import_error(&at, error, "no unit");
		return false;
	}
	for (;;) {
		g_autofree char *word = next_word(&cursor, line, &at.column);

		if (!word)
			return true;
		if (!strchr(word, '=')) {
			import_error(&at, error,
				     "expected key=value, as better=lower");
			return false;
		}
		if (g_str_has_prefix(word, "better=") &&
		    !set_better(p, &at, unit, word + strlen("better="), error))
			return false;
	}
}

/* ---- the text ---- */

static bool take_line(struct parser *p, const char *line, GError **error)
{
	if (is_result(line))
		return take_result(p, line, error);
	if (g_str_has_prefix(line, "Unit ") || g_str_has_prefix(line, "Unit\t"))
		return take_unit(p, line, error);
	return set_config(p, line, error);
}

static bool parse(struct ab_import *import, const char *text, GError **error)
{
	struct parser p = {
		.import = import,
		.config = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						g_free),
		.packages = find_packages(text),
	};
	bool ok = true;
	char *line;

	while (ok && (line = ab_text_next_line(&text))) {
		p.line++;
		ok = take_line(&p, line, error);
		g_free(line);
	}
	g_hash_table_unref(p.config);
	return ok;
}

const struct import_format import_benchfmt = {
	.name = "Go benchmarks",
	.recognise = recognise,
	.parse = parse,
};

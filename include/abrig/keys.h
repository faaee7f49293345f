/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Option tables.  One table says what a map in a YAML file may hold; from it
 * come parsing, defaults, range checks, "unknown key 'itertions' at
 * plan.yaml:14:3, did you mean 'iterations'?", `abrig help KEYS` and the man
 * page.
 */
#ifndef ABRIG_KEYS_H
#define ABRIG_KEYS_H

#include <abrig/yaml.h>

enum ab_key_type {
	AB_KEY_STRING,	 /* char * */
	AB_KEY_INT,	 /* gint64 */
	AB_KEY_DOUBLE,	 /* double */
	AB_KEY_BOOL,	 /* bool */
	AB_KEY_DURATION, /* gint64 milliseconds; "90s", "5 min", "1h", "250ms" */
	AB_KEY_SIZE,	 /* gint64 bytes; "64 MiB", "4096" */
	AB_KEY_PERCENT,	 /* double, 5 for "5%" */
	AB_KEY_STRINGS, /* char ** NULL-terminated, from a list or one scalar */
	AB_KEY_POINT,	/* struct ab_point, from [x, y] in 0..1 */
	AB_KEY_NODE,	/* const struct ab_node *, looked at by the owner */
};

struct ab_point {
	double x, y; /* fractions of the display */
};

struct ab_key {
	const char *name;
	enum ab_key_type type;
	size_t offset; /* of the field in the struct that is filled */
	bool required;
	const char *dflt; /* text, parsed like the file's; NULL: zero */
	double min, max;  /* numbers, in the field's unit; both 0: any */
	const char *const *choices; /* strings: NULL-terminated, or NULL */
	const char *help;	    /* one or two sentences */
};

#define AB_KEYS_END          \
	{                    \
		.name = NULL \
	}

/*
 * Fill @fields (zeroed by the caller) from the map @node by @table (NULL: no
 * keys).  A NULL @node gives the defaults.  Fails with AB_ERROR_PLAN at the offending place;
 * free what was filled with ab_keys_clear() in any case.
 */
bool ab_keys_parse(const struct ab_key *table, const struct ab_node *node,
		   void *fields, GError **error);
void ab_keys_clear(const struct ab_key *table, void *fields);

/* One scalar by its key's rules; @where for the error's place. */
bool ab_keys_parse_value(const struct ab_key *key, const struct ab_node *node,
			 void *field, GError **error);

/*
 * Set AB_ERROR_PLAN at @node: "unknown KIND 'NAME', did you mean 'X'?", or the
 * known @names when none is close; false.
 */
bool ab_node_unknown(const struct ab_node *node, const char *kind,
		     const char *name, const char *const *names,
		     GError **error);

/*
 * Can @node's text be a name that is also used in file names?  Letters,
 * digits, '.', '_' and '-', a letter or digit first, at most @max bytes; @what
 * says in the error what it names.
 */
bool ab_node_check_name(const struct ab_node *node, const char *what,
			size_t max, GError **error);

/* The table as indented plain text for --help; a NULL @table has no keys. */
void ab_keys_help(const struct ab_key *table, const char *indent, GString *out);
/* The same as man(7) macros. */
void ab_keys_man(const struct ab_key *table, GString *out);
/* A paragraph, each line behind @indent, and as text in a man page. */
void ab_keys_wrap(const char *text, const char *indent, GString *out);
void ab_keys_man_text(const char *text, GString *out);

#endif

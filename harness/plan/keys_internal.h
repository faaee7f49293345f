/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the option-table engine share. */
#ifndef PLAN_KEYS_INTERNAL_H
#define PLAN_KEYS_INTERNAL_H

#include <abrig/keys.h>

struct key_type {
	const char *placeholder; /* in help: NUMBER */
	const char *expected;	 /* in errors: "a whole number, such as 5" */
};

const struct key_type *key_type(enum ab_key_type type);

/*
 * The number in @text by the rules of @type, one of the numeric types, in the
 * field's unit.  False when it is not such a number.
 */
bool key_number_parse(enum ab_key_type type, const char *text,
		      double *value_out);
/* @value as one would write it in a file: "90s", "64 MiB", "5%". */
char *key_number_format(enum ab_key_type type, double value);
/* "1..1000", or NULL when any number will do. */
char *key_range(const struct ab_key *key);

#endif

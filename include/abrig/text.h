/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small text helpers that GLib lacks.  All are independent of the locale. */
#ifndef ABRIG_TEXT_H
#define ABRIG_TEXT_H

#include <glib.h>
#include <stdbool.h>

/* The whole of @s as a decimal number; false when it is not exactly that. */
bool ab_text_to_int(const char *s, gint64 *value_out);
bool ab_text_to_double(const char *s, double *value_out);

/*
 * Of @names (NULL-terminated) the one closest to @s by edit distance, or NULL
 * when none is close: for "did you mean".  Points into @names.
 */
const char *ab_text_closest(const char *s, const char *const *names);

/*
 * @s as one word of a POSIX shell (for the device's shell), quoted when
 * needed.  Caller frees.
 */
char *ab_text_shell_quote(const char *s);

/*
 * The next line of *@cursor, without its LF or CRLF, as a new string; NULL at
 * the end.  Advances *@cursor.
 */
char *ab_text_next_line(const char **cursor);

#endif

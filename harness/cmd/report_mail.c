// SPDX-License-Identifier: GPL-3.0-or-later
#include "report_mail.h"

#include "cmd.h"

#include <abrig/error.h>
#include <abrig/file.h>
#include <abrig/mail.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#define LARGEST (16 << 20) /* bytes of a cover letter, with room for patches */
#define FRESH_SUBJECT "A/B measurement"

/* Up to @most bytes, without a NUL among them. */
static char *read_text(const char *path, gsize most, gsize *len_out,
		       GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) why = NULL;

	if (!g_file_get_contents(path, &text, len_out, &why))
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s; check the name and its permissions",
			    why->message);
	else if (*len_out > most || memchr(text, '\0', *len_out))
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: %s; is it a text of a mail?", path,
			    *len_out > most ? "too large"
					    : "has NUL bytes in it");
	else
		return g_steal_pointer(&text);
	return NULL;
}

bool report_into_cover(const char *path, const char *text, GError **error)
{
	g_autoptr(GString) filled = g_string_new(NULL);
	g_autofree char *letter = NULL;
	GStatBuf st;
	gsize len;

	letter = read_text(path, LARGEST, &len, error);
	if (!letter || !ab_cover_fill(path, letter, len, text, filled, error))
		return false;
	if (filled->len == len && !memcmp(filled->str, letter, len))
		return true;
	if (g_stat(path, &st) != 0 ||
	    !ab_file_write(path, filled->str, (gssize)filled->len, error))
		return false;
	/* Others may read what they could read before. */
	return g_chmod(path, st.st_mode & 0777) == 0;
}

/* ---- who sends it ---- */

static char *git_config(const char *key)
{
	const char *argv[] = { "git", "config", key, NULL };
	g_autofree char *value = NULL;
	int status;

	if (!g_spawn_sync(NULL, (char **)argv, NULL,
			  G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
			  NULL, NULL, &value, NULL, &status, NULL) ||
	    status != 0 || !*g_strstrip(value))
		return NULL;
	return g_steal_pointer(&value);
}

static char *sender(const char *given, GError **error)
{
	g_autofree char *name = NULL, *email = NULL;

	if (given)
		return g_strdup(given);
	name = git_config("user.name");
	email = git_config("user.email");
	if (email)
		return g_strdup_printf("%s%s<%s>", name ? name : "",
				       name ? " " : "", email);
	if (g_getenv("EMAIL"))
		return g_strdup(g_getenv("EMAIL"));
	g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
		    "who sends the mail? say --from 'Name <user@host>', or "
		    "set git's user.name and user.email");
	return NULL;
}

/* ---- the message ---- */

static bool write_out(const struct report_mail *mail, const GString *message,
		      GError **error)
{
	if (mail->out)
		return ab_file_write(mail->out, message->str,
				     (gssize)message->len, error);
	return cmd_print(message->str, message->len, error);
}

static struct ab_mail *read_mail(const char *path, GError **error)
{
	g_autofree char *data = NULL;
	gsize len;

	data = read_text(path, G_MAXINT32, &len, error);
	return data ? ab_mail_parse(path, data, len, error) : NULL;
}

bool report_mbox(const struct report_mail *mail, const char *text,
		 GError **error)
{
	g_autofree char *from = sender(mail->from, error);
	g_autoptr(GString) message = g_string_new(NULL);
	ab_autoptr(ab_mail) answered = NULL;
	struct ab_mail_draft draft = {
		.from = from,
		.subject = FRESH_SUBJECT,
		.text = text,
	};

	if (!from)
		return false;
	if (mail->reply_to) {
		answered = read_mail(mail->reply_to, error);
		if (!answered)
			return false;
		draft.answered = answered;
	}
	return ab_mail_write(&draft, message, error) &&
	       write_out(mail, message, error);
}

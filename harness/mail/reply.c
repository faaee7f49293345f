// SPDX-License-Identifier: GPL-3.0-or-later
/* A draft as an mbox of one message. */
#include "mail.h"

#include <abrig/error.h>
#include <string.h>

#define LINE 72
#define MOST_QUOTED 2000 /* lines; nobody answers below more */
/* The date by which git, too, tells its own drafts from mail that was sent. */
#define FROM_LINE                                        \
	"From 0000000000000000000000000000000000000000 " \
	"Mon Sep 17 00:00:00 2001\n"

/* ---- headers ---- */

/* What follows a comma or a blank may stand on a line of its own. */
static void add_header(GString *out, const char *name, const char *value)
{
	g_auto(GStrv) words = g_strsplit(value, " ", -1);
	gsize column = strlen(name) + 1;

	g_string_append_printf(out, "%s:", name);
	for (char **word = words; *word; word++) {
		gsize n = strlen(*word);

		if (!n)
			continue;
		if (column + 1 + n > LINE && column > strlen(name) + 1) {
			g_string_append_c(out, '\n');
			column = 0;
		}
		g_string_append_printf(out, " %s", *word);
		column += 1 + n;
	}
	g_string_append_c(out, '\n');
}

static bool is_ascii(const char *text)
{
	while (*text && (guchar)*text < 0x80)
		text++;
	return !*text;
}

/* A name as a header holds it: as it is, in quotes, or an encoded word. */
static char *encode_name(const char *name)
{
	g_autofree char *base64 = NULL;
	size_t n = strlen(name);
	bool quoted =
		n > 1 && *name == '"' && strchr(name + 1, '"') == name + n - 1;

	if (is_ascii(name) && !strchr(name, '\\')) {
		if (quoted || !strpbrk(name, "()<>[]:;@,.\""))
			return g_strdup(name);
		if (!strchr(name, '"'))
			return g_strdup_printf("\"%s\"", name);
	}
	base64 = g_base64_encode((const guchar *)name, n);
	return g_strdup_printf("=?UTF-8?B?%s?=", base64);
}

/* "Name <user@host>" for a header. */
static char *encode_from(const char *from, GError **error)
{
	g_autofree char *address = mail_address(from);
	g_autofree char *name = NULL, *encoded = NULL, *angle = NULL;
	const char *open = strrchr(from, '<');

	if (!address || strpbrk(from, "\r\n")) {
		g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
			    "'%s' is no sender; say 'Name <user@host>'", from);
		return NULL;
	}
	if (!open || open == from)
		return g_steal_pointer(&address);
	name = g_strstrip(g_strndup(from, (gsize)(open - from)));
	encoded = encode_name(name);
	/* As it was written: hosts do not care, people do. */
	angle = g_strndup(open, strcspn(open, ">"));
	return g_strdup_printf("%s %s>", encoded, angle);
}

/* All of @value that @seen has not. */
static void add_new(const char *value, GHashTable *seen, GString *list)
{
	g_autoptr(GPtrArray) all = mail_addresses(value);

	for (guint i = 0; i < all->len; i++) {
		char *address = mail_address(all->pdata[i]);

		if (!address)
			continue;
		if (!g_hash_table_add(seen, address))
			continue;
		g_string_append_printf(list, "%s%s", list->len ? ", " : "",
				       (char *)all->pdata[i]);
	}
}

static void add_people(const struct ab_mail *mail, const char *from,
		       GString *out)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GString) to = g_string_new(NULL);
	g_autoptr(GString) cc = g_string_new(NULL);

	g_hash_table_add(seen, mail_address(from));
	add_new(mail->reply_to ? mail->reply_to : mail->from, seen, to);
	/* An answer to oneself goes where the mail went. */
	if (!to->len)
		add_new(mail->to, seen, to);
	add_new(mail->to, seen, cc);
	add_new(mail->cc, seen, cc);
	if (to->len)
		add_header(out, "To", to->str);
	if (cc->len)
		add_header(out, "Cc", cc->str);
}

static void add_thread(const struct ab_mail *mail, GString *out)
{
	const char *subject = mail->subject ? mail->subject : "";
	bool re = !g_ascii_strncasecmp(subject, "re:", 3);
	g_autofree char *full = g_strconcat(re ? "" : "Re: ", subject, NULL);
	g_autofree char *references =
		g_strconcat(mail->references ? mail->references : "",
			    mail->references ? " " : "", mail->message_id,
			    NULL);

	add_header(out, "Subject", full);
	add_header(out, "In-Reply-To", mail->message_id);
	add_header(out, "References", references);
}

/* ---- the body ---- */

/* Nobody needs to read these again. */
static bool ends_quote(const char *line)
{
	return !strcmp(line, "-- ") || !strcmp(line, "--") ||
	       !strcmp(line, "---") || g_str_has_prefix(line, "diff --git ");
}

/* What a terminal would obey; C1 is C2 80 to C2 9F. */
static void no_controls(char *line)
{
	for (guchar *p = (guchar *)line; *p; p++)
		if ((g_ascii_iscntrl(*p) && *p != '\t') ||
		    (*p == 0xc2 && p[1] < 0xa0))
			*p = p[0] == 0xc2 ? (p[1] = '?') : '?';
}

static void add_quote(const struct ab_mail *mail, GString *out)
{
	g_auto(GStrv) lines = g_strsplit(mail->body, "\n", MOST_QUOTED + 1);
	guint n = 0;

	while (n < MOST_QUOTED && lines[n] && !ends_quote(lines[n]))
		n++;
	while (n && !*g_strchomp(lines[n - 1]))
		n--;
	for (guint i = 0; i < n; i++) {
		g_strchomp(lines[i]);
		no_controls(lines[i]);
		g_string_append_printf(out, ">%s%s\n", *lines[i] ? " " : "",
				       lines[i]);
	}
}

static void add_attribution(const struct ab_mail *mail, GString *out)
{
	g_autofree char *decoded = ab_mail_decode_words(mail->from);
	g_autofree char *name = g_strndup(decoded, strcspn(decoded, "<("));
	g_autofree char *date = ab_mail_decode_words(
		mail->date && *mail->date ? mail->date : "");

	g_strdelimit(name, "\"", ' ');
	g_strstrip(name);
	/* Never a line that an mbox would take for a message. */
	g_string_append_printf(out, "%s%s, ", *date ? "On " : "Earlier", date);
	g_string_append_printf(out, "%s wrote:\n", *name ? name : decoded);
}

bool ab_mail_write(const struct ab_mail_draft *draft, GString *out,
		   GError **error)
{
	g_autofree char *from = encode_from(draft->from, error);
	g_autoptr(GString) body = g_string_new(NULL);

	if (!from)
		return false;
	if (draft->answered) {
		add_attribution(draft->answered, body);
		add_quote(draft->answered, body);
		g_string_append_c(body, '\n');
	}
	g_string_append(body, draft->text);
	g_string_append(out, FROM_LINE);
	add_header(out, "From", from);
	if (draft->answered) {
		add_people(draft->answered, from, out);
		add_thread(draft->answered, out);
	} else {
		add_header(out, "Subject", draft->subject);
	}
	g_string_append_printf(out,
			       "MIME-Version: 1.0\n"
			       "Content-Type: text/plain; charset=UTF-8\n"
			       "Content-Transfer-Encoding: %s\n\n",
			       is_ascii(body->str) ? "7bit" : "8bit");
	g_string_append(out, body->str);
	return true;
}

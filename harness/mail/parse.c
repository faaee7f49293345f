// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail.h"

#include <abrig/error.h>
#include <string.h>

#define FROM_LINE "From "

/* The first message of an mbox, without the line that begins it. */
static void first_message(const char **data, gsize *len)
{
	const char *line, *next;

	if (*len < strlen(FROM_LINE) ||
	    memcmp(*data, FROM_LINE, strlen(FROM_LINE)) != 0)
		return;
	line = memchr(*data, '\n', *len);
	if (!line)
		return;
	*len -= (gsize)(line + 1 - *data);
	*data = line + 1;
	next = g_strstr_len(*data, (gssize)*len, "\n\n" FROM_LINE);
	if (next)
		*len = (gsize)(next + 1 - *data);
}

static struct ab_mail *take(const struct mail_headers *h, const char *body,
			    gsize len)
{
	struct ab_mail *mail = g_new0(struct ab_mail, 1);

	mail->subject = g_strdup(mail_header(h, "Subject"));
	mail->from = g_strdup(mail_header(h, "From"));
	mail->reply_to = g_strdup(mail_header(h, "Reply-To"));
	mail->to = g_strdup(mail_header(h, "To"));
	mail->cc = g_strdup(mail_header(h, "Cc"));
	mail->date = g_strdup(mail_header(h, "Date"));
	mail->message_id = g_strdup(mail_header(h, "Message-ID"));
	mail->references = g_strdup(mail_header(h, "References"));
	mail->body = mail_text(h, body, len);
	if (!mail->body)
		mail->body = g_strdup("");
	return mail;
}

static bool check(const char *name, const struct ab_mail *mail, GError **error)
{
	g_autofree char *author = mail->from ? mail_address(mail->from) : NULL;

	if (author && mail->message_id && *mail->message_id == '<')
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "%s: no mail: it lacks %s; save the whole message, with "
		    "its headers",
		    name, author ? "a Message-ID" : "a From with an address");
	return false;
}

struct ab_mail *ab_mail_parse(const char *name, const char *data, gsize len,
			      GError **error)
{
	ab_autoptr(ab_mail) mail = NULL;
	struct mail_headers h;
	gsize head;

	len = MIN(len, AB_MAIL_MAX);
	first_message(&data, &len);
	head = mail_headers_read(&h, data, len);
	mail = take(&h, data + head, len - head);
	mail_headers_clear(&h);
	return check(name, mail, error) ? g_steal_pointer(&mail) : NULL;
}

void ab_mail_free(struct ab_mail *mail)
{
	if (!mail)
		return;
	g_free(mail->subject);
	g_free(mail->from);
	g_free(mail->reply_to);
	g_free(mail->to);
	g_free(mail->cc);
	g_free(mail->date);
	g_free(mail->message_id);
	g_free(mail->references);
	g_free(mail->body);
	g_free(mail);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report on its way to a mailing list: into a cover letter, or as the answer
 * to a mail.  Text in, text out; nothing is ever sent.
 *
 * Mails are read as RFC 5322 and 2045 to 2047 say, as far as an answer needs
 * it: the first text/plain part is the body.  They may come from anybody: no
 * more than AB_MAIL_MAX bytes are looked at, and nothing of them gets into a
 * header but printable text of one line.
 */
#ifndef ABRIG_MAIL_H
#define ABRIG_MAIL_H

#include <abrig/auto.h>
#include <glib.h>
#include <stdbool.h>

#define AB_MAIL_MAX (4 << 20)

/* Headers are unfolded, with encoded words as they came; NULL: none. */
struct ab_mail {
	char *subject, *from, *reply_to, *to, *cc, *date;
	char *message_id, *references;
	char *body; /* UTF-8, lines end in '\n'; "" without text */
};

/*
 * The mail in the @len bytes of @data, or the first one of an mbox.
 * AB_ERROR_DATA without an author and a message id; messages begin with @name.
 */
struct ab_mail *ab_mail_parse(const char *name, const char *data, gsize len,
			      GError **error);
void ab_mail_free(struct ab_mail *mail);
AB_DEFINE_AUTO(ab_mail, ab_mail_free)

/* Encoded words of a header's value in UTF-8 (caller frees). */
char *ab_mail_decode_words(const char *value);

struct ab_mail_draft {
	const char *from;		/* "Name <user@host>", UTF-8 */
	const char *subject;		/* when it answers no mail */
	const struct ab_mail *answered; /* or NULL */
	const char *text;		/* ASCII */
};
/*
 * Append the draft as an mbox of one message, which git send-email takes.  An
 * answer goes to the author and, as copies, to all others but its sender; it
 * quotes the mail up to its signature or patch.  AB_ERROR_USAGE when @from is
 * no address.
 */
bool ab_mail_write(const struct ab_mail_draft *draft, GString *out,
		   GError **error);

#define AB_COVER_BEGIN "[abrig report begin]"
#define AB_COVER_END "[abrig report end]"

/*
 * Append to @out the @len bytes of @letter with @text between the lines
 * AB_COVER_BEGIN and AB_COVER_END, in place of what stood there.  Without
 * these lines they are put before the list of patches, the diffstat or the
 * signature, whichever is first.  All else stays as it is, and lines end as
 * they do in @letter.  AB_ERROR_DATA when there is no such place, or a marker
 * lacks the other or occurs twice; messages begin with @name.
 */
bool ab_cover_fill(const char *name, const char *letter, gsize len,
		   const char *text, GString *out, GError **error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where abrig report puts a table that goes to a mailing list. */
#ifndef CMD_REPORT_MAIL_H
#define CMD_REPORT_MAIL_H

#include <glib.h>
#include <stdbool.h>

/* Fill the marked block of the cover letter in the file @path. */
bool report_into_cover(const char *path, const char *text, GError **error);

struct report_mail {
	char *from;	/* NULL: git's user, or $EMAIL */
	char *reply_to; /* file of the mail that is answered; or NULL */
	char *out;	/* NULL: standard output */
};
bool report_mbox(const struct report_mail *mail, const char *text,
		 GError **error);

#endif

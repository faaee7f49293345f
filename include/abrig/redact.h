/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report for strangers: serials, code names, models, builds and directories
 * get names that say nothing ("device-1", "product-1"), the same in every
 * format and each time that the campaign is reported.
 */
#ifndef ABRIG_REDACT_H
#define ABRIG_REDACT_H

#include <abrig/auto.h>
#include <abrig/report.h>

struct ab_secrets; /* opaque */

/* What @report tells of its phones and of the host. */
struct ab_secrets *ab_secrets_new(const struct ab_report *report);
void ab_secrets_free(struct ab_secrets *secrets);
AB_DEFINE_AUTO(ab_secrets, ab_secrets_free)

/*
 * A copy of @report without @secrets.  It points into @report, which must
 * outlive it; free it with ab_report_redacted_free().
 */
struct ab_report *ab_report_redact(const struct ab_report *report,
				   const struct ab_secrets *secrets);
void ab_report_redacted_free(struct ab_report *redacted);

/*
 * Replace what is left of @secrets in a text that was made of a redacted
 * report: nothing, unless a format prints what ab_report_redact() does not
 * know.
 */
void ab_secrets_hide(const struct ab_secrets *secrets, GString *text);

#endif

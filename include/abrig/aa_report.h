/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What abrig aa prints: the record of each device. */
#ifndef ABRIG_AA_REPORT_H
#define ABRIG_AA_REPORT_H

#include <abrig/aa.h>

/* One device: verdict, false-alarm rate, and a line per metric. */
void ab_aa_page(const struct ab_aa_summary *summary, GString *out);
/* struct ab_aa_summary * of all devices; docs/HOWTO-aa.md, version 1. */
void ab_aa_json(const GPtrArray *summaries, GString *out);

#endif

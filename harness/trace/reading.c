// SPDX-License-Identifier: GPL-3.0-or-later
#include "reading.h"

/* What is less is not worth telling. */
#define STEP 1e-3

static void tell(struct ab_reading *reading, double at)
{
	const struct ab_trace_progress *p = reading->progress;

	reading->at = at;
	p->tell(p->user, (guint64)(at * (double)reading->size), reading->size);
}

void ab_reading_stage(struct ab_reading *reading, double share)
{
	reading->begin = reading->at;
	reading->share = (1 - reading->begin) * share;
}

void ab_reading_at(struct ab_reading *reading, guint64 done, guint64 total)
{
	double at;

	if (!reading->progress || !total)
		return;
	/* What a child or a list of packets announces may not be so. */
	at = reading->begin +
	     reading->share * (double)MIN(done, total) / (double)total;
	if (at >= reading->at + STEP)
		tell(reading, at);
}

void ab_reading_end(struct ab_reading *reading)
{
	if (reading->progress)
		tell(reading, 1);
	reading->progress = NULL;
}

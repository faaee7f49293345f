// SPDX-License-Identifier: GPL-3.0-or-later
/* The runs of a campaign, one by one, as a report lists them. */
#include "results.h"

static void fill_run(const struct results *r, const struct result_run *run,
		     struct ab_report_run *out)
{
	const struct ab_device_row *device = results_device(r, run);
	const struct ab_scenario *scenario =
		r->scenarios->pdata[run->row->scenario];

	*out = (struct ab_report_run){
		.id = run->row->id,
		.session = run->session->id,
		.platform = device->platform,
		.scenario = scenario->name,
		.device = device->serial,
		.variant = run->session->variant,
		.block = run->session->block,
		.boot = run->session->position,
		.position = run->row->position,
		.attempt = run->row->attempt,
		.warmup = run->row->warmup,
		.accepted = run->row->state == AB_RUN_ACCEPTED,
		.gate = run->row->gate,
		.reason = run->row->reason,
		.dir = run->row->dir,
		.began = run->row->began,
		.ended = run->row->ended,
		.skin_c = run->row->skin_c,
		.battery = run->row->battery,
		.banner = run->session->banner,
		.data = run->data,
	};
}

void results_fill_runs(struct results *r)
{
	r->report.runs = g_new0(struct ab_report_run, r->runs->len);
	for (guint i = 0; i < r->runs->len; i++) {
		const struct result_run *run = r->runs->pdata[i];

		if (run->row->state != AB_RUN_PLANNED)
			fill_run(r, run, &r->report.runs[r->report.n_runs++]);
	}
}

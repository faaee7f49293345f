// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs, phones and gates of a campaign, one by one, as a report lists them. */
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
		.config_sha256 = run->session->config_sha256,
		.slot = run->session->slot,
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

/* ---- phones ---- */

static void count_boots(const struct results *r,
			const struct ab_device_row *device,
			struct ab_report_device *out)
{
	for (guint i = 0; i < r->sessions->len; i++) {
		const struct ab_session_row *s = r->sessions->pdata[i];

		if (s->device != device->id || s->state == AB_SESSION_PLANNED)
			continue;
		out->boots++;
		out->boots_lost += s->state == AB_SESSION_LOST ||
				   s->state == AB_SESSION_FAILED ||
				   s->state == AB_SESSION_LEFT;
	}
}

static const char *unless_empty(const char *text)
{
	return text && *text ? text : NULL;
}

static void fill_device(const struct results *r,
			const struct ab_device_row *row,
			struct ab_report_device *out)
{
	*out = (struct ab_report_device){
		.serial = row->serial,
		.platform = row->platform,
		.fastboot = unless_empty(row->fastboot),
		.product = unless_empty(row->product),
		.model = unless_empty(row->model),
		.soc = unless_empty(row->soc),
		.fingerprint = unless_empty(row->fingerprint),
		.failed = row->failed,
	};
	count_boots(r, row, out);
}

void results_fill_devices(struct results *r)
{
	r->report.n_devices = r->devices->len;
	r->report.devices =
		g_new0(struct ab_report_device, r->report.n_devices);
	for (guint i = 0; i < r->devices->len; i++)
		fill_device(r, r->devices->pdata[i], &r->report.devices[i]);
}

/* ---- gates ---- */

void results_fill_gates(struct results *r)
{
	g_autoptr(GArray) gates =
		g_array_new(FALSE, FALSE, sizeof(struct ab_report_gate));

	for (const struct ab_gate *g = ab_gates; g->id; g++) {
		const struct ab_report_gate gate = { g->id, g->what,
						     g->remedy };

		g_array_append_val(gates, gate);
	}
	r->report.n_gates = gates->len;
	r->report.gates = (void *)g_array_free(g_steal_pointer(&gates), FALSE);
}

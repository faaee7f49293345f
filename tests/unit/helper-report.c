// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper-report.h"

#include <math.h>

#define DEVICES 2
#define BLOCKS 3
#define VARIANTS 2
#define RUNS 2 /* of a boot, that count */
#define N_OBS (DEVICES * BLOCKS * VARIANTS * RUNS)
#define SAMPLES 20

const char *const helper_report_secrets[] = {
	"2A101FDH2000XX",  "2A101FDH2000YY",  "shiba", "Pixel 8",
	"UQ1A.240105.004", "/home/kim/plans", NULL
};

static const char *const metrics[] = {
	"pm_runtime_work.cpu_wait.mean",
	"pm_runtime_work.cpu_wait.p99",
	"pm_runtime_work.cpu_wait.ge_2ms",
	"frames.sf_missed",
	"power.total",
	"jankbench.jank",
};

/* All that the report points into. */
struct sample_report {
	struct ab_report report; /* first: it is what callers hold */
	struct ab_report_table table;
	struct ab_report_row rows[G_N_ELEMENTS(metrics)];
	struct ab_report_run runs[N_OBS + 2];
	struct ab_report_device devices[DEVICES];
	struct ab_report_gate gates[3];
	struct ab_report_exclusion exclusions[1];
	struct ab_run_data *data;
	double samples[N_OBS][SAMPLES];
	int counts[VARIANTS], boots[VARIANTS];
};

static char *variants[] = { "base", "pm wq/highpri", NULL };
static char *notes[] = { "2A101FDH2000XX was charging in 1 run",
			 "a note of <two>\nlines & \"quotes\"", NULL };
static char *provenance[] = {
	"A: 2A101FDH2000XX, 2A101FDH2000YY, Pixel 8, google/shiba/shiba:14/"
	"UQ1A.240105.004/11206848:userdebug/dev-keys",
	"A base: 6.12.30-shiba-g1b2c3d4 #1 SMP PREEMPT; config 01234567", NULL
};

/* Numbers that look measured and are always the same. */
static double noise(int i)
{
	return (i * 37 % 23) / 23.0;
}

static struct ab_obs obs_at(struct sample_report *s, int i)
{
	int variant = i / RUNS % VARIANTS;
	int boot = i / RUNS;

	for (int k = 0; k < SAMPLES; k++)
		s->samples[i][k] =
			100 * (k + 1) * (variant ? 0.7 : 1) + 5 * noise(i + k);
	return (struct ab_obs){
		.variant = variant,
		.device = 1 + boot / (BLOCKS * VARIANTS),
		.block = boot / VARIANTS % BLOCKS,
		.session = 1 + boot,
		.position = i % RUNS,
		.value = NAN,
		.per = NAN,
		.at = NAN,
		.skin_c = NAN,
		.battery = NAN,
	};
}

static void fill_row(struct sample_report *s, size_t k)
{
	const struct ab_metric *m = ab_metric_find(metrics[k]);
	const struct ab_stats_options options = { 0.95, 5, 200 };
	struct ab_obs obs[N_OBS];

	for (int i = 0; i < N_OBS; i++) {
		obs[i] = obs_at(s, i);
		if (m->stat == AB_STAT_RUN_MEAN || m->stat == AB_STAT_RATIO) {
			obs[i].value = 50 + (double)k + 7 * noise(i) -
				       10 * obs[i].variant;
			obs[i].per = m->per ? 640 : NAN;
		} else {
			obs[i].samples = s->samples[i];
			obs[i].n_samples = SAMPLES;
		}
	}
	s->rows[k].metric = m;
	s->rows[k].primary = k == 0 || k == 3;
	ab_report_take(&s->rows[k], m, obs, N_OBS, &options);
	ab_report_fill_rows(&s->rows[k], 1, VARIANTS, 42);
}

static void fill_run(struct sample_report *s, int i)
{
	const struct ab_obs obs = obs_at(s, i);

	s->runs[i] = (struct ab_report_run){
		.id = 100 + i,
		.session = obs.session,
		.platform = "A",
		.scenario = "notification-shade",
		.device = s->devices[obs.device - 1].serial,
		.variant = obs.variant,
		.block = obs.block,
		.boot = obs.variant,
		.position = obs.position,
		.accepted = true,
		.began = "2026-11-02T20:11:04Z",
		.ended = "2026-11-02T20:11:34Z",
		.skin_c = 31.5,
		.battery = 80,
		.banner = "Linux version 6.12.30-shiba-g1b2c3d4 (kim@desk) "
			  "(clang 18) #1 SMP PREEMPT",
		.config_sha256 = "0123456789abcdef",
		.slot = "b",
	};
}

static void fill_runs(struct sample_report *s)
{
	struct ab_report_run *rejected = &s->runs[N_OBS];
	struct ab_report_run *warmup = &s->runs[N_OBS + 1];

	for (int i = 0; i < N_OBS; i++)
		fill_run(s, i);
	*rejected = s->runs[0];
	rejected->id = 7;
	rejected->position = 8;
	rejected->attempt = 1;
	rejected->accepted = false;
	rejected->gate = "thermal";
	rejected->reason = "2A101FDH2000XX: skin 41.2 C, \"limit\" 38.0 C";
	*warmup = s->runs[0];
	warmup->id = 8;
	warmup->position = 9;
	warmup->warmup = true;
	warmup->skin_c = NAN;
	warmup->battery = -1;
	s->data = ab_run_data_new();
	ab_run_data_withhold(s->data, "power.gpu", "no such rail on shiba");
	s->runs[1].data = s->data;
}

static void fill_devices(struct sample_report *s)
{
	for (int i = 0; i < DEVICES; i++)
		s->devices[i] = (struct ab_report_device){
			.serial = helper_report_secrets[i],
			.platform = "A",
			.product = "shiba",
			.model = "Pixel 8",
			.soc = "Tensor G3",
			.fingerprint = "google/shiba/shiba:14/UQ1A.240105.004/"
				       "11206848:userdebug/dev-keys",
			.boots = BLOCKS * VARIANTS,
			.boots_lost = i,
		};
}

static void fill_head(struct sample_report *s)
{
	s->report = (struct ab_report){
		.plan = "pm-wq-highpri",
		.plan_sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34"
			       "d08286a2e846f6be03",
		.tool = "abrig 0.1.0",
		.seed = 42,
		.began = "2026-11-02T20:11:04Z",
		.ended = "2026-11-03T05:40:51Z",
		.directory = "/home/kim/plans/night-1",
		.variants = variants,
		.n_variants = VARIANTS,
		.tables = &s->table,
		.n_tables = 1,
		.runs = s->runs,
		.n_runs = G_N_ELEMENTS(s->runs),
		.devices = s->devices,
		.n_devices = DEVICES,
		.gates = s->gates,
		.n_gates = G_N_ELEMENTS(s->gates),
		.exclusions = s->exclusions,
		.n_exclusions = 1,
		.notes = notes,
		.provenance = provenance,
		.runs_planned = N_OBS,
		.runs_started = N_OBS + 1,
		.runs_accepted = N_OBS,
	};
}

struct ab_report *helper_report_new(void)
{
	struct sample_report *s = g_new0(struct sample_report, 1);

	fill_head(s);
	fill_devices(s);
	fill_runs(s);
	for (size_t k = 0; k < G_N_ELEMENTS(metrics); k++)
		fill_row(s, k);
	for (int v = 0; v < VARIANTS; v++) {
		s->counts[v] = N_OBS / VARIANTS;
		s->boots[v] = N_OBS / VARIANTS / RUNS;
	}
	s->table = (struct ab_report_table){
		.platform = "A",
		.scenario = "notification-shade",
		.cpus = 8,
		.devices = DEVICES,
		.refresh_hz = 120,
		.runs = s->counts,
		.boots = s->boots,
		.rows = s->rows,
		.n_rows = G_N_ELEMENTS(metrics),
	};
	s->gates[0] = (struct ab_report_gate){ "battery", "it is charged",
					       "charge the phone" };
	s->gates[1] = (struct ab_report_gate){ "thermal", "it is not hot",
					       "cool the phone" };
	s->gates[2] = (struct ab_report_gate){ "trace-loss", "all is there",
					       "enlarge buffers" };
	s->exclusions[0] =
		(struct ab_report_exclusion){ "A", "notification-shade", "base",
					      "thermal", 1 };
	ab_report_decide(&s->report, 0.95, 0.95);
	return &s->report;
}

void helper_report_free(struct ab_report *report)
{
	struct sample_report *s = (struct sample_report *)report;

	for (size_t k = 0; k < G_N_ELEMENTS(metrics); k++)
		ab_report_clear_row(&s->rows[k]);
	ab_run_data_free(s->data);
	g_free(s);
}

char *helper_report_text(const struct ab_report *report, const char *name)
{
	const struct ab_report_ops *ops = ab_report_find(name);
	GString *out = g_string_new(NULL);

	g_assert_nonnull(ops);
	ops->write(report, out);
	return g_string_free(out, FALSE);
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* What a plan may hold; parsing, help and the man page come from here. */
#include "plan_internal.h"

#include <stddef.h>

#define MAX_SEED 9007199254740992.0

#define TOP(field) offsetof(struct plan_keys, field)

const struct ab_key plan_keys[] = {
	{ .name = "plan",
	  .type = AB_KEY_STRING,
	  .offset = TOP(name),
	  .required = true,
	  .help = "Name of the plan; stands above its reports." },
	{ .name = "version",
	  .type = AB_KEY_INT,
	  .offset = TOP(version),
	  .dflt = "1",
	  .min = 1,
	  .max = 1,
	  .help = "Version of the keys that this plan is written in." },
	{ .name = "platforms",
	  .type = AB_KEY_NODE,
	  .offset = TOP(platforms),
	  .required = true,
	  .help = "Kinds of phones: a map from a name to its devices. Devices "
		  "of one platform are pooled." },
	{ .name = "variants",
	  .type = AB_KEY_NODE,
	  .offset = TOP(variants),
	  .required = true,
	  .help = "Kernels to compare: a map from a name to what to install, "
		  "or to the name of a file that says it. The first is the "
		  "baseline." },
	{ .name = "scenarios",
	  .type = AB_KEY_NODE,
	  .offset = TOP(scenarios),
	  .required = true,
	  .help = "Workloads: a list of names, or of maps from a name to "
		  "parameters that override the scenario's own." },
	{ .name = "schedule",
	  .type = AB_KEY_NODE,
	  .offset = TOP(schedule),
	  .help = "How many boots and runs." },
	{ .name = "prepare",
	  .type = AB_KEY_NODE,
	  .offset = TOP(prepare),
	  .help = "The state that each phone is brought into after a boot; "
		  "everything is restored at the end." },
	{ .name = "gates",
	  .type = AB_KEY_NODE,
	  .offset = TOP(gates),
	  .help = "Limits of the conditions that a run must meet." },
	{ .name = "metrics",
	  .type = AB_KEY_NODE,
	  .offset = TOP(metrics),
	  .help = "What the verdicts are about." },
	{ .name = "same",
	  .type = AB_KEY_BOOL,
	  .offset = TOP(same),
	  .dflt = "false",
	  .help = "Declares an A/A plan: the variants are meant to be the "
		  "same kernel, and need not be told apart." },
	AB_KEYS_END
};

#define SCHEDULE(field) offsetof(struct ab_schedule, field)

const struct ab_key plan_schedule_keys[] = {
	{ .name = "blocks",
	  .type = AB_KEY_INT,
	  .offset = SCHEDULE(blocks),
	  .dflt = "8",
	  .min = 1,
	  .max = 1000,
	  .help = "Blocks per device. Each boots every variant once, in random "
		  "order; intervals come from whole boots, so this number "
		  "narrows them." },
	{ .name = "runs",
	  .type = AB_KEY_INT,
	  .offset = SCHEDULE(runs),
	  .dflt = "5",
	  .min = 1,
	  .max = 10000,
	  .help = "Runs of each scenario per session (one boot)." },
	{ .name = "warmup",
	  .type = AB_KEY_INT,
	  .offset = SCHEDULE(warmup),
	  .dflt = "1",
	  .max = 100,
	  .help = "Runs of each scenario per session that come first; they "
		  "are kept but not analysed." },
	{ .name = "seed",
	  .type = AB_KEY_INT,
	  .offset = SCHEDULE(seed),
	  .dflt = "1",
	  .max = MAX_SEED,
	  .help = "Seed of the random order. The same plan with the same seed "
		  "gives the same schedule." },
	{ .name = "retries",
	  .type = AB_KEY_INT,
	  .offset = SCHEDULE(retries),
	  .dflt = "3",
	  .max = 100,
	  .help = "How often a rejected run is repeated, and a session whose "
		  "boot failed or was lost." },
	{ .name = "stop",
	  .type = AB_KEY_NODE,
	  .offset = SCHEDULE(stop_node),
	  .help = "Ends the campaign early, after whole blocks, when its "
		  "answer is clear; blocks is then the most there can be." },
	AB_KEYS_END
};

#define STOP(field) offsetof(struct ab_stop, field)

static const char *const stop_when[] = { "clear", NULL };
static const char *const spendings[] = { "obrien-fleming", "pocock", NULL };

const struct ab_key plan_stop_keys[] = {
	{ .name = "when",
	  .type = AB_KEY_STRING,
	  .offset = STOP(when),
	  .required = true,
	  .choices = stop_when,
	  .help = "clear: each primary metric is different, or equivalent, or "
		  "has a chance below 5 % to become either in the blocks "
		  "left. Intervals of primary metrics become repeated "
		  "confidence intervals, which hold at all looks together." },
	{ .name = "first",
	  .type = AB_KEY_INT,
	  .offset = STOP(first),
	  .dflt = "6",
	  .min = 3,
	  .max = 1000,
	  .help = "Blocks per device before the first look." },
	{ .name = "every",
	  .type = AB_KEY_INT,
	  .offset = STOP(every),
	  .dflt = "2",
	  .min = 1,
	  .max = 1000,
	  .help = "Blocks per device from one look to the next." },
	{ .name = "spending",
	  .type = AB_KEY_STRING,
	  .offset = STOP(spending),
	  .dflt = "obrien-fleming",
	  .choices = spendings,
	  .help = "How the error of 5 % is spent over the looks (Lan and "
		  "DeMets): obrien-fleming asks much of early looks and next "
		  "to nothing of the last; pocock asks the same of all." },
	AB_KEYS_END
};

#define GATE(field) offsetof(struct ab_gate_options, field)

const struct ab_key plan_gate_keys[] = {
	{ .name = "max_skin",
	  .type = AB_KEY_DOUBLE,
	  .offset = GATE(max_skin_c),
	  .dflt = "37",
	  .min = 10,
	  .max = 60,
	  .help = "Highest skin temperature, in degrees Celsius, at which a "
		  "run may begin." },
	{ .name = "cool",
	  .type = AB_KEY_DURATION,
	  .offset = GATE(cool_ms),
	  .dflt = "15min",
	  .max = 4 * 3600e3,
	  .help = "How long a phone that is too hot is waited for." },
	{ .name = "min_battery",
	  .type = AB_KEY_INT,
	  .offset = GATE(min_battery),
	  .dflt = "20",
	  .max = 100,
	  .help = "Lowest battery level, in percent, at which a run may "
		  "begin." },
	{ .name = "allow_charging",
	  .type = AB_KEY_BOOL,
	  .offset = GATE(allow_charging),
	  .dflt = "false",
	  .help = "Run although the phone charges, which heats it." },
	{ .name = "min_free",
	  .type = AB_KEY_SIZE,
	  .offset = GATE(min_free),
	  .dflt = "2 GiB",
	  .max = 1125899906842624.0, /* 1 PiB */
	  .help = "Free space that the campaign's directory must have before "
		  "each run." },
	AB_KEYS_END
};

const struct ab_key plan_metrics_keys[] = {
	{ .name = "primary",
	  .type = AB_KEY_STRINGS,
	  .offset = offsetof(struct plan_metrics, primary),
	  .dflt = "[]",
	  .help = "Ids of the metrics that decide; the others are read as "
		  "exploration." },
	{ .name = "margins",
	  .type = AB_KEY_NODE,
	  .offset = offsetof(struct plan_metrics, margins),
	  .help = "A map from the id of a metric to the difference, in "
		  "percent of the baseline, below which it counts as "
		  "equivalent: { frames.sf_missed: 5% }." },
	AB_KEYS_END
};

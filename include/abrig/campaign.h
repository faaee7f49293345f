/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A campaign: one execution of a plan, in a directory of its own.
 *
 *	DIR/plan.yaml DIR/campaign.db DIR/log.jsonl DIR/campaign.lock
 *	DIR/artefacts/<session>/<run>/...  DIR/report.*
 *
 * The supervisor (abrig run) creates it, starts one worker process per device
 * and reports what they say; a worker executes its device's part of the
 * schedule.  Both can be killed at any time: the next `abrig run` on the same
 * directory goes on at the first run that is missing.
 */
#ifndef ABRIG_CAMPAIGN_H
#define ABRIG_CAMPAIGN_H

#include <abrig/plan.h>
#include <abrig/report.h>
#include <abrig/stats_design.h>
#include <abrig/store.h>

/* ---- the schedule (pure, except for the store) ---- */

/*
 * Write every device, session and run of @plan to @store: blocks that hold
 * each variant once, in a random order that is balanced over consecutive
 * blocks; the runs of a session in random order; all from the plan's seed and
 * the device's place in the plan.
 */
bool ab_schedule_create(const struct ab_plan *plan, struct ab_store *store,
			GError **error);

/* ---- supervisor ---- */

struct ab_campaign_options {
	const char *dir;     /* created when absent, resumed when it exists */
	bool progress;	     /* live lines, when stderr is a terminal */
	const char *program; /* path of abrig, to start workers */
	int adb_port;	     /* 0: environment or 5037 */
};

/*
 * Execute @plan in options->dir until it is done, interrupted or cannot go on.
 * AB_ERROR_FAILED when runs are missing at the end (the message counts them);
 * AB_ERROR_IDENTITY when it was stopped because of a wrong kernel.
 */
bool ab_campaign_run(const struct ab_plan *plan,
		     const struct ab_campaign_options *options,
		     struct ab_intr *intr, GError **error);

/* ---- worker ---- */

struct ab_worker_options {
	const char *dir;
	const char *serial;
	int status_fd; /* progress goes there, see progress.h */
	int adb_port;
};
bool ab_worker_run(const struct ab_plan *plan,
		   const struct ab_worker_options *options,
		   struct ab_intr *intr, GError **error);

/*
 * Give back every phone of the campaign in @dir (or only @serial) that still
 * has changed settings.  @count_out: how many phones were restored.
 */
bool ab_campaign_restore(const char *dir, const char *serial, int adb_port,
			 struct ab_intr *intr, int *count_out, GError **error);

/* ---- gates ---- */

enum ab_gate_when {
	AB_GATE_BEFORE,	  /* the phone and the host, before the run */
	AB_GATE_AFTER,	  /* what happened on the phone meanwhile */
	AB_GATE_ANALYSIS, /* what the artefacts show; can be repeated */
};

struct ab_gate {
	const char *id;
	enum ab_gate_when when;
	const char *what;   /* is checked */
	const char *why;    /* it matters */
	const char *remedy; /* for who finds runs rejected */
};
/* All gates, also those that recorders report; ends with a NULL id. */
extern const struct ab_gate ab_gates[];
void ab_gates_help(GString *out);

/* ---- A/A ---- */

/*
 * struct ab_aa_night * of each device of the declared A/A campaign in @dir,
 * from that device's runs alone; without tests when it has too few blocks.
 * AB_ERROR_USAGE when the plan declares none, _FAILED when it has not ended.
 */
GPtrArray *ab_aa_evaluate(const char *dir, GError **error);

/* ---- results ---- */

/* Everything that a report prints, from the store of the campaign in @dir. */
struct ab_report *ab_results_load(const char *dir, GError **error);
void ab_results_free(struct ab_report *report);
struct ab_reanalysis {
	int analysed, unchanged; /* runs */
	int gone;		 /* their artefacts; they keep what is stored */
};
/*
 * Analyse the artefacts of all ended runs again and store what they say;
 * verdicts change only towards rejected.  Runs whose artefacts, scenario and
 * analysis are those of what is stored are left alone, unless @force.
 */
bool ab_results_analyze(const char *dir, bool force, struct ab_intr *intr,
			struct ab_reanalysis *done_out, GError **error);

/*
 * The scenario of the run whose artefacts are in @run_dir, which the caller
 * frees; NULL where no campaign knows that directory.
 */
bool ab_results_scenario(const char *run_dir, struct ab_scenario **scenario_out,
			 GError **error);

/* ---- history: what a plan can learn from a campaign that ran ---- */

struct ab_history {
	const char *plan;
	char **variants, **primary; /* names and metric ids */
	GPtrArray *platforms;	    /* const char * */
	GPtrArray *scenarios;	    /* struct ab_scenario * */
	struct results *results;    /* all of the above points into it */
};
struct ab_history *ab_history_load(const char *dir, GError **error);
void ab_history_free(struct ab_history *h);
AB_DEFINE_AUTO(ab_history, ab_history_free)
/* struct ab_obs of the accepted runs; they point into @h. */
GArray *ab_history_observations(const struct ab_history *h,
				const char *platform, guint scenario,
				const struct ab_metric *metric);
/* The plan's margin in percent; NAN when it has none. */
double ab_history_margin(const struct ab_history *h, const char *metric);
/*
 * What boots and runs took: the median from the end of a session to the first
 * run of the next that counts, and all time in runs over those accepted, for
 * one run of each scenario.  NAN: not measured.
 */
struct ab_costs ab_history_costs(const struct ab_history *h,
				 const char *platform);

#endif

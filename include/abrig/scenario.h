/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenarios: a scripted workload plus what to record while it runs.
 *
 *	scenario: notification-shade
 *	summary: Swipes the notification shade open and closed.
 *	params: { swipes: 10, notifications: 11 }
 *	processes: [com.android.systemui]
 *	expect: { frames: 100, work_items: 50 }
 *	estimate: 20s
 *	recorders: { perfetto: {}, odpm: {} }
 *	setup:    [ step, ... ]		before recording
 *	steps:    [ step, ... ]		the measured window
 *	teardown: [ step, ... ]		after recording, also after a failure
 *
 * A step is a map with one key, the step's name, whose value is a map of its
 * arguments (or nothing): - swipe: { from: [0.5, 0.01], to: [0.5, 0.9] }.
 */
#ifndef ABRIG_SCENARIO_H
#define ABRIG_SCENARIO_H

#include <abrig/keys.h>
#include <abrig/phone.h>

struct ab_scenario {
	char *name, *summary, *file;
	char **processes;  /* whose frames count; NULL-terminated */
	gint64 min_frames; /* gates after the run; 0: none */
	gint64 min_work_items;
	gint64 estimate_ms;   /* of one run, for schedules and deadlines */
	GPtrArray *recorders; /* struct ab_recorder_use *, see capture.h */
	GPtrArray *setup, *steps, *teardown; /* struct ab_step * */
	struct ab_node *tree; /* owns what the steps point into */
	char *text;	      /* the file, byte for byte */
};

/*
 * The file of a scenario: @name itself when it has a '/' or ends in .yaml,
 * else NAME.yaml in $ABRIG_SCENARIOS, ./scenarios or the installed data
 * directory, whichever has it first.  NULL with AB_ERROR_PLAN, the closest
 * name and the places looked at.  Caller frees.
 */
char *ab_scenario_find(const char *name, GError **error);
/* The names that ab_scenario_find() knows, sorted; g_strfreev() it. */
char **ab_scenario_names(void);

/*
 * Load the scenario @name, see ab_scenario_find().  @params (a map node or
 * NULL) overrides the file's params.
 */
struct ab_scenario *ab_scenario_load(const char *name,
				     const struct ab_node *params,
				     GError **error);
/* The same from @text, called @name in messages: what a campaign kept. */
struct ab_scenario *ab_scenario_parse(const char *text, const char *name,
				      GError **error);
void ab_scenario_free(struct ab_scenario *scenario);
AB_DEFINE_AUTO(ab_scenario, ab_scenario_free)

/* What the steps of one run share. */
struct ab_scenario_run {
	struct ab_phone *phone;
	struct ab_wait wait; /* ends with the run's deadline */
	const struct ab_scenario *scenario;
};

/* A kind of step: one file in harness/scenario/, one line in ab_steps. */
struct ab_step_ops {
	const char *name;
	const char *help;	   /* one sentence */
	const struct ab_key *keys; /* its arguments; NULL: takes none */
	size_t size;		   /* of the struct that the keys fill */
	/* Check arguments beyond what the table can say; optional. */
	bool (*check)(void *args, const struct ab_node *node, GError **error);
	/*
	 * How long it takes, in milliseconds of the phone's time, for
	 * deadlines and schedules; optional: about a second.
	 */
	gint64 (*estimate)(const void *args);
	/* Do it; blocks within run->wait.  Mandatory. */
	bool (*run)(struct ab_scenario_run *run, const void *args,
		    GError **error);
	/* Free what @check built in @args beyond the table; optional. */
	void (*clear)(void *args);
};
extern const struct ab_step_ops *const ab_steps[]; /* NULL-ended */

struct ab_step {
	const struct ab_step_ops *ops;
	void *args;		     /* ops->size bytes; NULL: takes none */
	const struct ab_node *where; /* the step's name in its file */
};

/* Parse a list of steps. NULL with AB_ERROR_PLAN. */
GPtrArray *ab_steps_parse(const struct ab_node *list, GError **error);
/* How long @steps take together, in milliseconds. */
gint64 ab_steps_estimate(const GPtrArray *steps);
/* The reference of scenarios and their steps, from the tables. */
void ab_scenario_help(GString *out);
void ab_scenario_man(GString *out);
/* Run @steps one after another; a failure names the step and its place. */
bool ab_steps_run(struct ab_scenario_run *run, const GPtrArray *steps,
		  GError **error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan: YAML in, checked structs out.  Everything that can be found wrong
 * without a phone is found here, with file:line:column.
 */
#ifndef ABRIG_PLAN_H
#define ABRIG_PLAN_H

#include <abrig/kernel.h>
#include <abrig/scenario.h>

struct ab_plan_device {
	char *serial;	/* for adb */
	char *fastboot; /* for fastboot -s; the serial unless said otherwise */
	const struct ab_node *where;
};

struct ab_plan_platform {
	char *name;
	GPtrArray *devices; /* struct ab_plan_device * */
	char *product;	    /* expected getvar product; NULL: any */
};

/* When a campaign may end before its last block. */
struct ab_stop {
	char *when;	     /* "clear"; NULL: never */
	gint64 first, every; /* looks, in blocks per device */
	char *spending;	     /* "obrien-fleming", "pocock" */
};

struct ab_schedule {
	gint64 blocks; /* each holds every variant once, per device */
	gint64 runs;   /* of each scenario per session */
	gint64 warmup; /* runs of each scenario per session, kept, not analysed */
	gint64 seed;
	gint64 retries; /* of a rejected run, and of a failed session */
	const struct ab_node *stop_node; /* what @stop was read from */
	struct ab_stop stop;
};

/* Limits of the gates; see `abrig help plan`. */
struct ab_gate_options {
	double max_skin_c;
	gint64 cool_ms; /* how long a hot phone is waited for */
	gint64 min_battery;
	bool allow_charging;
	gint64 min_free; /* bytes on the host */
};

struct ab_margin {
	char *metric; /* id */
	double pct;
};

struct ab_plan {
	char *name, *file, *dir; /* dir: relative paths start here */
	char *sha256;		 /* of plan, scenario and variant files */
	char *text;		 /* the plan file, byte for byte */
	GPtrArray *platforms;	 /* struct ab_plan_platform * */
	GPtrArray *variants;	 /* struct ab_variant *, baseline first */
	GPtrArray *scenarios;	 /* struct ab_scenario * */
	bool same;		 /* declared A/A: variants may look alike */
	bool again;		 /* ab_plan_again() made it so */
	struct ab_schedule schedule;
	struct ab_prepare_options prepare;
	struct ab_gate_options gates;
	char **primary;	    /* metric ids, NULL-terminated; may be empty */
	GPtrArray *margins; /* struct ab_margin * */
	struct ab_node *tree;
};

/* Load and check; AB_ERROR_PLAN, or _ENV when the file cannot be read. */
struct ab_plan *ab_plan_load(const char *path, GError **error);
void ab_plan_free(struct ab_plan *plan);
AB_DEFINE_AUTO(ab_plan, ab_plan_free)

/*
 * Make @plan a declared A/A plan: its baseline, and the same as "<name>-again".
 * Name and hash become others, and it runs to its last block.  Fails like ab_plan_load(); once per plan.
 */
bool ab_plan_again(struct ab_plan *plan, GError **error);

/* The plan reference: all keys of plan, scenario, variant, from the tables. */
void ab_plan_help(GString *out);
void ab_plan_man(GString *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A/A: the same kernel as both variants.  What differs then is the rig: how
 * often a metric raises a false alarm, and how small a change it can show.
 *
 * A night is one A/A campaign on one device, a record all nights of a device.
 * A night is a JSON file of its own,
 *
 *	DIR/<serial>/<began>-<hash>.json
 *
 * replaced at once or not at all, and named after its campaign: recording a
 * campaign again replaces its night, nothing else is ever written to, and so
 * several abrig may record and read at the same time.
 */
#ifndef ABRIG_AA_H
#define ABRIG_AA_H

#include <abrig/auto.h>
#include <glib.h>
#include <stdbool.h>

#define AB_AA_VERSION 1
/* Intervals are simulated from here on; fewer blocks test nothing. */
#define AB_AA_MIN_BLOCKS 4
#define AB_AA_MAX_TESTS 1500 /* of a night */
#define AB_AA_MAX_NIGHTS 100 /* of a device that count: the latest */
#define AB_AA_ALPHA 0.05     /* false alarms that chance gives */

/* One metric of one scenario in one night. */
struct ab_aa_test {
	char *scenario, *metric; /* name, id */
	double p;		 /* that there is no change, for itself */
	double floor;	  /* half of the 95 % interval, in the metric's unit */
	double floor_pct; /* in percent of the baseline; NAN: has none */
};

struct ab_aa_night {
	char *serial, *plan, *plan_sha256, *tool;
	char *began;	    /* UTC, ISO 8601 */
	gint64 blocks;	    /* that hold both variants */
	gint64 boots, runs; /* of the baseline, in the largest test */
	GPtrArray *tests;   /* struct ab_aa_test * */
};
struct ab_aa_night *ab_aa_night_new(void);
void ab_aa_night_free(struct ab_aa_night *night);
AB_DEFINE_AUTO(ab_aa_night, ab_aa_night_free)
struct ab_aa_test *ab_aa_night_add(struct ab_aa_night *night,
				   const char *scenario, const char *metric,
				   double p);
char *ab_aa_night_to_json(const struct ab_aa_night *night);
/*
 * Strict: keys, types, ranges and sizes; @name is the file's for messages.
 * AB_ERROR_DATA also when it is of a newer version.
 */
struct ab_aa_night *ab_aa_night_parse(const char *text, const char *name,
				      GError **error);

/* ---- the record of a device ---- */

struct ab_aa_record {
	char *serial;
	GPtrArray *nights;   /* struct ab_aa_night *, oldest first */
	GPtrArray *problems; /* char *: why a file of it does not count */
	guint older;	     /* nights beyond AB_AA_MAX_NIGHTS */
};
struct ab_aa_record *ab_aa_record_new(const char *serial);
void ab_aa_record_free(struct ab_aa_record *record);
AB_DEFINE_AUTO(ab_aa_record, ab_aa_record_free)

/* The user's own: $XDG_STATE_HOME/abrig/aa (caller frees). */
char *ab_aa_dir(void);
/*
 * Write @night, replacing what was recorded of the same campaign and device.
 * @path_out (may be NULL) gets the file's name.  AB_ERROR_ENV.
 */
bool ab_aa_record_put(const char *dir, const struct ab_aa_night *night,
		      char **path_out, GError **error);
/* Without nights when nothing is on record.  AB_ERROR_ENV: cannot be read. */
struct ab_aa_record *ab_aa_record_load(const char *dir, const char *serial,
				       GError **error);
/* struct ab_aa_record * of all devices, by serial. */
GPtrArray *ab_aa_records(const char *dir, GError **error);

/* ---- what a record says (pure) ---- */

/* One metric of one scenario, over nights. */
struct ab_aa_metric {
	char *scenario, *metric;
	int tests, alarms; /* p <= AB_AA_ALPHA */
	/*
	 * Half of the 95 % interval: the median over the nights of the plan
	 * that measured it last.  NAN: has none.
	 */
	double floor, floor_pct;
	int floor_nights;
	double last_p, last_adjusted;	/* in the last night; NAN: not in it */
	double chance, chance_adjusted; /* of as many alarms, or more */
	bool different; /* in the last night, corrected for all its tests */
	bool too_often; /* more alarms than chance, corrected likewise */
};

struct ab_aa_summary {
	char *serial;
	char *last, *plan; /* the last night's; NULL: there is none */
	gint64 boots, runs;
	int nights, nights_failed; /* with a metric that came out different */
	int tests, alarms;
	double rate, rate_lo, rate_hi; /* of alarms, and its 95 % interval */
	bool failed;
	GArray *metrics; /* struct ab_aa_metric */
	char **problems; /* NULL-terminated, as in the record */
};
/*
 * A device fails when a metric came out different in its last night, by
 * Benjamini and Hochberg (1995) over that night's tests at 5 %, or when a
 * metric raised more alarms over all nights than chance: the binomial tail at
 * AB_AA_ALPHA, by Holm (1979) over metrics at 1 %.  Assumption: nights are
 * independent.  The interval of the rate is Clopper and Pearson's (1934), and
 * takes tests as independent, which those of one night are not quite.
 */
struct ab_aa_summary *ab_aa_judge(const struct ab_aa_record *record);
void ab_aa_summary_free(struct ab_aa_summary *summary);
AB_DEFINE_AUTO(ab_aa_summary, ab_aa_summary_free)
/* NULL when it was never tested. */
const struct ab_aa_metric *ab_aa_find(const struct ab_aa_summary *summary,
				      const char *scenario, const char *metric);

#endif

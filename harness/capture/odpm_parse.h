/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots of ODPM's energy_value: text in, energy per rail out. */
#ifndef CAPTURE_ODPM_PARSE_H
#define CAPTURE_ODPM_PARSE_H

#include <glib.h>
#include <stdbool.h>

struct odpm_point {
	gint64 t_ms; /* CLOCK_BOOTTIME of the hardware's refresh */
	gint64 energy_uws;
};

struct odpm_rail {
	char *chip;	/* s2mpg12-odpm */
	char *name;	/* schematic name, S4M_VDD_CPUCL0 */
	char *subsys;	/* CPU(LITTLE), or "" when the log does not say */
	GArray *points; /* struct odpm_point, t_ms strictly rising */
	guint resets;	/* energy or time went back: rail swap, reboot */
	guint stale;	/* reads that brought no new snapshot */
};

struct odpm_log {
	GPtrArray *rails; /* struct odpm_rail * */
	guint empty_reads;
	guint bad_lines;
};

/*
 * Parse a log: "device NAME" lines, each followed by one energy_value text.
 * After a reset the rail's points start anew.  Pure; never fails: what is not
 * understood is counted.
 */
struct odpm_log *odpm_parse(const char *text);
void odpm_log_free(struct odpm_log *log);

/* The subsystem of a schematic name, as Pixels name them; "" when unknown. */
const char *odpm_subsystem(const char *rail);

/*
 * Mean power over [begin, end]: energy interpolated linearly between the
 * snapshots around each end, over the time between them.  False with
 * @why_out (caller frees) when the snapshots do not cover the window.
 */
bool odpm_mean_mw(const struct odpm_rail *rail, gint64 begin_ms, gint64 end_ms,
		  double *mw_out, char **why_out);

#endif

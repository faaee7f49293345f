/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that others measured -> observations: text in, structs out.  Formats
 * are recognised by content; each is one file in harness/import/ and one line
 * in its table.  Text is hostile: everything that grows has a ceiling.
 */
#ifndef ABRIG_IMPORT_H
#define ABRIG_IMPORT_H

#include <abrig/auto.h>
#include <abrig/metric.h>
#include <abrig/stats.h>

/* What a column of a table, or a key of a Go benchmark, tells. */
enum ab_import_role {
	AB_IMPORT_VARIANT,
	AB_IMPORT_WORKLOAD,
	AB_IMPORT_METRIC,
	AB_IMPORT_VALUE,
	AB_IMPORT_UNIT,
	AB_IMPORT_DEVICE,
	AB_IMPORT_BLOCK,
	AB_IMPORT_BOOT,
	AB_IMPORT_RUN,
	AB_IMPORT_N_ROLES
};

struct ab_import_options {
	/* The name of each role's column or key; NULL: one of the usual. */
	const char *names[AB_IMPORT_N_ROLES];
	/* Columns that hold a metric each, by name or by number from 1;
	 * NULL-terminated; NULL: the usual. */
	const char *const *columns;
	/* Columns or keys whose text becomes part of the metric's name. */
	const char *const *split;
	const char *const *higher, *const *lower; /* metrics, by name or id */
	const char *const *events; /* metrics that count events */
	const char *unit;	   /* where the input tells none; or NULL */
	bool by_file; /* a file is a variant, whatever columns there are */
};

/* A metric of the input with all of its observations. */
struct ab_import_metric {
	char *workload; /* "" when the input names none */
	struct ab_metric metric;
	GArray *obs; /* struct ab_obs, by variant, device, block, session */
};

struct ab_import;

/* @options and what it points to must stay. */
struct ab_import *ab_import_new(const struct ab_import_options *options);
void ab_import_free(struct ab_import *import);
AB_DEFINE_AUTO(ab_import, ab_import_free)

/*
 * Add the @len bytes of a file.  @file is its path, for messages: they begin
 * with "file:line:column: ".  @variant is what its numbers belong to unless a
 * column tells.  AB_ERROR_DATA when it is ill-formed.
 */
bool ab_import_add(struct ab_import *import, const char *file,
		   const char *variant, const char *text, gsize len,
		   GError **error);

/* After the last file: pair boots, sum up.  @baseline may be NULL: the first
 * variant.  AB_ERROR_DATA when there is nothing to compare. */
bool ab_import_finish(struct ab_import *import, const char *baseline,
		      GError **error);

/* After ab_import_finish(); what they return belongs to @import. */
const char *const *ab_import_variants(const struct ab_import *import);
/* struct ab_import_metric *, in the order of the input. */
const GPtrArray *ab_import_metrics(const struct ab_import *import);
/* What is to be said beside the numbers, NULL-terminated. */
const char *const *ab_import_notes(const struct ab_import *import);
/* The input tells which runs share a boot. */
bool ab_import_has_boots(const struct ab_import *import);

#endif

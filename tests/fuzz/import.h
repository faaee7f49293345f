/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the text of two variants, and what must hold afterwards. */
#ifndef FUZZ_IMPORT_H
#define FUZZ_IMPORT_H

#include "../../harness/import/import.h"

#include <abrig/error.h>

#include <math.h>
#include <string.h>

static void import_check_obs(const struct ab_import *import,
			     const struct ab_obs *o)
{
	if (!isfinite(o->value) || o->variant < 0 || o->session < 0 ||
	    o->block < 0 || o->device < 0 || o->position < 0)
		g_error("an observation that no statistics take");
	/* Its last is the NULL at the end. */
	if ((guint)o->variant + 1 >= import->variants.list->len)
		g_error("a variant without a name");
}

static void import_check(const struct ab_import *import)
{
	const GPtrArray *metrics = ab_import_metrics(import);

	for (guint i = 0; i < metrics->len; i++) {
		const struct ab_import_metric *m = metrics->pdata[i];

		if (!m->obs->len)
			g_error("a metric without values");
		for (guint k = 0; k < m->obs->len; k++)
			import_check_obs(import,
					 &g_array_index(m->obs, struct ab_obs,
							k));
	}
}

/* Every refusal says where, or is about the whole. */
static void import_check_error(const GError *error)
{
	if (error->domain != AB_ERROR || !*error->message)
		g_error("no reason");
}

/* As @format whatever it looks like; NULL: recognised. */
static void import_any(const struct ab_import_options *options,
		       const struct import_format *format, const guint8 *data,
		       size_t size)
{
	static const char *const variants[] = { "a", "b" };
	ab_autoptr(ab_import) import = ab_import_new(options);
	g_autoptr(GError) error = NULL;
	g_autofree char *text = g_strndup((const char *)data, size);
	bool ok = true;

	for (int i = 0; ok && i < 2; i++) {
		import->file = import->variant = variants[i];
		import->file_index++;
		ok = format ? format->parse(import, text, &error)
			    : ab_import_add(import, variants[i], variants[i],
					    (const char *)data, size, &error);
	}
	if (ok && ab_import_finish(import, NULL, &error))
		import_check(import);
	else
		import_check_error(error);
}

#endif

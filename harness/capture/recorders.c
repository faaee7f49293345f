// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorders.h"

#include <abrig/keys.h>
#include <string.h>

const struct ab_recorder_ops *const ab_recorders[] = {
	&recorder_perfetto,
	&recorder_odpm,
	&recorder_jankbench,
	NULL,
};

const struct ab_recorder_ops *ab_recorder_find(const char *name)
{
	const struct ab_recorder_ops *const *r;

	for (r = ab_recorders; *r; r++)
		if (!strcmp((*r)->name, name))
			return *r;
	return NULL;
}

void ab_recorder_use_free(struct ab_recorder_use *use)
{
	if (!use)
		return;
	if (use->options)
		ab_keys_clear(use->ops->keys, use->options);
	g_free(use->options);
	g_free(use);
}

bool recorder_reject(const char **gate_out, char **reason_out, const char *gate,
		     const char *format, ...)
{
	va_list ap;

	if (*gate_out)
		return true;
	*gate_out = gate;
	va_start(ap, format);
	*reason_out = g_strdup_vprintf(format, ap);
	va_end(ap);
	return true;
}

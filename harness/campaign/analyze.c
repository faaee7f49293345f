// SPDX-License-Identifier: GPL-3.0-or-later
/* From the artefacts of one run to its data and verdict; needs no phone. */
#include "worker.h"

struct ab_run_data *analyze_run(const struct ab_scenario *scenario,
				const char *dir, const char **gate_out,
				char **reason_out)
{
	struct ab_run_data *data = ab_run_data_new();
	guint i;

	for (i = 0; i < scenario->recorders->len; i++) {
		const struct ab_recorder_use *use =
			scenario->recorders->pdata[i];
		g_autoptr(GError) why = NULL;

		if (use->ops->analyze(dir, scenario, use->options, data,
				      gate_out, reason_out, &why) ||
		    *gate_out)
			continue;
		*gate_out = "artefacts";
		*reason_out = g_strdup_printf("recorder %s: %s", use->ops->name,
					      why->message);
	}
	if (!*gate_out)
		gates_after(scenario, data, gate_out, reason_out);
	return data;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorders: what records while a scenario runs.  One file each in
 * harness/capture/, one line in ab_recorders.
 */
#ifndef ABRIG_CAPTURE_H
#define ABRIG_CAPTURE_H

#include <abrig/metric.h>
#include <abrig/phone.h>

struct ab_scenario;
struct ab_recorder_ops;

/* A recorder as a scenario asks for it. */
struct ab_recorder_use {
	const struct ab_recorder_ops *ops;
	void *options; /* ops->options_size bytes, filled by ops->keys */
};

/* One recorder in one run. */
struct ab_recording {
	struct ab_phone *phone;
	const struct ab_scenario *scenario;
	const void *options;
	const char *dir;    /* the run's artefact directory on the host */
	const char *run_id; /* unique within the campaign: names on the phone */
	void *state;	    /* the recorder's own, from start to discard */
};

struct ab_recorder_ops {
	const char *name; /* as in a scenario */
	const char *help;
	const struct ab_key *keys;
	size_t options_size;
	/*
	 * Can this phone do it?  Called once per session, before the first run,
	 * and by `abrig doctor`.  On false the error says what is missing and
	 * what it costs.  Optional.
	 */
	bool (*probe)(struct ab_phone *phone, const void *options,
		      const struct ab_wait *w, GError **error);
	/* Begin; on return it records.  Blocks within @w.  Mandatory. */
	bool (*start)(struct ab_recording *rec, const struct ab_wait *w,
		      GError **error);
	/* End and leave the artefact, whole, in rec->dir.  Mandatory. */
	bool (*stop)(struct ab_recording *rec, const struct ab_wait *w,
		     GError **error);
	/*
	 * Leave nothing running and nothing lying on the phone, whatever
	 * happened since start; frees rec->state.  Never fails.  Mandatory.
	 */
	void (*discard)(struct ab_recording *rec, const struct ab_wait *w);
	/*
	 * From the artefact in @dir to values and samples.  Offline; repeated
	 * by `abrig analyze`.  @gate_out gets the id of a gate and
	 * @reason_out a text when the artefact shows that the run must be
	 * rejected (trace loss, empty database); both stay NULL otherwise.
	 * False: the artefact cannot be used at all.  Mandatory.
	 */
	bool (*analyze)(const char *dir, const struct ab_scenario *scenario,
			const void *options, struct ab_run_data *data,
			const char **gate_out, char **reason_out,
			GError **error);
};

extern const struct ab_recorder_ops *const ab_recorders[]; /* NULL-ended */
const struct ab_recorder_ops *ab_recorder_find(const char *name); /* or NULL */
void ab_recorder_use_free(struct ab_recorder_use *use);

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
#include "notes.h"

#include <abrig/stats_methods.h>
#include <math.h>

#define MIN_RUNS 3 /* of a session */
#define MIN_SESSIONS 4
#define SUSPICIOUS 0.05
#define MORE 5 /* times as many draws for what is suspicious */

/* Runs in order, of sessions long enough to have one. */
struct sequence {
	double *values;
	int *sessions;
	size_t n;
	int n_sessions;
};

static void sequence_init(struct sequence *s, const struct note_data *d)
{
	*s = (struct sequence){ .values = g_new0(double, d->n_runs + 1),
				.sessions = g_new0(int, d->n_runs + 1) };
	for (size_t i = 0; i < d->n_boots; i++) {
		const struct note_boot *boot = &d->boots[i];

		if (boot->n < MIN_RUNS)
			continue;
		for (size_t k = 0; k < boot->n; k++) {
			s->values[s->n] = boot->runs[k].value;
			s->sessions[s->n++] = s->n_sessions;
		}
		s->n_sessions++;
	}
}

static void sequence_clear(struct sequence *s)
{
	g_free(s->values);
	g_free(s->sessions);
}

/* A small p needs many draws to be told; few rows have one. */
static bool measure(const struct sequence *s, const struct note_data *d,
		    struct ab_autocorrelation *r)
{
	for (int times = 1; times <= MORE; times += MORE - 1) {
		ab_stats_autocorrelation(s->values, s->sessions, s->n,
					 times * d->resamples, d->rng, r);
		if (!isfinite(r->p))
			return false;
		if (r->p > SUSPICIOUS)
			break;
	}
	return true;
}

static bool look(const struct note_data *d, struct ab_note *note)
{
	struct ab_autocorrelation r;
	struct sequence s;
	bool ok;

	sequence_init(&s, d);
	ok = s.n_sessions >= MIN_SESSIONS && measure(&s, d, &r);
	note->n = s.n_sessions;
	if (ok) {
		/* Over what it is on average without any. */
		note->size = r.r - r.expected;
		note->p = r.p;
	}
	sequence_clear(&s);
	return ok;
}

static void say(const struct ab_note *note, const struct ab_metric *metric,
		GString *out)
{
	g_autofree char *p = note_p(note->p);

	(void)metric;
	g_string_append_printf(out, "r = %+.2f, %d sessions, %s", note->size,
			       note->n, p);
}

const struct note_ops note_autocorrelation = {
	"autocorrelation", "neighbouring runs of a session are alike", look, say
};

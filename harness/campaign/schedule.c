// SPDX-License-Identifier: GPL-3.0-or-later
/* Randomised blocks: the boot is the unit that variants are assigned to. */
#include <abrig/campaign.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

/*
 * A generator of the device's own, by its place in the plan: a phone more at
 * the end of a platform must not change the order on the others.
 */
static gsl_rng *device_rng(gint64 seed, const char *platform, guint index)
{
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT ":%s:%u",
						seed, platform, index);
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	guint8 digest[32];
	gsize len = sizeof(digest);

	g_checksum_update(sum, (const guchar *)text, -1);
	g_checksum_get_digest(sum, digest, &len);
	gsl_rng_set(rng, (unsigned long)digest[0] << 24 |
				 (unsigned long)digest[1] << 16 |
				 (unsigned long)digest[2] << 8 | digest[3]);
	return rng;
}

static int *permutation(gsl_rng *rng, size_t n)
{
	int *order = g_new(int, n);
	size_t i;

	for (i = 0; i < n; i++)
		order[i] = (int)i;
	gsl_ran_shuffle(rng, order, n, sizeof(*order));
	return order;
}

static bool add_run(struct ab_store *store, gint64 session, int position,
		    int scenario, bool warmup, GError **error)
{
	struct ab_run_row row = {
		.session = session,
		.position = position,
		.slot = position,
		.scenario = scenario,
		.warmup = warmup,
		.state = AB_RUN_PLANNED,
		.skin_c = NAN,
		.battery = -1,
	};

	return ab_store_add_run(store, &row, error);
}

static bool add_runs(const struct ab_plan *plan, struct ab_store *store,
		     gint64 session, gsl_rng *rng, GError **error)
{
	int scenarios = (int)plan->scenarios->len;
	int warmup = (int)plan->schedule.warmup * scenarios;
	int scored = (int)plan->schedule.runs * scenarios;
	g_autofree int *order = permutation(rng, (size_t)scored);
	int i;

	for (i = 0; i < warmup; i++)
		if (!add_run(store, session, i, i % scenarios, true, error))
			return false;
	for (i = 0; i < scored; i++)
		if (!add_run(store, session, warmup + i, order[i] % scenarios,
			     false, error))
			return false;
	return true;
}

static bool add_block(const struct ab_plan *plan, struct ab_store *store,
		      gint64 device, int block, const int *order, int shift,
		      gsl_rng *rng, GError **error)
{
	int n = (int)plan->variants->len, i;

	for (i = 0; i < n; i++) {
		struct ab_session_row row = {
			.device = device,
			.block = block,
			.position = i,
			.variant = order[(i + shift) % n],
			.state = AB_SESSION_PLANNED,
		};

		if (!ab_store_add_session(store, &row, error) ||
		    !add_runs(plan, store, row.id, rng, error))
			return false;
	}
	return true;
}

/*
 * As many blocks as there are variants, or what is left: a random order and
 * its rotations, shuffled.  So every variant comes first, second, ... equally
 * often: what the first boot of a block has ahead of the second cancels.
 */
static bool add_group(const struct ab_plan *plan, struct ab_store *store,
		      gint64 device, int first, gsl_rng *rng, GError **error)
{
	int n = (int)plan->variants->len, k;
	g_autofree int *order = permutation(rng, (size_t)n);
	g_autofree int *shifts = permutation(rng, (size_t)n);

	for (k = 0; k < n && first + k < plan->schedule.blocks; k++)
		if (!add_block(plan, store, device, first + k, order, shifts[k],
			       rng, error))
			return false;
	return true;
}

static bool add_device(const struct ab_plan *plan, struct ab_store *store,
		       const struct ab_plan_platform *platform, guint index,
		       GError **error)
{
	const struct ab_plan_device *device = platform->devices->pdata[index];
	struct ab_device_row row = {
		.serial = device->serial,
		.fastboot = device->fastboot,
		.platform = platform->name,
	};
	int step = (int)plan->variants->len, block;
	gsl_rng *rng;
	bool ok;

	ok = ab_store_add_device(store, &row, error);
	rng = device_rng(plan->schedule.seed, platform->name, index);
	for (block = 0; ok && block < plan->schedule.blocks; block += step)
		ok = add_group(plan, store, row.id, block, rng, error);
	gsl_rng_free(rng);
	return ok;
}

bool ab_schedule_create(const struct ab_plan *plan, struct ab_store *store,
			GError **error)
{
	guint p, d;

	if (!ab_store_begin(store, error))
		return false;
	for (p = 0; p < plan->platforms->len; p++) {
		const struct ab_plan_platform *platform =
			plan->platforms->pdata[p];

		for (d = 0; d < platform->devices->len; d++)
			if (!add_device(plan, store, platform, d, error))
				return false;
	}
	return ab_store_commit(store, error);
}

// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * abrig doctor: everything that can be found wrong before a night is lost.
 * Each check prints one line, and the remedy where there is a problem.
 */
#include "cmd.h"

#include <abrig/campaign.h>
#include <abrig/capture.h>
#include <abrig/proc.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#define CHECK_MS 20000
/* A phone that is there shows up about as fast as the server has begun. */
#define APPEAR_MS 5000
#define PHONE_MS 60000
#define WANTED_FREE_MIB 2048

struct doctor {
	struct ab_adb *adb;
	struct ab_intr *intr;
	int problems;
	int status; /* exit status: that of the first problem */
};

static void fine(const char *what, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void fine(const char *what, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, format);
	text = g_strdup_vprintf(format, ap);
	va_end(ap);
	printf("ok       %s: %s\n", what, text);
}

/* The message holds the remedy behind its first semicolon. */
static void problem(struct doctor *d, const char *what, GError *error)
{
	g_auto(GStrv) parts = g_strsplit(error->message, "; ", 2);

	printf("problem  %s: %s\n", what, parts[0]);
	if (parts[0] && parts[1])
		printf("         remedy: %s\n", parts[1]);
	if (!d->problems++)
		d->status = ab_error_exit_status(error);
	g_error_free(error);
}

static void check_program(struct doctor *d, const char *name)
{
	const char *argv[] = { name, "--version", NULL };
	struct ab_wait w = ab_wait_in(d->intr, CHECK_MS);
	struct ab_proc_result r = { 0 };
	GError *error = NULL;

	if (ab_proc_run(&w, argv, &r, &error))
		fine(name, "%.*s", (int)strcspn(r.out->str, "\n"), r.out->str);
	else
		problem(d, name, error);
	ab_proc_result_clear(&r);
}

static void check_space(struct doctor *d)
{
	struct statvfs fs;
	guint64 mib;

	if (statvfs(".", &fs))
		return;
	mib = (guint64)fs.f_bavail * fs.f_frsize >> 20;
	if (mib >= WANTED_FREE_MIB)
		fine("disk", "%" G_GUINT64_FORMAT " MiB free here", mib);
	else
		problem(d, "disk",
			g_error_new(AB_ERROR, AB_ERROR_ENV,
				    "only %" G_GUINT64_FORMAT " MiB free here; "
				    "a night of traces takes several GiB: free "
				    "some, or use run -C on another disk",
				    mib));
}

static bool check_server(struct doctor *d)
{
	struct ab_wait w = ab_wait_in(d->intr, CHECK_MS);
	GError *error = NULL;

	if (!ab_adb_start_server(d->adb, &w, &error)) {
		problem(d, "adb server", error);
		return false;
	}
	fine("adb server", "answers on port %d", ab_adb_port(d->adb));
	return true;
}

static void check_listed(struct doctor *d)
{
	struct ab_wait w = ab_wait_in(d->intr, CHECK_MS);
	GError *error = NULL;
	g_autoptr(GPtrArray) list = ab_adb_devices(d->adb, &w, &error);
	guint i;

	if (!list) {
		problem(d, "phones", error);
		return;
	}
	for (i = 0; i < list->len; i++) {
		const struct ab_adb_device *dev = list->pdata[i];
		const char *remedy = ab_adb_state_remedy(dev->state);

		if (!strcmp(dev->state, "device"))
			fine(dev->serial, "%s",
			     dev->model ? dev->model : "device");
		else
			problem(d, dev->serial,
				g_error_new(AB_ERROR, AB_ERROR_ENV, "%s; %s",
					    dev->state, remedy ? remedy : ""));
	}
	if (!list->len)
		problem(d, "phones",
			g_error_new(AB_ERROR, AB_ERROR_ENV,
				    "adb sees none; connect one with USB "
				    "debugging on, or: adb connect HOST:PORT"));
}

/* ---- with a plan ---- */

static void check_images(struct doctor *d, const struct ab_plan *plan,
			 const struct ab_plan_platform *platform)
{
	g_autoptr(GPtrArray) loaded =
		g_ptr_array_new_with_free_func((GDestroyNotify)ab_variant_free);
	guint i, j;

	for (i = 0; i < plan->variants->len; i++) {
		const struct ab_variant *v = plan->variants->pdata[i];
		g_autofree char *what = g_strdup_printf(
			"variant %s on platform %s", v->name, platform->name);
		GError *error = NULL;
		struct ab_variant *image = ab_variant_load_images(
			v, platform->name, plan->dir, &error);

		if (!image) {
			problem(d, what, error);
			continue;
		}
		fine(what, "%s", image->boot ? image->boot->release : "loaded");
		g_ptr_array_add(loaded, image);
		for (j = 0; !plan->same && j + 1 < loaded->len; j++)
			if (!ab_variant_distinct(loaded->pdata[j], image,
						 &error)) {
				problem(d, what, error);
				break;
			}
	}
}

static void check_recorders(struct doctor *d, const struct ab_plan *plan,
			    struct ab_phone *phone)
{
	guint i, j;

	for (i = 0; i < plan->scenarios->len; i++) {
		const struct ab_scenario *s = plan->scenarios->pdata[i];

		for (j = 0; j < s->recorders->len; j++) {
			const struct ab_recorder_use *use =
				s->recorders->pdata[j];
			g_autofree char *what =
				g_strdup_printf("%s: %s for %s", phone->serial,
						use->ops->name, s->name);
			struct ab_wait w = ab_wait_in(d->intr, PHONE_MS);
			GError *error = NULL;

			if (!use->ops->probe ||
			    use->ops->probe(phone, use->options, &w, &error))
				fine(what, "can record");
			else
				problem(d, what, error);
		}
	}
}

static void check_battery(struct doctor *d, const struct ab_plan *plan,
			  struct ab_phone *phone)
{
	g_autofree char *what = g_strdup_printf("%s: battery", phone->serial);
	struct ab_wait w = ab_wait_in(d->intr, PHONE_MS);
	struct ab_battery b = { 0 };
	GError *error = NULL;

	if (!ab_phone_battery(phone, &w, &b, &error))
		problem(d, what, error);
	else if (b.faked)
		problem(d, what,
			g_error_new(AB_ERROR, AB_ERROR_REMOTE,
				    "its values are faked; adb -s %s shell "
				    "dumpsys battery reset",
				    phone->serial));
	else if (b.level < plan->gates.min_battery)
		problem(d, what,
			g_error_new(AB_ERROR, AB_ERROR_REMOTE,
				    "at %d %%, gates.min_battery asks for "
				    "%" G_GINT64_FORMAT " %%; charge it",
				    b.level, plan->gates.min_battery));
	else
		fine(what, "at %d %%", b.level);
}

/* Recorders see what `abrig run` will see; adbd is given back as it was. */
static void check_as_root(struct doctor *d, const struct ab_plan *plan,
			  struct ab_phone *phone)
{
	g_autofree char *what = g_strdup_printf("%s: root", phone->serial);
	struct ab_wait w = ab_wait_in(d->intr, PHONE_MS);
	bool was_root = true;
	GError *error = NULL;

	if (plan->prepare.root && !phone->root) {
		if (ab_adb_root(d->adb, &w, phone->serial, true, &was_root,
				&error))
			fine(what, "adbd can run as root");
		else
			problem(d, what, g_steal_pointer(&error));
	}
	check_recorders(d, plan, phone);
	if (!was_root &&
	    !ab_adb_root(d->adb, &w, phone->serial, false, NULL, &error))
		problem(d, what, error);
}

static void check_phone(struct doctor *d, const struct ab_plan *plan,
			const struct ab_plan_platform *platform,
			const struct ab_plan_device *device)
{
	ab_autoptr(ab_phone) phone =
		ab_phone_new(d->adb, d->intr, device->serial, device->fastboot);
	struct ab_wait appear = ab_wait_in(d->intr, APPEAR_MS);
	struct ab_wait w = ab_wait_in(d->intr, CHECK_MS);
	GError *error = NULL;

	if (!ab_adb_wait_state(d->adb, &appear, device->serial, "device",
			       &error) ||
	    !ab_phone_identify(phone, &w, &error)) {
		problem(d, device->serial, error);
		return;
	}
	if (platform->product && strcmp(platform->product, phone->product)) {
		problem(d, device->serial,
			g_error_new(AB_ERROR, AB_ERROR_PLAN,
				    "is a %s, platform %s asks for product %s; "
				    "correct the plan",
				    phone->product, platform->name,
				    platform->product));
		return;
	}
	fine(device->serial, "%s, Android %s, %d CPUs, %dx%d at %d Hz%s",
	     phone->model, phone->release, phone->cpus, phone->width,
	     phone->height, phone->refresh_hz, phone->root ? ", root" : "");
	check_battery(d, plan, phone);
	check_as_root(d, plan, phone);
}

static void check_plan(struct doctor *d, const struct ab_plan *plan,
		       bool server)
{
	guint p, i;

	for (p = 0; p < plan->platforms->len; p++) {
		const struct ab_plan_platform *platform =
			plan->platforms->pdata[p];

		check_images(d, plan, platform);
		for (i = 0; server && i < platform->devices->len; i++)
			check_phone(d, plan, platform,
				    platform->devices->pdata[i]);
	}
}

int cmd_doctor(int argc, char **argv)
{
	gint port = 0;
	const GOptionEntry options[] = {
		{ "adb-port", 0, 0, G_OPTION_ARG_INT, &port,
		  "port of the adb server", "N" },
		{ .long_name = NULL },
	};
	struct doctor d = { 0 };
	ab_autoptr(ab_plan) plan = NULL;
	GError *error = NULL;
	bool server;

	if (!cmd_parse("doctor", options, &argc, &argv, 0, 1))
		return 2;
	d.intr = cmd_intr();
	d.adb = ab_adb_new(port);
	check_program(&d, "adb");
	check_program(&d, "fastboot");
	check_space(&d);
	server = check_server(&d);
	if (argc > 1) {
		plan = ab_plan_load(argv[1], &error);
		if (plan)
			check_plan(&d, plan, server);
		else
			problem(&d, "plan", error);
	} else if (server) {
		check_listed(&d);
	}
	ab_adb_free(d.adb);
	printf("%d problem%s\n", d.problems, d.problems == 1 ? "" : "s");
	return d.status;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The adb and fastboot clients from the shell: every call for the tests in
 * tests/e2e, and the two measurements against the adb program.
 */
#include <abrig/adb.h>
#include <abrig/error.h>
#include <abrig/fastboot.h>
#include <abrig/text.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define BENCH_CALLS 1000
#define BENCH_FILE "/data/local/tmp/abrig-bench"
#define BENCH_MIB 100u

struct context {
	struct ab_adb *adb;
	struct ab_wait w;
	char **args; /* after the sub-command */
};

static int deadline_ms = 120000;
static struct ab_intr *intr;

static void on_signal(int number)
{
	(void)number;
	ab_intr_trigger(intr);
}

static bool do_start(struct context *c, GError **error)
{
	return ab_adb_start_server(c->adb, &c->w, error);
}

static bool do_kill(struct context *c, GError **error)
{
	return ab_adb_kill_server(c->adb, &c->w, error);
}

static bool do_devices(struct context *c, GError **error)
{
	g_autoptr(GPtrArray) list = ab_adb_devices(c->adb, &c->w, error);
	guint i;

	for (i = 0; list && i < list->len; i++) {
		const struct ab_adb_device *d = list->pdata[i];

		printf("%s\t%s\t%s\n", d->serial, d->state,
		       d->model ? d->model : "");
	}
	return list;
}

static bool do_connect(struct context *c, GError **error)
{
	return ab_adb_connect(c->adb, &c->w, c->args[0], error);
}

static bool do_disconnect(struct context *c, GError **error)
{
	return ab_adb_disconnect(c->adb, &c->w, c->args[0], error);
}

static bool print_result(bool ok, struct ab_shell_result *r)
{
	fwrite(r->out->str, 1, r->out->len, stdout);
	fwrite(r->err->str, 1, r->err->len, stderr);
	if (ok)
		printf("status %d\n", r->status);
	ab_shell_result_clear(r);
	return ok;
}

static bool do_shell(struct context *c, GError **error)
{
	struct ab_shell_result r;
	bool ok =
		ab_adb_shell(c->adb, &c->w, c->args[0], c->args[1], &r, error);

	return print_result(ok, &r);
}

static bool do_input(struct context *c, GError **error)
{
	struct ab_shell_result r;
	bool ok = ab_adb_shell_input(c->adb, &c->w, c->args[0], c->args[1],
				     c->args[2], strlen(c->args[2]), &r, error);

	return print_result(ok, &r);
}

static bool do_stream(struct context *c, GError **error)
{
	ab_autoptr(ab_adb_stream) s = ab_adb_shell_stream(
		c->adb, &c->w, c->args[0], c->args[1], error);
	char *line;

	if (!s)
		return false;
	while ((line = ab_adb_stream_line(s, &c->w, error))) {
		printf("%s\n", line);
		g_free(line);
	}
	return false;
}

static bool do_pull(struct context *c, GError **error)
{
	guint64 size;

	if (!ab_adb_pull(c->adb, &c->w, c->args[0], c->args[1], c->args[2],
			 &size, error))
		return false;
	printf("%" G_GUINT64_FORMAT " bytes\n", size);
	return true;
}

static bool do_push(struct context *c, GError **error)
{
	return ab_adb_push(c->adb, &c->w, c->args[0], c->args[1], c->args[2],
			   0644, error);
}

static bool do_wait(struct context *c, GError **error)
{
	return ab_adb_wait_state(c->adb, &c->w, c->args[0], c->args[1], error);
}

static bool do_root(struct context *c, GError **error)
{
	bool was = false;
	bool ok = ab_adb_root(c->adb, &c->w, c->args[0],
			      !strcmp(c->args[1], "yes"), &was, error);

	if (ok)
		printf("was %s\n", was ? "root" : "shell");
	return ok;
}

static bool do_reboot(struct context *c, GError **error)
{
	return ab_adb_reboot(c->adb, &c->w, c->args[0], c->args[1], error);
}

static bool do_getvar(struct context *c, GError **error)
{
	g_autofree char *value =
		ab_fastboot_getvar(&c->w, c->args[0], c->args[1], error);

	if (value)
		printf("%s\n", value);
	return value;
}

static void print_variable(gpointer key, gpointer value, gpointer data)
{
	(void)data;
	printf("%s=%s\n", (char *)key, (char *)value);
}

static bool do_getvar_all(struct context *c, GError **error)
{
	g_autoptr(GHashTable) vars =
		ab_fastboot_getvar_all(&c->w, c->args[0], error);

	if (vars)
		g_hash_table_foreach(vars, print_variable, NULL);
	return vars;
}

static bool do_flash(struct context *c, GError **error)
{
	return ab_fastboot_flash(&c->w, c->args[0], c->args[1], c->args[2],
				 error);
}

static bool do_boot(struct context *c, GError **error)
{
	return ab_fastboot_boot(&c->w, c->args[0], c->args[1], error);
}

static bool do_set_active(struct context *c, GError **error)
{
	return ab_fastboot_set_active(&c->w, c->args[0], c->args[1], error);
}

static bool do_slot(struct context *c, GError **error)
{
	g_autofree char *slot =
		ab_fastboot_current_slot(&c->w, c->args[0], error);

	if (slot)
		printf("%s\n", slot);
	return slot;
}

static bool do_userspace(struct context *c, GError **error)
{
	bool yes;
	bool ok = ab_fastboot_is_userspace(&c->w, c->args[0], &yes, error);

	if (ok)
		printf("%s\n", yes ? "yes" : "no");
	return ok;
}

static bool do_fb_reboot(struct context *c, GError **error)
{
	return ab_fastboot_reboot(&c->w, c->args[0], c->args[1], error);
}

static bool do_fb_wait(struct context *c, GError **error)
{
	return ab_fastboot_wait(&c->w, c->args[0], error);
}

/* ---- the measurements ---- */

struct cost {
	double wall_s;
	double cpu_s; /* of the client side: this process or its children */
};

static double cpu_seconds(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void cost_begin(struct cost *c, int who)
{
	c->wall_s = (double)g_get_monotonic_time() / 1e6;
	c->cpu_s = cpu_seconds(who);
}

static void cost_end(struct cost *c, int who)
{
	c->wall_s = (double)g_get_monotonic_time() / 1e6 - c->wall_s;
	c->cpu_s = cpu_seconds(who) - c->cpu_s;
}

static void run_program(char **argv)
{
	int status;

	if (!g_spawn_sync(NULL, argv, NULL,
			  G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
				  G_SPAWN_STDERR_TO_DEV_NULL,
			  NULL, NULL, NULL, NULL, &status, NULL) ||
	    status != 0)
		g_error("'%s %s' failed", argv[0], argv[3]);
}

static void run_adb(struct context *c, const char *a, const char *b,
		    const char *d)
{
	g_autofree char *port = g_strdup_printf("%d", ab_adb_port(c->adb));
	char *argv[] = { (char *)"adb", (char *)"-P", port,
			 (char *)"-s",	c->args[0],   (char *)a,
			 (char *)b,	(char *)d,    NULL };

	run_program(argv);
}

static bool bench_shell(struct context *c, GError **error)
{
	struct cost own, program;
	int i;

	cost_begin(&own, RUSAGE_SELF);
	for (i = 0; i < BENCH_CALLS; i++) {
		g_autofree char *text = ab_adb_shell_text(
			c->adb, &c->w, c->args[0], "true", error);

		if (!text)
			return false;
	}
	cost_end(&own, RUSAGE_SELF);
	cost_begin(&program, RUSAGE_CHILDREN);
	for (i = 0; i < BENCH_CALLS; i++)
		run_adb(c, "shell", "-n", "true");
	cost_end(&program, RUSAGE_CHILDREN);
	printf("shell true x %d: abrig %.2f s (cpu %.2f s), adb %.2f s "
	       "(cpu %.2f s): %.1f times faster, %.1f times less cpu\n",
	       BENCH_CALLS, own.wall_s, own.cpu_s, program.wall_s,
	       program.cpu_s, program.wall_s / own.wall_s,
	       program.cpu_s / own.cpu_s);
	return true;
}

#define PULL_ROUNDS 15

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Seconds of one way to pull, one value per round. */
struct pulls {
	double wall[PULL_ROUNDS], cpu[PULL_ROUNDS];
};

static void pulls_put(struct pulls *pulls, int round, const struct cost *cost)
{
	pulls->wall[round] = cost->wall_s;
	pulls->cpu[round] = cost->cpu_s;
}

static double median(double *values)
{
	qsort(values, PULL_ROUNDS, sizeof(*values), compare_double);
	return values[PULL_ROUNDS / 2];
}

static bool pull_own(struct context *c, const char *to, struct cost *cost,
		     GError **error)
{
	cost_begin(cost, RUSAGE_SELF);
	if (!ab_adb_pull(c->adb, &c->w, c->args[0], BENCH_FILE, to, NULL,
			 error))
		return false;
	cost_end(cost, RUSAGE_SELF);
	remove(to);
	return true;
}

static void pull_program(struct context *c, const char *to, struct cost *cost)
{
	cost_begin(cost, RUSAGE_CHILDREN);
	run_adb(c, "pull", BENCH_FILE, to);
	cost_end(cost, RUSAGE_CHILDREN);
	remove(to);
}

static bool time_pulls(struct context *c, const char *to, struct pulls *own,
		       struct pulls *program, GError **error)
{
	struct cost cost;
	int i;

	/* In turn, so that what else the host does hits both. */
	for (i = 0; i < PULL_ROUNDS; i++) {
		if (!pull_own(c, to, &cost, error))
			return false;
		pulls_put(own, i, &cost);
		pull_program(c, to, &cost);
		pulls_put(program, i, &cost);
	}
	return true;
}

static bool bench_pull(struct context *c, const char *dir, GError **error)
{
	g_autofree char *make = g_strdup_printf(
		"head -c %u /dev/urandom > " BENCH_FILE, BENCH_MIB << 20);
	g_autofree char *to = g_build_filename(dir, "pulled", NULL);
	struct pulls own, program;
	g_autofree char *said =
		ab_adb_shell_text(c->adb, &c->w, c->args[0], make, error);
	double a, b, a_cpu, b_cpu;

	if (!said || !time_pulls(c, to, &own, &program, error))
		return false;
	g_free(said);
	said = ab_adb_shell_text(c->adb, &c->w, c->args[0], "rm " BENCH_FILE,
				 error);
	a = median(own.wall);
	b = median(program.wall);
	a_cpu = median(own.cpu);
	b_cpu = median(program.cpu);
	printf("pull of %u MiB, median of %d: abrig %.0f MiB/s (cpu %.2f s), "
	       "adb %.0f MiB/s (cpu %.2f s): %.2f times as fast, %.1f times "
	       "less cpu\n",
	       BENCH_MIB, PULL_ROUNDS, BENCH_MIB / a, a_cpu, BENCH_MIB / b,
	       b_cpu, b / a, b_cpu / a_cpu);
	return said;
}

static bool do_bench(struct context *c, GError **error)
{
	g_autofree char *dir = g_dir_make_tmp("abrig-bench.XXXXXX", error);
	bool ok = dir && bench_shell(c, error) && bench_pull(c, dir, error);

	if (dir)
		remove(dir);
	return ok;
}

static const struct verb {
	const char *name;
	int args;
	bool (*run)(struct context *c, GError **error);
	const char *usage;
} verbs[] = {
	{ "start", 0, do_start, "" },
	{ "kill", 0, do_kill, "" },
	{ "devices", 0, do_devices, "" },
	{ "connect", 1, do_connect, "ADDRESS" },
	{ "disconnect", 1, do_disconnect, "ADDRESS" },
	{ "shell", 2, do_shell, "SERIAL COMMAND" },
	{ "input", 3, do_input, "SERIAL COMMAND TEXT" },
	{ "stream", 2, do_stream, "SERIAL COMMAND" },
	{ "pull", 3, do_pull, "SERIAL REMOTE LOCAL" },
	{ "push", 3, do_push, "SERIAL LOCAL REMOTE" },
	{ "wait", 2, do_wait, "SERIAL STATE" },
	{ "root", 2, do_root, "SERIAL yes|no" },
	{ "reboot", 2, do_reboot, "SERIAL TARGET" },
	{ "bench", 1, do_bench, "SERIAL" },
	{ "fb-getvar", 2, do_getvar, "TARGET NAME" },
	{ "fb-getvar-all", 1, do_getvar_all, "TARGET" },
	{ "fb-flash", 3, do_flash, "TARGET PARTITION IMAGE" },
	{ "fb-boot", 2, do_boot, "TARGET IMAGE" },
	{ "fb-set-active", 2, do_set_active, "TARGET SLOT" },
	{ "fb-slot", 1, do_slot, "TARGET" },
	{ "fb-userspace", 1, do_userspace, "TARGET" },
	{ "fb-reboot", 2, do_fb_reboot, "TARGET TO" },
	{ "fb-wait", 1, do_fb_wait, "TARGET" },
};

static const struct verb *find_verb(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(verbs); i++)
		if (argc > 1 && !strcmp(argv[1], verbs[i].name) &&
		    argc == verbs[i].args + 2)
			return &verbs[i];
	fprintf(stderr, "usage: bench-adb VERB ARGUMENT...\n");
	for (i = 0; i < G_N_ELEMENTS(verbs); i++)
		fprintf(stderr, "  %s %s\n", verbs[i].name, verbs[i].usage);
	return NULL;
}

static void read_environment(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	const char *text = g_getenv("BENCH_DEADLINE_MS");
	gint64 ms;

	if (text && ab_text_to_int(text, &ms) && ms > 0 && ms < G_MAXINT)
		deadline_ms = (int)ms;
	intr = ab_intr_new();
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

int main(int argc, char **argv)
{
	const struct verb *verb = find_verb(argc, argv);
	g_autoptr(GError) error = NULL;
	ab_autoptr(ab_adb) adb = NULL;
	struct context c;

	if (!verb)
		return 2;
	read_environment();
	adb = ab_adb_new(0);
	c = (struct context){ adb, ab_wait_in(intr, deadline_ms), argv + 2 };
	if (verb->run(&c, &error))
		return 0;
	fflush(stdout);
	fprintf(stderr, "bench-adb: %s\n", error ? error->message : "failed");
	return ab_error_exit_status(error) ? ab_error_exit_status(error) : 1;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/jobs.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum what { FINE, CRASH, ABORT, SPIN, HANG, HOARD, SLOW, SAYS };

struct fixture {
	const enum what *what;
	GString *log;  /* "0:ok ..." in the order of done() */
	guint stop_at; /* done() fails for this one */
	int grandchild[2];
};

static void hoard(void)
{
	for (;;) {
		char *p = g_malloc(1 << 20);

		memset(p, 1, 1 << 20);
	}
}

/* A job that has started a program of its own, and waits for it. */
static void hang(struct fixture *f)
{
	pid_t pid = fork();

	if (pid > 0)
		g_assert_cmpint(write(f->grandchild[1], &pid, sizeof(pid)), ==,
				sizeof(pid));
	for (;;)
		pause();
}

static int run(void *user, guint i, int out)
{
	struct fixture *f = user;

	switch (f->what[i]) {
	case CRASH:
		raise(SIGSEGV);
		break;
	case ABORT:
		g_error("no more");
	case SPIN:
		for (volatile int forever = 1; forever;)
			;
		break;
	case HANG:
		hang(f);
		break;
	case HOARD:
		hoard();
		break;
	case SLOW:
		g_usleep(200 * 1000);
		break;
	case SAYS:
		fprintf(stderr, "job %u says\n", i);
		return 3;
	default:
		break;
	}
	dprintf(out, "job %u", i);
	return 0;
}

static bool done(void *user, guint i, const struct ab_job_end *end,
		 GError **error)
{
	struct fixture *f = user;
	g_autofree char *why = ab_job_why(end);
	char text[64] = "";

	g_assert_cmpint(read(end->out, text, sizeof(text) - 1), >=, 0);
	g_string_append_printf(f->log, "%u:%d:%s:%s%s\n", i, end->status,
			       why ? why : "", text, end->said);
	if (f->stop_at && i == f->stop_at) {
		g_set_error_literal(error, AB_ERROR, AB_ERROR_ENV, "stop");
		return false;
	}
	return true;
}

static void limits(void *user, guint i, struct ab_job_limits *out)
{
	const struct fixture *f = user;

	switch (f->what[i]) {
	case SPIN:
		out->cpu_s = 1;
		break;
	case HANG:
		out->wall_s = 1;
		break;
	case HOARD:
		out->memory_bytes = 64 << 20;
		break;
	default:
		break;
	}
}

static char *run_all(struct fixture *f, guint n, guint parallel,
		     struct ab_intr *intr, GError **error)
{
	const struct ab_jobs jobs = {
		.n = n,
		.parallel = parallel,
		.user = f,
		.limits = limits,
		.run = run,
		.done = done,
	};

	f->log = g_string_new(NULL);
	if (!ab_jobs_run(&jobs, intr, error))
		g_string_append(f->log, "stopped");
	/* Nothing is left. */
	g_assert_cmpint(waitpid(-1, NULL, WNOHANG), ==, -1);
	g_assert_cmpint(errno, ==, ECHILD);
	return g_string_free(f->log, FALSE);
}

static void test_order(void)
{
	static const enum what what[] = { SLOW, FINE, SAYS, FINE, SLOW, FINE };
	struct fixture f = { .what = what };
	g_autoptr(GError) error = NULL;
	guint parallel;

	for (parallel = 0; parallel < 4; parallel++) {
		g_autofree char *log =
			run_all(&f, G_N_ELEMENTS(what), parallel, NULL, &error);

		g_assert_no_error(error);
		g_assert_cmpstr(log, ==,
				"0:0::job 0\n1:0::job 1\n2:3::job 2 says\n\n"
				"3:0::job 3\n4:0::job 4\n5:0::job 5\n");
	}
}

static void test_none(void)
{
	struct fixture f = { .what = NULL };
	g_autoptr(GError) error = NULL;
	g_autofree char *log = run_all(&f, 0, 4, NULL, &error);

	g_assert_no_error(error);
	g_assert_cmpstr(log, ==, "");
}

static void test_crash(void)
{
	static const enum what what[] = { FINE, CRASH, FINE };
	struct fixture f = { .what = what };
	g_autoptr(GError) error = NULL;
	g_autofree char *log = run_all(&f, 3, 2, NULL, &error);

	g_assert_no_error(error);
	g_assert_true(g_str_has_prefix(log, "0:0::job 0\n1:"));
	g_assert_true(g_str_has_suffix(log, "\n2:0::job 2\n"));
	if (!g_strrstr(log, "Sanitizer"))
		g_assert_nonnull(strstr(
			log, "1:0:crashed (signal 11, Segmentation fault):"));
}

static void test_abort(void)
{
	static const enum what what[] = { ABORT, FINE };
	struct fixture f = { .what = what };
	g_autoptr(GError) error = NULL;
	g_autofree char *log = run_all(&f, 2, 2, NULL, &error);

	g_assert_no_error(error);
	g_assert_nonnull(strstr(log, "no more"));
	g_assert_true(g_str_has_suffix(log, "\n1:0::job 1\n"));
}

static void test_limits(void)
{
	static const enum what what[] = { SPIN, HANG, FINE };
	struct fixture f = { .what = what };
	g_autoptr(GError) error = NULL;
	g_autofree char *log = NULL;
	pid_t pid = 0;
	int i;

	g_assert_cmpint(pipe(f.grandchild), ==, 0);
	log = run_all(&f, 3, 3, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(log, ==,
			"0:0:used more than 1 s of CPU time:\n"
			"1:0:did not end within 1 s:\n2:0::job 2\n");
	g_assert_cmpint(read(f.grandchild[0], &pid, sizeof(pid)), ==,
			sizeof(pid));
	/* What a job started goes with it; init may take a moment to reap. */
	for (i = 0; i < 500 && kill(pid, 0) == 0; i++) {
		g_autofree char *path =
			g_strdup_printf("/proc/%d/stat", (int)pid);
		g_autofree char *stat = NULL;

		if (g_file_get_contents(path, &stat, NULL, NULL) &&
		    strstr(stat, ") Z "))
			break;
		g_usleep(10 * 1000);
	}
	g_assert_cmpint(i, <, 500);
	close(f.grandchild[0]);
	close(f.grandchild[1]);
}

static void test_memory(void)
{
#if defined(__SANITIZE_ADDRESS__)
	g_test_skip("sanitizers need more memory than any limit");
#else
	static const enum what what[] = { HOARD, FINE };
	struct fixture f = { .what = what };
	g_autoptr(GError) error = NULL;
	g_autofree char *log = run_all(&f, 2, 1, NULL, &error);

	g_assert_no_error(error);
	g_assert_nonnull(strstr(log, "failed to allocate"));
	g_assert_true(g_str_has_suffix(log, "\n1:0::job 1\n"));
#endif
}

static void test_stop(void)
{
	static const enum what what[] = { FINE, FINE, SPIN };
	struct fixture f = { .what = what, .stop_at = 1 };
	g_autoptr(GError) error = NULL;
	g_autofree char *log = run_all(&f, 3, 3, NULL, &error);

	g_assert_error(error, AB_ERROR, AB_ERROR_ENV);
	g_assert_true(g_str_has_suffix(log, "1:0::job 1\nstopped"));
}

static gpointer interrupt_soon(gpointer intr)
{
	g_usleep(100 * 1000);
	ab_intr_trigger(intr);
	return NULL;
}

static void test_interrupt(void)
{
	static const enum what what[] = { SPIN, SPIN, SPIN };
	struct fixture f = { .what = what };
	struct ab_intr *intr = ab_intr_new();
	g_autoptr(GError) error = NULL;
	GThread *thread = g_thread_new("intr", interrupt_soon, intr);
	g_autofree char *log = run_all(&f, 3, 2, intr, &error);

	g_assert_error(error, AB_ERROR, AB_ERROR_INTERRUPTED);
	g_assert_cmpstr(log, ==, "stopped");
	g_thread_join(thread);
	ab_intr_free(intr);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/jobs/order", test_order);
	g_test_add_func("/jobs/none", test_none);
	g_test_add_func("/jobs/crash", test_crash);
	g_test_add_func("/jobs/abort", test_abort);
	g_test_add_func("/jobs/limits", test_limits);
	g_test_add_func("/jobs/memory", test_memory);
	g_test_add_func("/jobs/stop", test_stop);
	g_test_add_func("/jobs/interrupt", test_interrupt);
	return g_test_run();
}

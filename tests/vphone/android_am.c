// SPDX-License-Identifier: GPL-3.0-or-later
/* am: which app is in front, and starting Jankbench with its extras. */
#include "android.h"

#include <string.h>

#define EXTRA_IDS "com.android.benchmark.EXTRA_ENABLED_BENCHMARK_IDS"
#define EXTRA_COUNT "com.android.benchmark.EXTRA_RUN_COUNT"
#define EXTRA_FINISH "com.android.benchmark.FINISH_WHEN_DONE"
#define RUN_LOCAL VP_BENCHMARK "/.app.RunLocalBenchmarksActivity"
#define TESTS_MAX 64

struct intent {
	const char *action, *category, *data;
	char *component; /* "pkg/cls" */
	bool extras, wait, stop;
	int tests[TESTS_MAX];
	size_t n_tests;
	int count;
	bool finish;
};

static void front_package(const char *activity, char *pkg, size_t size)
{
	g_strlcpy(pkg, activity, size);
	pkg[strcspn(pkg, "/")] = '\0';
}

void vp_app_front(struct vphone *vp, const char *activity)
{
	char pkg[128];

	front_package(activity, pkg, sizeof(pkg));
	g_hash_table_insert(vp->android->running, g_strdup(pkg), g_strdup("1"));
	if (vp_is(vp->focus, activity))
		return;
	g_free(vp->focus);
	vp->focus = g_strdup(activity);
}

void vp_app_stop(struct vphone *vp, const char *package)
{
	g_autofree char *prefix = g_strdup_printf("%s/", package);

	if (vp_is(package, VP_BENCHMARK))
		vp_jankbench_stop(vp);
	VP_LOCKED(vp);
	g_hash_table_remove(vp->android->running, package);
	if (!vp_is(package, VP_LAUNCHER) && vp->focus &&
	    g_str_has_prefix(vp->focus, prefix))
		vp_app_front(vp, VP_LAUNCHER_ACTIVITY);
}

/* ---- intent arguments ---- */

static void parse_ids(struct intent *intent, const char *list)
{
	g_auto(GStrv) words = g_strsplit(list, ",", TESTS_MAX);

	intent->n_tests = 0;
	for (char **w = words; *w && intent->n_tests < TESTS_MAX; w++)
		intent->tests[intent->n_tests++] =
			(int)g_ascii_strtoll(*w, NULL, 10);
}

static void parse_extra(struct intent *intent, const char *option,
			const char *key, const char *value)
{
	intent->extras = true;
	if (vp_is(option, "--eia") && vp_is(key, EXTRA_IDS))
		parse_ids(intent, value);
	else if (vp_is(option, "--ei") && vp_is(key, EXTRA_COUNT))
		intent->count = (int)g_ascii_strtoll(value, NULL, 10);
	else if (vp_is(option, "--ez") && vp_is(key, EXTRA_FINISH))
		vp_parse_bool(value, &intent->finish);
}

static bool parse_option(struct vp_call *call, struct intent *intent, int *i)
{
	static const char *const extras[] = { "--ei",  "--eia", "--ez", "--es",
					      "-e",    "--el",	"--ef", "--eu",
					      "--esa", NULL };
	static const char *const words[] = {
		"-f", "--user", "--display",	   "-t",
		"-p", "-R",	"--windowingMode", NULL
	};
	const char *option = call->argv[*i];
	const char *word = vp_arg(call, *i + 1);

	if (g_strv_contains(extras, option)) {
		if (!vp_arg(call, *i + 2))
			return false;
		parse_extra(intent, option, word, call->argv[*i + 2]);
		*i += 2;
		return true;
	}
	intent->wait |= vp_is(option, "-W");
	intent->stop |= vp_is(option, "-S");
	if (!vp_is(option, "-n") && !vp_is(option, "-a") &&
	    !vp_is(option, "-c") && !vp_is(option, "-d") &&
	    !g_strv_contains(words, option))
		return true;
	if (!word)
		return false;
	if (vp_is(option, "-n"))
		intent->component = g_strdup(word);
	else if (vp_is(option, "-a"))
		intent->action = word;
	else if (vp_is(option, "-c"))
		intent->category = word;
	else if (vp_is(option, "-d"))
		intent->data = word;
	(*i)++;
	return true;
}

static bool parse_intent(struct vp_call *call, struct intent *intent)
{
	intent->count = 5;
	for (int i = 0; i < 7; i++)
		intent->tests[i] = i;
	intent->n_tests = 7;
	for (int i = 1; i < call->argc; i++) {
		if (call->argv[i][0] == '-') {
			if (!parse_option(call, intent, &i))
				return false;
		} else if (strchr(call->argv[i], '/') && !intent->component) {
			intent->component = g_strdup(call->argv[i]);
		}
	}
	if (!intent->component &&
	    vp_is(intent->category, "android.intent.category.HOME"))
		intent->component = g_strdup(VP_LAUNCHER_ACTIVITY);
	if (!intent->component &&
	    vp_is(intent->action, "com.android.benchmark.ACTION_BENCHMARK"))
		intent->component = g_strdup(RUN_LOCAL);
	return true;
}

static void print_intent(struct vp_call *call, const char *verb,
			 const struct intent *intent)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (intent->action)
		g_string_append_printf(text, "act=%s ", intent->action);
	if (intent->category)
		g_string_append_printf(text, "cat=[%s] ", intent->category);
	if (intent->data)
		g_string_append_printf(text, "dat=%s ", intent->data);
	if (intent->component)
		g_string_append_printf(text, "cmp=%s ", intent->component);
	if (intent->extras)
		g_string_append(text, "(has extras) ");
	vp_print(call->out, "%s: Intent { %s}\n", verb, text->str);
}

/* ---- start ---- */

/* The full class name spelled out means the same activity. */
static char *canonical(const char *component)
{
	char pkg[128];
	const char *cls = strchr(component, '/');

	if (!cls)
		return g_strdup(component);
	front_package(component, pkg, sizeof(pkg));
	cls++;
	if (g_str_has_prefix(cls, pkg) && cls[strlen(pkg)] == '.')
		cls += strlen(pkg);
	return g_strdup_printf("%s/%s", pkg, cls);
}

static bool activity_exists(const char *component)
{
	char pkg[128];
	const struct vp_package *p;

	front_package(component, pkg, sizeof(pkg));
	p = vp_package_find(pkg);
	if (!p || !p->activity || !strchr(component, '/'))
		return false;
	return vp_is(component, RUN_LOCAL) ||
	       vp_is(strchr(component, '/') + 1, p->activity);
}

struct launch {
	bool was_running, was_front;
	int ms;
};

static struct launch launch(struct vphone *vp, const char *component)
{
	struct launch l = { 0 };
	char pkg[128];

	front_package(component, pkg, sizeof(pkg));
	VP_LOCKED(vp);
	vp_android_settle(vp);
	l.was_running = g_hash_table_contains(vp->android->running, pkg);
	l.was_front =
		l.was_running && vp->focus && g_str_has_prefix(vp->focus, pkg);
	l.ms = l.was_front ? 0 : l.was_running ? 74 : 412;
	vp_shade_close(vp, 0);
	if (!l.was_front)
		vp_app_front(vp, component);
	return l;
}

static void print_launch(struct vp_call *call, const struct intent *intent,
			 const struct launch *l)
{
	if (l->was_front)
		vp_print(call->out,
			 "Warning: Activity not started, intent has been "
			 "delivered to currently running top-most instance.\n");
	else if (l->was_running && !vp_is(intent->component, RUN_LOCAL))
		vp_print(call->out,
			 "Warning: Activity not started, its current task has "
			 "been brought to the front\n");
	if (!intent->wait)
		return;
	vp_print(call->out, "Status: ok\nLaunchState: %s\nActivity: %s\n",
		 l->was_front	  ? "UNKNOWN (0)"
		 : l->was_running ? "WARM"
				  : "COLD",
		 intent->component);
	if (!l->was_front)
		vp_print(call->out, "TotalTime: %d\n", l->ms);
	vp_print(call->out, "WaitTime: %d\nComplete\n", l->ms + 4);
}

static int launch_intent(struct vp_call *call, struct intent *intent)
{
	struct launch l;
	g_autofree char *given = intent->component;

	intent->component = canonical(given);
	print_intent(call, "Starting", intent);
	if (!activity_exists(intent->component)) {
		g_autofree char *shown =
			g_strdelimit(g_strdup(intent->component), "\n", ' ');

		vp_print(call->err,
			 "Error type 3\nError: Activity class {%s} does not "
			 "exist.\n",
			 shown);
		return 0;
	}
	vp_log(call->vp, "ActivityTaskManager", 'I',
	       "START u0 {flg=0x10000000 cmp=%s} with LAUNCH_MULTIPLE from uid "
	       "%d result code=0",
	       intent->component, call->uid);
	l = launch(call->vp, intent->component);
	if (vp_is(intent->component, RUN_LOCAL) && !l.was_front)
		vp_jankbench_start(call->vp, intent->tests, intent->n_tests,
				   intent->count, intent->finish);
	if (intent->wait && !vp_call_sleep(call, l.ms * VP_MSEC))
		return 143;
	print_launch(call, intent, &l);
	return 0;
}

static int start(struct vp_call *call)
{
	struct intent intent = { 0 };
	char pkg[128];
	int rc;

	if (!parse_intent(call, &intent)) {
		vp_print(call->err,
			 "\nException occurred while executing 'start':\n"
			 "java.lang.IllegalArgumentException: Argument "
			 "expected after \"%s\"\n",
			 call->argv[call->argc - 1]);
		g_free(intent.component);
		return 255;
	}
	if (!intent.component) {
		print_intent(call, "Starting", &intent);
		vp_print(call->err, "Error: Activity not started, unable to "
				    "resolve Intent { (has extras) }\n");
		return 0;
	}
	if (intent.stop) {
		front_package(intent.component, pkg, sizeof(pkg));
		vp_print(call->out, "Stopping: %s\n", pkg);
		vp_app_stop(call->vp, pkg);
	}
	rc = launch_intent(call, &intent);
	g_free(intent.component);
	return rc;
}

/* ---- the rest ---- */

static const char *last_word(struct vp_call *call)
{
	int i = 1;

	while (i < call->argc && call->argv[i][0] == '-')
		i += !vp_is(call->argv[i], "--user") ? 1 : 2;
	return vp_arg(call, i);
}

static int no_package(struct vp_call *call)
{
	vp_print(call->err,
		 "\nException occurred while executing '%s':\n"
		 "java.lang.IllegalArgumentException: Argument expected after "
		 "\"%s\"\n",
		 call->argv[0], call->argv[0]);
	return 255;
}

static int force_stop(struct vp_call *call)
{
	const char *package = last_word(call);

	if (!package)
		return no_package(call);
	/* No word about a package that does not exist. */
	vp_app_stop(call->vp, package);
	VP_LOCKED(call->vp);
	if (!vp_is(package, "android"))
		vp_notifications_cancel(call->vp, package);
	return 0;
}

/* Only what is in the background. */
static int kill_background(struct vp_call *call)
{
	const char *package = last_word(call);
	bool in_front;

	if (!package)
		return no_package(call);
	{
		VP_LOCKED(call->vp);
		in_front = call->vp->focus &&
			   g_str_has_prefix(call->vp->focus, package);
	}
	if (!in_front)
		vp_app_stop(call->vp, package);
	return 0;
}

static int broadcast(struct vp_call *call)
{
	struct intent intent = { 0 };

	if (!parse_intent(call, &intent))
		return no_package(call);
	print_intent(call, "Broadcasting", &intent);
	g_free(intent.component);
	if (call->uid != 0 &&
	    vp_is(intent.action, "android.intent.action.AIRPLANE_MODE")) {
		vp_print(call->err,
			 "\nException occurred while executing 'broadcast':\n"
			 "java.lang.SecurityException: Permission Denial: not "
			 "allowed to send broadcast %s from pid=0, uid=%d\n",
			 intent.action, call->uid);
		return 255;
	}
	vp_print(call->out, "Broadcast completed: result=0\n");
	return 0;
}

static int current_user(struct vp_call *call)
{
	vp_print(call->out, "0\n");
	return 0;
}

static int unknown(struct vp_call *call)
{
	if (vp_arg(call, 1) && !vp_is(call->argv[1], "help"))
		vp_print(call->err, "Unknown command: %s\n", call->argv[1]);
	else
		vp_print(call->out, "Activity manager (activity) commands:\n"
				    "  help\n      Print this help text.\n");
	return 255;
}

int vp_cmd_am(struct vp_call *call)
{
	static const struct vp_command commands[] = {
		{ "start", start },
		{ "start-activity", start },
		{ "force-stop", force_stop },
		{ "kill", kill_background },
		{ "broadcast", broadcast },
		{ "get-current-user", current_user },
		{ NULL, NULL },
	};

	return vp_subcommand(call, commands, unknown);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// adb's services: the table, and those that change adbd itself.
#include "adbd.h"

#include <string.h>

/* How long adbd takes to come back in another role. */
#define RESTART_NS (150 * VP_MSEC)

static void say(struct adb_stream *s, const char *text)
{
	adb_stream_write(s, text, strlen(text));
}

static void restart(struct adb_stream *s, bool root)
{
	g_mutex_lock(&s->vp->lock);
	s->vp->adb_root = root;
	g_mutex_unlock(&s->vp->lock);
	/* The client must read the answer before the connection ends. */
	while (!adb_stream_may_write(s) && !adb_stream_closed(s))
		g_usleep(500);
	vp_adb_drop(s->vp, RESTART_NS);
}

static void service_root(struct adb_stream *s, const char *arg)
{
	(void)arg;
	if (s->uid == VP_UID_ROOT) {
		say(s, "adbd is already running as root\n");
	} else if (!s->vp->rooted) {
		say(s, "adbd cannot run as root in production builds\n");
	} else {
		say(s, "restarting adbd as root\n");
		restart(s, true);
	}
}

static void service_unroot(struct adb_stream *s, const char *arg)
{
	(void)arg;
	if (s->uid != VP_UID_ROOT) {
		say(s, "adbd not running as root\n");
	} else {
		say(s, "restarting adbd as non root\n");
		restart(s, false);
	}
}

static void service_reboot(struct adb_stream *s, const char *arg)
{
	vp_reboot(s->vp, arg);
}

static const struct {
	const char *prefix;
	adb_service_fn run;
} services[] = {
	{ "shell:", adb_service_shell }, { "shell,", adb_service_shell_v2 },
	{ "exec:", adb_service_shell },	 { "sync:", adb_service_sync },
	{ "reboot:", service_reboot },	 { "root:", service_root },
	{ "unroot:", service_unroot },
};

adb_service_fn adb_service_find(const char *name, const char **arg_out)
{
	for (size_t i = 0; i < G_N_ELEMENTS(services); i++) {
		size_t len = strlen(services[i].prefix);

		if (strncmp(name, services[i].prefix, len) != 0)
			continue;
		*arg_out = name + len;
		return services[i].run;
	}
	return NULL;
}

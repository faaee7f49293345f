// SPDX-License-Identifier: GPL-3.0-or-later
// The socket through which a test controls the phone: one line in, one line
// out.
#include "core.h"

#include <errno.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_LINE 4096

static char *do_fault(struct vphone *vp, char **words)
{
	int number = words[1] ? vp_fault_number(words[1]) : -1;
	bool has_times = words[1] && words[2];
	struct vp_fault_state *f;

	if (number < 0)
		return g_strdup_printf("error: no fault %s",
				       words[1] ? words[1] : "given");
	f = &vp->fault[number];
	f->left = has_times ? atoi(words[2]) : -1;
	if (has_times && words[3])
		f->arg = atoi(words[3]);
	else
		f->arg = 10;
	vp_poke(vp);
	return g_strdup("ok");
}

static char *do_clear(struct vphone *vp, char **words)
{
	(void)words;
	memset(vp->fault, 0, sizeof(vp->fault));
	vp_poke(vp);
	return g_strdup("ok");
}

static void add_slots(const struct vphone *vp, JsonBuilder *b)
{
	json_builder_set_member_name(b, "slots");
	json_builder_begin_array(b);
	for (int i = 0; i < VP_SLOTS; i++) {
		const struct vp_slot *s = &vp->core->slots[i];

		json_builder_begin_object(b);
		json_builder_set_member_name(b, "retries");
		json_builder_add_int_value(b, s->retries);
		json_builder_set_member_name(b, "successful");
		json_builder_add_boolean_value(b, s->successful);
		json_builder_set_member_name(b, "unbootable");
		json_builder_add_boolean_value(b, s->unbootable);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void add_string(JsonBuilder *b, const char *name, const char *value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_string_value(b, value ? value : "");
}

static void add_int(JsonBuilder *b, const char *name, gint64 value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_int_value(b, value);
}

static void add_bool(JsonBuilder *b, const char *name, bool value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_boolean_value(b, value);
}

static void add_table(JsonBuilder *b, const char *name, GHashTable *table)
{
	GHashTableIter it;
	gpointer key, value;

	json_builder_set_member_name(b, name);
	json_builder_begin_object(b);
	if (table) {
		g_hash_table_iter_init(&it, table);
		while (g_hash_table_iter_next(&it, &key, &value))
			add_string(b, key, value);
	}
	json_builder_end_object(b);
}

static void add_faults(const struct vphone *vp, JsonBuilder *b)
{
	json_builder_set_member_name(b, "faults");
	json_builder_begin_object(b);
	for (int i = 0; i < VP_FAULTS; i++)
		if (vp_fault_on(vp, (enum vp_fault)i, NULL))
			add_int(b, vp_fault_name(i), vp->fault[i].left);
	json_builder_end_object(b);
}

static void add_processes(const struct vphone *vp, JsonBuilder *b)
{
	g_autoptr(GArray) list = vp_processes(vp->core->spawner_pid);

	json_builder_set_member_name(b, "processes");
	json_builder_begin_array(b);
	for (guint i = 0; i < list->len; i++)
		json_builder_add_string_value(
			b, g_array_index(list, struct vp_process, i).args);
	json_builder_end_array(b);
}

static void add_state(struct vphone *vp, JsonBuilder *b)
{
	static const char *const modes[] = { "off", "bootloader", "booting",
					     "android" };
	static const char *const spaces[] = { "system", "secure", "global" };
	bool fastbootd = vp->mode == VP_BOOTLOADER && vp->core->fastbootd;

	add_string(b, "mode", fastbootd ? "fastbootd" : modes[vp->mode]);
	add_bool(b, "completed", vp->mode == VP_ANDROID && vp->core->completed);
	add_string(b, "serial", vp->serial);
	add_string(b, "slot", vp->slot);
	add_slots(vp, b);
	add_int(b, "boots", vp->boot_number);
	add_string(b, "boot_id", vp->boot_id);
	add_string(b, "kernel", vp->kernel_banner);
	add_int(b, "now_ms", vp_now_ns(vp) / VP_MSEC);
	add_bool(b, "awake", vp->awake);
	add_bool(b, "keyguard", vp->keyguard);
	add_bool(b, "adb_root", vp->adb_root);
	add_bool(b, "charging_held", vp->charging_held);
	add_string(b, "focus", vp->focus);
	add_int(b, "notifications",
		vp->notifications ? vp->notifications->len : 0);
	add_int(b, "acts", vp->acts ? vp->acts->len : 0);
	add_int(b, "marks", vp->marks->len);
	add_int(b, "tracing", vp->tracing);
	for (int i = 0; i < 3; i++)
		add_table(b, spaces[i], vp->settings[i]);
	add_faults(vp, b);
	add_processes(vp, b);
}

static char *do_state(struct vphone *vp, char **words)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	g_autoptr(JsonNode) root = NULL;

	(void)words;
	json_builder_begin_object(b);
	add_state(vp, b);
	json_builder_end_object(b);
	root = json_builder_get_root(b);
	return json_to_string(root, FALSE);
}

static char *get_setting(struct vphone *vp, const char *ns, const char *key)
{
	static const char *const spaces[] = { "system", "secure", "global" };
	const char *value = NULL;

	for (int i = 0; i < 3; i++)
		if (g_str_equal(ns, spaces[i]) && vp->settings[i])
			value = g_hash_table_lookup(vp->settings[i], key);
	return g_strdup(value ? value : "null");
}

static char *do_get(struct vphone *vp, char **words)
{
	guint n = g_strv_length(words);
	const char *value = NULL;

	if (n == 4 && g_str_equal(words[1], "settings"))
		return get_setting(vp, words[2], words[3]);
	if (n == 3 && g_str_equal(words[1], "prop")) {
		if (vp->props)
			value = g_hash_table_lookup(vp->props, words[2]);
		return g_strdup(value ? value : "");
	}
	return g_strdup("error: get settings NS KEY, or get prop NAME");
}

static char *do_quit(struct vphone *vp, char **words)
{
	(void)vp;
	(void)words;
	kill(getpid(), SIGTERM);
	return g_strdup("ok");
}

static const struct {
	const char *name;
	char *(*run)(struct vphone *vp, char **words); /* with the lock held */
} commands[] = {
	{ "fault", do_fault }, { "clear", do_clear }, { "state", do_state },
	{ "get", do_get },     { "quit", do_quit },
};

static char *run_line(struct vphone *vp, char *line)
{
	g_auto(GStrv) words = g_strsplit(g_strstrip(line), " ", -1);
	char *answer = NULL;

	g_mutex_lock(&vp->lock);
	for (size_t i = 0; i < G_N_ELEMENTS(commands) && !answer; i++)
		if (words[0] && g_str_equal(words[0], commands[i].name))
			answer = commands[i].run(vp, words);
	g_mutex_unlock(&vp->lock);
	return answer ? answer : g_strdup("error: unknown command");
}

static void serve(struct vphone *vp, int fd)
{
	FILE *f = fdopen(fd, "r+");
	char line[MAX_LINE];

	while (f && fgets(line, sizeof(line), f)) {
		g_autofree char *answer = run_line(vp, line);

		fseek(f, 0, SEEK_CUR);
		if (fprintf(f, "%s\n", answer) < 0 || fflush(f) != 0)
			break;
	}
	if (f)
		fclose(f);
}

struct server {
	struct vphone *vp;
	int fd;
};

static gpointer accept_tests(gpointer data)
{
	struct server *server = data;
	int fd;

	while ((fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		serve(server->vp, fd);
	return NULL;
}

bool vp_control_start(struct vphone *vp, GError **error)
{
	int fd = vp_unix_listen(vp->core->control_path, SOCK_STREAM, error);
	struct server *server;

	if (fd < 0)
		return false;
	server = g_new0(struct server, 1);
	server->vp = vp;
	server->fd = fd;
	g_thread_unref(g_thread_new("control", accept_tests, server));
	return true;
}

/* vphone ctl PATH WORDS...: for tests, which then need no other tool. */
int vp_ctl_main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *line = NULL;
	g_autofree char *answer = NULL;
	int fd;

	if (argc < 4) {
		g_printerr("usage: vphone ctl PATH COMMAND...\n");
		return 2;
	}
	fd = vp_unix_connect(argv[2], SOCK_STREAM, &error);
	if (fd < 0) {
		g_printerr("vphone ctl: %s\n", error->message);
		return 1;
	}
	line = g_strjoinv(" ", argv + 3);
	vp_write_full(fd, line, strlen(line));
	vp_write_full(fd, "\n", 1);
	shutdown(fd, SHUT_WR);
	answer = vp_read_all(fd, 1 << 20);
	g_print("%s", answer);
	close(fd);
	return g_str_has_prefix(answer, "error") || !*answer;
}

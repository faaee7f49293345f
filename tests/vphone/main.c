// SPDX-License-Identifier: GPL-3.0-or-later
// vphone: a virtual phone.  See docs/VPHONE.md.
#include "core.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct options {
	char *platform, *serial, *dir, *control, *install;
	int adb_port, fastboot_port, speed;
	gint64 seed;
	gboolean unrooted, no_shell_v2;
};

static bool parse_options(struct options *o, int *argc, char ***argv,
			  GError **error)
{
	const GOptionEntry entries[] = {
		{ "platform", 0, 0, G_OPTION_ARG_STRING, &o->platform,
		  "A (8 CPUs) or B (7 CPUs)", "P" },
		{ "serial", 0, 0, G_OPTION_ARG_STRING, &o->serial,
		  "serial number", "S" },
		{ "dir", 0, 0, G_OPTION_ARG_FILENAME, &o->dir,
		  "what the phone stores", "DIR" },
		{ "adb-port", 0, 0, G_OPTION_ARG_INT, &o->adb_port,
		  "TCP port of adbd; 0: a free one", "N" },
		{ "fastboot-port", 0, 0, G_OPTION_ARG_INT, &o->fastboot_port,
		  "TCP port of the bootloader; 0: a free one", "N" },
		{ "speed", 0, 0, G_OPTION_ARG_INT, &o->speed,
		  "phone seconds per second", "N" },
		{ "seed", 0, 0, G_OPTION_ARG_INT64, &o->seed,
		  "seed of all chance", "N" },
		{ "unrooted", 0, 0, G_OPTION_ARG_NONE, &o->unrooted,
		  "a user build: no root", NULL },
		{ "no-shell-v2", 0, 0, G_OPTION_ARG_NONE, &o->no_shell_v2,
		  "an old adbd, without shell_v2", NULL },
		{ "control", 0, 0, G_OPTION_ARG_FILENAME, &o->control,
		  "socket for tests (DIR/control)", "PATH" },
		{ "install", 0, 0, G_OPTION_ARG_STRING, &o->install,
		  "store images in partitions first", "PART=FILE,..." },
		{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, argc, argv, error))
		return false;
	if (o->platform && o->dir && vp_hw_find(o->platform) && o->speed > 0 &&
	    *argc == 1)
		return true;
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "--platform A|B and --dir DIR are needed, --speed is 1 or "
		    "more, and there are no other arguments");
	return false;
}

static bool write_proc(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && vp_write_full(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return ok;
}

/* An ordinary user may chroot(2) only as root of a namespace of its own. */
static bool become_root(GError **error)
{
	g_autofree char *uid = g_strdup_printf("0 %u 1", geteuid());
	g_autofree char *gid = g_strdup_printf("0 %u 1", getegid());

	if (geteuid() == 0)
		return true;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
	    write_proc("/proc/self/setgroups", "deny") &&
	    write_proc("/proc/self/uid_map", uid) &&
	    write_proc("/proc/self/gid_map", gid))
		return true;
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_PERM,
		    "no user namespace: %s; run the virtual phone as root, or "
		    "allow user namespaces (sysctl user.max_user_namespaces)",
		    g_strerror(errno));
	return false;
}

static bool install_images(struct vphone *vp, const char *spec, GError **error)
{
	g_auto(GStrv) items = g_strsplit(spec ? spec : "", ",", -1);
	g_autofree char *dir = g_build_filename(vp->dir, "partitions", NULL);

	g_mkdir_with_parents(dir, 0700);
	for (char **item = items; *item; item++) {
		char *file = strchr(*item, '=');
		g_autofree char *path = NULL;
		g_autofree char *data = NULL;
		gsize len;

		if (!**item)
			continue;
		if (file)
			*file++ = '\0';
		if (!file || !vp_partition_find(*item)) {
			g_set_error(error, G_OPTION_ERROR,
				    G_OPTION_ERROR_BAD_VALUE,
				    "--install %s: not PARTITION=FILE", *item);
			return false;
		}
		path = vp_partition_path(vp, *item);
		if (!g_file_get_contents(file, &data, &len, error) ||
		    !g_file_set_contents(path, data, (gssize)len, error))
			return false;
	}
	return true;
}

static struct vphone *new_phone(const struct options *o)
{
	struct vphone *vp = g_new0(struct vphone, 1);

	vp->core = g_new0(struct vp_core, 1);
	vp->hw = vp_hw_find(o->platform);
	vp->serial = g_strdup(o->serial ? o->serial : "VPHONE0001");
	vp->dir = g_canonicalize_filename(o->dir, NULL);
	vp->speed = o->speed;
	vp->seed = (guint64)o->seed ^ g_str_hash(vp->serial);
	vp->rooted = !o->unrooted;
	vp->battery_percent = 82;
	vp->start_mc = 30000;
	vp->focus = g_strdup("");
	vp->marks = g_array_new(FALSE, TRUE, sizeof(struct vp_mark));
	vp->core->shell_v2 = !o->no_shell_v2;
	vp->core->control_path =
		o->control ? g_canonicalize_filename(o->control, NULL)
			   : g_build_filename(vp->dir, "control", NULL);
	vp->core->reason = "cold,powerkey";
	vp->core->fastboot_conn = -1;
	vp->core->conns = g_ptr_array_new();
	vp->core->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	g_mutex_init(&vp->lock);
	g_cond_init(&vp->changed);
	return vp;
}

/* All that must happen while there is one thread, then the threads. */
static bool start(struct vphone *vp, const struct options *o, GError **error)
{
	g_autofree char *program = g_file_read_link("/proc/self/exe", error);

	if (!program)
		return false;
	if (g_mkdir_with_parents(vp->dir, 0755) < 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "cannot make %s: %s", vp->dir, g_strerror(errno));
		return false;
	}
	if (!install_images(vp, o->install, error) || !become_root(error) ||
	    !vp_root_build(vp, program, error) || !vp_spawner_start(vp, error))
		return false;
	vp_state_load(vp);
	vp_clock_start(vp);
	if (!vp_port_reserve(&vp->core->adb, o->adb_port, error) ||
	    !vp_port_reserve(&vp->core->fastboot, o->fastboot_port, error) ||
	    !vp_marker_start(vp, error) || !vp_command_start(vp, error) ||
	    !vp_control_start(vp, error))
		return false;
	vp->adb_port = vp->core->adb.port;
	vp->fastboot_port = vp->core->fastboot.port;
	g_thread_unref(g_thread_new("adbd", vp_adbd_main, vp));
	g_thread_unref(g_thread_new("bootloader", vp_bootloader_main, vp));
	vp->core->thread = g_thread_new("phone", vp_phone_main, vp);
	return true;
}

static void announce(const struct vphone *vp)
{
	g_autofree char *path = g_build_filename(vp->dir, "ports", NULL);
	g_autofree char *line = g_strdup_printf(
		"adb 127.0.0.1:%d fastboot 127.0.0.1:%d control %s\n",
		vp->adb_port, vp->fastboot_port, vp->core->control_path);

	vp_replace_file(path, line, strlen(line), 0644);
	fputs(line, stdout);
	fflush(stdout);
}

static void stop(struct vphone *vp)
{
	g_atomic_int_set(&vp_quit, 1);
	g_mutex_lock(&vp->lock);
	vp_go(vp, VP_NEXT_QUIT);
	g_mutex_unlock(&vp->lock);
	g_thread_join(vp->core->thread);
	g_mutex_lock(&vp->lock);
	vp_state_save(vp);
	g_mutex_unlock(&vp->lock);
	close(vp->core->spawner);
	waitpid(vp->core->spawner_pid, NULL, 0);
	g_unlink(vp->core->control_path);
}

static int fail(GError *error)
{
	g_printerr("vphone: %s\n", error->message);
	g_error_free(error);
	return 1;
}

static int print_free_port(void)
{
	int port = vp_free_port();

	if (port == 0) {
		fputs("vphone: no free port on 127.0.0.1\n", stderr);
		return 1;
	}
	return printf("%d\n", port) < 0;
}

int main(int argc, char **argv)
{
	struct options o = { .speed = 1, .seed = 1 };
	GError *error = NULL;
	struct vphone *vp;
	sigset_t set;
	int sig;

	if (argc > 1 && g_str_equal(argv[1], "ctl"))
		return vp_ctl_main(argc, argv);
	if (argc > 1 && g_str_equal(argv[1], "free-port"))
		return print_free_port();
	signal(SIGPIPE, SIG_IGN);
	umask(0); /* the modes of the phone's files are meant as they are */
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (!parse_options(&o, &argc, &argv, &error))
		return fail(error);
	vp = new_phone(&o);
	if (!start(vp, &o, &error))
		return fail(error);
	announce(vp);
	sigwait(&set, &sig);
	stop(vp);
	/* Some threads still wait for connections and use what is theirs. */
	_exit(0);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The private root that the phone's processes see.
#include "core.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MAX_LINKS 40
#define SUBSTITUTE_BYTES (1 << 20)

struct place {
	const char *path;
	mode_t mode;
	int uid;
};

static const struct place directories[] = {
	{ "/system/bin", 0755, 0 },
	{ "/system/etc", 0755, 0 },
	{ "/system/xbin", 0755, 0 },
	{ "/vendor/bin", 0755, 0 },
	{ "/dev/socket", 0755, 0 },
	{ "/proc", 0755, 0 },
	{ "/sys", 0755, 0 },
	{ "/data", 0771, 0 },
	{ "/data/data", 0771, 0 },
	{ "/data/local", 0751, 0 },
	{ "/data/local/tmp", 0771, 2000 },
	{ "/data/misc", 01771, 0 },
	{ "/data/misc/perfetto-traces", 0773, 0 },
	{ "/data/misc/perfetto-configs", 0775, 2000 },
	{ "/data/anr", 0775, 0 },
	{ "/storage/self", 0755, 0 },
	{ "/storage/emulated/0", 0777, 0 },
	{ "/storage/emulated/0/Download", 0777, 0 },
	{ "/metadata", 0771, 0 },
	{ "/mnt", 0755, 0 },
	{ "/apex", 0755, 0 },
	{ "/tmp", 01777, 0 },
};

static const struct {
	const char *path, *target;
} links[] = {
	{ "/bin", "/system/bin" },
	{ "/etc", "/system/etc" },
	{ "/sdcard", "/storage/self/primary" },
	{ "/storage/self/primary", "/storage/emulated/0" },
	{ "/d", "/sys/kernel/debug" },
};

static const struct {
	const char *name;
	unsigned int minor;
	int substitute; /* bytes of the regular file that stands in */
} devices[] = {
	{ "null", 3, 0 },
	{ "zero", 5, SUBSTITUTE_BYTES },
	{ "random", 8, SUBSTITUTE_BYTES },
	{ "urandom", 9, SUBSTITUTE_BYTES },
};

static bool make_directories(const struct vphone *vp, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(directories); i++) {
		const struct place *d = &directories[i];
		g_autofree char *path = g_strconcat(vp->root, d->path, NULL);

		if (g_mkdir_with_parents(path, 0755) < 0 ||
		    chmod(path, d->mode) < 0) {
			g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
				    "cannot make %s: %s", path,
				    g_strerror(errno));
			return false;
		}
		if (vp->core->real_uids && d->uid)
			(void)!chown(path, (uid_t)d->uid, (gid_t)d->uid);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(links); i++) {
		g_autofree char *path =
			g_strconcat(vp->root, links[i].path, NULL);

		(void)!symlink(links[i].target, path);
	}
	return true;
}

static bool is_device(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY);
	bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISCHR(st.st_mode);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Where neither mknod nor mount is allowed: see vp_files_tick() for null. */
static void substitute_device(const char *path, const char *host, int bytes)
{
	g_autofree char *data = g_malloc0((gsize)bytes + 1);
	int fd = open(host, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && bytes > 0)
		vp_read_full(fd, data, (size_t)bytes);
	if (fd >= 0)
		close(fd);
	vp_replace_file(path, data, (size_t)bytes, 0666);
}

static void make_devices(const struct vphone *vp)
{
	for (size_t i = 0; i < G_N_ELEMENTS(devices); i++) {
		const char *name = devices[i].name;
		g_autofree char *path =
			g_build_filename(vp->root, "dev", name, NULL);
		g_autofree char *host = g_build_filename("/dev", name, NULL);

		if (is_device(path))
			continue;
		unlink(path);
		if (mknod(path, S_IFCHR | 0666, makedev(1, devices[i].minor)) ==
			    0 &&
		    chmod(path, 0666) == 0 && is_device(path))
			continue;
		unlink(path);
		vp_replace_file(path, "", 0, 0666);
		if (mount(host, path, NULL, MS_BIND, NULL) < 0)
			substitute_device(path, host, devices[i].substitute);
	}
}

/* Can files and processes here get the phone's own user ids? */
static bool uids_work(const struct vphone *vp)
{
	g_autofree char *path = g_build_filename(vp->dir, ".uid", NULL);
	bool ok = vp_replace_file(path, "", 0, 0600) &&
		  chown(path, VP_UID_SHELL, VP_UID_SHELL) == 0;

	unlink(path);
	return ok;
}

bool vp_root_build(struct vphone *vp, const char *program, GError **error)
{
	vp->root = g_build_filename(vp->dir, "root", NULL);
	vp->core->real_uids = uids_work(vp);
	if (!make_directories(vp, error))
		return false;
	make_devices(vp);
	return vp_root_tools(vp->root, program, error);
}

void vp_root_fs_uid(int uid)
{
	/* Straight to the kernel: these are then this thread's alone. */
	syscall(SYS_setfsgid, uid);
	syscall(SYS_setfsuid, uid);
}

bool vp_root_enter_thread(struct vphone *vp, int uid)
{
	if (unshare(CLONE_FS) < 0 || chroot(vp->root) < 0 || chdir("/") < 0)
		return false;
	if (vp->core->real_uids)
		vp_root_fs_uid(uid);
	return true;
}

/* Put the components of @path before those that are still to be walked. */
static void push_components(GQueue *todo, const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);

	for (guint i = g_strv_length(parts); i > 0; i--)
		g_queue_push_head(todo, g_strdup(parts[i - 1]));
}

static void pop_component(GString *at, size_t floor)
{
	const char *slash = strrchr(at->str, '/');

	if (slash && (size_t)(slash - at->str) >= floor)
		g_string_truncate(at, (gsize)(slash - at->str));
}

char *vp_root_path(const struct vp_call *call, const char *path)
{
	const char *root = call->vp->root;
	size_t floor = strlen(root);
	GString *at = g_string_new(root);
	GQueue todo = G_QUEUE_INIT;
	int links_left = MAX_LINKS;
	char *part;

	push_components(&todo, path);
	if (path[0] != '/')
		push_components(&todo, call->cwd);
	while ((part = g_queue_pop_head(&todo))) {
		g_autofree char *name = part;
		g_autofree char *target = NULL;

		if (!name[0] || g_str_equal(name, "."))
			continue;
		if (g_str_equal(name, "..")) {
			pop_component(at, floor);
			continue;
		}
		g_string_append_printf(at, "/%s", name);
		target =
			links_left > 0 ? g_file_read_link(at->str, NULL) : NULL;
		if (!target)
			continue;
		links_left--;
		if (target[0] == '/')
			g_string_truncate(at, floor);
		else
			pop_component(at, floor);
		push_components(&todo, target);
	}
	return g_string_free(at, FALSE);
}

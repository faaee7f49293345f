// SPDX-License-Identifier: GPL-3.0-or-later
// The programs of the private root: the shell and the tools that Android has,
// and links of Android's own commands to vphone-cmd.
#include "core.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What Android 14 links to toybox, without what command.c serves. */
static const char *const toybox_names[] = {
	"[",	      "acpi",	   "base64",	  "basename",	"blkdiscard",
	"blkid",      "blockdev",  "cal",	  "cat",	"chattr",
	"chcon",      "chgrp",	   "chmod",	  "chown",	"chroot",
	"chrt",	      "cksum",	   "clear",	  "cmp",	"comm",
	"cp",	      "cpio",	   "cut",	  "dd",		"devmem",
	"df",	      "diff",	   "dirname",	  "dmesg",	"dos2unix",
	"du",	      "echo",	   "egrep",	  "env",	"expand",
	"expr",	      "fallocate", "false",	  "fgrep",	"file",
	"find",	      "flock",	   "fmt",	  "free",	"freeramdisk",
	"fsfreeze",   "fsync",	   "getconf",	  "getenforce", "getfattr",
	"grep",	      "groups",	   "gunzip",	  "gzip",	"head",
	"help",	      "hostname",  "hwclock",	  "i2cdetect",	"i2cdump",
	"i2cget",     "i2cset",	   "iconv",	  "ifconfig",	"inotifyd",
	"insmod",     "install",   "ionice",	  "iorenice",	"iotop",
	"kill",	      "ln",	   "load_policy", "logname",	"losetup",
	"ls",	      "lsattr",	   "lsmod",	  "lsof",	"lspci",
	"lsusb",      "makedevs",  "md5sum",	  "microcom",	"mkdir",
	"mkfifo",     "mknod",	   "mkswap",	  "mktemp",	"modinfo",
	"modprobe",   "more",	   "mount",	  "mountpoint", "mv",
	"nbd-client", "nc",	   "netcat",	  "netstat",	"nice",
	"nl",	      "nproc",	   "nsenter",	  "od",		"partprobe",
	"paste",      "patch",	   "pivot_root",  "pmap",	"printenv",
	"printf",     "prlimit",   "pwd",	  "pwdx",	"readelf",
	"readlink",   "realpath",  "renice",	  "restorecon", "rev",
	"rfkill",     "rm",	   "rmdir",	  "rmmod",	"rtcwake",
	"runcon",     "sed",	   "sendevent",	  "seq",	"setenforce",
	"setfattr",   "setsid",	   "sha1sum",	  "sha224sum",	"sha256sum",
	"sha384sum",  "sha512sum", "sort",	  "split",	"stat",
	"strings",    "stty",	   "swapoff",	  "swapon",	"sync",
	"sysctl",     "tac",	   "tail",	  "tar",	"taskset",
	"tee",	      "test",	   "time",	  "timeout",	"top",
	"touch",      "tr",	   "traceroute",  "true",	"truncate",
	"tty",	      "tunctl",	   "uclampset",	  "ulimit",	"umount",
	"uniq",	      "unix2dos",  "unlink",	  "unshare",	"uudecode",
	"uuencode",   "uuidgen",   "vconfig",	  "vi",		"vmstat",
	"watch",      "wc",	   "which",	  "xargs",	"xxd",
	"yes",	      "zcat",
};

static bool fail(GError **error, const char *what, const char *path)
{
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
		    "cannot %s %s: %s", what, path, g_strerror(errno));
	return false;
}

static bool copy_in(const char *root, const char *from, const char *to,
		    GError **error)
{
	g_autofree char *path = g_strconcat(root, to, NULL);
	g_autofree char *dir = g_path_get_dirname(path);
	g_autofree char *data = NULL;
	gsize len;

	if (!g_file_get_contents(from, &data, &len, error))
		return false;
	if (g_mkdir_with_parents(dir, 0755) < 0 ||
	    !vp_replace_file(path, data, len, 0755))
		return fail(error, "write", path);
	return true;
}

static bool link_in(const char *root, const char *name, const char *target,
		    GError **error)
{
	g_autofree char *path =
		g_build_filename(root, "system/bin", name, NULL);

	unlink(path);
	if (symlink(target, path) < 0)
		return fail(error, "link", path);
	return true;
}

/* The lines of ldd: "name => /path (0x...)", "/path (0x...)". */
static bool copy_libraries(const char *root, const char *program,
			   GError **error)
{
	const char *argv[] = { "ldd", program, NULL };
	g_autofree char *out = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
			  NULL, &out, NULL, NULL, error))
		return false;
	lines = g_strsplit(out, "\n", -1);
	for (char **line = lines; *line; line++) {
		char *path = strchr(*line, '/');

		if (!path)
			continue;
		path[strcspn(path, " ")] = '\0';
		if (!copy_in(root, path, path, error))
			return false;
	}
	return true;
}

static bool copy_program(const char *root, const char *name, const char *to,
			 GError **error)
{
	g_autofree char *path = g_find_program_in_path(name);

	if (!path) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
			    "%s is not installed: the virtual phone needs the "
			    "Debian package %s",
			    name, name);
		return false;
	}
	return copy_in(root, path, to, error) &&
	       copy_libraries(root, path, error);
}

/*
 * The shell, from the same package linked statically where that exists: a
 * third of the cost to start, and most of what a phone does is start shells.
 */
static bool copy_shell(const char *root, GError **error)
{
	static const char name[] = "mksh-static";
	g_autofree char *path = g_find_program_in_path(name);

	return copy_program(root, path ? name : "mksh", "/system/bin/sh",
			    error);
}

static bool link_toybox(const char *root, GError **error)
{
	const char *argv[] = { "toybox", NULL };
	g_autofree char *out = NULL;
	g_auto(GStrv) names = NULL;

	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
			  NULL, &out, NULL, NULL, error))
		return false;
	g_strdelimit(out, "\n", ' ');
	names = g_strsplit(out, " ", -1);
	for (size_t i = 0; i < G_N_ELEMENTS(toybox_names); i++) {
		const char *name = toybox_names[i];

		if (g_strv_contains((const char *const *)names, name) &&
		    !link_in(root, name, "toybox", error))
			return false;
	}
	return true;
}

/* For the names that ls and stat print. */
static bool put_users(const char *root, GError **error)
{
	static const char passwd[] = "root:x:0:0::/:/system/bin/sh\n"
				     "system:x:1000:1000::/:/system/bin/sh\n"
				     "shell:x:2000:2000::/:/system/bin/sh\n";
	static const char group[] =
		"root:x:0:\nsystem:x:1000:\ninput:x:1004:\nlog:x:1007:\n"
		"adb:x:1011:\nsdcard_rw:x:1015:\nshell:x:2000:\n"
		"readproc:x:3009:\n";
	g_autofree char *p = g_build_filename(root, "system/etc/passwd", NULL);
	g_autofree char *g = g_build_filename(root, "system/etc/group", NULL);

	if (!vp_replace_file(p, passwd, strlen(passwd), 0644))
		return fail(error, "write", p);
	return vp_replace_file(g, group, strlen(group), 0644) ||
	       fail(error, "write", g);
}

/*
 * toybox runs its own sleep, in the host's time, when its nohup is to start
 * one; a shell starts the phone's.
 */
static bool put_nohup(const char *root, GError **error)
{
	static const char script[] = "#!/system/bin/sh\n"
				     "trap '' HUP\n"
				     "[ -t 0 ] && exec </dev/null\n"
				     "[ -t 1 ] && exec >>nohup.out\n"
				     "[ -t 2 ] && exec 2>&1\n"
				     "exec \"$@\"\n";
	g_autofree char *path =
		g_build_filename(root, "system/bin/nohup", NULL);

	return vp_replace_file(path, script, strlen(script), 0755) ||
	       fail(error, "write", path);
}

bool vp_root_tools(const char *root, const char *program, GError **error)
{
	g_autofree char *dir = g_path_get_dirname(program);
	g_autofree char *client = g_build_filename(dir, "vphone-cmd", NULL);
	g_autoptr(GPtrArray) names = vp_command_names();

	if (!copy_shell(root, error) ||
	    !copy_program(root, "toybox", "/system/bin/toybox", error) ||
	    !link_toybox(root, error) || !put_users(root, error) ||
	    !put_nohup(root, error) ||
	    !copy_in(root, client, "/system/bin/vphone-cmd", error))
		return false;
	for (guint i = 0; i < names->len; i++)
		if (!link_in(root, names->pdata[i], "vphone-cmd", error))
			return false;
	return true;
}

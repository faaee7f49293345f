// SPDX-License-Identifier: GPL-3.0-or-later
// The phone's processes, seen from outside: its root has no real /proc.
#include "core.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_TEXT 4096

static void clear_process(gpointer data)
{
	struct vp_process *p = data;

	g_free(p->name);
	g_free(p->args);
}

static char *proc_text(pid_t pid, const char *file, gsize *len_out)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/%s", pid, file);
	GString *text = g_string_new(NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char buf[MAX_TEXT];
	ssize_t n = fd >= 0 ? read(fd, buf, sizeof(buf)) : -1;

	if (fd >= 0)
		close(fd);
	if (n > 0)
		g_string_append_len(text, buf, n);
	if (len_out)
		*len_out = text->len;
	return g_string_free(text, FALSE);
}

/* "pid (comm) S ppid ...": comm may hold anything, so from the last ')'. */
static bool read_stat(pid_t pid, struct vp_process *p)
{
	g_autofree char *text = proc_text(pid, "stat", NULL);
	char *begin = strchr(text, '(');
	char *end = strrchr(text, ')');

	if (!begin || !end || strlen(end) < 5)
		return false;
	p->host_pid = pid;
	p->state = end[2];
	p->ppid = (pid_t)g_ascii_strtoll(end + 4, NULL, 10);
	p->name = g_strndup(begin + 1, (gsize)(end - begin - 1));
	return true;
}

/* "NSpid:\t4711\t17": the innermost namespace's number is the last. */
static pid_t inner_pid(const char *status, pid_t host_pid)
{
	const char *p = strstr(status, "\nNSpid:");
	const char *end;

	if (!p)
		return host_pid;
	end = p + 1 + strcspn(p + 1, "\n");
	for (p = end; p[-1] != '\t';)
		p--;
	return (pid_t)g_ascii_strtoll(p, NULL, 10);
}

static void read_rest(struct vp_process *p)
{
	g_autofree char *status = proc_text(p->host_pid, "status", NULL);
	const char *uid = strstr(status, "\nUid:\t");
	gsize len = 0;

	p->pid = inner_pid(status, p->host_pid);
	p->uid = uid ? atoi(uid + strlen("\nUid:\t")) : 0;
	p->args = proc_text(p->host_pid, "cmdline", &len);
	for (gsize i = 0; i + 1 < len; i++)
		if (p->args[i] == '\0')
			p->args[i] = ' ';
	if (!p->args[0]) {
		g_free(p->args);
		p->args = g_strdup_printf("[%s]", p->name);
	}
}

static GArray *new_list(void)
{
	GArray *list = g_array_new(FALSE, TRUE, sizeof(struct vp_process));

	g_array_set_clear_func(list, clear_process);
	return list;
}

static GArray *everybody(void)
{
	GArray *all = new_list();
	DIR *dir = opendir("/proc");
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		struct vp_process p = { 0 };
		pid_t pid = (pid_t)g_ascii_strtoll(e->d_name, NULL, 10);

		if (pid > 0 && read_stat(pid, &p))
			g_array_append_val(all, p);
	}
	if (dir)
		closedir(dir);
	return all;
}

static pid_t inner_parent(GArray *list, pid_t host_ppid)
{
	for (guint i = 0; i < list->len; i++) {
		struct vp_process *p =
			&g_array_index(list, struct vp_process, i);

		if (p->host_pid == host_ppid)
			return p->pid;
	}
	return 0;
}

GArray *vp_processes(pid_t ancestor)
{
	g_autoptr(GArray) all = everybody();
	g_autoptr(GHashTable) in = g_hash_table_new(NULL, NULL);
	GArray *list = new_list();
	bool grown = true;

	g_hash_table_add(in, GINT_TO_POINTER(ancestor));
	while (grown) {
		grown = false;
		for (guint i = 0; i < all->len; i++) {
			struct vp_process *p =
				&g_array_index(all, struct vp_process, i);
			gpointer key = GINT_TO_POINTER(p->host_pid);
			gpointer parent = GINT_TO_POINTER(p->ppid);

			if (!p->name || g_hash_table_contains(in, key) ||
			    !g_hash_table_contains(in, parent))
				continue;
			g_hash_table_add(in, key);
			read_rest(p);
			g_array_append_val(list, *p);
			p->name = p->args = NULL; /* they moved */
			grown = true;
		}
	}
	for (guint i = 0; i < list->len; i++) {
		struct vp_process *p =
			&g_array_index(list, struct vp_process, i);

		p->ppid = inner_parent(list, p->ppid);
	}
	return list;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Commands about processes: Android's own, which exist in name only, and
// those that really run in the root.
#include "core.h"
#include "pids.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void clear_process(gpointer data)
{
	struct vp_process *p = data;

	g_free(p->name);
	g_free(p->args);
}

static void add_system(struct vphone *vp, GArray *list)
{
	const char *name;
	pid_t pid;

	g_mutex_lock(&vp->lock);
	for (size_t i = 0; (pid = vp_system_process(vp, i, &name)) > 0; i++) {
		struct vp_process p = { .pid = pid,
					.ppid = pid > VP_PID_ZYGOTE64
							? VP_PID_ZYGOTE64
							: VP_PID_INIT,
					.state = 'S',
					.name = g_strdup(name),
					.args = g_strdup(name) };

		g_array_append_val(list, p);
	}
	g_mutex_unlock(&vp->lock);
}

static pid_t caller_pid(const struct vp_call *call)
{
	struct ucred cred = { 0 };
	socklen_t len = sizeof(cred);

	getsockopt(call->peer, SOL_SOCKET, SO_PEERCRED, &cred, &len);
	return cred.pid;
}

/* All processes of the phone, without the one that asks. */
static GArray *all_processes(const struct vp_call *call)
{
	g_autoptr(GArray) real = vp_processes(call->vp->core->spawner_pid);
	GArray *list = g_array_new(FALSE, TRUE, sizeof(struct vp_process));
	pid_t caller = caller_pid(call);

	g_array_set_clear_func(list, clear_process);
	add_system(call->vp, list);
	for (guint i = 0; i < real->len; i++) {
		struct vp_process *p =
			&g_array_index(real, struct vp_process, i);

		if (p->host_pid == caller || p->state == 'Z')
			continue;
		if (p->ppid == 0)
			p->ppid = VP_PID_ADBD;
		g_array_append_val(list, *p);
		p->name = p->args = NULL;
	}
	return list;
}

/* ---- pidof ---- */

static bool has_name(const struct vp_process *p, const char *name)
{
	g_autofree char *first = g_strndup(p->args, strcspn(p->args, " "));
	g_autofree char *base = g_path_get_basename(first);

	return g_str_equal(p->name, name) || g_str_equal(base, name) ||
	       g_str_equal(first, name);
}

static int cmd_pidof(struct vp_call *call)
{
	g_autoptr(GArray) list = all_processes(call);
	g_autoptr(GString) out = g_string_new(NULL);
	bool single = false;

	for (int i = 1; i < call->argc; i++) {
		if (g_str_equal(call->argv[i], "-s")) {
			single = true;
			continue;
		}
		for (guint k = 0; k < list->len; k++) {
			struct vp_process *p =
				&g_array_index(list, struct vp_process, k);

			if (has_name(p, call->argv[i]) &&
			    (!single || out->len == 0))
				g_string_append_printf(out, "%s%d",
						       out->len ? " " : "",
						       p->pid);
		}
	}
	if (out->len == 0)
		return 1;
	vp_print(call->out, "%s\n", out->str);
	return 0;
}

/* ---- pgrep, pkill, killall ---- */

struct match {
	bool full, exact, list, newest, oldest;
	int sig;
	const char *pattern;
	const char *separator;
};

static bool set_option(struct match *m, char option)
{
	switch (option) {
	case 'f':
		m->full = true;
		return true;
	case 'x':
		m->exact = true;
		return true;
	case 'l':
		m->list = true;
		return true;
	case 'n':
		m->newest = true;
		return true;
	case 'o':
		m->oldest = true;
		return true;
	default:
		return false;
	}
}

static int signal_number(const char *s)
{
	static const struct {
		const char *name;
		int sig;
	} signals[] = { { "HUP", SIGHUP },   { "INT", SIGINT },
			{ "KILL", SIGKILL }, { "TERM", SIGTERM },
			{ "STOP", SIGSTOP }, { "CONT", SIGCONT },
			{ "USR1", SIGUSR1 }, { "USR2", SIGUSR2 } };

	if (g_str_has_prefix(s, "SIG"))
		s += 3;
	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
		if (g_ascii_strcasecmp(s, signals[i].name) == 0)
			return signals[i].sig;
	return g_ascii_isdigit(*s) ? atoi(s) : -1;
}

/* False: an unknown option. */
static bool parse_match(const struct vp_call *call, struct match *m)
{
	for (int i = 1; i < call->argc; i++) {
		const char *arg = call->argv[i];

		if (arg[0] != '-' || !arg[1]) {
			m->pattern = arg;
		} else if (g_str_equal(arg, "-d") && i + 1 < call->argc) {
			m->separator = call->argv[++i];
		} else if (m->sig && signal_number(arg + 1) >= 0) {
			m->sig = signal_number(arg + 1);
		} else {
			for (arg++; *arg; arg++)
				if (!set_option(m, *arg))
					return false;
		}
	}
	return m->pattern != NULL;
}

static GArray *find_matches(const struct vp_call *call, const struct match *m)
{
	g_autoptr(GArray) list = all_processes(call);
	g_autofree char *pattern =
		m->exact ? g_strdup_printf("^(?:%s)$", m->pattern)
			 : g_strdup(m->pattern);
	g_autoptr(GRegex) re = g_regex_new(pattern, 0, 0, NULL);
	GArray *found = g_array_new(FALSE, TRUE, sizeof(struct vp_process));

	g_array_set_clear_func(found, clear_process);
	for (guint i = 0; re && i < list->len; i++) {
		struct vp_process *p =
			&g_array_index(list, struct vp_process, i);

		if (!g_regex_match(re, m->full ? p->args : p->name, 0, NULL))
			continue;
		if (m->newest && found->len)
			g_array_remove_index(found, 0);
		if (m->oldest && found->len)
			continue;
		g_array_append_val(found, *p);
		p->name = p->args = NULL;
	}
	return found;
}

static int usage(const struct vp_call *call)
{
	vp_print(call->err, "%s: bad arguments; see the manual of toybox\n",
		 call->argv[0]);
	return 2;
}

static int cmd_pgrep(struct vp_call *call)
{
	struct match m = { .separator = "\n" };
	g_autoptr(GArray) found = NULL;

	if (!parse_match(call, &m))
		return usage(call);
	found = find_matches(call, &m);
	for (guint i = 0; i < found->len; i++) {
		struct vp_process *p =
			&g_array_index(found, struct vp_process, i);

		vp_print(call->out, "%s%d", i ? m.separator : "", p->pid);
		if (m.list)
			vp_print(call->out, " %s", m.full ? p->args : p->name);
	}
	if (found->len)
		vp_print(call->out, "\n");
	return found->len == 0;
}

static bool may_kill(const struct vp_call *call, const struct vp_process *p)
{
	if (p->host_pid == 0)
		return false;
	return call->uid == VP_UID_ROOT || p->uid == VP_UID_SHELL ||
	       !call->vp->core->real_uids;
}

static int kill_found(const struct vp_call *call, GArray *found, int sig)
{
	int killed = 0;

	for (guint i = 0; i < found->len; i++) {
		struct vp_process *p =
			&g_array_index(found, struct vp_process, i);

		if (may_kill(call, p) && kill(p->host_pid, sig) == 0)
			killed++;
		else
			vp_print(call->err,
				 "%s: kill pid %d: Operation not permitted\n",
				 call->argv[0], p->pid);
	}
	return killed == 0;
}

static int cmd_pkill(struct vp_call *call)
{
	struct match m = { .sig = SIGTERM };
	g_autoptr(GArray) found = NULL;

	if (!parse_match(call, &m))
		return usage(call);
	m.exact = m.exact || g_str_equal(call->argv[0], "killall");
	found = find_matches(call, &m);
	return kill_found(call, found, m.sig);
}

/* ---- ps ---- */

struct column {
	const char *name;
	int width; /* negative: left-aligned; 0: the rest of the line */
};

static const struct column columns[] = {
	{ "USER", -12 }, { "UID", 5 },	 { "PID", 6 },	   { "PPID", 6 },
	{ "VSZ", 10 },	 { "RSS", 6 },	 { "WCHAN", -15 }, { "ADDR", 8 },
	{ "S", -1 },	 { "STAT", -4 }, { "TID", 6 },	   { "COMM", -15 },
	{ "NAME", 0 },	 { "ARGS", 0 },	 { "CMD", 0 },	   { "CMDLINE", 0 },
};

static const struct column *find_column(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
		if (g_ascii_strcasecmp(name, columns[i].name) == 0)
			return &columns[i];
	return NULL;
}

static char *cell(const struct vp_call *call, const struct vp_process *p,
		  const char *name)
{
	int uid = p->uid;

	if (p->host_pid && !call->vp->core->real_uids)
		uid = VP_UID_SHELL;
	if (g_str_equal(name, "USER"))
		return g_strdup(uid == 0 ? "root" : "shell");
	if (g_str_equal(name, "UID"))
		return g_strdup_printf("%d", uid);
	if (g_str_equal(name, "PID") || g_str_equal(name, "TID"))
		return g_strdup_printf("%d", p->pid);
	if (g_str_equal(name, "PPID"))
		return g_strdup_printf("%d", p->ppid);
	if (g_str_equal(name, "VSZ"))
		return g_strdup("10867264");
	if (g_str_equal(name, "RSS"))
		return g_strdup("4120");
	if (g_str_equal(name, "S") || g_str_equal(name, "STAT"))
		return g_strdup_printf("%c", p->state);
	if (g_str_equal(name, "NAME") || g_str_equal(name, "COMM"))
		return g_strdup(p->name);
	if (g_str_equal(name, "WCHAN") || g_str_equal(name, "ADDR"))
		return g_strdup("0");
	return g_strdup(p->args);
}

static void put_cell(GString *out, const struct column *c, const char *text)
{
	if (out->len && out->str[out->len - 1] != '\n')
		g_string_append_c(out, ' ');
	if (c->width < 0)
		g_string_append_printf(out, "%-*s", -c->width, text);
	else
		g_string_append_printf(out, "%*s", c->width, text);
}

struct ps {
	bool all;
	pid_t pid;	    /* 0: any */
	GPtrArray *columns; /* const struct column * */
	bool headless;
};

/* "PID,NAME"; "PID=" leaves the header out. */
static bool choose_columns(struct ps *ps, const char *spec)
{
	g_auto(GStrv) names = g_strsplit(spec, ",", -1);

	for (char **n = names; *n; n++) {
		const struct column *c;

		if (g_str_has_suffix(*n, "=")) {
			ps->headless = true;
			(*n)[strlen(*n) - 1] = '\0';
		}
		c = find_column(*n);
		if (!c)
			return false;
		g_ptr_array_add(ps->columns, (gpointer)c);
	}
	return true;
}

static bool parse_ps(const struct vp_call *call, struct ps *ps)
{
	for (int i = 1; i < call->argc; i++) {
		const char *arg = call->argv[i];
		bool more = i + 1 < call->argc;

		if (g_str_has_prefix(arg, "-o")) {
			if (arg[2] ? !choose_columns(ps, arg + 2)
				   : !more || !choose_columns(ps,
							      call->argv[++i]))
				return false;
		} else if (g_str_equal(arg, "-p") && more) {
			ps->pid = atoi(call->argv[++i]);
		} else if (arg[0] == '-' &&
			   strspn(arg + 1, "AefTlwZ") == strlen(arg + 1)) {
			ps->all = ps->all || strpbrk(arg, "Ae");
		} else {
			return false;
		}
	}
	if (ps->columns->len == 0)
		choose_columns(ps, "USER,PID,PPID,VSZ,RSS,WCHAN,ADDR,S,NAME");
	return true;
}

static void put_row(const struct vp_call *call, const struct ps *ps,
		    const struct vp_process *p, GString *out)
{
	for (guint i = 0; i < ps->columns->len; i++) {
		const struct column *c = ps->columns->pdata[i];
		g_autofree char *text =
			p ? cell(call, p, c->name) : g_strdup(c->name);

		put_cell(out, c, text);
	}
	g_string_append_c(out, '\n');
}

static int cmd_ps(struct vp_call *call)
{
	g_autoptr(GPtrArray) chosen = g_ptr_array_new();
	struct ps ps = { .columns = chosen };
	g_autoptr(GArray) list = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	bool found = false;

	if (!parse_ps(call, &ps))
		return usage(call);
	list = all_processes(call);
	if (!ps.headless)
		put_row(call, &ps, NULL, out);
	for (guint i = 0; i < list->len; i++) {
		const struct vp_process *p =
			&g_array_index(list, struct vp_process, i);
		/* Without -A: those of the caller's own. */
		bool mine = ps.all || p->host_pid;

		if (ps.pid ? p->pid != ps.pid : !mine)
			continue;
		put_row(call, &ps, p, out);
		found = true;
	}
	vp_print(call->out, "%s", out->str);
	return !found;
}

const struct vp_command vp_commands_ps[] = {
	{ "killall", cmd_pkill }, { "pgrep", cmd_pgrep },
	{ "pidof", cmd_pidof },	  { "pkill", cmd_pkill },
	{ "ps", cmd_ps },	  { NULL, NULL },
};

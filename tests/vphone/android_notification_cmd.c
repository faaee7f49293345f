// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd notification, dumpsys notification: what is posted; do not disturb. */
#include "android.h"

static struct vp_notification *at(const struct vphone *vp, guint i)
{
	return g_ptr_array_index(vp->notifications, i);
}

static int list_where(struct vp_call *call, bool hidden)
{
	g_autoptr(GString) out = g_string_new(NULL);

	{
		VP_LOCKED(call->vp);
		for (guint i = 0; i < call->vp->notifications->len; i++) {
			g_autofree char *key =
				vp_notification_key(at(call->vp, i));

			if (at(call->vp, i)->snoozed == hidden &&
			    vp_notification_posted(call->vp, at(call->vp, i)))
				g_string_append_printf(out, "%s\n", key);
		}
	}
	vp_print(call->out, "%s", out->str);
	return 0;
}

static int list(struct vp_call *call)
{
	return list_where(call, false);
}

static int snoozed(struct vp_call *call)
{
	return list_where(call, true);
}

static void print_record(const struct vp_notification *n, GString *out)
{
	g_autofree char *key = vp_notification_key(n);

	g_string_append_printf(
		out,
		"    NotificationRecord(0x%08x: pkg=%s user=UserHandle{%d} "
		"id=%d tag=%s importance=%d key=%s: Notification(channel=%s "
		"flags=0x%x vis=PRIVATE))\n"
		"      uid=%d userId=%d\n"
		"      key=%s\n"
		"      extras={\n"
		"          android.title=String (%s)\n"
		"          android.text=String (%s)\n"
		"      }\n",
		g_str_hash(key), n->pkg, n->user, n->id,
		n->tag ? n->tag : "null", n->ongoing ? 2 : 3, key,
		n->ongoing ? "DEVELOPER" : "shell_cmd", n->ongoing ? 0x2 : 0,
		n->uid, n->user, key, n->title ? n->title : "null",
		n->text ? n->text : "null");
}

/* Lock held. */
static struct vp_notification *by_key(struct vphone *vp, const char *key)
{
	for (guint i = 0; i < vp->notifications->len; i++) {
		g_autofree char *own = vp_notification_key(at(vp, i));

		if (vp_is(own, key) && vp_notification_posted(vp, at(vp, i)))
			return at(vp, i);
	}
	return NULL;
}

static int get(struct vp_call *call)
{
	const char *key = vp_arg(call, 1);
	g_autoptr(GString) out = g_string_new(NULL);

	if (!key) {
		vp_print(call->out, "usage: cmd notification get <key>\n");
		return 0;
	}
	{
		VP_LOCKED(call->vp);
		struct vp_notification *n = by_key(call->vp, key);

		if (n)
			print_record(n, out);
	}
	if (!out->len) {
		vp_print(call->err,
			 "error: no active notification matching key: %s\n",
			 key);
		return 1;
	}
	vp_print(call->out, "%s", out->str);
	return 0;
}

static int snooze(struct vp_call *call)
{
	const char *key = vp_arg(call, call->argc - 1);
	bool hide = vp_is(call->argv[0], "snooze");
	struct vp_notification *n;

	if (call->argc < 2 || (hide && call->argc < 4)) {
		vp_print(call->out,
			 "usage: cmd notification snooze (--for <msec> | "
			 "--context <snooze-criterion-id>) <key>\n");
		return 0;
	}
	VP_LOCKED(call->vp);
	n = by_key(call->vp, key);
	if (n)
		n->snoozed = hide;
	return 0;
}

static int set_dnd(struct vp_call *call)
{
	static const struct {
		const char *word, *zen;
	} modes[] = {
		{ "none", "2" },   { "on", "2" },  { "priority", "1" },
		{ "alarms", "3" }, { "all", "0" }, { "off", "0" },
	};
	const char *word = vp_arg(call, 1);

	if (!word) {
		vp_print(call->out, "usage: cmd notification set_dnd "
				    "<on|none|priority|alarms|all|off>\n");
		return 0;
	}
	VP_LOCKED(call->vp);
	for (size_t i = 0; i < G_N_ELEMENTS(modes); i++)
		if (vp_is(modes[i].word, word))
			vp_setting_set(call->vp, VP_GLOBAL, "zen_mode",
				       modes[i].zen);
	return 0;
}

/* allow_listener, disallow_dnd, ...: nothing here has a listener. */
static int accept(struct vp_call *call)
{
	(void)call;
	return 0;
}

static int help(struct vp_call *call)
{
	vp_print(call->out, "usage: cmd notification SUBCMD [args]\n\n"
			    "SUBCMDs:\n"
			    "  allow_listener COMPONENT [user_id]\n"
			    "  disallow_listener COMPONENT [user_id]\n"
			    "  allow_assistant COMPONENT [user_id]\n"
			    "  remove_assistant COMPONENT [user_id]\n"
			    "  set_dnd [on|none|priority|alarms|all|off]\n"
			    "  allow_dnd PACKAGE [user_id]\n"
			    "  disallow_dnd PACKAGE [user_id]\n"
			    "  reset_assistant_user_set [user_id]\n"
			    "  get_approved_assistant [user_id]\n"
			    "  post [--help | flags] TAG TEXT\n"
			    "  list\n"
			    "  get <notification-key>\n"
			    "  snooze --for <msec> <notification-key>\n"
			    "  unsnooze <notification-key>\n");
	return 0;
}

static int unknown(struct vp_call *call)
{
	const char *word = vp_arg(call, 1);

	if (word && !vp_is(word, "help") && !vp_is(word, "-h"))
		vp_print(call->out, "Unknown command: %s\n", word);
	help(call);
	return 255;
}

static const struct vp_command commands[] = {
	{ "post", vp_cmd_notification_post },
	{ "notify", vp_cmd_notification_post },
	{ "list", list },
	{ "get", get },
	{ "snooze", snooze },
	{ "unsnooze", snooze },
	{ "snoozed", snoozed },
	{ "set_dnd", set_dnd },
	{ "allow_dnd", accept },
	{ "disallow_dnd", accept },
	{ "allow_listener", accept },
	{ "disallow_listener", accept },
	{ "allow_assistant", accept },
	{ "remove_assistant", accept },
	{ NULL, NULL },
};

int vp_cmd_notification(struct vp_call *call)
{
	if (call->uid != 0 && call->uid != 2000) {
		vp_print(call->err,
			 "error: permission denied: callingUid=%d "
			 "callingPackage=null\n",
			 call->uid);
		return 255;
	}
	return vp_subcommand(call, commands, unknown);
}

void vp_dump_notification(struct vp_call *call, GString *out)
{
	struct vphone *vp = call->vp;

	g_string_append(out, "Current Notification Manager state:\n"
			     "  Notification List:\n");
	for (guint i = 0; i < vp->notifications->len; i++)
		if (!at(vp, i)->snoozed &&
		    vp_notification_posted(vp, at(vp, i)))
			print_record(at(vp, i), out);
	g_string_append_printf(out,
			       "\n  mMaxPackageEnqueueRate=5.0\n  Zen Mode:\n"
			       "    mZenMode=%s\n",
			       vp_setting(vp, VP_GLOBAL, "zen_mode"));
}

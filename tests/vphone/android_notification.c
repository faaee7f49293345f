// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Notifications of the shell command's recent version: one constant id, so
 * that only the tag makes a notification distinct; attributed to the caller's
 * package; grouped behind a summary from the second one on.
 */
#include "android.h"

#include <string.h>

#define SHELL_ID 2020
#define PACKAGE_MAX 50 /* MAX_PACKAGE_NOTIFICATIONS */
#define GROUP_AT 2     /* config_autoGroupAtCount */
#define ENQUEUE_NS (40 * VP_MSEC)
#define SUMMARY_ID G_MAXINT32
#define SUMMARY_TAG "ranker_group"

void vp_notification_free(struct vp_notification *n)
{
	g_free(n->tag);
	g_free(n->title);
	g_free(n->text);
	g_free(n->pkg);
	g_free(n);
}

char *vp_notification_key(const struct vp_notification *n)
{
	bool summary = n->id == SUMMARY_ID && vp_is(n->tag, SUMMARY_TAG);

	return g_strdup_printf("%d|%s|%d|%s|%d%s", n->user, n->pkg, n->id,
			       n->tag ? n->tag : "null", n->uid,
			       summary ? "|" SUMMARY_TAG : "");
}

static struct vp_notification *at(const struct vphone *vp, guint i)
{
	return g_ptr_array_index(vp->notifications, i);
}

static void add(struct vphone *vp, const struct vp_notification *model)
{
	struct vp_notification *n = g_new(struct vp_notification, 1);

	*n = *model;
	n->tag = g_strdup(model->tag);
	n->title = g_strdup(model->title);
	n->text = g_strdup(model->text);
	n->pkg = g_strdup(model->pkg);
	n->posted_ns = vp_now_ns(vp) + (n->id == SHELL_ID ? ENQUEUE_NS : 0);
	g_ptr_array_add(vp->notifications, n);
}

void vp_notifications_boot(struct vphone *vp)
{
	static const struct vp_notification system[] = {
		{ .pkg = "android",
		  .id = 26,
		  .uid = 1000,
		  .user = -1,
		  .ongoing = true,
		  .title = "USB debugging connected",
		  .text = "Tap to turn off USB debugging" },
		{ .pkg = "android",
		  .id = 32,
		  .uid = 1000,
		  .user = -1,
		  .ongoing = true,
		  .title = "Charging this device via USB",
		  .text = "Tap for more options." },
	};

	if (!vp->notifications)
		vp->notifications = g_ptr_array_new();
	g_ptr_array_set_free_func(vp->notifications,
				  (GDestroyNotify)vp_notification_free);
	g_ptr_array_set_size(vp->notifications, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(system); i++)
		add(vp, &system[i]);
}

/* Enqueued is not posted yet. */
static bool posted(const struct vphone *vp, const struct vp_notification *n)
{
	return vp_now_ns(vp) >= n->posted_ns;
}

/* The index of the first match of package, id and tag; -1: none. */
static int find(const struct vphone *vp, const char *pkg, int id,
		const char *tag)
{
	for (guint i = 0; i < vp->notifications->len; i++)
		if (at(vp, i)->id == id && vp_is(at(vp, i)->pkg, pkg) &&
		    vp_is(at(vp, i)->tag, tag))
			return (int)i;
	return -1;
}

static unsigned count(const struct vphone *vp, const char *pkg)
{
	unsigned n = 0;

	for (guint i = 0; i < vp->notifications->len; i++)
		n += vp_is(at(vp, i)->pkg, pkg) && !at(vp, i)->ongoing &&
		     at(vp, i)->id != SUMMARY_ID;
	return n;
}

/* The system adds and removes the summary as the count changes. */
static void regroup(struct vphone *vp, const char *pkg, int uid)
{
	int summary = find(vp, pkg, SUMMARY_ID, SUMMARY_TAG);
	bool wanted = count(vp, pkg) >= GROUP_AT;
	struct vp_notification model = { .tag = (char *)SUMMARY_TAG,
					 .title = NULL,
					 .pkg = (char *)pkg,
					 .id = SUMMARY_ID,
					 .uid = uid };

	if (wanted && summary < 0)
		add(vp, &model);
	else if (!wanted && summary >= 0)
		g_ptr_array_remove_index(vp->notifications, (guint)summary);
}

unsigned vp_notifications_cancel(struct vphone *vp, const char *package)
{
	unsigned gone = 0;

	for (guint i = vp->notifications->len; i-- > 0;) {
		if (!vp_is(at(vp, i)->pkg, package) || at(vp, i)->ongoing)
			continue;
		g_ptr_array_remove_index(vp->notifications, i);
		gone++;
	}
	return gone;
}

/* ---- post ---- */

struct post {
	const char *title, *tag, *text, *style, *icon;
	bool verbose;
};

static const char post_usage[] =
	"usage: cmd notification post [flags] <tag> <text>\n\n"
	"flags:\n"
	"  -h|--help\n"
	"  -v|--verbose\n"
	"  -t|--title <text>\n"
	"  -i|--icon <iconspec>\n"
	"  -I|--large-icon <iconspec>\n"
	"  -S|--style <style> [styleargs]\n"
	"  -c|--content-intent <intentspec>\n\n"
	"styles: (default none)\n"
	"  bigtext\n"
	"  bigpicture --picture <iconspec>\n"
	"  inbox --line <text> --line <text> ...\n"
	"  messaging --conversation <title> --message <who>:<text> ...\n"
	"  media\n\n"
	"an <iconspec> is one of\n"
	"  file:///data/local/tmp/<img.png>\n"
	"  content://<provider>/<path>\n"
	"  @[<package>:]drawable/<img>\n"
	"  data:base64,<B64DATA==>\n\n"
	"an <intentspec> is (broadcast|service|activity) <args>\n"
	"  <args> are as described in `am start`\n";

static int wrong(struct vp_call *call, const char *what)
{
	vp_print(call->out, "Error occurred. Check logcat for details. %s\n",
		 what);
	return 0;
}

/* Words after an option; -1: no such option. */
static int option_words(const char *option)
{
	static const struct {
		const char *name;
		int words;
	} options[] = {
		{ "-v", 0 },
		{ "--verbose", 0 },
		{ "-t", 1 },
		{ "--title", 1 },
		{ "-i", 1 },
		{ "--icon", 1 },
		{ "-I", 1 },
		{ "--large-icon", 1 },
		{ "--largeicon", 1 },
		{ "-S", 1 },
		{ "--style", 1 },
		{ "-c", 1 },
		{ "--content-intent", 1 },
		{ "--bigtext", 1 },
		{ "--big-text", 1 },
		{ "--picture", 1 },
		{ "--line", 1 },
		{ "--message", 1 },
		{ "--conversation", 1 },
		{ "-u", 1 },
		{ "--user", 1 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
		if (vp_is(options[i].name, option))
			return options[i].words;
	return -1;
}

static bool bad_icon(const char *icon)
{
	return icon && *icon != '/' && *icon != '@' &&
	       !g_str_has_prefix(icon, "file:") &&
	       !g_str_has_prefix(icon, "content:") &&
	       !g_str_has_prefix(icon, "data:base64,");
}

/* NULL when all is well, else what goes wrong (static text). */
static const char *post_parse(const struct vp_call *call, struct post *post)
{
	static const char *const styles[] = { "bigtext", "bigpicture",
					      "inbox",	 "messaging",
					      "media",	 NULL };
	int i = 1;

	for (; i < call->argc && call->argv[i][0] == '-'; i++) {
		const char *option = call->argv[i];
		int words = option_words(option);
		const char *word = vp_arg(call, i + 1);

		if (words < 0 || (words && !word))
			return "usage";
		if (vp_is(option, "-v") || vp_is(option, "--verbose"))
			post->verbose = true;
		if (vp_is(option, "-t") || vp_is(option, "--title"))
			post->title = word;
		if (g_ascii_tolower(option[1]) == 'i' ||
		    g_str_has_suffix(option, "icon"))
			post->icon = word;
		if (vp_is(option, "-S") || vp_is(option, "--style"))
			post->style = word;
		if (vp_is(option, "--line") && !post->style)
			return "--line was provided without --style inbox";
		if (vp_is(option, "--message") && !post->style)
			return "--message was provided without --style "
			       "messaging";
		i += words;
	}
	if (post->style && !g_strv_contains(styles, post->style))
		return "unrecognized notification style";
	post->tag = vp_arg(call, i);
	post->text = vp_arg(call, i + 1);
	return post->tag && post->text ? NULL : "usage";
}

static bool post_store(struct vphone *vp, const struct post *post, int uid)
{
	const char *pkg = uid == 0 ? "root" : "com.android.shell";
	struct vp_notification model = { .tag = (char *)post->tag,
					 .title = (char *)post->title,
					 .text = (char *)post->text,
					 .pkg = (char *)pkg,
					 .id = SHELL_ID,
					 .uid = uid };
	int old = find(vp, pkg, SHELL_ID, post->tag);

	if (old >= 0) {
		g_free(at(vp, (guint)old)->text);
		at(vp, (guint)old)->text = g_strdup(post->text);
		return true;
	}
	if (count(vp, pkg) >= PACKAGE_MAX)
		return false;
	add(vp, &model);
	regroup(vp, pkg, uid);
	return true;
}

static int post(struct vp_call *call)
{
	struct post p = { 0 };
	const char *problem = post_parse(call, &p);
	bool stored;

	if (vp_is(problem, "usage")) {
		vp_print(call->out, "%s", post_usage);
		return 0;
	}
	if (problem)
		return wrong(call, problem);
	if (bad_icon(p.icon)) {
		vp_print(call->err, "error: invalid icon: %s\n", p.icon);
		return 255;
	}
	vp_print(call->out,
		 "posting for user 0:\n  Notification(channel=shell_cmd "
		 "shortcut=null contentView=null vibrate=null sound=null "
		 "defaults=0x0 flags=0x0 color=0x00000000 "
		 "vis=PRIVATE)\n");
	{
		VP_LOCKED(call->vp);
		stored = post_store(call->vp, &p, call->uid);
	}
	if (!p.verbose)
		return 0;
	if (!vp_call_sleep(call, 500 * VP_MSEC))
		return 143;
	vp_print(call->out,
		 stored ? "posted:\n  NotificationRecord(pkg=%s id=%d tag=%s)\n"
			: "warning: couldn't find notification after "
			  "enqueueing\n",
		 call->uid ? "com.android.shell" : "root", SHELL_ID, p.tag);
	return 0;
}

/* ---- list, get, snooze ---- */

static int list_where(struct vp_call *call, bool hidden)
{
	g_autoptr(GString) out = g_string_new(NULL);

	{
		VP_LOCKED(call->vp);
		for (guint i = 0; i < call->vp->notifications->len; i++) {
			g_autofree char *key =
				vp_notification_key(at(call->vp, i));

			if (at(call->vp, i)->snoozed == hidden &&
			    posted(call->vp, at(call->vp, i)))
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

		if (vp_is(own, key) && posted(vp, at(vp, i)))
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

/* ---- the rest ---- */

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
	{ "post", post },
	{ "notify", post },
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
		if (!at(vp, i)->snoozed && posted(vp, at(vp, i)))
			print_record(at(vp, i), out);
	g_string_append_printf(out,
			       "\n  mMaxPackageEnqueueRate=5.0\n  Zen Mode:\n"
			       "    mZenMode=%s\n",
			       vp_setting(vp, VP_GLOBAL, "zen_mode"));
}

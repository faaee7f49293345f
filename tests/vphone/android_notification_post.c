// SPDX-License-Identifier: GPL-3.0-or-later
/* cmd notification post: options, then TAG and TEXT. */
#include "android.h"

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

int vp_cmd_notification_post(struct vp_call *call)
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
		stored = vp_notification_post(call->vp, call->uid, p.tag,
					      p.title, p.text);
	}
	if (!p.verbose)
		return 0;
	if (!vp_call_sleep(call, 500 * VP_MSEC))
		return 143;
	vp_print(call->out,
		 stored ? "posted:\n  NotificationRecord(pkg=%s id=%d tag=%s)\n"
			: "warning: couldn't find notification after "
			  "enqueueing\n",
		 call->uid ? "com.android.shell" : "root",
		 VP_SHELL_NOTIFICATION, p.tag);
	return 0;
}

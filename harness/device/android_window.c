// SPDX-License-Identifier: GPL-3.0-or-later
/* Screen, keyguard, focus and shade, out of dumpsys. */
#include <abrig/android.h>
#include <abrig/text.h>

#include <string.h>

/* Where the tokens "key=true|false" of a dump are collected. */
struct flag {
	const char *key;
	enum ab_tristate *value;
};

static void note_token(const char *token, const struct flag *flags)
{
	for (; flags->key; flags++) {
		size_t len = strlen(flags->key);

		if (strncmp(token, flags->key, len) != 0 || token[len] != '=')
			continue;
		/* One true in any spelling outweighs a false in another. */
		if (g_str_has_prefix(token + len + 1, "true"))
			*flags->value = AB_YES;
		else if (g_str_has_prefix(token + len + 1, "false") &&
			 *flags->value == AB_UNKNOWN)
			*flags->value = AB_NO;
	}
}

static void note_line(const char *line, const struct flag *flags)
{
	g_auto(GStrv) tokens = g_strsplit(line, " ", 64);

	for (char **token = tokens; *token; token++)
		note_token(*token, flags);
}

static size_t indent_of(const char *line)
{
	return strspn(line, " ");
}

struct keyguard {
	enum ab_tristate showing, secure;
};

/*
 * `showing=` means the keyguard only inside its delegate's block, which ends
 * at the first line that is indented no deeper than its title.
 */
static struct keyguard parse_keyguard(const char *window)
{
	struct keyguard k = { AB_UNKNOWN, AB_UNKNOWN };
	const struct flag anywhere[] = {
		{ "isKeyguardShowing", &k.showing },
		{ "mKeyguardShowing", &k.showing },
		{ "KeyguardShowing", &k.showing },
		{ "mShowingLockscreen", &k.showing },
		{ "mDreamingLockscreen", &k.showing },
		{ "isStatusBarKeyguard", &k.showing },
		{ "mKeyguardGoingAway", &k.showing },
		{ NULL, NULL },
	};
	const struct flag delegate[] = { { "showing", &k.showing },
					 { "secure", &k.secure },
					 { NULL, NULL } };
	size_t block = G_MAXSIZE;
	char *line;

	while ((line = ab_text_next_line(&window))) {
		if (block != G_MAXSIZE && indent_of(line) <= block)
			block = G_MAXSIZE;
		if (strstr(line, "KeyguardServiceDelegate"))
			block = indent_of(line);
		else
			note_line(line,
				  block == G_MAXSIZE ? anywhere : delegate);
		g_free(line);
	}
	return k;
}

/* "Window{1f2e3d u0 pkg/activity}" -> its title. */
static char *window_title(const char *value)
{
	g_auto(GStrv) parts = NULL;
	char *end;

	if (!g_str_has_prefix(value, "Window{"))
		return NULL;
	parts = g_strsplit(value, " ", 3);
	if (g_strv_length(parts) < 3)
		return NULL;
	end = strrchr(parts[2], '}');
	return g_strndup(parts[2],
			 end ? (size_t)(end - parts[2]) : strlen(parts[2]));
}

/* It is printed once per display, "null" on some: the last one counts. */
char *ab_android_parse_focus(const char *window)
{
	static const char key[] = "mCurrentFocus=";
	char *focus = NULL;

	while ((window = strstr(window, key))) {
		g_autofree char *value = NULL;
		char *title;

		window += strlen(key);
		value = g_strndup(window, strcspn(window, "\r\n"));
		title = window_title(value);
		if (!title)
			continue;
		g_free(focus);
		focus = title;
	}
	return focus;
}

static enum ab_tristate parse_awake(const char *power)
{
	static const char key[] = "mWakefulness=";
	const char *at = strstr(power, key);

	if (!at)
		return AB_UNKNOWN;
	return g_str_has_prefix(at + strlen(key), "Awake") ? AB_YES : AB_NO;
}

void ab_android_parse_screen(const char *window, const char *power,
			     struct ab_screen *screen_out)
{
	struct keyguard keyguard = parse_keyguard(window);

	*screen_out = (struct ab_screen){
		.awake = parse_awake(power),
		.keyguard = keyguard.showing,
		.secure = keyguard.secure,
		.shade = AB_UNKNOWN,
		.focus = ab_android_parse_focus(window),
	};
	/* The keyguard uses the shade's window. */
	if (screen_out->keyguard == AB_NO && screen_out->focus)
		screen_out->shade =
			strstr(screen_out->focus, "NotificationShade") ? AB_YES
								       : AB_NO;
}

void ab_screen_clear(struct ab_screen *screen)
{
	g_clear_pointer(&screen->focus, g_free);
}

/* "key: true", "key=true", each on its line in some release. */
static enum ab_tristate named_bool(const char *text, const char *key)
{
	size_t len = strlen(key);
	const char *at = text;

	while ((at = strstr(at, key))) {
		const char *value = at + len;
		bool whole = at == text || !g_ascii_isalnum(at[-1]);

		at += len;
		if (!whole || (*value != '=' && *value != ':'))
			continue;
		value += 1 + strspn(value + 1, " ");
		if (g_str_has_prefix(value, "true"))
			return AB_YES;
		if (g_str_has_prefix(value, "false"))
			return AB_NO;
	}
	return AB_UNKNOWN;
}

enum ab_tristate ab_android_parse_shade(const char *systemui)
{
	enum ab_tristate visible = named_bool(systemui, "mExpandedVisible");
	enum ab_tristate expanded = named_bool(systemui, "mPanelExpanded");

	if (expanded == AB_UNKNOWN)
		expanded = named_bool(systemui, "shadeOrQsExpanded");
	if (visible == AB_UNKNOWN)
		visible = named_bool(systemui, "panelVisible");
	if (visible == AB_NO)
		return expanded == AB_YES ? AB_UNKNOWN : AB_NO;
	if (expanded == AB_NO)
		return visible == AB_YES ? AB_UNKNOWN : AB_NO;
	/* Visible alone is also true while it still moves. */
	return expanded;
}

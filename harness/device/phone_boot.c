// SPDX-License-Identifier: GPL-3.0-or-later
/* When a boot is finished, and whether the phone is still in the same one. */
#include <abrig/android.h>
#include <abrig/error.h>
#include <abrig/log.h>

#include <string.h>

#define POLL_MS 250
#define LOOK_MS 20000
#define MAX_MISSING 200
#define BOOT_ID_FILE "/proc/sys/kernel/random/boot_id"

enum look {
	LOOK_BOOT_ID,
	LOOK_COMPLETED,
	LOOK_DEV,
	LOOK_ANIMATION,
	LOOK_EXIT,
	LOOK_PACKAGES,
	LOOK_PROVISIONED,
	LOOK_WINDOW,
};

/* One shell runs them all; what is asked late is asked once it can be true. */
#define ONCE_COMPLETED "[ \"$done\" != 1 ] || "

static const char *const look_commands[] = {
	[LOOK_BOOT_ID] = "read -r id <" BOOT_ID_FILE "; echo $id",
	[LOOK_COMPLETED] = "done=$(getprop sys.boot_completed); echo $done",
	[LOOK_DEV] = ONCE_COMPLETED "getprop dev.bootcomplete",
	[LOOK_ANIMATION] = ONCE_COMPLETED "getprop init.svc.bootanim",
	[LOOK_EXIT] = ONCE_COMPLETED "getprop service.bootanim.exit",
	[LOOK_PACKAGES] = ONCE_COMPLETED "pm path android",
	[LOOK_PROVISIONED] =
		ONCE_COMPLETED "settings get global device_provisioned",
	[LOOK_WINDOW] = ONCE_COMPLETED "dumpsys window | grep -E "
				       "'mCurrentFocus=|systemIsReady=|"
				       "screenState='",
	NULL,
};

struct boot_watch {
	char boot_id[64];
	int restarts;
	char missing[MAX_MISSING]; /* what the last look found missing */
	bool seen;		   /* the shell answered at least once */
};

static bool is_or_empty(const char *value, const char *wanted)
{
	return !*value || g_str_equal(value, wanted);
}

/*
 * What is missing for a finished boot; NULL: nothing.  Builds without a boot
 * animation leave its properties empty.
 */
static const char *missing_condition(char **looks)
{
	g_autofree char *focus = NULL;

	if (!g_str_equal(looks[LOOK_COMPLETED], "1"))
		return "sys.boot_completed is not 1";
	if (!is_or_empty(looks[LOOK_DEV], "1"))
		return "dev.bootcomplete is not 1";
	if (!is_or_empty(looks[LOOK_ANIMATION], "stopped") ||
	    !is_or_empty(looks[LOOK_EXIT], "1"))
		return "the boot animation still runs";
	if (!strstr(looks[LOOK_PACKAGES], "package:"))
		return "the package manager does not answer";
	if (!g_str_equal(looks[LOOK_PROVISIONED], "1"))
		return "device_provisioned is not 1: finish Android's first "
		       "set-up on the phone";
	if (strstr(looks[LOOK_WINDOW], "systemIsReady=false"))
		return "the window manager is not ready";
	focus = ab_android_parse_focus(looks[LOOK_WINDOW]);
	/* Without a lock screen no window has it while the phone sleeps. */
	if (!focus)
		return strstr(looks[LOOK_WINDOW], "SCREEN_STATE_OFF")
			       ? NULL
			       : "no window has the focus";
	/* It stands in for the launcher while storage is locked. */
	if (strstr(focus, "FallbackHome"))
		return "storage is still locked";
	return NULL;
}

static void note_boot_id(struct boot_watch *watch, const char *boot_id)
{
	if (!*boot_id)
		return;
	if (*watch->boot_id && !g_str_equal(watch->boot_id, boot_id))
		watch->restarts++;
	g_strlcpy(watch->boot_id, boot_id, sizeof(watch->boot_id));
}

static void note_missing(struct boot_watch *watch, const char *what)
{
	g_strlcpy(watch->missing, what, sizeof(watch->missing));
}

/* One look; true when the boot is finished. */
static bool look(struct ab_phone *phone, const struct ab_wait *w,
		 struct boot_watch *watch, GError **error)
{
	struct ab_wait sub = ab_wait_sub(w, LOOK_MS);
	g_auto(GStrv) looks = ab_phone_texts(phone, &sub, look_commands, error);
	const char *missing;

	if (!looks)
		return false;
	watch->seen = true;
	note_boot_id(watch, looks[LOOK_BOOT_ID]);
	missing = missing_condition(looks);
	note_missing(watch, missing ? missing : "");
	return !missing;
}

/* The adb connection comes and goes while a phone boots. */
static bool may_pass(const GError *error)
{
	return g_error_matches(error, AB_ERROR, AB_ERROR_OFFLINE) ||
	       g_error_matches(error, AB_ERROR, AB_ERROR_TIMEOUT) ||
	       g_error_matches(error, AB_ERROR, AB_ERROR_PROTOCOL) ||
	       g_error_matches(error, AB_ERROR, AB_ERROR_REMOTE);
}

/* A look that failed may only mean that the server has to reach it again. */
static bool reach(struct ab_phone *phone, const struct ab_wait *w,
		  GError **error)
{
	struct ab_wait sub = ab_wait_sub(w, LOOK_MS);

	return ab_adb_wait_state(phone->adb, &sub, phone->serial, "device",
				 error);
}

/*
 * True when it is finished; false with @error NULL when a later look may tell,
 * with @error set when none will.
 */
static bool look_again(struct ab_phone *phone, const struct ab_wait *w,
		       struct boot_watch *watch, GError **error)
{
	g_autoptr(GError) why = NULL;

	if (look(phone, w, watch, &why))
		return true;
	if (why && may_pass(why)) {
		g_clear_error(&why);
		if (!watch->seen)
			note_missing(watch, "adb never reached the phone");
		reach(phone, w, &why);
	}
	if (why && !may_pass(why))
		g_propagate_error(error, g_steal_pointer(&why));
	return false;
}

static char *describe_wait(const struct ab_phone *phone,
			   const struct boot_watch *watch)
{
	g_autofree char *restarts =
		watch->restarts
			? g_strdup_printf(" (it restarted %d times meanwhile)",
					  watch->restarts)
			: g_strdup("");

	return g_strdup_printf("waiting for %s to finish its boot: %s%s",
			       phone->serial, watch->missing, restarts);
}

bool ab_phone_wait_boot(struct ab_phone *phone, const struct ab_wait *w,
			GError **error)
{
	struct boot_watch watch = { .missing = "adb never reached the phone" };
	gint64 start = g_get_monotonic_time();

	for (;;) {
		GError *why = NULL;
		g_autofree char *what = NULL;

		if (look_again(phone, w, &watch, &why))
			break;
		if (why) {
			g_propagate_error(error, why);
			return false;
		}
		what = describe_wait(phone, &watch);
		if (!ab_wait_pause(w, POLL_MS, what, error))
			return false;
	}
	ab_log("phone.booted", AB_S("serial", phone->serial),
	       AB_S("boot_id", watch.boot_id), AB_I("restarts", watch.restarts),
	       AB_I("ms", (g_get_monotonic_time() - start) / 1000));
	return true;
}

char *ab_phone_boot_mark(struct ab_phone *phone, const struct ab_wait *w,
			 GError **error)
{
	static const char *const commands[] = { "cat " BOOT_ID_FILE,
						"pidof system_server", NULL };
	g_auto(GStrv) texts = ab_phone_texts(phone, w, commands, error);

	if (!texts)
		return NULL;
	if (!*texts[0] || !*texts[1]) {
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "%s: cannot tell which boot this is: boot id '%s', "
			    "pid of system_server '%s'; is Android running?",
			    phone->serial, texts[0], texts[1]);
		return NULL;
	}
	return g_strdup_printf("%s:%s", texts[0], texts[1]);
}

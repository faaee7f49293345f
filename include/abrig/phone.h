/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One phone as the rig drives it: its two addresses, what it is, its state
 * read from Android's shell, and the preparation that is undone afterwards.
 * All parsers of device text are pure (see android.h).
 */
#ifndef ABRIG_PHONE_H
#define ABRIG_PHONE_H

#include <abrig/adb.h>
#include <abrig/keys.h>

struct ab_phone {
	struct ab_adb *adb;   /* borrowed */
	struct ab_intr *intr; /* borrowed; may be NULL */
	char *serial;	      /* for adb: serial or host:port */
	char *fastboot;	      /* for fastboot -s */
	/* What getvar product must say before a write; NULL: @product. */
	char *expect_product;
	/* Filled by ab_phone_identify(). */
	char *product, *model, *soc, *fingerprint, *release; /* Android 14 */
	int sdk;
	int cpus;
	int width, height; /* logical pixels, as `input` takes them */
	int refresh_hz;	   /* active mode; 0: not known */
	bool root;	   /* the shell is root now */
};

struct ab_phone *ab_phone_new(struct ab_adb *adb, struct ab_intr *intr,
			      const char *serial, const char *fastboot);
void ab_phone_free(struct ab_phone *phone);
AB_DEFINE_AUTO(ab_phone, ab_phone_free)

/* Shell with the phone's serial; see ab_adb_shell_text(). printf-like. */
char *ab_phone_text(struct ab_phone *phone, const struct ab_wait *w,
		    GError **error, const char *format, ...)
	G_GNUC_PRINTF(4, 5);
/* The same, result thrown away. */
bool ab_phone_do(struct ab_phone *phone, const struct ab_wait *w,
		 GError **error, const char *format, ...) G_GNUC_PRINTF(4, 5);
/*
 * Several commands in one trip: the output of each, without its last newline
 * (g_strfreev).  Their exit status and stderr are not looked at.
 */
char **ab_phone_texts(struct ab_phone *phone, const struct ab_wait *w,
		      const char *const *commands, GError **error);

/* Read what the phone is.  It must be booted. */
bool ab_phone_identify(struct ab_phone *phone, const struct ab_wait *w,
		       GError **error);
/*
 * Wait for a finished boot: adb up, sys.boot_completed, boot animation gone,
 * package manager answering, launcher or keyguard in focus.
 */
bool ab_phone_wait_boot(struct ab_phone *phone, const struct ab_wait *w,
			GError **error);
/* /proc/sys/kernel/random/boot_id and the pid of system_server, joined. */
char *ab_phone_boot_mark(struct ab_phone *phone, const struct ab_wait *w,
			 GError **error);

/* ---- states that scenarios and gates look at ---- */

enum ab_tristate { AB_NO, AB_YES, AB_UNKNOWN };

struct ab_screen {
	enum ab_tristate awake, keyguard, shade; /* shade: open */
	enum ab_tristate secure;		 /* a PIN or the like is set */
	char *focus; /* "pkg/activity", "NotificationShade", or NULL */
};
void ab_screen_clear(struct ab_screen *screen);
/* One look through system_server (dumpsys window, power). */
bool ab_phone_screen(struct ab_phone *phone, const struct ab_wait *w,
		     struct ab_screen *screen_out, GError **error);
/* The stronger, slower proof through SystemUI itself. */
bool ab_phone_shade(struct ab_phone *phone, const struct ab_wait *w,
		    enum ab_tristate *open_out, GError **error);
/* Wake it and dismiss the keyguard; says so when a credential is set. */
bool ab_phone_unlock(struct ab_phone *phone, const struct ab_wait *w,
		     GError **error);

struct ab_battery {
	int level;   /* percent */
	int status;  /* BatteryManager: 2 charging, 3 discharging, ... */
	int temp_dc; /* 0.1 degrees Celsius */
	bool plugged;
	bool faked;	   /* "UPDATES STOPPED" */
	gint64 current_ua; /* of sysfs; G_MININT64 when it cannot be read */
};
/* 1: charge flows into the battery, -1: out of it, 0: neither, or unknown. */
int ab_battery_flow(const struct ab_battery *battery);
bool ab_phone_battery(struct ab_phone *phone, const struct ab_wait *w,
		      struct ab_battery *battery_out, GError **error);

struct ab_thermal {
	double skin_c;	 /* VIRTUAL-SKIN or the HAL's SKIN; NAN: unknown */
	int status;	 /* thermal status 0..6; -1 unknown */
	bool overridden; /* a forgotten `override-status` */
};
bool ab_phone_thermal(struct ab_phone *phone, const struct ab_wait *w,
		      struct ab_thermal *thermal_out, GError **error);

/* ---- preparation and restore ---- */

/*
 * A place where old values are kept, so that they survive the harness: the
 * campaign's database.  @old NULL means that the setting was not set.
 */
struct ab_journal_ops {
	/* Remember @old for (@kind, @key) unless something is remembered. */
	bool (*record)(void *data, const char *kind, const char *key,
		       const char *old, GError **error);
	/* Call @fn for each remembered value, newest first. */
	bool (*each)(void *data,
		     bool (*fn)(const char *kind, const char *key,
				const char *old, void *user, GError **error),
		     void *user, GError **error);
	/* Forget one: it was restored. */
	bool (*forget)(void *data, const char *kind, const char *key,
		       GError **error);
};

struct ab_prepare_options {
	gint64 refresh_hz; /* pin; 0: leave alone */
	gint64 brightness; /* 0..255; -1: leave alone */
	bool airplane;
	bool root;	   /* adbd as root, where the build allows it */
	bool charging_off; /* where the phone can; proved by the current */
};
extern const struct ab_key ab_prepare_keys[];

/*
 * Bring the phone into the measured state, after each boot: record, set, read
 * back.  A value that does not stick is an error that names it.
 * @lost_out (may be NULL): lines for the report about what this phone cannot
 * do (no root: no kernel events), char *.
 */
bool ab_phone_prepare(struct ab_phone *phone, const struct ab_wait *w,
		      const struct ab_prepare_options *options,
		      const struct ab_journal_ops *journal, void *data,
		      GPtrArray *lost_out, GError **error);
/*
 * Give the phone back: restore every remembered value, newest first.  Tries
 * all of them; the error lists each that failed with the command to do it by
 * hand.
 */
bool ab_phone_restore(struct ab_phone *phone, const struct ab_wait *w,
		      const struct ab_journal_ops *journal, void *data,
		      GError **error);

#endif

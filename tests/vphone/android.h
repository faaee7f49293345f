/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files android_*.c and jankbench.c share.  Functions marked [lock]
 * are called with vp->lock held, all others without it.
 *
 *	android_state.c		boot, passing of time, shared helpers
 *	android_prop.c		getprop, setprop, device_config
 *	android_settings.c	settings
 *	android_screen.c	screen, keyguard, shade: what a touch does
 *	android_wm.c		wm, cmd display
 *	android_input.c		input
 *	android_notification.c	what is posted, and its grouping
 *	android_notification_*.c cmd notification, dumpsys notification
 *	android_cmd.c		cmd and service: dispatch
 *	android_services.c	cmd statusbar, wifi, connectivity, ...
 *	android_power.c		svc, cmd power, cmd thermalservice
 *	android_am.c		am, and which app is in front
 *	android_pm.c		pm
 *	android_logcat.c	logcat, log
 *	android_process.c	which processes run
 *	android_dumpsys.c	dumpsys: dispatch
 *	android_dump_*.c	dumpsys: one file per group of services
 */
#ifndef VPHONE_ANDROID_H
#define VPHONE_ANDROID_H

#include "vphone.h"

#include <string.h>

enum vp_namespace { VP_SYSTEM, VP_SECURE, VP_GLOBAL, VP_NAMESPACES };

#define VP_LAUNCHER "com.google.android.apps.nexuslauncher"
#define VP_LAUNCHER_ACTIVITY VP_LAUNCHER "/.NexusLauncherActivity"
#define VP_BENCHMARK "com.android.benchmark"
#define VP_BENCHMARK_DATA "/data/data/com.android.benchmark"

#define VP_SHADE_ANIMATION_NS (350 * VP_MSEC)
#define VP_KEYGUARD_ANIMATION_NS (400 * VP_MSEC)

struct vp_bench; /* jankbench.c */

struct vp_android {
	/* lives over boots */
	GHashTable *device_config;  /* "namespace/key" -> value */
	char *config_sync_disabled; /* none, persistent, until_reboot */
	GHashTable *disabled;	    /* set of package names */
	GHashTable *dexopt;	    /* package name -> compiler filter */
	bool lockscreen_disabled;

	/* this boot only */
	gint64 up_ns;		   /* when vp_android_reset() was called */
	gint64 last_touch_ns;	   /* restarts the screen timeout */
	gint64 panel_on_ns;	   /* when the panel shows something */
	double finger_x, finger_y; /* where `motionevent DOWN` put it */
	gint64 finger_ns;	   /* and when; 0: it is up */
	GHashTable *battery;	   /* faked values, as `dumpsys battery set` */
	int thermal_status;	   /* override; -1: none */
	int disable1, disable2;	   /* cmd statusbar send-disable-flag */
	bool fixed_performance, adaptive_saver, bg_dexopt_disabled;
	GHashTable *ambient_tokens;
	bool quick_settings;  /* the open shade shows quick settings */
	unsigned log_cleared; /* counts `logcat -c` */
	GHashTable *running;  /* set of package names of apps that run */
	gint64 gfx_since_ns;  /* dumpsys gfxinfo reset */
	bool meter_read;      /* the power HAL's baseline is global */
	gint64 meter_ns;
	double meter_mws[32];
	struct vp_bench *bench;
	guint64 bench_runs; /* over all boots */
};

#define VP_LOCKED(vp)                                     \
	g_autoptr(GMutexLocker) vp_locker G_GNUC_UNUSED = \
		g_mutex_locker_new(&(vp)->lock)

/* Whether @a and @b are the same text; NULL is only like NULL. */
static inline bool vp_is(const char *a, const char *b)
{
	return g_strcmp0(a, b) == 0;
}

/* ---- android_state.c ---- */
const char *vp_setting(const struct vphone *vp, enum vp_namespace ns,
		       const char *key); /* [lock]; NULL: unset */
double vp_setting_number(const struct vphone *vp, enum vp_namespace ns,
			 const char *key, double unset); /* [lock] */
void vp_setting_set(struct vphone *vp, enum vp_namespace ns, const char *key,
		    const char *value); /* [lock]; NULL @value deletes */
const char *vp_prop(const struct vphone *vp, const char *name); /* [lock] */
void vp_prop_set(struct vphone *vp, const char *name, const char *format, ...)
	G_GNUC_PRINTF(3, 4);			 /* [lock] */
bool vp_boot_completed(const struct vphone *vp); /* [lock] */
/* Whether the power manager believes in external power. */
bool vp_powered(const struct vphone *vp); /* [lock] */

/* ---- dispatch: android_cmd.c ---- */

/* @call without its first word: the command that the next word names. */
struct vp_call vp_shift(const struct vp_call *call);
/* Run the entry of @table named by argv[1], else @unknown. */
int vp_subcommand(struct vp_call *call, const struct vp_command *table,
		  vp_command_fn unknown);
/* argv[@i] or NULL. */
const char *vp_arg(const struct vp_call *call, int i);
bool vp_parse_bool(const char *text, bool *value_out);
/* android_services.c: the services that say little. */
extern const struct vp_command vp_small_services[];

/* ---- android_screen.c ---- */
void vp_screen_wake(struct vphone *vp);		   /* [lock] */
void vp_screen_sleep(struct vphone *vp);	   /* [lock] */
bool vp_panel_on(const struct vphone *vp);	   /* [lock] */
bool vp_keyguard_showing(const struct vphone *vp); /* [lock] */
bool vp_keyguard_secure(const struct vphone *vp);  /* [lock] */
void vp_keyguard_dismiss(struct vphone *vp);	   /* [lock] */
bool vp_shade_visible(const struct vphone *vp);	   /* [lock] */
bool vp_shade_expanded(const struct vphone *vp);   /* [lock]; fully */
/*
 * The shade begins to move now and settles after a gesture of @gesture_ns
 * (0: a command).  Returns the index of the act in vp->acts, -1 when nothing
 * moves.
 */
int vp_shade_open(struct vphone *vp, gint64 gesture_ns);  /* [lock] */
int vp_shade_close(struct vphone *vp, gint64 gesture_ns); /* [lock] */
/* Whether the app in front gets input and draws. */
bool vp_app_resumed(const struct vphone *vp); /* [lock] */

/* ---- android_wm.c ---- */
void vp_display_size(const struct vphone *vp, int *width_out,
		     int *height_out);		       /* [lock] */
int vp_display_density(const struct vphone *vp);       /* [lock] */
double vp_display_rate(const struct vphone *vp);       /* [lock]; Hz */
int vp_display_rotation(const struct vphone *vp);      /* [lock]; 0..3 */
double vp_display_brightness(const struct vphone *vp); /* [lock]; 0..1 */

/* ---- android_am.c ---- */
void vp_app_front(struct vphone *vp, const char *activity); /* [lock] */
/* Ends the processes of @package; joins the benchmark's thread. */
void vp_app_stop(struct vphone *vp, const char *package);

/* ---- android_notification.c ---- */
void vp_notifications_boot(struct vphone *vp); /* [lock] */
void vp_notification_free(struct vp_notification *n);
/* The key; caller frees. */
char *vp_notification_key(const struct vp_notification *n);
/* Removes what @package posted itself; returns how many. */
unsigned vp_notifications_cancel(struct vphone *vp,
				 const char *package); /* [lock] */
/* Enqueues what the shell posts; false: too many of that package. */
#define VP_SHELL_NOTIFICATION 2020 /* its constant id */
bool vp_notification_post(struct vphone *vp, int uid, const char *tag,
			  const char *title, const char *text); /* [lock] */
/* Enqueued is not posted yet. */
bool vp_notification_posted(const struct vphone *vp,
			    const struct vp_notification *n); /* [lock] */
void vp_dump_notification(struct vp_call *call, GString *out);

/* ---- android_pm.c ---- */
struct vp_package {
	const char *name, *path; /* path of base.apk */
	int uid, version;
	bool third_party;
	const char *activity; /* what a launcher starts; NULL: none */
};
const struct vp_package *vp_package_find(const char *name); /* or NULL */

/* ---- android_settings.c ---- */
bool vp_namespace_parse(const char *name, enum vp_namespace *ns_out);

/* ---- jankbench.c ---- */
void vp_bench_clear_data(const struct vphone *vp);

/* ---- the commands ---- */
int vp_cmd_getprop(struct vp_call *call);
int vp_cmd_setprop(struct vp_call *call);
int vp_cmd_device_config(struct vp_call *call);
int vp_cmd_settings(struct vp_call *call);
int vp_cmd_cmd(struct vp_call *call);
int vp_cmd_script(struct vp_call *call); /* am, pm, wm, ...: by argv[0] */
int vp_cmd_service(struct vp_call *call);
int vp_cmd_svc(struct vp_call *call);
int vp_cmd_power(struct vp_call *call);
int vp_cmd_thermalservice(struct vp_call *call);
int vp_cmd_notification(struct vp_call *call);
int vp_cmd_notification_post(struct vp_call *call);
int vp_cmd_am(struct vp_call *call);
int vp_cmd_pm(struct vp_call *call);
int vp_cmd_logcat(struct vp_call *call);
int vp_cmd_log(struct vp_call *call);
int vp_cmd_wm(struct vp_call *call);
int vp_cmd_display(struct vp_call *call);
int vp_cmd_input(struct vp_call *call);
int vp_cmd_locksettings(struct vp_call *call);

/* ---- dumpsys: the services ---- */
typedef void (*vp_dump_fn)(struct vp_call *call, GString *out);
void vp_dump_activity(struct vp_call *call, GString *out);
void vp_dump_window(struct vp_call *call, GString *out);
void vp_dump_trust(struct vp_call *call, GString *out);
void vp_dump_statusbar(struct vp_call *call, GString *out);
void vp_dump_display(struct vp_call *call, GString *out);
void vp_dump_surfaceflinger(struct vp_call *call, GString *out);
void vp_dump_gfxinfo(struct vp_call *call, GString *out);
void vp_dump_battery(struct vp_call *call, GString *out);
void vp_dump_thermal(struct vp_call *call, GString *out);
void vp_dump_power(struct vp_call *call, GString *out);
void vp_dump_powerstats(struct vp_call *call, GString *out);
void vp_dump_package(struct vp_call *call, GString *out);
void vp_dump_jobscheduler(struct vp_call *call, GString *out);
void vp_dump_meminfo(struct vp_call *call, GString *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The virtual phone: a program that the stock adb server and the stock
 * fastboot client take for a phone.  One process is one phone; threads serve
 * adb, fastboot, the control socket and each running Android command.
 *
 *	main.c		options, start, stop
 *	clock.c		the phone's clock, which runs `speed` times faster
 *	state.c		what outlives a restart: slots, settings, boot count
 *	root*.c		the private root: build it, find a path in it
 *	spawn*.c	starts the phone's processes, and ends them all
 *	adbd*.c		adb transport, shell, sync, reboot: services
 *	bootloader*.c	fastboot over TCP, its variables, partitions
 *	bootimg.c	what a boot image holds
 *	boot.c		slot -> boot image -> kernel -> running Android
 *	files*.c	/proc and /sys of the phone, rewritten as time passes
 *	control.c	the tests' socket: faults, state dump
 *	command.c	takes command invocations from vphone-cmd in the root
 *	android_*.c	Android's commands, by topic
 *	model.c		the kernel's behaviour: waits, frames, power, heat
 *	perfetto*.c	the perfetto command: configuration in, trace out
 *	jankbench.c	the Jankbench app: intent, logcat, database
 *
 * Locking: vp->lock guards everything in struct vphone that changes.  A
 * command handler runs in a thread of its own without the lock and takes it
 * for each look at, or change of, the state; it never sleeps holding it.
 */
#ifndef VPHONE_H
#define VPHONE_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#define VP_NSEC G_GINT64_CONSTANT(1000000000)
#define VP_MSEC G_GINT64_CONSTANT(1000000)
#define VP_CHARGING_UA 350000 /* into the battery while it is charged */

/* Domain of the phone's own errors; only their text matters. */
#define VP_ERROR g_quark_from_static_string("vphone")

/* ---- what the hardware is (from the platform name; never changes) ---- */

struct vp_rail {
	const char *name;      /* schematic: S4M_VDD_CPUCL0 */
	const char *regulator; /* BUCK4M */
	const char *subsys;    /* CPU(LITTLE) */
	int chip;	       /* 0 main, 1 sub */
	double idle_mw;	       /* screen on, nothing moves */
	double shade_mw;       /* more than idle while the shade is swiped */
	double bench_mw;       /* more than idle while Jankbench runs */
};

struct vp_hw {
	const char *platform; /* "A" or "B": vphone --platform */
	const char *product;  /* ro.product.device and getvar product */
	const char *model;    /* ro.product.model */
	const char *soc;
	const char *fingerprint;
	const char *chip_name[2]; /* s2mpg12-odpm, s2mpg13-odpm */
	int cpus;		  /* 8 or 7 */
	int clusters;		  /* cpufreq policies */
	int cluster_first[4];	  /* first CPU of each; [clusters] = cpus */
	int cluster_max_khz[4];
	int width, height; /* panel, pixels */
	int refresh_hz;
	const struct vp_rail *rails; /* ends with a NULL name */
};

const struct vp_hw *vp_hw_find(const char *platform); /* NULL: unknown */

/* ---- what happened on the phone: the workload the model answers to ---- */

enum vp_act_kind { VP_ACT_SHADE, VP_ACT_BENCH };

/* An interval of phone time in which something moved on the screen. */
struct vp_act {
	enum vp_act_kind kind;
	gint64 begin_ns, end_ns; /* phone boot time; end may lie ahead */
	int test, iteration;	 /* Jankbench only */
};

/* ---- the kernel that runs: model.c ---- */

struct vp_model; /* parsed from the kernel in the boot image */

/*
 * Parse the model text that a test kernel carries (see docs/VPHONE.md for the
 * keys).  Returns NULL with @error set when a key is unknown or missing.
 */
struct vp_model *vp_model_parse(const char *text, GError **error);
void vp_model_free(struct vp_model *model);

/* One boot of a kernel: its effect is drawn once, runs share it. */
struct vp_boot {
	const struct vp_model *model;
	const struct vp_hw *hw;
	guint64 seed; /* of phone and boot number */
	double wait_effect, frame_effect, power_effect; /* factors around 1 */
};

void vp_boot_draw(struct vp_boot *boot, const struct vp_model *model,
		  const struct vp_hw *hw, guint64 phone_seed, int boot_number);

/* Accumulated energy of @rail at @t_ns since boot, in uWs (pure). */
gint64 vp_energy_uws(const struct vp_boot *boot, const struct vp_act *acts,
		     size_t n_acts, int rail, gint64 t_ns);
/* Skin temperature at @t_ns, in milli-degrees Celsius (pure). */
int vp_skin_mc(const struct vp_boot *boot, const struct vp_act *acts,
	       size_t n_acts, int start_mc, gint64 t_ns);
/*
 * Durations in ms of the frames of one Jankbench iteration, @max at most;
 * returns how many.  @test counts from 0 in the app's order; 0 frames when
 * there is no such test.
 */
size_t vp_bench_frames(const struct vp_boot *boot, int test, int iteration,
		       guint64 run_seed, int skin_mc, double *ms_out,
		       size_t max);

/* What one run does, for vp_truth(). */
struct vp_run_shape {
	int swipes;	/* acts VP_ACT_SHADE */
	double bench_s; /* seconds of VP_ACT_BENCH */
	int skin_mc;
};

/* Expected values of what a rig measures: waits pooled over many boots. */
struct vp_truth {
	double items_per_run;
	double wait_mean_us, wait_p99_us;
	double wait_2ms_per_run, wait_5ms_per_run;
	double ui_waker_wait_p90_us, ui_d_state_p90_us;
	double app_missed_per_run, sf_missed_per_run;
	double bench_frame_ms; /* mean, of a test of weight 1 */
};

void vp_truth(const struct vp_model *model, const struct vp_run_shape *shape,
	      struct vp_truth *out);
/* Expected power of @rail when the given shares of the time are acts. */
double vp_power_truth_mw(const struct vp_model *model, const struct vp_hw *hw,
			 int rail, double shade_share, double bench_share);

/* ---- the phone ---- */

/* A write to trace_marker. */
struct vp_mark {
	gint64 ts_ns;
	int tid;
	char *text; /* with its newline, if it had one */
};

enum vp_mode { VP_OFF, VP_BOOTLOADER, VP_BOOTING, VP_ANDROID };

/* Faults, switched on through the control socket: `fault NAME [ARG]`. */
enum vp_fault {
	VP_FAULT_FLASH_IGNORED,	     /* OKAY, nothing written */
	VP_FAULT_SET_ACTIVE_IGNORED, /* OKAY, slot unchanged */
	VP_FAULT_BOOT_LOOP,	     /* Android never comes up; arg = times */
	VP_FAULT_ADB_OFFLINE,	     /* adb gone for arg phone seconds */
	VP_FAULT_ADB_DROP,	   /* drop the connection at perfetto's start */
	VP_FAULT_SILENT,	   /* next shell command never answers */
	VP_FAULT_HOT,		   /* skin temperature + arg degrees */
	VP_FAULT_CHARGING,	   /* battery current positive, status 2 */
	VP_FAULT_LOCKED,	   /* keyguard cannot be dismissed (PIN) */
	VP_FAULT_TRACE_TRUNCATED,  /* perfetto's file ends in the middle */
	VP_FAULT_TRACE_LOST,	   /* lost_events, overrun in stats */
	VP_FAULT_JANKBENCH_EMPTY,  /* database without rows */
	VP_FAULT_JANKBENCH_SILENT, /* BenchmarkDone! never logged */
	VP_FAULT_ODPM_EMPTY,	   /* energy_value reads 0 bytes */
	VP_FAULT_SHADE_STUCK,	   /* swipes do not open the shade */
	VP_FAULT_REBOOT,	   /* reboots by itself at perfetto's start */
	VP_FAULT_SETTING_REFUSED,  /* `settings put` has no effect */
	VP_FAULT_FB_SILENT,	   /* bootloader never answers */
	VP_FAULT_FB_CLOSE,	   /* bootloader closes in mid-command */
	VP_FAULT_FB_NO_HANDSHAKE,  /* accepts, says nothing */
	VP_FAULT_FB_FAIL,	   /* FAIL to the next flash */
	VP_FAULT_FB_ABSENT,	   /* no bootloader listens after reboot */
	VP_FAULT_WRONG_SLOT,	   /* boots the other slot */
	VP_FAULT_PERFETTO_OLD,	   /* its perfetto lacks --background-wait */
	VP_FAULT_SU_AOSP,	   /* its su takes a program, no -c */
	VP_FAULTS
};

struct vp_fault_state {
	int left; /* how often it still happens; -1 = always; 0 = off */
	int arg;
};

struct vp_notification {
	char *tag, *title, *text, *pkg; /* tag may be NULL */
	int id, uid, user;
	bool ongoing; /* the system's own: cannot be cleared */
	bool snoozed;
	gint64 posted_ns;
};

struct vp_android; /* android.h: what only Android's commands look at */
struct vp_core;	   /* core.h: adbd, bootloader, processes */

struct vphone {
	/* fixed after start */
	const struct vp_hw *hw;
	char *serial;
	char *dir;  /* everything of this phone: state, root/ */
	char *root; /* the private root */
	int speed;  /* phone seconds per host second */
	guint64 seed;
	int adb_port, fastboot_port;
	bool rooted; /* adb root works, su exists */

	GMutex lock;
	GCond changed; /* broadcast at each change of mode */

	enum vp_mode mode;
	int boot_number;     /* counts boots over the phone's life */
	gint64 boot_host_us; /* host monotonic time at boot */
	char boot_id[37];
	char *slot;	     /* "a" or "b" */
	struct vp_boot boot; /* valid when mode is BOOTING or ANDROID */
	char *kernel_banner; /* "Linux version ..." of the running kernel */
	char *kernel_config; /* text */
	char *cmdline;

	struct vp_fault_state fault[VP_FAULTS];

	GHashTable *props;	  /* char * -> char * */
	GHashTable *settings[3];  /* system, secure, global; values char * */
	GPtrArray *notifications; /* struct vp_notification * */
	GArray *acts;		  /* struct vp_act, by begin_ns */
	GString *logcat;	  /* threadtime lines of this boot */
	gint64 shade_open_ns; /* when the shade is (will be) fully open; 0: closed */
	gint64 shade_closed_ns; /* when it is (will be) fully closed */
	bool awake, keyguard, secure_lock;
	gint64 keyguard_gone_ns; /* dismissal is animated */
	char *focus;		 /* "pkg/activity" of the resumed app */
	bool adb_root;		 /* adbd runs as root */
	int start_mc;		 /* skin temperature at boot */
	int battery_percent;
	bool charging_held; /* google,charger stop level below SoC */
	GArray *marks; /* struct vp_mark, owned texts; trace_marker writes */
	int tracing;   /* perfetto sessions that run */
	int traces;    /* perfetto sessions that were started, ever */
	struct vp_android *android;
	struct vp_core *core;
};

/* clock.c: all of these are in phone time. */
gint64 vp_now_ns(const struct vphone *vp); /* CLOCK_BOOTTIME of this boot */
gint64 vp_mono_offset_ns(const struct vphone *vp); /* BOOTTIME - MONOTONIC */
gint64 vp_realtime_ns(const struct vphone *vp);

/*
 * Take one occurrence of @fault: true when it is switched on, and counts it
 * down.  Call with vp->lock held.  @arg_out may be NULL.
 */
bool vp_fault_take(struct vphone *vp, enum vp_fault fault, int *arg_out);
/* The same without counting down: for faults that are a state. */
bool vp_fault_on(const struct vphone *vp, enum vp_fault fault, int *arg_out);
/* The same without vp->lock held. */
bool vp_fault_seen(struct vphone *vp, enum vp_fault fault);

/* ---- Android commands ---- */

/* One invocation, made in the private root by the program vphone-cmd. */
struct vp_call {
	struct vphone *vp;
	int argc;
	char **argv;	  /* argv[0] without its directory */
	int in, out, err; /* the caller's own descriptors */
	int uid;	  /* 0 or 2000 */
	char *cwd;	  /* inside the root */
	int peer; /* polls readable (hang-up) when the caller was killed;
			one byte read from it is a signal that it got */
};

/* Returns the exit status.  Runs without vp->lock. */
typedef int (*vp_command_fn)(struct vp_call *call);

struct vp_command {
	const char *name;
	vp_command_fn run;
};

/* command.c: printf to one of the caller's descriptors. */
void vp_print(int fd, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* All of stdin up to @max bytes, as text. */
char *vp_read_all(int fd, size_t max);
/*
 * Pause the command for @ns of phone time.  False when the caller was killed
 * (or the phone goes down) meanwhile: then clean up and return 143.
 */
bool vp_call_sleep(struct vp_call *call, gint64 ns);
/*
 * command_detach.c: go on in the background.  The client forks; its child
 * stays as the caller of this command, and its pid in the phone is returned
 * (-1: it could not).  The parent waits for vp_call_release(), which ends it
 * with @status and closes in, out and err here; the command goes on.
 */
pid_t vp_call_detach(struct vp_call *call);
void vp_call_release(struct vp_call *call, int status);
/* Host path of @path, an absolute or cwd-relative path inside the root, with
 * symbolic links and ".." kept inside it. */
char *vp_root_path(const struct vp_call *call, const char *path);

/* Tables, each ended by a NULL name; command.c looks through all of them. */
extern const struct vp_command vp_commands_system[];   /* android_system.c */
extern const struct vp_command vp_commands_ui[];       /* android_ui.c */
extern const struct vp_command vp_commands_dumpsys[];  /* android_dumpsys.c */
extern const struct vp_command vp_commands_perfetto[]; /* perfetto.c */

/* For handlers; take vp->lock yourself where noted. */
void vp_log(struct vphone *vp, const char *tag, char prio, const char *format,
	    ...) G_GNUC_PRINTF(4, 5); /* a logcat line; takes the lock */
void vp_reboot(struct vphone *vp,
	       const char *target); /* "", "bootloader", "fastboot" */
/* Cut the adb connection for @gap_ns of phone time (fault adb-drop). */
void vp_adb_drop(struct vphone *vp, gint64 gap_ns);
/*
 * android_state.c: Android comes up, VP_ANDROID_NS after the kernel.  Call with vp->lock held; creates what
 * is NULL in @vp, empties what does not outlive a boot, keeps the settings.
 * sys.boot_completed follows VP_BOOT_COMPLETED_NS later by itself.
 */
#define VP_ANDROID_NS (8 * VP_NSEC)
#define VP_BOOT_COMPLETED_NS (12 * VP_NSEC)
void vp_android_reset(struct vphone *vp);
/*
 * android_state.c: let the time that passed take effect (boot completed,
 * screen timeout, ends of animations).  Call with vp->lock held before a look
 * at awake, keyguard, props.
 */
void vp_android_settle(struct vphone *vp);
/* android_process.c: the process called @name (pids.h), 0: does not run.
 * Call with vp->lock held. */
pid_t vp_system_pid(const struct vphone *vp, const char *name);
/* The @i-th process and its name, for ps; 0 after the last. */
pid_t vp_system_process(const struct vphone *vp, size_t i,
			const char **name_out);

/*
 * jankbench.c: called by `am start`; runs the benchmark in a thread.  With
 * @finish the app leaves at the end and logs no marker.
 */
bool vp_jankbench_start(struct vphone *vp, const int *tests, size_t n_tests,
			int iterations, bool finish);
/* Stop it (force-stop, reboot); waits for the thread.  Not under vp->lock. */
void vp_jankbench_stop(struct vphone *vp);
/*
 * model.c: total_duration in ms of each frame of one iteration (pure).
 * Returns how many, at most @max.
 */
size_t vp_bench_frames(const struct vp_boot *boot, int test, int iteration,
		       guint64 run_seed, int skin_mc, double *ms_out,
		       size_t max);

/*
 * perfetto.c, also used by the benchmarks without a phone: the bytes of a
 * trace of [begin, end) of phone time.
 */
struct vp_trace_request {
	const struct vp_boot *boot;
	const struct vp_act *acts;
	size_t n_acts;
	gint64 begin_ns, end_ns;
	gint64 mono_offset_ns, realtime_ns;
	int skin_mc;
	const char *uname_release, *uname_version, *fingerprint;
	/* trace_marker writes in the window: "B|1|abrig:run\n" and so on */
	const struct vp_mark *marks;
	size_t n_marks;
	/* what the configuration asked for */
	bool sched, waking, workqueue, blocked_reason, rpm, freq, idle, print;
	bool frametimeline, rails, battery, processes;
	guint32 without; /* bits VP_EVENT_BIT() of these groups that were not */
	int drain_ms, poll_ms; /* 0: 250 */
	bool charging;
	bool compact, symbols;
	gint64 started_ns;     /* all data sources run; 0: at once */
	const char *config_pb; /* serialised TraceConfig; may be NULL */
	size_t config_pb_len;
	char *const *unknown_events; /* NULL-terminated */
	bool lost;		     /* plant lost_events and overrun */
	bool late_waits; /* frames are missed for work items' long waits */
	guint64 run_seed;
};
GByteArray *vp_trace_build(const struct vp_trace_request *rq);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the core's own files share; the other parts see only vphone.h. */
#ifndef VPHONE_CORE_H
#define VPHONE_CORE_H

#include "vphone.h"

#define VP_SLOTS 2
#define VP_RETRIES 3 /* what a slot gets when it is made active */

enum vp_next {
	VP_NEXT_NONE,
	VP_NEXT_BOOT,
	VP_NEXT_BOOTLOADER,
	VP_NEXT_FASTBOOTD,
	VP_NEXT_QUIT
};

struct vp_slot {
	int retries;
	bool successful, unbootable;
};

/* A TCP port that the phone owns for its life but opens only at times. */
struct vp_port {
	int fd; /* bound; listens only while open */
	int port;
	int wake; /* eventfd: look at open again */
	bool open;
};

struct vp_adb_conn;

struct vp_core {
	/* fixed after start */
	char *control_path;
	bool shell_v2;	/* offered by adbd */
	bool real_uids; /* processes of the phone get their own uid */
	gint64 start_host_us, start_realtime_ns;

	/* spawn.c */
	int spawner;	   /* socket to the process that starts others */
	pid_t spawner_pid; /* every process of the phone descends from it */

	/* guarded by vp->lock, as all below */
	struct vp_slot slots[VP_SLOTS];
	enum vp_next next;	   /* what the phone does when it goes down */
	const char *reason;	   /* ro.boot.bootreason of the next boot */
	GBytes *ram_image;	   /* fastboot boot: run once, not stored */
	GHashTable *persist_props; /* read at start, until Android is up */
	bool fastbootd;
	bool android_up;	 /* framework started, adbd runs */
	bool completed;		 /* this boot was counted as successful */
	bool held;		 /* fault fb-absent kept the port closed */
	gint64 adb_back_host_us; /* adbd stays away until then */
	int calls;		 /* command handlers that run */

	/* wakes the phone's thread */
	int wake;
	GThread *thread;

	struct vp_port adb, fastboot;
	GPtrArray *conns;  /* struct vp_adb_conn * that live */
	int fastboot_conn; /* -1: nobody talks to the bootloader */
};

#define VP_UID_ROOT 0
#define VP_UID_SHELL 2000

/* io.c */
bool vp_read_full(int fd, void *buf, size_t len);
bool vp_write_full(int fd, const void *buf, size_t len);
/* Write @path through a temporary file and rename; false with errno. */
bool vp_replace_file(const char *path, const void *data, size_t len,
		     mode_t mode);
/* Make @text the contents of @path at once, through the unused name @tmp. */
bool vp_swap_file(const char *tmp, const char *path, const GString *text,
		  mode_t mode);
/* A port that is free now and that adb does not probe; 0 when none is. */
int vp_free_port(void);
/* Bind port @number of 127.0.0.1; 0: a free one. */
bool vp_port_reserve(struct vp_port *port, int number, GError **error);
void vp_port_open(struct vp_port *port);
void vp_port_close(struct vp_port *port);
/*
 * The next connection; waits while the port is closed.  -1 when *@quit.
 */
int vp_port_accept(struct vp_port *port, const gint *quit);
/*
 * A listening or connected SOCK_SEQPACKET or SOCK_STREAM socket at @path,
 * however long it is.  Changes the working directory for a moment: only
 * while there is one thread.
 */
int vp_unix_listen(const char *path, int type, GError **error);
int vp_unix_connect(const char *path, int type, GError **error);

/* clock.c */
void vp_clock_start(struct vphone *vp);
/* The kernel starts now: boot time 0. */
void vp_clock_boot(struct vphone *vp);
/* Host microseconds that @ns of phone time take. */
gint64 vp_host_us(const struct vphone *vp, gint64 ns);

/* state.c */
void vp_state_load(struct vphone *vp);
void vp_state_save(struct vphone *vp); /* with vp->lock held */
int vp_slot_index(const char *slot);   /* "a", "b"; -1 */

/* root.c, root_tools.c */
bool vp_root_build(struct vphone *vp, const char *program, GError **error);
bool vp_root_tools(const char *root, const char *program, GError **error);
/* This thread alone sees the phone's files, with the rights of @uid. */
bool vp_root_enter_thread(struct vphone *vp, int uid);
void vp_root_fs_uid(int uid);

/* spawn.c */
struct vp_spawn {
	const char *const *argv; /* [0]: path in the root */
	const char *cwd;	 /* in the root */
	const char *term;	 /* NULL: no TERM */
	int uid;
	int in, out, err; /* stay open here */
	bool tty;	  /* @in becomes the controlling terminal */
};

struct vp_child {
	guint32 id;
	int status_fd; /* readable when the child has ended */
};

bool vp_spawner_start(struct vphone *vp, GError **error);
bool vp_spawn(struct vphone *vp, const struct vp_spawn *spawn,
	      struct vp_child *child_out);
void vp_child_signal(struct vphone *vp, const struct vp_child *child, int sig);
/* Waits; the exit status, 128 + signal, or -1.  Closes the descriptor. */
int vp_child_wait(struct vp_child *child);
void vp_kill_all(struct vphone *vp);
/* The spawner itself. */
struct vp_spawn_msg {
	guint32 op, id;
	gint32 uid, sig;
	guint32 tty, strings; /* then cwd, TERM, argv..., each with its NUL */
};
enum { VP_SPAWN_START, VP_SPAWN_SIGNAL, VP_SPAWN_KILL_ALL };
#define VP_SPAWN_MAX (160u << 10)
void vp_spawner_main(int sock, const char *root, bool real_uids,
		     bool own_pids) G_GNUC_NORETURN;

/* procs.c */
struct vp_process {
	pid_t pid;	/* as the phone sees it */
	pid_t ppid;	/* likewise; 0 when the parent is not the phone's */
	pid_t host_pid; /* as this program sees it */
	int uid;
	char state;
	char *name; /* comm */
	char *args; /* whole command line */
};
/* Descendants of @ancestor: struct vp_process, freed with the array. */
GArray *vp_processes(pid_t ancestor);

/* bootimg.c */
struct vp_kernel {
	char *banner; /* "Linux version ...", no newline */
	char *config; /* text */
	GBytes *config_gz;
	char *cmdline;
	struct vp_model *model;
};
bool vp_kernel_parse(GBytes *image, struct vp_kernel *kernel_out,
		     GError **error);
void vp_kernel_clear(struct vp_kernel *kernel);

/* boot.c */
gpointer vp_phone_main(gpointer data); /* the phone's life, a thread */
void vp_go(struct vphone *vp, enum vp_next next); /* with vp->lock held */
void vp_poke(struct vphone *vp);

/* files.c: all with vp->lock held */
void vp_files_boot(struct vphone *vp, const struct vp_kernel *kernel);
/* Rewrite what has changed by now. */
void vp_files_tick(struct vphone *vp);
/* Write a file of the root, with its directories. */
void vp_file_put(const struct vphone *vp, const char *path, mode_t mode,
		 const char *format, ...) G_GNUC_PRINTF(4, 5);
/* The skin temperature now. */
int vp_skin_now_mc(const struct vphone *vp);
/* files_live.c */
struct vp_live {
	char *path; /* in the root */
	mode_t mode;
	gint64 period_ns;
	/* Contents at @now_ns; @arg: which of several. */
	void (*make)(const struct vphone *vp, int arg, gint64 now_ns,
		     GString *out);
	int arg;
};
/* The files that change with time, ended by a NULL path. */
GArray *vp_live_files(const struct vphone *vp);
/* files_knobs.c: what can be written */
int vp_knobs_open(struct vphone *vp); /* an inotify descriptor */
void vp_knobs_boot(struct vphone *vp);
void vp_knobs_completed(struct vphone *vp);
void vp_knobs_check(struct vphone *vp);
/* files_marker.c */
bool vp_marker_start(struct vphone *vp, GError **error);

/* adbd.c */
gpointer vp_adbd_main(gpointer data);
/* With the lock held: open or close adbd as the state of the phone says. */
void vp_adbd_update(struct vphone *vp);

/* bootloader.c */
gpointer vp_bootloader_main(gpointer data);
void vp_bootloader_close(struct vphone *vp); /* with vp->lock held */
char *vp_partition_path(const struct vphone *vp, const char *name);
/* bootloader_vars.c */
struct vp_partition {
	const char *name;
	guint64 size;
	const char *type;
	bool slotted;
	bool flashable;
};
/* With "_a" or "_b" where it is slotted; NULL when there is none. */
const struct vp_partition *vp_partition_find(const char *name);
/* Lines "key:value"; with vp->lock held. */
GPtrArray *vp_bootloader_vars(const struct vphone *vp);

/* faults.c */
int vp_fault_number(const char *name); /* "flash-ignored"; -1 */
const char *vp_fault_name(int fault);

/* control.c */
bool vp_control_start(struct vphone *vp, GError **error);
int vp_ctl_main(int argc, char **argv);

/* command.c */
bool vp_command_start(struct vphone *vp, GError **error);
/* The names of all commands, for the links in the root; free the array. */
GPtrArray *vp_command_names(void);

/* core_cmds.c, core_ps.c */
extern const struct vp_command vp_commands_core[];
extern const struct vp_command vp_commands_ps[];

extern gint vp_quit; /* the program ends */

#endif

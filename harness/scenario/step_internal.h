/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of steps, and what several of them need. */
#ifndef SCENARIO_STEP_INTERNAL_H
#define SCENARIO_STEP_INTERNAL_H

#include <abrig/scenario.h>
#include <stddef.h>

extern const struct ab_step_ops step_wake, step_home;
extern const struct ab_step_ops step_notifications, step_clear_notifications;
extern const struct ab_step_ops step_swipe, step_pause, step_repeat;
extern const struct ab_step_ops step_shade, step_shade_proof, step_collapse;
extern const struct ab_step_ops step_start_app, step_force_stop;
extern const struct ab_step_ops step_clear_data, step_jankbench;

/*
 * How long one look at the phone may take.  The end of a wait for a state is
 * told by what was seen last, not by the command that met the deadline.
 */
#define LOOK_MS 15000

/* ---- look.c: wait until the phone looks as it should ---- */

struct look {
	const char *what; /* completes "... while waiting until <what>" */
	gint64 timeout_ms;
	gint64 stable_ms; /* seen so for that long, without a break */
	/* AB_UNKNOWN: cannot be told. */
	enum ab_tristate (*see)(const struct ab_screen *screen,
				const void *data);
	const void *data;
};
bool look_until(struct ab_scenario_run *run, const struct look *look,
		GError **error);

/* ---- notify_list.c: notifications of the shell ---- */

/* The longest tag and the most notifications with it; see tag keys. */
#define NOTIFY_MAX 20

/*
 * Which of "TAG-1" ... "TAG-20" `cmd notification list` holds as the shell's
 * own: bit n - 1 for "TAG-n".  Pure.
 */
guint32 notify_parse_list(const char *text, const char *tag);
bool notify_list(struct ab_scenario_run *run, const char *tag, guint32 *set_out,
		 GError **error);
/* Poll the list until it holds exactly @set; false after @timeout_ms. */
bool notify_wait(struct ab_scenario_run *run, const char *tag, guint32 set,
		 gint64 timeout_ms, GError **error);
#define NOTIFY_TAG_KEY(type_)                                                     \
	{                                                                         \
		.name = "tag", .type = AB_KEY_STRING,                             \
		.offset = offsetof(type_, tag), .dflt = "abrig",                  \
		.help = "Begins the notifications' own tags, TAG-1, TAG-2, ...; " \
			"those of others are left alone."                         \
	}
bool notify_check_tag(const char *tag, const struct ab_node *node,
		      GError **error);

/*
 * @command as the shell user runs it, also when the shell is root.  NULL when
 * there is no way.  Caller frees.
 */
char *shell_user_command(struct ab_scenario_run *run, const char *command,
			 GError **error);

/* ---- am.c ---- */

/*
 * What is wrong in the output of `am start -W` (stderr included), or NULL.
 * @front_ok: that the app was there already is no fault.  Caller frees.
 */
char *am_problem(const char *text, bool front_ok);
/* Characters of package and activity names. */
bool am_check_name(const char *name, const char *what,
		   const struct ab_node *node, GError **error);
bool am_check_installed(struct ab_scenario_run *run, const char *package,
			const char *remedy, GError **error);

/* ---- step_swipe.c ---- */

/* The pixel at @fraction (0..1) of @size pixels. */
int swipe_pixel(double fraction, int size);

/* ---- bench_log.c ---- */

enum bench_line { BENCH_OTHER, BENCH_BEGIN, BENCH_DONE, BENCH_CRASHED };

/* Jankbench's life as logcat (threadtime) tells it, line by line.  Pure. */
struct bench_log {
	const char *token; /* lines before the one with it are old */
	bool begun, dying;
	int iterations; /* that began */
};
enum bench_line bench_log_line(struct bench_log *log, const char *line);

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The stock client as a subprocess.  It has no limits of its own: it retries
 * a connection for ever, spins when the peer closes, and blocks when the peer
 * is silent.  Each run ends at its deadline, and says which of them it was.
 */
#include "clip.h"
#include "fastboot_private.h"

#include <abrig/error.h>
#include <abrig/fastboot.h>
#include <abrig/proc.h>

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define POLL_MS 250
/* Host time: the client retries by itself within it. */
#define SLICE_US 2500000LL

struct run {
	const struct ab_wait *w;
	const char *target;
	const char *action; /* "flashing boot_a" */
	const char *name;   /* of the variable asked for, or NULL */
};

static gint64 children_cpu_us(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (gint64)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 +
	       u.ru_utime.tv_usec + u.ru_stime.tv_usec;
}

/*
 * Which of the client's endless situations a stopped run looks like.  It
 * sleeps between attempts to connect, and spins when the peer has closed.
 */
static const char *explain_hang(const struct ab_fastboot_reply *reply,
				gint64 cpu_us, gint64 wall_us)
{
	/* A spinning client gets less than a CPU on a busy host. */
	if (cpu_us > wall_us / (reply->waiting ? 4 : 20))
		return "the bootloader closed the connection in the middle of "
		       "the command; re-plug the phone or restart its "
		       "bootloader";
	if (reply->waiting)
		return "nobody answers there as a bootloader; is the phone in "
		       "fastboot mode, and the cable in?";
	return "the bootloader never answered; restart the phone (hold power "
	       "and volume down)";
}

static void set_stopped(const struct run *r, const GError *why,
			const struct ab_proc_result *p, gint64 cpu_us,
			GError **error)
{
	ab_autoptr(ab_fastboot_reply) reply =
		ab_fastboot_parse(p->err->str, -1, NULL);

	if (why->code == AB_ERROR_TIMEOUT)
		g_set_error(error, AB_ERROR, AB_ERROR_TIMEOUT,
			    "deadline passed while %s on %s: %s", r->action,
			    r->target,
			    explain_hang(reply, cpu_us, p->duration_us));
	else if (why->code == AB_ERROR_ENV)
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "fastboot: not found; install platform-tools "
			    "(Debian: apt install fastboot)");
	else
		g_set_error(error, AB_ERROR, why->code, "%s while %s on %s",
			    why->message, r->action, r->target);
}

/* "fastboot -s TARGET ARGS...", parsed; NULL when it did not come to its end */
static struct ab_fastboot_reply *run(const struct run *r,
				     const char *const *args, GError **error)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	struct ab_fastboot_reply *reply = NULL;
	g_autoptr(GError) why = NULL;
	gint64 cpu_us = children_cpu_us();
	struct ab_proc_result p;

	g_ptr_array_add(argv, (gpointer) "fastboot");
	g_ptr_array_add(argv, (gpointer) "-s");
	g_ptr_array_add(argv, (gpointer)r->target);
	for (; *args; args++)
		g_ptr_array_add(argv, (gpointer)*args);
	g_ptr_array_add(argv, NULL);
	if (ab_proc_run(r->w, (const char *const *)argv->pdata, &p, &why))
		reply = ab_fastboot_parse(p.err->str, p.status, r->name);
	else
		set_stopped(r, why, &p, children_cpu_us() - cpu_us, error);
	ab_proc_result_clear(&p);
	return reply;
}

static void set_failed(const struct run *r,
		       const struct ab_fastboot_reply *reply, GError **error)
{
	const char *text =
		reply->failed ? reply->failed : "no result was printed";

	if (reply->remote)
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "the bootloader refused while %s on %s: %s",
			    r->action, r->target, text);
	else
		g_set_error(error, AB_ERROR, AB_ERROR_OFFLINE,
			    "fastboot failed while %s on %s: %s", r->action,
			    r->target, text);
}

/* Run a command that has no result but success. */
static bool run_command(const struct ab_wait *w, const char *target,
			const char *action, const char *const *args,
			GError **error)
{
	struct run r = { w, target, action, NULL };
	ab_autoptr(ab_fastboot_reply) reply = run(&r, args, error);

	if (!reply)
		return false;
	if (!reply->ok)
		set_failed(&r, reply, error);
	return reply->ok;
}

/* The reply to getvar @name, which has what was asked for. */
static struct ab_fastboot_reply *getvar(const struct ab_wait *w,
					const char *target, const char *name,
					GError **error)
{
	const char *const args[] = { "getvar", name, NULL };
	g_autofree char *action = g_strdup_printf("reading '%s'", name);
	struct run r = { w, target, action, name };
	ab_autoptr(ab_fastboot_reply) reply = run(&r, args, error);

	if (!reply)
		return NULL;
	if (reply->ok && (reply->value || reply->vars))
		return g_steal_pointer(&reply);
	/* The client exits with 0 also when the bootloader knows it not. */
	set_failed(&r, reply, error);
	return NULL;
}

char *ab_fastboot_getvar(const struct ab_wait *w, const char *target,
			 const char *name, GError **error)
{
	ab_autoptr(ab_fastboot_reply) reply = getvar(w, target, name, error);

	return reply ? g_steal_pointer(&reply->value) : NULL;
}

GHashTable *ab_fastboot_getvar_all(const struct ab_wait *w, const char *target,
				   GError **error)
{
	ab_autoptr(ab_fastboot_reply) reply = getvar(w, target, "all", error);

	return reply ? g_steal_pointer(&reply->vars) : NULL;
}

static bool is_readable(const char *image, const char *action, GError **error)
{
	if (!access(image, R_OK))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_ENV,
		    "cannot read '%s' while %s: %s", image, action,
		    g_strerror(errno));
	return false;
}

bool ab_fastboot_flash(const struct ab_wait *w, const char *target,
		       const char *partition, const char *image, GError **error)
{
	const char *const args[] = { "flash", partition, image, NULL };
	g_autofree char *action =
		g_strdup_printf("flashing '%s' to %s", image, partition);

	return is_readable(image, action, error) &&
	       run_command(w, target, action, args, error);
}

bool ab_fastboot_boot(const struct ab_wait *w, const char *target,
		      const char *image, GError **error)
{
	const char *const args[] = { "boot", image, NULL };
	g_autofree char *action = g_strdup_printf("booting '%s'", image);

	return is_readable(image, action, error) &&
	       run_command(w, target, action, args, error);
}

char *ab_fastboot_current_slot(const struct ab_wait *w, const char *target,
			       GError **error)
{
	g_autofree char *value =
		ab_fastboot_getvar(w, target, "current-slot", error);
	const char *slot = value;

	if (!value)
		return NULL;
	if (*slot == '_')
		slot++;
	if (g_ascii_islower(slot[0]) && !slot[1])
		return g_strdup(slot);
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: the current slot is '%.20s', which is none; has the "
		    "phone A/B slots?",
		    target, value);
	return NULL;
}

bool ab_fastboot_set_active(const struct ab_wait *w, const char *target,
			    const char *slot, GError **error)
{
	const char *const args[] = { "set_active", slot, NULL };
	g_autofree char *action =
		g_strdup_printf("setting the active slot to '%s'", slot);
	g_autofree char *now = NULL;

	if (!run_command(w, target, action, args, error))
		return false;
	now = ab_fastboot_current_slot(w, target, error);
	if (!now)
		return false;
	if (!strcmp(now, slot))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: the bootloader said OKAY to slot '%s', but the "
		    "current slot is still '%s'; it cannot be trusted with "
		    "slots, flash the current one instead",
		    target, slot, now);
	return false;
}

bool ab_fastboot_reboot(const struct ab_wait *w, const char *target,
			const char *to, GError **error)
{
	const char *const args[] = { "reboot", *to ? to : NULL, NULL };
	g_autofree char *action =
		g_strdup_printf("rebooting%s%s", *to ? " to " : "", to);

	return run_command(w, target, action, args, error);
}

bool ab_fastboot_is_userspace(const struct ab_wait *w, const char *target,
			      bool *userspace_out, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *value =
		ab_fastboot_getvar(w, target, "is-userspace", &why);

	/* A bootloader from before fastbootd does not know the variable. */
	if (value || g_error_matches(why, AB_ERROR, AB_ERROR_REMOTE)) {
		*userspace_out = value && !strcmp(value, "yes");
		return true;
	}
	g_propagate_error(error, g_steal_pointer(&why));
	return false;
}

static bool is_network(const char *target)
{
	return g_str_has_prefix(target, "tcp:") ||
	       g_str_has_prefix(target, "udp:");
}

/* Look for a USB device; *@seen_out keeps its value when that fails. */
static bool look(const struct ab_wait *w, const char *target,
		 enum fastboot_seen *seen_out, GError **error)
{
	static const char *const argv[] = { "fastboot", "devices", NULL };
	struct run r = { w, target, "looking for it", NULL };
	g_autoptr(GError) why = NULL;
	struct ab_proc_result p;
	bool ok = ab_proc_run(w, argv, &p, &why);

	if (ok)
		*seen_out = fastboot_find_device(p.out->str, target);
	else
		set_stopped(&r, why, &p, 0, error);
	ab_proc_result_clear(&p);
	return ok;
}

/* One attempt; a client that waits is stopped after a slice of host time. */
static bool is_answering(const struct ab_wait *w, const char *target,
			 enum fastboot_seen *seen_out, GError **error)
{
	struct ab_wait slice = *w;
	g_autoptr(GError) why = NULL;
	g_autofree char *product = NULL;

	slice.deadline = MIN(w->deadline, g_get_monotonic_time() + SLICE_US);
	if (!is_network(target) && (!look(&slice, target, seen_out, error) ||
				    *seen_out != FASTBOOT_PRESENT))
		return false;
	product = ab_fastboot_getvar(&slice, target, "product", &why);
	/* A refusal is an answer too. */
	if (product || g_error_matches(why, AB_ERROR, AB_ERROR_REMOTE))
		return true;
	g_propagate_error(error, g_steal_pointer(&why));
	return false;
}

static void set_not_answering(const char *target, enum fastboot_seen seen,
			      const GError *last, GError **error)
{
	const char *why = last ? last->message : "";

	if (seen == FASTBOOT_REFUSED) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "no permission to open the bootloader of %s: "
			    "install udev rules (Debian: apt install "
			    "android-sdk-platform-tools-common) and re-plug "
			    "the phone",
			    target);
		return;
	}
	if (!is_network(target) && seen == FASTBOOT_ABSENT)
		why = "it is not listed by 'fastboot devices'; is the phone "
		      "in fastboot mode, and the cable in?";
	g_set_error(error, AB_ERROR, AB_ERROR_TIMEOUT,
		    "deadline passed while waiting for the bootloader of %s: "
		    "%s",
		    target, why);
}

static bool is_transient(const GError *error)
{
	return !error || error->code == AB_ERROR_TIMEOUT ||
	       error->code == AB_ERROR_OFFLINE;
}

bool ab_fastboot_wait(const struct ab_wait *w, const char *target,
		      GError **error)
{
	g_autofree char *what =
		g_strdup_printf("waiting for the bootloader of %s", target);
	enum fastboot_seen seen = FASTBOOT_ABSENT;
	g_autoptr(GError) last = NULL;
	g_autoptr(GError) over = NULL;

	while (!is_answering(w, target, &seen, &last)) {
		if (!is_transient(last)) {
			g_propagate_error(error, g_steal_pointer(&last));
			return false;
		}
		if (!ab_wait_pause(w, POLL_MS, what, &over))
			break;
		g_clear_error(&last);
	}
	if (!over)
		return true;
	if (over->code == AB_ERROR_TIMEOUT)
		set_not_answering(target, seen, last, error);
	else
		g_propagate_error(error, g_steal_pointer(&over));
	return false;
}

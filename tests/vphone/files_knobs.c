// SPDX-License-Identifier: GPL-3.0-or-later
// Files of /proc and /sys that can be written: what was written is checked,
// takes effect, or is replaced by the old value.
#include "core.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_VALUE 256

struct knob {
	char *path; /* in the root */
	mode_t mode;
	char *value; /* in the kernel's spelling, with its newline */
	/* The kernel's spelling of @text; NULL: EINVAL. */
	char *(*check)(const struct vphone *vp, int arg, const char *text);
	/* May be NULL. */
	void (*changed)(struct vphone *vp, const char *value);
	int arg;
	struct timespec mtime;
	ino_t ino;
	bool was_empty; /* somebody is between open and write */
};

static GPtrArray *knobs; /* struct knob *; one process is one phone */

static bool number(const char *text, gint64 *n_out)
{
	g_autofree char *s = g_strstrip(g_strdup(text));

	return g_ascii_string_to_signed(s, 10, G_MININT, G_MAXINT, n_out, NULL);
}

static char *check_pelt(const struct vphone *vp, int arg, const char *text)
{
	gint64 n;

	(void)vp;
	(void)arg;
	if (!number(text, &n) || (n != 1 && n != 2 && n != 4))
		return NULL;
	return g_strdup_printf("%d\n", (int)n);
}

static char *check_percent(const struct vphone *vp, int arg, const char *text)
{
	gint64 n;

	(void)vp;
	(void)arg;
	if (!number(text, &n) || n < 0 || n > 100)
		return NULL;
	return g_strdup_printf("%d\n", (int)n);
}

static void stop_level_changed(struct vphone *vp, const char *value)
{
	vp->charging_held = atoi(value) < vp->battery_percent;
}

static char *check_khz(const struct vphone *vp, int cluster, const char *text)
{
	gint64 n;

	if (!number(text, &n) || n < 0)
		return NULL;
	n = CLAMP(n, 300000, vp->hw->cluster_max_khz[cluster]);
	return g_strdup_printf("%d\n", (int)n);
}

static char *check_governor(const struct vphone *vp, int arg, const char *text)
{
	static const char *const names[] = { "sched_pixel", "schedutil",
					     "performance", "powersave", NULL };
	g_autofree char *s = g_strstrip(g_strdup(text));

	(void)vp;
	(void)arg;
	return g_strv_contains(names, s) ? g_strconcat(s, "\n", NULL) : NULL;
}

static char *check_rate(const struct vphone *vp, int arg, const char *text)
{
	static const char *const rates[] = { "7.812500",   "15.625000",
					     "31.250000",  "62.500000",
					     "125.000000", "250.000000",
					     "500.000000", "1000.000000" };
	g_autofree char *s = g_strstrip(g_strdup(text));

	(void)vp;
	(void)arg;
	for (size_t i = 0; i < G_N_ELEMENTS(rates); i++)
		if (g_str_has_prefix(rates[i], s) &&
		    strspn(rates[i] + strlen(s), ".0") ==
			    strlen(rates[i] + strlen(s)))
			return g_strconcat(rates[i], "\n", NULL);
	return NULL;
}

/* Moving a channel to another rail is not offered. */
static char *check_fixed(const struct vphone *vp, int arg, const char *text)
{
	(void)vp;
	(void)arg;
	(void)text;
	return NULL;
}

static char *in_root(const struct vphone *vp, const char *path)
{
	return g_strconcat(vp->root, path, NULL);
}

static void remember(const struct vphone *vp, struct knob *k)
{
	g_autofree char *path = in_root(vp, k->path);
	struct stat st;

	if (stat(path, &st) < 0)
		return;
	k->mtime = st.st_mtim;
	k->ino = st.st_ino;
}

static void put(struct vphone *vp, struct knob *k)
{
	vp_file_put(vp, k->path, k->mode, "%s", k->value);
	remember(vp, k);
	k->was_empty = false;
}

static void add(struct vphone *vp, char *path, mode_t mode, const char *value,
		char *(*check)(const struct vphone *, int, const char *),
		int arg)
{
	struct knob *k = g_new0(struct knob, 1);

	k->path = path;
	k->mode = mode;
	k->value = g_strdup(value);
	k->check = check;
	k->arg = arg;
	if (check == check_percent && g_str_has_suffix(path, "stop_level"))
		k->changed = stop_level_changed;
	put(vp, k);
	g_ptr_array_add(knobs, k);
}

static void add_cpufreq(struct vphone *vp, int i)
{
	int first = vp->hw->cluster_first[i];
	g_autofree char *dir = g_strdup_printf(
		"/sys/devices/system/cpu/cpufreq/policy%d/scaling_", first);
	g_autofree char *max =
		g_strdup_printf("%d\n", vp->hw->cluster_max_khz[i]);

	add(vp, g_strconcat(dir, "max_freq", NULL), 0644, max, check_khz, i);
	add(vp, g_strconcat(dir, "min_freq", NULL), 0644, "300000\n", check_khz,
	    i);
	add(vp, g_strconcat(dir, "governor", NULL), 0644, "sched_pixel\n",
	    check_governor, i);
}

static void add_odpm(struct vphone *vp, int chip)
{
	g_autofree char *dir =
		g_strdup_printf("/sys/bus/iio/devices/iio:device%d/", chip);
	g_autoptr(GString) rails = g_string_new(NULL);
	int channel = 0;

	for (const struct vp_rail *r = vp->hw->rails; r->name; r++)
		if (r->chip == chip)
			g_string_append_printf(rails, "CH%d[%s]:%s\n",
					       channel++, r->name, r->subsys);
	add(vp, g_strconcat(dir, "enabled_rails", NULL), 0600, rails->str,
	    check_fixed, 0);
	add(vp, g_strconcat(dir, "sampling_rate", NULL), 0600, "125.000000\n",
	    check_rate, 0);
}

static void free_knob(gpointer data)
{
	struct knob *k = data;

	g_free(k->path);
	g_free(k->value);
	g_free(k);
}

void vp_knobs_boot(struct vphone *vp)
{
	const char *charger = "/sys/devices/platform/google,charger/charge_";

	if (knobs)
		g_ptr_array_unref(knobs);
	knobs = g_ptr_array_new_with_free_func(free_knob);
	add(vp, g_strdup("/proc/sys/kernel/sched_pelt_multiplier"), 0644, "1\n",
	    check_pelt, 0);
	add(vp, g_strconcat(charger, "stop_level", NULL), 0660, "100\n",
	    check_percent, 0);
	add(vp, g_strconcat(charger, "start_level", NULL), 0660, "0\n",
	    check_percent, 0);
	for (int i = 0; i < vp->hw->clusters; i++)
		add_cpufreq(vp, i);
	add_odpm(vp, 0);
	add_odpm(vp, 1);
}

/* As a Pixel's init does once Android is up. */
void vp_knobs_completed(struct vphone *vp)
{
	struct knob *pelt = knobs->pdata[0];

	if (!g_str_equal(pelt->value, "1\n"))
		return;
	g_free(pelt->value);
	pelt->value = g_strdup("4\n");
	put(vp, pelt);
}

int vp_knobs_open(struct vphone *vp)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	for (guint i = 0; i < knobs->len; i++) {
		struct knob *k = knobs->pdata[i];
		g_autofree char *path = in_root(vp, k->path);
		g_autofree char *dir = g_path_get_dirname(path);

		inotify_add_watch(fd, dir, IN_CLOSE_WRITE);
	}
	return fd;
}

static bool is_touched(const struct vphone *vp, const struct knob *k)
{
	g_autofree char *path = in_root(vp, k->path);
	struct stat st;

	return stat(path, &st) == 0 &&
	       (st.st_ino != k->ino || st.st_mtim.tv_sec != k->mtime.tv_sec ||
		st.st_mtim.tv_nsec != k->mtime.tv_nsec);
}

static void take_value(struct vphone *vp, struct knob *k)
{
	g_autofree char *path = in_root(vp, k->path);
	g_autofree char *text = NULL;
	char *value;
	gsize len;

	if (!g_file_get_contents(path, &text, &len, NULL))
		return;
	if (len == 0 && !k->was_empty) {
		k->was_empty = true;
		return;
	}
	value = len < MAX_VALUE ? k->check(vp, k->arg, text) : NULL;
	if (value) {
		g_free(k->value);
		k->value = value;
		if (k->changed)
			k->changed(vp, value);
	}
	if (g_str_equal(text, k->value))
		remember(vp, k);
	else
		put(vp, k);
}

void vp_knobs_check(struct vphone *vp)
{
	if (!knobs || (vp->mode != VP_BOOTING && vp->mode != VP_ANDROID))
		return;
	for (guint i = 0; i < knobs->len; i++) {
		struct knob *k = knobs->pdata[i];

		if (is_touched(vp, k))
			take_value(vp, k);
	}
}

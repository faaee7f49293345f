// SPDX-License-Identifier: GPL-3.0-or-later
// /proc and /sys of the phone: what a boot sets, and the rewriting of what
// changes with time.
#include "core.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The host's share: no file but ODPM's is rewritten more often. */
#define MIN_REWRITE_US 50000

struct live_state {
	struct vp_live file;
	char *host_path;
	GString *last;
	gint64 next_host_us;
};

/* One process is one phone. */
static GArray *live; /* struct live_state */

static char *host_path(const struct vphone *vp, const char *path)
{
	return g_strconcat(vp->root, path, NULL);
}

static void put_bytes(const struct vphone *vp, const char *path, mode_t mode,
		      const void *data, size_t len)
{
	g_autofree char *to = host_path(vp, path);
	g_autofree char *dir = g_path_get_dirname(to);

	g_mkdir_with_parents(dir, 0755);
	if (!vp_replace_file(to, data, len, mode))
		g_printerr("vphone: cannot write %s: %s\n", to,
			   g_strerror(errno));
}

void vp_file_put(const struct vphone *vp, const char *path, mode_t mode,
		 const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, format);
	text = g_strdup_vprintf(format, ap);
	va_end(ap);
	put_bytes(vp, path, mode, text, strlen(text));
}

int vp_skin_now_mc(const struct vphone *vp)
{
	int hotter = 0;

	vp_fault_on(vp, VP_FAULT_HOT, &hotter);
	return hotter * 1000 +
	       vp_skin_mc(&vp->boot,
			  vp->acts ? (struct vp_act *)vp->acts->data : NULL,
			  vp->acts ? vp->acts->len : 0, vp->start_mc,
			  vp_now_ns(vp));
}

static void put_proc(const struct vphone *vp, const struct vp_kernel *kernel)
{
	g_auto(GStrv) words = g_strsplit(vp->kernel_banner, " ", 4);
	gsize len;
	const void *config = g_bytes_get_data(kernel->config_gz, &len);

	vp_file_put(vp, "/proc/version", 0444, "%s\n", vp->kernel_banner);
	vp_file_put(vp, "/proc/cmdline", 0444, "%s\n", vp->cmdline);
	vp_file_put(vp, "/proc/bootconfig", 0444,
		    "androidboot.slot_suffix = \"_%s\"\n"
		    "androidboot.serialno = \"%s\"\n"
		    "androidboot.hardware = \"%s\"\n",
		    vp->slot, vp->serial, vp->hw->product);
	put_bytes(vp, "/proc/config.gz", 0444, config, len);
	vp_file_put(vp, "/proc/sys/kernel/random/boot_id", 0444, "%s\n",
		    vp->boot_id);
	vp_file_put(vp, "/proc/sys/kernel/osrelease", 0444, "%s\n", words[2]);
	vp_file_put(vp, "/proc/sys/kernel/hostname", 0644, "localhost\n");
	vp_file_put(vp, "/proc/sys/vm/drop_caches", 0644, "0\n");
	vp_file_put(vp, "/proc/meminfo", 0444,
		    "MemTotal:       11880132 kB\n"
		    "MemFree:         4402120 kB\n"
		    "MemAvailable:    8120444 kB\n");
}

static void put_tracing(const struct vphone *vp)
{
	static const struct {
		const char *name, *text;
	} files[] = {
		{ "tracing_on", "1\n" },
		{ "buffer_size_kb", "4096\n" },
		{ "current_tracer", "nop\n" },
		{ "trace_clock", "[local] global counter uptime perf mono "
				 "mono_raw boot\n" },
		{ "set_event", "" },
		{ "trace", "" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_strconcat("/sys/kernel/tracing/",
						    files[i].name, NULL);

		vp_file_put(vp, path, 0666, "%s", files[i].text);
	}
}

static void put_iio(const struct vphone *vp, int chip)
{
	g_autofree char *dir =
		g_strdup_printf("/sys/bus/iio/devices/iio:device%d", chip);
	g_autofree char *name = g_strconcat(dir, "/name", NULL);
	g_autofree char *rails = g_strconcat(dir, "/available_rails", NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	for (const struct vp_rail *r = vp->hw->rails; r->name; r++)
		if (r->chip == chip)
			g_string_append_printf(text, "%s(%s):%s\n",
					       r->regulator, r->name,
					       r->subsys);
	vp_file_put(vp, name, 0444, "%s\n", vp->hw->chip_name[chip]);
	vp_file_put(vp, rails, 0400, "%s", text->str);
}

static void put_cpus(const struct vphone *vp)
{
	const struct vp_hw *hw = vp->hw;

	vp_file_put(vp, "/sys/devices/system/cpu/online", 0444, "0-%d\n",
		    hw->cpus - 1);
	vp_file_put(vp, "/sys/devices/system/cpu/possible", 0444, "0-%d\n",
		    hw->cpus - 1);
	vp_file_put(vp, "/sys/devices/system/cpu/present", 0444, "0-%d\n",
		    hw->cpus - 1);
	for (int i = 0; i < hw->clusters; i++) {
		int first = hw->cluster_first[i];
		g_autoptr(GString) cpus = g_string_new(NULL);
		g_autofree char *dir = g_strdup_printf(
			"/sys/devices/system/cpu/cpufreq/policy%d/", first);
		g_autofree char *related =
			g_strconcat(dir, "related_cpus", NULL);
		g_autofree char *max =
			g_strconcat(dir, "cpuinfo_max_freq", NULL);

		for (int c = first; c < hw->cluster_first[i + 1]; c++)
			g_string_append_printf(cpus, "%s%d",
					       cpus->len ? " " : "", c);
		vp_file_put(vp, related, 0444, "%s\n", cpus->str);
		vp_file_put(vp, max, 0444, "%d\n", hw->cluster_max_khz[i]);
	}
}

static void put_power_supply(const struct vphone *vp)
{
	vp_file_put(vp, "/sys/class/power_supply/battery/type", 0444,
		    "Battery\n");
	vp_file_put(vp, "/sys/class/power_supply/battery/charge_full", 0444,
		    "4870000\n");
	vp_file_put(vp, "/sys/class/power_supply/battery/health", 0444,
		    "Good\n");
	vp_file_put(vp, "/sys/class/power_supply/battery/present", 0444, "1\n");
	vp_file_put(vp, "/sys/class/power_supply/usb/type", 0444, "USB\n");
	vp_file_put(vp, "/sys/class/power_supply/usb/present", 0444, "1\n");
}

static void clear_live(gpointer data)
{
	struct live_state *s = data;

	g_free(s->file.path);
	g_free(s->host_path);
	g_string_free(s->last, TRUE);
}

static void start_live(struct vphone *vp)
{
	g_autoptr(GArray) files = vp_live_files(vp);

	if (live)
		g_array_unref(live);
	live = g_array_new(FALSE, TRUE, sizeof(struct live_state));
	g_array_set_clear_func(live, clear_live);
	for (guint i = 0; i < files->len; i++) {
		const struct vp_live *file =
			&g_array_index(files, struct vp_live, i);
		struct live_state s = {
			.file = *file,
			.host_path = host_path(vp, file->path),
			.last = g_string_new(NULL),
		};

		vp_file_put(vp, file->path, file->mode, "%s", "");
		g_array_append_val(live, s);
	}
}

static void refresh(const struct vphone *vp, struct live_state *s,
		    gint64 host_us)
{
	g_autofree char *tmp = g_build_filename(vp->dir, ".live", NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	gint64 period_us = vp_host_us(vp, s->file.period_ns);

	if (host_us < s->next_host_us)
		return;
	s->next_host_us = s->file.period_ns == 0
				  ? 0
				  : host_us + MAX(period_us, MIN_REWRITE_US);
	s->file.make(vp, s->file.arg, vp_now_ns(vp), text);
	if (g_string_equal(text, s->last))
		return;
	vp_swap_file(tmp, s->host_path, text, s->file.mode);
	g_string_assign(s->last, text->str);
}

/* Where /dev/null is a regular file, nobody must find what was thrown away. */
static void empty_null(const struct vphone *vp)
{
	g_autofree char *path = host_path(vp, "/dev/null");
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		(void)!truncate(path, 0);
}

void vp_files_tick(struct vphone *vp)
{
	gint64 host_us = g_get_monotonic_time();

	if (vp->mode != VP_BOOTING && vp->mode != VP_ANDROID)
		return;
	for (guint i = 0; i < live->len; i++)
		refresh(vp, &g_array_index(live, struct live_state, i),
			host_us);
	empty_null(vp);
}

void vp_files_boot(struct vphone *vp, const struct vp_kernel *kernel)
{
	g_autofree char *pstore = host_path(vp, "/sys/fs/pstore");
	g_autofree char *debug = host_path(vp, "/sys/kernel/debug");
	g_autofree char *tracing = g_strconcat(debug, "/tracing", NULL);

	g_mkdir_with_parents(pstore, 0755);
	g_mkdir_with_parents(debug, 0755);
	(void)!symlink("/sys/kernel/tracing", tracing);
	put_proc(vp, kernel);
	put_tracing(vp);
	put_iio(vp, 0);
	put_iio(vp, 1);
	put_cpus(vp);
	put_power_supply(vp);
	vp_knobs_boot(vp);
	start_live(vp);
	vp_files_tick(vp);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The phone's life: which slot, which kernel, Android, and down again.  One
// thread does all of it, and moves what moves with time.
#include "core.h"

#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define TICK_MS 10
#define KNOB_TICKS 10	      /* between looks that nothing asked for */
#define DOWN_NS VP_NSEC	      /* from the request until adb is gone */
#define BOOTLOADER_NS VP_NSEC /* until fastboot answers */
#define FAILED_BOOT_NS (4 * VP_NSEC)
#define CALLS_WAIT_US (2 * G_USEC_PER_SEC)

gint vp_quit;

void vp_poke(struct vphone *vp)
{
	guint64 one = 1;

	(void)!write(vp->core->wake, &one, sizeof(one));
}

void vp_go(struct vphone *vp, enum vp_next next)
{
	if (vp->core->next != VP_NEXT_QUIT)
		vp->core->next = next;
	vp_poke(vp);
}

static enum vp_next next_of(const char *target)
{
	if (g_str_equal(target, "bootloader"))
		return VP_NEXT_BOOTLOADER;
	if (g_str_equal(target, "fastboot"))
		return VP_NEXT_FASTBOOTD;
	return VP_NEXT_BOOT;
}

void vp_reboot(struct vphone *vp, const char *target)
{
	g_mutex_lock(&vp->lock);
	vp->core->reason = "reboot,shell";
	vp_go(vp, next_of(target));
	g_mutex_unlock(&vp->lock);
}

/* Wait for a poke, at most @ms of host time; true when a knob was written. */
static bool pause_ms(struct vphone *vp, int knobs, int ms)
{
	struct pollfd p[] = { { .fd = vp->core->wake, .events = POLLIN },
			      { .fd = knobs, .events = POLLIN } };
	char buf[4096];

	poll(p, 2, ms);
	if (p[0].revents)
		(void)!read(vp->core->wake, buf, sizeof(guint64));
	return p[1].revents && read(knobs, buf, sizeof(buf)) > 0;
}

static enum vp_next wanted(struct vphone *vp)
{
	enum vp_next next;

	g_mutex_lock(&vp->lock);
	next = vp->core->next;
	g_mutex_unlock(&vp->lock);
	return next;
}

/* Only the end of the program cuts this short. */
static void take_time(struct vphone *vp, gint64 ns)
{
	gint64 until = g_get_monotonic_time() + vp_host_us(vp, ns);
	gint64 left_us;

	while ((left_us = until - g_get_monotonic_time()) > 0 &&
	       wanted(vp) != VP_NEXT_QUIT)
		pause_ms(vp, -1, (int)(left_us / 1000) + 1);
}

static void set_mode(struct vphone *vp, enum vp_mode mode)
{
	vp->mode = mode;
	g_cond_broadcast(&vp->changed);
}

static GBytes *read_boot_partition(const struct vphone *vp, const char *slot)
{
	g_autofree char *name = g_strconcat("boot_", slot, NULL);
	g_autofree char *path = vp_partition_path(vp, name);
	char *data;
	gsize len;

	if (!g_file_get_contents(path, &data, &len, NULL))
		return g_bytes_new_static("", 0);
	return g_bytes_new_take(data, len);
}

static void say(struct vphone *vp, const char *slot, const GError *error)
{
	g_printerr("vphone %s: slot %s is %s\n", vp->serial, slot,
		   error->message);
}

/*
 * The slot to try now, with one try counted; NULL when none is left.  A boot
 * loop uses up the retries even of a slot that was successful before.
 */
static const char *choose_slot(struct vphone *vp)
{
	static const char *const names[] = { "a", "b" };

	for (int tries = 0; tries < VP_SLOTS; tries++) {
		int i = vp_slot_index(vp->slot);
		struct vp_slot *slot = &vp->core->slots[i];

		if (!slot->unbootable && slot->retries > 0) {
			slot->retries--;
			return vp->slot;
		}
		slot->unbootable = true;
		slot->successful = false;
		g_free(vp->slot);
		vp->slot = g_strdup(names[1 - i]);
	}
	return NULL;
}

static void new_boot_id(struct vphone *vp)
{
	g_autofree char *text =
		g_strdup_printf("%s %" G_GUINT64_FORMAT " %d", vp->serial,
				vp->seed, vp->boot_number);
	g_autofree char *h =
		g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);

	g_snprintf(vp->boot_id, sizeof(vp->boot_id),
		   "%.8s-%.4s-4%.3s-a%.3s-%.12s", h, h + 8, h + 12, h + 15,
		   h + 18);
}

static void clear_marks(struct vphone *vp)
{
	for (guint i = 0; i < vp->marks->len; i++)
		g_free(g_array_index(vp->marks, struct vp_mark, i).text);
	g_array_set_size(vp->marks, 0);
}

/* The kernel starts: takes what @kernel holds. */
static void start_kernel(struct vphone *vp, struct vp_kernel *kernel)
{
	vp->boot_number++;
	vp_clock_boot(vp);
	new_boot_id(vp);
	vp_model_free((struct vp_model *)vp->boot.model);
	vp_boot_draw(&vp->boot, kernel->model, vp->hw, vp->seed,
		     vp->boot_number);
	vp->boot.model = g_steal_pointer(&kernel->model);
	g_free(vp->kernel_banner);
	vp->kernel_banner = g_steal_pointer(&kernel->banner);
	g_free(vp->kernel_config);
	vp->kernel_config = g_steal_pointer(&kernel->config);
	g_free(vp->cmdline);
	vp->cmdline = g_strdup_printf(
		"%s androidboot.slot_suffix=_%s androidboot.serialno=%s "
		"androidboot.hardware=%s androidboot.bootreason=%s "
		"androidboot.verifiedbootstate=orange",
		kernel->cmdline, vp->slot, vp->serial, vp->hw->product,
		vp->core->reason);
	clear_marks(vp);
	if (vp->acts)
		g_array_set_size(vp->acts, 0);
	if (vp->logcat)
		g_string_truncate(vp->logcat, 0);
	vp->adb_root = false;
	vp->tracing = 0;
	vp->charging_held = false;
	vp->core->completed = false;
	set_mode(vp, VP_BOOTING);
	vp_files_boot(vp, kernel);
	vp_state_save(vp);
}

static void restore_persist_props(struct vphone *vp)
{
	GHashTableIter it;
	gpointer key, value;

	if (!vp->core->persist_props)
		return;
	g_hash_table_iter_init(&it, vp->core->persist_props);
	while (g_hash_table_iter_next(&it, &key, &value))
		g_hash_table_insert(vp->props, g_strdup(key), g_strdup(value));
	g_clear_pointer(&vp->core->persist_props, g_hash_table_unref);
}

static void set_prop(struct vphone *vp, const char *name, const char *value)
{
	g_hash_table_insert(vp->props, g_strdup(name), g_strdup(value));
}

static void start_android(struct vphone *vp)
{
	set_mode(vp, VP_ANDROID);
	vp_android_reset(vp);
	restore_persist_props(vp);
	set_prop(vp, "ro.boot.bootreason", vp->core->reason);
	set_prop(vp, "sys.boot.reason", vp->core->reason);
	vp->core->reason = "reboot"; /* unless the next request says more */
	vp->core->android_up = true;
	vp->core->adb_back_host_us = 0;
}

static void boot_completed(struct vphone *vp)
{
	struct vp_slot *slot = &vp->core->slots[vp_slot_index(vp->slot)];

	vp->core->completed = true;
	slot->successful = true;
	slot->retries = VP_RETRIES;
	vp_knobs_completed(vp);
	vp_state_save(vp);
}

static void check_offline_fault(struct vphone *vp)
{
	int seconds = 10;

	if (!vp->core->android_up ||
	    !vp_fault_take(vp, VP_FAULT_ADB_OFFLINE, &seconds))
		return;
	vp->core->adb_back_host_us =
		g_get_monotonic_time() + vp_host_us(vp, seconds * VP_NSEC);
}

static void tick(struct vphone *vp)
{
	if (vp->mode == VP_BOOTING && vp_now_ns(vp) >= VP_ANDROID_NS)
		start_android(vp);
	vp_android_settle(vp);
	if (vp->mode == VP_ANDROID && !vp->core->completed &&
	    g_strcmp0(g_hash_table_lookup(vp->props, "sys.boot_completed"),
		      "1") == 0)
		boot_completed(vp);
	check_offline_fault(vp);
	vp_adbd_update(vp);
	vp_files_tick(vp);
}

/* Everything of the running system ends. */
static void go_down(struct vphone *vp)
{
	gint64 until;

	g_mutex_lock(&vp->lock);
	set_mode(vp, VP_OFF);
	vp->core->android_up = false;
	vp_adbd_update(vp);
	vp_state_save(vp);
	g_mutex_unlock(&vp->lock);
	vp_kill_all(vp);
	vp_jankbench_stop(vp);
	until = g_get_monotonic_time() + CALLS_WAIT_US;
	g_mutex_lock(&vp->lock);
	while (vp->core->calls > 0 &&
	       g_cond_wait_until(&vp->changed, &vp->lock, until))
		;
	g_mutex_unlock(&vp->lock);
}

static void run_android(struct vphone *vp)
{
	int knobs = vp_knobs_open(vp);
	bool written = false;

	for (int n = 0; wanted(vp) == VP_NEXT_NONE; n++) {
		g_mutex_lock(&vp->lock);
		if (written || n % KNOB_TICKS == 0)
			vp_knobs_check(vp);
		tick(vp);
		g_mutex_unlock(&vp->lock);
		written = pause_ms(vp, knobs, TICK_MS);
	}
	take_time(vp, DOWN_NS);
	close(knobs);
	go_down(vp);
}

/* Returns false when there is nothing (more) to boot. */
static bool try_boot(struct vphone *vp)
{
	struct vp_kernel kernel = { 0 };
	g_autoptr(GBytes) image = NULL;
	g_autoptr(GError) error = NULL;
	const char *slot = NULL;
	bool loop, wrong, ok;

	g_mutex_lock(&vp->lock);
	image = g_steal_pointer(&vp->core->ram_image);
	wrong = !image && vp_fault_take(vp, VP_FAULT_WRONG_SLOT, NULL);
	if (wrong) {
		bool was_b = vp->slot[0] == 'b';

		g_free(vp->slot);
		vp->slot = g_strdup(was_b ? "a" : "b");
	}
	slot = choose_slot(vp);
	loop = slot && vp_fault_take(vp, VP_FAULT_BOOT_LOOP, NULL);
	if (slot && !image)
		image = read_boot_partition(vp, slot);
	ok = slot && vp_kernel_parse(image, &kernel, &error);
	if (error)
		say(vp, slot, error);
	vp_go(vp, ok && !loop ? VP_NEXT_NONE : VP_NEXT_BOOT);
	if (ok && !loop)
		start_kernel(vp, &kernel);
	vp_state_save(vp);
	g_mutex_unlock(&vp->lock);
	if (ok && !loop)
		run_android(vp);
	else if (slot)
		take_time(vp, FAILED_BOOT_NS);
	vp_kernel_clear(&kernel);
	return slot != NULL;
}

static void run_bootloader(struct vphone *vp, bool fastbootd)
{
	struct vp_core *core = vp->core;

	take_time(vp, BOOTLOADER_NS);
	g_mutex_lock(&vp->lock);
	vp_go(vp, VP_NEXT_NONE);
	core->fastbootd = fastbootd;
	set_mode(vp, VP_BOOTLOADER);
	g_mutex_unlock(&vp->lock);
	while (wanted(vp) == VP_NEXT_NONE) {
		g_mutex_lock(&vp->lock);
		if (vp_fault_on(vp, VP_FAULT_FB_ABSENT, NULL))
			vp_port_close(&core->fastboot);
		else
			vp_port_open(&core->fastboot);
		g_mutex_unlock(&vp->lock);
		pause_ms(vp, -1, 100);
	}
	g_mutex_lock(&vp->lock);
	vp_bootloader_close(vp);
	set_mode(vp, VP_OFF);
	g_mutex_unlock(&vp->lock);
}

/* What a phone does when it is switched on. */
static enum vp_next first(struct vphone *vp)
{
	struct vp_kernel kernel = { 0 };
	g_autoptr(GBytes) image = read_boot_partition(vp, vp->slot);
	bool ok = vp_kernel_parse(image, &kernel, NULL);

	vp_kernel_clear(&kernel);
	return ok ? VP_NEXT_BOOT : VP_NEXT_BOOTLOADER;
}

gpointer vp_phone_main(gpointer data)
{
	struct vphone *vp = data;
	enum vp_next next = first(vp);

	while (next != VP_NEXT_QUIT) {
		bool booted = next == VP_NEXT_BOOT && try_boot(vp);

		if (!booted)
			run_bootloader(vp, next == VP_NEXT_FASTBOOTD);
		next = wanted(vp);
	}
	return NULL;
}

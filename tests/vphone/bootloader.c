// SPDX-License-Identifier: GPL-3.0-or-later
// fastboot over TCP.
#include "core.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_COMMAND 4096
#define MAX_ANSWER 252
#define MAX_DOWNLOAD 0xf900000u
#define FLASH_NS (200 * VP_MSEC)

struct session {
	struct vphone *vp;
	int fd;
	GByteArray *download;
	bool over; /* the device closes after its answer */
};

static bool put_frame(struct session *s, const char *data, size_t len)
{
	guint64 be = GUINT64_TO_BE((guint64)len);
	guint8 frame[sizeof(be) + 4 + MAX_ANSWER];

	memcpy(frame, &be, sizeof(be));
	memcpy(frame + sizeof(be), data, len);
	return vp_write_full(s->fd, frame, sizeof(be) + len);
}

static bool answer(struct session *s, const char *kind, const char *text)
{
	g_autofree char *msg =
		g_strdup_printf("%s%.*s", kind, MAX_ANSWER, text);

	return put_frame(s, msg, strlen(msg));
}

static bool get_size(struct session *s, guint64 *len_out)
{
	guint64 be;

	if (!vp_read_full(s->fd, &be, sizeof(be)))
		return false;
	*len_out = GUINT64_FROM_BE(be);
	return true;
}

static bool fault(struct session *s, enum vp_fault fault_kind)
{
	bool is;

	g_mutex_lock(&s->vp->lock);
	is = vp_fault_take(s->vp, fault_kind, NULL);
	g_mutex_unlock(&s->vp->lock);
	return is;
}

char *vp_partition_path(const struct vphone *vp, const char *name)
{
	return g_build_filename(vp->dir, "partitions", name, NULL);
}

static bool do_getvar(struct session *s, const char *name)
{
	g_autoptr(GPtrArray) vars = NULL;
	bool all = g_str_equal(name, "all");
	size_t len = strlen(name);
	bool ok = true;

	g_mutex_lock(&s->vp->lock);
	vars = vp_bootloader_vars(s->vp);
	g_mutex_unlock(&s->vp->lock);
	for (guint i = 0; i < vars->len && ok; i++) {
		const char *line = vars->pdata[i];

		if (all)
			ok = answer(s, "INFO", line);
		else if (strncmp(line, name, len) == 0 && line[len] == ':')
			return answer(s, "OKAY", line + len + 1);
	}
	if (all)
		return ok && answer(s, "OKAY", "");
	return answer(s, "FAIL", "Unknown variable");
}

static bool do_download(struct session *s, const char *arg)
{
	guint64 size = g_ascii_strtoull(arg, NULL, 16), len;
	g_autofree char *hex = NULL;
	gsize have = 0;

	if (strlen(arg) != 8 || size == 0 || size > MAX_DOWNLOAD)
		return answer(s, "FAIL", "data too large");
	g_byte_array_set_size(s->download, (guint)size);
	hex = g_strdup_printf("%08x", (guint)size);
	if (!answer(s, "DATA", hex))
		return false;
	while (have < size) {
		if (!get_size(s, &len) || len > size - have ||
		    !vp_read_full(s->fd, s->download->data + have, len))
			return false;
		have += len;
	}
	return answer(s, "OKAY", "");
}

static bool flash_partition(struct session *s, const char *name)
{
	g_autofree char *path = vp_partition_path(s->vp, name);
	GByteArray *d = s->download;

	if (fault(s, VP_FAULT_FLASH_IGNORED))
		return answer(s, "OKAY", "");
	if (fault(s, VP_FAULT_FB_FAIL))
		return answer(s, "FAIL", "failed to write partition");
	if (!vp_replace_file(path, d->data, d->len, 0600))
		return answer(s, "FAIL", "storage: write error");
	g_usleep((gulong)vp_host_us(s->vp, FLASH_NS));
	return answer(s, "OKAY", "");
}

static bool do_flash(struct session *s, const char *name)
{
	const struct vp_partition *p = vp_partition_find(name);
	static const guint8 sparse[] = { 0x3a, 0xff, 0x26, 0xed };
	GByteArray *d = s->download;

	if (!p)
		return answer(s, "FAIL", "partition does not exist");
	if (!p->flashable)
		return answer(s, "FAIL", "partition is not flashable here");
	if (d->len == 0)
		return answer(s, "FAIL", "no image downloaded");
	if (d->len > p->size)
		return answer(s, "FAIL", "image is larger than the partition");
	if (d->len >= 4 && memcmp(d->data, sparse, 4) == 0)
		return answer(s, "FAIL", "sparse image not supported here");
	return flash_partition(s, name);
}

static bool do_erase(struct session *s, const char *name)
{
	const struct vp_partition *p = vp_partition_find(name);
	g_autofree char *path = NULL;

	if (!p || !p->flashable)
		return answer(s, "FAIL", "partition cannot be erased");
	path = vp_partition_path(s->vp, name);
	g_unlink(path);
	return answer(s, "OKAY", "");
}

static bool do_set_active(struct session *s, const char *name)
{
	int i = vp_slot_index(name);
	struct vphone *vp = s->vp;

	if (i < 0)
		return answer(s, "FAIL", "invalid slot");
	g_mutex_lock(&vp->lock);
	if (!vp_fault_take(vp, VP_FAULT_SET_ACTIVE_IGNORED, NULL)) {
		g_free(vp->slot);
		vp->slot = g_strdup(name[0] == '_' ? name + 1 : name);
		vp->core->slots[i] = (struct vp_slot){ .retries = VP_RETRIES };
		vp_state_save(vp);
	}
	g_mutex_unlock(&vp->lock);
	return answer(s, "OKAY", "");
}

static bool leave(struct session *s, enum vp_next next, const char *reason)
{
	bool ok = answer(s, "OKAY", "");

	s->over = true;
	g_mutex_lock(&s->vp->lock);
	s->vp->core->reason = reason;
	vp_go(s->vp, next);
	g_mutex_unlock(&s->vp->lock);
	return ok;
}

static bool do_reboot(struct session *s, const char *arg)
{
	(void)arg;
	return leave(s, VP_NEXT_BOOT, "reboot");
}

static bool do_reboot_bootloader(struct session *s, const char *arg)
{
	(void)arg;
	return leave(s, VP_NEXT_BOOTLOADER, "reboot,bootloader");
}

static bool do_reboot_fastboot(struct session *s, const char *arg)
{
	(void)arg;
	return leave(s, VP_NEXT_FASTBOOTD, "reboot,fastboot");
}

static bool do_boot(struct session *s, const char *arg)
{
	struct vp_kernel kernel = { 0 };
	g_autoptr(GBytes) image =
		g_bytes_new(s->download->data, s->download->len);
	g_autoptr(GError) error = NULL;

	(void)arg;
	if (!vp_kernel_parse(image, &kernel, &error))
		return answer(s, "FAIL", error->message);
	vp_kernel_clear(&kernel);
	g_mutex_lock(&s->vp->lock);
	if (s->vp->core->ram_image)
		g_bytes_unref(s->vp->core->ram_image);
	s->vp->core->ram_image = g_steal_pointer(&image);
	g_mutex_unlock(&s->vp->lock);
	return leave(s, VP_NEXT_BOOT, "reboot");
}

static bool do_flashing(struct session *s, const char *arg)
{
	if (g_str_equal(arg, "get_unlock_ability"))
		return answer(s, "INFO", "get_unlock_ability: 1") &&
		       answer(s, "OKAY", "");
	if (g_str_equal(arg, "unlock"))
		return answer(s, "FAIL", "device already unlocked");
	return answer(s, "FAIL", "not supported");
}

static bool do_oem(struct session *s, const char *arg)
{
	if (!g_str_equal(arg, "device-info"))
		return answer(s, "FAIL", "unknown oem command");
	return answer(s, "INFO", "Device unlocked: true") &&
	       answer(s, "OKAY", "");
}

static const struct {
	const char *prefix;
	bool exact;
	bool (*run)(struct session *s, const char *arg); /* false: cut */
} commands[] = {
	{ "getvar:", false, do_getvar },
	{ "download:", false, do_download },
	{ "flash:", false, do_flash },
	{ "erase:", false, do_erase },
	{ "set_active:", false, do_set_active },
	{ "reboot-bootloader", true, do_reboot_bootloader },
	{ "reboot-fastboot", true, do_reboot_fastboot },
	{ "reboot", true, do_reboot },
	{ "continue", true, do_reboot },
	{ "boot", true, do_boot },
	{ "flashing ", false, do_flashing },
	{ "oem ", false, do_oem },
};

static bool run_command(struct session *s, const char *text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		size_t len = strlen(commands[i].prefix);

		if (strncmp(text, commands[i].prefix, len) == 0 &&
		    (!commands[i].exact || text[len] == '\0'))
			return commands[i].run(s, text + len);
	}
	return answer(s, "FAIL", "unknown command");
}

/* Say nothing until the peer or the phone ends the connection. */
static bool stay_silent(struct session *s)
{
	char byte;

	while (read(s->fd, &byte, 1) > 0)
		;
	return false;
}

static bool serve_command(struct session *s)
{
	g_autofree char *text = NULL;
	guint64 len;

	if (!get_size(s, &len) || len > MAX_COMMAND)
		return false;
	text = g_malloc0(len + 1);
	if (!vp_read_full(s->fd, text, len))
		return false;
	if (fault(s, VP_FAULT_FB_SILENT))
		return stay_silent(s);
	if (fault(s, VP_FAULT_FB_CLOSE))
		return false;
	return run_command(s, text) && !s->over;
}

static void serve(struct vphone *vp, int fd)
{
	struct session s = { .vp = vp,
			     .fd = fd,
			     .download = g_byte_array_new() };
	char hello[4];

	if (fault(&s, VP_FAULT_FB_NO_HANDSHAKE))
		stay_silent(&s);
	else if (vp_write_full(fd, "FB01", 4) &&
		 vp_read_full(fd, hello, sizeof(hello)) &&
		 memcmp(hello, "FB", 2) == 0)
		while (serve_command(&s))
			;
	g_byte_array_unref(s.download);
}

void vp_bootloader_close(struct vphone *vp)
{
	vp_port_close(&vp->core->fastboot);
	if (vp->core->fastboot_conn >= 0)
		shutdown(vp->core->fastboot_conn, SHUT_RD);
}

static void set_conn(struct vphone *vp, int fd)
{
	g_mutex_lock(&vp->lock);
	vp->core->fastboot_conn = fd;
	if (fd >= 0 && !vp->core->fastboot.open)
		shutdown(fd, SHUT_RDWR);
	g_mutex_unlock(&vp->lock);
}

gpointer vp_bootloader_main(gpointer data)
{
	struct vphone *vp = data;
	int fd;

	while ((fd = vp_port_accept(&vp->core->fastboot, &vp_quit)) >= 0) {
		set_conn(vp, fd);
		serve(vp, fd);
		set_conn(vp, -1);
		close(fd);
	}
	return NULL;
}

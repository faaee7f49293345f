// SPDX-License-Identifier: GPL-3.0-or-later
/* The sync service: file sizes, and the frames that pull and push share. */
#include "adb_sync_private.h"
#include "clip.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_PATH 1024
#define MAX_FAIL 4096
/* After the id: mode, size, mtime of STAT; error ... of STA2. */
#define STAT_REPLY 16
#define STA2_REPLY 72
#define STA2_MODE 24
#define STA2_SIZE 40

bool adb_sync_open(struct adb_conn *c, bool *stat_v2_out, GError **error)
{
	if (!adb_has_feature(c->adb, c->w, c->serial, "stat_v2", stat_v2_out,
			     error) ||
	    !adb_open_service(c, "sync:", error))
		return false;
	adb_conn_no_delay(c);
	return true;
}

bool adb_sync_add(GByteArray *to, const struct adb_conn *c, const char *id,
		  const char *path, GError **error)
{
	size_t len = strlen(path);
	guint8 size[4];

	if (len > MAX_PATH) {
		g_set_error(error, AB_ERROR, AB_ERROR_FAILED,
			    "a path of %zu bytes is too long (limit %d) "
			    "while %s",
			    len, MAX_PATH, c->what);
		return false;
	}
	adb_put_le32(size, (guint32)len);
	g_byte_array_append(to, (const guint8 *)id, 4);
	g_byte_array_append(to, size, 4);
	g_byte_array_append(to, (const guint8 *)path, (guint)len);
	return true;
}

bool adb_sync_send(struct adb_conn *c, const GByteArray *requests,
		   GError **error)
{
	return adb_send(c, requests->data, requests->len, error);
}

bool adb_sync_head(struct adb_conn *c, struct adb_sync_head *head_out,
		   GError **error)
{
	const guint8 *p = adb_take(c, 8, error);
	g_autofree char *text = NULL;

	if (!p)
		return false;
	memcpy(head_out->id, p, 4);
	head_out->len = adb_le32(p + 4);
	if (memcmp(head_out->id, "FAIL", 4) != 0)
		return true;
	if (head_out->len > MAX_FAIL) {
		adb_set_nonsense(c, "an absurd length of a message", error);
		return false;
	}
	p = adb_take(c, head_out->len, error);
	if (!p)
		return false;
	text = ab_clip((const char *)p, head_out->len);
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "the phone refused while %s: %s", c->what, text);
	return false;
}

static void set_stat_error(const struct adb_conn *c, guint32 err,
			   GError **error)
{
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "the phone refused while %s: %s", c->what,
		    g_strerror((int)err));
}

/* The errno values of Linux are the same on both sides. */
static bool read_stat2(struct adb_conn *c, struct adb_sync_stat *st,
		       GError **error)
{
	const guint8 *p = adb_take(c, STA2_REPLY, error);
	guint32 err;

	if (!p)
		return false;
	if (memcmp(p, "STA2", 4) != 0) {
		adb_set_nonsense(c, "not an answer to STA2", error);
		return false;
	}
	err = adb_le32(p + 4);
	if (err) {
		set_stat_error(c, err < 4096 ? err : EIO, error);
		return false;
	}
	st->mode = adb_le32(p + STA2_MODE);
	st->size = adb_le32(p + STA2_SIZE) |
		   (guint64)adb_le32(p + STA2_SIZE + 4) << 32;
	return true;
}

static bool read_stat1(struct adb_conn *c, struct adb_sync_stat *st,
		       GError **error)
{
	const guint8 *p = adb_take(c, STAT_REPLY, error);

	if (!p)
		return false;
	if (memcmp(p, "STAT", 4) != 0) {
		adb_set_nonsense(c, "not an answer to STAT", error);
		return false;
	}
	st->mode = adb_le32(p + 4);
	st->size = adb_le32(p + 8);
	if (!st->mode)
		set_stat_error(c, ENOENT, error);
	return st->mode;
}

bool adb_sync_read_stat(struct adb_conn *c, bool stat_v2,
			struct adb_sync_stat *st_out, GError **error)
{
	return stat_v2 ? read_stat2(c, st_out, error)
		       : read_stat1(c, st_out, error);
}

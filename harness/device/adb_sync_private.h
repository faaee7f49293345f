/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DEVICE_ADB_SYNC_PRIVATE_H
#define DEVICE_ADB_SYNC_PRIVATE_H

#include "adb_private.h"

#define ADB_SYNC_CHUNK (64u << 10) /* the protocol's limit of one DATA */

struct adb_sync_head {
	char id[4];
	guint32 len; /* or the id's other number */
};

struct adb_sync_stat {
	guint32 mode;
	guint64 size;
};

bool adb_sync_open(struct adb_conn *c, bool *stat_v2_out, GError **error);
/* Append a request with a path to @to. */
bool adb_sync_add(GByteArray *to, const struct adb_conn *c, const char *id,
		  const char *path, GError **error);
bool adb_sync_send(struct adb_conn *c, const GByteArray *requests,
		   GError **error);
/* The next reply's head; FAIL is AB_ERROR_REMOTE with the phone's text. */
bool adb_sync_head(struct adb_conn *c, struct adb_sync_head *head_out,
		   GError **error);
/* The answer to STA2 or STAT; a missing file is AB_ERROR_REMOTE. */
bool adb_sync_read_stat(struct adb_conn *c, bool stat_v2,
			struct adb_sync_stat *st_out, GError **error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device's half of the adb transport: streams, and services on them. */
#ifndef VPHONE_ADBD_H
#define VPHONE_ADBD_H

#include "core.h"

#define ADB_MAX_DATA (1u << 20)

struct adb_stream {
	gint refs;
	struct vphone *vp;
	struct vp_adb_conn *conn;
	guint32 local, remote;
	int uid;  /* adbd's when the stream was opened */
	int wake; /* eventfd: something below has changed */
	GMutex lock;
	/* One write may be under way in each direction. */
	guint8 *in;
	size_t in_len, in_off;
	bool may_write;
	bool closed; /* by the peer, or with the connection */
};

/* A service gets @arg, what follows its name; the stream closes after it. */
typedef void (*adb_service_fn)(struct adb_stream *s, const char *arg);

/* What has arrived; NULL: nothing.  Valid until it is consumed. */
const guint8 *adb_stream_peek(struct adb_stream *s, size_t *len_out);
/* The last byte of a write acknowledges it. */
void adb_stream_consume(struct adb_stream *s, size_t len);
bool adb_stream_read(struct adb_stream *s, void *buf, size_t len);
bool adb_stream_may_write(struct adb_stream *s);
bool adb_stream_write(struct adb_stream *s, const void *buf, size_t len);
size_t adb_stream_max(const struct adb_stream *s);
bool adb_stream_closed(struct adb_stream *s);
void adb_stream_clear_wake(struct adb_stream *s);

/* adbd_shell.c */
void adb_service_shell(struct adb_stream *s, const char *arg);
void adb_service_shell_v2(struct adb_stream *s, const char *arg);
/* adbd_sync.c */
void adb_service_sync(struct adb_stream *s, const char *arg);
/* adbd_services.c */
adb_service_fn adb_service_find(const char *name, const char **arg_out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One connection to the adb server, as the files of this module share it.
 *
 *	struct adb_conn c;
 *	g_autoptr(GError) why = NULL;
 *
 *	adb_conn_init(&c, adb, w, serial, g_strdup("doing this"));
 *	work(&c, &why);
 *	return adb_conn_end(&c, g_steal_pointer(&why), error);
 */
#ifndef DEVICE_ADB_PRIVATE_H
#define DEVICE_ADB_PRIVATE_H

#include <abrig/adb.h>
#include <abrig/error.h>

/* Of one connection; adb_take() can ask for no more than this. */
#define ADB_BUFFER (256u << 10)
/* What a request of the server's protocol can carry: four hex digits. */
#define ADB_MAX_REQUEST 0xffffu

struct ab_adb {
	int port;
	GMutex lock;	      /* of what follows */
	GHashTable *features; /* serial -> feature list, as the device said */
	bool version_checked;
};

struct adb_conn {
	struct ab_adb *adb;
	const struct ab_wait *w;
	const char *serial; /* NULL: a matter of the server alone */
	char *action;	    /* "running 'true'" */
	char *what;	    /* "running 'true' on SERIAL" */
	gint64 begin;
	int status; /* of a shell command, for the log; -1: none */
	int fd;	    /* -1: not open */
	guint8 *buf;
	size_t start, end; /* received and not yet taken */
	bool bulk;	   /* the last read was large: more is likely there */
	const guint8 *out; /* queued to be sent while reading; borrowed */
	size_t out_len;
};

/* @action is taken. */
void adb_conn_init(struct adb_conn *c, struct ab_adb *adb,
		   const struct ab_wait *w, const char *serial, char *action);
/*
 * Close, log the command (when it was for a device) and release.  @why is
 * NULL for success, else it is taken and becomes @error.  Returns success.
 */
bool adb_conn_end(struct adb_conn *c, GError *why, GError **error);

/* Connect to the server. */
bool adb_conn_open(struct adb_conn *c, GError **error);
/* For connections that send in small pieces. */
void adb_conn_no_delay(struct adb_conn *c);

bool adb_send(struct adb_conn *c, const void *data, size_t len, GError **error);
/* Send now what fits of @data, the rest while reading; @data stays valid. */
void adb_queue(struct adb_conn *c, const void *data, size_t len);
/* Send @data, but stop as soon as the peer says something. */
bool adb_send_until_reply(struct adb_conn *c, const void *data, size_t len,
			  GError **error);
/* Bytes that arrived and were not taken. */
size_t adb_buffered(const struct adb_conn *c);
/*
 * The next @len bytes, valid until the next read; NULL with AB_ERROR_OFFLINE
 * when the connection ends before.
 */
const guint8 *adb_take(struct adb_conn *c, size_t len, GError **error);
/*
 * Between 1 and @max of the next bytes at *@data_out; 0 at the end of the
 * connection; -1 on failure.
 */
gssize adb_take_some(struct adb_conn *c, size_t max, const guint8 **data_out,
		     GError **error);
/* "The device was lost while ...": for an end that came too early. */
void adb_set_lost(const struct adb_conn *c, GError **error);
/* AB_ERROR_PROTOCOL: "the adb server said nonsense while ...: @detail". */
void adb_set_nonsense(const struct adb_conn *c, const char *detail,
		      GError **error);

/* Send one request of the server's protocol and read OKAY (or its FAIL). */
bool adb_request(struct adb_conn *c, const char *request, GError **error);
/* Read four hex digits and that many bytes. */
char *adb_read_block(struct adb_conn *c, GError **error);
/* Connect, switch to the device @c->serial and open @service on it. */
bool adb_open_service(struct adb_conn *c, const char *service, GError **error);
/* Read to the end of the connection, at most @max bytes; NULL on failure. */
char *adb_read_all(struct adb_conn *c, size_t max, GError **error);

/*
 * A one-shot service of the server: connect, ask @request (taken), return the
 * text of the answer.
 */
char *adb_ask(struct ab_adb *adb, const struct ab_wait *w, const char *serial,
	      char *request, char *action, GError **error);

/* Does the device offer @feature ("shell_v2")?  Asked once per device. */
bool adb_has_feature(struct ab_adb *adb, const struct ab_wait *w,
		     const char *serial, const char *feature, bool *has_out,
		     GError **error);
void adb_forget_features(struct ab_adb *adb, const char *serial);

/* The state of @serial in the text of a device list; "" when absent. */
char *adb_state_in_list(const char *list, const char *serial, GError **error);

static inline guint32 adb_le32(const guint8 *p)
{
	guint32 v;

	__builtin_memcpy(&v, p, sizeof(v));
	return GUINT32_FROM_LE(v);
}

static inline void adb_put_le32(guint8 *p, guint32 v)
{
	v = GUINT32_TO_LE(v);
	__builtin_memcpy(p, &v, sizeof(v));
}

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/* Requests and replies of the adb server's "smart socket" protocol. */
#include "adb_private.h"
#include "clip.h"

#include <stdio.h>
#include <string.h>

/* How the server's complaints map to what callers can do about them. */
static const struct complaint {
	const char *text;
	enum ab_error code;
	const char *remedy;
} complaints[] = {
	{ "unauthorized", AB_ERROR_ENV, "unauthorized" },
	{ "authorizing", AB_ERROR_ENV, "authorizing" },
	{ "permissions", AB_ERROR_ENV, "no permissions" },
	{ "more than one device", AB_ERROR_ENV, "more than one" },
	{ "offline", AB_ERROR_OFFLINE, "offline" },
	{ "not found", AB_ERROR_OFFLINE, "absent" },
	{ "no devices", AB_ERROR_OFFLINE, "absent" },
	{ "connecting", AB_ERROR_OFFLINE, "connecting" },
	{ "closed", AB_ERROR_OFFLINE, "closed" },
	{ "device still", AB_ERROR_OFFLINE, "connecting" },
	{ "unknown host service", AB_ERROR_PROTOCOL, NULL },
};

static void set_complaint(const struct adb_conn *c, const char *text,
			  GError **error)
{
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(complaints); i++) {
		const struct complaint *k = &complaints[i];

		if (!strstr(text, k->text))
			continue;
		g_set_error(error, AB_ERROR, (int)k->code,
			    "adb refused while %s: %s%s%s", c->what, text,
			    k->remedy ? "; " : "",
			    k->remedy ? ab_adb_state_remedy(k->remedy) : "");
		return;
	}
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "adb refused while %s: %s", c->what, text);
}

static bool read_length(struct adb_conn *c, size_t *len_out, GError **error)
{
	const guint8 *digits = adb_take(c, 4, error);
	size_t len = 0;
	int i;

	if (!digits)
		return false;
	for (i = 0; i < 4; i++) {
		int digit = g_ascii_xdigit_value((char)digits[i]);

		if (digit < 0) {
			adb_set_nonsense(c, "a length is not hexadecimal",
					 error);
			return false;
		}
		len = len << 4 | (size_t)digit;
	}
	*len_out = len;
	return true;
}

char *adb_read_block(struct adb_conn *c, GError **error)
{
	const guint8 *data;
	size_t len;

	if (!read_length(c, &len, error))
		return NULL;
	data = adb_take(c, len, error);
	return data ? g_strndup((const char *)data, len) : NULL;
}

static bool read_status(struct adb_conn *c, GError **error)
{
	const guint8 *status = adb_take(c, 4, error);
	g_autofree char *text = NULL;
	g_autofree char *clipped = NULL;

	if (!status)
		return false;
	if (!memcmp(status, "OKAY", 4))
		return true;
	if (memcmp(status, "FAIL", 4) != 0) {
		adb_set_nonsense(c, "neither OKAY nor FAIL", error);
		return false;
	}
	text = adb_read_block(c, error);
	if (!text)
		return false;
	clipped = ab_clip(text, strlen(text));
	set_complaint(c, clipped, error);
	return false;
}

bool adb_request(struct adb_conn *c, const char *request, GError **error)
{
	size_t len = strlen(request);
	g_autofree char *framed = NULL;

	if (len > ADB_MAX_REQUEST) {
		g_set_error(error, AB_ERROR, AB_ERROR_FAILED,
			    "%zu bytes are too long for one adb request "
			    "(limit %u) while %s; pass the text as input",
			    len, ADB_MAX_REQUEST, c->what);
		return false;
	}
	framed = g_strdup_printf("%04x%s", (unsigned int)len, request);
	return adb_send(c, framed, len + 4, error) && read_status(c, error);
}

bool adb_open_service(struct adb_conn *c, const char *service, GError **error)
{
	g_autofree char *transport =
		g_strconcat("host:transport:", c->serial, NULL);

	return adb_conn_open(c, error) && adb_request(c, transport, error) &&
	       adb_request(c, service, error);
}

char *adb_read_all(struct adb_conn *c, size_t max, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const guint8 *data;
	gssize n;

	while ((n = adb_take_some(c, ADB_BUFFER, &data, error)) > 0) {
		if (text->len + (size_t)n > max) {
			adb_set_nonsense(c, "the answer does not end", error);
			return NULL;
		}
		g_string_append_len(text, (const char *)data, n);
	}
	if (n < 0)
		return NULL;
	return g_string_free(g_steal_pointer(&text), FALSE);
}

char *adb_ask(struct ab_adb *adb, const struct ab_wait *w, const char *serial,
	      char *request, char *action, GError **error)
{
	g_autofree char *ask = request;
	g_autofree char *text = NULL;
	GError *why = NULL;
	struct adb_conn c;

	adb_conn_init(&c, adb, w, serial, action);
	if (adb_conn_open(&c, &why) && adb_request(&c, ask, &why))
		text = adb_read_block(&c, &why);
	if (!adb_conn_end(&c, why, error))
		return NULL;
	return g_steal_pointer(&text);
}

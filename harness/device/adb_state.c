// SPDX-License-Identifier: GPL-3.0-or-later
/* Connections to TCP devices, and waiting for a device's state. */
#include "adb_private.h"
#include "clip.h"

#include <abrig/text.h>

#include <string.h>

#define POLL_MS 150
/* The server itself tries for 10 s when the peer accepts and says nothing. */
#define CONNECT_MS 3000
#define ECHO_MS 5000

bool ab_adb_connect(struct ab_adb *adb, const struct ab_wait *w,
		    const char *address, GError **error)
{
	g_autofree char *text =
		adb_ask(adb, w, NULL,
			g_strdup_printf("host:connect:%s", address),
			g_strdup_printf("connecting to %s", address), error);
	g_autofree char *clipped = NULL;

	if (!text)
		return false;
	if (g_str_has_prefix(text, "connected to") ||
	    g_str_has_prefix(text, "already connected to"))
		return true;
	clipped = ab_clip(text, strlen(text));
	if (strstr(text, "authenticate"))
		g_set_error(error, AB_ERROR, AB_ERROR_ENV, "%s: %s; %s",
			    address, clipped,
			    ab_adb_state_remedy("unauthorized"));
	else
		g_set_error(error, AB_ERROR, AB_ERROR_OFFLINE,
			    "%s: %s; is the phone on, and adbd listening?",
			    address, clipped);
	return false;
}

bool ab_adb_disconnect(struct ab_adb *adb, const struct ab_wait *w,
		       const char *address, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *text =
		adb_ask(adb, w, NULL,
			g_strdup_printf("host:disconnect:%s", address),
			g_strdup_printf("disconnecting %s", address), &why);

	if (text || strstr(why->message, "no such device"))
		return true;
	g_propagate_error(error, g_steal_pointer(&why));
	return false;
}

/* host:port, not the name of a USB or mDNS device. */
static bool is_address(const char *serial)
{
	const char *colon = strrchr(serial, ':');
	gint64 port;

	return colon && colon != serial && !strpbrk(serial, " ()") &&
	       ab_text_to_int(colon + 1, &port) && port > 0 && port < 65536;
}

/*
 * The server's own attempts end after a while, and an offline entry keeps
 * the address from being connected to.
 */
static void reconnect(struct ab_adb *adb, const struct ab_wait *w,
		      const char *serial, const char *state)
{
	struct ab_wait limit = ab_wait_sub(w, CONNECT_MS);

	if (!is_address(serial) || (*state && strcmp(state, "offline") != 0))
		return;
	limit.deadline = MIN(limit.deadline,
			     g_get_monotonic_time() + CONNECT_MS * 1000LL);
	if (*state)
		ab_adb_disconnect(adb, &limit, serial, NULL);
	/* The next look at the state tells whether it helped. */
	ab_adb_connect(adb, &limit, serial, NULL);
}

/* "device" can be said of a phone that answers nothing. */
static bool answers(struct ab_adb *adb, const struct ab_wait *w,
		    const char *serial, GError **error)
{
	struct ab_wait limit = ab_wait_sub(w, ECHO_MS);
	g_autofree char *text =
		ab_adb_shell_text(adb, &limit, serial, "echo ready", error);

	return text && g_str_has_prefix(text, "ready");
}

static bool is_reached(struct ab_adb *adb, const struct ab_wait *w,
		       const char *serial, const char *wanted,
		       const char *state, GError **error)
{
	if (!strcmp(wanted, "disconnect"))
		return !*state || !strcmp(state, "offline");
	if (strcmp(state, wanted) != 0)
		return false;
	return strcmp(wanted, "device") != 0 || answers(adb, w, serial, error);
}

/* Say what kept @serial from being in @wanted when the time was over. */
static void set_not_reached(const char *serial, const char *wanted,
			    const char *state, const GError *last,
			    GError **error)
{
	bool refused = g_str_has_prefix(state, "unauthorized") ||
		       g_str_has_prefix(state, "no permissions");
	g_autofree char *clipped = ab_clip(state, strlen(state));

	if (last && !strcmp(state, wanted))
		g_set_error(error, AB_ERROR, AB_ERROR_TIMEOUT,
			    "%s is listed as '%s' but does not answer: %s",
			    serial, state, last->message);
	else
		g_set_error(error, AB_ERROR,
			    refused ? AB_ERROR_ENV : AB_ERROR_TIMEOUT,
			    "deadline passed while waiting for %s to be '%s': "
			    "it is '%s'; %s",
			    serial, wanted, *state ? clipped : "absent",
			    ab_adb_state_remedy(state));
}

struct state_wait {
	struct ab_adb *adb;
	const struct ab_wait *w;
	const char *serial;
	const char *wanted;
	char *state;   /* last seen; "" before */
	GError *last;  /* last failure that may pass */
	GError *final; /* a failure that will not */
};

static char *list_devices(struct state_wait *s)
{
	char *list = adb_ask(s->adb, s->w, NULL, g_strdup("host:devices"),
			     g_strdup_printf("asking for the state of %s",
					     s->serial),
			     &s->last);

	/* The server may have died, or been restarted under us. */
	if (g_error_matches(s->last, AB_ERROR, AB_ERROR_ENV))
		ab_adb_start_server(s->adb, s->w, &s->final);
	return list;
}

/* One look; true when the state is reached. */
static bool look(struct state_wait *s)
{
	g_autofree char *list = NULL;
	char *state;

	g_clear_error(&s->last);
	list = list_devices(s);
	state = list ? adb_state_in_list(list, s->serial, &s->final) : NULL;
	if (!state)
		return false;
	g_free(s->state);
	s->state = state;
	if (is_reached(s->adb, s->w, s->serial, s->wanted, state, &s->last))
		return true;
	if (!strcmp(s->wanted, "device"))
		reconnect(s->adb, s->w, s->serial, state);
	return false;
}

bool ab_adb_wait_state(struct ab_adb *adb, const struct ab_wait *w,
		       const char *serial, const char *state, GError **error)
{
	struct state_wait s = {
		adb, w, serial, state, g_strdup(""), NULL, NULL,
	};
	g_autofree char *what =
		g_strdup_printf("waiting for %s to be '%s'", serial, state);
	g_autoptr(GError) over = NULL;
	bool reached;

	while (!(reached = look(&s)) && !s.final)
		if (!ab_wait_pause(w, POLL_MS, what, &over))
			break;
	if (s.final)
		g_propagate_error(error, g_steal_pointer(&s.final));
	else if (g_error_matches(over, AB_ERROR, AB_ERROR_TIMEOUT))
		set_not_reached(serial, state, s.state, s.last, error);
	else if (over)
		g_propagate_error(error, g_steal_pointer(&over));
	g_free(s.state);
	g_clear_error(&s.last);
	return reached;
}

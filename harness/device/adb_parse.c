// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Device lists.  A serial may contain spaces and the words of a state, so a
 * line is read from the right: attributes, path, state; the rest is the serial.
 */
#include "adb_private.h"

#include <abrig/text.h>

#include <string.h>

#define MAX_DEVICES 1024
#define MAX_LINE 4096

static const char *const states[] = {
	"device",   "offline",	"unauthorized", "authorizing", "connecting",
	"recovery", "sideload", "rescue",	"bootloader",  "host",
	"unknown",  "detached", NULL,
};

static const char *const noise[] = {
	"* ",	"List of devices", "adb server", "ADB server", "error:",
	"adb:", "cannot ",	   NULL,
};

static const char no_permissions[] = "no permissions";

void ab_adb_device_free(struct ab_adb_device *device)
{
	if (!device)
		return;
	g_free(device->serial);
	g_free(device->state);
	g_free(device->path);
	g_free(device->product);
	g_free(device->model);
	g_free(device->device);
	g_free(device);
}

static void free_device(gpointer device)
{
	ab_adb_device_free(device);
}

static bool is_noise(const char *line)
{
	const char *const *prefix;

	for (prefix = noise; *prefix; prefix++)
		if (g_str_has_prefix(line, *prefix))
			return true;
	return strlen(line) > MAX_LINE;
}

/* Where the attribute @key ("model:x") goes, or NULL. */
static char **attribute_slot(struct ab_adb_device *d, const char *key)
{
	if (g_str_has_prefix(key, "product:"))
		return &d->product;
	if (g_str_has_prefix(key, "model:"))
		return &d->model;
	if (g_str_has_prefix(key, "device:"))
		return &d->device;
	return NULL;
}

/* Does the word at @p start an attribute: lower case letters, then a colon? */
static bool starts_attribute(const char *p)
{
	const char *end = p;

	while (g_ascii_islower(*end) || *end == '_')
		end++;
	return end > p && *end == ':';
}

static size_t word_length(const char *p)
{
	return strcspn(p, " \t");
}

static const char *next_word(const char *p)
{
	p += word_length(p);
	return p + strspn(p, " \t");
}

static int parse_transport_id(const char *word)
{
	g_autofree char *value = g_strndup(word, word_length(word));
	gint64 id;

	return ab_text_to_int(value, &id) && id > 0 && id <= G_MAXINT ? (int)id
								      : 0;
}

/* "product:VS Emulator model:x": a value goes on to the next attribute. */
static size_t value_length(const char *p)
{
	const char *begin = p;
	const char *end = p + word_length(p);

	for (p = next_word(p); *p && !starts_attribute(p); p = next_word(p))
		end = p + word_length(p);
	return (size_t)(end - begin);
}

static void parse_attribute(struct ab_adb_device *d, const char *p, size_t len)
{
	size_t key = strcspn(p, ":") + 1;
	char **slot = attribute_slot(d, p);

	if (slot && !*slot)
		*slot = g_strndup(p + key, len - key);
	else if (g_str_has_prefix(p, "transport_id:"))
		d->transport_id = parse_transport_id(p + key);
}

static void parse_attributes(struct ab_adb_device *d, const char *p)
{
	if (*p && (!starts_attribute(p) || g_str_has_prefix(p, "usb:"))) {
		d->path = g_strndup(p, word_length(p));
		p = next_word(p);
	}
	while (*p) {
		size_t len = value_length(p);

		parse_attribute(d, p, len);
		p = next_word(p + len);
	}
}

/* Can @rest follow a state: [path] [attribute...]? */
static bool is_attribute_list(const char *rest)
{
	if (!*rest || starts_attribute(rest))
		return true;
	rest = next_word(rest);
	return !*rest || starts_attribute(rest);
}

static bool is_state(const char *word)
{
	g_autofree char *text = g_strndup(word, word_length(word));

	return g_strv_contains(states, text);
}

/*
 * The state word of @line, or NULL.  The last one before the attributes: a
 * serial may contain "device", and so may a product with spaces.
 */
static const char *find_state(const char *line)
{
	const char *found = NULL;
	const char *p;

	for (p = next_word(line); *p; p = next_word(p)) {
		if (is_state(p) && is_attribute_list(next_word(p)))
			found = p;
		if (found && (g_str_has_prefix(p, "product:") ||
			      g_str_has_prefix(p, "model:")))
			break;
	}
	return found;
}

/* "no permissions (free text); see [url] usb:1-2": the text is the state. */
static void parse_refused(struct ab_adb_device *d, const char *text)
{
	const char *end = text + strlen(text);
	const char *p;

	for (p = next_word(text); *p; p = next_word(p)) {
		if (!g_str_has_prefix(p, "usb:") &&
		    !g_str_has_prefix(p, "transport_id:"))
			continue;
		end = p;
		parse_attributes(d, p);
		break;
	}
	d->state = g_strchomp(g_strndup(text, (size_t)(end - text)));
}

static struct ab_adb_device *parse_line(const char *line)
{
	struct ab_adb_device *d;
	const char *refused = strstr(line, no_permissions);
	const char *state = refused ? refused : find_state(line);

	if (!state || state == line || !strchr(" \t", state[-1]))
		return NULL;
	d = g_new0(struct ab_adb_device, 1);
	d->serial = g_strchomp(g_strndup(line, (size_t)(state - line)));
	if (refused) {
		parse_refused(d, refused);
		return d;
	}
	d->state = g_strndup(state, word_length(state));
	parse_attributes(d, next_word(state));
	return d;
}

GPtrArray *ab_adb_parse_devices(const char *text)
{
	GPtrArray *devices = g_ptr_array_new_with_free_func(free_device);
	char *line;

	while (devices->len < MAX_DEVICES &&
	       (line = ab_text_next_line(&text))) {
		struct ab_adb_device *d = NULL;

		g_strstrip(line);
		if (!is_noise(line))
			d = parse_line(line);
		if (d)
			g_ptr_array_add(devices, d);
		g_free(line);
	}
	return devices;
}

char *adb_state_in_list(const char *list, const char *serial, GError **error)
{
	g_autoptr(GPtrArray) devices = ab_adb_parse_devices(list);
	const char *state = NULL;
	guint i;

	for (i = 0; i < devices->len; i++) {
		const struct ab_adb_device *d = devices->pdata[i];

		if (strcmp(d->serial, serial) != 0)
			continue;
		if (state) {
			g_set_error(error, AB_ERROR, AB_ERROR_ENV,
				    "several devices have the serial '%s' and "
				    "cannot be told apart; unplug all but one",
				    serial);
			return NULL;
		}
		state = d->state;
	}
	return g_strdup(state ? state : "");
}

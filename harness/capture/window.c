// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>
#include <abrig/file.h>
#include <abrig/text.h>
#include <abrig/trace.h>
#include <abrig/window.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define WINDOW_FILE "window.json"

static bool mark(struct ab_phone *phone, const struct ab_wait *w,
		 const char *marker, gint64 *boottime_ms_out, GError **error)
{
	/*
	 * Where trace_marker cannot be written the trace has no window, and
	 * the analysis says so; the time is noted in any case.
	 */
	g_autofree char *text = ab_phone_text(
		phone, w, error,
		"(printf '%%s\\n' '%s' > /sys/kernel/tracing/trace_marker) "
		"2>/dev/null; cat /proc/uptime",
		marker);
	double uptime;
	char *space;

	if (!text)
		return false;
	space = strchr(text, ' ');
	if (space)
		*space = '\0';
	if (!ab_text_to_double(text, &uptime) || uptime < 0 || uptime > 1e9) {
		g_set_error(error, AB_ERROR, AB_ERROR_PROTOCOL,
			    "%s: /proc/uptime reads '%.40s'", phone->serial,
			    text);
		return false;
	}
	*boottime_ms_out = (gint64)(uptime * 1000 + 0.5);
	return true;
}

bool ab_window_begin(struct ab_phone *phone, const struct ab_wait *w,
		     struct ab_window *window, GError **error)
{
	return mark(phone, w, "S|1|" AB_TRACE_WINDOW_NAME "|1",
		    &window->begin_ms, error);
}

bool ab_window_end(struct ab_phone *phone, const struct ab_wait *w,
		   struct ab_window *window, GError **error)
{
	return mark(phone, w, "F|1|" AB_TRACE_WINDOW_NAME "|1", &window->end_ms,
		    error);
}

bool ab_window_save(const struct ab_window *window, const char *dir,
		    GError **error)
{
	g_autofree char *path = g_build_filename(dir, WINDOW_FILE, NULL);
	g_autofree char *text =
		g_strdup_printf("{ \"version\": 1, \"clock\": \"boottime\", "
				"\"begin_ms\": %" G_GINT64_FORMAT
				", \"end_ms\": %" G_GINT64_FORMAT " }\n",
				window->begin_ms, window->end_ms);

	return ab_file_write(path, text, -1, error);
}

bool ab_window_load(const char *dir, struct ab_window *window_out,
		    GError **error)
{
	g_autofree char *path = g_build_filename(dir, WINDOW_FILE, NULL);
	g_autoptr(JsonParser) parser = json_parser_new();
	g_autoptr(GError) why = NULL;
	JsonNode *root;
	JsonObject *o;

	if (!json_parser_load_from_mapped_file(parser, path, &why)) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA, "%s: %s", path,
			    why->message);
		return false;
	}
	root = json_parser_get_root(parser);
	o = root && JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root)
						 : NULL;
	if (!o) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%s: not a JSON object", path);
		return false;
	}
	window_out->begin_ms =
		json_object_get_int_member_with_default(o, "begin_ms", 0);
	window_out->end_ms =
		json_object_get_int_member_with_default(o, "end_ms", 0);
	if (window_out->end_ms > window_out->begin_ms)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "%s: the window does not end after it began", path);
	return false;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* Properties, settings, the display's size: small texts. */
#include <abrig/android.h>
#include <abrig/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_PROPS 20000
#define MAX_CPUS 4096

/* "[name]: [first line of the value"; the value starts at *@value_out. */
static char *prop_name(char *line, char **value_out)
{
	char *middle = strstr(line, "]: [");

	if (line[0] != '[' || !middle)
		return NULL;
	*middle = '\0';
	*value_out = middle + strlen("]: [");
	return line + 1;
}

/* A property whose value may go on in the next line. */
struct open_prop {
	char *name; /* NULL: none is open */
	GString *value;
};

static void prop_line(GHashTable *props, struct open_prop *open, char *line)
{
	char *part = line, *start = open->name ? NULL : prop_name(line, &part);

	if (start)
		open->name = g_strdup(start);
	else if (open->name)
		g_string_append_c(open->value, '\n');
	if (!open->name)
		return;
	g_string_append(open->value, part);
	if (!g_str_has_suffix(part, "]"))
		return;
	g_string_truncate(open->value, open->value->len - 1);
	g_hash_table_insert(props, g_steal_pointer(&open->name),
			    g_strdup(open->value->str));
	g_string_truncate(open->value, 0);
}

GHashTable *ab_android_parse_props(const char *text)
{
	GHashTable *props =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	struct open_prop open = { NULL, g_string_new(NULL) };
	char *line;

	while (g_hash_table_size(props) < MAX_PROPS &&
	       (line = ab_text_next_line(&text))) {
		prop_line(props, &open, line);
		g_free(line);
	}
	g_free(open.name);
	g_string_free(open.value, TRUE);
	return props;
}

GHashTable *ab_android_parse_settings(const char *text)
{
	GHashTable *settings =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	char *line;

	while (g_hash_table_size(settings) < MAX_PROPS &&
	       (line = ab_text_next_line(&text))) {
		char *equals = strchr(line, '=');

		if (equals && equals > line)
			g_hash_table_insert(
				settings,
				g_strndup(line, (size_t)(equals - line)),
				ab_android_parse_setting(equals + 1));
		g_free(line);
	}
	if (g_hash_table_size(settings))
		return settings;
	g_hash_table_unref(settings);
	return NULL;
}

char *ab_android_parse_setting(const char *text)
{
	char *value = g_strchomp(g_strdup(text));

	if (!g_str_equal(value, "null"))
		return value;
	g_free(value);
	return NULL;
}

bool ab_android_same_value(const char *a, const char *b)
{
	double x, y;

	if (!a || !b)
		return a == b;
	if (ab_text_to_double(a, &x) && ab_text_to_double(b, &y))
		return x == y;
	return g_str_equal(a, b);
}

/* The text after the last line that begins with @label, or NULL. */
static const char *labelled(const char *text, const char *label)
{
	const char *at = strstr(text, label);

	return at ? at + strlen(label) : NULL;
}

bool ab_android_parse_size(const char *text, int *width_out, int *height_out)
{
	const char *at = labelled(text, "Override size: ");
	int width, height;

	if (!at)
		at = labelled(text, "Physical size: ");
	if (!at || sscanf(at, "%7dx%7d", &width, &height) != 2 || width < 1 ||
	    height < 1)
		return false;
	*width_out = width;
	*height_out = height;
	return true;
}

/* "4" or "0-7" */
static int count_range(const char *range)
{
	int first, last;

	switch (sscanf(range, "%5d-%5d", &first, &last)) {
	case 2:
		return first >= 0 && last >= first && last < MAX_CPUS
			       ? last - first + 1
			       : -1;
	case 1:
		return 1;
	default:
		return -1;
	}
}

int ab_android_parse_cpus(const char *text)
{
	g_auto(GStrv) ranges = g_strsplit(text, ",", MAX_CPUS);
	int cpus = 0;

	for (char **range = ranges; *range; range++) {
		int n = count_range(*range);

		if (n < 0 || cpus > MAX_CPUS)
			return -1;
		cpus += n;
	}
	return cpus ? cpus : -1;
}

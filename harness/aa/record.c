// SPDX-License-Identifier: GPL-3.0-or-later
/* The nights of a device: files that are written whole, never changed. */
#include <abrig/aa.h>
#include <abrig/error.h>
#include <abrig/file.h>
#include <abrig/yaml.h>

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define SUFFIX ".json"
#define LONGEST_NAME 200 /* file systems take 255 bytes */
#define HASH_DIGITS 12
#define MAX_FILES 10000 /* of one directory that are looked at */

static void free_night(gpointer night)
{
	ab_aa_night_free(night);
}

struct ab_aa_record *ab_aa_record_new(const char *serial)
{
	struct ab_aa_record *record = g_new0(struct ab_aa_record, 1);

	record->serial = g_strdup(serial);
	record->nights = g_ptr_array_new_with_free_func(free_night);
	record->problems = g_ptr_array_new_with_free_func(g_free);
	return record;
}

void ab_aa_record_free(struct ab_aa_record *record)
{
	if (!record)
		return;
	g_free(record->serial);
	g_ptr_array_unref(record->nights);
	g_ptr_array_unref(record->problems);
	g_free(record);
}

char *ab_aa_dir(void)
{
	return g_build_filename(g_get_user_state_dir(), "abrig", "aa", NULL);
}

/* ---- names ---- */

/* A serial may hold ':' and '/', and be long. */
static char *device_name(const char *serial)
{
	g_autofree char *name = g_uri_escape_string(serial, NULL, FALSE);
	g_autofree char *hash = NULL;

	/* "." and ".." are no directories of ours. */
	if (strlen(name) <= LONGEST_NAME && *name != '.')
		return g_steal_pointer(&name);
	hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, serial, -1);
	return g_strconcat("sha256-", hash, NULL);
}

/* Names sort by time; the same campaign has the same. */
static char *night_name(const struct ab_aa_night *night, GError **error)
{
	g_autoptr(GDateTime) time =
		g_date_time_new_from_iso8601(night->began, NULL);
	g_autoptr(GDateTime) utc = time ? g_date_time_to_utc(time) : NULL;
	g_autofree char *stamp =
		utc ? g_date_time_format(utc, "%Y%m%dT%H%M%SZ") : NULL;
	g_autofree char *key =
		g_strconcat(night->plan_sha256, " ", night->began, NULL);
	g_autofree char *hash =
		g_compute_checksum_for_string(G_CHECKSUM_SHA256, key, -1);

	if (stamp)
		return g_strdup_printf("%s-%.*s" SUFFIX, stamp, HASH_DIGITS,
				       hash);
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "'%s' is no time at which a campaign began", night->began);
	return NULL;
}

/* ---- writing ---- */

bool ab_aa_record_put(const char *dir, const struct ab_aa_night *night,
		      char **path_out, GError **error)
{
	g_autofree char *device = device_name(night->serial);
	g_autofree char *home = g_build_filename(dir, device, NULL);
	g_autofree char *name = night_name(night, error);
	g_autofree char *text = NULL;
	g_autofree char *path = NULL;

	if (!name)
		return false;
	if (night->tests->len > AB_AA_MAX_TESTS) {
		g_set_error(error, AB_ERROR, AB_ERROR_DATA,
			    "%u tests in one A/A, and a record takes %d; use "
			    "fewer scenarios",
			    night->tests->len, AB_AA_MAX_TESTS);
		return false;
	}
	if (g_mkdir_with_parents(home, 0700)) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "%s: cannot create the directory of A/A records: "
			    "%s; is XDG_STATE_HOME, or HOME, right?",
			    home, g_strerror(errno));
		return false;
	}
	text = ab_aa_night_to_json(night);
	path = g_build_filename(home, name, NULL);
	if (!ab_file_write(path, text, -1, error))
		return false;
	if (path_out)
		*path_out = g_steal_pointer(&path);
	return true;
}

/* ---- reading ---- */

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What is in @dir, sorted; empty when there is no such directory. */
static GPtrArray *list_names(const char *dir, const char *suffix,
			     GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) why = NULL;
	g_autoptr(GDir) d = g_dir_open(dir, 0, &why);
	const char *name;

	if (!d && g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOENT))
		return g_steal_pointer(&names);
	if (!d) {
		g_set_error(error, AB_ERROR, AB_ERROR_ENV,
			    "A/A records: %s; check permissions", why->message);
		return NULL;
	}
	while ((name = g_dir_read_name(d)) && names->len < MAX_FILES)
		if (*name != '.' && g_str_has_suffix(name, suffix))
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	return g_steal_pointer(&names);
}

static struct ab_aa_night *load_night(const char *path, GError **error)
{
	gsize len;
	g_autofree char *text = ab_yaml_read(path, &len, error);

	if (!text)
		return NULL;
	if (strlen(text) == len)
		return ab_aa_night_parse(text, path, error);
	g_set_error(error, AB_ERROR, AB_ERROR_DATA,
		    "%s: damaged: it has a NUL character", path);
	return NULL;
}

static void add_problem(struct ab_aa_record *record, const char *what)
{
	g_ptr_array_add(record->problems,
			g_strdup_printf("%s; it does not count, and is left as "
					"it is: repair it or move it away",
					what));
}

/* @device is the directory's name: a file says itself whose it is. */
static void add_night(struct ab_aa_record *record, const char *device,
		      const char *path)
{
	g_autoptr(GError) why = NULL;
	ab_autoptr(ab_aa_night) night = load_night(path, &why);
	g_autofree char *owner = night ? device_name(night->serial) : NULL;
	g_autofree char *text = NULL;

	if (!night) {
		add_problem(record, why->message);
	} else if (strcmp(owner, device) != 0) {
		text = g_strdup_printf("%s: a night of device %s", path,
				       night->serial);
		add_problem(record, text);
	} else {
		if (!record->serial)
			record->serial = g_strdup(night->serial);
		g_ptr_array_add(record->nights, g_steal_pointer(&night));
	}
}

static bool load_device(struct ab_aa_record *record, const char *dir,
			const char *device, GError **error)
{
	g_autofree char *home = g_build_filename(dir, device, NULL);
	g_autoptr(GPtrArray) names = list_names(home, SUFFIX, error);
	guint first = 0;

	if (!names)
		return false;
	if (names->len > AB_AA_MAX_NIGHTS)
		first = names->len - AB_AA_MAX_NIGHTS;
	record->older = first;
	for (guint i = first; i < names->len; i++) {
		g_autofree char *path =
			g_build_filename(home, names->pdata[i], NULL);

		add_night(record, device, path);
	}
	return true;
}

struct ab_aa_record *ab_aa_record_load(const char *dir, const char *serial,
				       GError **error)
{
	ab_autoptr(ab_aa_record) record = ab_aa_record_new(serial);
	g_autofree char *device = device_name(serial);

	if (!load_device(record, dir, device, error))
		return NULL;
	return g_steal_pointer(&record);
}

static void free_record(gpointer record)
{
	ab_aa_record_free(record);
}

GPtrArray *ab_aa_records(const char *dir, GError **error)
{
	g_autoptr(GPtrArray) records =
		g_ptr_array_new_with_free_func(free_record);
	g_autoptr(GPtrArray) names = list_names(dir, "", error);

	for (guint i = 0; names && i < names->len; i++) {
		struct ab_aa_record *record = ab_aa_record_new(NULL);

		g_ptr_array_add(records, record);
		if (!load_device(record, dir, names->pdata[i], error))
			return NULL;
		if (!record->serial)
			record->serial =
				g_uri_unescape_string(names->pdata[i], NULL);
		if (!record->serial)
			record->serial = g_strdup(names->pdata[i]);
	}
	return names ? g_steal_pointer(&records) : NULL;
}

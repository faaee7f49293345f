// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Kernels and preparation from the shell: what the tests in tests/e2e do with
 * a phone, without a campaign around it.
 */
#include <abrig/error.h>
#include <abrig/kernel.h>
#include <abrig/log.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static char *serial, *fastboot, *platform, *home, *journal_path, *log_path;
static char **others, **words;
static int deadline_ms = 600000, refresh_hz, loops = 200;
static gboolean no_root, charging_off, no_airplane;

static const GOptionEntry entries[] = {
	{ "serial", 's', 0, G_OPTION_ARG_STRING, &serial, "for adb", "S" },
	{ "fastboot", 'f', 0, G_OPTION_ARG_STRING, &fastboot, "for fastboot",
	  "T" },
	{ "platform", 0, 0, G_OPTION_ARG_STRING, &platform, "{platform}", "P" },
	{ "home", 0, 0, G_OPTION_ARG_STRING, &home, "slot found at first",
	  "S" },
	{ "journal", 0, 0, G_OPTION_ARG_FILENAME, &journal_path,
	  "old values, one a line", "FILE" },
	{ "log", 0, 0, G_OPTION_ARG_FILENAME, &log_path, "JSON lines", "FILE" },
	{ "other", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &others,
	  "another variant's file", "FILE" },
	{ "deadline", 0, 0, G_OPTION_ARG_INT, &deadline_ms, "of the whole",
	  "MS" },
	{ "refresh", 0, 0, G_OPTION_ARG_INT, &refresh_hz, "prepare.refresh",
	  "HZ" },
	{ "loops", 0, 0, G_OPTION_ARG_INT, &loops, "for time", "N" },
	{ "no-root", 0, 0, G_OPTION_ARG_NONE, &no_root, "prepare.root", NULL },
	{ "no-airplane", 0, 0, G_OPTION_ARG_NONE, &no_airplane,
	  "prepare.airplane", NULL },
	{ "charging-off", 0, 0, G_OPTION_ARG_NONE, &charging_off,
	  "prepare.charging_off", NULL },
	{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words, "",
	  NULL },
	{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
};

struct context {
	struct ab_phone *phone;
	struct ab_wait w;
	const char *arg; /* after the sub-command; NULL: none */
};

/* ---- a journal in a file: kind, key and old value, tab between ---- */

static GPtrArray *journal_lines(void)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *text = NULL;
	g_auto(GStrv) all = NULL;

	if (!journal_path ||
	    !g_file_get_contents(journal_path, &text, NULL, NULL))
		return lines;
	all = g_strsplit(text, "\n", -1);
	for (char **line = all; *line; line++)
		if (**line)
			g_ptr_array_add(lines, g_strdup(*line));
	return lines;
}

static bool journal_write(GPtrArray *lines, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < lines->len; i++)
		g_string_append_printf(text, "%s\n",
				       (const char *)lines->pdata[i]);
	return !journal_path ||
	       g_file_set_contents(journal_path, text->str, -1, error);
}

static guint journal_find(GPtrArray *lines, const char *kind, const char *key)
{
	g_autofree char *start = g_strdup_printf("%s\t%s\t", kind, key);
	guint i;

	for (i = 0; i < lines->len; i++)
		if (g_str_has_prefix(lines->pdata[i], start))
			break;
	return i;
}

static bool journal_record(void *data, const char *kind, const char *key,
			   const char *old, GError **error)
{
	g_autoptr(GPtrArray) lines = journal_lines();

	(void)data;
	if (journal_find(lines, kind, key) < lines->len)
		return true;
	g_ptr_array_add(lines, g_strdup_printf("%s\t%s\t%s", kind, key,
					       old ? old : "\x01"));
	return journal_write(lines, error);
}

static bool journal_each(void *data,
			 bool (*fn)(const char *kind, const char *key,
				    const char *old, void *user,
				    GError **error),
			 void *user, GError **error)
{
	g_autoptr(GPtrArray) lines = journal_lines();

	(void)data;
	for (guint i = lines->len; i-- > 0;) {
		g_auto(GStrv) f = g_strsplit(lines->pdata[i], "\t", 3);

		if (!fn(f[0], f[1], g_str_equal(f[2], "\x01") ? NULL : f[2],
			user, error))
			return false;
	}
	return true;
}

static bool journal_forget(void *data, const char *kind, const char *key,
			   GError **error)
{
	g_autoptr(GPtrArray) lines = journal_lines();
	guint i = journal_find(lines, kind, key);

	(void)data;
	if (i < lines->len)
		g_ptr_array_remove_index(lines, i);
	return journal_write(lines, error);
}

static const struct ab_journal_ops journal = { journal_record, journal_each,
					       journal_forget };

/* ---- sub-commands ---- */

static struct ab_variant *load_variant(const char *path, GError **error)
{
	g_autofree char *name = g_path_get_basename(path);
	ab_autoptr(ab_node) node = ab_yaml_load(path, error);
	struct ab_variant *variant, *loaded;
	char *dot = strrchr(name, '.');

	if (!node)
		return NULL;
	if (dot)
		*dot = '\0';
	variant = ab_variant_parse(name, node, error);
	if (!variant)
		return NULL;
	loaded = ab_variant_load_images(variant, platform ? platform : "A",
					NULL, error);
	ab_variant_free(variant);
	return loaded;
}

static bool load_others(GPtrArray *list, GError **error)
{
	for (char **path = others; path && *path; path++) {
		struct ab_variant *v = load_variant(*path, error);

		if (!v)
			return false;
		g_ptr_array_add(list, v);
	}
	g_ptr_array_add(list, NULL);
	return true;
}

static void variant_free(gpointer data)
{
	if (data)
		ab_variant_free(data);
}

static void print_identity(struct ab_identity *id)
{
	g_autofree char *text = ab_identity_describe(id);

	printf("%s\n", text);
	ab_identity_clear(id);
}

static bool do_start(struct context *c, GError **error)
{
	g_autoptr(GPtrArray) list =
		g_ptr_array_new_with_free_func(variant_free);
	struct ab_variant *v = load_variant(c->arg, error);
	struct ab_identity id;
	bool ok;

	ok = v && load_others(list, error) &&
	     ab_phone_wait_boot(c->phone, &c->w, error) &&
	     ab_phone_identify(c->phone, &c->w, error) &&
	     ab_kernel_start(v, (struct ab_variant **)list->pdata, c->phone,
			     &c->w, home, &id, error);
	if (ok)
		print_identity(&id);
	variant_free(v);
	return ok;
}

static bool do_identity(struct context *c, GError **error)
{
	struct ab_identity id;

	if (!ab_identity_read(c->phone, &c->w, &id, error))
		return false;
	print_identity(&id);
	return true;
}

static bool do_home(struct context *c, GError **error)
{
	return ab_kernel_restore_slot(c->phone, &c->w, home, error);
}

static bool do_wait(struct context *c, GError **error)
{
	g_autofree char *mark = NULL;

	if (!ab_phone_wait_boot(c->phone, &c->w, error))
		return false;
	mark = ab_phone_boot_mark(c->phone, &c->w, error);
	if (mark)
		printf("%s\n", mark);
	return mark;
}

static bool do_identify(struct context *c, GError **error)
{
	const struct ab_phone *p = c->phone;

	if (!ab_phone_identify(c->phone, &c->w, error))
		return false;
	printf("%s|%s|%s|%s|%d|%d|%dx%d|%d|%d\n", p->product, p->model, p->soc,
	       p->release, p->sdk, p->cpus, p->width, p->height, p->refresh_hz,
	       p->root);
	return true;
}

static const char *tri(enum ab_tristate value)
{
	static const char *const names[] = { "no", "yes", "unknown" };

	return names[value];
}

static bool do_state(struct context *c, GError **error)
{
	struct ab_screen s;
	struct ab_battery b;
	struct ab_thermal t;
	enum ab_tristate shade;

	if (!ab_phone_screen(c->phone, &c->w, &s, error))
		return false;
	printf("awake=%s keyguard=%s shade=%s secure=%s focus=%s\n",
	       tri(s.awake), tri(s.keyguard), tri(s.shade), tri(s.secure),
	       s.focus ? s.focus : "");
	ab_screen_clear(&s);
	if (!ab_phone_shade(c->phone, &c->w, &shade, error) ||
	    !ab_phone_battery(c->phone, &c->w, &b, error) ||
	    !ab_phone_thermal(c->phone, &c->w, &t, error))
		return false;
	printf("systemui=%s level=%d status=%d faked=%d current=%s skin=%s "
	       "thermal=%d overridden=%d\n",
	       tri(shade), b.level, b.status, b.faked,
	       b.current_ua == G_MININT64 ? "unknown"
	       : b.current_ua < 0	  ? "out"
					  : "in",
	       isnan(t.skin_c) ? "unknown" : "known", t.status, t.overridden);
	return true;
}

static bool do_unlock(struct context *c, GError **error)
{
	return ab_phone_unlock(c->phone, &c->w, error);
}

static bool do_prepare(struct context *c, GError **error)
{
	const struct ab_prepare_options o = { .refresh_hz = refresh_hz,
					      .brightness = 102,
					      .airplane = !no_airplane,
					      .root = !no_root,
					      .charging_off = charging_off };
	g_autoptr(GPtrArray) lost = g_ptr_array_new_with_free_func(g_free);
	bool ok = ab_phone_identify(c->phone, &c->w, error) &&
		  ab_phone_prepare(c->phone, &c->w, &o, &journal, NULL, lost,
				   error);

	for (guint i = 0; i < lost->len; i++)
		printf("lost: %s\n", (const char *)lost->pdata[i]);
	return ok;
}

static bool do_restore(struct context *c, GError **error)
{
	return ab_phone_restore(c->phone, &c->w, &journal, NULL, error);
}

/* What a campaign pays per run for proof and looks. */
static bool do_time(struct context *c, GError **error)
{
	gint64 start = g_get_monotonic_time(), middle;

	for (int i = 0; i < loops; i++) {
		struct ab_identity id;

		if (!ab_identity_read(c->phone, &c->w, &id, error))
			return false;
		ab_identity_clear(&id);
	}
	middle = g_get_monotonic_time();
	for (int i = 0; i < loops; i++) {
		struct ab_screen s;

		if (!ab_phone_screen(c->phone, &c->w, &s, error))
			return false;
		ab_screen_clear(&s);
	}
	printf("identity %.2f ms, screen %.2f ms\n",
	       (double)(middle - start) / 1000 / loops,
	       (double)(g_get_monotonic_time() - middle) / 1000 / loops);
	return true;
}

static const struct command {
	const char *name;
	bool needs_arg;
	bool (*run)(struct context *c, GError **error);
} commands[] = {
	{ "start", true, do_start },	    { "identity", false, do_identity },
	{ "home", false, do_home },	    { "wait", false, do_wait },
	{ "identify", false, do_identify }, { "state", false, do_state },
	{ "unlock", false, do_unlock },	    { "prepare", false, do_prepare },
	{ "restore", false, do_restore },   { "time", false, do_time },
};

static const struct command *find_command(void)
{
	for (size_t i = 0; words && i < G_N_ELEMENTS(commands); i++)
		if (g_str_equal(words[0], commands[i].name) &&
		    (words[1] || !commands[i].needs_arg))
			return &commands[i];
	return NULL;
}

static bool run(const struct command *command, GError **error)
{
	ab_autoptr(ab_adb) adb = ab_adb_new(0);
	ab_autoptr(ab_phone) phone = ab_phone_new(adb, NULL, serial, fastboot);
	struct context c = { .phone = phone, .arg = words[1] };

	c.w = ab_wait_in(NULL, deadline_ms);
	return (!log_path || ab_log_open(log_path, error)) &&
	       ab_adb_start_server(adb, &c.w, error) && command->run(&c, error);
}

int main(int argc, char **argv)
{
	g_autoptr(GOptionContext) context =
		g_option_context_new("start FILE | identity | home | wait | "
				     "identify | state | unlock | prepare | "
				     "restore | time");
	g_autoptr(GError) error = NULL;
	const struct command *command;

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error) || !serial ||
	    !(command = find_command())) {
		fprintf(stderr, "bench-kernel: %s\n",
			error ? error->message : "see --help");
		return 2;
	}
	if (run(command, &error))
		return 0;
	fflush(stdout);
	fprintf(stderr, "bench-kernel: error %d: %s\n", error->code,
		error->message);
	return ab_error_exit_status(error);
}

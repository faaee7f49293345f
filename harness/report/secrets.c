// SPDX-License-Identifier: GPL-3.0-or-later
/* What is hidden, under which name, and how it is found in a text. */
#include <abrig/redact.h>

#include <stdlib.h>
#include <string.h>

/*
 * Shorter ones, and those of digits, are found as a whole word only: they may
 * be parts of words and numbers.  A short number may be any other's, too.
 */
#define SHORT 4
#define SHORT_NUMBER 6

struct secret {
	char *text, *name;
	size_t length;
	bool word;
};

struct ab_secrets {
	GArray *list;	 /* struct secret, the longest first */
	bool begin[256]; /* bytes with which one of them begins */
};

static void clear_secret(gpointer data)
{
	struct secret *s = data;

	g_free(s->text);
	g_free(s->name);
}

static const struct secret *secret_at(const struct ab_secrets *secrets, guint i)
{
	return &g_array_index(secrets->list, struct secret, i);
}

/* ---- what they are ---- */

static void add(struct ab_secrets *secrets, const char *text, const char *name)
{
	size_t length = text ? strlen(text) : 0;
	bool digits = length && strspn(text, "0123456789") == length;
	struct secret s;

	if (!length || (digits && length < SHORT_NUMBER))
		return;
	for (guint i = 0; i < secrets->list->len; i++)
		if (!g_ascii_strcasecmp(secret_at(secrets, i)->text, text))
			return;
	s = (struct secret){ g_strdup(text), g_strdup(name), length,
			     digits || length < SHORT };
	g_array_append_val(secrets->list, s);
}

/* "Pixel 8" is "Pixel_8" where blanks are not allowed. */
static void add_spelt(struct ab_secrets *secrets, const char *text,
		      const char *name)
{
	g_autofree char *other =
		g_strdelimit(g_strdup(text ? text : ""), " ", '_');

	add(secrets, text, name);
	add(secrets, other, name);
}

/* BRAND/PRODUCT/DEVICE:VERSION/ID/INCREMENTAL:TYPE/KEYS */
static void add_fingerprint(struct ab_secrets *secrets, const char *text,
			    const char *product, const char *build)
{
	g_auto(GStrv) parts = g_strsplit(text ? text : "", "/", 6);
	const guint n = g_strv_length(parts);

	add(secrets, text, build);
	for (guint i = 1; i < MIN(n, 5u); i++) {
		parts[i][strcspn(parts[i], ":")] = '\0';
		add(secrets, parts[i], i < 3 ? product : build);
	}
}

/* Devices of one product share its name, whichever comes first. */
static guint kind_of(const struct ab_report *report, size_t device)
{
	const char *product = report->devices[device].product;
	guint kind = 1;

	for (size_t i = 0; i < device; i++) {
		bool again = false;

		if (!g_strcmp0(report->devices[i].product, product))
			return kind_of(report, i);
		for (size_t k = 0; k < i; k++)
			again |= !g_strcmp0(report->devices[k].product,
					    report->devices[i].product);
		kind += !again;
	}
	return kind;
}

static void add_device(struct ab_secrets *secrets,
		       const struct ab_report *report, size_t i)
{
	const struct ab_report_device *d = &report->devices[i];
	guint kind = kind_of(report, i);
	g_autofree char *device = g_strdup_printf("device-%zu", i + 1);
	g_autofree char *product = g_strdup_printf("product-%u", kind);
	g_autofree char *model = g_strdup_printf("model-%u", kind);
	g_autofree char *build = g_strdup_printf("build-%zu", i + 1);

	add_spelt(secrets, d->serial, device);
	add_spelt(secrets, d->fastboot, device);
	add_spelt(secrets, d->product, product);
	add_spelt(secrets, d->model, model);
	add_fingerprint(secrets, d->fingerprint, product, build);
}

/* Only whole paths: "out" is the name of many things. */
static void add_directory(struct ab_secrets *secrets, const char *path,
			  const char *name)
{
	if (path && g_path_is_absolute(path) && strlen(path) >= SHORT)
		add(secrets, path, name);
}

static void add_host(struct ab_secrets *secrets, const struct ab_report *report)
{
	g_autofree char *plans = report->plan_file
					 ? g_path_get_dirname(report->plan_file)
					 : NULL;
	g_autofree char *campaigns =
		report->directory ? g_path_get_dirname(report->directory)
				  : NULL;

	add_directory(secrets, plans, "plans");
	add_directory(secrets, campaigns, "campaigns");
	add_directory(secrets, g_get_home_dir(), "~");
}

static int longest_first(const void *x, const void *y)
{
	const struct secret *a = x, *b = y;

	if (a->length != b->length)
		return a->length < b->length ? 1 : -1;
	return strcmp(a->text, b->text);
}

struct ab_secrets *ab_secrets_new(const struct ab_report *report)
{
	struct ab_secrets *secrets = g_new0(struct ab_secrets, 1);

	secrets->list = g_array_new(FALSE, FALSE, sizeof(struct secret));
	g_array_set_clear_func(secrets->list, clear_secret);
	for (size_t i = 0; i < report->n_devices; i++)
		add_device(secrets, report, i);
	add_host(secrets, report);
	g_array_sort(secrets->list, longest_first);
	for (guint i = 0; i < secrets->list->len; i++) {
		char first = *secret_at(secrets, i)->text;

		secrets->begin[(guchar)g_ascii_tolower(first)] = true;
		secrets->begin[(guchar)g_ascii_toupper(first)] = true;
	}
	return secrets;
}

void ab_secrets_free(struct ab_secrets *secrets)
{
	if (!secrets)
		return;
	g_array_unref(secrets->list);
	g_free(secrets);
}

/* ---- finding them ---- */

static bool is_word(const char *at)
{
	return g_ascii_isalnum(*at) || (*at == '.' && g_ascii_isdigit(at[1]));
}

static bool stands_at(const struct secret *s, const char *text, const char *at)
{
	if (g_ascii_strncasecmp(at, s->text, s->length) != 0)
		return false;
	return !s->word ||
	       ((at == text || !is_word(at - 1)) && !is_word(at + s->length));
}

static const struct secret *find(const struct ab_secrets *secrets,
				 const char *text, const char *at)
{
	if (!secrets->begin[(guchar)*at])
		return NULL;
	for (guint i = 0; i < secrets->list->len; i++)
		if (stands_at(secret_at(secrets, i), text, at))
			return secret_at(secrets, i);
	return NULL;
}

void ab_secrets_hide(const struct ab_secrets *secrets, GString *text)
{
	g_autoptr(GString) out = g_string_sized_new(text->len + 1);

	for (const char *at = text->str; *at;) {
		const struct secret *s = find(secrets, text->str, at);

		if (s)
			g_string_append(out, s->name);
		else
			g_string_append_c(out, *at);
		at += s ? s->length : 1;
	}
	g_string_assign(text, out->str);
}

// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What was measured, in few lines: devices, and the kernels that were proved
 * to run on them.  Of a kernel only what differs from the baseline's is said;
 * the whole banners are in the database.
 */
#include "kernel_facts.h"

#include <string.h>

#define LINUX_VERSION "Linux version "

static const char *or_unknown(const char *text)
{
	return text && *text ? text : "unknown";
}

/* ---- devices ---- */

static char *device_text(const struct ab_device_row *d)
{
	bool soc = d->soc && *d->soc;

	return g_strdup_printf("%s%s%s%s, %s%s%s", or_unknown(d->model),
			       soc ? " (" : "", soc ? d->soc : "",
			       soc ? ")" : "", or_unknown(d->fingerprint),
			       d->failed ? "; failed: " : "",
			       d->failed ? d->failed : "");
}

/* Devices that are alike share a line: "A: SERIAL, SERIAL, MODEL, ...". */
static void add_devices(const struct results *r, const char *platform,
			GPtrArray *lines)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) serials = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < r->devices->len; i++) {
		const struct ab_device_row *d = r->devices->pdata[i];
		g_autofree char *text = device_text(d);
		char *joined;
		guint k;

		if (strcmp(d->platform, platform))
			continue;
		if (!g_ptr_array_find_with_equal_func(texts, text, g_str_equal,
						      &k)) {
			g_ptr_array_add(texts, g_steal_pointer(&text));
			g_ptr_array_add(serials, g_strdup(d->serial));
			continue;
		}
		joined = g_strdup_printf("%s, %s", (char *)serials->pdata[k],
					 d->serial);
		g_free(serials->pdata[k]);
		serials->pdata[k] = joined;
	}
	for (guint i = 0; i < texts->len; i++)
		g_ptr_array_add(lines,
				g_strdup_printf("%s: %s, %s", platform,
						(char *)serials->pdata[i],
						(char *)texts->pdata[i]));
}

/* ---- kernels ---- */

/* "Linux version RELEASE (who) (compiler) BUILD", of which BUILD is "#1 ...". */
struct kernel {
	char *release, *compiler, *build;
	const char *config;
	/* NULL: not recorded. */
	char *cmdline, *governor;
	char *config_difference; /* to the baseline's */
};

static void kernel_clear(struct kernel *k)
{
	g_free(k->release);
	g_free(k->compiler);
	g_free(k->build);
	g_free(k->cmdline);
	g_free(k->governor);
	g_free(k->config_difference);
}

/* @s has a banner; one of another shape is all release and build. */
static void kernel_init(struct kernel *k, const struct ab_session_row *s)
{
	const char *at = s->banner, *build = strstr(at, " #");
	const char *compiler;

	if (g_str_has_prefix(at, LINUX_VERSION))
		at += strlen(LINUX_VERSION);
	if (!build || build < at)
		build = at + strlen(at);
	k->release = g_strndup(at, MIN(strcspn(at, " "), (size_t)(build - at)));
	compiler = g_strstr_len(at, build - at, ") ");
	compiler = compiler ? compiler + 2 : build;
	k->compiler = g_strndup(compiler, (size_t)(build - compiler));
	k->build = g_strdup(build);
	k->config = or_unknown(s->config_sha256);
}

/* The kernel that was proved for variant @v on @platform's devices. */
static const struct ab_session_row *
proved_session(const struct results *r, const char *platform, size_t v)
{
	for (guint i = 0; i < r->runs->len; i++) {
		const struct result_run *run = r->runs->pdata[i];
		const struct ab_session_row *s = run->session;

		if (run->data && s->variant == (int)v && s->banner &&
		    !strcmp(results_device(r, run)->platform, platform))
			return s;
	}
	return NULL;
}

static void add_facts(const struct results *r, const char *platform, size_t v,
		      struct kernel *k)
{
	k->cmdline = kernel_fact(r, KERNEL_CMDLINE, platform, v);
	k->governor = kernel_fact(r, KERNEL_GOVERNOR, platform, v);
	k->config_difference = kernel_fact(r, KERNEL_CONFIG, platform, v);
}

static char *whole_kernel(const struct kernel *k)
{
	return g_strdup_printf("%s%s; config %.12s%s%s", k->release, k->build,
			       k->config, k->governor ? ", governor " : "",
			       k->governor ? k->governor : "");
}

static void add_config(GString *text, const struct kernel *k,
		       const struct kernel *base)
{
	const char *difference = k->config_difference;

	if (!strcmp(k->config, base->config))
		g_string_append(text, ", same config");
	else if (difference && *difference)
		g_string_append_printf(text, ", config %s", difference);
	else
		g_string_append_printf(text, ", config %.12s", k->config);
}

/* What is no property of the image, but of how it was started. */
static void add_settings(GString *text, const struct kernel *k,
			 const struct kernel *base)
{
	g_autofree char *words =
		k->cmdline && base->cmdline
			? kernel_difference(base->cmdline, k->cmdline, " \n")
			: NULL;

	if (words)
		g_string_append_printf(text, ", %s%s",
				       *words ? "cmdline " : "same cmdline",
				       words);
	if (k->governor && base->governor &&
	    strcmp(k->governor, base->governor) != 0)
		g_string_append_printf(text, ", governor %s", k->governor);
}

static char *versus_base(const struct kernel *k, const struct kernel *base)
{
	size_t n = strlen(base->release);
	bool same = !strcmp(k->release, base->release);
	bool longer = !same && g_str_has_prefix(k->release, base->release);
	bool compiler = !strcmp(k->compiler, base->compiler);
	GString *text = g_string_new(NULL);

	if (same && compiler && !strcmp(k->config, base->config) &&
	    !strcmp(k->build, base->build)) {
		g_string_append(text, "the same kernel");
	} else {
		g_string_append_printf(text, "%s%s%s; %s%s",
				       longer ? "..." : "",
				       k->release + (longer ? n : 0), k->build,
				       compiler ? "same compiler" : "compiler ",
				       compiler ? "" : k->compiler);
		add_config(text, k, base);
	}
	add_settings(text, k, base);
	return g_string_free(text, FALSE);
}

static char *kernel_text(const struct kernel *k, const struct kernel *base)
{
	return base->release ? versus_base(k, base) : whole_kernel(k);
}

/* "VARIANT: kernel" for each variant that ran on @platform. */
static char **kernel_texts(const struct results *r, const char *platform)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new();
	struct kernel base = { 0 };

	for (size_t v = 0; v < r->report.n_variants; v++) {
		const struct ab_session_row *s = proved_session(r, platform, v);
		g_autofree char *text = NULL;
		struct kernel k;

		if (!s)
			continue;
		kernel_init(&k, s);
		add_facts(r, platform, v, &k);
		text = kernel_text(&k, &base);
		g_ptr_array_add(texts, g_strdup_printf("%s: %s", r->variants[v],
						       text));
		if (v == 0)
			base = k;
		else
			kernel_clear(&k);
	}
	kernel_clear(&base);
	g_ptr_array_add(texts, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&texts), FALSE);
}

static void add_kernels(const char *platform, char **texts, GPtrArray *lines)
{
	for (char **text = texts; *text; text++)
		g_ptr_array_add(lines,
				g_strdup_printf("%s %s", platform, *text));
}

char **results_provenance(const struct results *r)
{
	GPtrArray *lines = g_ptr_array_new();
	g_autoptr(GPtrArray) names = results_platforms(r);
	const char *first = NULL;
	g_auto(GStrv) known = NULL;

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		g_auto(GStrv) texts = kernel_texts(r, name);

		add_devices(r, name, lines);
		if (known && *known &&
		    g_strv_equal((const char *const *)known,
				 (const char *const *)texts)) {
			g_ptr_array_add(
				lines,
				g_strdup_printf("%s kernels: those of %s", name,
						first));
			continue;
		}
		add_kernels(name, texts, lines);
		if (known)
			continue;
		known = g_steal_pointer(&texts);
		first = name;
	}
	g_ptr_array_add(lines, NULL);
	return (char **)g_ptr_array_free(lines, FALSE);
}

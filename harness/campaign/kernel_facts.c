// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernel_facts.h"

#include <string.h>

#define MOST_WORDS 6
#define LONGEST_WORD 60

static const char *const names[] = {
	[KERNEL_CMDLINE] = "cmdline",
	[KERNEL_CONFIG] = "config",
	[KERNEL_GOVERNOR] = "governor",
};

static char *fact_key(enum kernel_fact fact, const char *platform, int variant)
{
	return g_strdup_printf("kernel.%s.%d.%s", platform, variant,
			       names[fact]);
}

/* ---- differences ---- */

static bool counts(const char *word)
{
	return *word && *word != '#' && !g_str_has_prefix(word, "androidboot.");
}

static GHashTable *set_of(char **words)
{
	GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);

	for (; *words; words++)
		g_hash_table_add(set, *words);
	return set;
}

/* Append the words that @others lacks; returns how many these are. */
static int add_missing(GString *out, char sign, char **words,
		       GHashTable *others, int n)
{
	for (; *words; words++) {
		if (!counts(*words) || g_hash_table_contains(others, *words))
			continue;
		if (n++ < MOST_WORDS)
			g_string_append_printf(out, "%s%c%.*s",
					       out->len ? " " : "", sign,
					       LONGEST_WORD, *words);
	}
	return n;
}

char *kernel_difference(const char *a, const char *b, const char *separators)
{
	g_auto(GStrv) of_a = g_strsplit_set(a, separators, -1);
	g_auto(GStrv) of_b = g_strsplit_set(b, separators, -1);
	g_autoptr(GHashTable) set_a = set_of(of_a);
	g_autoptr(GHashTable) set_b = set_of(of_b);
	GString *out = g_string_new(NULL);
	int n = add_missing(out, '+', of_b, set_a, 0);

	n = add_missing(out, '-', of_a, set_b, n);
	if (n > MOST_WORDS)
		g_string_append_printf(out, " and %d more", n - MOST_WORDS);
	return g_string_free(out, FALSE);
}

/* ---- recording ---- */

/* False with @error; *known_out: nothing is left to do. */
static bool is_known(struct worker *w, const char *key, bool *known_out,
		     GError **error)
{
	GError *why = NULL;
	g_autofree char *value = ab_store_fact(w->store, key, &why);

	*known_out = value != NULL;
	if (!why)
		return true;
	g_propagate_error(error, why);
	return false;
}

static bool note(struct worker *w, enum kernel_fact fact, int variant,
		 const char *value, GError **error)
{
	g_autofree char *key = fact_key(fact, w->row->platform, variant);
	bool known;

	if (!value)
		return true;
	return is_known(w, key, &known, error) &&
	       (known || ab_store_set_fact(w->store, key, value, error));
}

static const char *config_of(const struct worker *w, int variant)
{
	const struct ab_variant *v = w->variants->pdata[variant];

	return v->boot ? v->boot->config : NULL;
}

bool kernel_facts_started(struct worker *w, int variant,
			  const struct ab_identity *id, GError **error)
{
	const char *base = config_of(w, 0), *own = config_of(w, variant);
	g_autofree char *difference = NULL;

	if (variant > 0 && base && own)
		difference = kernel_difference(base, own, "\n");
	return note(w, KERNEL_CMDLINE, variant, id->cmdline, error) &&
	       note(w, KERNEL_CONFIG, variant, difference, error);
}

/* "sched_pixel", or one for each kind of CPU: "schedutil, performance". */
static char *join_governors(const char *lines)
{
	g_auto(GStrv) words = g_strsplit_set(lines, " \n", -1);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	GString *out = g_string_new(NULL);

	for (char **word = words; *word; word++)
		if (**word && g_hash_table_add(seen, *word))
			g_string_append_printf(out, "%s%.*s",
					       out->len ? ", " : "",
					       LONGEST_WORD, *word);
	return g_string_free(out, FALSE);
}

bool kernel_facts_prepared(struct worker *w, int variant,
			   const struct ab_wait *wait, GError **error)
{
	static const char *const commands[] = {
		"cat /sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
		NULL
	};
	g_autofree char *key =
		fact_key(KERNEL_GOVERNOR, w->row->platform, variant);
	g_autofree char *governors = NULL;
	g_auto(GStrv) texts = NULL;
	bool known;

	if (!is_known(w, key, &known, error))
		return false;
	if (known)
		return true;
	texts = ab_phone_texts(w->phone, wait, commands, error);
	if (!texts)
		return false;
	governors = join_governors(texts[0]);
	return !*governors ||
	       ab_store_set_fact(w->store, key, governors, error);
}

char *kernel_fact(const struct results *r, enum kernel_fact fact,
		  const char *platform, size_t variant)
{
	g_autofree char *key = fact_key(fact, platform, (int)variant);

	return r->store ? ab_store_fact(r->store, key, NULL) : NULL;
}

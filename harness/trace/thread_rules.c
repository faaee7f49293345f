// SPDX-License-Identifier: GPL-3.0-or-later
#include "thread_rules.h"

#include <abrig/keys.h>
#include <string.h>

#include "analyze.h"

#define PLACEHOLDER "{workqueue}"
#define MAX_CLASS_NAME 32

struct rule {
	char *class_name;
	char **comm, **process, **workqueue; /* patterns; empty: any */
	/* The same compiled, GPatternSpec *: they meet every thread. */
	GPtrArray *comm_specs, *process_specs, *workqueue_specs;
	bool kernel, main, ui;
	bool has_kernel, has_main;
};

struct ab_thread_rules {
	GPtrArray *rules; /* struct rule * */
};

#define FIELD(field) offsetof(struct rule, field)

static const struct ab_key keys[] = {
	{ .name = "class",
	  .type = AB_KEY_STRING,
	  .offset = FIELD(class_name),
	  .required = true,
	  .help = "Name of the class; " PLACEHOLDER
		  " stands for the name of the workqueue." },
	{ .name = "comm",
	  .type = AB_KEY_STRINGS,
	  .offset = FIELD(comm),
	  .dflt = "[]",
	  .help = "Names of threads, with * and ?." },
	{ .name = "process",
	  .type = AB_KEY_STRINGS,
	  .offset = FIELD(process),
	  .dflt = "[]",
	  .help = "Names of processes, with * and ?; with a slash, the whole "
		  "command." },
	{ .name = "workqueue",
	  .type = AB_KEY_STRINGS,
	  .offset = FIELD(workqueue),
	  .dflt = "[]",
	  .help = "Workqueues that a kworker worked for, with * and ?." },
	{ .name = "kernel",
	  .type = AB_KEY_BOOL,
	  .offset = FIELD(kernel),
	  .help = "A thread of the kernel, or not." },
	{ .name = "main",
	  .type = AB_KEY_BOOL,
	  .offset = FIELD(main),
	  .help = "The main thread of its process, or not." },
	{ .name = "ui",
	  .type = AB_KEY_BOOL,
	  .offset = FIELD(ui),
	  .help = "These are UI threads." },
	AB_KEYS_END
};

/* ---- reading them ---- */

static void free_spec(gpointer data)
{
	g_pattern_spec_free(data);
}

static GPtrArray *compile(const char *const *patterns)
{
	GPtrArray *specs = g_ptr_array_new_with_free_func(free_spec);

	for (; *patterns; patterns++)
		g_ptr_array_add(specs, g_pattern_spec_new(*patterns));
	return specs;
}

static void compile_rule(struct rule *rule)
{
	rule->comm_specs = compile((const char *const *)rule->comm);
	rule->process_specs = compile((const char *const *)rule->process);
	rule->workqueue_specs = compile((const char *const *)rule->workqueue);
}

static void free_rule(gpointer data)
{
	struct rule *rule = data;

	g_clear_pointer(&rule->comm_specs, g_ptr_array_unref);
	g_clear_pointer(&rule->process_specs, g_ptr_array_unref);
	g_clear_pointer(&rule->workqueue_specs, g_ptr_array_unref);
	ab_keys_clear(keys, data);
	g_free(data);
}

/* @name with @workqueue in the place of the placeholder. */
static char *expand(const char *name, const char *workqueue)
{
	const char *at = strstr(name, PLACEHOLDER);

	if (!at)
		return g_strdup(name);
	return g_strdup_printf("%.*s%s%s", (int)(at - name), name, workqueue,
			       at + strlen(PLACEHOLDER));
}

static bool check_class(const struct rule *rule, const struct ab_node *node,
			GError **error)
{
	struct ab_node named = *ab_node_get(node, "class");
	g_autofree char *name = expand(rule->class_name, "x");

	if (strstr(rule->class_name, PLACEHOLDER) && !*rule->workqueue)
		return ab_node_error(&named, error,
				     "'%s' needs the condition 'workqueue', "
				     "such as workqueue: \"*\"",
				     rule->class_name);
	named.text = name;
	return ab_node_check_name(&named, "class", MAX_CLASS_NAME, error);
}

static bool add_rule(struct ab_thread_rules *rules, const struct ab_node *node,
		     GError **error)
{
	struct rule *rule = g_new0(struct rule, 1);

	g_ptr_array_add(rules->rules, rule);
	if (!ab_keys_parse(keys, node, rule, error))
		return false;
	compile_rule(rule);
	rule->has_kernel = ab_node_get(node, "kernel") != NULL;
	rule->has_main = ab_node_get(node, "main") != NULL;
	return check_class(rule, node, error);
}

static bool add_rules(struct ab_thread_rules *rules, const struct ab_node *list,
		      GError **error)
{
	guint i;

	if (list->type != AB_NODE_LIST)
		return ab_node_error(list, error,
				     "expected a list of rules, such as "
				     "- { class: irq, comm: \"irq/*\" }");
	for (i = 0; i < list->items->len; i++)
		if (!add_rule(rules, g_ptr_array_index(list->items, i), error))
			return false;
	return true;
}

static struct ab_thread_rules *from_node(const struct ab_node *list,
					 GError **error)
{
	ab_autoptr(ab_thread_rules) rules = NULL;

	if (!list)
		return NULL;
	rules = g_new0(struct ab_thread_rules, 1);
	rules->rules = g_ptr_array_new_with_free_func(free_rule);
	return add_rules(rules, list, error) ? g_steal_pointer(&rules) : NULL;
}

struct ab_thread_rules *ab_thread_rules_load(const char *path, GError **error)
{
	ab_autoptr(ab_node) list = ab_yaml_load(path, error);

	return from_node(list, error);
}

struct ab_thread_rules *ab_thread_rules_parse(const char *text,
					      const char *name, GError **error)
{
	ab_autoptr(ab_node) list = ab_yaml_parse(text, -1, name, error);

	return from_node(list, error);
}

void ab_thread_rules_free(struct ab_thread_rules *rules)
{
	if (!rules)
		return;
	g_ptr_array_unref(rules->rules);
	g_free(rules);
}

static const struct ab_thread_rules *default_rules(void)
{
	static struct ab_thread_rules *rules;

	if (g_once_init_enter(&rules)) {
		GError *error = NULL;
		struct ab_thread_rules *parsed = ab_thread_rules_parse(
			ab_thread_rules_default, "default rules", &error);

		g_assert_no_error(error);
		g_once_init_leave(&rules, parsed);
	}
	return rules;
}

/* ---- applying them ---- */

static bool any_fits(const GPtrArray *specs, const char *text)
{
	guint i;

	for (i = 0; i < specs->len; i++)
		if (g_pattern_spec_match_string(specs->pdata[i], text))
			return true;
	return false;
}

bool ab_thread_is_kworker(const struct ab_trace *trace,
			  const struct ab_thread *th)
{
	return g_str_has_prefix(ab_trace_text(trace, th->comm), "kworker/");
}

/* Comms that only the kernel's threads have. */
static const GPtrArray *kernel_comms(void)
{
	static const char *const comms[] = {
		"kworker/*",  "ksoftirqd/*", "migration/*", "rcu_*",
		"rcuc/*",     "rcuo*",	     "irq/*",	    "cpuhp/*",
		"kswapd*",    "sugov:*",     "kthreadd",    "kcompactd*",
		"khungtaskd", "kauditd",     "jbd2/*",	    "oom_reaper",
		NULL
	};
	static gsize once;

	if (g_once_init_enter(&once)) {
		GPtrArray *specs = compile(comms);

		g_once_init_leave(&once, (gsize)specs);
	}
	return (const GPtrArray *)once;
}

bool ab_thread_is_kernel(const struct ab_trace *trace,
			 const struct ab_thread *th)
{
	if (th->kernel)
		return true;
	if (ab_process_name(trace, th->tgid))
		return false;
	return any_fits(kernel_comms(), ab_trace_text(trace, th->comm));
}

static bool process_fits(const struct rule *rule, const char *command)
{
	const char *base = command ? ab_command_base(command) : NULL;
	guint i;

	for (i = 0; command && i < rule->process_specs->len; i++)
		if (g_pattern_spec_match_string(
			    rule->process_specs->pdata[i],
			    strchr(rule->process[i], '/') ? command : base))
			return true;
	return false;
}

static bool fits(const struct rule *rule, const struct ab_trace *trace,
		 const struct ab_thread *th, guint32 workqueue)
{
	bool is_main = th->tid == th->tgid;

	if (*rule->workqueue &&
	    !(workqueue &&
	      any_fits(rule->workqueue_specs, ab_trace_text(trace, workqueue))))
		return false;
	if (*rule->comm &&
	    !any_fits(rule->comm_specs, ab_trace_text(trace, th->comm)))
		return false;
	if (*rule->process &&
	    !process_fits(rule, ab_process_name(trace, th->tgid)))
		return false;
	if (rule->has_main && (th->tgid < 0 || is_main != rule->main))
		return false;
	return !rule->has_kernel ||
	       ab_thread_is_kernel(trace, th) == rule->kernel;
}

static const struct rule *first_fit(const struct ab_thread_rules *rules,
				    const struct ab_trace *trace,
				    const struct ab_thread *th,
				    guint32 workqueue)
{
	guint i;

	if (!rules)
		rules = default_rules();
	for (i = 0; i < rules->rules->len; i++) {
		const struct rule *rule = g_ptr_array_index(rules->rules, i);

		if (fits(rule, trace, th, workqueue))
			return rule;
	}
	return NULL;
}

void ab_thread_class(const struct ab_thread_rules *rules,
		     const struct ab_trace *trace, const struct ab_thread *th,
		     guint32 workqueue, char name_out[AB_CLASS_MAX])
{
	const struct rule *rule = first_fit(rules, trace, th, workqueue);
	g_autofree char *name = NULL;

	name = rule ? expand(rule->class_name, ab_trace_text(trace, workqueue))
		    : g_strdup("other");
	g_strcanon(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-", '_');
	g_strlcpy(name_out, name, AB_CLASS_MAX);
}

bool ab_thread_rules_ui(const struct ab_thread_rules *rules,
			const struct ab_trace *trace,
			const struct ab_thread *th)
{
	const struct rule *rule = first_fit(rules, trace, th, 0);

	return rule && rule->ui;
}

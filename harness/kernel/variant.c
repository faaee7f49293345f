// SPDX-License-Identifier: GPL-3.0-or-later
/* Variants: from a plan or a file of their own; can two be told apart? */
#include <abrig/error.h>
#include <abrig/text.h>

#include <stddef.h>
#include <string.h>

#include "variant.h"

const struct ab_variant_ops *const ab_variant_kinds[] = {
	&ab_variant_flash,
	&ab_variant_boot,
	NULL,
};

#define KINDS (G_N_ELEMENTS(ab_variant_kinds) - 1)

const struct ab_key ab_verify_keys[] = {
	{ .name = "uname",
	  .type = AB_KEY_STRING,
	  .offset = offsetof(struct ab_variant, verify_uname),
	  .help = "Must be contained in `uname -r` of the running kernel." },
	{ .name = "cmdline",
	  .type = AB_KEY_STRING,
	  .offset = offsetof(struct ab_variant, verify_cmdline),
	  .help = "Must be contained in /proc/cmdline." },
	AB_KEYS_END
};

static void image_free(gpointer data)
{
	struct ab_image *image = data;

	g_free(image->partition);
	g_free(image->path);
	g_free(image);
}

static struct ab_variant *variant_new(const char *name, const char *file,
				      int line)
{
	struct ab_variant *variant = g_new0(struct ab_variant, 1);

	variant->name = g_strdup(name);
	variant->file = g_strdup(file);
	variant->line = line;
	variant->images = g_ptr_array_new_with_free_func(image_free);
	return variant;
}

void ab_variant_free(struct ab_variant *variant)
{
	if (!variant)
		return;
	g_free(variant->name);
	g_free(variant->file);
	g_free(variant->dir);
	g_ptr_array_unref(variant->images);
	g_free(variant->slot);
	g_free(variant->verify_uname);
	g_free(variant->verify_cmdline);
	g_free(variant->platform);
	ab_bootimg_free(variant->boot);
	g_free(variant);
}

bool variant_add_image(struct ab_variant *variant, const char *partition,
		       const char *path, const struct ab_node *where,
		       GError **error)
{
	struct ab_image *image;

	if (!*path)
		return ab_node_error(where, error, "the path of %s is empty",
				     partition);
	if (strstr(path, "://"))
		return ab_node_error(where, error,
				     "'%s' is a URL: download the image and "
				     "give its path",
				     path);
	image = g_new0(struct ab_image, 1);
	image->partition = g_strdup(partition);
	image->path = g_strdup(path);
	g_ptr_array_add(variant->images, image);
	return true;
}

/* ---- parsing ---- */

/* One key per kind, and `verify`. */
static void make_keys(struct ab_key *keys)
{
	size_t i;

	for (i = 0; i < KINDS; i++)
		keys[i] = (struct ab_key){
			.name = ab_variant_kinds[i]->name,
			.type = AB_KEY_NODE,
			.offset = i * sizeof(struct ab_node *),
			.help = ab_variant_kinds[i]->help,
		};
	keys[i] = (struct ab_key){
		.name = "verify",
		.type = AB_KEY_NODE,
		.offset = i * sizeof(struct ab_node *),
		.help = "What the running kernel must show besides its banner.",
	};
	keys[i + 1] = (struct ab_key)AB_KEYS_END;
}

static bool choose_kind(const struct ab_node *node,
			const struct ab_node *const *values, size_t *kind_out,
			GError **error)
{
	size_t found = KINDS;

	for (size_t i = 0; i < KINDS; i++) {
		if (!values[i])
			continue;
		if (found != KINDS)
			return ab_node_error(values[i], error,
					     "a variant has one kind: '%s' and "
					     "'%s' exclude each other",
					     ab_variant_kinds[found]->name,
					     ab_variant_kinds[i]->name);
		found = i;
	}
	if (found == KINDS)
		return ab_node_error(node, error,
				     "the variant does not say how its kernel "
				     "gets onto the phone: 'flash: {boot: "
				     "PATH}' or 'boot: PATH'");
	*kind_out = found;
	return true;
}

static bool parse_map(struct ab_variant *variant, const struct ab_node *node,
		      GError **error)
{
	const struct ab_node *values[KINDS + 1] = { NULL };
	struct ab_key keys[KINDS + 2];
	size_t kind = 0;

	make_keys(keys);
	if (!ab_keys_parse(keys, node, values, error) ||
	    !choose_kind(node, values, &kind, error))
		return false;
	variant->ops = ab_variant_kinds[kind];
	return variant->ops->parse(variant, values[kind], error) &&
	       (!values[KINDS] ||
		ab_keys_parse(ab_verify_keys, values[KINDS], variant, error));
}

static struct ab_variant *parse_named(const char *name, const char *file,
				      int line, const struct ab_node *node,
				      GError **error)
{
	struct ab_variant *variant = variant_new(name, file, line);

	if (parse_map(variant, node, error))
		return variant;
	ab_variant_free(variant);
	return NULL;
}

/* ---- a file of its own ---- */

/* The existing one among DIR/NAME and DIR/NAME.yaml. */
static char *file_in(const char *dir, const char *name)
{
	g_autofree char *plain = g_build_filename(dir, name, NULL);
	g_autofree char *yaml = g_strconcat(plain, ".yaml", NULL);

	if (g_file_test(plain, G_FILE_TEST_IS_REGULAR))
		return g_steal_pointer(&plain);
	if (g_file_test(yaml, G_FILE_TEST_IS_REGULAR))
		return g_steal_pointer(&yaml);
	return NULL;
}

static char *find_file(const struct ab_node *node, GError **error)
{
	g_autofree char *beside = g_path_get_dirname(node->file);
	const char *dirs[] = { beside, "kernels", g_getenv("ABRIG_KERNELS"),
			       AB_DATADIR "/kernels" };

	if (g_path_is_absolute(node->text) &&
	    g_file_test(node->text, G_FILE_TEST_IS_REGULAR))
		return g_strdup(node->text);
	for (size_t i = 0; i < G_N_ELEMENTS(dirs); i++) {
		char *file = dirs[i] ? file_in(dirs[i], node->text) : NULL;

		if (file)
			return file;
	}
	ab_node_error(node, error,
		      "no variant file '%s' or '%s.yaml' beside the plan, in "
		      "./kernels, $ABRIG_KERNELS or " AB_DATADIR "/kernels",
		      node->text, node->text);
	return NULL;
}

static struct ab_variant *parse_file(const char *name,
				     const struct ab_node *node, GError **error)
{
	g_autofree char *file = find_file(node, error);
	ab_autoptr(ab_node) tree = file ? ab_yaml_load(file, error) : NULL;
	struct ab_variant *variant;

	if (!tree)
		return NULL;
	variant = parse_named(name, file, tree->line, tree, error);
	if (variant)
		variant->dir = g_path_get_dirname(file);
	return variant;
}

struct ab_variant *ab_variant_parse(const char *name,
				    const struct ab_node *node, GError **error)
{
	if (node->type == AB_NODE_SCALAR)
		return parse_file(name, node, error);
	return parse_named(name, node->file, node->line, node, error);
}

/* ---- images ---- */

static char *image_path(const struct ab_variant *variant, const char *path,
			const char *platform, const char *base_dir)
{
	g_autoptr(GString) full = g_string_new(path);
	const char *dir = variant->dir ? variant->dir : base_dir;

	g_string_replace(full, "{platform}", platform, 0);
	if (!dir || g_path_is_absolute(full->str))
		return g_strdup(full->str);
	return g_build_filename(dir, full->str, NULL);
}

static struct ab_variant *copy_for(const struct ab_variant *variant,
				   const char *platform, const char *base_dir)
{
	struct ab_variant *copy =
		variant_new(variant->name, variant->file, variant->line);

	copy->dir = g_strdup(variant->dir);
	copy->ops = variant->ops;
	copy->slot = g_strdup(variant->slot);
	copy->verify_uname = g_strdup(variant->verify_uname);
	copy->verify_cmdline = g_strdup(variant->verify_cmdline);
	copy->platform = g_strdup(platform);
	for (guint i = 0; i < variant->images->len; i++) {
		const struct ab_image *from = variant->images->pdata[i];
		struct ab_image *image = g_new0(struct ab_image, 1);

		image->partition = g_strdup(from->partition);
		image->path =
			image_path(variant, from->path, platform, base_dir);
		g_ptr_array_add(copy->images, image);
	}
	return copy;
}

/* An image that cannot be the variant's although it is whole. */
static bool check_expectation(const struct ab_variant *v,
			      const struct ab_image *image, GError **error)
{
	if (!v->verify_uname || !v->boot || !v->boot->release ||
	    strstr(v->boot->release, v->verify_uname))
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_IDENTITY,
		    "%s:%d: variant '%s' must run a kernel with '%s' in its "
		    "release, but %s holds '%s'",
		    v->file, v->line, v->name, v->verify_uname, image->path,
		    v->boot->release);
	return false;
}

static bool load_image(struct ab_variant *v, const struct ab_image *image,
		       GError **error)
{
	GError *why = NULL;
	struct ab_bootimg *boot =
		variant_check_image(image->partition, image->path, &why);

	if (why) {
		g_propagate_prefixed_error(error, why,
					   "%s:%d: variant '%s': ", v->file,
					   v->line, v->name);
		return false;
	}
	if (!boot || !variant_holds_kernel(image->partition)) {
		ab_bootimg_free(boot);
		return true;
	}
	ab_bootimg_free(v->boot);
	v->boot = boot;
	return check_expectation(v, image, error);
}

struct ab_variant *ab_variant_load_images(const struct ab_variant *variant,
					  const char *platform,
					  const char *base_dir, GError **error)
{
	struct ab_variant *copy = copy_for(variant, platform, base_dir);

	for (guint i = 0; i < copy->images->len; i++)
		if (!load_image(copy, copy->images->pdata[i], error)) {
			ab_variant_free(copy);
			return NULL;
		}
	return copy;
}

/* ---- telling two apart ---- */

static bool differ(const char *a, const char *b)
{
	return a && b && !g_str_equal(a, b);
}

/* Each demands what the other's demand does not grant. */
static bool exclude(const char *a, const char *b)
{
	return a && b && !strstr(a, b) && !strstr(b, a);
}

/* @a's demand is not met by a kernel whose release is known. */
static bool release_excludes(const struct ab_variant *a,
			     const struct ab_variant *b)
{
	return a->verify_uname && b->boot && b->boot->release &&
	       !strstr(b->boot->release, a->verify_uname);
}

static char *describe_variant(const struct ab_variant *v)
{
	const struct ab_identity id = {
		.release = v->boot ? v->boot->release : NULL,
		.banner = v->boot ? v->boot->banner : NULL,
		.config_sha256 = v->boot ? v->boot->config_sha256 : NULL,
	};
	g_autofree char *kernel = ab_identity_describe(&id);

	return g_strdup_printf("'%s' %s%s%s%s%s", v->name, kernel,
			       v->verify_uname ? ", uname " : "",
			       v->verify_uname ? v->verify_uname : "",
			       v->verify_cmdline ? ", cmdline " : "",
			       v->verify_cmdline ? v->verify_cmdline : "");
}

bool ab_variant_distinct(const struct ab_variant *a, const struct ab_variant *b,
			 GError **error)
{
	g_autofree char *one = NULL, *two = NULL;

	if (a->boot && b->boot &&
	    (differ(a->boot->banner, b->boot->banner) ||
	     differ(a->boot->config_sha256, b->boot->config_sha256)))
		return true;
	/* With a banner on each side, equal ones, uname cannot differ. */
	if (exclude(a->verify_uname, b->verify_uname) ||
	    release_excludes(a, b) || release_excludes(b, a) ||
	    exclude(a->verify_cmdline, b->verify_cmdline))
		return true;
	one = describe_variant(a);
	two = describe_variant(b);
	g_set_error(error, AB_ERROR, AB_ERROR_IDENTITY,
		    "these variants cannot be told apart on a phone: %s; %s. "
		    "Build one again (another LOCALVERSION, or only another "
		    "build time), or say 'same: true' in the plan when this is "
		    "an A/A campaign",
		    one, two);
	return false;
}

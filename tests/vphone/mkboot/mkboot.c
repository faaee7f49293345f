// SPDX-License-Identifier: GPL-3.0-or-later
// mkboot: a boot image for the virtual phone, with a kernel of any name and
// behaviour.  See docs/VPHONE.md.
#include "mkboot.h"

#include <stdio.h>

#define DEFAULT_SUFFIX                                                        \
	"(build@abrig) (clang 17.0.2) #1 SMP PREEMPT Mon Nov 2 05:03:00 UTC " \
	"2026"
#define DEFAULT_CMDLINE "console=ttySAC0,115200 androidboot.console=ttySAC0"

struct options {
	char *release, *suffix, *banner, *config, *config_text, *model,
		*cmdline, *out;
	int size_kb;
};

static bool parse_options(struct options *o, int *argc, char ***argv,
			  GError **error)
{
	const GOptionEntry entries[] = {
		{ "release", 0, 0, G_OPTION_ARG_STRING, &o->release,
		  "what uname -r prints", "R" },
		{ "banner-suffix", 0, 0, G_OPTION_ARG_STRING, &o->suffix,
		  "what follows the release in the banner", "TEXT" },
		{ "banner", 0, 0, G_OPTION_ARG_STRING, &o->banner,
		  "the whole banner", "TEXT" },
		{ "config", 0, 0, G_OPTION_ARG_FILENAME, &o->config,
		  "kernel configuration", "FILE" },
		{ "config-text", 0, 0, G_OPTION_ARG_STRING, &o->config_text,
		  "kernel configuration as CONFIG_A=y,CONFIG_B=n", "K=V,..." },
		{ "model", 0, 0, G_OPTION_ARG_FILENAME, &o->model,
		  "how the kernel behaves", "FILE" },
		{ "cmdline", 0, 0, G_OPTION_ARG_STRING, &o->cmdline,
		  "kernel command line", "TEXT" },
		{ "size", 0, 0, G_OPTION_ARG_INT, &o->size_kb,
		  "size of the kernel (1024)", "KIB" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &o->out,
		  "boot image", "FILE" },
		{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, argc, argv, error))
		return false;
	if (o->out && o->model && (o->release || o->banner) && *argc == 1)
		return true;
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "--release or --banner, --model and -o are needed");
	return false;
}

static char *banner_of(const struct options *o)
{
	if (o->banner)
		return g_strdup(o->banner);
	return g_strdup_printf("Linux version %s %s", o->release,
			       o->suffix ? o->suffix : DEFAULT_SUFFIX);
}

static char *config_of(const struct options *o, GError **error)
{
	char *text = NULL;

	if (o->config && !g_file_get_contents(o->config, &text, NULL, error))
		return NULL;
	if (text)
		return text;
	text = g_strdup_printf("CONFIG_ARM64=y\nCONFIG_IKCONFIG=y\n"
			       "CONFIG_IKCONFIG_PROC=y\n%s\n",
			       o->config_text ? o->config_text : "");
	return g_strdelimit(text, ",", '\n');
}

static bool build(const struct options *o, GError **error)
{
	g_autofree char *banner = banner_of(o);
	g_autofree char *config = config_of(o, error);
	g_autofree char *model = NULL;
	g_autoptr(GByteArray) kernel = NULL;
	g_autoptr(GByteArray) image = NULL;

	if (!config || !g_file_get_contents(o->model, &model, NULL, error))
		return false;
	kernel = mkboot_kernel(&(struct mkboot_kernel){
		.banner = banner,
		.config = config,
		.model = model,
		.size = (size_t)o->size_kb << 10,
	});
	image = mkboot_image(kernel, o->cmdline ? o->cmdline : DEFAULT_CMDLINE);
	return g_file_set_contents(o->out, (char *)image->data,
				   (gssize)image->len, error);
}

static void clear(struct options *o)
{
	char *texts[] = { o->release,	  o->suffix, o->banner,	 o->config,
			  o->config_text, o->model,  o->cmdline, o->out };

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
}

int main(int argc, char **argv)
{
	struct options o = { .size_kb = 1024 };
	g_autoptr(GError) error = NULL;
	bool ok = parse_options(&o, &argc, &argv, &error) && build(&o, &error);

	if (!ok)
		g_printerr("mkboot: %s\n", error->message);
	clear(&o);
	return !ok;
}

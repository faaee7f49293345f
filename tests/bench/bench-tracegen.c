// SPDX-License-Identifier: GPL-3.0-or-later
/* Large traces for those who need one: bench-tracegen FILE MB. */
#include "gen/gen.h"

#include <stdlib.h>

static struct {
	char *mix;
	gint64 seed;
} opt = { .seed = 1 };

static const GOptionEntry entries[] = {
	{ "mix", 0, 0, G_OPTION_ARG_STRING, &opt.mix,
	  "compact or full (default)", "MIX" },
	{ "seed", 0, 0, G_OPTION_ARG_INT64, &opt.seed, "another trace", "N" },
	{ NULL, 0, 0, 0, NULL, NULL, NULL },
};

static void print_sum(const char *name, const struct gen_sum *sum)
{
	g_print("%-18s %12" G_GUINT64_FORMAT " %16" G_GINT64_FORMAT
		" ns, max %12" G_GINT64_FORMAT " ns\n",
		name, sum->n, sum->ns, sum->max_ns);
}

static void print_truth(const struct gen_truth *t)
{
	g_print("bytes %" G_GUINT64_FORMAT ", switches %" G_GUINT64_FORMAT
		", wakings %" G_GUINT64_FORMAT ", other events "
		"%" G_GUINT64_FORMAT "\n",
		t->bytes, t->switches, t->wakings, t->events);
	g_print("window %.3f s: %" G_GUINT64_FORMAT
		" frames, missed by app %" G_GUINT64_FORMAT
		", by SF %" G_GUINT64_FORMAT ", migrations %" G_GUINT64_FORMAT
		"\n",
		(double)(t->end_ns - t->begin_ns) / 1e9, t->frames,
		t->app_missed, t->sf_missed, t->migrations);
	print_sum("running", &t->running);
	print_sum("after wakeup", &t->after_wakeup);
	print_sum("after preemption", &t->after_preemption);
	print_sum("pm_runtime_work", &t->pm_wait);
	print_sum("rpm_resume of UI", &t->ui_rpm);
}

int main(int argc, char **argv)
{
	g_autoptr(GOptionContext) options =
		g_option_context_new("FILE MB - write a large trace");
	g_autoptr(GError) error = NULL;
	struct gen_spec spec = { .mix = GEN_FULL };
	struct gen_truth truth;
	FILE *out;

	g_option_context_add_main_entries(options, entries, NULL);
	if (!g_option_context_parse(options, &argc, &argv, &error) ||
	    argc != 3) {
		g_printerr("bench-tracegen: %s\n",
			   error ? error->message : "FILE MB expected");
		return 2;
	}
	if (g_strcmp0(opt.mix, "compact") == 0)
		spec.mix = GEN_COMPACT;
	spec.seed = (guint64)opt.seed;
	spec.bytes = g_ascii_strtoull(argv[2], NULL, 10) * 1000000;
	out = fopen(argv[1], "wb");
	if (!out || !gen_write(&spec, out, &truth) || fclose(out)) {
		g_printerr("bench-tracegen: %s: %m\n", argv[1]);
		return 1;
	}
	print_truth(&truth);
	return 0;
}

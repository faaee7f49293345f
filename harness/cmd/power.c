// SPDX-License-Identifier: GPL-3.0-or-later
/* abrig power: what a campaign could show, and at what cost. */
#include "power.h"
#include "cmd.h"

#include <abrig/text.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define RUNS 5 /* per boot, like a plan's */

/* As the command line has them; numbers are below 0 where not given. */
struct flags {
	char **metrics, **dirs;
	char *variant, *change;
	double power, blocks, runs, hours, boot_s, run_s;
	double cv_boot, cv_run, rate, dispersion;
	gboolean json;
};

static bool refuse(GError **error, const char *text)
{
	g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
		    "%s; see abrig power "
		    "--help",
		    text);
	return false;
}

static double given(double value)
{
	return value < 0 ? NAN : value;
}

/* "5%", "5", "-5%" or "+5%". */
static bool parse_change(const char *text, struct ab_power_question *q,
			 GError **error)
{
	g_autofree char *number = g_strdup(text ? text : "");
	size_t n = strlen(number), skip;

	q->change_pct = NAN;
	if (!text)
		return true;
	if (n && number[n - 1] == '%')
		number[n - 1] = '\0';
	q->sign = (number[0] == '+') - (number[0] == '-');
	skip = q->sign != 0;
	if (ab_text_to_double(number + skip, &q->change_pct) &&
	    q->change_pct > 0 && q->change_pct <= (q->sign < 0 ? 100 : 1000))
		return true;
	return refuse(error, "--change takes a percentage, such as 5%, or "
			     "with its sign, such as -5% (a fall of at most "
			     "100 %) or +5%");
}

static bool check_metrics(char **metrics, GError **error)
{
	for (; metrics && *metrics; metrics++)
		if (!ab_metric_find(*metrics)) {
			g_set_error(error, AB_ERROR, AB_ERROR_USAGE,
				    "'%s' is no metric; abrig help metrics "
				    "lists them",
				    *metrics);
			return false;
		}
	return true;
}

static bool check_numbers(const struct flags *f, GError **error)
{
	if (!(f->power > 0.05 && f->power < 1))
		return refuse(error, "--power is above 0.05 and below 1");
	if (f->blocks >= 0 && !(f->blocks >= 2 && f->blocks <= 1e6))
		return refuse(error, "--blocks is at least 2");
	if (f->runs >= 0 && !(f->runs >= 1 && f->runs <= 1e9))
		return refuse(error, "--runs is at least 1");
	if (f->boot_s == 0 || f->run_s == 0 || f->hours == 0 ||
	    f->dispersion == 0)
		return refuse(error, "costs, hours and dispersion are above "
				     "0");
	if ((f->cv_boot < 0) != (f->cv_run < 0))
		return refuse(error, "--cv-boot and --cv-run go together");
	if (f->hours > 0 && f->blocks >= 0)
		return refuse(error, "--hours and --blocks exclude each "
				     "other");
	return true;
}

static bool check_source(const struct flags *f, GError **error)
{
	int sources = (f->dirs != NULL) + (f->cv_boot >= 0) + (f->rate >= 0);

	if (sources == 1)
		return check_numbers(f, error);
	return refuse(error, "give directories of campaigns, or --cv-boot and "
			     "--cv-run, or --rate");
}

static bool set_request(const struct flags *f, struct power_request *r,
			GError **error)
{
	*r = (struct power_request){
		.question = { .power = f->power,
			      .level = 0.95,
			      .hours = given(f->hours) },
		.dirs = f->dirs,
		.metrics = f->metrics,
		.variant = f->variant,
		.costs = { given(f->boot_s), given(f->run_s) },
		.cv_boot = given(f->cv_boot),
		.cv_run = given(f->cv_run),
	};
	if (f->blocks >= 0)
		r->question.given =
			(struct ab_design){ f->blocks,
					    f->runs < 0 ? RUNS : f->runs };
	return parse_change(f->change, &r->question, error);
}

/* Without a sign a rate falls by the change. */
static void fill_rate(const struct flags *f, const struct ab_power_question *q,
		      struct ab_power_rate *r)
{
	double change = isfinite(q->change_pct) ? q->change_pct : 5;

	*r = (struct ab_power_rate){
		.rate = f->rate,
		.to = f->rate *
		      MAX(1 + (q->sign > 0 ? change : -change) / 100, 0),
		.dispersion = f->dispersion < 0 ? 1 : f->dispersion,
		.runs = given(f->runs),
	};
	r->needed = ab_stats_rates_needed(r->rate, r->to, r->dispersion,
					  q->level, q->power);
	r->runs_power = ab_stats_rates_power(r->rate, r->to, r->dispersion,
					     r->runs, q->level);
	r->runs_pct = ab_stats_rates_detectable(r->rate, r->dispersion, r->runs,
						q->level, q->power);
}

static void free_table(gpointer table)
{
	ab_power_table_free(table);
}

static bool answer(const struct flags *f, GError **error)
{
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func(free_table);
	g_autoptr(GString) out = g_string_new(NULL);
	struct ab_power_report report = { .tables = tables };
	struct power_request request;
	struct ab_power_rate rate;

	if (!check_source(f, error) || !check_metrics(f->metrics, error) ||
	    !set_request(f, &request, error))
		return false;
	report.question = request.question;
	if (f->dirs && !power_from_campaigns(&request, tables, error))
		return false;
	if (f->cv_boot >= 0)
		g_ptr_array_add(tables, power_by_hand(&request));
	if (f->rate >= 0) {
		fill_rate(f, &request.question, &rate);
		report.rate = &rate;
	}
	(f->json ? ab_power_json : ab_power_page)(&report, out);
	return cmd_print(out->str, out->len, error);
}

static bool parse(int argc, char **argv, struct flags *f)
{
	const GOptionEntry options[] = {
		{ "metric", 'm', 0, G_OPTION_ARG_STRING_ARRAY, &f->metrics,
		  "only this metric; may be repeated", "ID" },
		{ "variant", 0, 0, G_OPTION_ARG_STRING, &f->variant,
		  "compare this one with the baseline (default: the second)",
		  "NAME" },
		{ "change", 'c', 0, G_OPTION_ARG_STRING, &f->change,
		  "the change to be shown (default: the plan's margin, else "
		  "5%)",
		  "PERCENT" },
		{ "power", 0, 0, G_OPTION_ARG_DOUBLE, &f->power,
		  "how often it is to be shown (default: 0.8)", "P" },
		{ "hours", 0, 0, G_OPTION_ARG_DOUBLE, &f->hours,
		  "what this many hours of one phone can show", "H" },
		{ "blocks", 0, 0, G_OPTION_ARG_DOUBLE, &f->blocks,
		  "what this many boots per variant can show", "N" },
		{ "runs", 0, 0, G_OPTION_ARG_DOUBLE, &f->runs,
		  "and runs per boot (default: 5); with --rate: per variant",
		  "N" },
		{ "boot-cost", 0, 0, G_OPTION_ARG_DOUBLE, &f->boot_s,
		  "seconds of a boot (default: measured)", "S" },
		{ "run-cost", 0, 0, G_OPTION_ARG_DOUBLE, &f->run_s,
		  "seconds of a run (default: measured)", "S" },
		{ "cv-boot", 0, 0, G_OPTION_ARG_DOUBLE, &f->cv_boot,
		  "without a campaign: variation between boots, in percent",
		  "X" },
		{ "cv-run", 0, 0, G_OPTION_ARG_DOUBLE, &f->cv_run,
		  "and between runs of a boot", "Y" },
		{ "rate", 0, 0, G_OPTION_ARG_DOUBLE, &f->rate,
		  "without a campaign: events per run, to fall by --change",
		  "R" },
		{ "dispersion", 0, 0, G_OPTION_ARG_DOUBLE, &f->dispersion,
		  "their over-dispersion (default: 1, Poisson)", "PHI" },
		{ "json", 0, 0, G_OPTION_ARG_NONE, &f->json, "as JSON", NULL },
		{ .long_name = NULL },
	};

	if (!cmd_parse("power", options, &argc, &argv, 0, -1))
		return false;
	if (argc > 1)
		f->dirs = g_strdupv(argv + 1);
	return true;
}

int cmd_power(int argc, char **argv)
{
	struct flags f = { .power = 0.8,
			   .blocks = -1,
			   .runs = -1,
			   .hours = -1,
			   .boot_s = -1,
			   .run_s = -1,
			   .cv_boot = -1,
			   .cv_run = -1,
			   .rate = -1,
			   .dispersion = -1 };
	GError *error = NULL;
	int status = 2;

	if (parse(argc, argv, &f))
		status = answer(&f, &error) ? 0 : cmd_fail(error);
	g_strfreev(f.metrics);
	g_strfreev(f.dirs);
	g_free(f.variant);
	g_free(f.change);
	return status;
}

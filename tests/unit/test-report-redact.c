// SPDX-License-Identifier: GPL-3.0-or-later
/* What --redact hides, in every format that there is. */
#include "helper-report.h"

#include <abrig/aa.h>
#include <abrig/redact.h>
#include <string.h>

static bool contains(const char *text, const char *secret)
{
	g_autofree char *lower = g_ascii_strdown(text, -1);
	g_autofree char *what = g_ascii_strdown(secret, -1);

	return strstr(lower, what) != NULL;
}

static void check_hidden(const char *format, const char *text)
{
	for (const char *const *s = helper_report_secrets; *s; s++)
		if (contains(text, *s))
			g_error("%s tells %s", format, *s);
	if (contains(text, "kim@"))
		g_error("%s tells who built the kernel", format);
}

/* A record of A/A has a serial, too. */
static GPtrArray *new_aa(void)
{
	GPtrArray *aa = g_ptr_array_new();
	struct ab_aa_summary *s = g_new0(struct ab_aa_summary, 1);

	s->serial = (char *)helper_report_secrets[0];
	s->nights = 1;
	s->failed = true;
	s->metrics = g_array_new(FALSE, TRUE, sizeof(struct ab_aa_metric));
	s->problems = g_new0(char *, 2);
	s->problems[0] = (char *)"/home/kim/plans/x.json: damaged";
	g_ptr_array_add(aa, s);
	return aa;
}

static void free_aa(GPtrArray *aa)
{
	struct ab_aa_summary *s = aa->pdata[0];

	g_array_unref(s->metrics);
	g_free(s->problems);
	g_free(s);
	g_ptr_array_unref(aa);
}

static void test_formats(void)
{
	struct ab_report *report = helper_report_new();
	ab_autoptr(ab_secrets) secrets = NULL;
	struct ab_report *redacted;

	report->plan_file = "/home/kim/plans/pm-wq.yaml";
	report->aa = new_aa();
	secrets = ab_secrets_new(report);
	redacted = ab_report_redact(report, secrets);
	for (size_t i = 0; ab_report_formats[i]; i++) {
		const char *name = ab_report_formats[i]->name;
		g_autofree char *text = helper_report_text(redacted, name);

		check_hidden(name, text);
		/* Not hidden by hiding all. */
		g_assert_cmpuint(strlen(text), >, 200);
	}
	ab_report_redacted_free(redacted);
	free_aa(report->aa);
	helper_report_free(report);
}

/* The report itself stays as it was. */
static void test_copy(void)
{
	struct ab_report *report = helper_report_new();
	g_autofree char *before = helper_report_text(report, "runs");
	ab_autoptr(ab_secrets) secrets = ab_secrets_new(report);
	struct ab_report *redacted = ab_report_redact(report, secrets);
	g_autofree char *hidden = helper_report_text(redacted, "runs");
	g_autofree char *after = helper_report_text(report, "runs");

	g_assert_cmpstr(before, ==, after);
	g_assert_nonnull(strstr(hidden, ",device-2,"));
	g_assert_nonnull(strstr(hidden, "device-1: skin 41.2 C"));
	g_assert_nonnull(strstr(hidden, ",6.12.30-product-1-g1b2c3d4,"));
	g_assert_nonnull(strstr(hidden, "no such rail on product-1"));
	g_assert_cmpstr(redacted->directory, ==, "night-1");
	g_assert_cmpstr(redacted->devices[1].model, ==, "model-1");
	g_assert_cmpstr(redacted->devices[1].fingerprint, ==, "build-1");
	ab_report_redacted_free(redacted);
	helper_report_free(report);
}

static void check_text(const struct ab_secrets *secrets, const char *text,
		       const char *expected)
{
	g_autoptr(GString) s = g_string_new(text);

	ab_secrets_hide(secrets, s);
	g_assert_cmpstr(s->str, ==, expected);
}

static void test_text(void)
{
	struct ab_report *report = helper_report_new();
	ab_autoptr(ab_secrets) secrets = NULL;

	/* The longer of two that begin alike; short ones only as words. */
	report->devices[0].serial = "2A1";
	report->devices[1].serial = "127.0.0.1:5";
	report->devices[1].fastboot = "tcp:127.0.0.1:55";
	report->devices[1].product = "husky";
	report->devices[1].model = "Pixel 8 Pro";
	report->devices[1].fingerprint = NULL;
	secrets = ab_secrets_new(report);
	check_text(secrets, "tcp:127.0.0.1:55 127.0.0.1:5",
		   "device-2 device-2");
	check_text(secrets, "2a1, x2a1 2A10", "device-1, x2a1 2A10");
	check_text(secrets, "a Pixel 8 Pro and a pixel_8",
		   "a model-2 and a "
		   "model-1");
	check_text(secrets, "HUSKY_beta mshiba", "product-2_beta mproduct-1");
	check_text(secrets, "", "");
	helper_report_free(report);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/redact/formats", test_formats);
	g_test_add_func("/redact/copy", test_copy);
	g_test_add_func("/redact/text", test_text);
	return g_test_run();
}

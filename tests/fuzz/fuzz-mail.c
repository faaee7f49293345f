// SPDX-License-Identifier: GPL-3.0-or-later
/* A mail that is answered, a letter that is filled, a text that is checked. */
#include <abrig/lint.h>
#include <abrig/mail.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void answer(const char *text, size_t size)
{
	ab_autoptr(ab_mail) mail = ab_mail_parse("mail", text, size, NULL);
	const struct ab_mail_draft draft = {
		.from = "A <a@host.org>",
		.answered = mail,
		.text = "  a row\n",
	};
	g_autoptr(GString) out = g_string_new(NULL);

	if (mail && ab_mail_write(&draft, out, NULL) &&
	    !g_utf8_validate(out->str, (gssize)out->len, NULL))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	g_autoptr(GString) letter = g_string_new(NULL);
	g_autoptr(GPtrArray) findings = ab_lint(text, size);

	answer(text, size);
	ab_cover_fill("letter", text, size, "  a row\n", letter, NULL);
	return findings == NULL;
}

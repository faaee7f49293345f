// SPDX-License-Identifier: GPL-3.0-or-later
/* Cover letters, mails that are answered, and answers. */
#include <abrig/error.h>
#include <abrig/mail.h>
#include <string.h>

/* ---- cover letters ---- */

#define TABLE "  a row\n\n  another\n"
#define BLOCK AB_COVER_BEGIN "\n" TABLE AB_COVER_END "\n"
#define LETTER_HEAD                            \
	"From 0123 Mon Sep 17 00:00:00 2001\n" \
	"Subject: [PATCH 0/1] *** SUBJECT HERE ***\n\n"
#define BLURB "*** BLURB HERE ***\n\n"
#define PATCHES "A Developer (1):\n  PM: one patch\n\n"
#define STAT                            \
	" kernel/power/main.c | 2 +-\n" \
	" 1 file changed, 1 insertion(+), 1 deletion(-)\n\n"
#define SIGNATURE "-- \n2.39.5\n\n"

static char *fill(const char *letter, const char *text)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	ab_cover_fill("cover", letter, strlen(letter), text, out, &error);
	g_assert_no_error(error);
	return g_string_free(g_steal_pointer(&out), FALSE);
}

static void test_cover(void)
{
	static const struct {
		const char *letter, *filled;
	} cases[] = {
		{ LETTER_HEAD BLURB PATCHES STAT SIGNATURE,
		  LETTER_HEAD BLURB BLOCK "\n" PATCHES STAT SIGNATURE },
		{ LETTER_HEAD "text (1):\n\n" STAT SIGNATURE,
		  LETTER_HEAD "text (1):\n\n" BLOCK "\n" STAT SIGNATURE },
		{ LETTER_HEAD "a | b\n" SIGNATURE,
		  LETTER_HEAD "a | b\n" BLOCK "\n" SIGNATURE },
		{ "x\n" AB_COVER_BEGIN "\n" AB_COVER_END "\ny",
		  "x\n" BLOCK "y" },
		{ "x\n" AB_COVER_BEGIN " \nold\n-- \n" AB_COVER_END "\ny",
		  "x\n" AB_COVER_BEGIN " \n" TABLE AB_COVER_END "\ny" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *once = fill(cases[i].letter, TABLE);
		g_autofree char *twice = fill(once, TABLE);
		g_autofree char *other = fill(once, "none");
		g_autofree char *back = fill(other, TABLE);

		g_assert_cmpstr(once, ==, cases[i].filled);
		g_assert_cmpstr(twice, ==, once);
		g_assert_cmpstr(back, ==, once);
		g_assert_nonnull(strstr(other, "\nnone\n["));
	}
}

static void test_cover_crlf(void)
{
	g_auto(GStrv) lines =
		g_strsplit(LETTER_HEAD BLURB PATCHES STAT SIGNATURE, "\n", -1);
	g_autofree char *letter = g_strjoinv("\r\n", lines);
	g_autofree char *once = fill(letter, TABLE);
	g_autofree char *twice = fill(once, TABLE);
	g_auto(GStrv) filled = g_strsplit(once, "\r\n", -1);
	g_autofree char *text = g_strjoinv("\n", filled);

	g_assert_cmpstr(text, ==,
			LETTER_HEAD BLURB BLOCK "\n" PATCHES STAT SIGNATURE);
	g_assert_cmpstr(twice, ==, once);
}

static void test_cover_refused(void)
{
	static const char *const letters[] = {
		"",
		"no place\n",
		AB_COVER_BEGIN "\n",
		AB_COVER_END "\n" AB_COVER_BEGIN "\n",
		BLOCK BLOCK,
		"> " AB_COVER_BEGIN "\n> " AB_COVER_END "\n",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(letters); i++) {
		g_autoptr(GString) out = g_string_new(NULL);
		g_autoptr(GError) error = NULL;

		g_assert_false(ab_cover_fill("cover", letters[i],
					     strlen(letters[i]), TABLE, out,
					     &error));
		g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
		g_assert_true(g_str_has_prefix(error->message, "cover: "));
	}
}

/* ---- mails ---- */

static struct ab_mail *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	struct ab_mail *mail =
		ab_mail_parse("mail", text, strlen(text), &error);

	g_assert_no_error(error);
	return mail;
}

#define HEAD "From: A <a@host.org>\nMessage-ID: <1@host.org>\n"

static void test_body(void)
{
	static const struct {
		const char *mail, *body;
	} cases[] = {
		{ HEAD "\nplain\r\ntext\n", "plain\ntext\n" },
		{ HEAD, "" },
		{ "From x y\n" HEAD "\none\n\nFrom z\n" HEAD "\ntwo\n",
		  "one\n" },
		{ HEAD "Content-Transfer-Encoding: quoted-printable\n"
		       "Content-Type: text/plain; charset=\"ISO-8859-1\"\n\n"
		       "caf=E9 =3D=\n 1=\n",
		  "caf\303\251 = 1" },
		{ HEAD "Content-Transfer-Encoding: base64\n\nb25lCnR3bwo=\n",
		  "one\ntwo\n" },
		{ HEAD "Content-Type: multipart/signed; x=y; boundary=\"b\"\n\n"
		       "preamble\n--b\nContent-Type: text/html\n\n<p>\n"
		       "--b\nContent-Type: multipart/mixed; boundary=c\n\n"
		       "--c\n\ninner\n--c--\n--b--\n",
		  "inner\n" },
		{ HEAD "Content-Type: text/html\n\n<p>\n", "" },
		{ HEAD "Content-Type: multipart/mixed; boundary=\n\nx\n", "" },
		{ HEAD "Content-Type: text/plain; charset=no/such\n\n\351\n",
		  "\357\277\275\n" },
		{ HEAD "Content-Transfer-Encoding: base64\n\n", "" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		ab_autoptr(ab_mail) mail = parse(cases[i].mail);

		g_assert_cmpstr(mail->body, ==, cases[i].body);
	}
}

static void test_words(void)
{
	static const char *const words[][2] = {
		{ "plain =? text", "plain =? text" },
		{ "=?UTF-8?q?Mei_=28Michael=29?= <m@host>",
		  "Mei (Michael) <m@host>" },
		{ "=?utf-8?B?w6k=?=  =?ISO-8859-1?Q?=E9?= x",
		  "\303\251\303\251 x" },
		{ "=?utf-8?B?"
		  "?=x",
		  "x" },
		{ "=?utf-8?X?a?= =?utf-8?q", "=?utf-8?X?a?= =?utf-8?q" },
		{ "=?utf-8?q?a=0D=0ABcc:_x?=", "a  Bcc: x" },
		{ "=?us-ascii*en?q?a?=", "a" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		g_autofree char *text = ab_mail_decode_words(words[i][0]);

		g_assert_cmpstr(text, ==, words[i][1]);
	}
}

static void test_no_mail(void)
{
	static const char *const texts[] = {
		"",
		"From: A <a@host.org>\n\nno id\n",
		"Message-ID: <1@host.org>\n\nnobody\n",
		"From: nobody\nMessage-ID: <1@host.org>\n\n",
		"From: <a@host.org\nMessage-ID: <1@host.org>\n\n",
		"From: A <a@host.org>\nMessage-ID: 1\n\n",
		("\n" HEAD "\n"),
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;

		g_assert_null(ab_mail_parse("mail", texts[i], strlen(texts[i]),
					    &error));
		g_assert_error(error, AB_ERROR, AB_ERROR_DATA);
	}
}

/* ---- answers ---- */

static char *answer(const char *mail, const char *from)
{
	ab_autoptr(ab_mail) answered = mail ? parse(mail) : NULL;
	const struct ab_mail_draft draft = {
		.from = from,
		.subject = "A/B measurement",
		.answered = answered,
		.text = TABLE,
	};
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	ab_mail_write(&draft, out, &error);
	g_assert_no_error(error);
	return g_string_free(g_steal_pointer(&out), FALSE);
}

#define DRAFT_HEAD                                       \
	"From 0000000000000000000000000000000000000000 " \
	"Mon Sep 17 00:00:00 2001\n"
#define DRAFT_MIME(encoding)                        \
	"MIME-Version: 1.0\n"                       \
	"Content-Type: text/plain; charset=UTF-8\n" \
	"Content-Transfer-Encoding: " encoding "\n\n"

static void test_answer(void)
{
	g_autofree char *text = answer(
		"From: =?UTF-8?q?Rafael_J=2E_Wysocki?= <rafael@host.org>\n"
		"To: \"Mei, Michael\" <Mei@phones.org>, a@b.org,\n"
		"\tsome list\n <linux-pm@lists.org>\n"
		"CC: A@B.org, rafael@host.org, \"x (y\" <x@host.org>\n"
		"Subject: [PATCH]\n PM: runtime\n"
		"Date: Mon, 2 Nov 2026 12:00:00 +0100\n"
		"Message-Id: <2@host.org>\n"
		"References: <0@host.org>\n <1@host.org>\n\n"
		"> quoted  \n\nWhat about other\033[2J workloads?\n\n"
		"-- \nsignature\n",
		"Michael Mei <mei@phones.org>");

	g_assert_cmpstr(
		text, ==,
		DRAFT_HEAD
		"From: Michael Mei <mei@phones.org>\n"
		"To: =?UTF-8?q?Rafael_J=2E_Wysocki?= <rafael@host.org>\n"
		"Cc: a@b.org, some list <linux-pm@lists.org>, "
		"\"x (y\" <x@host.org>\n"
		"Subject: Re: [PATCH] PM: runtime\n"
		"In-Reply-To: <2@host.org>\n"
		"References: <0@host.org> <1@host.org> <2@host.org>\n" DRAFT_MIME(
			"7bit") "On Mon, 2 Nov 2026 12:00:00 +0100, "
				"Rafael J. Wysocki wrote:\n"
				"> > quoted\n"
				">\n"
				"> What about other?[2J workloads?\n"
				"\n" TABLE);
}

static void test_answer_to_patch(void)
{
	g_autofree char *text =
		answer("From: A <a@host.org>\nMessage-ID: <1@host.org>\n"
		       "To: l@lists.org\nReply-To: B <b@host.org>\n"
		       "Subject: RE: x\n\nMessage\n---\n stat\n",
		       "\303\211ric <e@host.org>");

	g_assert_cmpstr(text, ==,
			DRAFT_HEAD "From: =?UTF-8?B?w4lyaWM=?= <e@host.org>\n"
				   "To: B <b@host.org>\n"
				   "Cc: l@lists.org\n"
				   "Subject: RE: x\n"
				   "In-Reply-To: <1@host.org>\n"
				   "References: <1@host.org>\n" DRAFT_MIME(
					   "7bit") "Earlier, A wrote:\n"
						   "> Message\n\n" TABLE);
}

/* An answer to oneself goes where the mail went. */
static void test_answer_to_self(void)
{
	g_autofree char *text =
		answer(HEAD "To: l@lists.org\n\nx\n", "A <A@host.org>");

	g_assert_nonnull(strstr(text, "\nTo: l@lists.org\nSubject: Re:"));
}

static void test_fresh(void)
{
	g_autofree char *text = answer(NULL, "a@host.org");

	g_assert_cmpstr(text, ==,
			DRAFT_HEAD
			"From: a@host.org\n"
			"Subject: A/B measurement\n" DRAFT_MIME("7bit") TABLE);
}

static void test_no_sender(void)
{
	static const char *const froms[] = {
		"",
		"A",
		"A <a>",
		"A <a@b.org",
		"A <a@b.org>\nBcc: x@y.org",
		"A <a b@c.org>",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(froms); i++) {
		const struct ab_mail_draft draft = { .from = froms[i],
						     .subject = "x",
						     .text = "" };
		g_autoptr(GString) out = g_string_new(NULL);
		g_autoptr(GError) error = NULL;

		g_assert_false(ab_mail_write(&draft, out, &error));
		g_assert_error(error, AB_ERROR, AB_ERROR_USAGE);
		g_assert_cmpuint(out->len, ==, 0);
	}
}

/* Whatever a mail holds, an answer is one message with the same few fields. */
static void test_hostile(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	static const char *const bits[] = {
		"\n",	  "\r\n",
		" ",	  "\t",
		":",	  "From ",
		"Bcc: x", "=?",
		"?q?",	  "?=",
		"\xff",	  "\"",
		"(",	  ",",
		"<",	  "a@b.org",
		">",	  "\\",
		"To:",	  "Cc:",
		"\n\n",	  "Content-Type: multipart/x; boundary=a",
		"--a",	  "=\n",
		"=3D",
	};

	for (int i = 0; i < 2000; i++) {
		g_autoptr(GString) mail = g_string_new(HEAD "Subject: ");
		g_autofree char *text = NULL;
		gint n = g_rand_int_range(rand, 0, 60);

		while (n-- > 0)
			g_string_append(
				mail,
				bits[g_rand_int_range(
					rand, 0, (gint)G_N_ELEMENTS(bits))]);
		text = answer(mail->str, "me@host.org");
		g_assert_true(g_utf8_validate(text, -1, NULL));
		g_assert_null(strstr(strstr(text, "\n\n"), "\nFrom "));
		*strstr(text, "\n\n") = '\0';
		g_assert_null(strstr(text, "\nBcc"));
		g_assert_null(strchr(text, '\r'));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/mail/cover", test_cover);
	g_test_add_func("/mail/cover-crlf", test_cover_crlf);
	g_test_add_func("/mail/cover-refused", test_cover_refused);
	g_test_add_func("/mail/body", test_body);
	g_test_add_func("/mail/words", test_words);
	g_test_add_func("/mail/no-mail", test_no_mail);
	g_test_add_func("/mail/answer", test_answer);
	g_test_add_func("/mail/answer-to-patch", test_answer_to_patch);
	g_test_add_func("/mail/answer-to-self", test_answer_to_self);
	g_test_add_func("/mail/fresh", test_fresh);
	g_test_add_func("/mail/no-sender", test_no_sender);
	g_test_add_func("/mail/hostile", test_hostile);
	return g_test_run();
}

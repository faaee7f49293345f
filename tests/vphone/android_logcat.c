// SPDX-License-Identifier: GPL-3.0-or-later
/* logcat reads the lines that vp_log() wrote (threadtime); log writes one. */
#include "android.h"

#include <stdio.h>
#include <string.h>

static const char priorities[] = "VDIWEFS";

struct entry {
	char date[6], time[13];
	int pid, tid;
	char prio;
	const char *tag, *text; /* into the line */
	int tag_len;
};

struct filter {
	char *tag; /* "*": the rest */
	char prio;
};

struct options {
	bool dump, clear, silent_rest, follow_from_now;
	const char *format;
	char *since;   /* "MM-DD HH:MM:SS.mmm" */
	gint64 newest; /* lines from the end; -1: all */
	gint64 max;    /* lines in all; -1: no end */
	int pid;       /* 0: any */
	GRegex *regex;
	GArray *filters;
};

static void options_clear(struct options *o)
{
	for (guint i = 0; i < o->filters->len; i++)
		g_free(g_array_index(o->filters, struct filter, i).tag);
	g_array_free(o->filters, true);
	if (o->regex)
		g_regex_unref(o->regex);
	g_free(o->since);
}

/* "11-30 14:00:01.123  1500  1520 I Tag     : text" */
static bool entry_parse(char *line, struct entry *e)
{
	int start = 0;
	char *colon;

	if (sscanf(line, "%5s %12s %d %d %c %n", e->date, e->time, &e->pid,
		   &e->tid, &e->prio, &start) != 5 ||
	    !start)
		return false;
	e->tag = line + start;
	colon = strstr(e->tag, ": ");
	if (!colon)
		return false;
	e->text = colon + 2;
	e->tag_len = (int)(colon - e->tag);
	while (e->tag_len > 0 && e->tag[e->tag_len - 1] == ' ')
		e->tag_len--;
	return true;
}

static int rank(char prio)
{
	const char *at = strchr(priorities, prio);

	return at && *at ? (int)(at - priorities) : 0;
}

static bool passes(const struct options *o, const struct entry *e)
{
	int least = o->silent_rest ? rank('S') : 0;

	if (o->pid && o->pid != e->pid)
		return false;
	for (guint i = 0; i < o->filters->len; i++) {
		const struct filter *f =
			&g_array_index(o->filters, struct filter, i);

		if (vp_is(f->tag, "*")) {
			least = rank(f->prio);
		} else if ((int)strlen(f->tag) == e->tag_len &&
			   !strncmp(f->tag, e->tag, (size_t)e->tag_len)) {
			least = rank(f->prio);
			break;
		}
	}
	if (rank(e->prio) < least)
		return false;
	return !o->regex || g_regex_match(o->regex, e->text, 0, NULL);
}

static void format_entry(const char *format, const struct entry *e,
			 const char *line, GString *out)
{
	if (vp_is(format, "brief"))
		g_string_append_printf(out, "%c/%-8.*s(%5d): %s\n", e->prio,
				       e->tag_len, e->tag, e->pid, e->text);
	else if (vp_is(format, "time"))
		g_string_append_printf(out, "%s %s %c/%-8.*s(%5d): %s\n",
				       e->date, e->time, e->prio, e->tag_len,
				       e->tag, e->pid, e->text);
	else if (vp_is(format, "tag"))
		g_string_append_printf(out, "%c/%-8.*s: %s\n", e->prio,
				       e->tag_len, e->tag, e->text);
	else if (vp_is(format, "process"))
		g_string_append_printf(out, "%c(%5d) %s  (%.*s)\n", e->prio,
				       e->pid, e->text, e->tag_len, e->tag);
	else if (vp_is(format, "raw"))
		g_string_append_printf(out, "%s\n", e->text);
	else if (vp_is(format, "long"))
		g_string_append_printf(out, "[ %s %s %5d:%5d %c/%.*s ]\n%s\n\n",
				       e->date, e->time, e->pid, e->tid,
				       e->prio, e->tag_len, e->tag, e->text);
	else
		g_string_append_printf(out, "%s\n", line);
}

/* ---- options ---- */

static bool parse_filter(struct options *o, const char *spec)
{
	const char *colon = strrchr(spec, ':');
	struct filter f;

	f.prio = 'V';
	if (colon && colon[1]) {
		f.prio = g_ascii_toupper(colon[1]);
		if (f.prio == '*')
			f.prio = 'V';
		if (colon[2] || !strchr(priorities, f.prio))
			return false;
	}
	f.tag = colon ? g_strndup(spec, (gsize)(colon - spec)) : g_strdup(spec);
	g_array_append_val(o->filters, f);
	return true;
}

/* -t and -T take a count of lines or the time of the first one. */
static void parse_tail(struct options *o, const char *word)
{
	char *end = NULL;
	gint64 count = g_ascii_strtoll(word, &end, 10);

	if (*end)
		o->since = g_strdup(word);
	else
		o->newest = count;
}

static void parse_format(struct options *o, const char *word)
{
	static const char *const formats[] = { "brief",	     "time", "tag",
					       "process",    "raw",  "long",
					       "threadtime", NULL };

	/* Modifiers (color, usec, year, ...) leave the format alone. */
	for (size_t i = 0; formats[i]; i++)
		if (vp_is(formats[i], word))
			o->format = formats[i];
}

static bool parse_value(struct options *o, char option, const char *word)
{
	switch (option) {
	case 'v':
		parse_format(o, word);
		return true;
	case 't':
		o->dump = true;
		parse_tail(o, word);
		return true;
	case 'T':
		parse_tail(o, word);
		return true;
	case 'm':
		o->max = g_ascii_strtoll(word, NULL, 10);
		return true;
	case 'e':
		o->regex = g_regex_new(word, 0, 0, NULL);
		return o->regex != NULL;
	default: /* -b, -G: one buffer of one size holds everything */
		return true;
	}
}

static bool parse_long(struct options *o, const char *arg, const char *next,
		       int *i)
{
	if (g_str_has_prefix(arg, "--pid="))
		o->pid = (int)g_ascii_strtoll(arg + 6, NULL, 10);
	else if (vp_is(arg, "--pid") && next && ++*i)
		o->pid = (int)g_ascii_strtoll(next, NULL, 10);
	else if (g_str_has_prefix(arg, "--regex="))
		return parse_value(o, 'e', arg + 8);
	else if (g_str_has_prefix(arg, "--format="))
		return parse_value(o, 'v', arg + 9);
	else if (!g_str_has_prefix(arg, "--buffer="))
		return false;
	return true;
}

/* NULL, or the word that is wrong. */
static const char *parse_options(struct options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *arg = argv[i];
		const char *next = i + 1 < argc ? argv[i + 1] : NULL;

		if (arg[0] != '-') {
			if (!parse_filter(o, arg))
				return arg;
			continue;
		}
		if (arg[1] == '-') {
			if (!parse_long(o, arg, next, &i))
				return arg;
			continue;
		}
		if (strchr("vtTmebGr", arg[1]) && arg[1]) {
			const char *word = arg[2] ? arg + 2 : next;

			if (!word || !parse_value(o, arg[1], word))
				return arg;
			i += !arg[2];
			continue;
		}
		for (const char *c = arg + 1; *c; c++) {
			o->dump |= *c == 'd' || *c == 'g' || *c == 'S';
			o->clear |= *c == 'c';
			o->silent_rest |= *c == 's';
			if (!strchr("dgScsDL", *c))
				return arg;
		}
	}
	return NULL;
}

/* ---- reading ---- */

struct reader {
	gsize offset;
	unsigned cleared;
	gint64 printed;
};

/* What was logged since; lines that the log dropped meanwhile are lost. */
static char *next_chunk(struct vphone *vp, struct reader *r)
{
	char *chunk;

	VP_LOCKED(vp);
	if (r->cleared != vp->android->log_cleared ||
	    r->offset > vp->logcat->len)
		r->offset = 0;
	r->cleared = vp->android->log_cleared;
	chunk = g_strdup(vp->logcat->str + r->offset);
	r->offset = vp->logcat->len;
	return chunk;
}

/* False when -m lines are out. */
static bool print_chunk(struct vp_call *call, const struct options *o,
			struct reader *r, const char *chunk, gint64 newest)
{
	g_auto(GStrv) lines = g_strsplit(chunk, "\n", -1);
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) out = g_string_new(NULL);
	guint first = 0;

	for (char **line = lines; *line; line++) {
		struct entry e;
		g_autofree char *stamp = NULL;
		g_autoptr(GString) text = g_string_new(NULL);

		if (!entry_parse(*line, &e) || !passes(o, &e))
			continue;
		stamp = g_strdup_printf("%s %s", e.date, e.time);
		if (o->since && strcmp(stamp, o->since) < 0)
			continue;
		format_entry(o->format, &e, *line, text);
		g_ptr_array_add(texts, g_strdup(text->str));
	}
	if (newest >= 0 && texts->len > newest)
		first = texts->len - (guint)newest;
	for (guint i = first; i < texts->len; i++) {
		if (o->max >= 0 && r->printed >= o->max)
			break;
		g_string_append(out, g_ptr_array_index(texts, i));
		r->printed++;
	}
	vp_print(call->out, "%s", out->str);
	return o->max < 0 || r->printed < o->max;
}

/*
 * Often enough to be prompt, seldom enough for a clock that runs fast to
 * leave the host alone.
 */
static gint64 poll_ns(const struct vphone *vp)
{
	return MAX(50 * VP_MSEC, 2 * VP_MSEC * vp->speed);
}

static int read_log(struct vp_call *call, const struct options *o)
{
	struct reader r = { 0 };
	gint64 newest = o->newest;

	vp_print(call->out, "--------- beginning of main\n");
	for (;;) {
		g_autofree char *chunk = next_chunk(call->vp, &r);

		if (!print_chunk(call, o, &r, chunk, newest) || o->dump)
			return 0;
		newest = -1;
		if (!vp_call_sleep(call, poll_ns(call->vp)))
			return 143;
	}
}

static void clear_log(struct vphone *vp)
{
	VP_LOCKED(vp);
	g_string_truncate(vp->logcat, 0);
	vp->android->log_cleared++;
}

static int logcat(struct vp_call *call, struct options *o)
{
	const char *wrong = parse_options(o, call->argc, call->argv);

	if (wrong) {
		vp_print(call->err,
			 "logcat: unrecognized option or filter '%s'\n"
			 "Usage: logcat [options] [filterspecs]\n",
			 wrong);
		return 1;
	}
	if (!o->clear)
		return read_log(call, o);
	clear_log(call->vp);
	return 0;
}

int vp_cmd_logcat(struct vp_call *call)
{
	struct options o = { .format = "threadtime", .newest = -1, .max = -1 };
	int rc;

	o.filters = g_array_new(false, false, sizeof(struct filter));
	rc = logcat(call, &o);
	options_clear(&o);
	return rc;
}

int vp_cmd_log(struct vp_call *call)
{
	const char *tag = "log";
	char prio = 'I';
	g_autofree char *text = NULL;
	int i = 1;

	for (; i + 1 < call->argc && call->argv[i][0] == '-'; i += 2) {
		if (call->argv[i][1] == 't')
			tag = call->argv[i + 1];
		else if (call->argv[i][1] == 'p')
			prio = g_ascii_toupper(call->argv[i + 1][0]);
	}
	if (i >= call->argc) {
		vp_print(call->err,
			 "usage: log [-p PRIO] [-t TAG] MESSAGE...\n");
		return 1;
	}
	text = g_strjoinv(" ", call->argv + i);
	vp_log(call->vp, tag, prio, "%s", text);
	return 0;
}

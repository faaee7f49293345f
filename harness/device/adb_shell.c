// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands that end: collect output and exit status. */
#include "adb_shell_private.h"
#include "clip.h"

#include <string.h>

#define MAX_ACTION 80
#define INPUT_CHUNK 16384

void ab_shell_result_clear(struct ab_shell_result *result)
{
	if (result->out)
		g_string_free(result->out, TRUE);
	if (result->err)
		g_string_free(result->err, TRUE);
	*result = (struct ab_shell_result){ 0 };
}

char *adb_shell_action(const char *command)
{
	g_autofree char *clipped =
		ab_clip(command, MIN(strlen(command), MAX_ACTION));

	return g_strdup_printf("running '%s'%s", clipped,
			       strlen(command) > MAX_ACTION ? "..." : "");
}

bool adb_shell_open(struct adb_conn *c, const char *v2_command,
		    const char *v1_command, bool *v2_out, GError **error)
{
	g_autofree char *service = NULL;

	if (!adb_has_feature(c->adb, c->w, c->serial, "shell_v2", v2_out,
			     error))
		return false;
	service = *v2_out ? g_strconcat("shell,v2,raw:", v2_command, NULL)
			  : g_strconcat("shell:", v1_command, NULL);
	return adb_open_service(c, service, error);
}

bool adb_shell_head(struct adb_conn *c, struct adb_shell_packet *p,
		    GError **error)
{
	const guint8 *head = adb_take(c, ADB_SHELL_HEADER, error);

	if (!head)
		return false;
	p->id = head[0];
	p->len = adb_le32(head + 1);
	if (p->id == ADB_SHELL_STDOUT || p->id == ADB_SHELL_STDERR)
		return true;
	if (p->id != ADB_SHELL_EXIT || p->len != 1) {
		adb_set_nonsense(c, "not a packet of the shell protocol",
				 error);
		return false;
	}
	head = adb_take(c, 1, error);
	if (head)
		c->status = head[0];
	return head;
}

static bool has_room(const struct adb_conn *c, const struct ab_shell_result *r,
		     size_t len, GError **error)
{
	size_t used = r->out->len + r->err->len;

	if (len <= AB_ADB_MAX_OUTPUT - used)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_PROTOCOL,
		    "more than %u MiB of output while %s; it was stopped",
		    AB_ADB_MAX_OUTPUT >> 20, c->what);
	return false;
}

static bool append(struct adb_conn *c, GString *to, size_t len, GError **error)
{
	while (len) {
		const guint8 *data;
		gssize n = adb_take_some(c, len, &data, error);

		if (n == 0)
			adb_set_lost(c, error);
		if (n <= 0)
			return false;
		g_string_append_len(to, (const char *)data, n);
		len -= (size_t)n;
	}
	return true;
}

static bool collect_v2(struct adb_conn *c, struct ab_shell_result *r,
		       GError **error)
{
	struct adb_shell_packet p;

	for (;;) {
		if (!adb_shell_head(c, &p, error))
			return false;
		if (p.id == ADB_SHELL_EXIT)
			break;
		if (!has_room(c, r, p.len, error) ||
		    !append(c, p.id == ADB_SHELL_STDOUT ? r->out : r->err,
			    p.len, error))
			return false;
	}
	r->status = c->status;
	return true;
}

/* Take the last line, which must be a number up to 255, off @out. */
static bool take_status_line(GString *out, int *status_out)
{
	const char *lf = memrchr(out->str, '\n', out->len);
	const char *begin = lf ? lf + 1 : out->str;
	guint64 status;

	if (!g_ascii_string_to_unsigned(begin, 10, 0, 255, &status, NULL))
		return false;
	*status_out = (int)status;
	g_string_truncate(out, (gsize)(begin - out->str));
	return true;
}

static bool chop(GString *out, char c)
{
	if (!out->len || out->str[out->len - 1] != c)
		return false;
	g_string_truncate(out, out->len - 1);
	return true;
}

bool adb_shell_split_v1(GString *out, int *status_out)
{
	bool crlf;

	if (!chop(out, '\n'))
		return false;
	/* An old adbd runs the command on a terminal. */
	crlf = chop(out, '\r');
	if (!take_status_line(out, status_out))
		return false;
	if (crlf)
		g_string_replace(out, "\r\n", "\n", 0);
	/* The line end that the wrapped command adds before the status. */
	chop(out, '\n');
	return true;
}

static bool collect_v1(struct adb_conn *c, struct ab_shell_result *r,
		       GError **error)
{
	const guint8 *data;
	gssize n;

	while ((n = adb_take_some(c, ADB_BUFFER, &data, error)) > 0) {
		if (!has_room(c, r, (size_t)n, error))
			return false;
		g_string_append_len(r->out, (const char *)data, n);
	}
	if (n < 0)
		return false;
	if (!adb_shell_split_v1(r->out, &r->status)) {
		adb_set_lost(c, error);
		return false;
	}
	c->status = r->status;
	return true;
}

static void add_packet(GByteArray *to, enum adb_shell_id id, const char *data,
		       size_t len)
{
	guint8 head[ADB_SHELL_HEADER] = { (guint8)id };

	adb_put_le32(head + 1, (guint32)len);
	g_byte_array_append(to, head, sizeof(head));
	g_byte_array_append(to, (const guint8 *)data, (guint)len);
}

/* @input as packets, with the end of stdin behind it. */
static GByteArray *frame_input(const char *input, size_t len)
{
	GByteArray *framed = g_byte_array_new();

	while (len) {
		size_t n = MIN(len, INPUT_CHUNK);

		add_packet(framed, ADB_SHELL_STDIN, input, n);
		input += n;
		len -= n;
	}
	add_packet(framed, ADB_SHELL_CLOSE_STDIN, "", 0);
	return framed;
}

static bool run(struct adb_conn *c, const char *command,
		const GByteArray *input, struct ab_shell_result *r,
		GError **error)
{
	g_autofree char *v1 = g_strdup_printf(
		"(%s\n) </dev/null; s=$?; echo; echo $s", command);
	bool v2;

	if (!adb_shell_open(c, command, v1, &v2, error))
		return false;
	if (!v2)
		return collect_v1(c, r, error);
	if (input)
		adb_queue(c, input->data, input->len);
	else
		adb_queue(c, ADB_SHELL_NO_INPUT, ADB_SHELL_HEADER);
	return collect_v2(c, r, error);
}

static void result_init(struct ab_shell_result *result)
{
	*result = (struct ab_shell_result){
		.out = g_string_new(NULL),
		.err = g_string_new(NULL),
		.status = -1,
	};
}

bool ab_adb_shell(struct ab_adb *adb, const struct ab_wait *w,
		  const char *serial, const char *command,
		  struct ab_shell_result *result, GError **error)
{
	GError *why = NULL;
	struct adb_conn c;

	result_init(result);
	adb_conn_init(&c, adb, w, serial, adb_shell_action(command));
	run(&c, command, NULL, result, &why);
	return adb_conn_end(&c, why, error);
}

static bool needs_v2(struct adb_conn *c, GError **error)
{
	bool v2;

	if (!adb_has_feature(c->adb, c->w, c->serial, "shell_v2", &v2, error))
		return false;
	if (!v2)
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "no input can be passed while %s: its adbd is too "
			    "old (no shell_v2); Android 12 or later is needed",
			    c->what);
	return v2;
}

bool ab_adb_shell_input(struct ab_adb *adb, const struct ab_wait *w,
			const char *serial, const char *command,
			const char *input, size_t input_len,
			struct ab_shell_result *result, GError **error)
{
	g_autoptr(GByteArray) framed = NULL;
	GError *why = NULL;
	struct adb_conn c;

	result_init(result);
	adb_conn_init(&c, adb, w, serial, adb_shell_action(command));
	if (input_len > AB_ADB_MAX_OUTPUT) {
		g_set_error(&why, AB_ERROR, AB_ERROR_FAILED,
			    "%zu bytes of input are too many while %s; push "
			    "a file instead",
			    input_len, c.what);
	} else if (needs_v2(&c, &why)) {
		framed = frame_input(input, input_len);
		run(&c, command, framed, result, &why);
	}
	return adb_conn_end(&c, why, error);
}

char *ab_adb_shell_text(struct ab_adb *adb, const struct ab_wait *w,
			const char *serial, const char *command, GError **error)
{
	struct ab_shell_result r;
	char *text = NULL;

	if (!ab_adb_shell(adb, w, serial, command, &r, error)) {
		ab_shell_result_clear(&r);
		return NULL;
	}
	if (r.status == 0) {
		text = g_string_free(g_steal_pointer(&r.out), FALSE);
	} else {
		const GString *said = r.err->len ? r.err : r.out;
		g_autofree char *clipped = ab_clip(said->str, said->len);

		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "%s: '%s' failed with status %d: %s", serial,
			    command, r.status, clipped);
	}
	ab_shell_result_clear(&r);
	return text;
}

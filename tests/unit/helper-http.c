// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper-http.h"

#include <gio/gio.h>
#include <string.h>

#define MAX_REQUEST (1 << 20)

struct http {
	const char *const *answers;
	struct ab_intr *intr;
	GSocketListener *listener;
	GCancellable *stop;
	GThread *thread;
	GPtrArray *requests; /* char * */
	GPtrArray *stalled;  /* GSocketConnection * */
	char *url;
	int port;
};

/* The body's length as its header says; -1: the header is not whole yet. */
static gssize body_length(const char *text, gsize *header_out)
{
	const char *end = strstr(text, "\r\n\r\n");
	const char *length = strstr(text, "Content-Length: ");

	if (!end)
		return -1;
	*header_out = (gsize)(end - text) + 4;
	return length && length < end
		       ? (gssize)g_ascii_strtoull(length + 16, NULL, 10)
		       : 0;
}

static char *read_request(struct http *h, GSocketConnection *connection)
{
	GInputStream *in =
		g_io_stream_get_input_stream(G_IO_STREAM(connection));
	g_autoptr(GString) text = g_string_new(NULL);
	char buf[4096];

	while (text->len < MAX_REQUEST) {
		gsize header = 0;
		gssize body = body_length(text->str, &header), n;

		if (body >= 0 && text->len >= header + (gsize)body)
			return g_string_free(g_steal_pointer(&text), FALSE);
		n = g_input_stream_read(in, buf, sizeof(buf), h->stop, NULL);
		if (n <= 0)
			return NULL;
		g_string_append_len(text, buf, n);
	}
	return NULL;
}

static void answer(struct http *h, GSocketConnection *connection)
{
	GOutputStream *out =
		g_io_stream_get_output_stream(G_IO_STREAM(connection));
	const char *text = *h->answers;

	if (h->answers[1])
		h->answers++;
	if (h->intr)
		ab_intr_trigger(h->intr);
	if (!strcmp(text, HTTP_STALL)) {
		g_ptr_array_add(h->stalled, g_object_ref(connection));
		return;
	}
	if (strcmp(text, HTTP_CLOSE) != 0)
		g_output_stream_write_all(out, text, strlen(text), NULL,
					  h->stop, NULL);
	g_io_stream_close(G_IO_STREAM(connection), NULL, NULL);
}

static gpointer serve(gpointer data)
{
	struct http *h = data;

	while (!g_cancellable_is_cancelled(h->stop)) {
		g_autoptr(GSocketConnection) connection =
			g_socket_listener_accept(h->listener, NULL, h->stop,
						 NULL);
		char *request = connection ? read_request(h, connection) : NULL;

		if (!request)
			continue;
		g_ptr_array_add(h->requests, request);
		answer(h, connection);
	}
	return NULL;
}

struct http *http_start(const char *const *answers, struct ab_intr *intr)
{
	struct http *h = g_new0(struct http, 1);
	g_autoptr(GInetAddress) loopback =
		g_inet_address_new_loopback(G_SOCKET_FAMILY_IPV4);
	g_autoptr(GSocketAddress) any = g_inet_socket_address_new(loopback, 0);
	g_autoptr(GSocketAddress) bound = NULL;
	g_autoptr(GError) error = NULL;

	h->answers = answers;
	h->intr = intr;
	h->listener = g_socket_listener_new();
	h->stop = g_cancellable_new();
	h->requests = g_ptr_array_new_with_free_func(g_free);
	h->stalled = g_ptr_array_new_with_free_func(g_object_unref);
	g_socket_listener_add_address(h->listener, any, G_SOCKET_TYPE_STREAM,
				      G_SOCKET_PROTOCOL_TCP, NULL, &bound,
				      &error);
	g_assert_no_error(error);
	h->port = g_inet_socket_address_get_port(G_INET_SOCKET_ADDRESS(bound));
	h->url = g_strdup_printf("http://127.0.0.1:%d/in", h->port);
	h->thread = g_thread_new("http", serve, h);
	return h;
}

void http_stop(struct http *h)
{
	if (!h->thread)
		return;
	g_cancellable_cancel(h->stop);
	g_thread_join(h->thread);
	h->thread = NULL;
	g_socket_listener_close(h->listener);
}

void http_free(struct http *h)
{
	http_stop(h);
	g_ptr_array_unref(h->stalled);
	g_ptr_array_unref(h->requests);
	g_object_unref(h->listener);
	g_object_unref(h->stop);
	g_free(h->url);
	g_free(h);
}

int http_port(const struct http *h)
{
	return h->port;
}

const char *http_url(const struct http *h)
{
	return h->url;
}

guint http_count(const struct http *h)
{
	return h->requests->len;
}

const char *http_request(const struct http *h, guint i)
{
	return h->requests->pdata[i];
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schema of a trace configuration, and a configuration as a tree. */
#ifndef VPHONE_PERFETTO_SCHEMA_H
#define VPHONE_PERFETTO_SCHEMA_H

#include <glib.h>
#include <stdbool.h>

enum vp_type {
	VP_TYPE_UINT32,
	VP_TYPE_UINT64,
	VP_TYPE_INT32,
	VP_TYPE_INT64,
	VP_TYPE_BOOL,
	VP_TYPE_DOUBLE,
	VP_TYPE_STRING,
	VP_TYPE_ENUM,
	VP_TYPE_MESSAGE,
};

struct vp_enum_value {
	const char *name; /* NULL ends the table */
	int number;
};

struct vp_message;

struct vp_field {
	guint32 number;
	const char *name; /* NULL ends the table */
	enum vp_type type;
	bool repeated;
	const struct vp_message *message;
	const struct vp_enum_value *values; /* NULL: any name will do */
};

struct vp_message {
	const char *name;
	const struct vp_field *fields; /* NULL: any field will do */
};

extern const struct vp_message vp_schema_trace_config;

/* A field with its value; the root has no field. */
struct vp_node {
	const struct vp_field *field;
	gint64 number;	     /* integers, bool, enum */
	double real;	     /* double */
	char *text;	     /* string */
	GPtrArray *children; /* struct vp_node *, in the order of the text */
};

/*
 * perfetto_text.c: parse @text, called @file in messages.  On failure the
 * error's message is what perfetto prints: several lines.
 */
struct vp_node *vp_text_parse(const char *file, const char *text,
			      GError **error);
void vp_node_free(struct vp_node *node);
/* The n-th child called @name, or NULL. */
const struct vp_node *vp_node_child(const struct vp_node *node,
				    const char *name, guint n);
/* Values of singular fields, with what they are when absent. */
gint64 vp_node_number(const struct vp_node *node, const char *name,
		      gint64 absent);
const char *vp_node_text(const struct vp_node *node, const char *name);
/* The serialised message. */
void vp_node_serialize(const struct vp_node *node, GByteArray *pb);

#endif

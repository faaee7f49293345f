/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private: how the items of the preparation hang together. */
#ifndef DEVICE_PREPARE_H
#define DEVICE_PREPARE_H

#include <abrig/android.h>

/* One preparation, or one restore (without options). */
struct prepare {
	struct ab_phone *phone;
	const struct ab_wait *w;
	const struct ab_prepare_options *options;
	const struct ab_journal_ops *journal;
	void *data;
	GPtrArray *lost; /* char *; may be NULL */
};

/*
 * One thing that preparation changes.  @prepare reads the old value, records
 * it, sets the new one and proves it by reading; may block.  @restore brings
 * @old (NULL: was not set) of @key back and proves it; may block.  @by_hand
 * is the command that does so from a shell on the host.  The last two are NULL
 * in an item that leaves nothing behind, and in one whose values are recorded
 * under another item's kind.
 */
struct prepare_item {
	const char *kind; /* its name in the journal */
	bool (*prepare)(const struct prepare *p, GError **error);
	bool (*restore)(const struct prepare *p, const char *key,
			const char *old, GError **error);
	char *(*by_hand)(const struct ab_phone *phone, const char *key,
			 const char *old);
};

extern const struct prepare_item prepare_root;	   /* prepare_root.c */
extern const struct prepare_item prepare_charging; /* prepare_charging.c */
extern const struct prepare_item prepare_dexopt;   /* prepare_services.c */
extern const struct prepare_item prepare_airplane;
extern const struct prepare_item prepare_dnd;
extern const struct prepare_item prepare_settings; /* prepare_settings.c */
extern const struct prepare_item prepare_refresh;  /* prepare_display.c */
extern const struct prepare_item prepare_keyguard;

bool prepare_record(const struct prepare *p, const char *kind, const char *key,
		    const char *old, GError **error);
/* A line for the report about what this phone cannot do. */
void prepare_lost(const struct prepare *p, const char *format, ...)
	G_GNUC_PRINTF(2, 3);
/* "2A..: WHAT is 'found', wanted 'wanted'; ..."; always false. */
bool prepare_mismatch(const struct prepare *p, const char *what,
		      const char *wanted, const char *found, GError **error);

/* One setting; false with @error.  *@value_out NULL: not set. */
bool prepare_get_setting(const struct prepare *p, const char *ns,
			 const char *key, char **value_out, GError **error);
/* `settings put`, or delete for a NULL @value; quoted.  Caller frees. */
char *prepare_put_command(const char *ns, const char *key, const char *value);
/* `adb -s SERIAL shell 'COMMAND'`; caller frees. */
char *prepare_shell_by_hand(const struct ab_phone *phone, const char *command);

/* What a phone's settings should say (pure). */
struct prepare_setting {
	const char *ns, *key;
	char *value;
	bool rewritten; /* Android may store another text; proved otherwise */
	bool unset_is_wanted;
};
GArray *prepare_wanted_settings(const struct ab_prepare_options *options);

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
// What outlives the program: slots, the count of boots, settings.
#include "core.h"

static const char *const spaces[] = { "system", "secure", "global" };

int vp_slot_index(const char *slot)
{
	if (slot[0] == '_')
		slot++;
	if ((slot[0] != 'a' && slot[0] != 'b') || slot[1])
		return -1;
	return slot[0] - 'a';
}

static char *state_path(const struct vphone *vp)
{
	return g_build_filename(vp->dir, "state.ini", NULL);
}

static void load_slot(GKeyFile *kf, struct vp_slot *slot, const char *group)
{
	slot->retries = VP_RETRIES;
	if (!g_key_file_has_group(kf, group))
		return;
	slot->retries = g_key_file_get_integer(kf, group, "retries", NULL);
	slot->successful =
		g_key_file_get_boolean(kf, group, "successful", NULL);
	slot->unbootable =
		g_key_file_get_boolean(kf, group, "unbootable", NULL);
}

static void save_slot(GKeyFile *kf, const struct vp_slot *slot,
		      const char *group)
{
	g_key_file_set_integer(kf, group, "retries", slot->retries);
	g_key_file_set_boolean(kf, group, "successful", slot->successful);
	g_key_file_set_boolean(kf, group, "unbootable", slot->unbootable);
}

/* Keys of settings may hold what a key file's keys may not. */
static GHashTable *load_table(GKeyFile *kf, const char *group)
{
	g_auto(GStrv) keys = g_key_file_get_keys(kf, group, NULL, NULL);
	GHashTable *table;

	if (!keys)
		return NULL;
	table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (char **k = keys; *k; k++) {
		char *key = g_uri_unescape_string(*k, NULL);
		char *value = g_key_file_get_string(kf, group, *k, NULL);

		if (key && value)
			g_hash_table_insert(table, key, value);
	}
	return table;
}

static void save_table(GKeyFile *kf, const char *group, GHashTable *table,
		       const char *prefix)
{
	GHashTableIter it;
	gpointer key, value;

	if (!table)
		return;
	g_hash_table_iter_init(&it, table);
	while (g_hash_table_iter_next(&it, &key, &value)) {
		g_autofree char *k = g_uri_escape_string(key, NULL, false);

		if (g_str_has_prefix(key, prefix))
			g_key_file_set_string(kf, group, k, value);
	}
}

void vp_state_load(struct vphone *vp)
{
	g_autoptr(GKeyFile) kf = g_key_file_new();
	g_autofree char *path = state_path(vp);
	g_autofree char *slot = NULL;

	g_key_file_load_from_file(kf, path, G_KEY_FILE_NONE, NULL);
	slot = g_key_file_get_string(kf, "phone", "slot", NULL);
	vp->slot = g_strdup(slot && vp_slot_index(slot) >= 0 ? slot : "a");
	vp->boot_number = g_key_file_get_integer(kf, "phone", "boots", NULL);
	vp->core->start_realtime_ns =
		g_key_file_get_int64(kf, "phone", "realtime_ns", NULL);
	load_slot(kf, &vp->core->slots[0], "slot a");
	load_slot(kf, &vp->core->slots[1], "slot b");
	for (int i = 0; i < 3; i++)
		vp->settings[i] = load_table(kf, spaces[i]);
	vp->core->persist_props = load_table(kf, "props");
}

void vp_state_save(struct vphone *vp)
{
	g_autoptr(GKeyFile) kf = g_key_file_new();
	g_autofree char *path = state_path(vp);
	g_autofree char *text = NULL;
	gsize len = 0;

	g_key_file_set_string(kf, "phone", "slot", vp->slot);
	g_key_file_set_integer(kf, "phone", "boots", vp->boot_number);
	g_key_file_set_int64(kf, "phone", "realtime_ns", vp_realtime_ns(vp));
	save_slot(kf, &vp->core->slots[0], "slot a");
	save_slot(kf, &vp->core->slots[1], "slot b");
	for (int i = 0; i < 3; i++)
		save_table(kf, spaces[i], vp->settings[i], "");
	save_table(kf, "props",
		   vp->core->persist_props ? vp->core->persist_props
					   : vp->props,
		   "persist.");
	text = g_key_file_to_data(kf, &len, NULL);
	if (!vp_replace_file(path, text, len, 0600))
		g_printerr("vphone: cannot write %s\n", path);
}

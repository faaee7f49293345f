// SPDX-License-Identifier: GPL-3.0-or-later
/* Which devices there are, and what they can do. */
#include "adb_private.h"

#include <string.h>

#define MAX_CACHED_DEVICES 1024

static const struct remedy {
	const char *state;
	const char *text;
} remedies[] = {
	{ "device", "nothing: it is usable" },
	{ "unauthorized",
	  "unlock the phone and accept the 'Allow USB debugging' dialog" },
	{ "authorizing", "wait, or accept the dialog on the phone's screen" },
	{ "no permissions",
	  "install udev rules (Debian: apt install "
	  "android-sdk-platform-tools-common), join the group plugdev, log in "
	  "again and re-plug the phone" },
	{ "offline", "re-plug the cable, or restart the phone" },
	{ "absent", "connect the phone, enable USB debugging, check the cable "
		    "and the serial ('adb devices')" },
	{ "more than one", "name the device by its serial" },
	{ "closed", "adbd is restarting, or does not offer this service" },
	{ "connecting", "wait: the connection is being set up" },
	{ "recovery", "reboot the phone to Android" },
	{ "rescue", "reboot the phone to Android" },
	{ "sideload", "reboot the phone to Android" },
	{ "bootloader", "reboot the phone to Android ('fastboot reboot')" },
	{ "host", "this is not a phone; use another serial" },
	{ "detached", "another program holds the phone; 'adb attach' it" },
};

const char *ab_adb_state_remedy(const char *state)
{
	size_t i;

	if (!*state)
		state = "absent";
	for (i = 0; i < G_N_ELEMENTS(remedies); i++)
		if (g_str_has_prefix(state, remedies[i].state))
			return remedies[i].text;
	return "re-plug the cable, or restart the phone and the adb server";
}

GPtrArray *ab_adb_devices(struct ab_adb *adb, const struct ab_wait *w,
			  GError **error)
{
	g_autofree char *list =
		adb_ask(adb, w, NULL, g_strdup("host:devices-l"),
			g_strdup("listing devices"), error);

	return list ? ab_adb_parse_devices(list) : NULL;
}

static bool list_has(const char *features, const char *feature)
{
	g_auto(GStrv) list = g_strsplit(features, ",", 256);

	return g_strv_contains((const char *const *)list, feature);
}

static char *cached_features(struct ab_adb *adb, const char *serial)
{
	char *features;

	g_mutex_lock(&adb->lock);
	features = g_strdup(g_hash_table_lookup(adb->features, serial));
	g_mutex_unlock(&adb->lock);
	return features;
}

static void cache_features(struct ab_adb *adb, const char *serial,
			   const char *features)
{
	g_mutex_lock(&adb->lock);
	if (g_hash_table_size(adb->features) >= MAX_CACHED_DEVICES)
		g_hash_table_remove_all(adb->features);
	g_hash_table_insert(adb->features, g_strdup(serial),
			    g_strdup(features));
	g_mutex_unlock(&adb->lock);
}

void adb_forget_features(struct ab_adb *adb, const char *serial)
{
	g_mutex_lock(&adb->lock);
	g_hash_table_remove(adb->features, serial);
	g_mutex_unlock(&adb->lock);
}

bool adb_has_feature(struct ab_adb *adb, const struct ab_wait *w,
		     const char *serial, const char *feature, bool *has_out,
		     GError **error)
{
	g_autofree char *features = cached_features(adb, serial);

	if (!features) {
		features = adb_ask(adb, w, serial,
				   g_strdup_printf("host-serial:%s:features",
						   serial),
				   g_strdup("asking for features"), error);
		if (!features)
			return false;
		cache_features(adb, serial, features);
	}
	*has_out = list_has(features, feature);
	return true;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* Which kernel runs: read it from the phone, print it. */
#include <abrig/error.h>
#include <abrig/log.h>

#include <string.h>

#include "image.h"

#define MAX_CONFIG (8u << 20)

void ab_identity_clear(struct ab_identity *id)
{
	g_free(id->release);
	g_free(id->banner);
	g_free(id->config_sha256);
	g_free(id->boot_id);
	g_free(id->slot);
	g_free(id->cmdline);
	memset(id, 0, sizeof(*id));
}

enum {
	READ_VERSION,
	READ_RELEASE,
	READ_BOOT_ID,
	READ_SLOT,
	READ_CMDLINE,
	READ_CONFIG
};

/* The shell itself reads: this is asked after every run, forks add up. */
#define READ_FILE(path) "IFS= read -r x <" path " && echo \"$x\""

static const char *const commands[] = {
	[READ_VERSION] = READ_FILE("/proc/version"),
	[READ_RELEASE] = "uname -r",
	[READ_BOOT_ID] = READ_FILE("/proc/sys/kernel/random/boot_id"),
	[READ_SLOT] = "getprop ro.boot.slot_suffix",
	[READ_CMDLINE] = READ_FILE("/proc/cmdline"),
	/* Text on the way; inflated and hashed here, not by the phone. */
	[READ_CONFIG] = "base64 /proc/config.gz",
	NULL,
};

static char *text_or_null(const char *text)
{
	return *text ? g_strdup(text) : NULL;
}

static char *config_hash(const struct ab_phone *phone, const char *base64,
			 GError **error)
{
	gsize len;
	g_autofree guchar *gz = g_base64_decode(base64, &len);
	g_autoptr(GByteArray) text =
		kernel_gunzip(gz, len, MAX_CONFIG, NULL, error);

	if (!text) {
		g_prefix_error(error, "%s: /proc/config.gz: ", phone->serial);
		return NULL;
	}
	return kernel_config_hash((const char *)text->data, text->len);
}

static bool check_read(const struct ab_phone *phone,
		       const struct ab_identity *id, GError **error)
{
	if (id->banner && id->release && id->boot_id)
		return true;
	g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
		    "%s: cannot read which kernel runs: /proc/version '%s', "
		    "uname -r '%s', boot id '%s'",
		    phone->serial, id->banner ? id->banner : "",
		    id->release ? id->release : "",
		    id->boot_id ? id->boot_id : "");
	return false;
}

bool ab_identity_read(struct ab_phone *phone, const struct ab_wait *w,
		      struct ab_identity *id_out, GError **error)
{
	g_auto(GStrv) texts = ab_phone_texts(phone, w, commands, error);
	struct ab_identity id;

	if (!texts)
		return false;
	id = (struct ab_identity){
		.banner = text_or_null(texts[READ_VERSION]),
		.release = text_or_null(texts[READ_RELEASE]),
		.boot_id = text_or_null(texts[READ_BOOT_ID]),
		.slot = text_or_null(texts[READ_SLOT] +
				     strspn(texts[READ_SLOT], "_")),
		.cmdline = text_or_null(texts[READ_CMDLINE]),
	};
	if (*texts[READ_CONFIG])
		id.config_sha256 =
			config_hash(phone, texts[READ_CONFIG], error);
	if ((*texts[READ_CONFIG] && !id.config_sha256) ||
	    !check_read(phone, &id, error)) {
		ab_identity_clear(&id);
		return false;
	}
	ab_log("kernel.identity", AB_S("serial", phone->serial),
	       AB_S("banner", id.banner), AB_S("config", id.config_sha256),
	       AB_S("slot", id.slot), AB_S("boot_id", id.boot_id));
	*id_out = id;
	return true;
}

char *ab_identity_describe(const struct ab_identity *id)
{
	GString *s = g_string_new(id->release ? id->release : "any release");
	const char *build = id->banner ? strchr(id->banner, '#') : NULL;

	if (build)
		g_string_append_printf(s, " (%s)", build);
	if (id->config_sha256)
		g_string_append_printf(s, ", config %.8s", id->config_sha256);
	if (id->slot)
		g_string_append_printf(s, ", slot %s", id->slot);
	return g_string_free(s, FALSE);
}

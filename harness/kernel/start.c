// SPDX-License-Identifier: GPL-3.0-or-later
/* Start a variant, prove that it runs, give the phone's slot back. */
#include <abrig/error.h>
#include <abrig/log.h>

#include <string.h>

#include "variant.h"

#define BOOT_MS 300000

/* ---- the proof ---- */

struct proof {
	const struct ab_variant *variant;
	struct ab_variant *const *others;
	const struct ab_identity *found;
	const char *home_slot, *serial;
};

/* What should run, as far as image and plan say. */
static struct ab_identity expected_identity(const struct proof *p)
{
	const struct ab_bootimg *boot = p->variant->boot;

	return (struct ab_identity){
		.release = boot ? boot->release : NULL,
		.banner = boot ? boot->banner : NULL,
		.config_sha256 = boot ? boot->config_sha256 : NULL,
		.slot = (char *)p->variant->ops->slot(p->variant, p->home_slot),
		.cmdline = p->variant->verify_cmdline,
	};
}

/* A side that does not say is no contradiction. */
static bool agree(const char *wanted, const char *found)
{
	return !wanted || !found || g_str_equal(wanted, found);
}

static bool contains(const char *found, const char *wanted)
{
	return !wanted || (found && strstr(found, wanted));
}

static bool is_kernel_of(const struct ab_variant *v,
			 const struct ab_identity *found)
{
	return (!v->boot ||
		(agree(v->boot->banner, found->banner) &&
		 agree(v->boot->config_sha256, found->config_sha256))) &&
	       contains(found->release, v->verify_uname) &&
	       contains(found->cmdline, v->verify_cmdline);
}

static const char *whose_kernel(const struct proof *p)
{
	for (struct ab_variant *const *v = p->others; v && *v; v++)
		if (*v != p->variant && (*v)->boot &&
		    is_kernel_of(*v, p->found))
			return (*v)->name;
	return NULL;
}

/* The partition that should have brought the kernel: "boot_b". */
static char *kernel_partition(const struct proof *p, const char *slot)
{
	for (guint i = 0; i < p->variant->images->len; i++) {
		const struct ab_image *image = p->variant->images->pdata[i];

		if (variant_holds_kernel(image->partition))
			return slot ? g_strdup_printf("%s_%s", image->partition,
						      slot)
				    : g_strdup(image->partition);
	}
	return g_strdup("the kernel");
}

static void explain_kernel(const struct proof *p,
			   const struct ab_identity *wanted, GString *s)
{
	g_autofree char *partition = kernel_partition(p, wanted->slot);
	const char *whose = whose_kernel(p);

	if (is_kernel_of(p->variant, p->found))
		return;
	/* From the wrong slot its own kernel cannot run. */
	if (agree(wanted->slot, p->found->slot))
		g_string_append_printf(s, "; the %s of %s did not take effect",
				       p->variant->ops->name, partition);
	if (whose)
		g_string_append_printf(s,
				       "; %s runs the kernel of variant '%s'",
				       p->serial, whose);
	else
		g_string_append(s, "; what runs is the kernel of no variant "
				   "of this plan");
}

static void explain_slot(const struct proof *p,
			 const struct ab_identity *wanted, GString *s)
{
	if (agree(wanted->slot, p->found->slot))
		return;
	g_string_append_printf(
		s,
		"; %s booted slot %s instead of %s: the bootloader ignored "
		"set_active, or fell back after failed boots (see "
		"slot-retry-count and slot-unbootable in `fastboot getvar "
		"all`). After an update by Android the other slot holds no "
		"system: write the whole phone's images to both slots once, "
		"or say 'slot: active'",
		p->serial, p->found->slot, wanted->slot);
}

static void explain_demands(const struct proof *p, GString *s)
{
	if (!contains(p->found->release, p->variant->verify_uname))
		g_string_append_printf(s, "; '%s' is not in its release",
				       p->variant->verify_uname);
	if (contains(p->found->cmdline, p->variant->verify_cmdline))
		return;
	if (p->found->cmdline)
		g_string_append_printf(s, "; '%s' is not in /proc/cmdline",
				       p->variant->verify_cmdline);
	else
		g_string_append(s, "; /proc/cmdline cannot be read, as "
				   "verify.cmdline needs: it takes root");
}

/* Descriptions are short; when they hide the difference, print it all. */
static void append_sides(const struct ab_identity *wanted,
			 const struct ab_identity *found, GString *s)
{
	g_autofree char *a = ab_identity_describe(wanted);
	g_autofree char *b = ab_identity_describe(found);
	bool same = g_str_equal(a, b);

	g_string_append_printf(s, "expected %s, found %s",
			       same && wanted->banner ? wanted->banner : a,
			       same && wanted->banner ? found->banner : b);
}

bool ab_kernel_prove(const struct ab_variant *variant,
		     struct ab_variant *const *others,
		     const struct ab_identity *found, const char *home_slot,
		     const char *serial, GError **error)
{
	const struct proof p = { variant, others, found, home_slot, serial };
	const struct ab_identity wanted = expected_identity(&p);
	g_autoptr(GString) s = g_string_new(NULL);

	if (is_kernel_of(variant, found) && agree(wanted.slot, found->slot))
		return true;
	append_sides(&wanted, found, s);
	explain_kernel(&p, &wanted, s);
	explain_slot(&p, &wanted, s);
	explain_demands(&p, s);
	g_set_error(error, AB_ERROR, AB_ERROR_IDENTITY,
		    "%s: the running kernel is not that of variant '%s': %s",
		    serial, variant->name, s->str);
	ab_log("kernel.mismatch", AB_S("serial", serial),
	       AB_S("variant", variant->name), AB_S("why", s->str));
	return false;
}

/* ---- start ---- */

static bool wait_boot(struct ab_phone *phone, const struct ab_wait *w,
		      GError **error)
{
	struct ab_wait sub = ab_wait_sub(w, BOOT_MS);

	return ab_phone_wait_boot(phone, &sub, error);
}

bool ab_kernel_start(const struct ab_variant *variant,
		     struct ab_variant *const *others, struct ab_phone *phone,
		     const struct ab_wait *w, const char *home_slot,
		     struct ab_identity *id_out, GError **error)
{
	struct ab_identity id;

	ab_log("kernel.start", AB_S("serial", phone->serial),
	       AB_S("variant", variant->name),
	       AB_S("kind", variant->ops->name));
	if (!variant->ops->install(variant, phone, w, home_slot, error))
		return false;
	if (!wait_boot(phone, w, error)) {
		g_prefix_error(error, "variant '%s': ", variant->name);
		return false;
	}
	if (!ab_identity_read(phone, w, &id, error))
		return false;
	if (!ab_kernel_prove(variant, others, &id, home_slot, phone->serial,
			     error)) {
		ab_identity_clear(&id);
		return false;
	}
	*id_out = id;
	return true;
}

/* ---- restore ---- */

/* NULL without @error: the phone is not in Android. */
static char *running_slot(struct ab_phone *phone, const struct ab_wait *w,
			  GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *text =
		ab_phone_text(phone, w, &why, "getprop ro.boot.slot_suffix");

	if (text)
		return g_strdup(g_strstrip(text) + strspn(text, "_"));
	if (!g_error_matches(why, AB_ERROR, AB_ERROR_OFFLINE))
		g_propagate_error(error, g_steal_pointer(&why));
	return NULL;
}

static bool activate(struct ab_phone *phone, const struct ab_wait *w,
		     const char *home_slot, GError **error)
{
	return bootloader_enter(phone, w, error) &&
	       bootloader_set_active(phone, w, home_slot, error) &&
	       bootloader_leave(phone, w, error) && wait_boot(phone, w, error);
}

bool ab_kernel_restore_slot(struct ab_phone *phone, const struct ab_wait *w,
			    const char *home_slot, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *before = NULL, *after = NULL;

	if (!home_slot)
		return true;
	before = running_slot(phone, w, &why);
	if (why) {
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	if (g_strcmp0(before, home_slot) == 0)
		return true;
	if (!activate(phone, w, home_slot, error))
		return false;
	after = running_slot(phone, w, error);
	if (g_strcmp0(after, home_slot) == 0)
		return true;
	if (after)
		g_set_error(error, AB_ERROR, AB_ERROR_REMOTE,
			    "%s: slot %s was made active again, but it booted "
			    "slot %s; run `fastboot set_active %s`",
			    phone->serial, home_slot, after, home_slot);
	return false;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_internal.h"

#include <stddef.h>
#include <string.h>

#define MAX_PLATFORMS 64
#define MAX_DEVICES 256 /* per platform */
#define MAX_ADDRESS 128

struct platform_fields {
	const struct ab_node *devices;
	char *product;
};

const struct ab_key plan_platform_keys[] = {
	{ .name = "devices",
	  .type = AB_KEY_NODE,
	  .offset = offsetof(struct platform_fields, devices),
	  .required = true,
	  .help = "List of phones, each by its serial as `adb devices` prints "
		  "it, or as { serial: ..., fastboot: ... }." },
	{ .name = "product",
	  .type = AB_KEY_STRING,
	  .offset = offsetof(struct platform_fields, product),
	  .help = "Product that the bootloader must report (fastboot getvar "
		  "product) before anything is flashed." },
	AB_KEYS_END
};

#define DEVICE(field) offsetof(struct ab_plan_device, field)

const struct ab_key plan_device_keys[] = {
	{ .name = "serial",
	  .type = AB_KEY_STRING,
	  .offset = DEVICE(serial),
	  .required = true,
	  .help = "Serial for adb; host:port for a phone over TCP." },
	{ .name = "fastboot",
	  .type = AB_KEY_STRING,
	  .offset = DEVICE(fastboot),
	  .help = "Serial for fastboot, such as tcp:host:port; the same as for "
		  "adb unless said otherwise." },
	AB_KEYS_END
};

static void device_free(void *data)
{
	struct ab_plan_device *device = data;

	g_free(device->serial);
	g_free(device->fastboot);
	g_free(device);
}

static void platform_free(void *data)
{
	struct ab_plan_platform *platform = data;

	g_free(platform->name);
	g_free(platform->product);
	g_ptr_array_unref(platform->devices);
	g_free(platform);
}

/* It becomes an argument of programs and a part of protocol requests. */
static bool check_address(const char *address, const struct ab_node *node,
			  GError **error)
{
	size_t len = strspn(address, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789._:/@[]-");

	if (len && !address[len] && len <= MAX_ADDRESS && *address != '-')
		return true;
	return ab_node_error(node, error,
			     "'%.*s' cannot be a serial; copy it from `adb "
			     "devices`",
			     MAX_ADDRESS, address);
}

static bool parse_device(struct ab_plan_device *device,
			 const struct ab_node *node, GError **error)
{
	device->where = node;
	if (node->type == AB_NODE_SCALAR) {
		if (!ab_keys_parse_value(plan_device_keys, node,
					 &device->serial, error))
			return false;
	} else if (!ab_keys_parse(plan_device_keys, node, device, error)) {
		return false;
	}
	if (!device->fastboot)
		device->fastboot = g_strdup(device->serial);
	return check_address(device->serial, node, error) &&
	       check_address(device->fastboot, node, error);
}

static bool parse_devices(struct ab_plan_platform *platform,
			  const struct ab_node *node, GError **error)
{
	guint i;

	if (node->type != AB_NODE_LIST || !node->items->len)
		return ab_node_error(node, error,
				     "'devices' must list at least one serial, "
				     "such as [2A101FDH2000XX]; `adb devices` "
				     "prints them");
	if (node->items->len > MAX_DEVICES)
		return ab_node_error(node, error,
				     "more than %d devices in one platform",
				     MAX_DEVICES);
	for (i = 0; i < node->items->len; i++) {
		struct ab_plan_device *device =
			g_new0(struct ab_plan_device, 1);

		g_ptr_array_add(platform->devices, device);
		if (!parse_device(device, g_ptr_array_index(node->items, i),
				  error))
			return false;
	}
	return true;
}

static bool parse_platform(struct ab_plan *plan, const struct ab_pair *pair,
			   GError **error)
{
	struct platform_fields fields = { 0 };
	struct ab_plan_platform *platform = g_new0(struct ab_plan_platform, 1);
	bool ok;

	platform->name = g_strdup(pair->key->text);
	platform->devices = g_ptr_array_new_with_free_func(device_free);
	g_ptr_array_add(plan->platforms, platform);
	ok = ab_node_check_name(pair->key, "platform", 32, error) &&
	     ab_keys_parse(plan_platform_keys, pair->value, &fields, error) &&
	     parse_devices(platform, fields.devices, error);
	platform->product = g_steal_pointer(&fields.product);
	ab_keys_clear(plan_platform_keys, &fields);
	return ok;
}

/* One phone, listed twice, would be driven by two workers at once. */
static bool check_unique(GHashTable *seen, const char *address,
			 const struct ab_plan_device *device, GError **error)
{
	const struct ab_plan_device *first = g_hash_table_lookup(seen, address);

	if (first)
		return ab_node_error(device->where, error,
				     "device '%s' is listed twice; the first "
				     "is at %s:%d",
				     address, first->where->file,
				     first->where->line);
	g_hash_table_insert(seen, (void *)address, (void *)device);
	return true;
}

static bool check_devices(const struct ab_plan *plan, GError **error)
{
	g_autoptr(GHashTable) adb = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) fastboot =
		g_hash_table_new(g_str_hash, g_str_equal);
	guint p, d;

	for (p = 0; p < plan->platforms->len; p++) {
		const struct ab_plan_platform *platform =
			g_ptr_array_index(plan->platforms, p);

		for (d = 0; d < platform->devices->len; d++) {
			const struct ab_plan_device *device =
				g_ptr_array_index(platform->devices, d);

			if (!check_unique(adb, device->serial, device, error) ||
			    !check_unique(fastboot, device->fastboot, device,
					  error))
				return false;
		}
	}
	return true;
}

bool plan_parse_platforms(struct ab_plan *plan, const struct ab_node *node,
			  GError **error)
{
	guint i;

	plan->platforms = g_ptr_array_new_with_free_func(platform_free);
	if (!plan_check_map(node, "platforms", 1, MAX_PLATFORMS, error))
		return false;
	for (i = 0; i < node->pairs->len; i++)
		if (!parse_platform(plan, g_ptr_array_index(node->pairs, i),
				    error))
			return false;
	return check_devices(plan, error);
}

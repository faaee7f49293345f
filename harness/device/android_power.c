// SPDX-License-Identifier: GPL-3.0-or-later
/* Battery and temperatures, out of dumpsys. */
#include <abrig/android.h>
#include <abrig/text.h>

#include <math.h>
#include <string.h>

/* "  key: value" with exactly this indentation; NULL: another line. */
static char *battery_pair(char *line, char **value_out)
{
	char *colon = strchr(line, ':');

	if (strncmp(line, "  ", 2) != 0 || line[2] == ' ' || !colon)
		return NULL;
	*colon = '\0';
	*value_out = g_strstrip(colon + 1);
	return line + 2;
}

static void battery_field(struct ab_battery *b, const char *key,
			  const char *value)
{
	static const char *const sources[] = { "AC powered", "USB powered",
					       "Wireless powered",
					       "Dock powered", NULL };
	gint64 number;

	if (g_strv_contains(sources, key))
		b->plugged |= g_str_equal(value, "true");
	if (!ab_text_to_int(value, &number) || ABS(number) > G_MAXINT)
		return;
	if (g_str_equal(key, "level"))
		b->level = (int)number;
	else if (g_str_equal(key, "status"))
		b->status = (int)number;
	else if (g_str_equal(key, "temperature"))
		b->temp_dc = (int)number;
}

/* Some vendors append logs that use the same keys: stop at other lines. */
static void battery_fields(struct ab_battery *b, const char *text)
{
	bool inside = false;

	for (;;) {
		g_autofree char *line = ab_text_next_line(&text);
		char *value, *key;

		if (!line)
			return;
		if (strstr(line, "UPDATES STOPPED")) {
			b->faked = true;
			continue;
		}
		key = battery_pair(line, &value);
		if (!key && inside)
			return;
		if (!key)
			continue;
		inside = true;
		battery_field(b, key, value);
	}
}

bool ab_android_parse_battery(const char *text, const char *current_now,
			      struct ab_battery *battery_out)
{
	g_autofree char *current = g_strstrip(g_strdup(current_now));

	*battery_out =
		(struct ab_battery){ .level = -1, .current_ua = G_MININT64 };
	battery_fields(battery_out, text);
	if (!ab_text_to_int(current, &battery_out->current_ua))
		battery_out->current_ua = G_MININT64;
	return battery_out->level >= 0 && battery_out->level <= 100;
}

#define CHARGING 2
#define DISCHARGING 3

/*
 * The kernel's ABI says that a positive current flows into the battery, but
 * not all gauges keep to it: what the driver calls discharging is.
 */
int ab_battery_flow(const struct ab_battery *battery)
{
	if (battery->status == DISCHARGING && !battery->faked)
		return -1;
	if (battery->current_ua != G_MININT64)
		return (battery->current_ua > 0) - (battery->current_ua < 0);
	if (battery->status == CHARGING)
		return 1;
	return battery->status > 0 ? -1 : 0;
}

#define TYPE_SKIN 3

/* "Temperature{mValue=33.1, mType=3, mName=VIRTUAL-SKIN, mStatus=0}" */
static bool parse_temperature(const char *text, double *value_out,
			      gint64 *type_out, char **name_out)
{
	const char *value = strstr(text, "mValue=");
	const char *type = strstr(text, "mType=");
	const char *name = strstr(text, "mName=");

	if (!value || !type || !name)
		return false;
	*value_out = g_ascii_strtod(value + strlen("mValue="), NULL);
	*type_out = g_ascii_strtoll(type + strlen("mType="), NULL, 10);
	name += strlen("mName=");
	*name_out = g_strndup(name, strcspn(name, ",}"));
	return isfinite(*value_out);
}

static double skin_temperature(const char *text)
{
	double skin = NAN;

	for (;;) {
		g_autofree char *line = ab_text_next_line(&text);
		g_autofree char *name = NULL;
		double value;
		gint64 type;

		if (!line || !strstr(line, "Temperature{"))
			return skin;
		if (!parse_temperature(line, &value, &type, &name))
			continue;
		if (g_str_equal(name, "VIRTUAL-SKIN"))
			return value;
		if (type == TYPE_SKIN && !(value <= skin))
			skin = value;
	}
}

void ab_android_parse_thermal(const char *text, struct ab_thermal *thermal_out)
{
	/* The cached ones may be minutes old. */
	static const char title[] = "Current temperatures from HAL:";
	static const char status[] = "Thermal Status: ";
	const char *hal = strstr(text, title);
	const char *at = strstr(text, status);

	*thermal_out = (struct ab_thermal){ .skin_c = NAN, .status = -1 };
	if (hal) {
		hal += strlen(title);
		hal += strspn(hal, "\r\n");
		thermal_out->skin_c = skin_temperature(hal);
	}
	if (at && g_ascii_isdigit(at[strlen(status)]))
		thermal_out->status = at[strlen(status)] - '0';
	thermal_out->overridden = strstr(text, "IsStatusOverride: true");
}

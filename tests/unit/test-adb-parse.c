// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared.h"

#include <abrig/adb.h>
#include <abrig/text.h>

#include <string.h>

/* The devices wanted, one a line: serial|state|path|product|model|device|id */
static const struct list_case {
	const char *name;
	const char *text;
	const char *want;
} cases[] = {
	{ "tab", "A1\tdevice\n", "A1|device|||||0\n" },
	{ "no-end-of-line", "A1\tdevice", "A1|device|||||0\n" },
	{ "padded",
	  "0123456789ABCDEF       device product:p model:m device:d "
	  "transport_id:12\n",
	  "0123456789ABCDEF|device||p|m|d|12\n" },
	{ "usb-path",
	  "A1 device usb:2-1.4 product:p model:m device:d transport_id:1\n",
	  "A1|device|usb:2-1.4|p|m|d|1\n" },
	{ "bare-path",
	  "12345678               device 3-1 product:manet model:M device:manet "
	  "transport_id:2\n",
	  "12345678|device|3-1|manet|M|manet|2\n" },
	{ "mdns",
	  "adb-0123456789AB-CDdefg (2)._adb-tls-connect._tcp device "
	  "product:blazer model:Pixel_10_Pro device:blazer transport_id:3\n",
	  "adb-0123456789AB-CDdefg (2)._adb-tls-connect._tcp|device||blazer|"
	  "Pixel_10_Pro|blazer|3\n" },
	{ "serial-with-space", "ZUG 5S\tdevice\n", "ZUG 5S|device|||||0\n" },
	{ "serial-says-device", "my device\tdevice product:p\n",
	  "my device|device||p|||0\n" },
	{ "product-with-spaces",
	  "VS1 device product:VS Emulator 5-inch device model:M device:d\n",
	  "VS1|device||VS Emulator 5-inch device|M|d|0\n" },
	{ "tcp", "192.168.1.1:5555\tdevice\n[::1]:5555\toffline\n",
	  "192.168.1.1:5555|device|||||0\n[::1]:5555|offline|||||0\n" },
	{ "no-serial",
	  "(no serial number)     device usb:1-1\n(no serial number)\tdevice\n",
	  "(no serial number)|device|usb:1-1||||0\n"
	  "(no serial number)|device|||||0\n" },
	{ "no-permissions-bare", "????????????\tno permissions\n",
	  "????????????|no permissions|||||0\n" },
	{ "no-permissions-text",
	  "A1\tno permissions (missing udev rules? user is in the plugdev "
	  "group); see [http://developer.android.com/tools/device.html]\n",
	  "A1|no permissions (missing udev rules? user is in the plugdev "
	  "group); see [http://developer.android.com/tools/device.html]"
	  "|||||0\n" },
	{ "no-permissions-long",
	  "A1                     no permissions (user in plugdev group; are "
	  "your udev rules wrong?); see [http://x] usb:3-1 transport_id:7\n",
	  "A1|no permissions (user in plugdev group; are your udev rules "
	  "wrong?); see [http://x]|usb:3-1||||7\n" },
	{ "offline-path", "A1 offline usb:3-4\n", "A1|offline|usb:3-4||||0\n" },
	{ "states",
	  "A unauthorized transport_id:1\nB\tauthorizing\nC\tconnecting\n"
	  "D\trecovery\nE\tsideload\nF\tbootloader\n",
	  "A|unauthorized|||||1\nB|authorizing|||||0\nC|connecting|||||0\n"
	  "D|recovery|||||0\nE|sideload|||||0\nF|bootloader|||||0\n" },
	{ "daemon-start",
	  "* daemon not running; starting now at tcp:5037\n"
	  "* daemon started successfully\nList of devices attached\nA\tdevice\n",
	  "A|device|||||0\n" },
	{ "mismatch",
	  "List of devices attached\nadb server version (41) doesn't match "
	  "this client (39); killing...\nADB server didn't ACK\n"
	  "error: device offline\nerror: device unauthorized\nA\tdevice\n",
	  "A|device|||||0\n" },
	{ "crlf",
	  "List of devices attached\r\nA\tdevice usb:1-1 product:p\r\n\r\n",
	  "A|device|usb:1-1|p|||0\n" },
	{ "unknown-key", "A device trandport_id:2 model:M features:a,b\n",
	  "A|device|||M||0\n" },
	{ "absurd-transport-id",
	  "A device transport_id:99999999999\nB device transport_id:-1\n"
	  "C device transport_id:\n",
	  "A|device|||||0\nB|device|||||0\nC|device|||||0\n" },
	{ "no-state", "foo:bar\nA1\nhello world\ndevice\n\tdevice\n", "" },
	{ "empty", "", "" },
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static char *render(const GPtrArray *devices)
{
	GString *text = g_string_new(NULL);
	guint i;

	for (i = 0; i < devices->len; i++) {
		const struct ab_adb_device *d = devices->pdata[i];

		g_string_append_printf(text, "%s|%s|%s|%s|%s|%s|%d\n",
				       d->serial, d->state, or_empty(d->path),
				       or_empty(d->product), or_empty(d->model),
				       or_empty(d->device), d->transport_id);
	}
	return g_string_free(text, FALSE);
}

static void test_case(gconstpointer data)
{
	const struct list_case *c = data;
	g_autoptr(GPtrArray) devices = ab_adb_parse_devices(c->text);
	g_autofree char *got = render(devices);

	g_assert_cmpstr(got, ==, c->want);
}

static const struct ab_adb_device *find(const GPtrArray *devices,
					const char *serial)
{
	guint i;

	for (i = 0; i < devices->len; i++) {
		const struct ab_adb_device *d = devices->pdata[i];

		if (!strcmp(d->serial, serial))
			return d;
	}
	g_test_fail_printf("no device '%s'", serial);
	return NULL;
}

/* One line of EXPECTED.tsv: file, serial, state, model. */
static void check_capture(const char *dir, const char *line)
{
	g_auto(GStrv) field = g_strsplit(line, "\t", -1);
	g_autofree char *path = g_build_filename(dir, field[0], NULL);
	g_autofree char *text = NULL;
	g_autoptr(GPtrArray) devices = NULL;
	const struct ab_adb_device *d;

	g_assert_cmpuint(g_strv_length(field), ==, 4);
	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	devices = ab_adb_parse_devices(text);
	d = find(devices, field[1]);
	if (!d)
		return;
	g_assert_cmpstr(d->state, ==, field[2]);
	g_assert_cmpstr(or_empty(d->model), ==, field[3]);
}

static void test_captures(void)
{
	g_autofree char *dir = shared_path("data/adb-devices");
	g_autofree char *text = shared_text("data/adb-devices/EXPECTED.tsv");
	const char *cursor = text;
	int checked = 0;
	char *line;

	if (!dir || !text)
		return;
	while ((line = ab_text_next_line(&cursor))) {
		check_capture(dir, line);
		checked++;
		g_free(line);
	}
	g_assert_cmpint(checked, >, 5);
}

static void test_ceilings(void)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GPtrArray) devices = NULL;
	int i;

	for (i = 0; i < 100000; i++)
		g_string_append_c(text, 'x');
	g_string_append(text, "\tdevice\n");
	for (i = 0; i < 5000; i++)
		g_string_append_printf(text, "S%d\tdevice\n", i);
	devices = ab_adb_parse_devices(text->str);
	g_assert_cmpuint(devices->len, ==, 1024);
	g_assert_cmpstr(((struct ab_adb_device *)devices->pdata[0])->serial, ==,
			"S0");
}

static void test_remedies(void)
{
	g_assert_nonnull(strstr(ab_adb_state_remedy("unauthorized"), "dialog"));
	g_assert_nonnull(
		strstr(ab_adb_state_remedy("no permissions (x)"), "udev"));
	g_assert_nonnull(strstr(ab_adb_state_remedy("offline"), "cable"));
	g_assert_nonnull(strstr(ab_adb_state_remedy(""), "connect"));
	g_assert_nonnull(ab_adb_state_remedy("never heard of"));
}

int main(int argc, char **argv)
{
	size_t i;

	g_test_init(&argc, &argv, NULL);
	for (i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path =
			g_strconcat("/adb/devices/", cases[i].name, NULL);

		g_test_add_data_func(path, &cases[i], test_case);
	}
	g_test_add_func("/adb/devices/captures", test_captures);
	g_test_add_func("/adb/devices/ceilings", test_ceilings);
	g_test_add_func("/adb/devices/remedies", test_remedies);
	return g_test_run();
}

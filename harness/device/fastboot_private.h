/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DEVICE_FASTBOOT_PRIVATE_H
#define DEVICE_FASTBOOT_PRIVATE_H

#include <stdbool.h>

enum fastboot_seen {
	FASTBOOT_ABSENT,
	FASTBOOT_PRESENT,
	FASTBOOT_REFUSED, /* some device is there, but may not be opened */
};

/* Look for @serial in what `fastboot devices` printed to stdout (pure). */
enum fastboot_seen fastboot_find_device(const char *out, const char *serial);

#endif

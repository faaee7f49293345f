/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell service's framing, shared by commands that end and streams. */
#ifndef DEVICE_ADB_SHELL_PRIVATE_H
#define DEVICE_ADB_SHELL_PRIVATE_H

#include "adb_private.h"

enum adb_shell_id {
	ADB_SHELL_STDIN = 0,
	ADB_SHELL_STDOUT = 1,
	ADB_SHELL_STDERR = 2,
	ADB_SHELL_EXIT = 3,
	ADB_SHELL_CLOSE_STDIN = 4,
};

#define ADB_SHELL_HEADER 5
#define ADB_SHELL_NO_INPUT "\x04\0\0\0"

struct adb_shell_packet {
	enum adb_shell_id id;
	size_t len; /* of the data that follows; an exit status is read */
};

/* The next packet's head; an exit packet is read whole into @c->status. */
bool adb_shell_head(struct adb_conn *c, struct adb_shell_packet *p,
		    GError **error);
/* "running 'COMMAND'", cut where it is long. */
char *adb_shell_action(const char *command);
/* Open the shell service that the device has; *@v2_out says which. */
bool adb_shell_open(struct adb_conn *c, const char *v2_command,
		    const char *v1_command, bool *v2_out, GError **error);

/*
 * Split what a shell without shell_v2 printed into the command's output (in
 * place) and the status on its last line (pure).  False when there is none.
 */
bool adb_shell_split_v1(GString *out, int *status_out);

#endif

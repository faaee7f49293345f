/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between vphone-cmd, in the phone's root, and the virtual phone: one packet
 * with the three standard descriptors: i32 uid, cwd, argv..., each text with
 * its NUL.  Then single bytes, each a signal that the client got.  Back comes
 * an i32 exit status.  VPHONE_CMD_DETACH in its place asks the client to fork:
 * its child sends its pid, i32, and stays; the next status is the parent's,
 * the one after that the child's.
 */
#ifndef VPHONE_CMD_H
#define VPHONE_CMD_H

#define VPHONE_CMD_SOCKET "/dev/socket/vphone"
#define VPHONE_CMD_MAX (160u << 10)
#define VPHONE_CMD_FDS 3
#define VPHONE_CMD_DETACH (-0x7fffffff)

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text from a device, made fit for a message. */
#ifndef DEVICE_CLIP_H
#define DEVICE_CLIP_H

#include <stddef.h>

/*
 * The first line's worth of @text (@len bytes, any bytes), trimmed, without
 * control characters and cut at a length that a message can bear.  Caller
 * frees.
 */
char *ab_clip(const char *text, size_t len);

#endif

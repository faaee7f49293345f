/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real captures that are not part of the tree. */
#ifndef UNIT_SHARED_H
#define UNIT_SHARED_H

#include <glib.h>

/*
 * The path of a file or directory in ../shared (or ABRIG_SHARED), or NULL
 * after marking the test as skipped (caller frees).
 */
char *shared_path(const char *name);
/* The contents of such a file, likewise. */
char *shared_text(const char *name);

#endif

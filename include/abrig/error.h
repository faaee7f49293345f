/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one error domain of the harness.
 *
 * A function that can fail takes a GError ** as its last parameter and
 * returns bool or a pointer.  The message is written once, by the code that
 * knows the device, the file and the value, and says what to do.  Callers
 * pass it on unchanged, or prefix it with g_prefix_error() where they know a
 * name that the callee could not ("scenarios/shade.yaml: ...").
 */
#ifndef ABRIG_ERROR_H
#define ABRIG_ERROR_H

#include <glib.h>

#define AB_ERROR (ab_error_quark())

enum ab_error {
	AB_ERROR_FAILED,      /* the work was tried and did not succeed */
	AB_ERROR_USAGE,	      /* wrong command line */
	AB_ERROR_PLAN,	      /* wrong plan, scenario or variant file */
	AB_ERROR_ENV,	      /* missing tool, no permission, full disk */
	AB_ERROR_INTERRUPTED, /* Ctrl-C or a stop request */
	AB_ERROR_TIMEOUT,     /* a deadline passed */
	AB_ERROR_OFFLINE,     /* the device is gone, or was lost in between */
	AB_ERROR_PROTOCOL,    /* the peer said something that makes no sense */
	AB_ERROR_REMOTE,      /* the device understood and refused */
	AB_ERROR_IDENTITY,    /* the running kernel is not the variant's */
	AB_ERROR_DATA,	      /* damaged or unexpected file contents */
};

GQuark ab_error_quark(void);

/* The process exit status for @error: 1, 2, 3 or 130 (see README). */
int ab_error_exit_status(const GError *error);

#endif

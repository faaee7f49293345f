// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/error.h>

G_DEFINE_QUARK(ab - error - quark, ab_error)

int ab_error_exit_status(const GError *error)
{
	if (!error)
		return 0;
	if (error->domain == G_OPTION_ERROR)
		return 2;
	if (error->domain != AB_ERROR)
		return 1;
	switch ((enum ab_error)error->code) {
	case AB_ERROR_USAGE:
	case AB_ERROR_PLAN:
		return 2;
	case AB_ERROR_ENV:
		return 3;
	case AB_ERROR_INTERRUPTED:
		return 130;
	default:
		return 1;
	}
}

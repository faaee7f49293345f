/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is this built with AddressSanitizer?  Its shadow alone is terabytes, which
 * any bound on address space or data would count. */
#ifndef ABRIG_SANITIZE_H
#define ABRIG_SANITIZE_H

#include <stdbool.h>

#if defined(__SANITIZE_ADDRESS__)
#define AB_ADDRESS_SANITIZER true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define AB_ADDRESS_SANITIZER true
#endif
#endif
#ifndef AB_ADDRESS_SANITIZER
#define AB_ADDRESS_SANITIZER false
#endif

#endif

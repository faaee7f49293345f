/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * g_autoptr() for structs without a typedef:
 *
 *	AB_DEFINE_AUTO(ab_trace, ab_trace_free)		in the header
 *	ab_autoptr(ab_trace) trace = NULL;		where it is used
 */
#ifndef ABRIG_AUTO_H
#define ABRIG_AUTO_H

#define AB_DEFINE_AUTO(name, free_function)                          \
	static inline void name##_auto_cleanup(struct name **object) \
	{                                                            \
		if (*object)                                         \
			free_function(*object);                      \
	}

#define ab_autoptr(name) \
	__attribute__((cleanup(name##_auto_cleanup))) struct name *

#endif

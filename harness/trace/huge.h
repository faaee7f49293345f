/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Huge pages for large arrays: a page fault costs as much as some hundred
 * events, in a virtual machine more.
 */
#ifndef TRACE_HUGE_H
#define TRACE_HUGE_H

#include <glib.h>
#include <sys/mman.h>

#define AB_HUGE_PAGE ((gsize)2 << 20)
/* Of a smaller trace's memory, part of such a page would be too much. */
#define AB_HUGE_FROM (32 * AB_HUGE_PAGE)

/* @p is about to be filled from its beginning; just advice. */
static inline void ab_huge_pages(void *p, gsize n, gsize trace_size)
{
	gsize skip = -(gsize)p % AB_HUGE_PAGE;

	if (trace_size >= AB_HUGE_FROM && n >= skip + AB_HUGE_PAGE)
		madvise((guint8 *)p + skip,
			(n - skip) / AB_HUGE_PAGE * AB_HUGE_PAGE,
			MADV_HUGEPAGE);
}

#endif

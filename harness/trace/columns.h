/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The usual columns of tables. */
#ifndef TRACE_COLUMNS_H
#define TRACE_COLUMNS_H

#include <abrig/table.h>

#define AB_TEXT_COLUMN(id_, title_)                         \
	{                                                   \
		.id = (id_), .title = (title_), .unit = "", \
		.kind = AB_CELL_TEXT                        \
	}
#define AB_COUNT_COLUMN(id_, title_)                        \
	{                                                   \
		.id = (id_), .title = (title_), .unit = "", \
		.kind = AB_CELL_COUNT                       \
	}
#define AB_TIME_COLUMN(id_, title_)                           \
	{                                                     \
		.id = (id_), .title = (title_), .unit = "ns", \
		.kind = AB_CELL_COUNT                         \
	}
#define AB_US_COLUMN(id_, title_)                             \
	{                                                     \
		.id = (id_), .title = (title_), .unit = "us", \
		.kind = AB_CELL_NUMBER, .decimals = 1         \
	}
#define AB_MS_COLUMN(id_, title_)                             \
	{                                                     \
		.id = (id_), .title = (title_), .unit = "ms", \
		.kind = AB_CELL_NUMBER, .decimals = 3         \
	}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The usual columns of tables, and tables of such. */
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
#define AB_NUMBER_COLUMN(id_, title_, unit_, decimals_)          \
	{                                                        \
		.id = (id_), .title = (title_), .unit = (unit_), \
		.kind = AB_CELL_NUMBER, .decimals = (decimals_)  \
	}
#define AB_US_COLUMN(id, title) AB_NUMBER_COLUMN(id, title, "us", 1)
#define AB_MS_COLUMN(id, title) AB_NUMBER_COLUMN(id, title, "ms", 3)

#define AB_NEW_TABLE(id, title, columns) \
	ab_table_new(id, title, columns, G_N_ELEMENTS(columns))

#endif

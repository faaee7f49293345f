/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jankbench's tests, in the order of the app's array. */
#ifndef ABRIG_JANKBENCH_H
#define ABRIG_JANKBENCH_H

#define AB_JANKBENCH_PACKAGE "com.android.benchmark"

struct ab_jankbench_test {
	const char *id;	  /* as in a scenario: "list_view" */
	const char *name; /* as in the result database: "List View Fling" */
};

/* Ends with a NULL id; the index is the one that the intent takes. */
extern const struct ab_jankbench_test ab_jankbench_tests[];
int ab_jankbench_count(void);
/* The index of a test by its id, name or index; -1 when there is none. */
int ab_jankbench_find(const char *text);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the Jankbench app: jankbench.c runs it, jankbench_db.c stores
 * frames, jankbench_score.c computes what it prints.
 */
#ifndef VPHONE_JANKBENCH_H
#define VPHONE_JANKBENCH_H

#include "vphone.h"

#include <sqlite3.h>

#define VP_BENCH_TESTS 7
#define VP_BENCH_FRAMES_MAX 2048

struct vp_bench_result {
	int test, iteration;
	size_t n;
	double *total_ms; /* [n] */
	bool *jank;	  /* [n] */
};

/* What the app prints about one iteration; NaN where Java divides 0 by 0. */
struct vp_bench_score {
	double mean_bad, sd_bad; /* frames of 12 ms and more */
	double jank_percent, p95;
	int bad, jank;
};

void vp_bench_result_free(struct vp_bench_result *result);
/* The app's own flags, with the period of AOSP's build. */
void vp_bench_flag_jank(struct vp_bench_result *result);
struct vp_bench_score vp_bench_score(const struct vp_bench_result *result);
/* As Double.toString() writes it; caller frees. */
char *vp_java_double(double value);
/* String.hashCode() */
gint32 vp_java_hash(const char *text);

const char *vp_bench_test_name(int test);

/* Opens or creates the app's database; NULL when the root is broken. */
sqlite3 *vp_bench_db_open(const struct vphone *vp);
/* All rows of @result in one transaction. */
bool vp_bench_db_store(sqlite3 *db, const struct vp_bench_result *result,
		       gint32 run_id, gint64 realtime_ns);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What abrig power prints: the variation of metrics, and designs for them. */
#ifndef ABRIG_POWER_REPORT_H
#define ABRIG_POWER_REPORT_H

#include <abrig/stats_design.h>

/* What is asked for. */
struct ab_power_question {
	double power, level;	/* 0.8, 0.95 */
	double change_pct;	/* for all metrics; NAN: margin, else 5 */
	int sign;		/* of it: a fall (-1), a rise; 0: the harder */
	double hours;		/* a budget, of one phone; NAN: none */
	struct ab_design given; /* to be judged; no blocks: none */
};

struct ab_power_row {
	const struct ab_metric *metric; /* NULL: variation given by hand */
	struct ab_components c;
	double dispersion;	 /* of counts; else NAN */
	bool primary;		 /* level has Holm's correction */
	double level;		 /* 1 - 0.05 / primaries */
	double change_pct;	 /* to be shown */
	bool margin;		 /* it is the plan's margin */
	double shown_pct;	 /* the smallest that what was run shows */
	double best_runs;	 /* per boot, for the costs */
	struct ab_design needed; /* cheapest for the change; 0: none */
	struct ab_design bought; /* by the budget; 0: none */
	double bought_pct;	 /* the smallest that it shows */
	double given_power, given_pct; /* of the design given; NAN */
	const char *reason; /* why there is none of it; static, or NULL */
};

/* One platform and scenario, or one variation given by hand. */
struct ab_power_table {
	char *platform, *scenario; /* NULL: by hand */
	char *base, *variant;
	int campaigns, primaries;
	struct ab_costs costs;
	const char *costs_from; /* static: "measured", "given", "assumed" */
	GArray *rows;		/* struct ab_power_row */
};
void ab_power_table_free(struct ab_power_table *table);

/* Two Poisson rates, without a pilot. */
struct ab_power_rate {
	double rate, to, dispersion;
	double needed;		     /* runs per variant */
	double runs;		     /* given: per variant; NAN: not */
	double runs_power, runs_pct; /* what those show */
};

struct ab_power_report {
	struct ab_power_question question;
	GPtrArray *tables;	    /* struct ab_power_table * */
	struct ab_power_rate *rate; /* NULL: not asked for */
};

/* Fill what @question asks about @row; @row has metric, c and level. */
void ab_power_answer(const struct ab_power_question *question,
		     const struct ab_costs *costs, struct ab_power_row *row);

void ab_power_page(const struct ab_power_report *report, GString *out);
void ab_power_json(const struct ab_power_report *report, GString *out);

#endif

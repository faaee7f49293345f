// SPDX-License-Identifier: GPL-3.0-or-later
#include <abrig/metric.h>

#define LOWER AB_LOWER_IS_BETTER

#define WORK_WAIT "pm_runtime_work.cpu_wait"
#define WORK_WAIT_IS                                                        \
	"CPU wait of a pm_runtime_work item: how long the kworker that "    \
	"executes it was runnable but not running before it started it; 0 " \
	"when it ran another item just before. "
#define WAKER_WAIT "ui.rpm_resume.waker_wait"
#define WAKER_WAIT_IS                                                      \
	"For each D-state sleep of a UI thread in rpm_resume(): how long " \
	"its waker was runnable but not running within the sleep. "
#define D_STATE "ui.rpm_resume.d_state"
#define D_STATE_IS "Length of a D-state sleep of a UI thread in rpm_resume(). "

#define FRAME "frames.duration"
#define FRAME_IS                                                        \
	"How long a frame of the scenario's app took, from its actual " \
	"begin to its actual end; dropped frames have none. "
#define OVERRUN_IS \
	"A frame's end past its own deadline, negative when it was early. "

#define POWER(id_, label_, what_)                                          \
	{                                                                  \
		.id = (id_), .group = "power", .label = (label_),          \
		.unit = "mW", .source = (id_), .stat = AB_STAT_RUN_MEAN,   \
		.direction = LOWER,                                        \
		.definition = "Mean power over the run of " what_          \
			      ", from each rail's own energy counter and " \
			      "time stamps.",                              \
	}

const struct ab_metric ab_metrics[] = {
	{ .id = "pm_runtime_work.cpu_wait.mean",
	  .group = "pm_runtime_work",
	  .label = "CPU wait mean",
	  .unit = "us",
	  .source = WORK_WAIT,
	  .stat = AB_STAT_MEAN,
	  .direction = LOWER,
	  .definition = WORK_WAIT_IS "Mean over all items." },
	{ .id = "pm_runtime_work.cpu_wait.p99",
	  .group = "pm_runtime_work",
	  .label = "CPU wait P99",
	  .unit = "us",
	  .source = WORK_WAIT,
	  .stat = AB_STAT_QUANTILE,
	  .arg = 0.99,
	  .direction = LOWER,
	  .definition = WORK_WAIT_IS "99th percentile of the pooled items." },
	{ .id = "pm_runtime_work.cpu_wait.max",
	  .group = "pm_runtime_work",
	  .label = "CPU wait max",
	  .unit = "us",
	  .source = WORK_WAIT,
	  .stat = AB_STAT_MAX,
	  .direction = LOWER,
	  .definition = WORK_WAIT_IS "The worst of all items seen." },
	{ .id = "pm_runtime_work.cpu_wait.ge_2ms",
	  .group = "pm_runtime_work",
	  .label = "wait >= 2 ms/run",
	  .unit = "",
	  .source = WORK_WAIT,
	  .stat = AB_STAT_COUNT_GE,
	  .arg = 2000,
	  .direction = LOWER,
	  .definition = WORK_WAIT_IS "Items at or above 2 ms, per run." },
	{ .id = "pm_runtime_work.cpu_wait.ge_5ms",
	  .group = "pm_runtime_work",
	  .label = "wait >= 5 ms/run",
	  .unit = "",
	  .source = WORK_WAIT,
	  .stat = AB_STAT_COUNT_GE,
	  .arg = 5000,
	  .direction = LOWER,
	  .definition = WORK_WAIT_IS "Items at or above 5 ms, per run." },
	{ .id = "ui.rpm_resume.waker_wait.p90",
	  .group = "UI rpm_resume()",
	  .label = "waker wait P90",
	  .unit = "us",
	  .source = WAKER_WAIT,
	  .stat = AB_STAT_QUANTILE,
	  .arg = 0.90,
	  .direction = LOWER,
	  .definition = WAKER_WAIT_IS "90th percentile of the pooled sleeps." },
	{ .id = "ui.rpm_resume.d_state.p90",
	  .group = "UI rpm_resume()",
	  .label = "D-state P90",
	  .unit = "us",
	  .source = D_STATE,
	  .stat = AB_STAT_QUANTILE,
	  .arg = 0.90,
	  .direction = LOWER,
	  .definition = D_STATE_IS "90th percentile of the pooled sleeps." },
	{ .id = "frames.app_missed",
	  .group = "FrameTimeline",
	  .label = "app missed/run",
	  .unit = "",
	  .source = "frames.app_missed",
	  .stat = AB_STAT_RUN_MEAN,
	  .direction = LOWER,
	  .definition =
		  "Frames of the scenario's app that FrameTimeline "
		  "marks as missed by the app (App Deadline Missed, App "
		  "Resynced Jitter), per run; one count per frame token. "
		  "Of trace markers: frames that end after their deadline." },
	{ .id = "frames.sf_missed",
	  .group = "FrameTimeline",
	  .label = "SF missed/run",
	  .unit = "",
	  .source = "frames.sf_missed",
	  .stat = AB_STAT_RUN_MEAN,
	  .direction = LOWER,
	  .definition =
		  "The same frames, missed by SurfaceFlinger (CPU or GPU "
		  "deadline, scheduling, prediction error, display HAL)." },
	{ .id = "frames.duration.p90",
	  .group = "FrameTimeline",
	  .label = "frame P90",
	  .unit = "ms",
	  .source = FRAME,
	  .stat = AB_STAT_QUANTILE,
	  .arg = 0.90,
	  .direction = LOWER,
	  .definition = FRAME_IS "90th percentile of the pooled frames." },
	{ .id = "frames.duration.p99",
	  .group = "FrameTimeline",
	  .label = "frame P99",
	  .unit = "ms",
	  .source = FRAME,
	  .stat = AB_STAT_QUANTILE,
	  .arg = 0.99,
	  .direction = LOWER,
	  .definition = FRAME_IS "99th percentile of the pooled frames." },
	{ .id = "frames.overrun.p99",
	  .group = "FrameTimeline",
	  .label = "overrun P99",
	  .unit = "ms",
	  .source = "frames.overrun",
	  .stat = AB_STAT_QUANTILE,
	  .arg = 0.99,
	  .direction = LOWER,
	  .definition = OVERRUN_IS "99th percentile of the pooled frames." },
	{ .id = "frames.rate",
	  .group = "FrameTimeline",
	  .label = "frame rate",
	  .unit = "Hz",
	  .source = "frames.rate",
	  .stat = AB_STAT_RUN_MEAN,
	  .direction = AB_HIGHER_IS_BETTER,
	  .definition = "Frames per second of the scenario's app while it "
			"draws: pauses of more than 100 ms between one "
			"frame's end and the next one's begin do not count." },
	{ .id = "jankbench.frame.mean",
	  .group = "Jankbench",
	  .label = "frame mean",
	  .unit = "ms",
	  .source = "jankbench.frame",
	  .stat = AB_STAT_MEAN,
	  .direction = LOWER,
	  .definition = "total_duration of a Jankbench frame; mean of all." },
	{ .id = "jankbench.frame.p90",
	  .group = "Jankbench",
	  .label = "frame P90",
	  .unit = "ms",
	  .source = "jankbench.frame",
	  .stat = AB_STAT_QUANTILE,
	  .arg = 0.90,
	  .direction = LOWER,
	  .definition = "90th percentile of the pooled frames." },
	{ .id = "jankbench.frame.p99",
	  .group = "Jankbench",
	  .label = "frame P99",
	  .unit = "ms",
	  .source = "jankbench.frame",
	  .stat = AB_STAT_QUANTILE,
	  .arg = 0.99,
	  .direction = LOWER,
	  .definition = "99th percentile of the pooled frames." },
	{ .id = "jankbench.frame.max",
	  .group = "Jankbench",
	  .label = "frame max",
	  .unit = "ms",
	  .source = "jankbench.frame",
	  .stat = AB_STAT_MAX,
	  .direction = LOWER,
	  .definition = "The longest of all frames seen." },
	{ .id = "jankbench.jank",
	  .group = "Jankbench",
	  .label = "jank",
	  .unit = "%",
	  .source = "jankbench.jank_frames",
	  .per = "jankbench.frames",
	  .stat = AB_STAT_RATIO,
	  .arg = 100,
	  .direction = LOWER,
	  .definition = "Frames that Jankbench flags as jank (its own rule, "
			"period 16 ms), in percent of all frames." },
	{ .id = "cpu.busy",
	  .group = "CPU",
	  .label = "not idle",
	  .unit = "%",
	  .source = "cpu.busy",
	  .stat = AB_STAT_RUN_MEAN,
	  .direction = LOWER,
	  .definition = "Time that the CPUs were in no idle state, in "
			"percent of the time of all CPUs for which "
			"cpu_idle events tell." },
	{ .id = "cpu.overutilized",
	  .group = "CPU",
	  .label = "overutilised",
	  .unit = "%",
	  .source = "cpu.overutilized",
	  .stat = AB_STAT_RUN_MEAN,
	  .direction = LOWER,
	  .definition = "Time that the scheduler called the system "
			"overutilised, in percent; where the kernel has the "
			"event sched_overutilized." },
	POWER("power.cpu", "CPU", "all CPU rails"),
	POWER("power.gpu", "GPU", "the GPU rail"),
	POWER("power.memory", "memory", "memory and interconnect rails"),
	POWER("power.display", "display", "the display rail"),
	POWER("power.other", "other", "all rails not named above"),
	POWER("power.total", "all rails", "all rails that this phone reports"),
	{ .id = NULL },
};

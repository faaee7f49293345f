/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes of the phone as its own commands (pidof, ps, logcat, dumpsys)
 * and its traces name them.  A thread of a process has a number between its
 * process and the next one.
 */
#ifndef VPHONE_PIDS_H
#define VPHONE_PIDS_H

#define VP_PID_INIT 1
#define VP_PID_KTHREADD 2
#define VP_PID_RCU 12
#define VP_PID_KWORKER_FIRST 20 /* kworker/u16:0, kworker/0:1, ... */
#define VP_PID_KWORKER_LAST 99
#define VP_PID_DISPLAY_KTHREAD 310 /* decon0_kthread */
#define VP_PID_LOGD 400
#define VP_PID_SERVICEMANAGER 410
#define VP_PID_ADBD 420
#define VP_PID_TRACED 430
#define VP_PID_TRACED_PROBES 434
#define VP_PID_THERMAL_HAL 860
#define VP_PID_POWERSTATS_HAL 870
#define VP_PID_COMPOSER 880 /* android.hardware.composer.hwc3-service.pixel */
#define VP_PID_SURFACEFLINGER 900
#define VP_TID_SF_RENDERENGINE 910
#define VP_TID_SF_BINDER 920
#define VP_PID_ZYGOTE64 1000
#define VP_PID_SYSTEM_SERVER 1500
#define VP_TID_SYSTEM_UI_THREAD 1520 /* android.ui */
#define VP_TID_SYSTEM_DISPLAY 1530   /* android.display */
#define VP_TID_SYSTEM_ANIMATION 1540 /* android.anim */
#define VP_TID_INPUT_READER 1550
#define VP_TID_INPUT_DISPATCHER 1552
#define VP_TID_SYSTEM_BINDER 1600
#define VP_PID_SYSTEMUI 2100
#define VP_TID_SYSTEMUI_RENDER 2140
#define VP_PID_LAUNCHER 2600
#define VP_TID_LAUNCHER_RENDER 2640
#define VP_PID_GMS 3000
#define VP_PID_SETTINGS 3500
#define VP_PID_BENCHMARK 4200
#define VP_TID_BENCHMARK_RENDER 4240

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The messages of perfetto's TraceConfig that a rig may use, with their field
 * numbers.  Messages without a table are accepted whatever is in them.
 */
#include "perfetto_schema.h"

/* clang-format off */

static const struct vp_enum_value enum_AndroidLogId[] = {
	{ "LID_DEFAULT", 0 },
	{ "LID_RADIO", 1 },
	{ "LID_EVENTS", 2 },
	{ "LID_SYSTEM", 3 },
	{ "LID_CRASH", 4 },
	{ "LID_STATS", 5 },
	{ "LID_SECURITY", 6 },
	{ "LID_KERNEL", 7 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_AndroidLogPriority[] = {
	{ "PRIO_UNSPECIFIED", 0 },
	{ "PRIO_UNUSED", 1 },
	{ "PRIO_VERBOSE", 2 },
	{ "PRIO_DEBUG", 3 },
	{ "PRIO_INFO", 4 },
	{ "PRIO_WARN", 5 },
	{ "PRIO_ERROR", 6 },
	{ "PRIO_FATAL", 7 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_AndroidPowerConfig_BatteryCounters[] = {
	{ "BATTERY_COUNTER_UNSPECIFIED", 0 },
	{ "BATTERY_COUNTER_CHARGE", 1 },
	{ "BATTERY_COUNTER_CAPACITY_PERCENT", 2 },
	{ "BATTERY_COUNTER_CURRENT", 3 },
	{ "BATTERY_COUNTER_CURRENT_AVG", 4 },
	{ "BATTERY_COUNTER_VOLTAGE", 5 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_BuiltinClock[] = {
	{ "BUILTIN_CLOCK_UNKNOWN", 0 },
	{ "BUILTIN_CLOCK_REALTIME", 1 },
	{ "BUILTIN_CLOCK_REALTIME_COARSE", 2 },
	{ "BUILTIN_CLOCK_MONOTONIC", 3 },
	{ "BUILTIN_CLOCK_MONOTONIC_COARSE", 4 },
	{ "BUILTIN_CLOCK_MONOTONIC_RAW", 5 },
	{ "BUILTIN_CLOCK_BOOTTIME", 6 },
	{ "BUILTIN_CLOCK_TSC", 9 },
	{ "BUILTIN_CLOCK_PERF", 10 },
	{ "BUILTIN_CLOCK_TRACE_FILE", 11 },
	{ "BUILTIN_CLOCK_MAX_ID", 63 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_DataSourceConfig_BufferExhaustedPolicy[] = {
	{ "BUFFER_EXHAUSTED_UNSPECIFIED", 0 },
	{ "BUFFER_EXHAUSTED_DROP", 1 },
	{ "BUFFER_EXHAUSTED_STALL_THEN_ABORT", 2 },
	{ "BUFFER_EXHAUSTED_STALL_THEN_DROP", 3 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_DataSourceConfig_SessionInitiator[] = {
	{ "SESSION_INITIATOR_UNSPECIFIED", 0 },
	{ "SESSION_INITIATOR_TRUSTED_SYSTEM", 1 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_FtraceConfig_KsymsMemPolicy[] = {
	{ "KSYMS_UNSPECIFIED", 0 },
	{ "KSYMS_CLEANUP_ON_STOP", 1 },
	{ "KSYMS_RETAIN", 2 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_MeminfoCounters[] = {
	{ "MEMINFO_UNSPECIFIED", 0 },
	{ "MEMINFO_MEM_TOTAL", 1 },
	{ "MEMINFO_MEM_FREE", 2 },
	{ "MEMINFO_MEM_AVAILABLE", 3 },
	{ "MEMINFO_BUFFERS", 4 },
	{ "MEMINFO_CACHED", 5 },
	{ "MEMINFO_SWAP_CACHED", 6 },
	{ "MEMINFO_ACTIVE", 7 },
	{ "MEMINFO_INACTIVE", 8 },
	{ "MEMINFO_ACTIVE_ANON", 9 },
	{ "MEMINFO_INACTIVE_ANON", 10 },
	{ "MEMINFO_ACTIVE_FILE", 11 },
	{ "MEMINFO_INACTIVE_FILE", 12 },
	{ "MEMINFO_UNEVICTABLE", 13 },
	{ "MEMINFO_MLOCKED", 14 },
	{ "MEMINFO_SWAP_TOTAL", 15 },
	{ "MEMINFO_SWAP_FREE", 16 },
	{ "MEMINFO_DIRTY", 17 },
	{ "MEMINFO_WRITEBACK", 18 },
	{ "MEMINFO_ANON_PAGES", 19 },
	{ "MEMINFO_MAPPED", 20 },
	{ "MEMINFO_SHMEM", 21 },
	{ "MEMINFO_SLAB", 22 },
	{ "MEMINFO_SLAB_RECLAIMABLE", 23 },
	{ "MEMINFO_SLAB_UNRECLAIMABLE", 24 },
	{ "MEMINFO_KERNEL_STACK", 25 },
	{ "MEMINFO_PAGE_TABLES", 26 },
	{ "MEMINFO_COMMIT_LIMIT", 27 },
	{ "MEMINFO_COMMITED_AS", 28 },
	{ "MEMINFO_VMALLOC_TOTAL", 29 },
	{ "MEMINFO_VMALLOC_USED", 30 },
	{ "MEMINFO_VMALLOC_CHUNK", 31 },
	{ "MEMINFO_CMA_TOTAL", 32 },
	{ "MEMINFO_CMA_FREE", 33 },
	{ "MEMINFO_GPU", 34 },
	{ "MEMINFO_ZRAM", 35 },
	{ "MEMINFO_MISC", 36 },
	{ "MEMINFO_ION_HEAP", 37 },
	{ "MEMINFO_ION_HEAP_POOL", 38 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_ProcessStatsConfig_Quirks[] = {
	{ "QUIRKS_UNSPECIFIED", 0 },
	{ "DISABLE_INITIAL_DUMP", 1 },
	{ "DISABLE_ON_DEMAND", 2 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_SysStatsConfig_StatCounters[] = {
	{ "STAT_UNSPECIFIED", 0 },
	{ "STAT_CPU_TIMES", 1 },
	{ "STAT_IRQ_COUNTS", 2 },
	{ "STAT_SOFTIRQ_COUNTS", 3 },
	{ "STAT_FORK_COUNT", 4 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_TraceConfig_BufferConfig_ExperimentalMode[] = {
	{ "MODE_UNSPECIFIED", 0 },
	{ "TRACE_BUFFER_V2", 1 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_TraceConfig_BufferConfig_FillPolicy[] = {
	{ "UNSPECIFIED", 0 },
	{ "RING_BUFFER", 1 },
	{ "DISCARD", 2 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_TraceConfig_CompressionType[] = {
	{ "COMPRESSION_TYPE_UNSPECIFIED", 0 },
	{ "COMPRESSION_TYPE_DEFLATE", 1 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_TraceConfig_FFlushMode[] = {
	{ "FFLUSH_UNSPECIFIED", 0 },
	{ "FFLUSH_DISABLED", 1 },
	{ "FFLUSH_ENABLED", 2 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_TraceConfig_LockdownModeOperation[] = {
	{ "LOCKDOWN_UNCHANGED", 0 },
	{ "LOCKDOWN_CLEAR", 1 },
	{ "LOCKDOWN_SET", 2 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_TraceConfig_StatsdLogging[] = {
	{ "STATSD_LOGGING_UNSPECIFIED", 0 },
	{ "STATSD_LOGGING_ENABLED", 1 },
	{ "STATSD_LOGGING_DISABLED", 2 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_TraceConfig_TriggerConfig_TriggerMode[] = {
	{ "UNSPECIFIED", 0 },
	{ "START_TRACING", 1 },
	{ "STOP_TRACING", 2 },
	{ "CLONE_SNAPSHOT", 4 },
	{ NULL, 0 },
};

static const struct vp_enum_value enum_TraceConfig_WriteFlushMode[] = {
	{ "WRITE_FLUSH_UNSPECIFIED", 0 },
	{ "WRITE_FLUSH_AUTO", 1 },
	{ "WRITE_FLUSH_DISABLED", 2 },
	{ "WRITE_FLUSH_ENABLED", 3 },
	{ NULL, 0 },
};

static const struct vp_message message_any = { "", NULL };

static const struct vp_field fields_TraceConfig_BufferConfig[] = {
	{ 1, "size_kb", VP_TYPE_UINT32, false, NULL, NULL },
	{ 4, "fill_policy", VP_TYPE_ENUM, false, NULL, enum_TraceConfig_BufferConfig_FillPolicy },
	{ 5, "transfer_on_clone", VP_TYPE_BOOL, false, NULL, NULL },
	{ 6, "clear_before_clone", VP_TYPE_BOOL, false, NULL, NULL },
	{ 7, "name", VP_TYPE_STRING, false, NULL, NULL },
	{ 8, "experimental_mode", VP_TYPE_ENUM, false, NULL, enum_TraceConfig_BufferConfig_ExperimentalMode },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_TraceConfig_BufferConfig = {
	"BufferConfig", fields_TraceConfig_BufferConfig
};

static const struct vp_field fields_FtraceConfig_CompactSchedConfig[] = {
	{ 1, "enabled", VP_TYPE_BOOL, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_FtraceConfig_CompactSchedConfig = {
	"CompactSchedConfig", fields_FtraceConfig_CompactSchedConfig
};

static const struct vp_field fields_FtraceConfig_PrintFilter_Rule[] = {
	{ 1, "prefix", VP_TYPE_STRING, false, NULL, NULL },
	{ 2, "allow", VP_TYPE_BOOL, false, NULL, NULL },
	{ 3, "atrace_msg", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_FtraceConfig_PrintFilter_Rule = {
	"Rule", fields_FtraceConfig_PrintFilter_Rule
};

static const struct vp_field fields_FtraceConfig_PrintFilter[] = {
	{ 1, "rules", VP_TYPE_MESSAGE, true, &message_FtraceConfig_PrintFilter_Rule, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_FtraceConfig_PrintFilter = {
	"PrintFilter", fields_FtraceConfig_PrintFilter
};

static const struct vp_field fields_FtraceConfig[] = {
	{ 1, "ftrace_events", VP_TYPE_STRING, true, NULL, NULL },
	{ 2, "atrace_categories", VP_TYPE_STRING, true, NULL, NULL },
	{ 3, "atrace_apps", VP_TYPE_STRING, true, NULL, NULL },
	{ 10, "buffer_size_kb", VP_TYPE_UINT32, false, NULL, NULL },
	{ 11, "drain_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 12, "compact_sched", VP_TYPE_MESSAGE, false, &message_FtraceConfig_CompactSchedConfig, NULL },
	{ 13, "symbolize_ksyms", VP_TYPE_BOOL, false, NULL, NULL },
	{ 14, "initialize_ksyms_synchronously_for_testing", VP_TYPE_BOOL, false, NULL, NULL },
	{ 15, "throttle_rss_stat", VP_TYPE_BOOL, false, NULL, NULL },
	{ 16, "disable_generic_events", VP_TYPE_BOOL, false, NULL, NULL },
	{ 17, "ksyms_mem_policy", VP_TYPE_ENUM, false, NULL, enum_FtraceConfig_KsymsMemPolicy },
	{ 18, "syscall_events", VP_TYPE_STRING, true, NULL, NULL },
	{ 19, "enable_function_graph", VP_TYPE_BOOL, false, NULL, NULL },
	{ 20, "function_filters", VP_TYPE_STRING, true, NULL, NULL },
	{ 21, "function_graph_roots", VP_TYPE_STRING, true, NULL, NULL },
	{ 22, "print_filter", VP_TYPE_MESSAGE, false, &message_FtraceConfig_PrintFilter, NULL },
	{ 23, "preserve_ftrace_buffer", VP_TYPE_BOOL, false, NULL, NULL },
	{ 24, "use_monotonic_raw_clock", VP_TYPE_BOOL, false, NULL, NULL },
	{ 25, "instance_name", VP_TYPE_STRING, false, NULL, NULL },
	{ 27, "buffer_size_lower_bound", VP_TYPE_BOOL, false, NULL, NULL },
	{ 28, "atrace_categories_prefer_sdk", VP_TYPE_STRING, true, NULL, NULL },
	{ 29, "drain_buffer_percent", VP_TYPE_UINT32, false, NULL, NULL },
	{ 30, "kprobe_events", VP_TYPE_MESSAGE, true, &message_any, NULL },
	{ 31, "debug_ftrace_abi", VP_TYPE_BOOL, false, NULL, NULL },
	{ 32, "denser_generic_event_encoding", VP_TYPE_BOOL, false, NULL, NULL },
	{ 33, "function_graph_max_depth", VP_TYPE_UINT32, false, NULL, NULL },
	{ 34, "atrace_userspace_only", VP_TYPE_BOOL, false, NULL, NULL },
	{ 35, "tids_to_trace", VP_TYPE_UINT32, true, NULL, NULL },
	{ 36, "tracefs_options", VP_TYPE_MESSAGE, true, &message_any, NULL },
	{ 37, "tracing_cpumask", VP_TYPE_STRING, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_FtraceConfig = {
	"FtraceConfig", fields_FtraceConfig
};

static const struct vp_field fields_ProcessStatsConfig[] = {
	{ 1, "quirks", VP_TYPE_ENUM, true, NULL, enum_ProcessStatsConfig_Quirks },
	{ 2, "scan_all_processes_on_start", VP_TYPE_BOOL, false, NULL, NULL },
	{ 3, "record_thread_names", VP_TYPE_BOOL, false, NULL, NULL },
	{ 4, "proc_stats_poll_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 6, "proc_stats_cache_ttl_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 9, "resolve_process_fds", VP_TYPE_BOOL, false, NULL, NULL },
	{ 10, "scan_smaps_rollup", VP_TYPE_BOOL, false, NULL, NULL },
	{ 11, "record_process_age", VP_TYPE_BOOL, false, NULL, NULL },
	{ 12, "record_process_runtime", VP_TYPE_BOOL, false, NULL, NULL },
	{ 13, "record_process_dmabuf_rss", VP_TYPE_BOOL, false, NULL, NULL },
	{ 14, "skip_main_thread_message", VP_TYPE_BOOL, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_ProcessStatsConfig = {
	"ProcessStatsConfig", fields_ProcessStatsConfig
};

static const struct vp_field fields_SysStatsConfig[] = {
	{ 1, "meminfo_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 2, "meminfo_counters", VP_TYPE_ENUM, true, NULL, enum_MeminfoCounters },
	{ 3, "vmstat_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 4, "vmstat_counters", VP_TYPE_ENUM, true, NULL, NULL },
	{ 5, "stat_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 6, "stat_counters", VP_TYPE_ENUM, true, NULL, enum_SysStatsConfig_StatCounters },
	{ 7, "devfreq_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 8, "cpufreq_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 9, "buddyinfo_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 10, "diskstat_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 11, "psi_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 12, "thermal_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 13, "cpuidle_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 14, "gpufreq_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 15, "slab_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_SysStatsConfig = {
	"SysStatsConfig", fields_SysStatsConfig
};

static const struct vp_field fields_AndroidPowerConfig[] = {
	{ 1, "battery_poll_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 2, "battery_counters", VP_TYPE_ENUM, true, NULL, enum_AndroidPowerConfig_BatteryCounters },
	{ 3, "collect_power_rails", VP_TYPE_BOOL, false, NULL, NULL },
	{ 4, "collect_energy_estimation_breakdown", VP_TYPE_BOOL, false, NULL, NULL },
	{ 5, "collect_entity_state_residency", VP_TYPE_BOOL, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_AndroidPowerConfig = {
	"AndroidPowerConfig", fields_AndroidPowerConfig
};

static const struct vp_field fields_AndroidLogConfig[] = {
	{ 1, "log_ids", VP_TYPE_ENUM, true, NULL, enum_AndroidLogId },
	{ 3, "min_prio", VP_TYPE_ENUM, false, NULL, enum_AndroidLogPriority },
	{ 4, "filter_tags", VP_TYPE_STRING, true, NULL, NULL },
	{ 5, "preserve_log_buffer", VP_TYPE_BOOL, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_AndroidLogConfig = {
	"AndroidLogConfig", fields_AndroidLogConfig
};

static const struct vp_field fields_PackagesListConfig[] = {
	{ 1, "package_name_filter", VP_TYPE_STRING, true, NULL, NULL },
	{ 2, "only_write_on_cpu_use_every_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 3, "package_name_regex_filter", VP_TYPE_STRING, true, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_PackagesListConfig = {
	"PackagesListConfig", fields_PackagesListConfig
};

static const struct vp_field fields_AndroidPolledStateConfig[] = {
	{ 1, "poll_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_AndroidPolledStateConfig = {
	"AndroidPolledStateConfig", fields_AndroidPolledStateConfig
};

static const struct vp_field fields_AndroidSystemPropertyConfig[] = {
	{ 1, "poll_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 2, "property_name", VP_TYPE_STRING, true, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_AndroidSystemPropertyConfig = {
	"AndroidSystemPropertyConfig", fields_AndroidSystemPropertyConfig
};

static const struct vp_field fields_FrozenFtraceConfig[] = {
	{ 1, "instance_name", VP_TYPE_STRING, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_FrozenFtraceConfig = {
	"FrozenFtraceConfig", fields_FrozenFtraceConfig
};

static const struct vp_field fields_DataSourceConfig[] = {
	{ 1, "name", VP_TYPE_STRING, false, NULL, NULL },
	{ 2, "target_buffer", VP_TYPE_UINT32, false, NULL, NULL },
	{ 3, "trace_duration_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 4, "tracing_session_id", VP_TYPE_UINT64, false, NULL, NULL },
	{ 6, "enable_extra_guardrails", VP_TYPE_BOOL, false, NULL, NULL },
	{ 7, "stop_timeout_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 8, "session_initiator", VP_TYPE_ENUM, false, NULL, enum_DataSourceConfig_SessionInitiator },
	{ 9, "buffer_exhausted_policy", VP_TYPE_ENUM, false, NULL, enum_DataSourceConfig_BufferExhaustedPolicy },
	{ 10, "priority_boost", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 11, "target_buffer_name", VP_TYPE_STRING, false, NULL, NULL },
	{ 12, "protovm_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 100, "ftrace_config", VP_TYPE_MESSAGE, false, &message_FtraceConfig, NULL },
	{ 101, "chrome_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 102, "inode_file_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 103, "process_stats_config", VP_TYPE_MESSAGE, false, &message_ProcessStatsConfig, NULL },
	{ 104, "sys_stats_config", VP_TYPE_MESSAGE, false, &message_SysStatsConfig, NULL },
	{ 105, "heapprofd_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 106, "android_power_config", VP_TYPE_MESSAGE, false, &message_AndroidPowerConfig, NULL },
	{ 107, "android_log_config", VP_TYPE_MESSAGE, false, &message_AndroidLogConfig, NULL },
	{ 108, "gpu_counter_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 109, "packages_list_config", VP_TYPE_MESSAGE, false, &message_PackagesListConfig, NULL },
	{ 110, "java_hprof_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 111, "perf_event_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 112, "vulkan_memory_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 113, "track_event_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 114, "android_polled_state_config", VP_TYPE_MESSAGE, false, &message_AndroidPolledStateConfig, NULL },
	{ 115, "interceptor_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 116, "android_game_intervention_list_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 117, "statsd_tracing_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 118, "android_system_property_config", VP_TYPE_MESSAGE, false, &message_AndroidSystemPropertyConfig, NULL },
	{ 119, "system_info_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 120, "network_packet_trace_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 121, "surfaceflinger_layers_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 122, "prefer_suspend_clock_for_duration", VP_TYPE_BOOL, false, NULL, NULL },
	{ 123, "surfaceflinger_transactions_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 124, "android_sdk_sysprop_guard_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 125, "etw_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 126, "protolog_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 127, "v8_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 128, "android_input_event_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 129, "pixel_modem_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 130, "windowmanager_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 131, "chromium_system_metrics", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 132, "kernel_wakelocks_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 133, "gpu_renderstages_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 134, "chromium_histogram_samples", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 135, "app_wakelocks_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 136, "frozen_ftrace_config", VP_TYPE_MESSAGE, false, &message_FrozenFtraceConfig, NULL },
	{ 137, "cpu_per_uid_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 138, "user_list_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 139, "inputmethod_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 140, "android_aflags_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 141, "journald_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 142, "display_video_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 150, "qnx_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 1000, "legacy_config", VP_TYPE_STRING, false, NULL, NULL },
	{ 1001, "for_testing", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_DataSourceConfig = {
	"DataSourceConfig", fields_DataSourceConfig
};

static const struct vp_field fields_TraceConfig_DataSource[] = {
	{ 1, "config", VP_TYPE_MESSAGE, false, &message_DataSourceConfig, NULL },
	{ 2, "producer_name_filter", VP_TYPE_STRING, true, NULL, NULL },
	{ 3, "producer_name_regex_filter", VP_TYPE_STRING, true, NULL, NULL },
	{ 4, "machine_name_filter", VP_TYPE_STRING, true, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_TraceConfig_DataSource = {
	"DataSource", fields_TraceConfig_DataSource
};

static const struct vp_field fields_TraceConfig_StatsdMetadata[] = {
	{ 1, "triggering_alert_id", VP_TYPE_INT64, false, NULL, NULL },
	{ 2, "triggering_config_uid", VP_TYPE_INT32, false, NULL, NULL },
	{ 3, "triggering_config_id", VP_TYPE_INT64, false, NULL, NULL },
	{ 4, "triggering_subscription_id", VP_TYPE_INT64, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_TraceConfig_StatsdMetadata = {
	"StatsdMetadata", fields_TraceConfig_StatsdMetadata
};

static const struct vp_field fields_TraceConfig_TriggerConfig_Trigger[] = {
	{ 1, "name", VP_TYPE_STRING, false, NULL, NULL },
	{ 2, "producer_name_regex", VP_TYPE_STRING, false, NULL, NULL },
	{ 3, "stop_delay_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 4, "max_per_24_h", VP_TYPE_UINT32, false, NULL, NULL },
	{ 5, "skip_probability", VP_TYPE_DOUBLE, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_TraceConfig_TriggerConfig_Trigger = {
	"Trigger", fields_TraceConfig_TriggerConfig_Trigger
};

static const struct vp_field fields_TraceConfig_TriggerConfig[] = {
	{ 1, "trigger_mode", VP_TYPE_ENUM, false, NULL, enum_TraceConfig_TriggerConfig_TriggerMode },
	{ 2, "triggers", VP_TYPE_MESSAGE, true, &message_TraceConfig_TriggerConfig_Trigger, NULL },
	{ 3, "trigger_timeout_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 5, "use_clone_snapshot_if_available", VP_TYPE_BOOL, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_TraceConfig_TriggerConfig = {
	"TriggerConfig", fields_TraceConfig_TriggerConfig
};

static const struct vp_field fields_TraceConfig_BuiltinDataSource[] = {
	{ 1, "disable_clock_snapshotting", VP_TYPE_BOOL, false, NULL, NULL },
	{ 2, "disable_trace_config", VP_TYPE_BOOL, false, NULL, NULL },
	{ 3, "disable_system_info", VP_TYPE_BOOL, false, NULL, NULL },
	{ 4, "disable_service_events", VP_TYPE_BOOL, false, NULL, NULL },
	{ 5, "primary_trace_clock", VP_TYPE_ENUM, false, NULL, enum_BuiltinClock },
	{ 6, "snapshot_interval_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 7, "prefer_suspend_clock_for_snapshot", VP_TYPE_BOOL, false, NULL, NULL },
	{ 8, "disable_chunk_usage_histograms", VP_TYPE_BOOL, false, NULL, NULL },
	{ 9, "disable_extension_descriptors", VP_TYPE_BOOL, false, NULL, NULL },
	{ 10, "enable_concurrent_session_events", VP_TYPE_BOOL, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_TraceConfig_BuiltinDataSource = {
	"BuiltinDataSource", fields_TraceConfig_BuiltinDataSource
};

static const struct vp_field fields_TraceConfig_IncrementalStateConfig[] = {
	{ 1, "clear_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

static const struct vp_message message_TraceConfig_IncrementalStateConfig = {
	"IncrementalStateConfig", fields_TraceConfig_IncrementalStateConfig
};

static const struct vp_field fields_TraceConfig[] = {
	{ 1, "buffers", VP_TYPE_MESSAGE, true, &message_TraceConfig_BufferConfig, NULL },
	{ 2, "data_sources", VP_TYPE_MESSAGE, true, &message_TraceConfig_DataSource, NULL },
	{ 3, "duration_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 4, "enable_extra_guardrails", VP_TYPE_BOOL, false, NULL, NULL },
	{ 5, "lockdown_mode", VP_TYPE_ENUM, false, NULL, enum_TraceConfig_LockdownModeOperation },
	{ 6, "producers", VP_TYPE_MESSAGE, true, &message_any, NULL },
	{ 7, "statsd_metadata", VP_TYPE_MESSAGE, false, &message_TraceConfig_StatsdMetadata, NULL },
	{ 8, "write_into_file", VP_TYPE_BOOL, false, NULL, NULL },
	{ 9, "file_write_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 10, "max_file_size_bytes", VP_TYPE_UINT64, false, NULL, NULL },
	{ 11, "guardrail_overrides", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 12, "deferred_start", VP_TYPE_BOOL, false, NULL, NULL },
	{ 13, "flush_period_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 14, "flush_timeout_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 16, "notify_traceur", VP_TYPE_BOOL, false, NULL, NULL },
	{ 17, "trigger_config", VP_TYPE_MESSAGE, false, &message_TraceConfig_TriggerConfig, NULL },
	{ 18, "activate_triggers", VP_TYPE_STRING, true, NULL, NULL },
	{ 19, "allow_user_build_tracing", VP_TYPE_BOOL, false, NULL, NULL },
	{ 20, "builtin_data_sources", VP_TYPE_MESSAGE, false, &message_TraceConfig_BuiltinDataSource, NULL },
	{ 21, "incremental_state_config", VP_TYPE_MESSAGE, false, &message_TraceConfig_IncrementalStateConfig, NULL },
	{ 22, "unique_session_name", VP_TYPE_STRING, false, NULL, NULL },
	{ 23, "data_source_stop_timeout_ms", VP_TYPE_UINT32, false, NULL, NULL },
	{ 24, "compression_type", VP_TYPE_ENUM, false, NULL, enum_TraceConfig_CompressionType },
	{ 25, "incident_report_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 27, "trace_uuid_msb", VP_TYPE_INT64, false, NULL, NULL },
	{ 28, "trace_uuid_lsb", VP_TYPE_INT64, false, NULL, NULL },
	{ 29, "output_path", VP_TYPE_STRING, false, NULL, NULL },
	{ 30, "bugreport_score", VP_TYPE_INT32, false, NULL, NULL },
	{ 31, "statsd_logging", VP_TYPE_ENUM, false, NULL, enum_TraceConfig_StatsdLogging },
	{ 33, "trace_filter", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 34, "android_report_config", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 35, "cmd_trace_start_delay", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 36, "prefer_suspend_clock_for_duration", VP_TYPE_BOOL, false, NULL, NULL },
	{ 38, "bugreport_filename", VP_TYPE_STRING, false, NULL, NULL },
	{ 39, "session_semaphores", VP_TYPE_MESSAGE, true, &message_any, NULL },
	{ 40, "priority_boost", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 41, "exclusive_prio", VP_TYPE_UINT32, false, NULL, NULL },
	{ 43, "trace_all_machines", VP_TYPE_BOOL, false, NULL, NULL },
	{ 44, "write_flush_mode", VP_TYPE_ENUM, false, NULL, enum_TraceConfig_WriteFlushMode },
	{ 45, "fflush_post_write", VP_TYPE_ENUM, false, NULL, enum_TraceConfig_FFlushMode },
	{ 47, "compression", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 48, "trace_attributes", VP_TYPE_MESSAGE, false, &message_any, NULL },
	{ 0, NULL, VP_TYPE_BOOL, false, NULL, NULL },
};

const struct vp_message vp_schema_trace_config = {
	"TraceConfig", fields_TraceConfig
};

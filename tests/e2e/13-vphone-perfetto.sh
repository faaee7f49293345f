#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The perfetto command of the virtual phone: what it refuses and how it says
# so, what it accepts in silence, recordings in the background, faults.
# shellcheck disable=SC2016 # $ is for the phone's shell
SPEED=${SPEED:-20}
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

traces=/data/misc/perfetto-traces

on_phone() {
	phone_adb P shell "$1" 2>&1
}

# perfetto CONFIG FILE: its output and exit status
perfetto() {
	printf '%b' "$1" |
		on_phone "perfetto --txt -c - -o $traces/$2 2>&1; echo rc=\$?"
}

# refuses NAME CONFIG PATTERN: exit 1 and a message
refuses() {
	out=$(perfetto "$2" refused)
	like "$1" "*$3*rc=1" "$out"
}

size() {
	on_phone "stat -c %s $traces/$1"
}

fetch() {
	phone_adb P pull "$traces/$1" "$T/$1" >/dev/null
}

kernel "$T/boot.img" 6.12.30-base-g1
vphone_start P A --install "boot_a=$T/boot.img,boot_b=$T/boot.img" || exit 1
wait_android P || exit 1
adb_connect P || exit 1
on_phone 'svc power stayon true; input keyevent KEYCODE_WAKEUP
	wm dismiss-keyguard; sleep 1' >/dev/null </dev/null

refuses "an unknown field" 'buffers { size_kb: 10 color: 3 }\n' \
	'-:1:23 error: No field named "color" in proto BufferConfig'
refuses "an unknown enum value" 'buffers { fill_policy: RINGO }\n' \
	"Unexpected value 'RINGO' for enum field fill_policy in proto BufferConfig"
refuses "a wrong type" 'duration_ms: x\n' \
	"Expected value of type uint32 for field duration_ms in proto TraceConfig instead saw 'x'"
refuses "an open brace" 'buffers { size_kb: 3\n' "Nested message not closed"
refuses "a scalar twice" 'duration_ms: 3\nduration_ms: 4\n' \
	"-:2:1 error: Saw non-repeating field 'duration_ms' more than once"
refuses "single quotes" "unique_session_name: 'x'\n" "Unexpected character '''"
refuses "no white space at the end" 'duration_ms: 1000' \
	"-:1:17 error: Unexpected end of input"
refuses "nothing" '' "The TraceConfig is empty"
refuses "the invalid config is named" 'x: 1\n' \
	"The trace config is invalid, bailing out."
refuses "a buffer that is not there" \
	'buffers { size_kb: 3 }\ndata_sources { config { name: "linux.ftrace" target_buffer: 3 } }\n' \
	'Service error: Data source "linux.ftrace" specified an out of bounds target_buffer (3 >= 1)'
refuses "a week and more" 'duration_ms: 604800001\n' \
	"Requested too long trace (604800001 ms  > 604800000 ms)"
out=$(printf 'duration_ms: 500\n' |
	on_phone 'perfetto --txt -c - -o /data/local/tmp/t 2>&1; echo rc=$?')
like "another folder" "*Failed to open /data/local/tmp/t*rc=1" "$out"

ftrace='buffers { size_kb: 4096 }
data_sources { config { name: "linux.ftrace" ftrace_config {
  ftrace_events: "sched/*" ftrace_events: "workqueue/*"
  ftrace_events: "nothing/of_this_name" symbolize_ksyms: true } } }
data_sources: { config { name: "android.surfaceflinger.frametimeline"; } }
'
like "an unknown event is accepted" "*rc=0" \
	"$(perfetto "$ftrace duration_ms: 1000 # a second\n" t1)"
fetch t1
check "and the trace says so" grep -q nothing/of_this_name "$T/t1"
like "an unknown data source is accepted" "*rc=0" \
	"$(perfetto 'buffers { size_kb: 4 } data_sources { config { name: "no.such" } }\nduration_ms: 500\n' t2)"
like "and its trace is nearly empty" "[1-9]??" "$(size t2)"
like "short form" "*rc=0" \
	"$(on_phone "perfetto -o $traces/t3 -t 500ms sched freq 2>&1; echo rc=\$?" </dev/null)"

pid=$(printf '%b' "$ftrace" |
	on_phone "perfetto --txt -c - -o $traces/bg --background-wait")
like "in the background it prints a pid" "[0-9]*" "$pid"
is "which is a process" "alive 0" \
	"$(on_phone "kill -0 $pid && echo alive \$(stat -c %s $traces/bg)" </dev/null)"
on_phone 'input swipe 500 5 500 2000 200; sleep 0.5
	input swipe 500 2000 500 5 200; sleep 0.5' >/dev/null </dev/null
is "which ends when told" gone "$(on_phone "kill -TERM $pid; i=0
	while kill -0 $pid 2>/dev/null && [ \$i -lt 100 ]; do
		sleep 0.05; i=\$((i + 1)); done
	kill -0 $pid 2>/dev/null || echo gone" </dev/null)"
fetch bg
check "its trace has work items" grep -q pm_runtime_work "$T/bg"
check "and frames" grep -q NotificationShade "$T/bg"
is "the file belongs to the caller" "$(on_phone 'id -u' </dev/null)" \
	"$(on_phone "stat -c %u $traces/bg" </dev/null)"
pid=$(printf '%b' "$ftrace" |
	on_phone "perfetto --txt -c - -o $traces/killed --background-wait")
on_phone "kill -KILL $pid; sleep 1" >/dev/null </dev/null
is "killed, it leaves an empty file" 0 "$(size killed </dev/null)"

ctl P fault trace-truncated 1 >/dev/null
perfetto "$ftrace duration_ms: 1000\n" cut >/dev/null
fetch cut
check "a truncated trace is shorter" \
	test "$(wc -c <"$T/cut")" -lt "$(wc -c <"$T/t1")"
boot=$(on_phone 'cat /proc/sys/kernel/random/boot_id' </dev/null)
ctl P fault reboot 1 >/dev/null
perfetto "$ftrace duration_ms: 4000\n" lost >/dev/null
wait_android P
adb_connect P
now=$(on_phone 'cat /proc/sys/kernel/random/boot_id' </dev/null)
check "the phone rebooted by itself" test "$boot" != "$now"
done_testing

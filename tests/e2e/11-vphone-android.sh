#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Android's commands on the virtual phone behave as a phone's do, the ugly
# parts included; the Jankbench app runs, stores and can be interrupted.
# shellcheck disable=SC2016 # $ is for the phone's shell
SPEED=${SPEED:-20}
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

bench=com.android.benchmark
extra=$bench.EXTRA
db=/data/data/$bench/databases/BenchmarkResults
copy=$T/BenchmarkResults
systemui='dumpsys activity service com.android.systemui/.SystemUIService'

on_phone() {
	phone_adb P shell "exec 2>&1; $1" </dev/null
}

fault() {
	ctl P fault "$@" >/dev/null
}

# says NAME WANTED COMMAND: the command's whole output.
says() {
	is "$1" "$2" "$(on_phone "$3")"
}

# has NAME PATTERN COMMAND: a line of the output matches the basic regex.
has() {
	got=$(on_phone "$3")
	if printf '%s\n' "$got" | grep -q -- "$2"; then
		ok "$1"
	else
		not_ok "$1" "no line has $2" "$(printf '%s' "$got" | head -n 20)"
	fi
}

# sql NAME WANTED QUERY
sql() {
	is "$1" "$2" "$(sqlite3 "$copy" "$3" 2>&1)"
}

# Words for the phone that wait until PATTERN is in COMMAND's output.
until_has() { # PATTERN COMMAND
	echo "i=0; until $2 | grep -q '$1' || [ \$i -ge 200 ]; do
		sleep 0.05; i=\$((i + 1)); done;"
}

awake() {
	on_phone 'svc power stayon true; input keyevent KEYCODE_WAKEUP
		wm dismiss-keyguard; sleep 0.6; cmd statusbar collapse'
	on_phone "$(until_has mCurrentFocus=.*Launcher 'dumpsys window')"
}

start_bench() { # IDS COUNT [AM OPTION...]
	ids=$1 count=$2
	shift 2
	on_phone "am start -n $bench/.app.RunLocalBenchmarksActivity \
		--eia ${extra}_ENABLED_BENCHMARK_IDS $ids \
		--ei ${extra}_RUN_COUNT $count $*"
}

settings() {
	says "an unset setting reads null" null \
		'settings get system min_refresh_rate'
	says "put says nothing, get answers" 128 \
		'settings put system screen_brightness 128
		 settings get system screen_brightness'
	says "the best refresh rate is rewritten" Infinity \
		'settings put system min_refresh_rate 120.0
		 settings get system min_refresh_rate'
	says "delete makes it unset again" "Deleted 1 rows
null" 'settings delete system min_refresh_rate
		 settings get system min_refresh_rate'
	says "a bad namespace" "Invalid namespace 'foo'
255" 'settings get foo bar; echo $?'
	fault setting-refused 1
	says "a refused put has no effect and exits 0" "0 128" \
		'settings put system screen_brightness 7; echo -n "$? "
		 settings get system screen_brightness'
}

properties() {
	says "getprop of nothing is an empty line" "" 'getprop no.such.prop'
	has "getprop lists all" '^\[ro.boot.verifiedbootstate\]: \[orange\]$' \
		getprop
	says "ro properties cannot be set" "Failed to set property 'ro.debuggable' to '0'.
See dmesg for error reason.
1" 'setprop ro.debuggable 0; echo $?'
}

windows() {
	says "wm size: physical, override, reset" "Physical size: 1080x2400
Override size: 720x1600
Physical size: 1080x2400" \
		'wm size 720x1600; wm size; wm size reset; wm size'
	says "an unknown service" "cmd: Can't find service: nosuch
20" 'cmd nosuch x; echo $?'
	says "cmd statusbar accepts any word in silence" 0 \
		'cmd statusbar open-sesame; echo $?'
	says "input shrugs at an unknown command" 0 \
		'input wave >/dev/null; echo $?'
	says "the thermal status is locked until reset" "IsStatusOverride: true
IsStatusOverride: false" \
		'cmd thermalservice override-status 0
		 dumpsys thermalservice | grep Override
		 cmd thermalservice reset
		 dumpsys thermalservice | grep Override'
	has "faked battery values are marked" 'UPDATES STOPPED' \
		'dumpsys battery unplug; dumpsys battery; dumpsys battery reset'
	says "dumpsys of no service exits 0" "Can't find service: nosuch
0" 'dumpsys nosuch; echo $?'
}

keyguard() {
	on_phone 'input keyevent SLEEP; sleep 0.2; input keyevent WAKEUP'
	has "the keyguard is back after sleep" '^ *showing=true' \
		'dumpsys window policy'
	has "it is in the shade's window" 'mCurrentFocus=.*NotificationShade' \
		'dumpsys window'
	says "swipes do nothing behind it" "" \
		'input swipe 540 5 540 2000 300; dumpsys window policy |
			grep showing=false'
	awake
	has "it can be dismissed" '^ *showing=false' 'dumpsys window policy'
	fault locked
	on_phone 'input keyevent SLEEP; input keyevent WAKEUP
		wm dismiss-keyguard; sleep 1'
	has "unless it has a PIN" '^ *showing=true' 'dumpsys window policy'
	fault locked 0
	awake
}

shade() {
	on_phone 'input swipe 540 5 540 2000 300'
	has "a swipe opens the shade" mExpandedVisible=true "$systemui"
	has "which takes the focus" 'mCurrentFocus=.*NotificationShade' \
		'sleep 0.5; dumpsys window'
	on_phone 'input swipe 540 2000 540 5 300; sleep 0.5'
	has "a swipe closes it" mExpandedVisible=false "$systemui"
	has "the launcher has the focus again" 'mCurrentFocus=.*Launcher' \
		'dumpsys window'
	on_phone 'cmd statusbar expand-notifications'
	has "so does cmd statusbar" mExpandedVisible=true "$systemui"
	on_phone 'cmd statusbar collapse; sleep 0.5'
	fault shade-stuck 1
	on_phone 'input swipe 540 5 540 2000 300'
	has "a stuck shade stays closed" mExpandedVisible=false "$systemui"
	before=$(on_phone 'cut -d. -f1 /proc/uptime')
	on_phone 'input swipe 1 1000 9 1000 3000'
	after=$(on_phone 'cut -d. -f1 /proc/uptime')
	check "a swipe takes its time of the phone's clock" \
		[ $((after - before)) -ge 2 ]
}

notifications() {
	on_phone 'cmd notification post -t "One title" one "a text" >/dev/null
		cmd notification post two text >/dev/null
		cmd notification post two changed >/dev/null; sleep 0.2'
	says "the tag alone tells notifications apart; two have a summary" \
		"0|com.android.shell|2020|one|2000
0|com.android.shell|2020|two|2000
0|com.android.shell|2147483647|ranker_group|2000|ranker_group" \
		'cmd notification list | grep shell'
	says "the system's own are there too" 2 \
		'cmd notification list | grep -c "^-1|android|"'
	has "an exception exits 0" '^Error occurred. Check logcat.* 0$' \
		'echo "$(cmd notification post --line x t t) $?"'
	says "another's cannot be cancelled" 3 \
		'service call notification 1 s16 android i32 0 >/dev/null
		 cmd notification list | grep -c shell'
	says "one's own can" 0 \
		'service call notification 1 s16 com.android.shell i32 0 \
			>/dev/null
		 cmd notification list | grep -c shell'
	says "an unknown key" "error: no active notification matching key: x
1" 'cmd notification get x; echo $?'
	says "DND is a global setting" "2 0" \
		'cmd notification set_dnd none
		 echo -n "$(settings get global zen_mode) "
		 cmd notification set_dnd off; settings get global zen_mode'
}

screen_timeout() {
	on_phone 'svc power stayon false; settings put system \
		screen_off_timeout 1000; input keyevent WAKEUP; sleep 1.5'
	has "the screen times out" mWakefulness=Asleep 'dumpsys power'
	on_phone 'settings put system screen_off_timeout 30000'
	awake
	has "stay-on holds it" mWakefulness=Awake 'sleep 31; dumpsys power'
}

packages() {
	has "the app's path contains =" \
		"^package:/data/app/~~.*==/base.apk=$bench versionCode:1" \
		'pm list packages -f --show-versioncode'
	has "am start: no such activity" \
		'Error: Activity class {com.nope/.Nope} does not exist' \
		'am start -W -n com.nope/.Nope'
	has "a cold start" 'LaunchState: COLD' \
		'am start -W -S -n com.android.settings/.Settings'
	has "a second start has no TotalTime" '^Warning: .*top-most' \
		'am start -W -n com.android.settings/.Settings'
	says "force-stop ends the process" "" \
		'am force-stop com.android.settings
		 pidof com.android.settings'
	says "pm: unknown option" "Error: Unknown option: --x
1" 'pm bg-dexopt-job --x; echo $?'
}

rails() {
	on_phone 'dumpsys android.hardware.power.stats.IPowerStats/default \
		delta >/dev/null; sleep 2' >/dev/null
	has "the power HAL's delta counts from the last reader" \
		'^Elapsed time: [1-9][0-9]*[0-9][0-9][0-9] ms' \
		'dumpsys android.hardware.power.stats.IPowerStats/default delta'
}

logcat_stream() {
	got=$(on_phone 'logcat -c; logcat -v brief -m 1 -s mark:W & sleep 0.3
		log -t other -p e no; log -t mark -p i no
		log -t mark -p w yes; wait' | grep -v beginning)
	like "logcat streams what its filter lets through" 'W/mark*: yes' "$got"
}

groups="SELECT name, iteration FROM ui_results WHERE run_id = (SELECT run_id
	FROM ui_results ORDER BY _id DESC LIMIT 1) GROUP BY name, iteration
	HAVING count(*) > 100"

pull_db() {
	rm -f "$copy"*
	for suffix in "" -wal -shm; do
		phone_adb P exec-out "su 0 cat $db$suffix 2>/dev/null" \
			</dev/null >"$copy$suffix"
	done
}

# The flags as jankbench.md defines them, recomputed from the durations.
flags_agree() {
	sqlite3 -separator ' ' "$copy" 'SELECT run_id, name,
		iteration, total_duration, jank_frame FROM ui_results
		ORDER BY _id' | awk '
	{ ms = $(NF - 1); flag = $NF; key = $0
	  sub(/ [^ ]* [^ ]*$/, "", key)
	  if (key != last) { tb = 0; last = key }
	  want = tb ? ms > 32 : ms > 16
	  if (want) tb = !tb
	  bad += want != flag; janks += want }
	END { exit bad > 0 || janks == 0 }'
}

jankbench() {
	on_phone "pm clear $bench >/dev/null; logcat -c"
	start_bench 0,3,99 2 -W -S >/dev/null
	has "Jankbench tells when it is done" 'BENCH *: BenchmarkDone!' \
		'logcat -m 1 -s BENCH:I'
	says "its markers: three considered, four iterations" "3
1
4" 'for word in considering "not valid" "iteration:"; do
		logcat -d -s System.out:I | grep -c "$word"; done'
	says "its data are private" 1 "ls $db >/dev/null 2>&1; echo \$?"
	pull_db
	sql "rows of all iterations, named as the app names them" \
		"High-hitrate text render|0
High-hitrate text render|1
List View Fling|0
List View Fling|1" "$groups"
	sql "user_version is 2" 2 'PRAGMA user_version'
	check "jank flags follow from the durations" flags_agree
	pull_db
	rm -f "$copy"-*
	sql "without the -wal file nothing is there yet" \
		"Error: in prepare, no such table: ui_results" "$groups"
	on_phone "am force-stop $bench"
	pull_db
	rm -f "$copy"-*
	sql "force-stop leaves it whole" 4 "SELECT count(*) FROM ($groups)"
}

# How often the log of this run says what the words are.
logged() {
	on_phone "logcat -d -s System.out:I |
		grep -c '$1'"
}

interrupted() {
	on_phone 'logcat -c'
	start_bench 0 6 >/dev/null
	on_phone 'sleep 1; for i in 1 2 3; do
			cmd statusbar expand-notifications; sleep 0.7
			cmd statusbar collapse; sleep 1.6
		done; logcat -m 1 -s BENCH:I' >/dev/null
	begun=$(logged iteration:)
	ended=$(logged 'Jank Percentage')
	on_phone "am force-stop $bench"
	pull_db
	is "all iterations begin" 6 "$begun"
	check "the shade cancels some" [ "$ended" -lt 6 ]
	sql "which leave no rows" "$ended" "SELECT count(*) FROM ($groups)"
	sql "rows of two runs lie in one table" 2 \
		'SELECT count(DISTINCT run_id) FROM ui_results'
}

broken() {
	on_phone "pm clear $bench >/dev/null; logcat -c"
	fault jankbench-empty 1
	fault jankbench-silent 1
	start_bench 0 1 >/dev/null
	says "a silent benchmark never says that it is done" "" \
		'sleep 8; logcat -d -s BENCH:I | grep Done'
	pull_db
	sql "an empty one has its tables and no rows" 0 \
		'SELECT count(*) FROM ui_results'
	on_phone 'logcat -c'
	start_bench 77 1 -S >/dev/null
	has "no valid test: the app dies" IndexOutOfBounds \
		"$(until_has IndexOutOfBounds 'logcat -d') logcat -d"
}

kernel "$T/a.img" 6.12.30-android16-5-base
check "a phone starts" vphone_start P A --install "boot_a=$T/a.img"
check "and boots Android" wait_android P
check "adb connects" adb_connect P
properties
awake
settings
windows
keyguard
shade
notifications
screen_timeout
packages
rails
logcat_stream
jankbench
interrupted
broken
done_testing

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The steps of scenarios on the virtual phone: the shipped scenarios whole,
# and every way in which a step finds out that the phone did not do it.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$SRC" || exit 1

# steps SCENARIO
steps() {
	timeout 120 "$O/bench/bench-steps" -s "$(adb_address P)" "$@" 2>&1
}

# script NAME STEP...: a scenario file of these steps, one a line
script() {
	script_name=$1
	shift
	{
		printf 'scenario: %s\nsteps:\n' "$script_name"
		printf '  - %s\n' "$@"
	} >"$T/$script_name.yaml"
}

# step NAME STEP...: these steps succeed
step() {
	step_name=$1
	shift
	script t "$@"
	if step_out=$(steps "$T/t.yaml"); then
		ok "$step_name"
	else
		not_ok "$step_name" "$step_out"
	fi
}

# step_fails NAME PATTERN STEP...: they end with an error that says PATTERN
step_fails() {
	sf_name=$1
	sf_pattern=$2
	shift 2
	script t "$@"
	if sf_out=$(steps "$T/t.yaml"); then
		not_ok "$sf_name" "it succeeded: $sf_out"
	else
		like "$sf_name" "$sf_pattern" "$sf_out"
	fi
}

own() {
	phone_adb P shell cmd notification list </dev/null |
		grep -c '|com.android.shell|.*|abrig-'
}

kernel "$T/boot.img" 6.12.30-android16-5-base
vphone_start P A --install "boot_a=$T/boot.img,boot_b=$T/boot.img" || exit 1
wait_android P || exit 1
adb_connect P || exit 1
# What preparation does in a campaign: the screen stays on.
phone_adb P shell settings put system screen_off_timeout 2147483647 </dev/null

# ---- the shipped scenarios, as shell and as root ----

check "notification-shade as shell" steps notification-shade
is "no notification of it is left" 0 "$(own)"
check "jankbench" steps jankbench
phone_adb P root >/dev/null 2>&1
adb_connect P
is "adbd is root now" 0 "$(phone_adb P shell id -u)"
sed 's/swipes: 10 /swipes: 2 /' scenarios/notification-shade.yaml >"$T/short.yaml"
check "notification-shade as root" steps "$T/short.yaml"
is "nor is one after that" 0 "$(own)"
ctl P fault su-aosp >/dev/null
step "as root with a su that takes no -c" wake collapse \
	clear_notifications 'notifications: { count: 2 }'
is "two are listed as the shell's" 2 "$(own)"
ctl P clear >/dev/null

# ---- single steps ----

step "notifications are posted as the shell" wake collapse \
	clear_notifications 'notifications: { count: 5 }'
is "five are listed" 5 "$(own)"
step_fails "notifications over others do not count" \
	"*step 'notifications' ($T/t.yaml:3): clear_notifications first*deadline passed*waiting until*shows 3 notifications*it shows 5*" \
	'notifications: { count: 3 }'
step "they can be cleared" clear_notifications
is "none is listed" 0 "$(own)"
step "clearing nothing is fine" clear_notifications
step "the shade opens by a swipe" home \
	'swipe: { from: [0.5, 0.002], to: [0.5, 0.998] }' \
	'shade: { state: open }' 'shade_proof: { state: open }' collapse \
	'shade_proof: { state: closed }'
step_fails "a shade that stays closed" \
	"*step 'shade' ($T/t.yaml:4): deadline passed while waiting until the shade is open on *last seen: awake: yes, keyguard: no, shade: no*" \
	home 'shade: { state: open, timeout: 1s }'
step_fails "a proof that fails" \
	"*step 'shade_proof' *SystemUI of * says that the shade is open (it is not)*" \
	'shade_proof: { state: open, timeout: 1s }'
step_fails "the pass of a repeat is named" \
	"*step 'repeat' ($T/t.yaml:3): in pass 1 of 2: step 'shade' ($T/t.yaml:3):*" \
	'repeat: { times: 2, steps: [shade: { state: open, timeout: 1s }] }'
step "an app starts, stops and is cleared" \
	'start_app: { component: com.android.benchmark/.app.HomeActivity }' \
	'force_stop: { package: com.android.benchmark }' \
	'clear_data: { package: com.android.benchmark }'
step_fails "an app that is not there" \
	"*cannot start com.no.app/.Main: Error*" \
	'start_app: { component: com.no.app/.Main }'
step_fails "data of an app that is not there" \
	"*pm clear com.no.app*is the app installed?*" \
	'clear_data: { package: com.no.app }'

# ---- faults ----

ctl P fault jankbench-silent 1 >/dev/null
step_fails "Jankbench that never says that it is done" \
	"*step 'jankbench' ($T/t.yaml:3): Jankbench did not finish (1 of 1 iterations began)*" \
	'jankbench: { tests: [list_view], iterations: 1, timeout: 2 min }'
phone_adb P shell pm uninstall com.android.benchmark >/dev/null 2>&1 </dev/null
if phone_adb P shell pm path com.android.benchmark >/dev/null 2>&1 </dev/null
then
	skip "Jankbench that is not there" "this phone cannot uninstall it"
else
	step_fails "Jankbench that is not there" \
		"*com.android.benchmark is not installed; build it from AOSP*" \
		'jankbench: { tests: [list_view], iterations: 1 }'
fi

done_testing

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A rig that is stopped: by Ctrl-C, by kill -9 of the supervisor, of a worker.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/e2e/campaign.sh
. "$(dirname "$0")/campaign.sh"

# start_campaign DIR: in the background; waits for a run that records
start_campaign() {
	(cd "$SRC" && exec "$O/abrig" run "$T/plan.yaml" -C "$1" --plain \
		>"$1.out" 2>"$1.err") &
	campaign_pid=$!
	for _ in $(seq 600); do
		[ -n "$(query "$1" "select 1 from run where state = 1" \
			2>/dev/null)" ] && return 0
		sleep 0.1
	done
	return 1
}

# until_idle DIR: nobody holds the campaign's lock
until_idle() {
	timeout 60 flock "$1/campaign.lock" true
}

check "images" images "$T/images"
timeout 20 adb start-server >/dev/null 2>&1
check "a phone" phone a A "$T/images" 31
settings a >"$T/before"
plan "$T/plan.yaml" "A=a" 2 2

# The schedule, as a campaign that nobody disturbed would have it.
schedule="select device, block, position, variant from session where id <= 4
	order by id"

# ---- Ctrl-C ----

check "a campaign begins" start_campaign "$T/c"
kill -INT "$campaign_pid"
wait "$campaign_pid"
is "Ctrl-C ends it with 130" 130 $?
settings a >"$T/after"
check "the phone's settings are restored" diff "$T/before" "$T/after"
is "the run is rejected as interrupted" interrupted \
	"$(query "$T/c" "select gate from run where state = 3")"
query "$T/c" "$schedule" >"$T/schedule"

abrig run "$T/plan.yaml" -C "$T/c" --plain >"$T/out" 2>"$T/err"
is "abrig run goes on to the end" 0 $?
check "no run is lost or doubled" one_each "$T/c"
query "$T/c" "$schedule" >"$T/schedule2"
check "with the same schedule" cmp "$T/schedule" "$T/schedule2"

# ---- kill -9 of abrig ----

check "another campaign begins" start_campaign "$T/k"
kill -KILL "$campaign_pid"
wait "$campaign_pid" 2>/dev/null
check "its worker ends by itself" until_idle "$T/k"
settings a >"$T/after"
check "and restores the phone" diff "$T/before" "$T/after"
abrig run "$T/plan.yaml" -C "$T/k" --plain >"$T/out" 2>"$T/err"
is "abrig run goes on after kill -9" 0 $?
check "no run is lost or doubled" one_each "$T/k"
query "$T/k" "$schedule" >"$T/schedule2"
check "with the same schedule" cmp "$T/schedule" "$T/schedule2"

# ---- kill -9 of abrig and its worker at once ----

check "a third campaign begins" start_campaign "$T/b"
pkill -KILL -f "worker --dir $T/b "
kill -KILL "$campaign_pid"
wait "$campaign_pid" 2>/dev/null
check "nobody is left" until_idle "$T/b"
settings a >"$T/after"
if cmp -s "$T/before" "$T/after"; then
	not_ok "the phone was left in its prepared state"
else
	ok "the phone was left in its prepared state"
fi
check "abrig restore gives it back" abrig restore "$T/b"
settings a >"$T/after"
check "as it was" diff "$T/before" "$T/after"
abrig run "$T/plan.yaml" -C "$T/b" --plain >"$T/out" 2>"$T/err"
is "and abrig run goes on" 0 $?
check "no run is lost or doubled" one_each "$T/b"
settings a >"$T/after"
check "with the phone given back" diff "$T/before" "$T/after"

# ---- kill -9 of a worker only ----

check "a fourth campaign begins" start_campaign "$T/w"
pkill -KILL -f "worker --dir $T/w "
wait "$campaign_pid"
is "a crashed worker is started again" 0 $?
like "and it is said" "*worker crashed*" "$(cat "$T/w.err")"
check "no run is lost or doubled" one_each "$T/w"

done_testing

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Two phones at once: what happens to one does not disturb the other.  And the
# messages for a wrong environment.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/e2e/campaign.sh
. "$(dirname "$0")/campaign.sh"

check "images" images "$T/images"
timeout 20 adb start-server >/dev/null 2>&1
check "a phone" phone a A "$T/images" 41
check "another phone" phone b B "$T/images" 42

plan "$T/plan.yaml" "A=a B=b" 1 2
(cd "$SRC" && exec "$O/abrig" run "$T/plan.yaml" -C "$T/c" --plain \
	>"$T/c.out" 2>"$T/c.err") &
campaign_pid=$!
for _ in $(seq 600); do
	[ "$(query "$T/c" "select count(*) from run where state = 2" \
		2>/dev/null)" -ge 1 ] 2>/dev/null && break
	sleep 0.1
done
kill -KILL "$(cat "$T/b.pid")"
wait "$campaign_pid"
is "one phone dies: the campaign ends with 1" 1 $?
is "the other phone's runs are all accepted" 4 \
	"$(query "$T/c" "select count(*) from run r join session s on
		r.session = s.id join device d on s.device = d.id
		where d.platform = 'A' and r.state = 2")"
is "and none of them was rejected" 0 \
	"$(query "$T/c" "select count(*) from run r join session s on
		r.session = s.id join device d on s.device = d.id
		where d.platform = 'A' and r.state = 3")"
like "the message names the phone that died" "*$(adb_address b)*" \
	"$(tail -n 5 "$T/c.err")"

# ---- a wrong environment ----

abrig run "$T/none.yaml" >"$T/out" 2>"$T/err"
is "no such plan: 3" 3 $?
like "with its name" "*none.yaml*" "$(cat "$T/err")"

sed 's/blocks: 1/blcks: 1/' "$T/plan.yaml" >"$T/typo.yaml"
abrig run "$T/typo.yaml" >"$T/out" 2>"$T/err"
is "a typo in the plan: 2" 2 $?
like "with place and suggestion" \
	"*typo.yaml:*unknown key 'blcks'*did you mean 'blocks'*" \
	"$(cat "$T/err")"

mkdir "$T/empty"
(cd "$SRC" && PATH=$T/empty ANDROID_ADB_SERVER_PORT=$("$O/vphone" free-port) \
	"$O/abrig" run "$T/plan.yaml" -C "$T/noadb" --plain) \
	>"$T/out" 2>"$T/err"
is "no adb program: 3" 3 $?
like "with the package to install" "*adb*install*" "$(cat "$T/err")"

plan "$T/full.yaml" "A=a" 1 1 "gates: { min_free: 1000 TiB }"
abrig run "$T/full.yaml" -C "$T/full" --plain >"$T/out" 2>"$T/err"
is "too little space: 1" 1 $?
is "runs are rejected before they begin" host-space \
	"$(query "$T/full" "select distinct gate from run where state = 3")"

mkdir "$T/ro" && chmod 555 "$T/ro"
if [ "$(id -u)" -eq 0 ]; then
	skip "no permission: 3" "root may write anywhere"
else
	abrig run "$T/plan.yaml" -C "$T/ro/c" >"$T/out" 2>"$T/err"
	is "no permission: 3" 3 $?
fi

if unshare --propagation unchanged -m true 2>/dev/null; then
	mkdir "$T/small"
	# shellcheck disable=SC2016
	unshare --propagation unchanged -m sh -c 'mount -t tmpfs -o size=300k none "$1" && cd "$2" &&
		"$3" run "$4" -C "$1/c" --plain' sh "$T/small" "$SRC" \
		"$O/abrig" "$T/plan.yaml" >"$T/out" 2>"$T/err"
	is "a full disk: 3" 3 $?
	like "with the remedy" "*free space*" "$(cat "$T/err")"
else
	skip "a full disk: 3" "mount namespaces are not granted"
	skip "with the remedy" "mount namespaces are not granted"
fi

check "abrig devices lists the phone" abrig devices
like "by its address" "*$(adb_address a)*" "$(cat "$T/check.out")"
plan "$T/doctor.yaml" "A=a" 1 1
check "abrig doctor finds no problem" abrig doctor "$T/doctor.yaml"
ctl a fault jankbench-empty 1 >/dev/null
like "each check says ok" "*ok *perfetto*ok *odpm*" "$(cat "$T/check.out")"

done_testing

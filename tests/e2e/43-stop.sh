#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A campaign that ends early because its answer is clear, and one that cannot.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/e2e/campaign.sh
. "$(dirname "$0")/campaign.sh"

fact() {
	query "$1" "select value from fact where key = '$2'"
}

check "images" images "$T/images"
timeout 20 adb start-server >/dev/null 2>&1
check "a phone" phone a A "$T/images" 51
settings a >"$T/before"

# ---- plans that cannot be ----

plan "$T/plan.yaml" "A=a" 9 1 \
	"metrics: { primary: [ pm_runtime_work.cpu_wait.mean ] }"
stop="stop: { when: clear, first: 3, every: 1, spending: pocock }"
sed -i "s/seed: 7/seed: 7, $stop/" "$T/plan.yaml"
grep -v '^metrics' "$T/plan.yaml" >"$T/wrong.yaml"
abrig run "$T/wrong.yaml" -C "$T/wrong" >"$T/out" 2>"$T/err"
is "stop without primary metrics: 2" 2 $?
like "with its place" "*wrong.yaml:11:*metrics.primary*" "$(cat "$T/err")"
sed 's/blocks: 9/blocks: 3/' "$T/plan.yaml" >"$T/wrong.yaml"
abrig run "$T/wrong.yaml" -C "$T/wrong" >"$T/out" 2>"$T/err"
is "a first look after all blocks: 2" 2 $?
like "with its place" "*wrong.yaml:11:*stop.first*" "$(cat "$T/err")"

# ---- a clear effect ----

abrig run "$T/plan.yaml" -C "$T/c" --plain >"$T/out" 2>"$T/err"
is "the campaign ends with 0" 0 $?
blocks=$(fact "$T/c" stop.blocks)
check "before its last block" test "${blocks:-9}" -lt 9
check "after the first look" test "${blocks:-0}" -ge 3
is "at a look that was recorded" "$((blocks - 2))" "$(fact "$T/c" stop.look)"
is "no later block was begun" "$((blocks - 1))" \
	"$(query "$T/c" "select max(block) from session s join run r on
		r.session = s.id where r.state <> 0")"
is "the rest says why" "the campaign was stopped: its answer is clear" \
	"$(query "$T/c" "select distinct reason from session where state = 5")"
like "the report says at which look" \
	"*stopped early, at look $((blocks - 2)) of 7: $blocks of 9 blocks*" \
	"$(tr -s ' \n' ' ' <"$T/out")"
like "with its verdict" "*CPU wait mean*different*" "$(cat "$T/out")"
settings a >"$T/after"
check "the phone is given back" diff "$T/before" "$T/after"

# ---- again: the same looks ----

runs=$(query "$T/c" "select count(*) from run where state = 2")
abrig run "$T/plan.yaml" -C "$T/c" --plain >"$T/out2" 2>"$T/err"
is "a stopped campaign has nothing to do" 0 $?
is "and runs nothing" "$runs" \
	"$(query "$T/c" "select count(*) from run where state = 2")"
# Only the time of its end is another.
is "with the same report" "$(sed 's/2[0-9-]*T[0-9:]*Z/TIME/g' "$T/out")" \
	"$(sed 's/2[0-9-]*T[0-9:]*Z/TIME/g' "$T/out2")"
# As if killed after the last run that counted, before the looks.
sqlite3 "$T/c/campaign.db" "delete from fact where key like 'stop.%';
	delete from note where text like 'stopped early%';
	update session set state = 0, reason = null where state = 5;"
abrig run "$T/plan.yaml" -C "$T/c" --plain >"$T/out2" 2>"$T/err"
is "killed before the looks: they are taken then" "$blocks" \
	"$(fact "$T/c" stop.blocks)"
is "and nothing is run" "$runs" \
	"$(query "$T/c" "select count(*) from run where state = 2")"
like "a pilot for the next" "*CPU wait mean*" "$(abrig power "$T/c")"

done_testing

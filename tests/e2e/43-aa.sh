#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A/A: a kernel against itself on a virtual phone, its record, and what later
# reports say; then a rig that is not the same for both.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/e2e/campaign.sh
. "$(dirname "$0")/campaign.sh"

check "images" images "$T/images"
timeout 20 adb start-server >/dev/null 2>&1
check "a phone" phone a A "$T/images" 51
serial=$(adb_address a)
record=$XDG_STATE_HOME/abrig/aa

plan "$T/one.yaml" "A=a" 1 1
abrig aa >"$T/out" 2>"$T/err"
is "nothing on record: 0" 0 $?
like "and it is said" "no A/A on record*" "$(cat "$T/out")"

# ---- an A/A night, with an interruption ----

plan "$T/plan.yaml" "A=a" 4 1
(cd "$SRC" && exec "$O/abrig" aa "$T/plan.yaml" -C "$T/aa" --plain \
	>"$T/out" 2>"$T/err") &
aa_pid=$!
for _ in $(seq 600); do
	[ -n "$(query "$T/aa" "select 1 from run where state = 1" \
		2>/dev/null)" ] && break
	sleep 0.1
done
kill -INT "$aa_pid"
wait "$aa_pid"
is "interrupted: 130" 130 $?
check "nothing is recorded then" test ! -e "$record"
abrig run "$T/plan.yaml" -C "$T/aa" --plain >/dev/null 2>"$T/err"
is "abrig run does not go on with it: 2" 2 $?
like "and says who does" "*begun by abrig aa*" "$(cat "$T/err")"
like "its report says that no A/A is on record" \
	"*A/A: none on record for $serial*abrig aa PLAN*" \
	"$(tr -s ' \n' ' ' <"$T/out")"
abrig aa "$T/plan.yaml" -C "$T/aa" --plain >"$T/out" 2>"$T/err"
is "abrig aa goes on, and passes: 0" 0 $?
check "every planned run is accepted once" one_each "$T/aa"
is "the two variants are one kernel" 1 \
	"$(query "$T/aa" "select count(distinct banner) from session")"
is "with two names" "base
base-again" "$(query "$T/aa" "select value from fact where key = 'variants'")"
like "the report comes first, then the A/A" \
	"*base -> base-again*A/A of $serial: 1 night*passed*alarms*" \
	"$(tr -s ' \n' ' ' <"$T/out")"
is "no line is over 75 columns" 0 "$(awk 'length > 75' "$T/out" | wc -l)"
is "one night is on record" 1 "$(find "$record" -name '*.json' | wc -l)"
is "the record is private" 0 "$(find "$record" -perm /077 | wc -l)"
check "recorded again" abrig aa "$T/aa"
is "it replaces itself" 1 "$(find "$record" -name '*.json' | wc -l)"
check "abrig aa lists it" abrig aa
like "with its verdict" "*A/A of $serial: 1 night*passed*" \
	"$(cat "$T/check.out")"
check "as JSON, too" abrig aa --json --device "$serial"
like "with noise floors" '*"noise_floor_pct" : [0-9]*' "$(cat "$T/check.out")"

# ---- later campaigns ----

abrig run "$T/one.yaml" -C "$T/later" --plain >"$T/out" 2>"$T/err"
is "a later campaign ends with 0" 0 $?
like "its report says that the A/A passed" \
	"*A/A: $serial: 1 night, last 20*alarms in * tests, passed*" \
	"$(tr -s ' \n' ' ' <"$T/out")"
abrig aa "$T/one.yaml" -C "$T/later" --plain >/dev/null 2>"$T/err"
is "abrig aa does not go on with it: 2" 2 $?
abrig aa "$T/later" >/dev/null 2>"$T/err"
is "nor is it an A/A campaign: 2" 2 $?
like "and it is said why" "*does not declare an A/A*" "$(cat "$T/err")"
check "its JSON has the noise floor" abrig report -s json "$T/later"
like "of its rows" '*"noise_floor_pct" : [0-9]*"verdict" : "passed"*' \
	"$(cat "$T/check.out")"
mv "$record" "$T/away"
abrig report "$T/later" >"$T/again"
check "and can be printed without the record" cmp "$T/out" "$T/again"
mv "$T/away" "$record"

# ---- a record that is damaged ----

night=$(find "$record" -name '*.json')
cp "$night" "$T/night"
sed 's/"version" : 1/"version" : 2/' "$T/night" >"$night"
cp "$night" "$T/newer"
abrig aa >"$T/out" 2>"$T/err"
is "a newer record: 1" 1 $?
like "and it is said" "*version 2*newer abrig*" "$(tr -s ' \n' ' ' <"$T/out")"
check "it is left as it is" cmp "$night" "$T/newer"
cp "$T/night" "$night"

# ---- a rig that treats the two differently ----

sed 's/^\(power_.*\) = 1$/\1 = 1.6/' "$SRC/tests/vphone/models/A/base.model" \
	>"$T/hungry.model"
check "a kernel that takes more power" kernel "$T/images/A/hungry.img" \
	6.12.30-hungry "$T/hungry.model"
plan "$T/bad.yaml" "A=a" 4 1 "same: true"
sed -i 's/pm-wq-highpri.img/hungry.img/' "$T/bad.yaml"
abrig run "$T/bad.yaml" -C "$T/bad" --plain >"$T/out" 2>"$T/err"
is "two kernels, declared the same: 0" 0 $?
abrig aa "$T/bad" >"$T/out" 2>"$T/err"
is "its A/A fails: 1" 1 $?
like "with the metric" "*FAILED*different*Failed:*different (p*HOWTO-aa*" \
	"$(tr -s ' \n' ' ' <"$T/out")"
abrig aa >"$T/out" 2>"$T/err"
is "and the record is flagged: 1" 1 $?

abrig aa "$T/one.yaml" -C "$T/few" --plain >"$T/out" 2>"$T/err"
is "an A/A of one block: 1" 1 $?
like "says that it tests nothing" \
	"*not enough blocks: nothing is tested*" "$(cat "$T/err")"
like "and its report is flagged" \
	"*Note: the A/A of $serial FAILED (last night 20*different*rig*" \
	"$(tr -s ' \n' ' ' <"$T/out")"

done_testing

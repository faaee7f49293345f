#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Run libFuzzer programs, two at a time; what they find fails.
# usage: O=build-fuzz tests/fuzz/run.sh PROGRAM...
# FUZZ_SECONDS is for each.  Inputs that reach new code are kept in O/corpus,
# beside the small corpus of the tree; findings stay in O/findings.
set -u
O=${O:-build-fuzz}
export O FUZZ_SECONDS="${FUZZ_SECONDS:-10}"
export UBSAN_OPTIONS=print_stacktrace=1

# shellcheck disable=SC2016 # expanded by the inner shell
one='
name=$(basename "$1"); seeds=tests/fuzz/corpus/$name
kept=$O/corpus/$name; found=$O/findings/$name log=$O/fuzz/$name.log
mkdir -p "$kept" "$found"; rm -f "$found"/*
[ -d "$seeds" ] || seeds=
"$1" -max_total_time="$FUZZ_SECONDS" -timeout=30 -rss_limit_mb=1024 \
	-print_final_stats=1 -artifact_prefix="$found/" \
	"$kept" $seeds >"$log" 2>&1 </dev/null
rc=$?
runs=$(sed -n "s/^stat::number_of_executed_units: *//p" "$log")
covered=$(grep -o "cov: [0-9]* ft: [0-9]*" "$log" | tail -n 1)
echo "$name: ${runs:-0} runs, $covered"
[ "$rc" -ne 0 ] || exit 0
{
	echo "--- $name found something (exit $rc), see $log:"
	grep -E "ERROR|runtime error:|^ *#[0-9] " "$log" | head -n 20
	for input in "$found"/*; do
		[ ! -f "$input" ] || echo "once more: $1 $input"
	done
} >&2
exit 1
'
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -I{} sh -c "$one" one {}

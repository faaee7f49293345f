#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The virtual phone's traces contain what its kernel models say: an
# independent decoder finds every planted wait, D-state and missed frame.
set -u
cd "$(dirname "$0")/../.." || exit 1
O=${O:-build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

tests=0
bad=0
report() { # STATUS NAME
	tests=$((tests + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tests - $2"
	else
		bad=$((bad + 1))
		echo "not ok $tests - $2"
	fi
}

# one NAME SEED LOST OPTION...: build a trace, decode it, compare.
one() {
	name=$1 seed=$2 lost=$3
	shift 3
	"$O/bench/bench-vptrace" --write "$dir/t" --planted "$dir/p" \
		--seed "$seed" --boot "$seed" "$@" &&
		"$O/bench/check-vptrace" "$dir/t" "$dir/p" "$lost" >"$dir/log"
	status=$?
	[ $status -eq 0 ] || sed 's/^/# /' "$dir/log"
	report $status "$name, seed $seed"
}

for platform in A B; do
	for model in base pm-wq-highpri; do
		for seed in 1 2 3; do
			one "$platform $model" $seed "" \
				--platform $platform --model $model
		done
	done
done
one "A base, Jankbench" 4 "" --workload bench
one "B highpri, Jankbench" 5 "" --workload bench --platform B \
	--model pm-wq-highpri
one "A base, classic encoding" 6 "" --classic
one "A base, lost events" 7 lost --lost
one "A base, two seconds" 8 "" --seconds 2

# truth PLATFORM MODEL: what many boots draw is what the model promises
truth() {
	set -- --platform "$1" --model "$2"
	"$O/bench/bench-vptrace" --truth "$@" >"$dir/truth"
	"$O/bench/bench-vptrace" --sample 120 "$@" >"$dir/sample"
	awk '
	BEGIN {
		within["items"] = 0.02; within["mean_us"] = 0.04
		within["p99_us"] = 0.06; within["over_2ms"] = 0.25
		within["ui_waker_wait_p90_us"] = 0.12
		within["ui_d_state_p90_us"] = 0.12
		within["app_missed"] = 0.5; within["sf_missed"] = 0.25
	}
	NR == FNR { truth[$1] = $2; next }
	$1 in within {
		n++
		off = $2 / truth[$1] - 1
		if (off > within[$1] || off < -within[$1]) {
			bad = 1
			print "# " $1 ": " $2 " instead of " truth[$1]
		}
	}
	END { exit bad || n != 8 }' "$dir/truth" "$dir/sample"
	report $? "the ground truth holds: $2 $4"
}
for platform in A B; do
	truth $platform base
	truth $platform pm-wq-highpri
done
"$O/bench/bench-vptrace" --truth --model base >"$dir/1"
"$O/bench/bench-vptrace" --truth --model base-again >"$dir/2"
cmp -s "$dir/1" "$dir/2"
report $? "base-again is base"

"$O/bench/bench-vptrace" --write "$dir/1" --seed 9
"$O/bench/bench-vptrace" --write "$dir/2" --seed 9
cmp -s "$dir/1" "$dir/2"
report $? "the same seed gives the same bytes"
"$O/bench/bench-vptrace" --write "$dir/2" --seed 10
! cmp -s "$dir/1" "$dir/2"
report $? "another seed gives others"

"$O/bench/bench-vptrace" --write "$dir/t" --seed 11 --planted "$dir/p"
! "$O/bench/check-vptrace" "$dir/1" "$dir/p" >/dev/null
report $? "another trace does not pass for this one"

refuses() { # NAME TEXT PATTERN: a model that must not be accepted
	printf '%s\n' "$2" >"$dir/bad.model"
	"$O/bench/bench-vptrace" --truth --model "$dir/bad.model" \
		>"$dir/out" 2>&1
	[ $? -eq 2 ] && grep -q "$3" "$dir/out"
	report $? "$1"
}
base=$(cat tests/vphone/models/A/base.model)
refuses "an unknown key is refused" "$base
wait_tails = 3" "unknown key 'wait_tails'"
refuses "a missing key is refused" "pm_wq_highpri = 0" "missing key"
refuses "a number that is none is refused" "wait_tail_p = half" \
	"line 1: wait_tail_p is 'half'"
refuses "a key given twice is refused" "$base
wait_tail_p = 0.1" "given twice"
refuses "a value out of range is refused" "wait_tail_p = 1.5" "outside"
echo "1..$tests"
[ $bad -eq 0 ]

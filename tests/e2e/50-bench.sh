#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The benchmarks of make bench that need no phone, as short as they get: they
# run and print their tables.  Nothing is said of seconds.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

cd "$SRC" || exit 1

for platform in A B; do
	out=$("$O/bench/bench-coverage" --platform "$platform" --seeds 2 \
		--blocks 3 --runs 1 2>&1)
	is "coverage $platform: ends well" 0 $?
	like "coverage $platform: planted effects" \
		"*base -> pm-wq-highpri*cpu_wait.p99*frames.sf_missed*power.cpu*" \
		"$out"
	like "coverage $platform: false alarms" \
		"*base -> base-again*false alarms*power.total*" "$out"
	like "coverage $platform: truth beside the estimates" \
		"*truth*jankbench.frame.mean*" "$out"
done
same=$("$O/bench/bench-coverage" --platform B --seeds 2 --blocks 3 --runs 1 \
	--jobs 1 2>&1)
is "coverage: the same whatever the number of threads" \
	"$(echo "$out" | sed 1d)" "$(echo "$same" | sed 1d)"

out=$("$O/bench/bench-trace" 1 2 2>&1)
is "trace: ends well" 0 $?
like "trace: floor, engine and memory" \
	"*floor*engine*ratio*private*compact *growth:*full *growth:*" "$out"
like "trace: several files" "*2 files:*times as fast*4 files:*" "$out"

"$O/bench/bench-tracegen" --mix compact "$T/one" 1 >"$T/planted"
is "trace generator: ends well" 0 $?
"$O/bench/bench-tracegen" --mix compact "$T/two" 1 >/dev/null
cmp -s "$T/one" "$T/two"
is "trace generator: the same seed, the same trace" 0 $?
like "trace generator: what is planted" "*switches*running*" \
	"$(cat "$T/planted")"

out=$("$O/bench/bench-stats" 1 2>&1)
is "stats: ends well" 0 $?
like "stats: coverage of synthetic data" \
	"*runs pooled*log-normal*5 % ratio*P99*one boot of each*" "$out"
out=$("$O/bench/bench-stats-speed" 2 5 2>&1)
is "stats, speed: ends well" 0 $?
like "stats, speed: threads and R" "*2 metrics*1 thread*2 threads*R*" "$out"

done_testing

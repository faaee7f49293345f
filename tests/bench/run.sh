#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench: measurements on one page.  docs/BENCH.md says what they mean.
# run.sh [PART...] runs only these parts: adb coverage stats trace.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"

part() {
	case " $PARTS " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
	printf '\n== %s ==\n' "$2"
}

# The adb client against the adb program, same server, same phone.
bench_adb() {
	kernel "$T/base.img" 6.12.30-bench &&
		timeout 20 adb start-server >/dev/null 2>&1 &&
		vphone_start a A --install "boot_a=$T/base.img,boot_b=$T/base.img" &&
		wait_android a && adb_connect a || return 1
	# Real work on the host, which no speed of the phone shortens.
	(
		unset ABRIG_TIME_SCALE
		BENCH_DEADLINE_MS=600000 "$O/bench/bench-adb" bench \
			"$(adb_address a)"
	)
	bench_status=$?
	vphone_stop a
	return "$bench_status"
}

PARTS=${*:-adb coverage stats trace}
status=0
cd "$SRC" || exit 1
echo "abrig bench: $(date '+%Y-%m-%d %H:%M'), $(nproc) CPUs," \
	"load $(cut -d' ' -f1 /proc/loadavg)"
if part adb "adb client against the adb program"; then
	bench_adb || status=1
fi
if part coverage "planted effects inside the intervals"; then
	"$O/bench/bench-coverage" || status=1
fi
if part stats "statistics on synthetic data"; then
	"$O/bench/bench-stats-speed" || status=1
	"$O/bench/bench-stats" "${BENCH_STATS_CAMPAIGNS:-150}" || status=1
	"$O/bench/bench-design" "${BENCH_DESIGN_CAMPAIGNS:-10}" || status=1
fi
if part trace "trace engine"; then
	# shellcheck disable=SC2086 # a list of sizes
	"$O/bench/bench-trace" ${BENCH_TRACE_MB:-10 100 1000} || status=1
fi
exit "$status"

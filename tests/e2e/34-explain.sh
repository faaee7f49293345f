#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# abrig explain: chains that the virtual phone's traces have planted in them.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# A minute of swipes, in which the app misses a frame now and then.
write_trace() {
	sed 's/^shade_app_missed_per_act.*/shade_app_missed_per_act = 0.3/' \
		"$SRC/tests/vphone/models/A/$1.model" >"$T/$1.model"
	"$O/bench/bench-vptrace" --late-waits --platform A --seconds 60 \
		--seed 3 --model "$T/$1.model" --write "$T/$1.pftrace" \
		--planted "$T/$1.planted"
}

# The frames that mechanism $2 of trace $1 is on the chains of.
frames() {
	"$O/abrig" explain --json "$T/$1.pftrace" | tr -d ' \n' |
		grep -oE "\"id\":\"$2\",\"text\":\"[^\"]*\",\"frames\":[0-9]+" |
		grep -oE '[0-9]+$'
}

write_trace base
write_trace pm-wq-highpri
check "what was planted is in the trace" "$O/bench/check-vptrace" \
	"$T/base.pftrace" "$T/base.planted"
planted=$(sed -n 's/^late_waits	//p' "$T/base.planted")
check "frames were made late by a wait" test "$planted" -ge 5
is "each is found, and nothing else" "$planted" \
	"$(frames base cpu_wait.kworker.pm)"
is "with the sleep that it ended" "$planted" \
	"$(frames base ui_d_state.rpm_resume)"
is "none where the worker does not wait" 0 \
	"$(frames pm-wq-highpri cpu_wait.kworker.pm)"

# The example of the HOWTO, to the letter.
(cd "$T" && "$O/abrig" explain base.pftrace) >"$T/list"
(cd "$T" && "$O/abrig" explain --frame 86028 base.pftrace) >"$T/chain"
awk '/^## Read a chain/ { on = 1 } /^1\. / { on = 0 }
	on && /^    / { print substr($0, 5) }' "$SRC/docs/HOWTO-why.md" \
	>"$T/example"
is "HOWTO-why.md's chain" "$(grep . "$T/chain")" "$(grep . "$T/example")"
is "no line is longer than 72" "" "$(grep -E '.{73}' "$T/list" "$T/chain")"
(cd "$T" && "$O/abrig" explain --frame 4 base.pftrace) >"$T/fourth"
check "a frame has a token and a number" cmp "$T/chain" "$T/fourth"
like "another threshold" "*no wait >= 9.5 ms*" \
	"$("$O/abrig" explain --threshold 9.5 "$T/base.pftrace")"

is "no such frame: 1" 1 \
	"$("$O/abrig" explain -f 99 "$T/base.pftrace" 2>/dev/null; echo $?)"
is "two frames asked for: 2" 2 \
	"$("$O/abrig" explain -w -f 1 "$T/base.pftrace" 2>/dev/null; echo $?)"
is "a threshold that is none: 2" 2 \
	"$("$O/abrig" explain --threshold 0 "$T/base.pftrace" 2>/dev/null
		echo $?)"
is "no trace: 3" 3 \
	"$("$O/abrig" explain "$T/nothing" 2>/dev/null; echo $?)"

done_testing

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page in a browser: it draws, sorts and filters, and asks for nothing.
# Chromium is large and not required: without it, or when it cannot start here,
# the tests are skipped.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# dom FRAGMENT: the page after its scripts have run, into $T/dom
dom() {
	timeout 60 chromium --headless --no-sandbox --disable-gpu \
		--user-data-dir="$T/chromium" --enable-logging=stderr --v=0 \
		--window-size=1280,1000 --virtual-time-budget=4000 --dump-dom \
		"file://$T/page.html#$1" >"$T/dom" 2>"$T/log"
}

# metrics of the rows that are shown, in their order, on one line
shown() {
	tr -d '\n' <"$T/dom" | sed 's/<tr /\n<tr /g' | grep '^<tr class="row"' |
		grep -v '^<tr [^>]* hidden' |
		sed 's/.*data-name="[^"]* \(made[^"]*\)".*/\1/' |
		tr '\n' ' '
}

check "a page of 20 runs and 12 metrics" "$O/bench/bench-html" "$T/page.html" \
	20 12 40
if ! command -v chromium >/dev/null 2>&1; then
	skip "the page in a browser" "chromium is not installed"
	done_testing
	exit
fi
if ! dom "" || ! grep -q '</html>' "$T/dom"; then
	skip "the page in a browser" "chromium does not start here"
	done_testing
	exit
fi

is "no message in the browser's console" "" "$(grep CONSOLE "$T/log")"
is "all rows are shown" 12 "$(shown | wc -w)"
if grep -q 'id="spec-forest"' "$T/page.html"; then
	check "the forest plot is drawn" grep -q \
		'data-chart="forest"[^>]*data-drawn="yes"' "$T/dom"
	is "and no other" 1 "$(grep -o 'data-drawn' "$T/dom" | wc -l)"
	dom "m0-3"
	is "a metric that is opened has its four" 5 \
		"$(grep -o 'data-drawn' "$T/dom" | wc -l)"
	is "without a message" "" "$(grep CONSOLE "$T/log")"
else
	skip "charts" "built without libjs-vega"
fi

dom "q=metric1"
is "filtering by name" "made.metric1 made.metric10 made.metric11 " "$(shown)"
check "and it is said" grep -q '>3 of 12 rows<' "$T/dom"
dom "primary=1&sort=t0v1-table.1.descending"
is "primaries, sorted by the baseline" "made.metric3 made.metric4 " "$(shown)"
check "which the column says" grep -q 'aria-sort="descending"' "$T/dom"
dom "primary=1&sort=t0v1-table.1.ascending"
is "and the other way" "made.metric4 made.metric3 " "$(shown)"
done_testing

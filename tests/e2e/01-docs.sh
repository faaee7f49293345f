#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Documentation that can be checked: man pages, completion, README, examples.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

commands=$("$O/abrig" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
for command in $commands; do
	page=$SRC/docs/man/abrig-$command.1
	check "abrig $command has a man page" test -f "$page"
	missing=
	for option in $("$O/abrig" "$command" --help |
		grep -oE -e '--[a-z-]+' | sort -u | grep -vx -e --help); do
		sed 's/\\//g' "$page" | grep -q -e "$option" ||
			missing="$missing $option"
	done
	is "and its page names every option" "" "$missing"
	check "abrig.1 names it" grep -q "abrig-$command (1)" \
		"$SRC/docs/man/abrig.1"
	check "completion knows it" grep -qw "$command" \
		"$SRC/docs/abrig.bash"
done

"$O/abrig" help --man plan >"$T/plan.5"
check "abrig-plan.5 is what the option tables say (make man)" \
	diff "$T/plan.5" "$SRC/docs/man/abrig-plan.5"

for link in $(grep -oE '\]\([^)]*\)' "$SRC/README.md" | tr -d '])('); do
	check "README's link $link" test -e "$SRC/$link"
done
is "README has exactly two bootstrap commands" 2 \
	"$(grep -cE '^    \./bootstrap [a-z]+ ' "$SRC/README.md")"

# The plan in README, and the example, are plans.
awk '/^A plan, whole:/ { on = 1; next } on && /^    / { print substr($0, 5) }
	on && /^[^ ]/ { exit }' "$SRC/README.md" >"$T/readme.yaml"
for plan in "$T/readme.yaml" "$SRC/docs/examples/pm-wq.yaml"; do
	(cd "$SRC" && timeout 20 "$O/abrig" doctor \
		"$plan") >"$T/out" 2>&1
	is "$(basename "$plan") is a correct plan" "" \
		"$(grep '^problem  plan:' "$T/out")"
	like "and doctor looked at its variants" "*variant base*" \
		"$(cat "$T/out")"
done

is "a wrong command: 2" 2 "$("$O/abrig" frobnicate >/dev/null 2>&1; echo $?)"
is "a wrong option: 2" 2 "$("$O/abrig" run --no >/dev/null 2>&1; echo $?)"
is "no plan: 2" 2 "$("$O/abrig" run >/dev/null 2>&1; echo $?)"
like "--version" "abrig [0-9]*" "$("$O/abrig" --version)"

# What was built is installed, not built once more with the sanitizers' flags.
check "make install" env -u MAKEFLAGS -u SAN make -s -C "$SRC" O="$O" install \
	DESTDIR="$T/inst" PREFIX=/usr
check "installs the program" test -x "$T/inst/usr/bin/abrig"
check "and a scenario" test -f \
	"$T/inst/usr/share/abrig/scenarios/notification-shade.yaml"

done_testing

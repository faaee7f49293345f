#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# abrig compare: numbers of other benchmarks in, the statistics of campaigns
# out.  Expected numbers are R's (t.test, wilcox.test), pasted.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# compare NAME ARGUMENT...: into NAME.out, NAME.err; its status is returned
compare() {
	name=$1
	shift
	timeout 120 "$O/abrig" compare "$@" >"$T/$name.out" 2>"$T/$name.err"
}

# json PATH: one value of $T/json.out
json() {
	sqlite3 :memory: "select json_extract(readfile('$T/json.out'), '$1')"
}

# near NAME WANTED GOT [EPSILON]: relative
near() {
	if awk -v a="$2" -v b="$3" -v e="${4:-1e-9}" 'BEGIN {
		d = a - b; if (d < 0) d = -d; s = a < 0 ? -a : a
		exit !(b != "" && d <= e * (s > 0 ? s : 1)) }'; then
		ok "$1"
	else
		not_ok "$1" "wanted: $2" "got:    $3"
	fi
}

V='$.tables[0].metrics[0].variants[0]'
cd "$T" || exit 1

# ---- a column, a file for each variant ----

printf '%s\n' 151.0 148.3 155.1 149.9 150.5 152.2 147.6 150.0 153.3 149.1 >a
printf '%s\n' 141.0 138.2 145.1 148.9 140.4 142.2 137.7 140.1 143.3 139.2 >b
compare json --style json --effect --unit ms a b
is "two columns: 0" 0 $?
is "nothing is said beside" "" "$(cat "$T/json.err")"
near "difference" -9.09 "$(json "$V.diff")"
near "Welch's interval, low" -11.856953303419600 "$(json "$V.diff_lo")"
near "and high" -6.323046696580407 "$(json "$V.diff_hi")"
near "Mann-Whitney's p" 4.330035289787612e-05 "$(json "$V.effect.p")"
is "it is exact" 1 "$(json "$V.effect.p_exact")"
near "Hodges-Lehmann shift" -9.55 "$(json "$V.effect.shift")"
near "its interval, low" -11.8 "$(json "$V.effect.shift_lo")"
near "and high" -6.6 "$(json "$V.effect.shift_hi")"
near "Cliff's delta" -0.96 "$(json "$V.effect.cliff")"
is "method" run-t "$(json "$V.method")"
is "verdict" different "$(json "$V.verdict")"
is "the variants are the files" a,b \
	"$(json '$.variants[0]'),$(json '$.variants[1]')"
is "better is known of ms" lower "$(json '$.tables[0].metrics[0].better')"

compare rows a b
like "runs alone: it is said" \
	"*boot-to-boot variation was not*measured*" "$(cat rows.out)"
like "without a unit nobody knows what is better" \
	"*neither better nor worse is*value*" "$(cat rows.out)"
is "no boots are claimed" 0 "$(grep -c 'vs. .* boots' rows.out)"
compare base -b b a b
like "--baseline" "Rows: b -> a,*" "$(cat base.out)"
compare level --level 80% a b
like "--level" "*80 % intervals*" "$(cat level.out)"
compare one a c
is "no such file: 2" 2 $?
like "it is named" "abrig: c: cannot be read: No such file*" "$(cat one.err)"
echo 5 >c
echo 6 >d
compare one c d
is "one run each: 0" 0 $?
like "it is said what is missing" "*one run per variant*" "$(cat one.out)"

# What differs in which column.
printf '# size time\n1 10\n2 11\n' >named1
printf '# size time\n1 12\n2 13\n' >named2
compare json --style json --column time named1 named2
is "--column NAME" time "$(json '$.tables[0].metrics[0].metric')"
near "its difference" 2 "$(json "$V.diff")"
compare json --style json --column 1 named1 named2
near "--column N" 0 "$(json "$V.diff")"

# ---- boots paired within blocks ----

awk 'BEGIN {
	print "variant,metric,value,unit,block,boot"
	split("105 120 105 118 99", a); split("92.5 101 91 112 97", b)
	for (i = 1; i <= 5; i++) {
		print "base,wait," a[i] - 3 ",us," i "," 2 * i
		print "base,wait," a[i] + 3 ",us," i "," 2 * i
		print "new,wait," b[i] ",us," i "," 2 * i + 1
	}
}' >boots.csv
compare json --style json --effect boots.csv
near "paired t, low" -19.047824428944235 "$(json "$V.diff_lo")"
near "and high" -2.352175571055764 "$(json "$V.diff_hi")"
near "Wilcoxon's p" 0.0625 "$(json "$V.effect.p")"
near "paired shift" -10.5 "$(json "$V.effect.shift")"
near "its interval, low" -19 "$(json "$V.effect.shift_lo")"
near "and high" -2 "$(json "$V.effect.shift_hi")"
is "method" paired-t "$(json "$V.method")"
is "boots" 5 "$(json "$V.boots")"
is "runs of the baseline" 10 \
	"$(json '$.tables[0].metrics[0].baseline.runs')"
compare rows boots.csv
like "whole boots: it is said" "*from whole boots paired within*" \
	"$(cat rows.out)"
cut -d, -f1-4,6 boots.csv >unpaired.csv
compare json --style json unpaired.csv
near "without blocks boots are paired in their order" -19.047824428944235 \
	"$(json "$V.diff_lo")"
like "and it is said" "no column tells blocks*" "$(json '$.notes[1]')"

# ---- the same numbers in every format ----

(
	echo 'variant,metric,value'
	sed 's/^/a,value,/' a
	sed 's/^/b,value,/' b
) >long.csv
(
	sed 's/.*/BenchmarkX\/arm=a 1 & value/' a
	sed 's/.*/BenchmarkX\/arm=b 1 & value/' b
) >go.txt
mkdir wa-a wa-b
for v in a b; do
	(
		echo 'id,workload,iteration,metric,value,units'
		awk '{ print "wk1,X," NR ",value," $1 "," }' $v
	) >wa-$v/results.csv
	sed 's/$/\r/' wa-$v/results.csv | tr , ';' >semicolon-$v
done
# what_counts: estimates, interval and verdict of $T/json.out
what_counts() {
	echo "$(json "$V.baseline_value") $(json "$V.value")" \
		"$(json "$V.diff_lo") $(json "$V.diff_hi")" \
		"$(json "$V.p_change") $(json "$V.verdict")"
}
compare json --style json a b
wanted=$(what_counts)
compare json --style json long.csv
is "a table says the same" "$wanted" "$(what_counts)"
compare json --style json --by arm go.txt
is "Go benchmarks say the same" "$wanted" "$(what_counts)"
compare json --style json wa-a wa-b
is "Workload Automation says the same" "$wanted" "$(what_counts)"
is "its variants are the directories" wa-a "$(json '$.variants[0]')"
compare json --style json semicolon-a semicolon-b
is "so do semicolons and CRLF" "$wanted" "$(what_counts)"
compare json --style json - b <a
is "and standard input" "$wanted" "$(what_counts)"
LC_ALL=de_DE.UTF-8 compare json --style json a b
is "and another locale" "$wanted" "$(what_counts)"

# ---- the plot ----

compare plot --plot a b
is "--plot: 0" 0 $?
is "no line is over 75 columns" 0 "$(awk 'length > 75' plot.out | wc -l)"
is "frames are 72 wide" 0 \
	"$(grep '^  |' plot.out | awk 'length != 72' | wc -l)"
is "a dot for each run" 20 "$(sed -n '/^value/,$p' plot.out |
	grep '^  |' | grep -v '\[' | tr -cd '.:' |
	awk '{ print gsub(/\./, "") + 2 * gsub(/:/, "") }')"
compare no --plot --style csv a b
is "--plot is for text: 2" 2 $?
compare again --plot a b
check "twice the same" cmp plot.out again.out
compare file --plot -o written a b
check "--output" cmp file.out written

# ---- names of any content ----

awk 'BEGIN {
	print "arm,metric,value"
	for (i = 0; i < 3000; i++)
		print "a,m" i "," i "\na,m" i "," i + 1 "\nb,m" i "," i + 2
}' >many.csv
compare many many.csv
is "thousands of metrics: 0" 0 $?
is "each has its row" 3000 "$(grep -c '^  m[0-9]' many.out)"
long=$(printf '%0900d' 7)
printf 'arm,metric,value,unit\n' >hostile.csv
for v in 1 2 3; do
	printf 'a,"\033[2J\nFrom x",%d,\nb,"\033[2J\nFrom x",1e300,\n' $v
	printf 'a,%s,%d,%s\nb,%s,9,%s\n' "$long" $v "$long" "$long" "$long"
	printf 'a,--- x,%d,\nb,--- x,%d,\n' $v $v
done >>hostile.csv
for style in rows grid csv json; do
	compare hostile --style $style --effect hostile.csv
	is "hostile names, $style: 0" 0 $?
	[ $style = csv ] || is "no control characters" 0 \
		"$(LC_ALL=C tr -d '\n' <hostile.out |
			LC_ALL=C tr -d '[:print:]' | wc -c)"
	case $style in rows | grid)
		is "nothing is over 75 columns" 0 \
			"$(awk 'length > 75' hostile.out | wc -l)"
		is "nothing looks like a patch" 0 \
			"$(grep -cE '^(From |---|diff )' hostile.out)"
		;;
	esac
done

# ---- refusals ----

# refused NAME MESSAGE ARGUMENT...: exit 2 and that message
refused() {
	refused_name=$1
	refused_wanted=$2
	shift 2
	compare refused "$@"
	is "$refused_name: 2" 2 $?
	like "it says so" "$refused_wanted" "$(cat refused.err)"
	is "nothing is printed" "" "$(cat refused.out)"
}
printf '1\n1,5\n' >comma
refused "a decimal comma" "abrig: comma:2:1: '1,5' has a comma*" a comma
printf 'metric,value\nx,"1\n' >quote
refused "an open quote" "abrig: quote:2:3: the quote is not closed" quote a
printf '1\n\000\n' >nul
refused "a NUL" "abrig: nul:2:1: a NUL byte*" nul a
refused "an empty file" "abrig: /dev/null:1:1: no number in it*" /dev/null a
refused "one variant" "abrig: only one variant ('a')*" a
mkdir wa-none
refused "a directory without results" \
	"abrig: wa-none/results.csv: cannot be read*" wa-none a
refused "a file twice" "abrig: a is given twice" a a
refused "no such metric" "abrig: --higher: there is no metric 'x'" \
	--higher x a b
refused "no such margin" "abrig: --margin: there is no metric 'x'" \
	--margin x=5% a b
refused "no such primary" "abrig: --primary: there is no metric 'x'" \
	--primary x a b
refused "no margin" "abrig: --margin 0%: expected*" --margin 0% a b
refused "no level" "abrig: --level 100%: expected*" --level 100% a b
refused "no such style" "abrig: 'x' is no report style*" --style x a b
refused "no such column" "abrig: long.csv:1:1: there is no column 'x'*" \
	--by x long.csv

# ---- docs/HOWTO-compare.md: its examples print what it says ----

cd "$SRC/docs/examples/compare" || exit 1
PATH="$O:$PATH"
awk -v dir="$T" '
	/^    \$ / { n++; print substr($0, 7) >(dir "/cmd" n); on = 1; next }
	/^    / && on { print substr($0, 5) >(dir "/want" n); next }
	/./ { on = 0 }
	END { print n }' "$SRC/docs/HOWTO-compare.md" >"$T/examples"
for i in $(seq "$(cat "$T/examples")"); do
	command=$(cat "$T/cmd$i")
	sh "$T/cmd$i" >"$T/got" 2>&1
	# Lines in their order; "..." stands for any.
	# shellcheck disable=SC2016 # for awk
	check "HOWTO-compare: $command" awk '
		FNR == NR { if (NF) want[++n] = $0; next }
		!NF { next }
		{ while (want[k + 1] == "...") { k++; any = 1 } }
		$0 == want[k + 1] { k++; any = 0; next }
		!any { print "got: " $0; print "not: " want[k + 1]; bad = 1
			exit }
		END { while (want[k + 1] == "...") k++
			exit bad || k < n }' "$T/want$i" "$T/got"
done

done_testing

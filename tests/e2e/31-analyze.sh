#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# abrig analyze from the outside: formats agree, files are independent, errors
# name what is wrong, nothing is left behind.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# analyze NAME ARGUMENT...: into NAME.out, NAME.err; its status is returned
analyze() {
	name=$1
	shift
	timeout 120 "$O/abrig" analyze "$@" >"$T/$name.out" 2>"$T/$name.err"
}

# json FILE PATH: one value of a document
json() {
	sqlite3 :memory: "select json_extract(readfile('$1'), '$2')"
}

# table FILE SQL: a CSV file as the table t, its columns by their headers
table() {
	sqlite3 :memory: -cmd ".import --csv '$1' t" "$2"
}

trace() {
	"$O/bench/bench-vptrace" --write "$1" --seed "$2" --seconds 4
}

mkdir "$T/one" "$T/two"
trace "$T/one/trace.pftrace" 1
trace "$T/two/trace.pftrace" 2
trace "$T/c.pftrace" 3
a=$T/one/trace.pftrace
b=$T/two/trace.pftrace
c=$T/c.pftrace
WAIT=pm_runtime_work.cpu_wait.mean

# ---- the page, JSON and CSV say the same ----

analyze page "$a"
is "a trace can be analysed" 0 $?
is "nothing is said beside it" "" "$(cat "$T/page.err")"
is "the page begins with the file" "$a" "$(head -n 1 "$T/page.out")"
like "then the quality" "  quality   nothing was lost*" \
	"$(sed -n 2p "$T/page.out")"
is "no line ends in blanks" 0 "$(grep -c ' $' "$T/page.out")"
is "no line of a table is over 96 columns" 0 \
	"$(sed '1,/^$/d' "$T/page.out" | awk 'length > 96' | wc -l)"

analyze json --json "$a"
is "--json: 0" 0 $?
is "it is JSON" 1 \
	"$(sqlite3 :memory: "select json_valid(readfile('$T/json.out'))")"
is "of this schema" abrig-analyze "$(json "$T/json.out" '$.schema')"
is "and version" 1 "$(json "$T/json.out" '$.version')"
is "with the file" "$a" "$(json "$T/json.out" '$.files[0].file')"

analyze csv --csv "$a"
is "--csv: 0" 0 $?
is "its columns" file,table,row,column,unit,value,n \
	"$(head -n 1 "$T/csv.out")"
value=$(json "$T/json.out" "\$.files[0].metrics.\"$WAIT\".value")
is "the page's metric is that of JSON" \
	"$(printf '%.3f us' "$value")" \
	"$(awk -v m="$WAIT" '$1 == m { gsub(",", ""); print $2, $3 }' \
		"$T/page.out")"
is "and that of CSV" "$(printf '%.9f' "$value")" \
	"$(table "$T/csv.out" "select printf('%.9f', value) from t where
		\"table\" = 'metrics' and \"column\" = '$WAIT'")"
is "with the number of samples" \
	"$(json "$T/json.out" "\$.files[0].metrics.\"$WAIT\".n")" \
	"$(table "$T/csv.out" "select n from t where
		\"table\" = 'metrics' and \"column\" = '$WAIT'")"
is "times in ns are exact in both" \
	"$(json "$T/json.out" '$.files[0].window.begin_ns')" \
	"$(table "$T/csv.out" "select value from t where
		\"column\" = 'window_begin_ns'")"
is "tables have as many rows in both" \
	"$(json "$T/json.out" '$.files[0].tables.work.rows[#-1][2]')" \
	"$(table "$T/csv.out" "select value from t where \"table\" = 'work'
		and \"column\" = 'items'
		order by cast(row as integer) desc limit 1")"

# Every key is in the documentation, but those that are names.
# shellcheck disable=SC2016 # paths of JSON
undocumented=$(for path in '$' '$.files[0]' '$.files[0].facts' \
	'$.files[0].window' '$.files[0].quality' \
	"\$.files[0].metrics.\"$WAIT\"" '$.files[0].value_info.work_items' \
	'$.files[0].tables.work' \
	'$.files[0].tables.work.columns[0]'; do
	sqlite3 :memory: "select key from
		json_each(readfile('$T/json.out'), '$path')"
done | while read -r key; do
	grep -q "\`$key\`" "$SRC/docs/analyze-json.md" || echo "$key"
done)
is "docs/analyze-json.md has every key" "" "$undocumented"

# described FILE: how many run values there are, and how many have a definition
described() {
	sqlite3 :memory: "select
		(select count(*) from json_each(doc, '$.files') f,
			json_each(f.value, '$.values')),
		(select count(*) from json_each(doc, '$.files') f,
			json_each(f.value, '$.value_info') i,
			json_each(f.value, '$.definitions') d
			where d.key = json_extract(i.value, '$.definition')
			and json_extract(i.value, '$.unit') is not null
			and json_extract(f.value, '$.values.\"' || i.key ||
				'\"') is not null)
		from (select readfile('$1') doc)"
}
values=$(described "$T/json.out")
is "every run value is described" "${values#*|}" "${values%|*}"
is "with the unit in CSV, too" "ms ms " "$(table "$T/csv.out" "select unit
	from t where \"table\" = 'values' and \"column\" in
	('sched.kworker.pm.wait', 'sched.kworker.pm.running',
	'sched.kworker.pm.waits') order by \"column\"" | tr '\n' ' ' |
	sed 's/  *$/ /')"

# ---- several files ----

analyze all --json --jobs 3 "$a" "$b" "$c" "$a"
is "several files: 0" 0 $?
is "in the order of the arguments" "$a $b $c $a" \
	"$(json "$T/all.out" '$.files[0].file') $(json "$T/all.out" \
		'$.files[1].file') $(json "$T/all.out" \
		'$.files[2].file') $(json "$T/all.out" '$.files[3].file')"
analyze serial --json --jobs 1 "$a" "$b" "$c" "$a"
check "in parallel or not: the same bytes" cmp "$T/all.out" "$T/serial.out"
analyze pages "$a" "$b"
is "two pages, a blank line between" "$b" \
	"$(awk 'blank && /two.trace/ { print } { blank = /^$/ }' \
		"$T/pages.out")"
analyze csvs --csv "$a" "$b"
is "one CSV header" 1 "$(grep -c '^file,' "$T/csvs.out")"

gzip -c "$a" >"$T/a.gz"
analyze gz --csv "$T/a.gz"
is "a gzip file says the same" \
	"$(grep ",metrics," "$T/csv.out" | cut -d, -f3-)" \
	"$(grep ",metrics," "$T/gz.out" | cut -d, -f3-)"

cat >"$T/ftrace.txt" <<'END'
# tracer: nop
#
#                                _-----=> irqs-off
#           TASK-PID     CPU#  ||||    TIMESTAMP  FUNCTION
#              | |         |   ||||       |         |
          <idle>-0       [000] d..2   100.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=cat next_pid=7 next_prio=120
             cat-7       [000] d..2   100.002000: sched_switch: prev_comm=cat prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
END
analyze text --json "$T/ftrace.txt" "$a"
is "formats can be mixed: 0" 0 $?
like "ftrace text is recognised by content" "*text*" \
	"$(json "$T/text.out" '$.files[0].format')"
is "and its window is 2 ms" 2000000 "$(($(json "$T/text.out" \
	'$.files[0].window.end_ns') - $(json "$T/text.out" \
	'$.files[0].window.begin_ns')))"

# ---- what is wrong with a file is its own affair ----

: >"$T/empty"
echo "hello, world" >"$T/hello"
size=$(wc -c <"$a")
head -c $((size / 2)) "$a" >"$T/cut"
mkfifo "$T/pipe"
analyze bad --json "$T/empty" "$a" "$T/hello" "$T/none" "$T/pipe" "$T/cut"
is "the worst status counts" 3 $?
is "every file has its place" 6 \
	"$(sqlite3 :memory: "select json_array_length(
		readfile('$T/bad.out'), '$.files')")"
for i in 0 2 3 4; do
	like "file $i has an error" "*$T*" \
		"$(json "$T/bad.out" "\$.files[$i].error")"
done
for i in 1 5; do
	is "file $i has none" "" "$(json "$T/bad.out" "\$.files[$i].error")"
done
is "a trace beside them is what it is alone" \
	"$(sed -n 2p "$T/json.out")" \
	"$(sed -n 3p "$T/bad.out" | sed 's/,$//')"
like "an empty file" "*empty: the trace is empty*" "$(cat "$T/bad.err")"
like "no trace" "*hello: not a trace of a known format*" \
	"$(cat "$T/bad.err")"
like "no such file" "*none: No such file*" "$(cat "$T/bad.err")"
like "a pipe is not waited for" "*pipe is no regular file*" \
	"$(cat "$T/bad.err")"
analyze empty "$T/empty"
is "an empty file alone: 1" 1 $?
is "no page of it" "" "$(cat "$T/empty.out")"
analyze none "$T/none"
is "no such file alone: 3" 3 $?
analyze cut "$T/cut"
is "half a trace: 0" 0 $?
like "and it is said that data is missing" "*missing*" \
	"$(tr '[:upper:]' '[:lower:]' <"$T/cut.out" | sed -n 2p)"
if [ "$(id -u)" -eq 0 ]; then
	skip "an unreadable file: 3" "root reads everything"
else
	cp "$a" "$T/secret"
	chmod 0 "$T/secret"
	analyze secret "$T/secret"
	is "an unreadable file: 3" 3 $?
fi

# ---- wrong command lines ----

# usage NAME PATTERN ARGUMENT...: exit 2, that message, no result
usage() {
	usage_name=$1
	usage_pattern=$2
	shift 2
	analyze usage "$@"
	is "$usage_name: 2" 2 $?
	like "and why" "$usage_pattern" "$(cat "$T/usage.err")"
	is "and no result" "" "$(cat "$T/usage.out")"
}

usage "no file" "*name traces*"
usage "two formats" "*not both*" --json --csv "$a"
usage "no jobs" "*--jobs -1*" --jobs -1 "$a"
usage "jobs that are no number" "*many*" --jobs many "$a"
usage "options for a campaign" "*with --force only*" --json "$T/one"
usage "a directory among traces" "*one is a directory*" "$a" "$T/one"
for window in 3:1 2:2 x:1 1:x -1:2 : 5 1:2:3 1:nan 1:inf 1e30: "1: 2" ""; do
	usage "window '$window'" "*--window*'$window'*" --window "$window" "$a"
done
analyze campaign "$T/one"
is "a directory that is no campaign: 3" 3 $?
like "and it is named" "*$T/one*" "$(cat "$T/campaign.err")"
is "and left as it was" trace.pftrace "$(ls "$T/one")"

# ---- the window ----

# span NAME: of the window in NAME.out, in ns
span() {
	echo $(($(json "$T/$1.out" '$.files[0].window.end_ns') - $(json \
		"$T/$1.out" '$.files[0].window.begin_ns')))
}
analyze w --json --window 1.5:2.25 "$a"
is "a window: 0" 0 $?
is "is as long as given" 750000000 "$(span w)"
is "and says so" given "$(json "$T/w.out" '$.files[0].window.from')"
analyze left --json --window :1 "$a"
analyze right --json --window 1: "$a"
analyze whole --json --window 0: "$a"
is "open windows add up" "$(span whole)" "$(($(span left) + $(span right)))"
n() {
	json "$T/$1.out" '$.files[0].values.work_items'
}
is "and so do their work items" "$(n whole)" \
	"$(echo "$(n left) + $(n right)" | sed 's/\.0//g' |
		awk '{ printf "%.1f", $1 + $3 }')"
analyze late --window 1000: "$a"
is "a window behind the end: 1" 1 $?
like "and why" "*window begins when the trace is over*" "$(cat "$T/late.err")"

# ---- classes of threads ----

"$O/abrig" help threads >"$T/default.yaml"
analyze rules --json --threads "$T/default.yaml" "$a"
is "the default rules can be given: 0" 0 $?
check "and change nothing" cmp "$T/json.out" "$T/rules.out"
printf 'classes:\n  - { class: [\n' >"$T/wrong.yaml"
usage "wrong rules" "*wrong.yaml:[0-9]*:[0-9]*:*" \
	--threads "$T/wrong.yaml" "$a"
analyze norules --threads "$T/none.yaml" "$a"
is "no such rules: 3" 3 $?

# ---- samples ----

analyze s --json --samples "$T/s" "$a" "$b" "$c" "$c"
is "samples: 0" 0 $?
is "are private files" 0 "$(find "$T/s" -perm /077 | wc -l)"
is "each file's own" "$(find "$T/s" -name '*.csv' | wc -l)" \
	"$(for i in 0 1 2 3; do
		sqlite3 :memory: "select json_extract(value, '$.file') from
			json_each(readfile('$T/s.out'), '$.files[$i].samples')"
	done | sort -u | wc -l)"
is "named by its path where several have one name" 3 \
	"$(find "$T/s" -name '*_one_trace.pftrace.work.csv' -o \
		-name '*_two_trace.pftrace.work.csv' -o \
		-name '*_c.pftrace.work.csv' | wc -l)"
is "with a number where the path is the same" 1 \
	"$(find "$T/s" -name '*_c.pftrace-2.work.csv' | wc -l)"
analyze s1 --json --samples "$T/s1" "$c" "$a"
check "else by its base name" test -f "$T/s1/c.pftrace.work.csv"
is "a row for each sample" \
	"$(json "$T/s1.out" '$.files[0].samples[0].rows')" \
	"$(($(wc -l <"$T/s1/c.pftrace.work.csv") - 1))"
is "the samples are those that the metric is made of" \
	"$(json "$T/s1.out" "\$.files[0].metrics.\"$WAIT\".n")" \
	"$(table "$T/s1/c.pftrace.work.csv" "select count(cpu_wait_us) from t
		where function like 'pm_runtime_work%' and cpu_wait_us <> ''")"
is "nothing half written is left" "" \
	"$(find "$T/s" -type f ! -name '*.csv')"
analyze full --samples "$a/x" "$a"
is "a directory that cannot be: 3" 3 $?

# ---- ends ----

set --
for _ in $(seq 400); do
	set -- "$@" "$a"
done
timeout 60 "$O/abrig" analyze --csv "$@" >"$T/int.out" 2>"$T/int.err" &
pid=$!
for _ in $(seq 200); do
	[ -s "$T/int.out" ] && break
	sleep 0.05
done
kill -INT "$(pgrep -P $pid -f "abrig analyze" | head -n 1)"
wait $pid
is "Ctrl-C: 130" 130 $?
is "no process is left" "" "$(pgrep -f "abrig analyze --csv $a")"

timeout 60 "$O/abrig" analyze "$a" >/dev/full 2>"$T/full.err"
is "a full disk: 3" 3 $?
like "and it is said" "*cannot print the results*" "$(cat "$T/full.err")"

# shown TYPESCRIPT: the numbers of each line of progress: traces, of, MB, of
shown() {
	tr '\r' '\n' <"$1" | sed -n 's/^.*\[K\([0-9]*\) of \([0-9]*\) traces, \([0-9.]*\) of \([0-9.]*\) [GM]B, [0-9]* s.*/\1 \2 \3 \4/p'
}

if script -qec true /dev/null >/dev/null 2>&1; then
	script -qec "timeout 250 $O/abrig analyze --jobs 1 --csv $* \
		>/dev/null" "$T/tty" >/dev/null 2>&1
	is "progress on a terminal goes up to the end" "400 400 same" \
		"$(shown "$T/tty" | awk '{ end = $1 " " $2 }
			$3 == $4 { end = end " same" } END { print end }')"
	is "and is erased" 1 "$(tr '\r' '\n' <"$T/tty" |
		grep -v "^Script\|^$" | tail -n 1 | grep -c '\[K$')"

	# Slow enough that a tick comes within each.
	"$O/bench/bench-tracegen" "$T/large" 100 >/dev/null
	gzip -1 "$T/large"
	set --
	for _ in $(seq 20); do
		set -- "$@" "$T/large.gz"
	done
	script -qec "timeout -s INT 5 $O/abrig analyze --jobs 2 --csv $* \
		>/dev/null" "$T/large.tty" >/dev/null 2>&1
	is "it moves within a trace" 1 "$(shown "$T/large.tty" | awk '
		!mb[$3]++ { mbs++ } !traces[$1]++ { n++ }
		END { print (mbs > n + 2) }')"
	is "and never goes back" "" "$(shown "$T/large.tty" | awk '
		$3 < last { print last, $3 } { last = $3 }')"
	rm "$T/large.gz"
else
	skip "progress on a terminal" "no terminals here"
fi
is "and nowhere else" "" "$(cat "$T/s.err")"

like "--list-metrics" "*$WAIT*us*lower is better*" \
	"$("$O/abrig" analyze --list-metrics)"
like "and values that are no metrics" \
	"*sched.<class>.wait \[ms\], lower is better*" \
	"$("$O/abrig" analyze --list-metrics)"

# ---- real traces ----

real=${ABRIG_SHARED:-$SRC/../shared}/data
if [ -d "$real" ]; then
	analyze real --json "$real"/kernel-ab/*.pftrace \
		"$real"/perfetto/*trace "$real"/ftrace/*
	is "real traces of all formats: 0" 0 $?
	is "it is JSON" 1 "$(sqlite3 :memory: \
		"select json_valid(readfile('$T/real.out'))")"
	values=$(described "$T/real.out")
	is "and every run value is described" "${values#*|}" "${values%|*}"
	is "the means of an independent script, kernel a" "1152 1142 1537 872" \
		"$(for i in 0 1 2 3; do
			printf '%.0f ' "$(json "$T/real.out" \
				"\$.files[$i].metrics.\"$WAIT\".value")"
		done | sed 's/ $//')"
	is "and kernel b" "368 462 586 477" \
		"$(for i in 4 5 6 7; do
			printf '%.0f ' "$(json "$T/real.out" \
				"\$.files[$i].metrics.\"$WAIT\".value")"
		done | sed 's/ $//')"
	analyze realpage "$real"/perfetto/*trace
	is "and as pages: 0" 0 $?
else
	skip "real traces" "no captures: set ABRIG_SHARED"
fi

done_testing

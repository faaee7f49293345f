#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whole campaigns on a virtual phone: the good case, a flash that lies, a phone
# that goes away, Ctrl-C, kill -9.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/e2e/campaign.sh
. "$(dirname "$0")/campaign.sh"

check "images" images "$T/images"
timeout 20 adb start-server >/dev/null 2>&1
check "a phone" phone a A "$T/images" 21
settings a >"$T/before"

# ---- the good case ----

plan "$T/plan.yaml" "A=a" 2 1
abrig run "$T/plan.yaml" -C "$T/good" --plain >"$T/out" 2>"$T/err"
is "a campaign ends with 0" 0 $?
check "every planned run is accepted once" one_each "$T/good"
is "both variants were booted in each block" 4 \
	"$(query "$T/good" "select count(distinct block || '.' || variant)
		from session where state = 2")"
is "each session had its own boot" 4 \
	"$(query "$T/good" "select count(distinct boot_id) from session")"
is "the two kernels differ" 2 \
	"$(query "$T/good" "select count(distinct banner) from session")"
settings a >"$T/after"
check "the phone is given back as it was" diff "$T/before" "$T/after"
like "the table is printed" "*pm_runtime_work*CPU wait mean*us*" \
	"$(cat "$T/out")"
like "the report tells governors and command lines" \
	"*governor sched_pixel*same cmdline*" "$(tr -s ' \n' '  ' <"$T/out")"
is "no line is over 75 columns" 0 \
	"$(awk 'length > 75' "$T/good/report.txt" | wc -l)"
check "the plan is kept byte for byte" cmp "$T/plan.yaml" "$T/good/plan.yaml"
is "files are private" 0 \
	"$(find "$T/good" -type f -perm /077 ! -name '*.log' | wc -l)"

abrig run "$T/plan.yaml" -C "$T/good" --plain >"$T/out" 2>"$T/err"
is "a finished campaign has nothing to do" 0 $?
is "and runs nothing again" 4 "$(query "$T/good" "select count(*) from run")"

like "what a campaign analysed is not analysed again" \
	"0 runs analysed, 4 unchanged*" "$(abrig analyze "$T/good")"
query "$T/good" "select name, value from value order by run, name" >"$T/v1"
check "artefacts can be analysed again" abrig analyze --force "$T/good"
query "$T/good" "select name, value from value order by run, name" >"$T/v2"
check "with the same result" cmp "$T/v1" "$T/v2"
like "what did not change is left alone" "0 runs analysed, 4 unchanged*" \
	"$(abrig analyze "$T/good")"
like "unless it is forced" "4 runs analysed, 0 unchanged*" \
	"$(abrig analyze --force "$T/good")"
touch "$(find "$T/good/artefacts" -mindepth 2 -maxdepth 2 -type d |
	sort | head -n 1)/x"
like "a file more makes another run of it" "1 runs analysed, 3 unchanged*" \
	"$(abrig analyze "$T/good")"
mv "$T/good/artefacts" "$T/pruned"
like "runs without artefacts keep what is stored" \
	"0 runs analysed, 0 unchanged, 4 whose artefacts are gone *" \
	"$(abrig analyze --force "$T/good")"
query "$T/good" "select name, value from value order by run, name" >"$T/v3"
check "every value of it" cmp "$T/v1" "$T/v3"
mv "$T/pruned" "$T/good/artefacts"
run=$(query "$T/good" "select dir from run order by id limit 1")
is "explain tells the missed frames that a run's analysis found" \
	"$(query "$T/good" "select cast(value as int) from value v join run r
		on v.run = r.id where r.dir = '$run' and name = 'why.frames'")" \
	"$(abrig explain --json "$T/good/$run" | tr -d ' \n' |
		grep -o '"token":' | wc -l)"
like "and sums up a campaign" "*missed frames by what is on their chain*" \
	"$(abrig explain "$T/good")"
like "the table says who pays" "*Who pays: platform A*All classes*" \
	"$(cat "$T/good/report.txt")"
for style in grid pretty lkp pivot csv json; do
	check "report --style $style" abrig report -s $style "$T/good"
done
styles=$("$O/abrig" report --style none "$T/good" 2>&1 |
	sed 's/.*there are://')
like "there are many styles" "*rows*runs*kcidb*" "$styles"
secrets=$(query "$T/good" "select serial || '|' || fastboot || '|' ||
	product || '|' || model || '|' || fingerprint from device")
for style in $styles; do
	abrig report -s "$style" --redact -o "$T/redacted" "$T/good" >/dev/null
	is "report --redact --style $style" 0 $?
	is "and it hides the phone" "" \
		"$(grep -iE -o -- "$secrets" "$T/redacted" | head -n 1)"
done
ABRIG_TOKEN=s3cr3t abrig publish "$T/good" -s kcidb -n \
	--to https://example.org/ >"$T/out" 2>&1
is "publish --dry-run" 0 $?
like "says what it would send" "POST https://example.org*Bearer ...*" \
	"$(cat "$T/out")"
is "but not the token" "" "$(grep s3cr3t "$T/out")"
abrig report -s runs -o "$T/runs.csv" "$T/good" >/dev/null
abrig report -s benchfmt -o "$T/runs.bench" "$T/good" >/dev/null
check "runs.csv can be compared" abrig compare "$T/runs.csv"
check "and benchfmt" abrig compare --by variant "$T/runs.bench"
check "abrig lint has nothing against the reports" abrig lint \
	"$T"/good/report*.txt
printf 'Subject: x\r\n\r\n*** BLURB HERE ***\r\n-- \r\n2.39\r\n' >"$T/letter"
chmod 640 "$T/letter"
check "a report goes into a cover letter" abrig report \
	--into-cover "$T/letter" "$T/good"
cp "$T/letter" "$T/letter.once"
check "again" abrig report --into-cover "$T/letter" "$T/good"
check "which changes nothing" cmp "$T/letter" "$T/letter.once"
is "others may read it as before" 640 "$(stat -c %a "$T/letter")"
tr -d '\r' <"$T/letter" | sed '1,/report begin/d; /report end/,$d' >"$T/inside"
check "and the report is in it" cmp "$T/inside" "$T/good/report.txt"
printf 'From: M <m@host>\nTo: l@lists\nSubject: [PATCH] x\n%s\n' \
	'Message-ID: <1@host>' >"$T/mail"
printf '\nWhat about other workloads?\n' >>"$T/mail"
check "a report answers a mail" abrig report --reply-to "$T/mail" \
	--from 'A <a@host>' -o "$T/draft" "$T/good"
is "in its thread" 2 "$(grep -cE '^(In-Reply-To|References): <1@host>$' \
	"$T/draft")"
sed '1,/^> What about/d; /./,$!d' "$T/draft" >"$T/inside"
check "below what it says" cmp "$T/inside" "$T/good/report.txt"
mkfifo "$T/pipe"
cat "$T/pipe" >"$T/piped" &
check "a report can go into a pipe" abrig report -o "$T/pipe" "$T/good"
wait $!
check "which is written into, not replaced" test -p "$T/pipe"
check "and holds the report" cmp "$T/piped" "$T/good/report.txt"
check "a single trace can be analysed" abrig analyze \
	"$(find "$T/good/artefacts" -name trace.pftrace | head -n 1)"

sed 's/seed: 7/seed: 8/' "$T/plan.yaml" >"$T/other.yaml"
abrig run "$T/other.yaml" -C "$T/good" >/dev/null 2>"$T/err"
is "a changed plan is refused with 2" 2 $?
like "and it is said why" "*begun with another plan*" "$(cat "$T/err")"

# ---- a phone that goes away in one run ----

plan "$T/one.yaml" "A=a" 1 1
ctl a fault adb-drop 1 >/dev/null
abrig run "$T/one.yaml" -C "$T/drop" --plain >"$T/out" 2>"$T/err"
is "adb lost in one run: the campaign still ends with 0" 0 $?
is "that run is rejected with its reason" 1 \
	"$(query "$T/drop" "select count(*) from run where state = 3
		and reason <> ''")"
check "and repeated" one_each "$T/drop"
is "in the same session, since the boot survived" 2 \
	"$(query "$T/drop" "select count(*) from session")"
ctl a clear >/dev/null

ctl a fault reboot 1 >/dev/null
abrig run "$T/one.yaml" -C "$T/reboot" --plain >"$T/out" 2>"$T/err"
is "a reboot in one run: the campaign still ends with 0" 0 $?
check "its run is repeated" one_each "$T/reboot"
is "in a new session at the end of the block" 1 \
	"$(query "$T/reboot" "select count(*) from session s where state = 3
		and exists (select 1 from session n where n.block = s.block
		and n.variant = s.variant and n.position > 1)")"
ctl a clear >/dev/null

# ---- a flash that does nothing ----

ctl a fault flash-ignored -1 >/dev/null
abrig run "$T/one.yaml" -C "$T/lie" --plain >"$T/out" 2>"$T/err"
is "an ignored flash stops the campaign with 1" 1 $?
like "with the identity that was wanted" "*6.12.30*-pm-wq-highpri*" \
	"$(cat "$T/err")"
is "no run of a wrong kernel is accepted" 0 \
	"$(query "$T/lie" "select count(*) from run r join session s on
		r.session = s.id where r.state = 2 and s.variant = 1 and
		s.banner not like '%highpri%'")"
ctl a clear >/dev/null
settings a >"$T/after"
check "and the phone is given back" diff "$T/before" "$T/after"

# ---- a trace that lost events; a perfetto that cannot say when it records ----

ctl a fault perfetto-old >/dev/null
ctl a fault trace-lost 1 >/dev/null
abrig run "$T/one.yaml" -C "$T/lost" --plain >"$T/out" 2>"$T/err"
is "lost events: 0 in the end" 0 $?
is "the run is rejected by its gate" trace-loss \
	"$(query "$T/lost" "select gate from run where state = 3")"
like "the report counts it" "*1 x *trace-loss*" "$(cat "$T/out")"
ctl a clear >/dev/null

done_testing

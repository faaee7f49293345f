#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# abrig power: a pilot whose variances are known, and numbers by hand.  The
# database is made by a campaign without a phone; its runs are written here.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/e2e/campaign.sh
. "$(dirname "$0")/campaign.sh"

power() {
	"$O/abrig" power "$@"
}

# ---- by hand ----

like "two Poisson rates: the published 2,703 runs" "*: 2,703 runs*" \
	"$(power --rate 0.204 --change 16.1764706%)"
like "what 245 runs can show" "*smallest fall that they show is 48.7%*" \
	"$(power --rate 0.204 --runs 245 | tr -s '\n ' ' ')"
# sd of a block sqrt(2 (16 + 36 / 3)) = 7.48; R: power.t.test(delta = 5,
# sd = 7.483315, power = .8, type = "paired") gives n = 19.6
like "boots for a given variation" "*as given *4.0 *6.0 0.31 *5.0% *20 x 3 *" \
	"$(power --cv-boot 4 --cv-run 6)"
like "the power of a given design" "* 81% *" \
	"$(power --cv-boot 4 --cv-run 6 --blocks 20 --runs 3)"
is "no line is over 72 columns" 0 \
	"$(power --cv-boot 4 --cv-run 6 | awk 'length > 72' | wc -l)"
for wrong in "" "--rate 1 --cv-boot 1" "--cv-boot 1" "--rate 1 --power 2" \
	"--rate 1 --change x" "--rate 1 --metric none" "--rate 1 --runs 0" \
	"--rate 1 --hours 0"; do
	# shellcheck disable=SC2086
	power $wrong >"$T/out" 2>&1
	is "abrig power $wrong: 2" 2 $?
done
power "$T/nothing" >"$T/out" 2>&1
is "no campaign there: 3" 3 $?

# ---- a pilot ----

cat >"$T/plan.yaml" <<PLAN
plan: pilot
platforms: { A: { devices: [ nobody ] } }
variants:
  base: { flash: { boot: $T/base.img } }
  next: { flash: { boot: $T/next.img } }
scenarios: [ notification-shade ]
schedule: { blocks: 2, runs: 2, warmup: 0 }
metrics:
  primary: [ power.total, power.cpu ]
  margins: { power.total: 2% }
PLAN
check "images" kernel "$T/base.img" 6.12.30-a
check "of two kernels" kernel "$T/next.img" 6.12.30-b
timeout 20 adb start-server >/dev/null 2>&1
abrig run "$T/plan.yaml" -C "$T/pilot" --plain >"$T/out" 2>&1
is "a campaign without a phone fails" 1 $?
power "$T/pilot" >"$T/out" 2>"$T/err"
is "nothing measured: 1" 1 $?
like "and it is said" "*nothing was measured*" "$(cat "$T/err")"

# Boots of 100 s, runs of 25 s.  The values of tests/unit/test-design.c, plus
# 987: variances 2 between runs, 8 between boots, mean 1000.
sqlite3 "$T/pilot/campaign.db" "
update session set state = 2,
	began = strftime('%Y-%m-%dT%H:%M:%SZ', 1e9 + id * 150, 'unixepoch'),
	ended = strftime('%Y-%m-%dT%H:%M:%SZ', 1e9 + id * 150 + 50, 'unixepoch');
update run set state = 2, began = strftime('%Y-%m-%dT%H:%M:%SZ',
	1e9 + session * 150 + position * 25, 'unixepoch'),
	ended = strftime('%Y-%m-%dT%H:%M:%SZ',
	1e9 + session * 150 + position * 25 + 25, 'unixepoch');
insert into value select r.id, 'power.total', 987 + r.position * 2 +
	case s.block * 2 + s.variant when 0 then 10 when 1 then 20
	when 2 then 14 else 18 end
	from run r join session s on r.session = s.id;"
power "$T/pilot" --json >"$T/json"
is "a pilot" 0 $?
json() {
	sed -n "s/^ *\"$1\" : \([^,]*\).*/\1/p" "$T/json" | tail -n "${2:-1}" |
		head -n 1
}
is "variance between runs" 2.0 "$(json variance_run)"
is "variance between boots" 8.0 "$(json variance_boot)"
is "mean" 1000.0 "$(json mean)"
is "design effect" 1.8 "$(json design_effect | cut -c1-3)"
is "cost of a boot, measured" 100.0 "$(json boot_cost_s)"
is "cost of a run, measured" 25.0 "$(json run_cost_s)"
is "the margin is the change" 2.0 "$(json change_pct)"
like "one of two primaries: 5 % / 2" "0.97[45]*" "$(json level)"
# sqrt(100 / 25 * 2 / 8)
is "best runs per boot" 1.0 "$(json best_runs)"
is "7 blocks: 2 / 2^7 <= 0.025" 7.0 "$(sed -n '/"needed"/,$p' "$T/json" |
	sed -n 's/.*"boots" : \([0-9.]*\).*/\1/p' | head -n 1)"
power "$T/pilot" >"$T/out"
like "the page" "*\* all rails *0.3 *0.1 0.80 *2.0% *7 x 1 *" "$(cat "$T/out")"
is "no line of it is over 72 columns" 0 \
	"$(awk 'length > 72' "$T/out" | wc -l)"
power "$T/pilot" "$T/pilot" --json >"$T/json"
is "two campaigns: the same variances" 8.0 "$(json variance_boot)"
is "of twice as many blocks" 4 "$(json blocks)"
like "a budget" "*all rails*" "$(power "$T/pilot" --hours 2)"
power "$T/pilot" --variant none >"$T/out" 2>&1
is "no such variant: 2" 2 $?
missing=
for key in $(grep -oE '^ *"[a-z_]*"' "$T/json" | tr -d ' "' | sort -u); do
	grep -qE "[\`.]$key(\[\])?\`" "$SRC/docs/HOWTO-power.md" || missing="$missing $key"
done
is "docs/HOWTO-power.md describes every key" "" "$missing"

done_testing

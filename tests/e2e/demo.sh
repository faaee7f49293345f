#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The demo: a whole A/B campaign on two virtual phones, through the stock adb
# server and the stock fastboot client.
set -u
# shellcheck source=tests/with-proc.sh
. "$(dirname "$0")/../with-proc.sh"
SPEED=${SPEED:-40}
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/e2e/campaign.sh
. "$(dirname "$0")/campaign.sh"

began=$(date +%s)
out=${DEMO_DIR:-$O/demo/$(date +%Y%m%d-%H%M%S)}
blocks=${DEMO_BLOCKS:-8}
mkdir -p "$out" || exit 3

echo "abrig demo: two virtual phones, two kernels, $blocks boots of each"
images "$out/images" || exit 1
echo "  starting an adb server of its own"
timeout 20 adb start-server >/dev/null 2>&1
echo "  starting two phones"
phone a A "$out/images" 11 || exit 1
phone b B "$out/images" 12 || exit 1

sed -e "s|@ADB_A@|$(adb_address a)|; s|@FASTBOOT_A@|$(fastboot_address a)|" \
	-e "s|@ADB_B@|$(adb_address b)|; s|@FASTBOOT_B@|$(fastboot_address b)|" \
	-e "s|@BLOCKS@|$blocks|" "$SRC/tests/e2e/demo.yaml" >"$out/pm-wq.yaml"

echo "  abrig run $out/pm-wq.yaml -C $out/campaign"
cd "$SRC" || exit 1
status=0
"$O/abrig" run "$out/pm-wq.yaml" -C "$out/campaign" || status=$?
echo
echo "The demo took $(($(date +%s) - began)) s."
echo "campaign: $out/campaign"
echo "report:   $out/campaign/report.txt"
"$O/abrig" report --style html "$out/campaign" >/dev/null &&
	echo "page:     $out/campaign/report.html"
exit "$status"

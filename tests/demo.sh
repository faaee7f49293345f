#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The demo: a whole A/B campaign on two virtual phones, through the stock adb
# server and the stock fastboot client.
set -eu
cd "$(dirname "$0")/.."
O=${O:-build}
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh

began=$(date +%s)
out=${DEMO_DIR:-$O/demo/$(date +%Y%m%d-%H%M%S)}
blocks=${DEMO_BLOCKS:-8}
mkdir -p "$out"
out=$(cd "$out" && pwd)

echo "abrig demo: two virtual phones, two kernels, $blocks boots of each"
echo "  building boot images"
for platform in A B; do
	for kernel in base pm-wq-highpri; do
		mkdir -p "$out/images/$platform"
		make_image "$platform" "$kernel" \
			"$out/images/$platform/$kernel.img"
	done
done
echo "  starting an adb server of its own and two phones"
start_adb
start_phone a A "$out/images/A/base.img" 11
start_phone b B "$out/images/B/base.img" 12

sed -e "s|@ADB_A@|$(adb_of a)|; s|@FASTBOOT_A@|$(fastboot_of a)|" \
	-e "s|@ADB_B@|$(adb_of b)|; s|@FASTBOOT_B@|$(fastboot_of b)|" \
	-e "s|@BLOCKS@|$blocks|" tests/demo.yaml >"$out/pm-wq.yaml"

echo "  running the campaign: abrig run $out/pm-wq.yaml -C $out/campaign"
"$O/abrig" run "$out/pm-wq.yaml" -C "$out/campaign"
echo
echo "The demo took $(($(date +%s) - began)) s."
echo "campaign: $out/campaign"
echo "report:   $out/campaign/report.txt"

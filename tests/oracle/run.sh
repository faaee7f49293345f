#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compare what the statistics give with what R gives; without R, say so.
# usage: O=build tests/oracle/run.sh
set -eu
O=${O:-build}
if ! command -v Rscript >/dev/null 2>&1; then
	echo "oracle: skipped, no Rscript (Debian: r-base-core)"
	exit 0
fi
"$O/oracle" >"$O/oracle.txt"
exec Rscript --vanilla "$(dirname "$0")/oracle.R" "$O/oracle.txt"

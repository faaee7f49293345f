# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What whole-rig tests share: an adb server of their own, virtual phones, and
# TAP lines.  Sourced; O is the build directory.

# The sourcing script's commands see these.
E2E_DIR=$(cd "$(dirname "$0")" && pwd)
SRC=$(cd "$E2E_DIR/../.." && pwd)
O=${O:-$SRC/build}
SPEED=${SPEED:-40}
T=$(mktemp -d "${TMPDIR:-/tmp}/abrig-e2e.XXXXXX")
chmod 755 "$T"
VPHONES=
N=0
FAILED=0

export TMPDIR="$T"
export HOME="$T/home"
mkdir "$HOME"
export XDG_STATE_HOME="$T/state"
ANDROID_ADB_SERVER_PORT=$("$O/vphone" free-port) || {
	rm -rf "$T"
	exit 1
}
export ANDROID_ADB_SERVER_PORT
export ABRIG_TIME_SCALE="$SPEED"

e2e_cleanup() {
	trap - EXIT INT TERM HUP
	timeout 5 adb kill-server >/dev/null 2>&1
	for name in $VPHONES; do
		kill "$(cat "$T/$name.pid")" 2>/dev/null
	done
	wait
	rm -rf "$T"
}
trap e2e_cleanup EXIT
trap 'exit 1' INT TERM HUP

# ---- TAP ----

ok() {
	N=$((N + 1))
	echo "ok $N - $1"
}

not_ok() {
	N=$((N + 1))
	FAILED=$((FAILED + 1))
	echo "not ok $N - $1"
	shift
	for line; do
		printf '%s\n' "$line" | sed 's/^/# /'
	done
}

skip() {
	N=$((N + 1))
	echo "ok $N - $1 # SKIP $2"
}

# check NAME COMMAND...: ok when the command succeeds
check() {
	check_name=$1
	shift
	# Not in a sub-shell: what it starts and sets is the script's.
	if "$@" >"$T/check.out" 2>&1; then
		ok "$check_name"
	else
		not_ok "$check_name" "exit status $? of: $*" \
			"$(cat "$T/check.out")"
	fi
}

# is NAME WANTED GOT
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "wanted: $2" "got:    $3"
	fi
}

# like NAME PATTERN GOT: a pattern of case
like() {
	# shellcheck disable=SC2254
	case $3 in
	$2) ok "$1" ;;
	*) not_ok "$1" "wanted: $2" "got:    $3" ;;
	esac
}

done_testing() {
	echo "1..$N"
	[ "$FAILED" -eq 0 ]
}

# ---- virtual phones ----

# kernel IMAGE RELEASE [MODEL [OPTIONS...]]: a boot image
kernel() {
	kernel_image=$1
	kernel_release=$2
	kernel_model=${3:-$SRC/tests/vphone/models/A/base.model}
	shift 2
	[ $# -eq 0 ] || shift
	"$O/mkboot" --release "$kernel_release" --model "$kernel_model" \
		-o "$kernel_image" "$@"
}

# vphone_start NAME PLATFORM [OPTIONS...]; runs as RUN_AS... when that is set
vphone_start() {
	vp_name=$1
	vp_platform=$2
	shift 2
	# shellcheck disable=SC2086
	${RUN_AS:-} "$O/vphone" --platform "$vp_platform" --serial "$vp_name" \
		--dir "$T/$vp_name/phone" --speed "$SPEED" "$@" \
		>"$T/$vp_name.out" 2>"$T/$vp_name.err" &
	echo $! >"$T/$vp_name.pid"
	VPHONES="$VPHONES $vp_name"
	for _ in $(seq 100); do
		grep -q control "$T/$vp_name.out" && return 0
		kill -0 "$(cat "$T/$vp_name.pid")" 2>/dev/null || break
		sleep 0.1
	done
	sed 's/^/# /' "$T/$vp_name.err"
	return 1
}

vphone_stop() {
	kill "$(cat "$T/$1.pid")" 2>/dev/null
	wait "$(cat "$T/$1.pid")" 2>/dev/null
	VPHONES=$(echo "$VPHONES" | sed "s/ $1\\b//")
}

ctl() {
	ctl_name=$1
	shift
	"$O/vphone" ctl "$T/$ctl_name/phone/control" "$@"
}

adb_address() {
	sed 's/.*adb \([^ ]*\) .*/\1/' "$T/$1.out"
}

fastboot_address() {
	sed 's/.*fastboot \([^ ]*\) .*/tcp:\1/' "$T/$1.out"
}

# wait_state NAME PATTERN: until the phone's state matches (a grep pattern)
wait_state() {
	for _ in $(seq 300); do
		ctl "$1" state 2>/dev/null | grep -q "$2" && return 0
		sleep 0.1
	done
	echo "# $1 did not reach $2: $(ctl "$1" state | cut -c1-200)"
	return 1
}

wait_android() {
	wait_state "$1" '"completed":true'
}

# The server never leaves "offline" by itself when a phone was away.
adb_connect() {
	for _ in $(seq 50); do
		timeout 10 adb disconnect "$(adb_address "$1")" >/dev/null 2>&1
		timeout 10 adb connect "$(adb_address "$1")" >/dev/null 2>&1
		[ "$(phone_adb "$1" get-state 2>/dev/null)" = device ] &&
			return 0
		sleep 0.1
	done
	echo "# adb cannot reach $1"
	return 1
}

phone_adb() {
	adb_name=$1
	shift
	timeout 30 adb -s "$(adb_address "$adb_name")" "$@"
}

phone_fastboot() {
	fb_name=$1
	shift
	timeout "${FB_TIMEOUT:-20}" fastboot -s "$(fastboot_address "$fb_name")" \
		"$@" 2>&1
}

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The harness's adb client against the stock server and the virtual phone.
# What is in single quotes is the phone's shell's:
# shellcheck disable=SC2016
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# client VERB...: the harness's client
client() {
	timeout 60 "$O/bench/bench-adb" "$@" 2>&1
}

now_ms() {
	date +%s%3N
}

# within NAME MS BEGIN: less than MS since BEGIN
within() {
	within_ms=$(($(now_ms) - $3))
	if [ "$within_ms" -lt "$2" ]; then
		ok "$1"
	else
		not_ok "$1" "took $within_ms ms, limit $2 ms"
	fi
}

kernel "$T/a.img" 6.12.30-android16-5-base
check "a phone starts" vphone_start P A --install "boot_a=$T/a.img"
check "and an old one" vphone_start OLD B --no-shell-v2 --unrooted \
	--install "boot_a=$T/a.img"
P=$(adb_address P)
OLD=$(adb_address OLD)

# ---- the server ----
like "no server: what to do" "*start-server*" "$(client devices)"
check "the server is started" client start
check "and left alone when it runs" client start
like "connect to nobody" "*refused*" "$(client connect 127.0.0.1:1)"

# ---- waiting for a device ----
check "wait connects a TCP device" client wait "$P" device
like "devices" "$P*device*Virtual_8*" "$(client devices)"
begin=$(now_ms)
BENCH_DEADLINE_MS=3000
export BENCH_DEADLINE_MS
like "an absent device, in time" "*nosuch*absent*serial*" \
	"$(client wait nosuch device)"
within "not later than its deadline" 5000 "$begin"
unset BENCH_DEADLINE_MS
check "the old one, too" client wait "$OLD" device

# ---- shell ----
is "shell: stdout, status" "$(printf 'out\nstatus 7')" \
	"$("$O/bench/bench-adb" shell "$P" 'echo out; echo err >&2; exit 7' \
		2>/dev/null)"
is "shell: stderr" err \
	"$("$O/bench/bench-adb" shell "$P" 'echo out; echo err >&2' \
		2>&1 >/dev/null)"
is "a command that reads stdin ends" "$(printf '0\nstatus 0')" \
	"$(client shell "$P" 'wc -c')"
is "input" "$(printf 'hello\nstatus 0')" \
	"$(client input "$P" cat "$(printf 'hello\nX')" | sed s/^X//)"
is "quoting" "$(printf 'a  b $x\nstatus 0')" \
	"$(client shell "$P" 'echo "a  b \$x"')"
is "without shell_v2: output and status" "$(printf 'one\ntwo\nstatus 3')" \
	"$(client shell "$OLD" 'echo one; echo two; exit 3')"
is "without shell_v2: no stdin" "$(printf '0\nstatus 0')" \
	"$(client shell "$OLD" 'wc -c')"
like "without shell_v2: no input" "*shell_v2*" "$(client input "$OLD" cat x)"
ctl P fault silent 1 >/dev/null
begin=$(now_ms)
like "a silent command, in time" "*deadline passed*running 'true'*" \
	"$(BENCH_DEADLINE_MS=3000 client shell "$P" true)"
within "not later than its deadline" 5000 "$begin"
ctl P clear >/dev/null

# ---- streams ----
like "a stream's end is an error" "one*two*status 4*" \
	"$(client stream "$P" 'echo one; echo two; exit 4')"
like "logcat goes on until the deadline" "*deadline passed*logcat*" \
	"$(BENCH_DEADLINE_MS=2000 client stream "$P" logcat | tail -n 1)"

# ---- files ----
head -c 3000000 /dev/urandom >"$T/data"
check "push" client push "$P" "$T/data" /data/local/tmp/data
like "pull" "3000000 bytes" \
	"$(client pull "$P" /data/local/tmp/data "$T/back")"
check "the same bytes" cmp "$T/data" "$T/back"
is "nobody else may read it" 600 "$(stat -c %a "$T/back")"
check "push to the old one" client push "$OLD" "$T/data" /data/local/tmp/data
check "pull from the old one" \
	client pull "$OLD" /data/local/tmp/data "$T/back-old"
check "the same bytes, too" cmp "$T/data" "$T/back-old"
like "pull of what is not there" "*pulling*No such file*" \
	"$(client pull "$P" /data/local/tmp/none "$T/none")"
like "push to where it must not" "*pushing*ermission denied*" \
	"$(client push "$P" "$T/data" /system/data)"
like "pull of a directory" "*directory*" \
	"$(client pull "$P" /data/local/tmp "$T/none")"
like "a local file that cannot be written" "*$T/none/x*" \
	"$(client pull "$P" /data/local/tmp/data "$T/none/x")"
is "no file is left by what failed" "" "$(find "$T" -maxdepth 1 -name 'none*')"

# Interrupted in the middle of a pull: back within a second, nothing left.
client shell "$P" 'head -c 600000000 /dev/zero >/data/local/tmp/big' \
	>/dev/null
"$O/bench/bench-adb" pull "$P" /data/local/tmp/big "$T/big" >"$T/int.out" 2>&1 &
pid=$!
sleep 0.4
begin=$(now_ms)
kill -INT $pid 2>/dev/null
kill -TERM $pid
wait $pid
is "an interrupted pull: exit status" 130 $?
within "an interrupted pull: back at once" 1000 "$begin"
like "an interrupted pull: says so" "*interrupted while pulling*" \
	"$(cat "$T/int.out")"
is "an interrupted pull: leaves nothing" "" "$(find "$T" -maxdepth 1 -name 'big*')"
client shell "$P" 'rm /data/local/tmp/big' >/dev/null

# ---- lost in the middle ----
"$O/bench/bench-adb" shell "$P" 'sleep 4000' >"$T/drop.out" 2>&1 &
pid=$!
sleep 1
ctl P fault adb-offline 1 20 >/dev/null
wait $pid
is "lost in mid-command: exit status" 1 $?
like "lost in mid-command: says so" "*lost while running 'sleep 4000'*" \
	"$(cat "$T/drop.out")"
ctl P clear >/dev/null
check "and back" client wait "$P" device

# ---- root ----
is "root" "was shell" "$(client root "$P" yes)"
is "it is" "$(printf '0\nstatus 0')" "$(client shell "$P" 'id -u')"
is "root again" "was root" "$(client root "$P" yes)"
is "unroot" "was root" "$(client root "$P" no)"
is "it is not any more" "$(printf '2000\nstatus 0')" \
	"$(client shell "$P" 'id -u')"
like "a user build refuses" "*cannot run as root*userdebug*" \
	"$(client root "$OLD" yes)"

# ---- reboot ----
boot_id=$(client shell "$P" 'cat /proc/sys/kernel/random/boot_id')
check "reboot returns when adb has lost it" client reboot "$P" ""
check "and it comes back" client wait "$P" device
[ "$boot_id" != \
	"$(client shell "$P" 'cat /proc/sys/kernel/random/boot_id')" ]
is "with another boot id" 0 $?
check "reboot to the bootloader" client reboot "$P" bootloader
check "it has left adb" client wait "$P" disconnect
check "and is there" wait_state P '"mode":"bootloader"'
phone_fastboot P reboot >/dev/null
check "and back again" client wait "$P" device

# ---- the server dies ----
adb kill-server
like "a dead server: what to do" "*no adb server*start-server*" \
	"$(client shell "$P" true)"
check "waiting for the device starts another" client wait "$P" device
check "kill" client kill
like "it is gone" "*start-server*" "$(client devices)"
done_testing

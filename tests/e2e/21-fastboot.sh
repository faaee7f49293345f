#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The harness's fastboot calls through the stock client: each situation in
# which that client waits, spins or blocks for ever, or lies, ends with a clear
# error within the deadline.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

client() {
	timeout 60 "$O/bench/bench-adb" "$@" 2>&1
}

now_ms() {
	date +%s%3N
}

# ends NAME PATTERN VERB...: within 3 s and a second for the host, with PATTERN
ends() {
	ends_name=$1
	ends_pattern=$2
	shift 2
	ends_begin=$(now_ms)
	ends_out=$(BENCH_DEADLINE_MS=3000 client "$@")
	ends_ms=$(($(now_ms) - ends_begin))
	like "$ends_name" "$ends_pattern" "$ends_out"
	# Deadline, and what starting and killing costs on a busy machine.
	if [ "$ends_ms" -lt 8000 ]; then
		ok "$ends_name: in time"
	else
		not_ok "$ends_name: in time" "took $ends_ms ms"
	fi
}

kernel "$T/a.img" 6.12.30-android16-5-base
kernel "$T/b.img" 6.12.30-android16-5-highpri
check "a phone starts" vphone_start P A --install "boot_a=$T/a.img"
F=$(fastboot_address P)
P=$(adb_address P)
check "adb server" client start
check "the phone is up" client wait "$P" device

# ---- nobody listens: the phone runs Android ----
ends "nobody listens" "*reading 'product' on $F*nobody answers*fastboot mode*" \
	fb-getvar "$F" product
ends "waiting for a bootloader that does not come" \
	"*waiting for the bootloader of $F*nobody answers*" fb-wait "$F"

check "into the bootloader" client reboot "$P" bootloader
check "it answers" client fb-wait "$F"

# ---- what works ----
is "getvar" virt8 "$(client fb-getvar "$F" product)"
like "getvar all" "*max-download-size=*" "$(client fb-getvar-all "$F")"
is "current slot" a "$(client fb-slot "$F")"
is "not in userspace" no "$(client fb-userspace "$F")"
check "flash" client fb-flash "$F" boot_b "$T/b.img"
check "set_active" client fb-set-active "$F" b
is "and it is" b "$(client fb-slot "$F")"
like "no such file" "*$T/none.img*No such file*" \
	"$(client fb-flash "$F" boot_a "$T/none.img")"
like "no such partition" "*refused while flashing*nosuch*" \
	"$(client fb-flash "$F" nosuch "$T/b.img")"

# ---- FAIL to getvar: the client's exit status is 0 ----
like "FAIL to getvar" "*refused while reading 'nosuch'*" \
	"$(client fb-getvar "$F" nosuch)"
client fb-getvar "$F" nosuch >/dev/null
is "FAIL to getvar: exit status" 1 $?

# ---- no handshake ----
ctl P fault fb-no-handshake >/dev/null
ends "no handshake" "*nobody answers*" fb-getvar "$F" product
ctl P clear >/dev/null

# ---- closes in mid-command: the client spins ----
ctl P fault fb-close >/dev/null
ends "closes in mid-command" "*closed the connection*" \
	fb-flash "$F" boot_a "$T/b.img"
ctl P clear >/dev/null

# ---- never answers ----
ctl P fault fb-silent >/dev/null
ends "never answers" "*never answered*" fb-flash "$F" boot_a "$T/b.img"
ctl P clear >/dev/null
is "no client is left running" "" "$(pgrep -f "^fastboot -s $F")"
check "the bootloader answers again" client fb-wait "$F"

# ---- FAIL to flash ----
ctl P fault fb-fail >/dev/null
ends "FAIL to flash" "*refused while flashing '$T/b.img' to boot_a on $F*" \
	fb-flash "$F" boot_a "$T/b.img"
ctl P clear >/dev/null

# ---- says OKAY to set_active and does not do it ----
ctl P fault set-active-ignored >/dev/null
ends "a lie about the slot" "*OKAY to slot 'a'*still 'b'*" \
	fb-set-active "$F" a
ctl P clear >/dev/null

# ---- an interrupted wait ----
ctl P fault fb-absent >/dev/null
client fb-reboot "$F" bootloader >/dev/null
ends "a bootloader that is absent" "*nobody answers*" fb-wait "$F"
"$O/bench/bench-adb" fb-wait "$F" >"$T/int.out" 2>&1 &
pid=$!
sleep 1
begin=$(now_ms)
kill -TERM $pid
wait $pid
is "interrupted: exit status" 130 $?
[ $(($(now_ms) - begin)) -lt 1000 ]
is "interrupted: back at once" 0 $?
ctl P clear >/dev/null
check "it comes after all" client fb-wait "$F"

# ---- run once, and for good ----
check "boot an image once" client fb-boot "$F" "$T/a.img"
check "it is up" client wait "$P" device
like "it runs what was sent" "*-base*" "$(client shell "$P" 'uname -r')"
check "into the bootloader again" client reboot "$P" bootloader
check "it answers again" client fb-wait "$F"
check "reboot" client fb-reboot "$F" ""
check "it is up again" client wait "$P" device
like "it runs what was flashed" "*-highpri*" "$(client shell "$P" 'uname -r')"
done_testing

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The virtual phone as the stock adb server and fastboot client see it.
# What is in single quotes is the phone's shell's:
# shellcheck disable=SC2016
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

sh_out() {
	phone_adb P shell "$@" </dev/null
}

kernel "$T/a.img" 6.12.30-android16-5-base
kernel "$T/b.img" 6.12.30-android16-5-highpri
kernel "$T/b2.img" 6.12.30-android16-5-highpri \
	"$SRC/tests/vphone/models/A/base.model" \
	--banner-suffix '(other@host) (clang) #2 SMP PREEMPT'

check "a phone starts" vphone_start P A --install "boot_a=$T/a.img"
check "and boots Android" wait_android P
check "adb connects" adb_connect P

# ---- shell ----
like "devices -l shows the banner" "*product:virt8 model:Virtual_8 device:virt8*" \
	"$(adb devices -l)"
sh_out 'exit 7'
is "exit status" 7 $?
is "stdout alone" out "$(sh_out 'echo out; echo err >&2' 2>/dev/null)"
is "stderr alone" err "$(sh_out 'echo out; echo err >&2' 2>&1 >/dev/null)"
is "quoting" "a  b \$x 'q'" "$(sh_out "echo \"a  b \\\$x 'q'\"")"
is "pipes" 3 "$(sh_out 'printf "1\n2\n3\n" | wc -l')"
is "pipe's status with pipefail" 1 \
	"$(sh_out 'set -o pipefail; false | true; echo $?')"
is "stdin" 3000000 "$(head -c 3000000 /dev/zero | phone_adb P shell 'cat | wc -c')"
is "a missing command" 127 "$(sh_out 'nosuchcommand 2>/dev/null; echo $?')"
if [ -e /dev/pts/ptmx ]; then
	like "a terminal" "*$(printf '\r')*" \
		"$(phone_adb P shell -tt 'echo terminal' </dev/null)"
else
	skip "a terminal" "no devpts is mounted here"
fi
is "uid of the shell" 2000 "$(sh_out id -u)"
like "uname" "6.12.30-android16-5-base" "$(sh_out uname -r)"
begin=$(date +%s)
sh_out sleep 60
[ $(($(date +%s) - begin)) -lt 30 ]
is "sleep takes the phone's time" 0 $?
is "date has nanoseconds" 19 "$(sh_out date +%s%N | tr -d '\n' | wc -c)"
check "/dev/null swallows" sh_out 'echo x >/dev/null; [ -z "$(cat /dev/null)" ]'

# ---- processes ----
sh_out 'nohup sleep 7777 >/dev/null 2>&1 & echo $! >/data/local/tmp/pid'
like "a background job outlives its shell" "[0-9]*" \
	"$(sh_out 'pgrep -f "sleep 7777"')"
is "kill -0 finds it" 0 "$(sh_out 'kill -0 $(cat /data/local/tmp/pid); echo $?')"
like "pidof knows Android's processes" "[0-9]*" "$(sh_out pidof system_server)"
sh_out 'pgrep -f nosuchprocess'
is "pgrep finds nothing" 1 $?
like "ps" "*system_server*" "$(sh_out ps -A)"
like "ps -o" "*PID NAME*" "$(sh_out ps -A -o PID,NAME)"

# ---- files ----
head -c 3000000 /dev/urandom >"$T/data"
check "push" phone_adb P push "$T/data" /data/local/tmp/data
check "pull" phone_adb P pull /data/local/tmp/data "$T/data.out"
check "the same bytes" cmp "$T/data" "$T/data.out"
like "adb ls" "*data*" "$(phone_adb P ls /)"
like "pull of what is not there" "*No such file*" \
	"$(phone_adb P pull /data/local/tmp/none "$T/none" 2>&1)"
like "push to where the shell must not" "*Permission denied*" \
	"$(phone_adb P push "$T/data" /system/data 2>&1)"
phone_adb P exec-out cat /data/local/tmp/data | cmp - "$T/data"
is "exec-out is 8 bits wide" 0 $?
like "/proc/version" "Linux version 6.12.30-android16-5-base (*" \
	"$(sh_out cat /proc/version)"
check "/proc/config.gz" sh_out 'zcat /proc/config.gz | grep -q CONFIG_IKCONFIG=y'
boot_id=$(sh_out cat /proc/sys/kernel/random/boot_id)
like "boot_id" "????????-????-4???-a???-????????????" "$boot_id"
like "thermal zones" "*VIRTUAL-SKIN*" \
	"$(sh_out 'cat /sys/class/thermal/thermal_zone*/type')"

# ---- root ----
sh_out 'cat /sys/bus/iio/devices/iio:device0/energy_value' >/dev/null 2>&1
is "ODPM needs root" 1 $?
like "adb root" "*restarting adbd as root*" "$(phone_adb P root 2>&1)"
check "adb is back" adb_connect P
is "as root" 0 "$(sh_out id -u)"
like "once more" "*already running as root*" "$(phone_adb P root 2>&1)"
odpm=$(sh_out cat /sys/bus/iio/devices/iio:device0/energy_value)
echo "$odpm" | awk '
	NR == 1 && !/^t=[0-9]+$/ { exit 1 }
	NR > 1 && !/^CH[0-9]\(T=[0-9]+\)\[[A-Z0-9_]+\], [0-9]+$/ { exit 1 }
	END { exit NR != 9 }'
is "ODPM format" 0 $?
is "ODPM: another t on the other chip" 2 "$(sh_out \
	'cat /sys/bus/iio/devices/iio:device*/energy_value' | grep '^t=' | sort -u | wc -l)"
is "su to shell" shell "$(sh_out 'su 2000 -c "id -un"')"
pelt=/proc/sys/kernel/sched_pelt_multiplier
is "PELT at boot completed" 4 "$(sh_out cat $pelt)"
is "PELT takes 2" 2 "$(sh_out "echo 2 >$pelt; sleep 4; cat $pelt")"
is "PELT refuses 3" 2 "$(sh_out "echo 3 >$pelt; sleep 4; cat $pelt")"
sh_out 'echo 60 >/sys/devices/platform/google,charger/charge_stop_level; sleep 20'
is "a low stop level holds charging" Discharging \
	"$(sh_out cat /sys/class/power_supply/battery/status)"
sh_out 'echo "B|1|abrig:run" >/sys/kernel/tracing/trace_marker; sleep 2'
like "trace_marker is read" '*"marks":1,*' "$(ctl P state)"
ctl P fault odpm-empty >/dev/null
is "an empty ODPM read" 0 \
	"$(sh_out 'sleep 4; cat /sys/bus/iio/devices/iio:device0/energy_value' | wc -c)"
ctl P clear >/dev/null
like "adb unroot" "*restarting adbd as non root*" "$(phone_adb P unroot 2>&1)"
check "adb is back again" adb_connect P
is "as shell" 2000 "$(sh_out id -u)"

# ---- faults of adb ----
ctl P fault silent 1 >/dev/null
timeout 2 adb -s "$(adb_address P)" shell true </dev/null
is "a silent command" 124 $?
check "only one" sh_out true
ctl P fault adb-offline 1 20 >/dev/null
sleep 0.2
sh_out true 2>/dev/null
is "adb is away" 1 $?
sleep 1
check "and comes back" adb_connect P

# ---- bootloader ----
phone_adb P reboot bootloader
check "the bootloader" wait_state P '"mode":"bootloader"'
is "a reboot ends every process" '"processes":[]' \
	"$(ctl P state | grep -o '"processes":\[.*\]')"
vars=$(phone_fastboot P getvar all)
like "getvar all" "*(bootloader) product:virt8*(bootloader) current-slot:a*" "$vars"
like "partition sizes" "*partition-size:boot_b:0x4000000*" "$vars"
like "one variable" "slot-retry-count:a: 3*" \
	"$(phone_fastboot P getvar slot-retry-count:a)"
like "flash" "*Writing 'boot_b'*OKAY*" "$(phone_fastboot P flash boot_b "$T/b.img")"
like "no such partition" "*FAILED (remote: *" \
	"$(phone_fastboot P flash abl "$T/b.img")"
head -c 20000000 /dev/zero >"$T/big"
like "an image too large" "*larger than the partition*" \
	"$(phone_fastboot P flash dtbo "$T/big")"
like "set_active" "*OKAY*" "$(phone_fastboot P set_active b)"
like "is read back" "current-slot: b*" "$(phone_fastboot P getvar current-slot)"
like "reboot" "*OKAY*" "$(phone_fastboot P reboot)"
check "the flashed kernel boots" wait_android P
adb_connect P
like "/proc/version names it" "*-highpri (*" "$(sh_out cat /proc/version)"
is "its slot" _b "$(sh_out getprop ro.boot.slot_suffix)"
[ "$boot_id" != "$(sh_out cat /proc/sys/kernel/random/boot_id)" ]
is "another boot_id" 0 $?
is "the slot is successful" '"successful":true' \
	"$(ctl P state | grep -o '"successful":[a-z]*' | tail -n 1)"

# ---- faults of the bootloader ----
ctl P fault flash-ignored 1 >/dev/null
phone_adb P reboot bootloader
wait_state P '"mode":"bootloader"'
like "an ignored flash says OKAY" "*OKAY*" \
	"$(phone_fastboot P flash boot_b "$T/a.img")"
phone_fastboot P reboot >/dev/null
wait_android P
adb_connect P
like "and the old kernel runs" "*-highpri (*" "$(sh_out cat /proc/version)"
phone_adb P reboot bootloader
wait_state P '"mode":"bootloader"'
ctl P fault set-active-ignored 1 >/dev/null
phone_fastboot P set_active a >/dev/null
like "an ignored set_active" "current-slot: b*" \
	"$(phone_fastboot P getvar current-slot)"
ctl P fault fb-fail 1 >/dev/null
like "a failing flash" "*FAILED (remote: 'failed to write partition')*" \
	"$(phone_fastboot P flash boot_a "$T/a.img")"
for fault in fb-silent fb-close fb-no-handshake; do
	ctl P fault "$fault" >/dev/null
	FB_TIMEOUT=2 phone_fastboot P getvar product >/dev/null
	is "$fault hangs the stock client" 124 $?
	ctl P clear >/dev/null
done
like "after that it answers" "product: virt8*" "$(phone_fastboot P getvar product)"
ctl P fault fb-absent >/dev/null
phone_fastboot P reboot-bootloader >/dev/null
wait_state P '"mode":"bootloader"'
FB_TIMEOUT=2 phone_fastboot P getvar product >/dev/null
is "an absent bootloader" 124 $?
ctl P clear >/dev/null
like "reboot fastboot" "*OKAY*" "$(phone_fastboot P reboot fastboot)"
like "fastbootd" "is-userspace: yes*" "$(phone_fastboot P getvar is-userspace)"
like "boot from memory" "*OKAY*" "$(phone_fastboot P boot "$T/b2.img")"
check "the image in memory boots" wait_android P
adb_connect P
like "its build, the same release" "*-highpri (other@host)*" \
	"$(sh_out cat /proc/version)"

# ---- slots ----
phone_adb P reboot
wait_state P '"completed":false'
wait_android P
adb_connect P
like "memory is forgotten" "*-highpri (build@*" "$(sh_out cat /proc/version)"
ctl P fault wrong-slot 1 >/dev/null
phone_adb P reboot
wait_state P '"completed":false'
wait_android P
adb_connect P
is "the wrong slot" _a "$(sh_out getprop ro.boot.slot_suffix)"
ctl P fault boot-loop 3 >/dev/null
phone_adb P reboot
wait_state P '"completed":false'
wait_android P
adb_connect P
is "a boot loop ends in the other slot" _b \
	"$(sh_out getprop ro.boot.slot_suffix)"
phone_adb P reboot bootloader
wait_state P '"mode":"bootloader"'
phone_fastboot P flash boot_b "$T/data" >/dev/null
phone_fastboot P reboot >/dev/null
check "nothing bootable: the bootloader" \
	wait_state P '"mode":"bootloader".*"unbootable":true.*"unbootable":true'

# ---- restart, unrooted, old adbd ----
phone_fastboot P set_active a >/dev/null
phone_fastboot P flash boot_a "$T/a.img" >/dev/null
vphone_stop P
check "a restarted phone" vphone_start P A --unrooted --no-shell-v2
check "boots what was flashed" wait_android P
adb_connect P
like "without shell_v2 streams are merged" "*err*" \
	"$(sh_out 'echo err >&2' 2>/dev/null)"
like "a user build has no root" "*cannot run as root*" "$(phone_adb P root 2>&1)"
pid=$(cat "$T/P.pid")
vphone_stop P
kill -0 "$pid" 2>/dev/null
is "SIGTERM ends it" 1 $?

# ---- as an ordinary user, and with little allowed ----
mkdir "$T/U"
small_phone() {
	if ! vphone_start U B --install "boot_a=$T/a.img"; then
		return 1
	fi
	wait_android U && adb_connect U
	is "$1: uid" 2000 "$(phone_adb U shell id -u)"
	check "$1: /dev/null" phone_adb U shell \
		'echo x >/dev/null; sleep 1; [ -z "$(cat /dev/null)" ]'
	phone_adb U shell 'nohup sh -c "sleep 8888" >/dev/null 2>&1 &'
	phone_adb U reboot bootloader
	wait_state U '"mode":"bootloader"'
	is "$1: reboot ends processes" '"processes":[]' \
		"$(ctl U state | grep -o '"processes":\[.*\]')"
	vphone_stop U
}
if [ "$(id -u)" -ne 0 ]; then
	small_phone "ordinary user"
elif ! setpriv --reuid 65534 --regid 65534 --clear-groups unshare -U true \
	2>/dev/null; then
	skip "ordinary user" "user namespaces are refused"
else
	mkdir "$T/bin"
	cp "$O/vphone" "$O/vphone-cmd" "$T/bin"
	chmod 755 "$T/bin"/*
	chown 65534:65534 "$T/U"
	chmod 644 "$T"/*.img
	(
		O=$T/bin
		RUN_AS="setpriv --reuid 65534 --regid 65534 --clear-groups"
		trap - EXIT
		small_phone "ordinary user"
		echo "$N $FAILED" >"$T/counts"
	)
	read -r N FAILED <"$T/counts"
fi
rm -rf "$T/U"
mkdir "$T/U"
if [ "$(id -u)" -eq 0 ]; then
	RUN_AS="setpriv --bounding-set -sys_admin,-mknod --inh-caps -sys_admin,-mknod"
	small_phone "no mount, namespace or mknod"
	RUN_AS=
else
	skip "no mount, namespace or mknod" "needs root"
fi
done_testing

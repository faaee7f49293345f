#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Start a variant on the virtual phone and prove it, with every way in which a
# phone can lie; bring the phone into the measured state and back.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

BASE=6.12.30-android16-5-base
HIGH=6.12.30-android16-5-highpri
STRANGER=5.10.1-stock

# rig COMMAND...: bench-kernel for phone P, that was found in slot a
rig() {
	timeout 120 "$O/bench/bench-kernel" -s "$(adb_address P)" \
		-f "$(fastboot_address P)" --home "${HOME_SLOT:-a}" \
		--journal "$T/journal" --log "$T/log.jsonl" "$@" 2>&1
}

# rig_fails NAME PATTERN COMMAND...: it ends with an error that says PATTERN
rig_fails() {
	rf_name=$1
	rf_pattern=$2
	shift 2
	if rf_out=$(rig "$@"); then
		not_ok "$rf_name" "it succeeded: $rf_out"
	else
		like "$rf_name" "$rf_pattern" "$rf_out"
	fi
}

settings() {
	for ns in system secure global; do
		phone_adb P shell settings list $ns </dev/null
	done
}

setting() {
	phone_adb P shell settings get "$@" </dev/null
}

fault() {
	ctl P fault "$@" >/dev/null
}

fault_clear() {
	ctl P clear >/dev/null
}

# The kernel in a partition
stored() {
	grep -a -o 'Linux version [0-9][^ ]*' "$T/P/phone/partitions/$1" | head -n 1
}

kernel "$T/base.img" $BASE
kernel "$T/high.img" $HIGH
kernel "$T/stock.img" $STRANGER
kernel "$T/cmdline.img" $HIGH "$SRC/tests/vphone/models/A/base.model" \
	--cmdline "console=none wq.highpri=1"
for v in base high cmdline; do
	echo "flash: { boot: $T/$v.img }" >"$T/$v.yaml"
done
echo "verify: { cmdline: wq.highpri=1 }" >>"$T/cmdline.yaml"
echo "boot: $T/high.img" >"$T/once.yaml"
printf 'flash: { boot: %s, slot: active }\n' "$T/base.img" >"$T/active.yaml"
head -c 200000000 /dev/zero >"$T/big.img"
dd if="$T/base.img" of="$T/big.img" conv=notrunc 2>/dev/null
echo "flash: { boot: $T/big.img }" >"$T/big.yaml"

vphone_start P A --install "boot_a=$T/stock.img,boot_b=$T/stock.img"

# ---- what it is, how it is ----
like "a boot is waited for" "????????-????-*:[0-9]*" "$(rig wait)"
is "what the phone is" "virt8|Virtual 8|VS800|14|34|8|1080x2400|120|0" \
	"$(rig identify)"
like "what runs" "$STRANGER (#1 SMP *), config ????????, slot a" \
	"$(rig identity)"
phone_adb P shell settings put system screen_off_timeout 600000 </dev/null
check "it is unlocked" rig unlock
like "its state" "awake=yes keyguard=no shade=no * focus=*nexuslauncher*
systemui=no level=82 * faked=0 current=* skin=known thermal=0 overridden=0" \
	"$(rig state)"

# ---- flash ----
like "flash and proof" "$BASE (#1 SMP *), config ????????, slot b" \
	"$(rig start "$T/base.yaml" --other "$T/high.yaml")"
like "the other variant goes to the same slot" "$HIGH (*, slot b" \
	"$(rig start "$T/high.yaml" --other "$T/base.yaml")"
is "the other slot is as it was" "Linux version $STRANGER" "$(stored boot_a)"
like "the command line is proved" "$HIGH*" "$(rig start "$T/cmdline.yaml")"
echo "flash: { boot: $T/high.img }
verify: { cmdline: wq.highpri=2 }" >"$T/wrong.yaml"
rig_fails "a command line that is not there" \
	"*'wq.highpri=2' is not in /proc/cmdline*" start "$T/wrong.yaml"
like "boot once" "$HIGH (*, slot a" "$(rig start "$T/once.yaml")"
is "and nothing was written" "Linux version $STRANGER" "$(stored boot_a)"

# ---- lies ----
rig start "$T/base.yaml" >/dev/null
fault flash-ignored 1
rig_fails "a flash without effect: both identities, and whose kernel runs" \
	"*variant 'high': expected $HIGH (*, slot b, found $BASE (*, slot b; \
the flash of boot_b did not take effect; *runs the kernel of variant 'base'*" \
	start "$T/high.yaml" --other "$T/base.yaml"
check "home" rig home
fault set-active-ignored 1
rig_fails "set_active without effect" "*said OKAY to slot 'b', but the current slot is still 'a'*" \
	start "$T/high.yaml" --other "$T/base.yaml"
fault_clear
# The phone is left in its bootloader: the next start comes from there.
check "home from the bootloader" rig home
fault wrong-slot 1
rig_fails "another slot boots" \
	"*found $STRANGER (*, slot a*booted slot a instead of b*" \
	start "$T/high.yaml" --other "$T/base.yaml"
fault_clear
check "home again" rig home

# ---- refusals before anything is written ----
rig_fails "an image that is too large" "*does not fit into boot_b*" \
	start "$T/big.yaml"
check "home" rig home
echo "flash: { vendor_boot: $T/base.img }" >"$T/magic.yaml"
rig_fails "an image for another partition" "*does not begin like*vendor_boot*" \
	start "$T/magic.yaml"

# ---- boots that do not end ----
fault boot-loop
rig_fails "a boot loop ends at its deadline" \
	"*variant 'base'*deadline passed while waiting for *to finish its boot*" \
	--deadline 200000 start "$T/base.yaml"
fault_clear
check "home after the boot loop" rig home

# ---- preparation ----
wait_android P
adb_connect P
settings >"$T/before"
check "prepare" rig --refresh 120 prepare
is "airplane mode" 1 "$(setting global airplane_mode_on)"
is "silence" 2 "$(setting global zen_mode)"
is "brightness" 0/102 \
	"$(setting system screen_brightness_mode)/$(setting system screen_brightness)"
is "root" 0 "$(phone_adb P shell id -u </dev/null)"
check "prepare again changes nothing" rig --refresh 120 prepare
phone_adb P reboot
sleep 1
check "boot" rig wait
check "prepare after a boot" rig --refresh 120 prepare
check "restore" rig restore
is "nothing is remembered" 0 "$(wc -c <"$T/journal" | tr -d ' ')"
settings >"$T/after"
if diff "$T/before" "$T/after" >"$T/diff"; then
	ok "all settings are back"
else
	not_ok "all settings are back" "$(cat "$T/diff")"
fi
is "root is given back" 2000 "$(phone_adb P shell id -u </dev/null)"
rig_fails "a rate that the panel does not have" \
	"*runs at 120 Hz, not at the wanted 144 Hz*highest mode is 120 Hz*" \
	--refresh 144 prepare
check "restore after a preparation that failed" rig restore
settings >"$T/after"
check "all settings are back after that too" diff "$T/before" "$T/after"
like "charging is cut and proved" "" "$(rig --charging-off prepare)"
like "the current flows out" "*current=out*" "$(rig state)"
check "charging is given back" rig restore

# ---- phones that refuse ----
fault setting-refused
rig_fails "a setting that does not stick is named" \
	"*setting system screen_off_timeout did not take: wanted '86400000'*\
says '600000'*" prepare
fault_clear
check "restore after a refusal" rig restore
fault setting-refused
rm -f "$T/journal"
printf 'setting\tglobal/stay_on_while_plugged_in\t3\n' >"$T/journal"
rig_fails "a restore that fails says what to do by hand" \
	"*stay_on_while_plugged_in*by hand: adb -s *settings put global \
stay_on_while_plugged_in 3*" restore
is "and still remembers it" 1 "$(wc -l <"$T/journal" | tr -d ' ')"
fault_clear
check "restore once it can" rig restore
phone_adb P shell settings put global stay_on_while_plugged_in 0 </dev/null
fault locked
phone_adb P shell input keyevent KEYCODE_SLEEP </dev/null
rig_fails "a PIN is an error that says so" "*locked with a PIN*Screen lock*" \
	unlock
fault_clear
check "unlock" rig unlock
phone_adb P shell locksettings set-disabled true </dev/null >/dev/null
phone_adb P shell input keyevent KEYCODE_SLEEP </dev/null
like "asleep without a lock screen no window has the focus" \
	"*mCurrentFocus=null*" "$(phone_adb P shell dumpsys window </dev/null)"
check "its boot is finished all the same" rig wait

# ---- the log ----
for event in kernel.flash kernel.set-active kernel.identity kernel.mismatch \
	phone.booted prepare.record prepare.restored; do
	check "the log has $event" grep -q "\"$event\"" "$T/log.jsonl"
done
done_testing

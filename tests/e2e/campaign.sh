# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the demo and the campaign tests share.  Sourced after lib.sh.

# images DIR [KERNEL...]: boot images of both platforms, DIR/A/base.img, ...
images() {
	images_dir=$1
	shift
	[ $# -gt 0 ] || set -- base pm-wq-highpri
	for platform in A B; do
		mkdir -p "$images_dir/$platform"
		for kernel in "$@"; do
			suffix=
			[ "$kernel" = base ] || suffix=-$kernel
			kernel "$images_dir/$platform/$kernel.img" \
				"6.12.30-android16-5-g0a1b2c3d4e5f$suffix" \
				"$SRC/tests/vphone/models/$platform/$kernel.model" \
				--config-text CONFIG_PM=y,CONFIG_HZ=250 || return 1
		done
	done
}

# phone NAME PLATFORM IMAGES SEED [OPTIONS...]: a phone with the base kernel in
# both slots, ready to be driven
phone() {
	phone_name=$1
	phone_base=$3/$2/base.img
	phone_platform=$2
	phone_seed=$4
	shift 4
	vphone_start "$phone_name" "$phone_platform" --seed "$phone_seed" \
		--install "boot_a=$phone_base,boot_b=$phone_base" "$@" &&
		wait_android "$phone_name" && adb_connect "$phone_name"
}

# plan FILE PLATFORMS BLOCKS RUNS [LINE...]: a plan over $T/images; PLATFORMS
# are words PLATFORM=PHONE
plan() {
	plan_file=$1
	plan_platforms=$2
	plan_blocks=$3
	plan_runs=$4
	shift 4
	{
		echo "plan: test"
		echo "platforms:"
		for word in $plan_platforms; do
			echo "  ${word%%=*}:"
			echo "    devices:"
			echo "      - serial: \"$(adb_address "${word#*=}")\""
			echo "        fastboot: \"$(fastboot_address "${word#*=}")\""
		done
		echo "variants:"
		echo "  base: { flash: { boot: \"$T/images/{platform}/base.img\" } }"
		echo "  highpri: { flash: { boot: \"$T/images/{platform}/pm-wq-highpri.img\" } }"
		echo "scenarios: [ { notification-shade: { swipes: 3 } } ]"
		echo "schedule: { blocks: $plan_blocks, runs: $plan_runs, warmup: 0, seed: 7 }"
		echo "prepare: { refresh: 120, charging_off: true }"
		for line; do
			echo "$line"
		done
	} >"$plan_file"
}

# abrig ARGUMENT...: from the source tree, where the scenarios are
limit=${ABRIG_TIMEOUT:-$((${TEST_TIMEOUT:-300} * 2 / 3))}
abrig() {
	(cd "$SRC" && timeout "$limit" "$O/abrig" "$@")
}

# query DIR SQL: one value from a campaign's database
query() {
	sqlite3 -readonly "$1/campaign.db" "$2"
}

# settings NAME: what a phone's settings and slot are, to compare
settings() {
	for ns in system secure global; do
		phone_adb "$1" shell settings list $ns </dev/null | sort
	done
	phone_adb "$1" shell getprop ro.boot.slot_suffix </dev/null
}

# one_each DIR: every planned run has exactly one accepted run
one_each() {
	[ "$(query "$1" "select count(*) from run where state = 2")" = \
		"$(query "$1" "select count(distinct device || '.' || block ||
		'.' || variant || '.' || slot) from (select s.device, s.block,
		s.variant, r.slot from run r join session s on
		r.session = s.id)")" ]
}

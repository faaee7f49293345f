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

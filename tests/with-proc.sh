# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A bare chroot has no /proc.  Borrow one, for this script and its children
# only: a mount namespace of their own, so that nothing is left behind.
# Sourced first, with the script's arguments.
if [ ! -e /proc/self/exe ]; then
	if [ -n "${ABRIG_WITH_PROC:-}" ] || ! command -v unshare >/dev/null; then
		echo "/proc is not mounted here; as root: mount -t proc proc /proc" >&2
		exit 3
	fi
	export ABRIG_WITH_PROC=1
	# shellcheck disable=SC2016 # expanded by the inner shell
	exec unshare --propagation unchanged -m sh -c \
		'mount -t proc proc /proc 2>/dev/null; exec "$@"' sh "$0" "$@"
fi

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Packs the recorded styles for tools/gpu/styles.sh: eight of one person (Bandai Namco, CC BY-NC 4.0: for measures only,
# never for shipped weights).
#
#   tools/gpu/styles_data.sh SHARED OUT      e.g. ../shared gpu_pack/styles.txz
#
# OUT has train/STYLE and held/STYLE. Held out: the second walk of each style.
set -euo pipefail
biped=$1/data/biped out=$(realpath -m "$2") here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compact() { python3 "$here/compact_bvh.py" "$work/$1" "${@:2}"; }
shopt -s nullglob
for style in normal active angry childish old proud sad tired; do
  first=$biped/bandai_namco/dataset1/dataset-1
  compact train/$style "$first"_{walk,run,dash,walk-back,walk-left,walk-right}_${style}_001.bvh
  compact held/$style "$first"_walk_${style}_002.bvh
done
mkdir -p "$(dirname "$out")"
tar -C "$work" -cJf "$out" train held
ls -l "$out"

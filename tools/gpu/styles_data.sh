#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Packs the recorded styles for tools/gpu/styles.sh: eleven of two persons (Bandai Namco, CC BY-NC 4.0: for measures
# only, never for shipped weights).
#
#   tools/gpu/styles_data.sh SHARED OUT      e.g. ../shared gpu_pack/styles.txz
#
# OUT has train/STYLE and held/STYLE. Held out: the second walk of each style of the first person, takes 11 and 12 of
# the second.
set -euo pipefail
biped=$1/data/biped out=$(realpath -m "$2") here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compact() { python3 "$here/compact_bvh.py" "$work/$1" "${@:2}"; }
shopt -s nullglob
for style in active angry childish old proud sad tired; do
  first=$biped/bandai_namco/dataset1/dataset-1
  compact train/$style "$first"_{walk,run,dash,walk-back,walk-left,walk-right}_${style}_001.bvh
  compact held/$style "$first"_walk_${style}_002.bvh
done
for style in normal elderly exhausted youthful; do
  second=$biped/bandai_style/dataset-2
  compact train/$style "$second"_{walk,walk-turn-left}_${style}_00[1-5].bvh "$second"_run_${style}_00[1-3].bvh
  compact held/$style "$second"_{walk,walk-turn-left}_${style}_01[12].bvh
done
mkdir -p "$(dirname "$out")"
tar -C "$work" -cJf "$out" train held
ls -l "$out"

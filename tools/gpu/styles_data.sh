#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Packs the recorded styles for tools/gpu/styles.sh: eight of one person (Bandai Namco, CC BY-NC 4.0: for measures only,
# never for shipped weights).
#
#   tools/gpu/styles_data.sh SHARED OUT ZOE      e.g. ../shared gpu_pack/styles.txz build/release/bin/zoe
#
# OUT has train/STYLE, bent/STYLE and held/STYLE. Held out: the second walk of each style. The recordings only go
# straight on: bent has their walks and runs along arcs (bend_bvh.py), with feet planted again.
set -euo pipefail
biped=$1/data/biped out=$(realpath -m "$2") zoe=$(realpath "$3") here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compact() { python3 "$here/compact_bvh.py" "$work/$1" "${@:2}"; }
shopt -s nullglob
for style in normal active angry childish old proud sad tired; do
  first=$biped/bandai_namco/dataset1/dataset-1
  compact train/$style "$first"_{walk,run,dash,walk-back,walk-left,walk-right}_${style}_001.bvh
  # Short cycles, which normal has for runs, travel by a joint above the hips: they stay as they are.
  turned=("$work/train/$style"/*_walk_*.bvh)
  [ $style = normal ] || turned+=("$work/train/$style"/*_run_*.bvh)
  mkdir -p "$work/bent/$style"
  for rate in 0.5 -0.5 1 -1; do
    "${PYTHON:-python3}" "$here/bend_bvh.py" "$work/raw/$style" $rate "${turned[@]}"
  done
  for clip in "$work/raw/$style"/*.bvh; do
    "$zoe" convert "$clip" "$work/bent/$style/$(basename "$clip")" --clean-feet -q
  done
  compact held/$style "$first"_walk_${style}_002.bvh
done
mkdir -p "$(dirname "$out")"
tar -C "$work" -cJf "$out" train bent held
ls -l "$out"

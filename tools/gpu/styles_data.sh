#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Packs recorded styles for tools/gpu/styles.sh.
#
#   tools/gpu/styles_data.sh SHARED OUT ZOE [SET]      e.g. ../shared gpu_pack/real.txz build/release/bin/zoe
#
# SET real (the default): eight styles of one person (Bandai Namco, CC BY-NC 4.0: for measures only, never for shipped
# weights). Held out: the second walk of each style. SET cmu: nine styles of five people (CMU). Held out: the last third
# of each clip.
#
# OUT has train/STYLE, bent/STYLE and held/STYLE. Most recordings only go straight on: bent has their walks and runs
# along arcs (bend_bvh.py), with feet planted again.
set -euo pipefail
biped=$1/data/biped out=$(realpath -m "$2") zoe=$(realpath "$3") set=${4:-real} here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shopt -s nullglob
bend() { # Style, clips.
  local style=$1 rate clip
  mkdir -p "$work/bent/$style"
  for rate in 0.5 -0.5 1 -1; do
    "${PYTHON:-python3}" "$here/bend_bvh.py" "$work/raw/$style" $rate "${@:2}"
  done
  for clip in "$work/raw/$style"/*.bvh; do
    "$zoe" convert "$clip" "$work/bent/$style/$(basename "$clip")" --clean-feet -q
  done
}
bandai() {
  local first=$biped/bandai_namco/dataset1/dataset-1 style turned
  for style in normal active angry childish old proud sad tired; do
    python3 "$here/compact_bvh.py" "$work/train/$style" \
      "$first"_{walk,run,dash,walk-back,walk-left,walk-right}_${style}_001.bvh
    # Short cycles, which normal has for runs, travel by a joint above the hips: they stay as they are.
    turned=("$work/train/$style"/*_walk_*.bvh)
    [ $style = normal ] || turned+=("$work/train/$style"/*_run_*.bvh)
    bend $style "${turned[@]}"
    python3 "$here/compact_bvh.py" "$work/held/$style" "$first"_walk_${style}_002.bvh
  done
}
cmu() {
  local style clip frames written cut
  for style in normal=105_02,105_03,104_02 frankenstein=104_03 lavish=105_11 limp=105_16 quick=105_17,91_22 march=105_19 \
    arms_out=132_01,132_02,132_03,132_04 bent=136_01,136_02 toes=136_05,136_06; do
    for clip in $(tr , ' ' <<<"${style#*=}"); do
      clip=$biped/cmu/styles/$clip.bvh
      # At 120 frames a second; the first one is no motion. Every fourth is written.
      frames=$(sed -n 's/^Frames: *\([0-9]*\).*/\1/p' "$clip")
      written=$(((frames - 2) / 4)) cut=$((written * 2 / 3))
      python3 "$here/compact_bvh.py" --skip 2 --most $cut "$work/train/${style%%=*}" "$clip"
      python3 "$here/compact_bvh.py" --skip $((2 + 4 * (cut + 10))) "$work/held/${style%%=*}" "$clip"
    done
    bend "${style%%=*}" "$work/train/${style%%=*}"/*.bvh
  done
}
case $set in
  real) bandai ;;
  cmu) cmu ;;
  *) echo "styles_data.sh: there are the sets real and cmu, not '$set'" >&2 && exit 2 ;;
esac
mkdir -p "$(dirname "$out")"
tar -C "$work" -cJf "$out" train bent held
ls -l "$out"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Captures for tools/gpu/tracker.sh as one archive: CMU subject 16 to train (every fourth clip is held out), and subjects
# 69 and 143, every third clip, held out too.
#
#   tools/gpu/tracker_data.sh SHARED OUT      e.g. ../shared/data gpu_pack/tracker
set -euo pipefail
shared=$1 out=$2
here=$(dirname "${BASH_SOURCE[0]}")
rm -rf "$out" "$out.txz"
index=0
for clip in "$shared"/biped/cmu/16_*.bvh; do
  index=$((index + 1))
  folder=train
  [ $((index % 4)) = 0 ] && folder=held_out
  python3 "$here/compact_bvh.py" --skip 1 "$out/human/$folder" "$clip"
done
index=0
for clip in "$shared"/biped/cmu/locomotion/{69,143}_*.bvh; do
  index=$((index + 1))
  [ $((index % 3)) = 0 ] && python3 "$here/compact_bvh.py" --skip 1 "$out/human/held_out" "$clip"
done
tar cJf "$out.txz" -C "$out" human
ls -l "$out.txz"

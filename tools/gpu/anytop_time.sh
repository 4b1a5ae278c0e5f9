#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long a motion of 60 joints and 120 frames takes on a CUDA device with the included weights and four steps
# (docs/generate.md, goal 20 ms). Run it before anything else uses the device; it takes about 10 s.
#
#   tools/gpu/anytop_time.sh ZOE DATA OUT      prints the time; OUT/anytop_time.txt has it too
#
# DATA has anytop.txz of tools/gpu/anytop_data.sh, or its folder anytop.
set -uo pipefail
zoe=$1 data=$2 out=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
if [ -f "$data/anytop.txz" ]; then
  tar -xJf "$data/anytop.txz" -C "$work" anytop/train/Wolf.glb
  data=$work
fi
"$zoe" dataset build "$data/anytop/train/Wolf.glb" -o "$work/dataset" --schema anytop --skeletons each -q \
  --licence CC0 > "$work/log" 2>&1
"$zoe" train anytop -o "$work/run" --data "$work/dataset" --set model.width=192 --set model.blocks=4 \
  --set model.heads=6 --set "model.init=$here/../../models/anytop/model.safetensors" --set train.tokens=8192 \
  --set train.steps=2 --set "train.precision=${PRECISION:-bf16}" --set train.cuda_graph=off --set data.variants=0 -q >> "$work/log" 2>&1
python3 "$here/sampling_time.py" "$work/run" 2>&1 | tee "$out/anytop_time.txt"
grep -q " ms " "$out/anytop_time.txt" || tail -5 "$work/log"

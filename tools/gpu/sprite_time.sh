#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine that nothing else uses: the time of 16 frames by the included sprite_video in 8 steps.
#
#   tools/gpu/sprite_time.sh ZOE DATA OUT SECONDS [NETWORK]   e.g. build/gpu/bin/zoe data/sprite_video runs/time 30
#
# DATA is that of sprite_video.sh. OUT/clip_ms.txt has the shortest of 12 runs at each of three validations.
# EXTRA="--set train.precision=float32 --device cpu": a trial.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
network=${5:-$here/../../models/sprite_video/model.safetensors}
mkdir -p "$data" "$out"
for archive in "$data"/*.txz "$data.txz"; do
  [ -d "$data/bundle" ] || { [ -f "$archive" ] && tar -xJf "$archive" -C "$data" ./bundle; }
done
bash "$data/bundle/run" sprite pack --video --identities 200 --clips 200 --frames 4 -o "$data/time" >"$out/time.log" 2>&1
rm -rf "$data/runs/time"
# shellcheck disable=SC2086
timeout "$seconds" "$zoe" train sprite_video --data "$data/time" --set train.threads=1 --set train.precision=bf16 \
  --set model.width=160 --set model.heads=5 --set model.blocks=6 --set model.init="$network" --set train.batch=4 \
  --set model.frames=4 --set train.steps=3 --set train.cuda_graph=off --set train.validation_batches=1 \
  --set model.timed_frames=16 --set train.validate_every=1 ${EXTRA:-} -o "$data/runs/time" >>"$out/time.log" 2>&1
tail -n 1 "$out/time.log"
grep -o '"clip_ms":[^,}]*' "$data/runs/time/metrics.jsonl" | tee "$out/clip_ms.txt"

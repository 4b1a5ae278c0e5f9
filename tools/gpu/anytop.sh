#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The model for any skeleton on a CUDA machine: trains for a time, then distils the run into four steps (docs/train.md).
#
#   tools/gpu/anytop.sh CLIPS|DATASET RUN [MORE ARGUMENTS OF `zoe train`…]     RUN and RUN_4 are the results
#
# CLIPS is a folder of motion files of any bodies. Environment: ZOE the program (default: built by train.sh),
# TRAIN_S and DISTIL_S seconds of each part (520 and 200), WIDTH, BLOCKS, TOKENS of the network and a step.
# If something fails on a device: --set train.cuda_graph=off, --set train.precision=float32.
set -euo pipefail
clips=$1 run=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ -z "${ZOE:-}" ]; then
  "$here/train.sh"
  ZOE=$here/../../build/gpu/bin/zoe
fi
data=$clips
if [ ! -f "$clips/dataset.json" ]; then
  data=$run.data
  # Cycles of a gallop have 0.4 s. Each clip is in one split; whole species are held out by not being in CLIPS.
  "$ZOE" dataset build "$clips" -o "$data" --schema anytop --skeletons each --mirror --min-seconds 0.3 --validation 0.03 \
    --test 0 --licence "${LICENCE:-unknown}" -q
fi
common=(--data "$data" --set "model.width=${WIDTH:-192}" --set "model.blocks=${BLOCKS:-4}" --set model.heads=6
  --set "train.tokens=${TOKENS:-32768}" --set train.steps=1000000 --set train.precision=bf16 --set train.weight_decay=1e-3
  --set data.min_frames=12 --set data.max_frames=64 --set data.frame_sizes=2 --set data.joint_sizes=5 --set data.variants=2
  --set train.validate_every=1000000 --set train.checkpoint_every=5000 --set train.keep=1 --set train.log_every=100)
"$ZOE" train anytop -o "$run" "${common[@]}" --set "train.seconds=${TRAIN_S:-520}" --set train.rate=8e-4 \
  --set train.warmup_steps=300 --set train.ema=0.999 "$@"
"$ZOE" train anytop -o "${run}_4" "${common[@]}" --set "train.seconds=${DISTIL_S:-200}" --set train.rate=2e-4 \
  --set train.warmup_steps=100 --set train.ema=0.995 --set "model.teacher=$run" "$@"

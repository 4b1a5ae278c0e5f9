#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: the model for any skeleton, from a dataset that was built before (docs/train.md#any-skeleton).
#
#   zoe dataset build CREATURES… CHARACTERS… CMU -o data --schema anytop --skeletons each --split species --mirror
#   tools/gpu/anytop.sh data runs/anytop [MORE ARGUMENTS OF `zoe train`…]
set -euo pipefail
data=$1 run=$2
shift 2
exec "$(dirname "${BASH_SOURCE[0]}")/train.sh" anytop --data "$data" -o "$run" \
  --set model.width=128 --set model.blocks=4 --set train.tokens=65536 --set train.steps=60000 --set train.rate=6e-4 \
  --set train.ema=0.9995 --set train.precision=bf16 --set data.min_frames=16 --set data.max_frames=64 \
  --set data.frame_sizes=3 --set data.joint_sizes=6 --set train.validate_every=2000 --set train.checkpoint_every=2000 "$@"

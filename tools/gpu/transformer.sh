#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: builds zoe-train-time, the trainer without datasets, controllers and files of motions, then times
# transformers. Arguments go to transformer.py. Needs what train.sh needs.
#
#   tools/gpu/transformer.sh                                  prints tokens per second and the ratio to the bf16 peak
#   tools/gpu/transformer.sh --width 1024 --depth 12
#
# Afterwards short runs check that ragged batches (a CUDA graph for each bucket) and turns are recorded as graphs.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/options.sh"
options+=("-DZOE_TESTS=OFF" "-DZOE_IO=OFF" "-DZOE_TOOLS=OFF" "-DZOE_RENDER=OFF" "-DZOE_VIEW=OFF" "-DZOE_UNITY=OFF")
cd "$root"
mkdir -p build
start=$SECONDS
cmake --preset gpu -B build/gpu-small "${options[@]}" > build/gpu-small-cmake.log || { tail -20 build/gpu-small-cmake.log; exit 1; }
ninja -C build/gpu-small -j "${ZOE_JOBS:-$(nproc)}" zoe-train-time > build/gpu-small-ninja.log ||
  { grep -E 'error|undefined|FAILED' build/gpu-small-ninja.log | cut -c 1-300 | head -30; exit 1; }
echo "built in $((SECONDS - start)) s"
program=build/gpu-small/bin/zoe-train-time
failed=0
python3 tools/gpu/transformer.py "$program" "$@" || failed=1
if [ "${1:-}" != --device ]; then
  for run in "tokens on" "tokens off" "gan on"; do
    read -r model graph <<<"$run"
    echo "$model, CUDA graphs $graph: samples per second of 200 steps"
    timeout 60 "$program" "$model" 200 cuda train.cuda_graph="$graph" train.precision=bf16 train.tokens=65536 data.toy_steps=64 \
      data.toy_width=24 data.toy_samples=2048 data.frame_sizes=2 data.joint_sizes=2 || failed=1
  done
fi
exit $failed

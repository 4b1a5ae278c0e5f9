#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: builds zoe and zoe-train against the libtorch of Python's torch package, then trains.
#
#   tools/gpu/train.sh MODEL -o RUN [ARGUMENTS OF `zoe train`…]  e.g. cxm -o runs/cxm --data toy --set train.precision=bf16
#   tools/gpu/train.sh                                           builds only
#
# Needs a C++20 compiler, cmake, ninja and python3 with torch 2. Other libraries come from build/gpu-deps if it exists
# (tools/gpu/pack_headers.sh creates it on a Debian machine), else from the system.
# Environment: ZOE_JOBS build jobs (default: all cores), ZOE_TORCH_ROOT the torch folder (default: Python's), ZOE_GPU_TESTS=1
# builds and runs the trainer's unit tests as well. tools/gpu/check.py then runs the checks that need a GPU.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/options.sh"
tests=${ZOE_GPU_TESTS:-0}
options+=("-DZOE_TESTS=$tests")
cd "$root"
cmake --preset gpu "${options[@]}"
targets=(zoe zoe-train)
if [ "$tests" = 1 ]; then targets+=(test_train); fi
ninja -C build/gpu -j "${ZOE_JOBS:-$(nproc)}" "${targets[@]}"
if [ "$tests" = 1 ]; then build/gpu/tests/test_train --gtest_brief=1; fi
[ $# = 0 ] || exec build/gpu/bin/zoe train "$@"

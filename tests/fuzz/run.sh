#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds and runs one fuzz target: tests/fuzz/run.sh fuzz_npy [SECONDS] [SEED_FOLDER…]
# New inputs go to build/fuzz/corpus/TARGET; a crash file is left in build/fuzz. ZOE_FUZZ_PRESET=asan takes that build,
# which has the targets too, with less instrumentation: good for a moment's look, weak at magic numbers.
# ZOE_FUZZ_BUILT=1: the target is built. Memory over 512 MiB or one input over 5 s counts as a finding (sanitizers slow a
# reader down by about that much).
set -eu
target=$1
seconds=${2:-60}
shift $(($# < 2 ? $# : 2))
cd "$(dirname "$0")/../.."
preset=${ZOE_FUZZ_PRESET:-fuzz}
if [ -z "${ZOE_FUZZ_BUILT:-}" ]; then
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" --target "$target"
fi
corpus=build/$preset/corpus/$target
mkdir -p "$corpus"
seeds=("$@")
[ -d "tests/fuzz/seeds/$target" ] && seeds+=("tests/fuzz/seeds/$target")
exec "build/$preset/fuzz/$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=1024 -malloc_limit_mb=512 \
  -print_final_stats=1 -artifact_prefix="build/$preset/" "$corpus" "${seeds[@]}"

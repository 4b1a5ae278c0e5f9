#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the run time for web pages: tools/dev/build_web.sh ZOE FOLDER writes zoe.js, zoe.wasm, walker.zoe and the page of
# tools/web to FOLDER/page. Needs the packages emscripten, node-acorn and ninja-build; ZOE is the command of a build.
set -eu
zoe=$(realpath "$1")
mkdir -p "$2/page"
folder=$(realpath "$2")
cd "$(dirname "$0")/../.."
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
off=()
for name in IO TRAIN TESTS TOOLS RENDER PHYSICS CAPI PYTHON; do off+=("-DZOE_$name=OFF"); done
[ -f "$folder/wasm/build.ninja" ] || cmake -S . -B "$folder/wasm" -G Ninja -DCMAKE_BUILD_TYPE=Release -DZOE_UNITY=ON \
  -DCMAKE_CXX_FLAGS_RELEASE=-O2 -DZOE_PRECOMPILED_HEADERS=ON \
  -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/cross/wasm.cmake" "${off[@]}"
cmake --build "$folder/wasm" --target zoe_web
cp tools/web/index.html tools/web/walker.js "$folder/wasm/web/zoe.js" "$folder/wasm/web/zoe.wasm" "$folder/page"
"$zoe" export models/walker "$folder/page/walker.zoe" --quiet

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Gathers what a build needs besides a compiler, CMake, ninja and libtorch, out of installed Debian packages, into
# build/gpu-deps (about 9 MB, ignored by git): for a CUDA machine that can install nothing. Carry that folder along.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=$root/build/gpu-deps
packages="libfmt-dev libfmt9 libspdlog-dev libspdlog1.10 nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libhwy-dev libhwy1
  libsimdjson-dev libsimdjson14 libfast-float-dev libdeflate-dev libdeflate0 zlib1g-dev libgloo-dev libgtest-dev libgmock-dev"
rm -rf "$out"
mkdir -p "$out"
for package in $packages; do
  dpkg -L "$package" | grep -E '^/usr/(include|lib|share/cmake)/' | while read -r file; do
    if [ -f "$file" ]; then
      mkdir -p "$out$(dirname "$file")"
      cp -L "$file" "$out$file"  # Links become files: what they point to may be in another package.
    fi
  done
done
du -sh "$out" | cut -f 1

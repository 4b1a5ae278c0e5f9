#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copies the files that a build needs besides a compiler, CMake, ninja and libtorch from installed Debian packages to
# build/gpu-deps (about 36 MB, ignored by git), for a CUDA machine that can install nothing. Copy that folder to it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=$root/build/gpu-deps
# The libraries that the launcher installs for `build`, without those of the renderer, which is not built there, and
# gloo's headers for training with several processes.
packages="$(sed -n 's/^build \+\([a-z0-9-]*-dev\) .*/\1/p' "$root/tools/dev/packages.txt" |
  grep -vE '^lib(epoxy|egl|png|jpeg)-dev$') libgmock-dev libgloo-dev"

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

missing=
for package in $packages; do is_installed "$package" || missing+=" $package"; done
if [ -n "$missing" ]; then
  echo "pack_headers.sh: these packages are not installed:$missing (run ./zoe test once, it installs them)" >&2
  exit 1
fi
# A -dev package requires the library in the same version: `libfmt9 (= 9.1.0)`.
for package in $packages; do
  packages+=" $(dpkg-query -W -f '${Depends}' "$package" | tr ',' '\n' |
    sed -n 's/^ *\(lib[a-z0-9.+-]*\)\(:[a-z0-9]*\)\? *(= .*/\1/p' | grep -v -- '-dev$' | tr '\n' ' ' || true)"
done
rm -rf "$out"
mkdir -p "$out"
for package in $(tr ' ' '\n' <<<"$packages" | sort -u); do
  dpkg -L "$package" | { grep -E '^/usr/(include|lib|share/cmake)/' || true; } | while read -r file; do
    if [ -f "$file" ]; then
      mkdir -p "$out$(dirname "$file")"
      cp -L "$file" "$out$file"  # Links become files: what they point to may be in another package.
    fi
  done
done
# What these libraries load themselves (libmujoco: libccd, libqhull_r, ...), without the C and C++ runtimes.
find "$out" -name '*.so' -exec ldd {} + | sed -n 's/^\t\(lib[^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | sort -u |
  grep -vE '^lib(c|m|gcc_s|stdc\+\+|pthread|dl|rt)\.so' | while read -r name file; do
  [ -e "$out/usr/lib/x86_64-linux-gnu/$name" ] || cp -L "$file" "$out/usr/lib/x86_64-linux-gnu/$name"
done
du -sh "$out" | cut -f 1

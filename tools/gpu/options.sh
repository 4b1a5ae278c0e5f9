# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by train.sh and transformer.sh: `options`, what CMake is told on a CUDA machine, whose libtorch is that of Python's
# torch package. Other libraries come from build/gpu-deps if it exists (pack_headers.sh creates it), else from the system.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
torch=${ZOE_TORCH_ROOT:-$(python3 -c 'import os, torch; print(os.path.dirname(torch.__file__))')}
deps=$root/build/gpu-deps/usr
options=("-DZOE_TORCH_ROOT=$torch")
linker_flags=
if [ -d "$deps" ]; then
  libraries=$deps/lib/x86_64-linux-gnu
  # After every other folder: libtorch contains its own fmt, which its headers must find first.
  options+=("-DCMAKE_PREFIX_PATH=$deps" "-DCMAKE_CXX_FLAGS=-idirafter $deps/include" "-DCMAKE_C_FLAGS=-idirafter $deps/include")
  # A RUNPATH would not hold for what a library loads itself, as libmujoco does libccd.
  linker_flags="-L$libraries -Wl,--disable-new-dtags,-rpath,$libraries"
fi
# A compiler that has only a static libstdc++ gives the program hidden copies of what libtorch wants from it. Then the
# shared one, which libtorch loads anyway, is linked.
compiler=${CXX:-c++}
if [ "$($compiler -print-file-name=libstdc++.so)" = libstdc++.so ]; then
  shared=$(ldconfig -p | sed -n 's/.*libstdc++\.so\.6 .*x86-64.* => //p' | head -n 1)
  [ -z "$shared" ] || linker_flags+=" -Wl,--no-as-needed $shared"
fi
[ -z "$linker_flags" ] || options+=("-DCMAKE_EXE_LINKER_FLAGS=$linker_flags")

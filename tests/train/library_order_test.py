#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The trainer names the C++ library before libtorch, so that calls of std::filesystem are bound to the C++ library's.

Torch's Python packages export a std::filesystem of their own, whose remove_all() jumps to address 0.

usage: library_order_test.py ZOE_TRAIN
"""
import re
import subprocess
import sys

listed = subprocess.run(["readelf", "-d", sys.argv[1]], capture_output=True, text=True, check=True).stdout
needed = re.findall(r"NEEDED\).*\[(.*)\]", listed)
first_torch = min(i for i, name in enumerate(needed) if re.match(r"lib(torch|c10)", name))
cpp = [i for i, name in enumerate(needed) if name.startswith("libstdc++")]
if not cpp or cpp[0] > first_torch:
    sys.exit(f"libstdc++ must be named before libtorch: {' '.join(needed)}")
print("ok")

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compiles every public header alone, included twice: each must include its dependencies and have a guard.

usage: check_headers.py ROOT COMPILER [FLAG…]      exit 1 with the compiler's message for each header that fails
"""
import concurrent.futures
import os
import subprocess
import sys


def headers(root):
    include = os.path.join(root, "include")
    for folder, folders, names in os.walk(include):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".h"):
                yield os.path.relpath(os.path.join(folder, name), include)


def compile_alone(root, command, header):
    source = f'#include "{header}"\n#include "{header}"\n'
    run = subprocess.run(command + ["-std=c++20", "-fsyntax-only", "-I", os.path.join(root, "include"), "-x", "c++", "-"],
                         input=source, capture_output=True, text=True, check=False)
    return [] if run.returncode == 0 else [f"include/{header}: does not compile alone:\n{run.stderr}"]


def check(root, command):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda header: compile_alone(root, command, header), headers(root))
    return [problem for problems in found for problem in problems]


if __name__ == "__main__":
    found_problems = check(sys.argv[1], sys.argv[2:])
    print("\n".join(found_problems) or "every public header stands alone")
    sys.exit(1 if found_problems else 0)

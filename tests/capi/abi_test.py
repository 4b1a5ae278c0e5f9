#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares what libzoe_c exports, and zoe.h declares, with the committed list.

usage: abi_test.py LIBRARY HEADER LIST     exit 1 with one line per difference
A new function is added to the list. A function that is gone breaks programs: it needs a new ZOE_ABI_VERSION.
"""
import re
import subprocess
import sys


def main(library, header, listed):
    with open(listed, encoding="utf-8") as lines:
        expected = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
    names = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {re.sub("@.*", "", line.split()[-1]) for line in names.splitlines() if " A " not in line}
    with open(header, encoding="utf-8") as file:
        declared = set(re.findall(r"^ZOE_API[^(;]*?\b(zoe_\w+)\(", file.read(), re.M))
    problems = []
    for what, found in (("exports", exported), ("declares", declared)):
        problems += [f"gone: {name} (nothing {what} it)" for name in sorted(expected - found)]
        problems += [f"new: {name} ({what}, but not in {listed})" for name in sorted(found - expected)]
    print("\n".join(problems) or f"{len(expected)} functions, as listed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

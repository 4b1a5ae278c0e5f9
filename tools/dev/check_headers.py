#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compiles every public header alone, included twice: each must include its dependencies and have a guard.

Standard headers that a header includes anyway, directly or through others, come precompiled. That hides nothing: a
header in between that lacks one of them is compiled without it in its own turn.

usage: check_headers.py ROOT COMPILER [FLAG…]      exit 1 with the compiler's message for each header that fails
"""
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^#include (?:<([a-z_]+)>|"(zoe/[^"]+)")', re.MULTILINE)
NUM_PRECOMPILED = 8
# Roughly what the compiler takes for them, beside a small one.
COSTS = {"filesystem": 12, "functional": 10, "algorithm": 8, "memory": 8, "string": 8, "thread": 8, "map": 3, "span": 3}


def headers(root):
    include = os.path.join(root, "include")
    for folder, folders, names in os.walk(include):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".h"):
                yield os.path.relpath(os.path.join(folder, name), include)


def standard_headers(root, header, known):
    """All that the header includes, directly or through ours. Conditional ones do not count as ours to precompile."""
    if header not in known:
        known[header] = set()  # Headers that include each other end here.
        path = os.path.join(root, "include", header)
        text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
        found = set()
        for standard, ours in INCLUDE.findall(re.sub(r"(?ms)^#if(?!ndef \w+_H).*?^#endif", "", text)):
            found |= {standard} if standard else standard_headers(root, ours, known)
        known[header] = found
    return known[header]


def precompiled_sets(closures):
    """What some headers include, chosen so that the others have as much of it as possible."""
    candidates = {frozenset(closure) for closure in closures if closure}
    weights = {names: sum(COSTS.get(name, 1) for name in names) for names in candidates}
    chosen, saved = [], [0] * len(closures)
    for _ in range(min(NUM_PRECOMPILED, len(candidates))):
        def gain(names):
            own = weights[names]
            return sum(max(own - s, 0) for s, closure in zip(saved, closures) if closure >= names)
        best = max(sorted(candidates, key=sorted), key=gain)
        chosen.append(sorted(best))
        saved = [max(s, weights[best] if closure >= best else 0) for s, closure in zip(saved, closures)]
    return sorted(chosen, key=lambda names: weights[frozenset(names)])


def run(command, source):
    return subprocess.run(command, input=source, capture_output=True, text=True, check=False)


def precompile(command, names, folder):
    """The file to include, or None where this compiler cannot."""
    path = os.path.join(folder, f"standard_{abs(hash(tuple(names)))}.h")
    with open(path, "w", encoding="utf-8") as out:
        out.write("#pragma once\n" + "".join(f"#include <{name}>\n" for name in names))
    made = run(command + ["-x", "c++-header", path, "-o", path + ".gch"], "")
    return path if made.returncode == 0 else None


def compile_alone(root, command, header, precompiled):
    source = f'#include "{header}"\n#include "{header}"\n'
    extra = ["-include", precompiled] if precompiled else []
    made = run(command + extra + ["-fsyntax-only", "-I", os.path.join(root, "include"), "-x", "c++", "-"], source)
    return [] if made.returncode == 0 else [f"include/{header}: does not compile alone:\n{made.stderr}"]


def check(root, command):
    command = command + ["-std=c++20"]
    known = {}
    closures = {header: standard_headers(root, header, known) for header in headers(root)}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sets = precompiled_sets(list(closures.values()))
        made = list(zip(sets, pool.map(lambda names: precompile(command, names, folder), sets)))

        def best(header):
            return next((path for names, path in reversed(made) if path and closures[header].issuperset(names)), None)

        found = pool.map(lambda header: compile_alone(root, command, header, best(header)), closures)
        return [problem for problems in found for problem in problems]


if __name__ == "__main__":
    found_problems = check(sys.argv[1], sys.argv[2:])
    print("\n".join(found_problems) or "every public header stands alone")
    sys.exit(1 if found_problems else 0)

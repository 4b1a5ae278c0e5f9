#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares every #include under include/ and src/ with the module graph of cmake/layers.txt.

usage: check_layers.py ROOT      exit 1 with one line a violation: file, line, rule
"""
import os
import re
import sys

# Third-party headers that must stay behind one module's walls: pattern, modules that may include it (in .cpp files).
PRIVATE_HEADERS = [
    (re.compile(r"(torch|c10|ATen)/"), {"train"}),
    (re.compile(r"assimp/"), set()),  # A peer for benches and tests only.
    (re.compile(r"(GL|GLES\d?|EGL|epoxy|GLFW)/|imgui"), {"render"}),
    (re.compile(r"libdeflate|zlib\.h|fast_float/"), {"io"}),
    (re.compile(r"toml(\+\+|\.h)"), {"store"}),
    (re.compile(r"mujoco/"), {"physics"}),
    (re.compile(r"boost/"), {"stream"}),
]
# Modules whose private headers others may use, with the reason: SIMD kernels are templates over lanes, and their
# building blocks must stay out of public headers because those would then need Highway.
SHARED_INTERNALS = {"math": {"character", "motion", "ik"}}
# Single private headers that any module above may use, for the same reason.
SHARED_HEADERS = {"core/simd_foreach_target.h", "core/simd_inl.h", "core/simd_sine_inl.h", "core/simd_targets.h"}
# What a public header may include besides our own headers and the standard library.
PUBLIC_THIRD_PARTY = re.compile(r"fmt/")
STANDARD = re.compile(r"[a-z_0-9]+(\.h)?$|sys/")
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


def read_table(path):
    """{module: (layer, direct dependencies)}; problems found in the table itself."""
    table, problems = {}, []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            layer, module, uses = int(words[0]), words[1], words[2:]
            for used in uses:
                if used not in table:
                    problems.append(f"{path}:{number}: {module} uses {used}, which is not stated above it: a cycle or a typing error")
                elif table[used][0] >= layer:
                    problems.append(f"{path}:{number}: {module} (layer {layer}) uses {used} (layer {table[used][0]}): must be lower")
            table[module] = (layer, uses)
    return table, problems


def closure(table, module):
    """Modules reachable from one, itself included."""
    seen, open_list = set(), [module]
    while open_list:
        name = open_list.pop()
        if name in table and name not in seen:
            seen.add(name)
            open_list += table[name][1]
    return seen


def source_files(root):
    for top in ("include/zoe", "src"):
        for folder, folders, names in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(names):
                if name.endswith((".h", ".cpp", ".inl", ".cc", ".hpp")):
                    path = os.path.join(folder, name)
                    relative = os.path.relpath(path, root).replace(os.sep, "/")
                    yield path, relative, relative[len(top) + 1:].split("/")[0]


def check_include(table, reachable, relative, module, quote, header):
    """The rule this include breaks, or None."""
    target = re.match(r"zoe/([a-z_0-9]+)/", header)
    if not target and quote == '"':
        # Private headers are named from src/: "io/fbx/document.h"; a bare name is in the same folder.
        target = re.match(r"([a-z_0-9]+)/", header)
        if target and target.group(1) not in table:
            target = None
    if target:
        name = target.group(1)
        if name not in table:
            return f"{name} is not in cmake/layers.txt"
        if name not in reachable:
            return f"{module} may not use {name} (cmake/layers.txt)"
        is_shared = header in SHARED_HEADERS or module in SHARED_INTERNALS.get(name, ())
        if not header.startswith("zoe/") and name != module and not is_shared:
            return f"private header of {name} used by {module}"
        return None
    for pattern, allowed in PRIVATE_HEADERS:
        if pattern.match(header):
            if module not in allowed:
                return f"{header} is for {', '.join(sorted(allowed)) or 'tests and benches'} only"
            if relative.startswith("include/"):
                return f"{header} must not appear in a public header"
    if relative.startswith("include/") and quote == "<" and not STANDARD.match(header) and not PUBLIC_THIRD_PARTY.match(header):
        return f"public headers include only zoe/, the standard library and fmt, not {header}"
    return None


def check(root):
    table, problems = read_table(os.path.join(root, "cmake", "layers.txt"))
    for path, relative, module in source_files(root):
        if module.endswith(".h"):
            continue  # An umbrella header such as include/zoe/zoe.h belongs to no module.
        if module not in table:
            problems.append(f"{relative}:1: module {module} is not in cmake/layers.txt")
            continue
        reachable = closure(table, module)
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                found = INCLUDE.match(line)
                if found:
                    rule = check_include(table, reachable, relative, module, found.group(1), found.group(2))
                    if rule:
                        problems.append(f"{relative}:{number}: {rule}")
    return problems


if __name__ == "__main__":
    found_problems = check(sys.argv[1])
    print("\n".join(found_problems) or "layers hold")
    sys.exit(1 if found_problems else 0)

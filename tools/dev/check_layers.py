#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares every #include of the repository with the module graph of cmake/layers.txt.

Modules (include/, src/) use what the graph allows, and every edge of the graph is used. Outside of them:
  examples   public headers only
  tools      public headers of all modules
  bench/M    also private headers of M
  tests/M    also private headers of M

usage: check_layers.py ROOT      exit 1 with one line per violation: file, line, rule
"""
import os
import re
import sys

# Third-party headers that are private to some modules: pattern, modules that may include it (in .cpp files).
PRIVATE_HEADERS = [
    (re.compile(r"(torch|c10|ATen)/"), {"train"}),
    (re.compile(r"assimp/"), set()),  # A peer for benches and tests only.
    (re.compile(r"(GL|GLES\d?|EGL|epoxy|GLFW)/|imgui"), {"render"}),
    (re.compile(r"libdeflate|zlib\.h|fast_float/|draco/|meshoptimizer\.h"), {"io"}),
    (re.compile(r"toml\+\+"), set()),  # A reference for tests only.
    (re.compile(r"nlohmann/"), {"io", "dataset", "eval", "train", "author"}),  # Not in the part that ships with a game.
    (re.compile(r"spdlog/"), set()),
    (re.compile(r"mujoco/"), {"physics"}),
    (re.compile(r"boost/"), {"stream"}),
]
# Folders outside of modules that may include private third-party headers, besides bench/M and tests/M for a module M
# that may.
# Tools write JSON for programs.
OUTSIDE_WALLS = {"tools/viewer": {"render", "dataset"}, "tools/cli": {"dataset"}, "tools/python": {"dataset"}}
# References for comparison in tests and benches.
PEERS = re.compile(r"assimp/|nlohmann/|toml\+\+|zlib\.h")
# Folders outside of modules that may use the private headers of any, each with the reason.
LISTED = {"tests/fuzz": "its targets feed parsers below the public readers"}
# Modules whose private headers others may use, with the reason: SIMD kernels are templates over lanes, and their
# building blocks must stay out of public headers because those would then need Highway.
SHARED_INTERNALS = {"math": {"character", "motion", "ik"}}
# Single private headers that any module above may use, for the same reason.
SHARED_HEADERS = {"core/simd_environment.h", "core/simd_foreach_target.h", "core/simd_inl.h", "core/simd_sine_inl.h",
                  "core/simd_targets.h"}
# Edges that are in the table before their first #include. Remove an edge here once it is used.
COMING = {("ik", "ground"), ("render", "ground"), ("synth", "ground"), ("control", "ground"), ("scene", "control")}
# Headers that a public header may include besides our own and the standard library.
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


EXTENSIONS = (".h", ".cpp", ".inl", ".inc", ".cc", ".hpp")


def files_below(root, top):
    """(path, path relative to root) of the sources below a folder."""
    for folder, folders, names in os.walk(os.path.join(root, top)):
        folders.sort()
        for name in sorted(names):
            if name.endswith(EXTENSIONS):
                path = os.path.join(folder, name)
                yield path, os.path.relpath(path, root).replace(os.sep, "/")


def includes(path):
    """(line number, quote, header) of a file."""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            found = INCLUDE.match(line)
            if found:
                yield number, found.group(1), found.group(2)


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


def check_modules(root, table):
    """Problems of include/ and src/, and the edges of the graph that some include uses."""
    problems, used = [], set()
    for top in ("include/zoe", "src"):
        for path, relative in files_below(root, top):
            module = relative[len(top) + 1:].split("/")[0]
            if module.endswith(".h"):
                continue  # An umbrella header such as include/zoe/zoe.h belongs to no module.
            if module not in table:
                problems.append(f"{relative}:1: module {module} is not in cmake/layers.txt")
                continue
            reachable = closure(table, module)
            for number, quote, header in includes(path):
                rule = check_include(table, reachable, relative, module, quote, header)
                if rule:
                    problems.append(f"{relative}:{number}: {rule}")
                words = header.split("/")
                used.add((module, words[1] if words[0] == "zoe" and len(words) > 2 else words[0]))
    return problems, used


def check_edges(root, table, used):
    """Edges of the graph that no #include needs. Planned modules without a folder are skipped."""
    problems = []
    for module, (_, uses) in table.items():
        if os.path.isdir(os.path.join(root, "src", module)) or os.path.isdir(os.path.join(root, "include/zoe", module)):
            problems += [f"cmake/layers.txt:1: {module} may use {name} and does not: take it out"
                         for name in uses if (module, name) not in used | COMING]
    return problems


def check_outside_include(root, table, relative, quote, header):
    """The rule that an include of tools, bench, examples or tests breaks, or None."""
    words = relative.split("/")
    area, module = "/".join(words[:2]), words[1]
    if header.startswith("zoe/"):
        name = header.split("/")[1]
        return None if name in table or name.endswith(".h") else f"{name} is not in cmake/layers.txt"
    for pattern, allowed in PRIVATE_HEADERS:
        if pattern.match(header):
            owners = OUTSIDE_WALLS.get(area, set()) | ({module} if words[0] in ("bench", "tests") else set())
            if allowed & owners or PEERS.match(header) and words[0] in ("bench", "tests"):
                return None
            return f"{header} is for {', '.join(sorted(allowed)) or 'tests and benches'} only"
    if quote == "<":
        if words[0] == "examples" and not STANDARD.match(header) and not PUBLIC_THIRD_PARTY.match(header):
            return f"examples include only zoe/, the standard library and fmt, not {header}"
        return None
    own = [os.path.dirname(relative), "tools/cli", "tools/viewer", "bench", "tests"]
    seen = next((folder for folder in own if os.path.exists(os.path.join(root, folder, header))), None)
    if seen is not None:
        top, target = words[0], os.path.join(seen, header).split("/")
        if target[0] != top and (top, target[0]) not in (("tools", "bench"), ("tests", "tools"), ("tests", "bench")):
            return f"{top} may not include {'/'.join(target[:2])}"
        if area == "tools/cli" and target[:2] == ["tools", "viewer"]:
            return "tools/cli may not include tools/viewer"
        return None
    owner = header.split("/")[0]
    if os.path.exists(os.path.join(root, "src", header)) or owner in table:
        is_own = owner == module and words[0] in ("bench", "tests")
        if not is_own and area not in LISTED:
            return f"private header of {owner} used by {area}"
    return None


def check(root):
    table, problems = read_table(os.path.join(root, "cmake", "layers.txt"))
    found, used = check_modules(root, table)
    problems += found + ([] if problems else check_edges(root, table, used))
    for top in ("tools", "bench", "examples", "tests"):
        for path, relative in files_below(root, top):
            for number, quote, header in includes(path):
                rule = check_outside_include(root, table, relative, quote, header)
                if rule:
                    problems.append(f"{relative}:{number}: {rule}")
    return problems


if __name__ == "__main__":
    found_problems = check(sys.argv[1])
    print("\n".join(found_problems) or "layers hold")
    sys.exit(1 if found_problems else 0)

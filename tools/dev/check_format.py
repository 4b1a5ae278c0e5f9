#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks that every C++ file has the format of clang-format 14 with .clang-format.

usage: check_format.py ROOT [FILE…]      exit 1 with one line per file that differs; `clang-format -i FILE` fixes it
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

EXTENSIONS = (".h", ".cpp", ".inc", ".inl")
SKIP_FOLDERS = {".git", "build", "node_modules", ".cache", "shared"}
PROGRAMS = ("clang-format-14", "clang-format")
VERSION = "14"  # Other versions break lines differently.
FILES_A_CALL = 40


def program():
    """A clang-format of the right version, or None."""
    for name in PROGRAMS:
        path = shutil.which(name)
        if path:
            words = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            if re.search(rf"version {VERSION}\.", words):
                return path
    return None


def source_files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIP_FOLDERS)
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(EXTENSIONS))


def check_files(root, formatter, files):
    run = subprocess.run([formatter, "--dry-run", "--Werror", "--style=file", *files], capture_output=True, text=True,
                         check=False)
    if run.returncode == 0:
        return []
    first_lines = {}
    for path, line in re.findall(r"^(.+?):(\d+):\d+: error:", run.stderr, re.M):
        first_lines.setdefault(path, line)
    if not first_lines:
        return [f"clang-format failed: {run.stderr.strip()}"]
    return [f"{os.path.relpath(path, root)}:{line}: not as clang-format writes it" for path, line in first_lines.items()]


def check(root, files=None):
    formatter = program()
    if formatter is None:
        return [f"clang-format {VERSION} is absent: install the Debian package clang-format"]
    files = list(files or source_files(root))
    chunks = [files[i:i + FILES_A_CALL] for i in range(0, len(files), FILES_A_CALL)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda chunk: check_files(root, formatter, chunk), chunks)
    return sorted(problem for problems in found for problem in problems)


if __name__ == "__main__":
    found_problems = check(sys.argv[1], sys.argv[2:])
    print("\n".join(found_problems) or "every file is formatted")
    sys.exit(1 if found_problems else 0)

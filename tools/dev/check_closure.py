#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks the dependencies of a program that links zoe::control: the shared libraries of its link line, and its symbols.

usage: check_closure.py PROGRAM                  exit 1 with one line per violation
       check_closure.py PROGRAM --expect WORD…   the guard's own test: exit 0 only when every word is among the violations
"""
import re
import subprocess
import sys

# The C and C++ libraries, fmt, Highway.
ALLOWED_LIBRARIES = re.compile(r"(libc|libm|libgcc_s|libstdc\+\+|libpthread|ld-linux[-a-z0-9_]*|libfmt|libhwy)\.so")
# Namespaces and functions of libraries that parse or unpack, wherever they come from: a static library would not be in the
# list above. Our own names (TomlKeys, parse_toml) are not in a namespace `toml`.
FORBIDDEN_SYMBOLS = re.compile(r"nlohmann|\btoml::|spdlog|\b\w*(?:inflate|deflate)\w*|simdjson|fast_float|\bZSTD_\w+|\bLZ4_\w+")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def check(program):
    problems = []
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-d", "--wide", program)):
        if not ALLOWED_LIBRARIES.match(library):
            problems.append(f"{program} links {library}: a game that links zoe::control would need it")
    found = {}
    for symbol in output_of("nm", "-C", program).splitlines():
        match = FORBIDDEN_SYMBOLS.search(symbol)
        if match:
            found.setdefault(match.group(0), symbol.strip())
    problems += [f"{program} has the symbol {word}: {symbol}" for word, symbol in sorted(found.items())]
    return problems


def main(arguments):
    problems = check(arguments[0])
    print("\n".join(problems) or "only our libraries, fmt, Highway and the C++ library")
    if arguments[1:2] == ["--expect"]:
        missing = [word for word in arguments[2:] if not any(word in problem for problem in problems)]
        for word in missing:
            print(f"not found, but planted: {word}")
        return 1 if missing else 0
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

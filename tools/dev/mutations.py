# SPDX-License-Identifier: MIT
"""The small changes to a module's code that mutate.py tries: which there are, in which order, and which change nothing."""
import dataclasses
import fnmatch
import hashlib
import os
import random
import re

SWAPS = [
    ("arithmetic", [(" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "), (" += ", " -= "), (" -= ", " += "),
                    (" *= ", " /= "), (" /= ", " *= "), (" % ", " / ")]),
    ("comparison", [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == ")]),
    ("flipped", [(" < ", " > "), (" > ", " < ")]),
    ("logic", [(" && ", " || "), (" || ", " && ")]),
]
NUMBER = re.compile(r"(?<![\w.\"])(\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+|\d+(?:[eE][-+]?\d+)?)([fFuUlL]*)(?![\w.])")
CONDITION = re.compile(r"^(\s*(?:\} else )?if \()(?!constexpr)(.+)(\)(?: \{| [^{}]*;)?)$")
RETURN = re.compile(r"^(\s*)((?:if \(.*\) )?return) ([^;{}]+);$")
STATEMENT = re.compile(r"^\s*[\w.:>\[\]()*-]+(?:\(.*\)| [-+*/|&^]?= .+);$")
DECLARATION = re.compile(r"^\s*(?:const|constexpr|static|auto|using|return|delete|throw|case|default|namespace|template)\b")
# Checks stop programs with bugs; messages, attributes and memory reserved ahead change nothing that is computed.
UNTOUCHED = re.compile(r"ZOE_(CHECK|ASSERT|TRY|TRACE|LOG)|static_assert|^\s*#|HWY_|\bfmt::|\bError\b|make_error|fail\(|log::|\.reserve\(|prefetch")


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str  # Relative to the root.
    line: int  # From 1.
    sort: str
    before: str
    after: str

    @property
    def id(self):
        return hashlib.sha256(f"{self.file}:{self.line}:{self.sort}:{self.after}".encode()).hexdigest()[:8]

    def describe(self):
        return f"{self.file}:{self.line}: {self.sort} [{self.id}]\n  - {self.before.strip()}\n  + {self.after.strip()}"


def code_part(line):
    """Where a trailing comment begins, and which columns lie in strings."""
    in_string, quoted, index = None, set(), 0
    while index < len(line):
        char = line[index]
        if in_string:
            quoted.add(index)
            if char == "\\":
                quoted.add(index + 1)
                index += 1
            elif char == in_string:
                in_string = None
        elif char == '"' or char == "'" and not (index and line[index - 1].isalnum()):
            in_string = char
            quoted.add(index)
        elif line.startswith("//", index):
            return index, quoted
        index += 1
    return len(line), quoted


def changed_number(text, suffix):
    if "." in text or "e" in text or "E" in text or suffix.lower() == "f":
        value = float(text)
        if 0 < value <= 1e-8:  # A guard against dividing by nothing: only where it reaches real numbers can it matter.
            return "1e-3" + suffix
        return f"{value * 2 if value else 1.0!r}".replace("inf", "1e30") + suffix
    value = int(text)
    return {0: "1", 1: "0"}.get(value, str(value + 1)) + suffix


def mutants_of_line(file, number, line):
    end, quoted = code_part(line)
    code, comment = line[:end], line[end:]
    if not code.strip() or UNTOUCHED.search(code):
        return []
    found = []

    def add(sort, changed):
        if changed != code:
            found.append(Mutant(file, number, sort, line, changed + comment))

    for sort, swaps in SWAPS:
        for old, new in swaps:
            for match in re.finditer(re.escape(old), code):
                if match.start() + 1 not in quoted:
                    add(sort, code[:match.start()] + new + code[match.end():])
    for match in NUMBER.finditer(code):
        if match.start() not in quoted:
            add("constant", code[:match.start()] + changed_number(*match.groups()) + code[match.end():])
    stripped, tail = code.rstrip(), code[len(code.rstrip()):]
    match = CONDITION.match(stripped)
    if match:
        inner, depth, close = match.group(2) + match.group(3), 1, None
        for index, char in enumerate(inner):
            depth += (char == "(") - (char == ")")
            if depth == 0:
                close = index
                break
        if close is not None and ";" not in inner[:close]:
            add("negated", f"{match.group(1)}!({inner[:close]}){inner[close:]}{tail}")
    match = RETURN.match(stripped)
    if match:
        value = {"true": "false", "false": "true"}.get(match.group(3), "{}")
        add("return", f"{match.group(1)}{match.group(2)} {value};{tail}")
    if STATEMENT.match(stripped) and not DECLARATION.match(stripped) and stripped.count("(") == stripped.count(")"):
        add("dropped", re.match(r"\s*", stripped).group(0) + ";" + tail)
    return found


def mutants_of_text(file, text):
    found, in_raw = [], False
    for number, line in enumerate(text.split("\n"), 1):
        begins, ends = 'R"' in line, ')"' in line
        if not in_raw and not begins:
            found += mutants_of_line(file, number, line)
        in_raw = (in_raw or begins) and not ends
    return found


def module_files(root, module, with_headers=False):
    tops = [("src", (".cpp", ".inc", "_inl.h"))] + ([("include/zoe", ".h")] if with_headers else [])
    for top, endings in tops:
        for folder, folders, names in os.walk(os.path.join(root, top, module)):
            folders.sort()
            for name in sorted(names):
                if name.endswith(endings):
                    yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def all_mutants(root, module, pattern="*", with_headers=False):
    found = []
    for file in module_files(root, module, with_headers):
        if fnmatch.fnmatch(os.path.basename(file), pattern):
            with open(os.path.join(root, file), encoding="utf-8") as text:
                found += mutants_of_text(file, text.read())
    return found


def order_of(mutants, seed):
    """Files take turns, so that a few changes reach many of them; within a file by chance."""
    chance = random.Random(seed)
    by_file = {}
    for mutant in mutants:
        by_file.setdefault(mutant.file, []).append(mutant)
    queues = list(by_file.values())
    for queue in queues:
        chance.shuffle(queue)
    chance.shuffle(queues)
    out = []
    while queues:
        # Long files have more turns: by chance in proportion to what is left.
        queue = chance.choices(queues, [len(q) for q in queues])[0]
        out.append(queue.pop())
        queues = [q for q in queues if q]
    return out


def processor_flags():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        return {flag for line in lines if line.startswith("flags") for flag in line.split()}


class Equivalents:
    """Changes that no test can notice; the file says why for each."""

    def __init__(self, path):
        self.lines, self.files = set(), set()  # (file, code before, code after); whole files.
        file, before = None, None
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                line = line.rstrip("\n")
                if line.startswith("- ") and file:
                    before = line[2:].strip()
                elif line.startswith("+ ") and before is not None:
                    self.lines.add((file, before, line[2:].strip()))
                elif line.startswith("* without ") and file:
                    if line.split()[-1] not in processor_flags():
                        self.files.add(file)
                elif re.match(r"(src|include)/[^:]+: \S", line):
                    file, before = line.split(":", 1)[0], None
                elif line and not line.startswith("#"):
                    raise ValueError(f"{path}:{number}: neither `FILE: why`, `- before`, `+ after` nor `* without FLAG`")

    def __contains__(self, mutant):
        return mutant.file in self.files or (mutant.file, mutant.before.strip(), mutant.after.strip()) in self.lines

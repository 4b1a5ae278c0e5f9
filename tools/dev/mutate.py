#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Changes a module's code a little, one place at a time, and reports which changes no test of the module notices.

usage: mutate.py --module NAME [--count N] [--seed N] [--files GLOB] [--headers] [--list] [--only ID,ID…]
                 [--max-survivors PERCENT]

Works on a copy of the tree below build/mutate; the checkout itself is never changed. Builds only the module's test
programs, with the release preset. A change that does not compile, or that gives the same object code, is replaced by
another. The same seed takes the same changes. `--list` prints all changes there are, without building.
Exit code 1 when more than PERCENT of the changes survive.
"""
import argparse
import dataclasses
import fnmatch
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
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
# Checks stop programs with bugs; messages and attributes change nothing that is computed.
UNTOUCHED = re.compile(r"ZOE_(CHECK|ASSERT|TRY|TRACE|LOG)|static_assert|^\s*#|HWY_|\bfmt::|\bError\b|make_error|fail\(|log::")


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


def note(words):
    print(words, file=sys.stderr, flush=True)


class Copy:
    """The tree below build/mutate, built there."""

    def __init__(self, root, module, jobs):
        self.root, self.module, self.jobs = root, module, jobs
        self.tree = os.path.join(root, "build", "mutate", "tree")
        self.build = os.path.join(self.tree, "build", "release")
        self.environment = dict(os.environ, CCACHE_BASEDIR=self.tree, CCACHE_NOHASHDIR="1", ZOE_SOURCE_DIR=self.tree)
        data = os.path.normpath(os.path.join(root, "..", "shared", "data"))
        if "ZOE_DATA" not in os.environ and os.path.isdir(data):
            self.environment["ZOE_DATA"] = data

    def run(self, words, **options):
        return subprocess.run(words, env=self.environment, cwd=self.tree, capture_output=True, text=True, check=False,
                              errors="replace", **options)

    def update(self):
        """Files that differ are written, so that ninja sees only those; files that are gone are removed."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=self.root,
                                capture_output=True, check=True).stdout.decode().split("\0")
        wanted = {name for name in listed if name and os.path.isfile(os.path.join(self.root, name))}
        for name in sorted(wanted):
            source, target = os.path.join(self.root, name), os.path.join(self.tree, name)
            with open(source, "rb") as file:
                content = file.read()
            if not os.path.exists(target) or open(target, "rb").read() != content:
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "wb") as file:
                    file.write(content)
                shutil.copymode(source, target)
        for folder, folders, names in os.walk(self.tree):
            if folder == self.tree:
                folders[:] = [name for name in folders if name != "build"]
            for name in names:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.tree).replace(os.sep, "/") not in wanted:
                    os.remove(path)

    def configure(self):
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            done = self.run(["cmake", "--preset", "release", "-DZOE_BENCH=OFF"])
            if done.returncode:
                sys.exit(f"mutate.py: cmake failed\n{done.stdout}\n{done.stderr}")
        listed = self.run(["ninja", "-C", self.build, "-t", "targets", "all"]).stdout
        self.targets = sorted(set(re.findall(rf"^(test_{self.module}(?:_\w+)?): phony", listed, re.M)))
        self.objects = dict(re.findall(rf"^(src/{self.module}/.*?\.dir/(.+\.cpp)\.o): ", listed, re.M))
        self.objects = {f"src/{self.module}/{source}": path for path, source in self.objects.items()}
        if not self.targets:
            sys.exit(f"mutate.py: there is no test program test_{self.module}")

    def ninja(self, *targets):
        return self.run(["ninja", "-C", self.build, "-j", str(self.jobs), *targets])

    def object_hash(self, file):
        path = os.path.join(self.build, self.objects[file])
        with open(path, "rb") as content:
            return hashlib.sha256(content.read()).hexdigest()

    def test(self, limits=None):
        """Name of the program that failed, or None; seconds a program. `limits`: seconds at most."""
        seconds = {}
        for target in self.targets:
            start = time.monotonic()
            program = os.path.join(self.build, "tests", target)
            limit = limits[target] if limits else 1800
            try:
                done = subprocess.run([program, "--gtest_brief=1", "--gtest_fail_fast"], env=self.environment, cwd=self.tree,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit, check=False)
            except subprocess.TimeoutExpired:
                return f"{target} (took over {limit:.0f} s)", seconds
            if done.returncode:
                return target, seconds
            seconds[target] = time.monotonic() - start
        return None, seconds


def judge(copy, mutant, limits):
    """`survived`, `killed by …`, `does not compile`, `same code`."""
    path = os.path.join(copy.tree, mutant.file)
    with open(path, encoding="utf-8") as file:
        original = file.read()
    lines = original.split("\n")
    assert lines[mutant.line - 1] == mutant.before
    lines[mutant.line - 1] = mutant.after
    has_object = mutant.file in copy.objects
    before = copy.object_hash(mutant.file) if has_object else None
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        if has_object:
            if copy.ninja(copy.objects[mutant.file]).returncode:
                return "does not compile"
            if copy.object_hash(mutant.file) == before:
                return "same code"
        if copy.ninja(*copy.targets).returncode:
            return "does not compile"
        failed, _ = copy.test(limits)
        return f"killed by {failed}" if failed else "survived"
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", required=True)
    parser.add_argument("--count", type=int, default=40, help="changes that compile and differ")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", default="*", help="only files of this name, as in `fabrik*`")
    parser.add_argument("--headers", action="store_true", help="public headers too: slower, more is built again")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="ids of changes, with commas between: those again")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--max-survivors", type=float, default=100, help="percent")
    options = parser.parse_args()
    mutants = all_mutants(ROOT, options.module, options.files, options.headers)
    if options.list:
        for mutant in mutants:
            print(mutant.describe())
        print(f"{len(mutants)} changes in {len({m.file for m in mutants})} files")
        return 0
    if not mutants:
        sys.exit(f"mutate.py: nothing to change in src/{options.module}")
    copy = Copy(ROOT, options.module, options.jobs)
    note("copying the tree to build/mutate/tree")
    copy.update()
    copy.configure()
    note(f"building {' '.join(copy.targets)}")
    done = copy.ninja(*copy.targets)
    if done.returncode:
        sys.exit(f"mutate.py: the unchanged tree does not build\n{done.stdout[-3000:]}")
    failed, seconds = copy.test()
    if failed:
        sys.exit(f"mutate.py: {failed} fails without any change")
    limits = {name: 10 + 5 * value for name, value in seconds.items()}
    note(f"tests pass in {sum(seconds.values()):.1f} s; {len(mutants)} changes to choose from")
    chosen = order_of(mutants, options.seed)
    if options.only:
        chosen = [mutant for mutant in mutants if mutant.id in options.only.split(",")]
        options.count = len(chosen)
    killed, survivors, passed_over = 0, [], 0
    for mutant in chosen:
        if killed + len(survivors) >= options.count:
            break
        verdict = judge(copy, mutant, limits)
        if verdict in ("does not compile", "same code"):
            passed_over += 1
        elif verdict == "survived":
            survivors.append(mutant)
        else:
            killed += 1
        note(f"[{killed + len(survivors)}/{options.count}] {mutant.file}:{mutant.line} {mutant.sort} [{mutant.id}]: {verdict}")
    copy.ninja(*copy.targets)
    total = killed + len(survivors)
    for mutant in survivors:
        print(mutant.describe())
    share = 100 * len(survivors) / max(total, 1)
    print(f"{options.module}: {len(survivors)} of {total} changes survived ({share:.0f} %); {passed_over} passed over")
    return 1 if share > options.max_survivors else 0


if __name__ == "__main__":
    sys.exit(main())

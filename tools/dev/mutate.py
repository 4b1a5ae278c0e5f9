#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Changes a module's code a little, one place at a time, and reports which changes no test of the module notices.

usage: mutate.py --module NAME,NAME… [--count N] [--seed N] [--files GLOB] [--headers] [--built] [--list] [--only ID,ID…]
                 [--max-survivors PERCENT]

The checkout itself is never changed: a changed file lies in a folder of its own below build/mutate, which comes first
among the include folders. The module's test programs are built once with the release preset. For each change
only the objects that contain the file are compiled (-O1) and linked in front of the module's library. Changes of several
modules are compiled in one build. Tests of a few milliseconds run first; the first failure, or a test that takes too
long, ends a run.
A change that does not compile, that gives the same object code, or that mutate_equivalents.txt names, is replaced by
another. The same seed takes the same changes. `--list` prints all changes there are, without building.
Exit code 1 when more than PERCENT of a module's changes survive.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

from mutations import Equivalents, all_mutants, order_of

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EQUIVALENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutate_equivalents.txt")
SHORT_TEST_S = 0.05


def note(words):
    print(words, file=sys.stderr, flush=True)


def content_hash(path):
    with open(path, "rb") as content:
        return hashlib.sha256(content.read()).hexdigest()


def run(*words):
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, errors="replace")
    if done.returncode:
        sys.exit(f"mutate.py: {' '.join(words)} failed\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def programs_of(root, module):
    """A module's test programs; some have several: test_io, test_io_bvh, …"""
    with open(os.path.join(root, "tests", module, "CMakeLists.txt"), encoding="utf-8") as file:
        return [f"test_{name}" for name in re.findall(r"zoe_tests\(NAME (\w+)", file.read())]


def build_tests(modules):
    build = os.path.join(ROOT, "build", "release")
    if not os.path.exists(os.path.join(build, "build.ninja")):
        run("cmake", "--preset", "release")
    programs = [program for module in modules for program in programs_of(ROOT, module)]
    note(f"building {' '.join(programs)}")
    run("ninja", "-C", build, *programs)


def source_in(root, overlay, source, out):
    """What is compiled for `source`: its changed file, or a batch of sources (a unity build) with the changed one."""
    changed = os.path.join(overlay, os.path.relpath(source, root))
    if os.path.exists(changed):
        return changed

    def include(found):
        changed = os.path.join(overlay, found[1])
        return f'#include "{changed}"' if os.path.exists(changed) else found[0]

    with open(source, encoding="utf-8") as file:
        text = file.read()
    # Batches include their sources by whole paths, so that no include folder can come first.
    batch = re.sub(rf'#include "{re.escape(root)}/([^"]+)"', include, text)
    if batch == text:
        return source
    with open(out + ".batch.cpp", "w", encoding="utf-8") as file:
        file.write(batch)
    return out + ".batch.cpp"


class Commands:
    """How the release build makes a module's objects and test programs."""

    def __init__(self, root, module):
        self.root, self.module, self.programs = root, module, programs_of(root, module)
        self.build = os.path.join(root, "build", "release")
        self.compile, self.link = {}, {}  # By object; by program.
        for program in self.programs:
            for line in run("ninja", "-C", self.build, "-t", "commands", program).splitlines():
                self.take(line, program)
        self.read_dependencies()

    def take(self, line, program):
        if f" -o tests/{program} " in line:
            self.link[program] = shlex.split(line.split(" && ")[1])
        elif re.search(rf" -o (src|tests)/{self.module}/\S+\.o -c ", line):
            words = shlex.split(line)
            self.compile[words[words.index("-o") + 1]] = words

    def read_dependencies(self):
        """By object: the files of the tree that it is made from."""
        self.made_from, current = {}, None
        for line in run("ninja", "-C", self.build, "-t", "deps").splitlines():
            if line and not line.startswith(" "):
                current = self.made_from.setdefault(line.split(":")[0], set())
            elif line.strip():
                path = os.path.normpath(os.path.join(self.build, line.strip()))
                current.add(os.path.relpath(path, self.root).replace(os.sep, "/"))

    def objects_of(self, file):
        return [name for name in self.compile if file in self.made_from.get(name, ())]

    def compile_words(self, name, overlay, out):
        words = [word for word in self.compile[name] if word not in ("-O3", "-O2", "-Werror", "-MD")]
        for flag in ("-MT", "-MF"):
            at = words.index(flag)
            del words[at:at + 2]
        words[-1] = source_in(self.root, overlay, words[-1], out)
        words[words.index("-o") + 1] = out
        first = next(at for at, word in enumerate(words) if word.startswith("-I"))
        words[first:first] = [f"-I{overlay}/src", f"-I{overlay}/include"]
        # Messages with file names are the same in every folder, and so is the code.
        words[-4:-4] = ["-O1", "-w", f"-ffile-prefix-map={overlay}={self.root}"]
        return words

    def link_words(self, program, changed, out):
        """`changed`: objects by the name they replace. Those of the library go in front of it, and its own are left out."""
        words = list(self.link[program])
        words[words.index("-o") + 1] = out
        words = [changed.get(word, word) for word in words]
        library = next(at for at, word in enumerate(words) if word.endswith(".a"))
        words[library:library] = [path for name, path in changed.items() if path not in words]
        # Inline functions may pull the library's own object in as well. The first definition counts: the changed one.
        words.append("-Wl,-z,muldefs")
        return words


class Workshop:
    """Builds changes below build/mutate/MODULE and runs the tests over each."""

    def __init__(self, commands, jobs):
        self.commands, self.jobs = commands, jobs
        self.folder = os.path.join(commands.root, "build", "mutate", commands.module)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.environment = dict(os.environ, ZOE_SOURCE_DIR=commands.root, CCACHE_BASEDIR=self.folder, CCACHE_NOHASHDIR="1")
        data = os.path.normpath(os.path.join(commands.root, "..", "shared", "data"))
        if "ZOE_DATA" not in os.environ and os.path.isdir(data):
            self.environment["ZOE_DATA"] = data
        self.short, self.limits_s = {}, {}

    def place(self, *names):
        return os.path.join(self.folder, *names)

    def edges(self, name, files):
        """Lines of build.ninja that make the programs of one folder `name`, whose files replace those of the tree."""
        changed, lines = {}, []
        for at, made in enumerate(sorted({o for file in files for o in self.commands.objects_of(file)})):
            changed[made] = self.place(name, f"{at}.o")
            words = self.commands.compile_words(made, self.place(name), changed[made])
            lines += [f"build {changed[made]}: do", f"  words = {shlex.join(words)}"]
        for program in self.commands.programs:
            words = self.commands.link_words(program, changed, self.place(name, program))
            libraries = [os.path.join(self.commands.build, word) for word in words if word.endswith(".a") and word[0] != "/"]
            lines += [f"build {self.place(name, program)}: do {' '.join([*changed.values(), *libraries])}",
                      f"  words = {shlex.join(words)}"]
        return [line.replace("$", "$$") for line in lines]

    def write_file(self, name, file, text):
        path = self.place(name, file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def run_program(self, name, program, limit_s, *words):
        scratch = self.place(name, "scratch")
        os.makedirs(scratch, exist_ok=True)
        try:
            return subprocess.run([self.place(name, program), "--gtest_brief=1", "--gtest_fail_fast", *words],
                                  env=dict(self.environment, TMPDIR=scratch, TEST_TMPDIR=scratch + "/"), cwd=self.commands.root,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit_s, check=False).returncode
        except subprocess.TimeoutExpired:
            return "late"
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def measure(self, name):
        """The tests over code that is not changed: they pass, and show how long each takes."""
        for program in self.commands.programs:
            start, report = time.monotonic(), self.place(f"{program}.json")
            if self.run_program(name, program, 1800, f"--gtest_output=json:{report}"):
                sys.exit(f"mutate.py: {program} fails without any change")
            self.limits_s[program] = 8 + 6 * (time.monotonic() - start)
            with open(report, encoding="utf-8") as file:
                suites = json.load(file)["testsuites"]
            tests = [(f"{suite['name']}.{test['name']}", float(test["time"][:-1])) for suite in suites for test in suite["testsuite"]]
            self.short[program] = ":".join(test for test, seconds in tests if seconds < SHORT_TEST_S)
            slowest = sorted(tests, key=lambda test: -test[1])[:5]
            note(f"{program}: {len(tests)} tests in {time.monotonic() - start:.1f} s; slowest {slowest}")

    def verdict(self, name):
        for program in self.commands.programs:
            for words in (f"--gtest_filter={self.short[program]}", f"--gtest_filter=-{self.short[program]}"):
                result = self.run_program(name, program, self.limits_s[program], words)
                if result:
                    return f"killed by {program}" + (" (late)" if result == "late" else "")
        return "survived"


def judge(shop, mutant, base_hashes):
    """`survived`, `killed by …`, `does not compile`, `same code`."""
    try:
        if not all(os.path.exists(shop.place(mutant.id, program)) for program in shop.commands.programs):
            return "does not compile"
        objects = [content_hash(shop.place(mutant.id, f"{at}.o")) for at in range(len(base_hashes[mutant.file]))]
        return "same code" if objects == base_hashes[mutant.file] else shop.verdict(mutant.id)
    finally:
        shutil.rmtree(shop.place(mutant.id), ignore_errors=True)


class Sample:
    """The changes of one module that are tried, and what became of them."""

    def __init__(self, module, options):
        self.module, self.count = module, options.count
        mutants = all_mutants(ROOT, module, options.files, options.headers)
        commands = Commands(ROOT, module)
        equivalents = Equivalents(EQUIVALENTS)
        self.waiting = [mutant for mutant in order_of(mutants, options.seed) if mutant not in equivalents]
        if options.only:
            self.waiting = [mutant for mutant in mutants if mutant.id in options.only.split(",")]
            self.count = len(self.waiting)
        self.waiting = [mutant for mutant in self.waiting if commands.objects_of(mutant.file)]
        self.shop, self.base_hashes = Workshop(commands, options.jobs), {}
        self.killed, self.survivors, self.passed_over, self.batch = 0, [], 0, []

    def missing(self):
        return self.count - self.killed - len(self.survivors) if self.waiting else 0

    def write_batch(self):
        """The next changes, and each file also once without a change, to compare with: by folder, the file it changes."""
        size = self.missing() * 5 // 4 + 1 if self.missing() else 0  # Some will be passed over: rather one build for all.
        self.batch, self.waiting, self.sets = self.waiting[:size], self.waiting[size:], {}
        for mutant in self.batch:
            with open(os.path.join(ROOT, mutant.file), encoding="utf-8") as file:
                lines = file.read().split("\n")
            if mutant.file not in self.base_hashes:
                base = "base_" + re.sub(r"\W", "_", mutant.file)
                self.shop.write_file(base, mutant.file, "\n".join(lines))
                self.sets[base] = mutant.file
            assert lines[mutant.line - 1] == mutant.before
            lines[mutant.line - 1] = mutant.after
            self.shop.write_file(mutant.id, mutant.file, "\n".join(lines))
            self.sets[mutant.id] = mutant.file
        return [line for name, file in self.sets.items() for line in self.shop.edges(name, [file])]

    def judge_batch(self, jobs):
        for base, file in self.sets.items():
            if base.startswith("base_"):
                if not os.path.exists(self.shop.place(base, self.shop.commands.programs[0])):
                    sys.exit(f"mutate.py: {file} does not build")
                count = len(self.shop.commands.objects_of(file))
                self.base_hashes[file] = [content_hash(self.shop.place(base, f"{at}.o")) for at in range(count)]
                if not self.shop.limits_s:
                    self.shop.measure(base)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for mutant, verdict in zip(self.batch, pool.map(lambda m: judge(self.shop, m, self.base_hashes), self.batch)):
                if not self.count - self.killed - len(self.survivors):
                    break
                self.killed += verdict.startswith("killed")
                self.survivors += [mutant] if verdict == "survived" else []
                self.passed_over += verdict in ("does not compile", "same code")
                tried = self.killed + len(self.survivors)
                note(f"[{tried}/{self.count}] {mutant.file}:{mutant.line} {mutant.sort} [{mutant.id}]: {verdict}")
        if self.passed_over > 10 and not self.killed + len(self.survivors):
            sys.exit(f"mutate.py: none of {self.passed_over} changes of {self.module} reached a test: see how the objects are compiled")

    def report(self):
        """Percent that survived."""
        for mutant in self.survivors:
            print(mutant.describe())
        total = self.killed + len(self.survivors)
        share = 100 * len(self.survivors) / max(total, 1)
        print(f"{self.module}: {len(self.survivors)} of {total} changes survived ({share:.0f} %); "
              f"{self.passed_over} passed over", flush=True)
        return share


def build_changes(samples, jobs):
    """What does not compile has no program afterwards."""
    shop = samples[0].shop
    lines = ["rule do", f"  command = cd {shop.commands.build} && $words", "  description = $out"]
    for sample in samples:
        lines += sample.write_batch()
    folder = shop.place("build")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "build.ninja"), "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    note(f"building {sum(len(sample.batch) for sample in samples)} changes")
    done = subprocess.run(["ninja", "-C", folder, "-k", "0", "-j", str(jobs)], env=shop.environment,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 1):  # 1: some did not compile.
        sys.exit("mutate.py: the build was interrupted")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", required=True)
    parser.add_argument("--count", type=int, default=40, help="changes that compile and differ")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", default="*", help="only files of this name, as in `fabrik*`")
    parser.add_argument("--headers", action="store_true", help="public headers too: slower, more is compiled")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--built", action="store_true", help="the test programs are built already")
    parser.add_argument("--only", default="", help="ids of changes, with commas between: those again")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--max-survivors", type=float, default=100, help="percent")
    options = parser.parse_args()
    modules = options.module.split(",")
    if options.list:
        mutants = [mutant for module in modules for mutant in all_mutants(ROOT, module, options.files, options.headers)]
        for mutant in mutants:
            print(mutant.describe())
        print(f"{len(mutants)} changes in {len({m.file for m in mutants})} files")
        return 0
    if not options.built:
        build_tests(modules)
    samples = [Sample(module, options) for module in modules]
    while any(sample.missing() for sample in samples):
        build_changes(samples, options.jobs)
        for sample in samples:
            sample.judge_batch(options.jobs)
    return 1 if max([sample.report() for sample in samples]) > options.max_survivors else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Builds tests/portable/portable.cpp for another machine, runs it in an emulator, and compares its hashes.

usage: run.py native PROGRAM WORK            runs the program of this build; its hashes and states are what others get
       run.py TARGET SOURCE WORK             arm64, clang, wasm or windows
       run.py best PROGRAM WORK              runs another build's program, on one instruction set
       run.py table WORK                     prints one table of all that ran

WORK is a folder for the builds and the hashes. Exit status 77: a compiler or an emulator is not installed.
"""
import glob
import os
import re
import resource
import shutil
import subprocess
import sys

# Programs that a target needs, with their packages, and how its program is started.
TARGETS = {
    "arm64": {"aarch64-linux-gnu-g++": "g++-aarch64-linux-gnu", "qemu-aarch64": "qemu-user"},
    "clang": {"clang++-14": "clang-14"},
    "wasm": {"emcc": "emscripten", "acorn": "node-acorn", "node": "nodejs"},
    "windows": {"x86_64-w64-mingw32-g++-posix": "g++-mingw-w64-x86-64-posix", "wine64": "wine64"},
}
PARTS = ["IO", "TRAIN", "TESTS", "TOOLS", "RENDER", "PHYSICS", "CAPI", "PYTHON", "VIEW", "BENCH"]
LINE = re.compile(r"^(\S+) +(deterministic|fast) +(\S+) +([0-9a-f]{16})$", re.M)


def program(name):
    """Debian keeps some programs outside of PATH."""
    return shutil.which(name) or shutil.which(name, path="/usr/lib/wine:/usr/share/emscripten")


def fail(text):
    print(text)
    sys.exit(1)


def skip(text):
    print("skipped: " + text)
    sys.exit(77)


def call(command, **options):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if ran.returncode != 0:
        fail("%s failed with status %d:\n%s" % (" ".join(command[:3]), ran.returncode, ran.stdout[-6000:]))
    return ran.stdout


def cpu_s():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def hashes(text):
    """{(name, arithmetic): {target: hash}}"""
    found = {}
    for name, arithmetic, target, value in LINE.findall(text):
        found.setdefault((name, arithmetic), {})[target] = value
    return found


def check(text):
    if not re.search(r"^all right$", text, re.M):
        fail(text[-6000:])


def build(target, source, work):
    folder = os.path.join(work, target)
    environment = dict(os.environ, NODE_PATH=os.environ.get("NODE_PATH", "/usr/share/nodejs"))
    # GCC's -O1 builds in less time. Clang inlines nothing at -O1, and at -Os kernels take ten times as long.
    optimisation = "-O2" if target in ("clang", "wasm") else "-O1"
    call(["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
          "-DCMAKE_CXX_FLAGS_RELEASE=" + optimisation, "-DZOE_UNITY=ON", "-DZOE_PRECOMPILED_HEADERS=ON",
          "-DCMAKE_TOOLCHAIN_FILE=%s/cmake/cross/%s.cmake" % (source, target)]
         + ["-DZOE_%s=OFF" % part for part in PARTS], env=environment)
    page = ["zoe_web"] if target == "wasm" else []
    call(["cmake", "--build", folder, "--parallel", "2", "--target", "portable"] + page, env=environment)
    return os.path.join(folder, "tests", "test_portable")


def run(target, source, work, built):
    models, saved = os.path.join(source, "models"), os.path.join(work, "saved")
    if target == "arm64":
        return call([program("qemu-aarch64"), built, models, saved])
    if target == "windows":
        # An empty disk C:, no menus, no messages of Wine itself.
        environment = dict(os.environ, WINEPREFIX=os.path.join(work, "wine"), WINEDEBUG="-all",
                           WINEDLLOVERRIDES="mscoree=;mshtml=;winemenubuilder.exe=", DISPLAY="")
        text = call([program("wine64"), built + ".exe", models, saved], env=environment)
        call([program("wineserver64"), "-w"], env=environment)  # It may still write when the program has ended.
        shutil.rmtree(environment["WINEPREFIX"])  # 700 MB.
        return text
    if target == "wasm":
        files = glob.glob(models + "/walker/*") + glob.glob(models + "/dog/*")
        names = [os.path.relpath(file, source) for file in files]
        folder = os.path.join(work, "wasm", "files")  # Those of the models and those of the states, side by side.
        shutil.rmtree(folder, ignore_errors=True)
        for name in names:
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            shutil.copy(os.path.join(source, name), os.path.join(folder, name))
        shutil.copytree(saved, os.path.join(folder, "saved"))
        names += ["saved/" + name for name in os.listdir(saved)]
        with open(os.path.join(folder, "names.txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(names))
        return call(["node", os.path.join(source, "tests/portable/portable_web.js"), built + ".js", folder] + names)
    return call([built, models, saved])


def compare(expected, found):
    """Every hash of the deterministic arithmetic must be there, and be the same."""
    wrong = []
    for (name, arithmetic), values in expected.items():
        if arithmetic != "deterministic":
            continue
        known = set(values.values())
        if len(known) != 1:
            wrong.append("%s differs between instruction sets of this machine: %s" % (name, values))
        there = found.get((name, arithmetic), {})
        if not there:
            wrong.append("%s is missing" % name)
        wrong += ["%s on %s: %s instead of %s" % (name, target, value, min(known))
                  for target, value in there.items() if value not in known]
    if not expected:
        wrong.append("this build printed no hashes")
    return wrong


def read(work, target):
    with open(os.path.join(work, target + ".txt"), encoding="utf-8") as file:
        return hashes(file.read())


def write(work, target, text):
    with open(os.path.join(work, target + ".txt"), "w", encoding="utf-8") as file:
        file.write(text)


def table(work):
    columns = {}
    for target in ["native", "clang", "arm64", "windows", "wasm", "chromium"]:
        if os.path.exists(os.path.join(work, target + ".txt")):
            for key, values in read(work, target).items():
                for unit, value in values.items():
                    columns.setdefault((target, unit), {})[key] = value
    units = [column for column in columns if column[1] != "-"]
    functions = {value["functions", "deterministic"] for key, value in columns.items() if key[1] == "-"}
    print("functions: " + ", ".join(sorted(functions)))
    for arithmetic in ["deterministic", "fast"]:
        names = ["walker", "dog"] + (["walker.crowd", "dog.crowd"] if arithmetic == "deterministic" else [])
        print("\n| %s | %s |\n|%s" % (arithmetic, " | ".join(names), "---|" * (len(names) + 1)))
        for column in units:
            values = [columns[column].get((name, arithmetic), "") for name in names]
            print("| %s %s | %s |" % (*column, " | ".join("`%s`" % value for value in values)))


def main():
    target = sys.argv[1]
    if target == "table":
        return table(sys.argv[2])
    models = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
    if target == "best":
        work = sys.argv[3]
        if not os.path.exists(os.path.join(work, "native.txt")):
            skip("there are no hashes to compare with; run portable.native of the release build first")
        text = call([sys.argv[2], models, os.path.join(work, "saved"), "best"])
        check(text)
        wrong = compare(read(work, "native"), hashes(text))
    elif target == "native":
        work = sys.argv[3]
        # Of an earlier call, perhaps with other models.
        for file in glob.glob(work + "/saved/*"):
            os.remove(file)
        os.makedirs(os.path.join(work, "saved"), exist_ok=True)
        text = call([sys.argv[2], models, os.path.join(work, "saved")])
        check(text)
        write(work, "native", text)
        wrong = compare(hashes(text), hashes(text))
    else:
        for name, package in TARGETS[target].items():
            if program(name) is None:
                skip("%s is not installed (apt install %s)" % (name, package))
        if target == "clang" and "avx2" not in open("/proc/cpuinfo", encoding="utf-8").read():
            skip("this processor has no AVX2")
        source, work = os.path.realpath(sys.argv[2]), os.path.realpath(sys.argv[3])
        built = build(target, source, work)
        build_s = cpu_s()
        text = run(target, source, work, built)
        check(text)
        write(work, target, text)
        wrong = compare(read(work, "native"), hashes(text))
        print("%s: %.0f s of CPU time for the build, %.0f s for the run" % (target, build_s, cpu_s() - build_s))
    print(text)
    if wrong:
        fail("FAILED:\n" + "\n".join(wrong))
    print("the deterministic hashes are those of this build")
    return 0


if __name__ == "__main__":
    sys.exit(main())

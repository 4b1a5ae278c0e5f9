#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills every verb that writes, fills its disk, and flips bits of what it reads.

usage: tools/dev/chaos_verbs.py [--zoe PATH] [--minutes M | --rounds N] [--verbs convert,render] [--seed N]

The files come from `zoe synth`, the models from this repository. For each verb, in turn:
- kill: the verb is killed (SIGKILL) at a random moment. Its output must be absent or complete; in a folder, each file.
  Then it runs again and must give the same bytes as a run that was not killed.
- full disk: the output folder is a file system that is too small. The verb must fail with a message that names a file, without a
  signal, and leave no file under the output's name.
- bit flips: bits of an input are flipped, or it is cut short. Any exit code is right; a signal, a hang or more than 1 GB is not.
A small file system needs root; without it, files over a limited size fail instead. Exits with 1 on a finding.
"""
import argparse
import collections
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CPU_LIMIT_S = 300
TIMEOUT_S = 3000  # Of a process that waits for ever. A busy machine may take minutes for seconds of work.
LIMIT_MB = 1000
# Words of each verb. IN is the folder of inputs, OUT the output, MODELS the models that ship.
VERBS = {
    "synth": ("OUT=made", "synth", "--count", "2", "--seed", "5", "-o", "OUT"),
    "convert to glb": ("OUT=a.glb", "convert", "IN/biped.bvh", "OUT"),
    "convert to bvh": ("OUT=a.bvh", "convert", "IN/biped.glb", "OUT"),
    "convert to fbx": ("OUT=a.fbx", "convert", "IN/biped.glb", "OUT"),
    "convert to usda": ("OUT=a.usda", "convert", "IN/biped.glb", "OUT"),
    "convert to npz": ("OUT=a.npz", "convert", "IN/biped.glb", "OUT"),
    "convert folder": ("OUT=all", "convert", "IN", "OUT", "--format", "npz"),
    "retarget": ("OUT=r.glb", "retarget", "IN/biped.bvh", "--to", "IN/other.glb", "-o", "OUT"),
    "features": ("OUT=f.npz", "features", "IN/biped.bvh", "--schema", "locomotion", "-o", "OUT"),
    "dataset": ("OUT=data", "dataset", "build", "IN/biped.bvh", "-o", "OUT", "--schema", "anytop"),
    "render film": ("OUT=film.gif", "render", "IN/biped.glb", "-o", "OUT", "--size", "96x96", "--seconds", "1"),
    "render picture": ("OUT=p.png", "render", "IN/biped.glb", "-o", "OUT", "--size", "96x96", "--time", "0.5"),
    "sprite": ("OUT=sheet", "sprite", "make", "--character", "IN/biped.glb", "--size", "32", "--directions", "2", "-o", "OUT"),
    "play": ("OUT=walk.bvh", "play", "MODELS/walker", "--path", "circle", "--seconds", "5", "-o", "OUT"),
    "export onnx": ("OUT=w.onnx", "export", "MODELS/walker/model.safetensors", "OUT"),
    "export for engine": ("OUT=engine", "export", "MODELS/walker", "OUT", "--for-engine"),
    "map": ("OUT=map.html", "info", "IN", "--map", "OUT"),
}


class Bench:
    """A work folder with inputs, and what was found."""

    def __init__(self, options):
        self.zoe = options.zoe
        self.work = tempfile.mkdtemp(prefix="zoe_chaos_")
        self.inputs = os.path.join(self.work, "in")
        self.findings = []
        self.counts = collections.Counter()
        self.worst_mb = 0
        made = os.path.join(self.work, "made")
        subprocess.run([self.zoe, "synth", "-o", made, "--count", "2", "--seed", "3", "--family", "biped", "-q"], check=True,
                       stdout=subprocess.DEVNULL)
        bodies = sorted(os.path.join(place, name) for place, _, names in os.walk(made) for name in names if name.endswith(".glb"))
        os.mkdir(self.inputs)
        shutil.copy(bodies[0], os.path.join(self.inputs, "biped.glb"))
        shutil.copy(bodies[-1], os.path.join(self.inputs, "other.glb"))
        subprocess.run([self.zoe, "convert", "-q", bodies[0], os.path.join(self.inputs, "biped.bvh")], check=True)
        shutil.rmtree(made)

    def words(self, verb, out_folder, inputs=None):
        out, *words = VERBS[verb]
        out = os.path.join(out_folder, out.removeprefix("OUT="))
        known = {"OUT": out}

        def filled(word):
            word = known.get(word, word)
            if word == "IN" or word.startswith("IN/"):
                return (inputs or self.inputs) + word[2:]
            return word.replace("MODELS", os.path.join(REPO, "models"))
        return [self.zoe, *map(filled, words), "-q"], out

    def found(self, verb, what, detail=""):
        self.findings.append(f"{verb}: {what} {detail.strip()[-300:]}")
        print("FOUND", self.findings[-1], flush=True)


def limits(file_kb):
    def apply():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT_S, CPU_LIMIT_S))
        if file_kb is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_kb << 10, file_kb << 10))
    return apply


def run(words, file_kb=None):
    """Exit code, what it printed, peak resident MB. Code None: it hung."""
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(words, stdout=printed, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   preexec_fn=limits(file_kb))
        until = time.monotonic() + TIMEOUT_S
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > until:
                process.kill()
                process.wait()
                return None, "", 0
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        return process.returncode, printed.read().decode("utf-8", "replace"), usage.ru_maxrss // 1024


def content(path):
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return {"": file.read()}
    found = {}
    for place, _, names in os.walk(path):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                found[os.path.relpath(os.path.join(place, name), path)] = file.read()
    return found


def differing(one, other):
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def is_temporary(name):
    """Files are written aside as NAME.tmp.PROCESS.NUMBER and renamed. A killed process cannot remove them, nor a lock's file."""
    return ".tmp." in name or os.path.basename(name) == ".lock"


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def kill_once(bench, verb, reference, took_s, chance):
    """Seconds that a whole run takes now."""
    folder = empty(os.path.join(bench.work, "out"))
    words, out = bench.words(verb, folder)
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                               start_new_session=True)
    time.sleep(chance.uniform(0, 1.05 * took_s))
    done = process.poll() is not None
    if not done:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    bench.counts["ended before the kill" if done else "killed"] += 1
    # A converted folder grows file by file, and each file in it must be complete.
    if os.path.exists(out):
        there = content(out)
        wrong = [name for name in there if not is_temporary(name) and there[name] != reference.get(name)]
        if wrong:
            bench.found(verb, "a kill left an incomplete output", ", ".join(wrong))
    began = time.monotonic()
    code, text, _ = run(words)
    took_s = time.monotonic() - began
    wrong = [name for name in differing(content(out), reference) if not is_temporary(name)]
    if code != 0:
        bench.found(verb, f"after a kill the next run fails ({code})", text)
    elif wrong:
        bench.found(verb, "after a kill the next run differs", ", ".join(wrong))
    return took_s


def fill_disk_once(bench, verb, reference, chance):
    folder = empty(os.path.join(bench.work, "out"))
    size = sum(map(len, reference.values()))
    room_kb = max(4, int(size * chance.uniform(0.05, 0.8)) >> 10) // 4 * 4
    largest = max(map(len, reference.values()))
    mounted = os.geteuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room_kb}k", "zoe_chaos", folder],
                                                   stderr=subprocess.DEVNULL, check=False).returncode == 0
    try:
        words, out = bench.words(verb, folder)
        limit_kb = None if mounted else int(largest * chance.uniform(0.05, 0.8)) >> 10
        code, text, _ = run(words, limit_kb)
        bench.counts["full disks" if mounted else "files over a limit"] += 1
        if code is None or code < 0:
            bench.found(verb, f"a full disk: {'hang' if code is None else 'signal ' + str(-code)}", text)
        elif code == 0 and differing(content(out), reference):
            bench.found(verb, "a full disk was not noticed", f"{room_kb} kB")
        elif code != 0 and os.path.isfile(out):
            bench.found(verb, "a full disk left a file under the output's name", text)
        elif code != 0 and not (os.path.basename(out) in text or folder in text):
            bench.found(verb, "a full disk: the message names no file", text)
    finally:
        if mounted:
            subprocess.run(["umount", folder], check=False)


def damage_once(bench, verb, chance):
    if not any(word == "IN" or word.startswith("IN/") for word in VERBS[verb]):
        return
    inputs = os.path.join(bench.work, "damaged")
    shutil.rmtree(inputs, ignore_errors=True)
    shutil.copytree(bench.inputs, inputs)
    for name in os.listdir(inputs):
        path = os.path.join(inputs, name)
        with open(path, "rb") as file:
            data = bytearray(file.read())
        if chance.random() < 0.2:
            del data[chance.randrange(len(data)):]
        for _ in range(chance.choice((1, 1, 4, 30)) if data else 0):
            # Half of them where the structure is: at the beginning.
            at = chance.randrange(len(data) if chance.random() < 0.5 else min(len(data), 4000))
            data[at] ^= 1 << chance.randrange(8)
        with open(path, "wb") as file:
            file.write(data)
    folder = empty(os.path.join(bench.work, "out"))
    words, _ = bench.words(verb, folder, inputs)
    code, text, peak_mb = run(words)
    bench.counts["damaged inputs"] += 1
    bench.counts["damaged inputs refused"] += int(code not in (0, None))
    bench.worst_mb = max(bench.worst_mb, peak_mb)
    wrong = ("hang" if code is None else f"signal {-code}" if code < 0 else f"{peak_mb} MB" if peak_mb > LIMIT_MB else "")
    if wrong:
        kept = tempfile.mkdtemp(prefix="zoe_chaos_kept_")
        shutil.copytree(inputs, os.path.join(kept, "in"))
        bench.found(verb, f"damaged input: {wrong}; kept in {kept}", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoe", default=os.path.join(REPO, "build/release/bin/zoe"))
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--verbs", default="")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.zoe = os.path.abspath(options.zoe)
    chance = random.Random(options.seed)
    asked = [part.strip() for part in options.verbs.split(",") if part.strip()]
    verbs = [verb for verb in VERBS if not asked or any(verb.startswith(word) for word in asked)]
    if not verbs:
        sys.exit(f"no verb begins with {options.verbs}; there are: {', '.join(VERBS)}")
    bench = Bench(options)
    references = {}
    for verb in verbs:
        words, out = bench.words(verb, empty(os.path.join(bench.work, "out")))
        began = time.monotonic()
        code, text, _ = run(words)
        if code != 0:
            sys.exit(f"{verb} fails without chaos ({code}): {' '.join(words)}\n{text}")
        references[verb] = (content(out), time.monotonic() - began)
    until = time.monotonic() + 60 * options.minutes if options.minutes else None
    rounds = 0
    while (time.monotonic() < until) if until else (rounds < options.rounds):
        rounds += 1
        for verb in verbs:
            reference, took_s = references[verb]
            # The machine may be busier or quieter than before: the moment is chosen by the duration of the last run.
            references[verb] = (reference, kill_once(bench, verb, reference, took_s, chance))
            fill_disk_once(bench, verb, reference, chance)
            damage_once(bench, verb, chance)
    shutil.rmtree(bench.work, ignore_errors=True)
    print(f"{rounds} rounds over {len(verbs)} verbs: " + ", ".join(f"{count} {what}" for what, count in bench.counts.items()) +
          f"; at most {bench.worst_mb} MB on damaged input; {len(bench.findings)} findings")
    sys.exit(1 if bench.findings else 0)


if __name__ == "__main__":
    main()

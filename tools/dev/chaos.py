#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills `zoe train controller` at random moments and damages its run folders.

usage: tools/dev/chaos.py [--zoe PATH] [--kills N] [--damages N] [--types mann,mm] [--seed N] [--folder DIR]

Kills: runs are started with --resume and killed (SIGKILL) at a random moment, again and again until they are complete.
Each result is compared file by file with that of a run that was not killed. Wall-clock figures (samples per second,
microseconds per tick) are left out of the comparison; event files and the trainer's report consist of them.
Damages: one file of a copy of the run gets flipped bits, is cut short, or has numbers of its text replaced by extreme
ones, with the checksum removed, so that the reader itself must notice. Then the run is played, measured and listed.
Exits with 1 on a result that differs, a process that outlives its parent, a signal, a hang, or more than 500 MB.
"""
import argparse
import collections
import json
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

LIMIT_MB = 500
TIMEOUT_S = 120
SETTINGS = {"mann": ("model.hidden=8", "model.experts=2"), "pfnn": ("model.hidden=8",), "lmp": ("model.hidden=8", "model.experts=2"),
            "cxm": ("model.hidden=8", "model.channels=4"), "mm": (),
            "lmm": ("model.hidden=8", "decompressor:model.compressor_hidden=8"),
            "deepphase": ("model.hidden=8", "model.experts=2", "pae:train.steps=10", "pae:train.threads=1", "pae:model.hidden=4",
                          "pae:model.phases=2")}
COMMON = ("train.steps=60", "train.batch=16", "train.log_every=5", "train.checkpoint_every=5", "train.validate_every=10",
          "train.threads=1")
STAGES = ("start", "bodies and dataset", "phases", "network, no checkpoint yet", "network, checkpoints", "closed loop", "report",
          "replacing")
EXTREMES = ("0", "-1", "1e-30", "0.5", "3", "65537", "2147483647", "-2147483648", "4294967296", "9007199254740993", "1e18", "1e300",
            "-1e300", "nan", "inf", "-inf", "[]", "''")


def train_words(options, kind, clips):
    words = [options.zoe, "train", "controller", "--type", kind, "--data", clips, "-o", "run", "--quiet", "--no-film", "--no-mirror",
             "--device", "cpu"]
    for setting in (*(COMMON if kind != "mm" else ()), *SETTINGS[kind]):
        words += ["--set", setting]
    return words


def without_times(path, data):
    """The content without wall-clock figures. None: the file consists of them."""
    name = os.path.basename(path)
    if name.startswith("events.out") or (name == "report.html" and os.path.dirname(path) not in ("", "dataset", "pae/dataset")):
        return None
    if name == "metrics.jsonl":
        return re.sub(rb',"samples_per_s":[0-9.e+-]+', b"", data)
    if name in ("metrics.json", "metrics.md", "report.html"):
        data = re.sub(rb'("tick_us(_p99)?": ?)(\{[^}]*\}|[0-9.e+-]+)', rb"\1", data)
        data = re.sub(rb"\| tick_us[^\n]*", b"", data)
        data = re.sub(rb"<tr><td>tick_us.*?</tr>", b"", data)
        data = re.sub(rb"<svg.*?</svg>", lambda plot: b"" if b"tick_us" in plot[0] else plot[0], data, flags=re.DOTALL)
    return data


def content(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(place, name), folder)
            with open(os.path.join(place, name), "rb") as file:
                data = without_times(path, file.read())
            if data is not None:
                found[path] = data
    return found


def stage_of(work):
    aside = os.path.join(work, "run.unfinished")

    def there(*names):
        return any(os.path.exists(os.path.join(aside, name)) for name in names)
    if not os.path.isdir(aside):
        return "complete" if os.path.isdir(os.path.join(work, "run")) else "start"
    try:
        with open(os.path.join(aside, "request.json"), encoding="utf-8") as file:
            record = json.load(file)
    except (OSError, ValueError):
        return "start"
    if record["complete"]:
        return "replacing"
    if "fit_settings" not in record:
        return "phases" if there("pae/config.toml") else "bodies and dataset"
    if there("metrics.json"):
        return "report"
    if there("controller.toml"):
        return "closed loop"
    steps = [name for place, _, names in os.walk(aside) for name in names if name.startswith("step_") and "pae" not in place]
    return "network, checkpoints" if steps else "network, no checkpoint yet"


def children_of(group):
    """Processes of a process group that are alive."""
    alive = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="latin1") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            alive.append(int(pid))
    return alive


def wait_for_moment(process, kind, place, duration, chance):
    """Half of the kills at any time, half shortly after a stage was reached: some stages are short."""
    if chance.random() < 0.5:
        return chance.uniform(0, 1.1 * duration)
    wanted = chance.choice([stage for stage in STAGES if kind == "deepphase" or stage != "phases"
                            if kind != "mm" or not stage.startswith("network")])
    while process.poll() is None and stage_of(place) != wanted:
        time.sleep(0.001)
    return chance.uniform(0, 0.05)


def kill_runs(options, kind, clips, count, work, stages):
    """Returns (kills, runs, faults)."""
    whole = os.path.join(work, kind + "_whole")
    os.makedirs(whole)
    start = time.monotonic()
    subprocess.run(train_words(options, kind, clips), cwd=whole, check=True, timeout=TIMEOUT_S)
    duration = time.monotonic() - start
    expected = content(os.path.join(whole, "run"))
    kills, runs, faults = 0, 0, []
    while kills < count:
        place = os.path.join(work, f"{kind}_{runs}")
        os.makedirs(place)
        while True:
            process = subprocess.Popen([*train_words(options, kind, clips), "--resume"], cwd=place, start_new_session=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            limit = TIMEOUT_S if kills >= count else wait_for_moment(process, kind, place, duration, options.random)
            try:
                output = process.communicate(timeout=limit)[0]
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
                stages[stage_of(place)] += 1
                deadline = time.monotonic() + 5
                while (left := children_of(process.pid)) and time.monotonic() < deadline:
                    time.sleep(0.02)
                if left:
                    faults.append(f"{kind}: processes {left} outlive their parent")
                continue
            if process.returncode != 0:
                faults.append(f"{kind}: exit code {process.returncode} after {kills} kills: {output.decode(errors='replace')[-500:]}")
            break
        runs += 1
        found = content(os.path.join(place, "run"))
        differing = sorted(path for path in expected.keys() | found.keys() if expected.get(path) != found.get(path))
        extra = [name for name in os.listdir(place) if name != "run"]
        if differing or extra:
            faults.append(f"{kind}: differs from the run that was not killed in {', '.join(differing + extra)}")
        if not faults:
            shutil.rmtree(place)
        if len(faults) > 5:
            break
    return kills, runs, faults


def edit_number(text, chance):
    """Replaces one number of a text by an extreme one."""
    places = list(re.finditer(r"(?<![\w.#])-?\d+(\.\d+)?(e[+-]?\d+)?", text))
    if not places:
        return text + chance.choice(EXTREMES)
    place = chance.choice(places)
    return text[:place.start()] + chance.choice(EXTREMES) + text[place.end():]


def edit_safetensors(data, chance):
    """Numbers of the header, of the metadata or of a tensor; without the checksum."""
    size = struct.unpack("<Q", data[:8])[0]
    header, body = json.loads(data[8:8 + size]), bytearray(data[8 + size:])
    metadata = header.get("__metadata__", {})
    for key in [key for key in metadata if key.endswith("zoe.checksum")]:
        del metadata[key]
    what = chance.random()
    texts = [key for key in metadata if any(letter.isdigit() for letter in metadata[key])]
    if what < 0.6 and texts:
        key = "layout" if "layout" in texts and chance.random() < 0.7 else chance.choice(texts)
        metadata[key] = edit_number(metadata[key], chance)
    elif what < 0.8 and len(body) >= 4:
        for _ in range(chance.choice((1, 1, 8, 200))):
            at = 4 * chance.randrange(len(body) // 4)
            body[at:at + 4] = struct.pack("<f", chance.choice((float("nan"), float("inf"), 1e30, -1e30, 0.0, 1.0))) \
                if chance.random() < 0.7 else struct.pack("<i", chance.choice((-1, 0, 2147483647, -2147483648, 70000)))
    else:
        header = json.loads(edit_number(json.dumps(header), chance).replace("nan", "NaN").replace("-inf", "-1e999").replace("'", '"'))
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + bytes(body)


def damage(path, chance):
    """Returns a word for what was done."""
    with open(path, "rb") as file:
        data = file.read()
    kind = chance.random()
    if kind < 0.25 and data:
        data = bytearray(data)
        for _ in range(chance.choice((1, 3, 30))):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        word = "bits"
    elif kind < 0.4:
        data, word = data[:chance.randrange(len(data) + 1)], "cut"
    elif path.endswith(".safetensors"):
        try:
            data, word = edit_safetensors(data, chance), "numbers"
        except (ValueError, struct.error):
            data, word = data[:100], "cut"
    elif path.endswith(".npy"):
        head = 10 + struct.unpack("<H", data[8:10])[0]
        text = edit_number(data[10:head].decode("latin1"), chance).encode("latin1")
        data, word = data[:8] + struct.pack("<H", len(text)) + text + data[head:], "numbers"
    else:
        text = data.decode(errors="replace")
        for _ in range(chance.choice((1, 1, 5))):
            text = edit_number(text, chance)
        data, word = text.encode(), "numbers"
    with open(path, "wb") as file:
        file.write(data)
    return word


def limit_memory():
    # A process that asks for more than this is over the limit; it must not take the machine with it.
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def watched(words, cwd):
    """Runs a command. Returns (exit code, or minus the signal, or None for a hang; largest memory in MB; output)."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(words, cwd=cwd, stdout=output, stderr=subprocess.STDOUT, preexec_fn=limit_memory)
        deadline, hung = time.monotonic() + TIMEOUT_S, False
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid != 0:
                break
            if time.monotonic() > deadline:
                hung = True
                process.kill()
                deadline += 60
            time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    return None if hung else process.returncode, usage.ru_maxrss / 1024, text


def damage_runs(options, kinds, work, count, outcomes):
    """Returns (damages, most MB, faults)."""
    faults, most = [], 0
    for i in range(count):
        if i > 0 and i % 100 == 0:
            print(f"{i} damaged runs, {len(faults)} faults", flush=True)
        kind = kinds[i % len(kinds)]
        seed = options.random.randrange(1 << 30)
        chance = random.Random(seed)
        place = os.path.join(work, "damaged")
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(os.path.join(work, kind + "_whole", "run"), place)
        files = sorted(os.path.relpath(os.path.join(folder, name), place) for folder, _, names in os.walk(place) for name in names
                       if name.endswith((".safetensors", ".toml", ".npy", ".json")) and "checkpoints" not in folder)
        parts = [name for name in files if os.sep not in name and name.endswith((".safetensors", ".toml"))]
        name = chance.choice(parts if chance.random() < 0.7 else files)
        word = damage(os.path.join(place, name), chance)
        if name.startswith("dataset"):
            commands = [["dataset", "info", "damaged/dataset"],
                        ["train", "controller", "--type", kind, "--data", "damaged/dataset", "-o", "again", "--no-film", "--device", "cpu",
                         *(() if kind == "mm" else ("--set", "train.steps=2", "--set", "train.threads=1")),
                         *(word for setting in SETTINGS[kind] if not setting.startswith("pae:") for word in ("--set", setting))]]
        else:
            commands = [["play", "damaged", "--path", "circle", "--seconds", "1", "--headless"]]
        for command in commands:
            code, peak, text = watched([options.zoe, *command, "--quiet"], work)
            for left in ("again", "again.unfinished"):
                shutil.rmtree(os.path.join(work, left), ignore_errors=True)
            outcomes[(word, "read" if code == 0 else "refused")] += 1
            most = max(most, peak)
            if code is None or code < 0 or code > 3 or peak > LIMIT_MB:
                what = "hangs" if code is None else f"exit code {code}" if peak <= LIMIT_MB else f"{peak:.0f} MB"
                faults.append(f"{kind}/{name}, {word}, seed {seed}: `zoe {' '.join(command)}` {what}: {text[-300:]}")
                if options.keep:
                    shutil.copytree(place, os.path.join(options.keep, f"{kind}_{seed}"), dirs_exist_ok=True)
    return count, most, faults


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoe", default=os.path.join(root, "build/release/bin/zoe"))
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--damages", type=int, default=1000)
    parser.add_argument("--types", default="mann,mm")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", default=None, help="where to work; default a temporary folder")
    parser.add_argument("--keep", default=None, help="folder for damaged runs on which a fault was found")
    options = parser.parse_args()
    options.zoe = os.path.abspath(options.zoe)
    options.random = random.Random(options.seed)
    kinds = options.types.split(",")
    faults, stages, outcomes = [], collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(dir=options.folder) as work:
        clips = os.path.join(work, "clips")
        subprocess.run([options.zoe, "synth", "-o", clips, "--count", "3", "--family", "biped", "--gait", "walk", "--names", "plain",
                        "--seconds", "4", "--quiet"], check=True)
        for i, kind in enumerate(kinds):
            share = options.kills * (i + 1) // len(kinds) - options.kills * i // len(kinds)
            kills, runs, found = kill_runs(options, kind, clips, share, work, stages)
            faults += found
            print(f"{kind}: {kills} kills in {runs} runs, {len(found)} faults", flush=True)
        for stage, number in stages.most_common():
            print(f"  {number:4d} kills: {stage}")
        if options.damages > 0:
            damages, most, found = damage_runs(options, kinds, work, options.damages, outcomes)
            faults += found
            print(f"{damages} damaged runs, at most {most:.0f} MB (limit {LIMIT_MB}), {len(found)} faults")
            for (word, outcome), number in sorted(outcomes.items()):
                print(f"  {number:4d} {word}: {outcome}")
    for fault in faults:
        print("FAULT " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Retargets clips of bodies to other bodies like them, so that training sees an action on many bodies: for each body
the clips of the sources with the nearest family, limbs and number of joints, by `zoe retarget --map auto`. Clips that
flip, slide or sink are dropped.

usage: spread_motions.py ZOE OUT [--each N] [--jobs J] [--seconds S] [--people FOLDER] --clips FILE… --bodies FILE…
OUT has one .glb for a body and a source; N: sources of a body; FOLDER: captures of people (.bvh), for bipeds. Ends
after S seconds with what is done by then.
"""
import argparse
import concurrent.futures
import json
import math
import os
import random
import struct
import subprocess
import time

KINDS = ("leg", "arm", "wing", "fin")
FARTHEST = 1.9  # Distance of bodies above which a retargeted clip is no motion of this body.
# Families whose clips fit each other. Others do not: a wolf's walk makes a dragon stand on its wings.
ALIKE = {"bird": "wings", "flyer": "wings", "hexapod": "many legs", "octopod": "many legs", "millipede": "many legs"}


def described(zoe, path):
    """Family, limbs and bones of a body; None where it cannot be read."""
    facts = []
    for more in ([], ["--analysis"]):
        run = subprocess.run([zoe, "info", path, "--json", *more], capture_output=True, text=True, timeout=60)
        if run.returncode != 0:
            return None
        facts.append(json.loads(run.stdout))
    limbs = [limb["kind"] for limb in facts[1]["limbs"]]
    names = sorted(joint["name"] for joint in facts[0]["joints"] if joint["kind"] == "bone")
    return {"path": path, "family": facts[1]["family"], "joints": max(1, len(names)), "names": "/".join(names),
            "limbs": [limbs.count(kind) for kind in KINDS]}


def distance(a, b):
    """About as `zoe eval generate` chooses the nearest body. Winged bodies have the same limbs: a flight without legs
    makes a bird with legs lie on its belly and throw its head back."""
    if (a["limbs"][KINDS.index("wing")] or b["limbs"][KINDS.index("wing")]) and a["limbs"] != b["limbs"]:
        return math.inf
    far = 0 if ALIKE.get(a["family"], a["family"]) == ALIKE.get(b["family"], b["family"]) else 2
    far += sum(0.25 * abs(x - y) for x, y in zip(a["limbs"], b["limbs"]))
    return far + 0.4 * abs(math.log(a["joints"] / b["joints"]))


def is_good(clip):
    """A foot may slide as the source's does on the spot, not by much more."""
    return (clip["flips"] == 0 and clip["slide"] < 0.35 + 1.6 * clip["source_slide"] and clip["sunk"] < 0.35
            and clip["foot_error"] < 0.5 and clip["step_deg"] < max(60, 1.5 * clip["source_step_deg"]))


def drop_animations(path, good):
    """Of a .glb, animations whose number is not good. False: none is left."""
    whole = open(path, "rb").read()
    size = struct.unpack("<I", whole[12:16])[0]
    scene = json.loads(whole[20 : 20 + size])
    animations = scene.get("animations", [])
    if len(animations) != len(good):
        return False
    scene["animations"] = [one for one, is_kept in zip(animations, good) if is_kept]
    if not scene["animations"]:
        return False
    if all(good):
        return True
    text = json.dumps(scene, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    rest = whole[20 + size :]
    with open(path, "wb") as file:
        file.write(b"glTF" + struct.pack("<II", 2, 20 + len(text) + len(rest)))
        file.write(struct.pack("<I", len(text)) + b"JSON" + text + rest)
    return True


def spread(zoe, out, number, body, sources, deadline):
    """Returns (clips kept, clips made)."""
    left = deadline - time.time()
    if left < 2:
        return 0, 0
    folder = os.path.join(out, "sources", str(number))
    os.makedirs(folder)
    for source in sources:
        os.symlink(os.path.abspath(source), os.path.join(folder, os.path.basename(source)))
    made = os.path.join(out, f"body_{number}")
    try:
        run = subprocess.run([zoe, "retarget", folder, "--to", body["path"], "--map", "auto", "--allow-torn",
                              "--format", "glb", "-o", made + "/", "--json", "-q"],
                             capture_output=True, text=True, timeout=min(left, 90),
                             env={**os.environ, "ZOE_JOBS": "1", "OMP_NUM_THREADS": "1"})
        files = json.loads(run.stdout)["files"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        files = []
    known, kept, all_clips = set(), 0, 0
    for file in files:
        good = [is_good(clip) for clip in file.get("clips", [])]
        all_clips += len(good)
        for path in file.get("written", []):
            if drop_animations(path, good):
                known.add(os.path.abspath(path))
                kept += sum(good)
    for name in os.listdir(made) if os.path.isdir(made) else []:
        path = os.path.abspath(os.path.join(made, name))
        if path not in known:
            os.remove(path)
    return kept, all_clips


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("zoe")
    parser.add_argument("out")
    parser.add_argument("--each", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--people")
    parser.add_argument("--captures", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clips", nargs="+", required=True)
    parser.add_argument("--bodies", nargs="+", required=True)
    options = parser.parse_args()
    deadline = time.time() + options.seconds
    draw = random.Random(options.seed)
    captures = []
    for folder, _, names in os.walk(options.people) if options.people else []:
        captures += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".bvh")]
    os.makedirs(options.out, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        paths = list(dict.fromkeys(options.clips + options.bodies))
        facts = dict(zip(paths, pool.map(lambda path: described(options.zoe, path), paths)))
        sources = [facts[path] for path in options.clips if facts[path]]
        jobs = []
        for number, path in enumerate(dict.fromkeys(options.bodies)):
            body = facts[path]
            if body is None:
                continue
            near = []
            for source in sources:
                far = distance(source, body)
                same = source["names"] == body["names"]
                if source["path"] != path and far < FARTHEST and not same:
                    # Sources that are about as near take turns.
                    near.append((far + draw.uniform(0, 0.6), source["path"]))
            chosen = [source for _, source in sorted(near)[: options.each]]
            if body["family"] == "biped" and captures:
                chosen += draw.sample(captures, min(options.captures, len(captures)))
            if chosen:
                jobs.append(pool.submit(spread, options.zoe, options.out, number, body, chosen, deadline))
        counts = [job.result() for job in jobs]
    print(f"{len([1 for kept, _ in counts if kept])} bodies of {len(jobs)}: "
          f"{sum(kept for kept, _ in counts)} of {sum(every for _, every in counts)} clips kept")


main()

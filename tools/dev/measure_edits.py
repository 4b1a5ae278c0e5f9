#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random edits of the shared motions: how much velocities change at their seams, beside what is usual in the clip.

  tools/dev/measure_edits.py [--zoe PATH] [--data FOLDER] [--count 600] [--seed 11] [--part tuned|held] [--model RUN]

Each edit draws a group of files (CMU, Bandai Namco, dogs, creatures, characters), a file, a clip and an edit: gaps of
1 to 40 frames, two gaps 1 to 10 frames apart, gaps at an end, one or two key poses of another moment, `--prefix`,
`--suffix`, `--loop`, or a circle of 2, 4 or 8 m (`--trajectory`). Files are split by a hash of their names. With
--model gaps, prefixes and suffixes are filled by the network."""
import argparse
import collections
import hashlib
import json
import math
import os
import pathlib
import random
import subprocess
import tempfile

LIMIT = 1.2
GROUPS = {"cmu": ["biped/cmu"], "bandai": ["biped/bandai_namco", "biped/bandai_style"],
          "dog": ["quadruped/dog_mann_bvh"], "creature": ["creatures", "assets/creatures"],
          "character": ["characters", "assets/characters"]}
KINDS = ["gap", "gap", "gaps", "open", "keys", "keys2", "suffix", "prefix", "loop", "path"]


def clips_of(zoe, path):
    done = subprocess.run([zoe, "info", path, "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return []
    return [(clip["name"], clip["frames"], clip["fps"]) for clip in json.loads(done.stdout).get("clips", [])]


def draw_edit(zoe, kind, path, clip, draw, folder):
    """Words of the edit, or None where the clip is too short for it."""
    name, frames, fps = clip
    if kind == "gap":
        count = min(draw.choice([1, 2, 5, 11, 19, 40]), frames - 6)
        first = draw.randint(2, frames - count - 3)
        return ["--in-between", f"{first}:{first + count - 1}"]
    if kind == "gaps":
        count = min(draw.choice([3, 8, 15]), (frames - 8) // 2)
        if count < 1:
            return None
        first = draw.randint(2, max(2, frames // 2 - count - 2))
        second = first + count + draw.choice([1, 2, 4, 10])
        if second + count + 1 >= frames:
            return None
        return ["--in-between", f"{first}:{first + count - 1}", "--in-between", f"{second}:{second + count - 1}"]
    if kind == "open":
        count = min(draw.choice([5, 20]), frames // 2)
        return ["--in-between", f"0:{count - 1}" if draw.random() < 0.5 else f"{frames - count}:{frames - 1}"]
    if kind in ("keys", "keys2"):
        start = draw.randint(0, frames - 3)
        words = [zoe, "convert", path, folder / "pose.glb", "--quiet", "--start", f"{start / fps:.4f}", "--end",
                 f"{(start + 2.5) / fps:.4f}", *(["--clip", name] if path.suffix != ".bvh" else [])]
        if subprocess.run(list(map(str, words)), capture_output=True, check=False).returncode != 0:
            return None
        times = [draw.uniform(0.2, 0.8) * frames / fps]
        if kind == "keys2":
            times.append(times[0] + draw.choice([0.1, 0.3, 0.6]))
        if times[-1] * fps > frames - 2:
            return None
        return ["--keys", f"{folder / 'pose.glb'}@" + ",".join(f"{time:.3f}" for time in times)]
    if kind in ("prefix", "suffix"):
        return ["--" + kind, str(draw.choice([0.4, 0.7, 1.5, 4]))]
    if kind == "loop":
        return ["--loop"]
    radius = draw.choice([2, 4, 8])
    (folder / "circle.csv").write_text(
        "".join(f"{radius * math.cos(t / 30) - radius},{radius * math.sin(t / 30)}\n" for t in range(150)))
    return ["--trajectory", str(folder / "circle.csv")]


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoe", default=str(root / "build/release/bin/zoe"))
    parser.add_argument("--data", default=os.environ.get("ZOE_DATA", str(root.parent / "shared/data")))
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--part", default="held", choices=["tuned", "held"])
    parser.add_argument("--model", default="")
    options = parser.parse_args()
    wanted = 1 if options.part == "held" else 0
    files = {}
    for group, folders in GROUPS.items():
        found = [path for folder in folders for path in sorted((pathlib.Path(options.data) / folder).rglob("*"))
                 if path.suffix in (".bvh", ".glb", ".gltf", ".fbx") and path.stat().st_size < 6e6]
        files[group] = [path for path in found if int(hashlib.md5(
            path.name.split(".")[0].lower().encode()).hexdigest(), 16) % 2 == wanted]
    draw = random.Random(options.seed)
    made, above, refused = collections.Counter(), collections.Counter(), collections.Counter()
    done = 0
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        while done < options.count:
            path = draw.choice(files[draw.choice(list(files))])
            clips = [clip for clip in clips_of(options.zoe, str(path)) if clip[1] >= 12]
            kind = draw.choice(KINDS)
            if not clips or (options.model and kind in ("loop", "path")):
                continue
            clip = draw.choice(clips)
            edit = draw_edit(options.zoe, kind, path, clip, draw, folder)
            if edit is None:
                continue
            done += 1
            words = [options.zoe, "edit", str(path), *edit, "--json", "-o", str(folder / "out.glb")]
            words += ["--clip", clip[0]] if path.suffix != ".bvh" else []
            words += ["--model", options.model] if options.model else []
            run = subprocess.run(words, capture_output=True, text=True, check=False)
            if run.returncode != 0:
                refused[kind] += 1
                continue
            ratio = json.loads(run.stdout)["seam_ratio"]
            made[kind] += 1
            if ratio > LIMIT:
                above[kind] += 1
                print(f"{ratio:.2f} {path.name} {clip[0]} {' '.join(edit)}", flush=True)
    for kind in sorted(made):
        print(f"{kind}: {above[kind]} of {made[kind]} above {LIMIT}, {refused[kind]} refused")
    print(f"all: {sum(above.values())} of {sum(made.values())} above {LIMIT}, {sum(refused.values())} refused")


if __name__ == "__main__":
    main()

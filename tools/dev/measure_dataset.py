#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds a dataset of many hours of 60 Hz motion and prints the cost: CPU time, largest memory, bytes on disk.

usage: tools/dev/measure_dataset.py [--zoe PATH] [--hours 20] [--seconds 90] [--folder DIR]
The hours are copies of a few synthetic walks of a biped. Each copy has a different number of blanks, so that they do
not count as duplicates. Exits with 1 above 2 GB of memory. 20 hours need about 10 GB on disk, in --folder.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

LIMIT_MB = 2000


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoe", default=os.path.join(root, "build/release/bin/zoe"))
    parser.add_argument("--hours", type=float, default=20)
    parser.add_argument("--seconds", type=float, default=90, help="length of each clip")
    parser.add_argument("--folder", default=None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as work:
        made, clips = os.path.join(work, "made"), os.path.join(work, "clips")
        subprocess.run([options.zoe, "synth", "-o", made, "--count", "4", "--family", "biped", "--gait", "walk", "--terrain",
                        "flat", "--seconds", str(options.seconds), "--fps", "60", "--format", "bvh", "--quiet"], check=True)
        files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(made) for name in names
                       if name.endswith(".bvh"))
        count = max(1, round(options.hours * 3600 / options.seconds))
        os.makedirs(clips)
        texts = []
        for name in files:
            with open(name, encoding="utf-8") as file:
                texts.append(file.read())
        for i in range(count):
            with open(os.path.join(clips, f"walk_{i:05}.bvh"), "w", encoding="utf-8") as file:
                file.write(texts[i % len(texts)] + " " * (i // len(texts)) + "\n")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = os.path.join(work, "out")
        subprocess.run([options.zoe, "dataset", "build", clips, "-o", out, "--fps", "60", "--quiet"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        size = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(out) for name in names)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peak = after.ru_maxrss / 1024  # Of the larger of the two commands.
    print(f"{options.hours:g} h, {count} clips: {cpu:.0f} s of CPU, {peak:.0f} MB at most (limit {LIMIT_MB}), {size / 1e9:.2f} GB on disk")
    return 1 if peak > LIMIT_MB else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Limbs that `zoe correspond` finds, beside a truth written by hand (correspond_truth.tsv).

usage: measure_correspond.py ZOE DATA [--model RUN] [-v]

All ordered pairs of rigs with a limb in common. A limb of B counts as found where most of its joints get a joint of
A's limb of the same name. Held-out pairs have a rig that is held out. Prints the fractions with names, and without
(--no-names: neither the analysis nor the comparison reads them).
"""
import collections
import json
import pathlib
import subprocess
import sys


def read_truth(path):
    rigs = []
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        file, held, *limbs = line.split("\t")
        rigs.append((file, held == "1", {limb.split("=")[0]: limb.split("=")[1].split(",") for limb in limbs}))
    return rigs


def main():
    zoe, data = sys.argv[1], pathlib.Path(sys.argv[2])
    more = sys.argv[sys.argv.index("--model"):][:2] if "--model" in sys.argv else []
    verbose = "-v" in sys.argv
    rigs = read_truth(pathlib.Path(__file__).with_name("correspond_truth.tsv"))
    for words in ([], ["--no-names"]):
        found, total, misses = collections.Counter(), collections.Counter(), collections.Counter()
        for file_a, held_a, limbs_a in rigs:
            for file_b, held_b, limbs_b in rigs:
                shared = set(limbs_a) & set(limbs_b)
                if file_a == file_b or not shared - {"head"}:
                    continue
                done = subprocess.run([zoe, "correspond", data / file_a, data / file_b, "--json", *words, *more],
                                      capture_output=True, text=True)
                assert done.returncode == 0, (file_a, file_b, done.stderr)
                of = {joint["b"]: joint["a"] for joint in json.loads(done.stdout)["joints"]}
                group = "held out" if held_a or held_b else "seen"
                for limb in sorted(shared):
                    right = sum(of.get(joint) in limbs_a[limb] for joint in limbs_b[limb])
                    total[group] += 1
                    if 2 * right > len(limbs_b[limb]):
                        found[group] += 1
                        continue
                    misses[file_a] += 1
                    misses[file_b] += 1
                    if verbose:
                        print("miss", file_a, file_b, limb, [of.get(joint) for joint in limbs_b[limb]])
        for group in ("seen", "held out"):
            print(f"{'without names' if words else 'with names':14s} {group:9s} {found[group]}/{total[group]} limbs, "
                  f"{100 * found[group] / max(1, total[group]):.1f} %")
        print("  most misses:", ", ".join(f"{file.split('/')[-1]} {count}" for file, count in misses.most_common(6)))


main()

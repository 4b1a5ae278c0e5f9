#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains every controller type on every data set and prints a table: held-out clips, own courses, minutes of sticks.

usage: tools/dev/measure_controllers.py ZOE -o FOLDER --data NAME=PATH[,PATH…] … [--types LIST] [--sticks MINUTES]
                                        [--jobs N] [--set KEY=VALUE …]
e.g.   tools/dev/measure_controllers.py build/release/bin/zoe -o runs/table --data dog=../shared/data/quadruped/dog_mann_bvh
       --types mann,lmp --set train.steps=10000

FOLDER/NAME_TYPE is a run folder. Runs that exist are measured again, not trained again. FOLDER/table.md has the table.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys


def call(words, log):
    with open(log, "w") as out:
        return subprocess.run(words, stdout=out, stderr=subprocess.STDOUT, check=False).returncode


def measure(job, options):
    """One row of the table: cells, or the reason why there are none."""
    name, kind, paths = job
    run = f"{options.out}/{name}_{kind}"
    if not os.path.exists(f"{run}/metrics.json"):
        words = [options.zoe, "train", "controller", "--type", kind, "-o", run, "--no-film", "-q", "--data", *paths]
        words += [word for setting in options.set for word in ("--set", setting)]
        if call(words, run + ".train.log") != 0:
            return name, kind, "training failed, see " + run + ".train.log"
    words = [options.zoe, "eval", "controller", run, "--seeds", "1", "--sticks-minutes", str(options.sticks), "-q", "-o", run + ".json"]
    if call(words, run + ".eval.log") != 0:
        return name, kind, "evaluation failed, see " + run + ".eval.log"
    found = json.load(open(run + ".json"))
    found = found[0] if isinstance(found, list) else found

    def mean(table, key):
        if key not in table:
            return "-"
        return f"{table[key]['mean']:.3g} ± {table[key]['std']:.2g}"

    held, sticks = found.get("held_out", {}), found.get("endurance", {})
    clips = held.get("metrics", {})
    return name, kind, [str(held.get("clips", "-")), mean(clips, "path_error_cm"), mean(clips, "recoveries"), mean(found["metrics"], "path_error_cm"),
                        mean(found["metrics"], "foot_skate_cm_s"), mean(found["metrics"], "response_s"), f"{sticks.get('restarts', 0):g}",
                        f"{sticks.get('lowest_top_share', 1):.2f}", f"{sticks.get('worst_joint_m_s', 0):.3g}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zoe")
    parser.add_argument("-o", "--out", required=True)
    parser.add_argument("--data", nargs="+", required=True)
    parser.add_argument("--types", default="mann,pfnn,lmp,cxm,deepphase,lmm")
    parser.add_argument("--sticks", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--set", nargs="*", default=[], action="extend")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    sets = [(name, paths.split(",")) for name, paths in (text.split("=", 1) for text in options.data)]
    jobs = [(name, kind, paths) for name, paths in sets for kind in options.types.split(",")]
    lines = ["| data | type | held-out clips | path error, cm | recoveries | own courses, cm | foot skate, cm/s | response, s | restarts on sticks | lowest top | fastest joint, m/s |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, kind, cells in pool.map(lambda job: measure(job, options), jobs):
            lines.append(f"| {name} | {kind} | " + (" | ".join(cells) if isinstance(cells, list) else cells) + " |")
    text = "\n".join(lines) + "\n"
    with open(f"{options.out}/table.md", "w") as out:
        out.write(text)
    print(text, end="")


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains every controller type on every data set and prints a table: held-out clips, own courses, stands, minutes of
sticks.

usage: tools/dev/measure_controllers.py ZOE -o FOLDER --data NAME=PATH[,PATH…] … [--held-out NAME=PATH …]
                                        [--types LIST] [--seeds N] [--sticks MINUTES] [--jobs N] [--set [TYPE:]KEY=VALUE …]
e.g.   tools/dev/measure_controllers.py build/release/bin/zoe -o runs/table --data dog=../shared/data/quadruped/dog_mann_bvh
       --types mann,lmp --seeds 2 --set train.steps=10000 lmm:train.steps=5000

FOLDER/NAME_TYPE_SEED is a run folder. Runs that exist are measured again, not trained again. FOLDER/table.md has the table.
Without --held-out the test split of a data set is held out. mm and lmm know all clips of their data, so they need it.
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


def settings_of(kind, settings):
    """Settings for this type: those without a type, and its own. Its own come last and win."""
    common = [setting for setting in settings if ":" not in setting.split("=")[0]]
    own = [setting.split(":", 1)[1] for setting in settings if setting.split("=")[0].startswith(kind + ":")]
    return common + own


def measure(job, options):
    """One row of the table: cells, or the reason why there are none."""
    name, kind, seed, paths, held_out = job
    run = f"{options.out}/{name}_{kind}_{seed}"
    if not os.path.exists(f"{run}/metrics.json"):
        words = [options.zoe, "train", "controller", "--type", kind, "-o", run, "--no-film", "-q", "--data", *paths]
        if kind != "mm":
            words += [word for setting in [*settings_of(kind, options.set), f"train.seed={seed}"] for word in ("--set", setting)]
        code = call(words, run + ".train.log")
        if code != 0:
            return job, f"training failed ({code}), see {run}.train.log"
    words = [options.zoe, "eval", "controller", run, "--seeds", "1", "--sticks-minutes", str(options.sticks), "-q", "-o", run + ".json"]
    code = call(words + (["--held-out", held_out] if held_out else []), run + ".eval.log")
    if code != 0:
        return job, f"evaluation failed ({code}), see {run}.eval.log"
    found = json.load(open(run + ".json"))
    found = found[0] if isinstance(found, list) else found
    return job, cells_of(found)


def cells_of(found):
    held, sticks = found.get("held_out", {}), found.get("endurance", {})
    clips, own = held.get("metrics", {}), found["metrics"]

    def value(table, key, part="mean"):
        return f"{table[key][part]:.2g}" if key in table else "-"

    def both(table, key):
        return f"{value(table, key)} / {value(table, key, 'max')}"

    bad = sum(1 for clip in held.get("by_clip", {}).values() if clip["path_error_cm"] > 6)
    recoveries = sum(clip["recoveries"] for clip in held.get("by_clip", {}).values())
    return [f"{held['clips']}" if held else "-", both(clips, "path_error_cm") if held else "-", f"{bad}" if held else "-",
            f"{recoveries:g}" if held else "-", both(own, "path_error_cm"), value(own, "foot_skate_cm_s"), value(own, "response_s"),
            f"{own['stand_drift_cm']['mean']:.1f} / {own['stand_turn_deg']['mean']:.1f}",
            f"{value(own, 'stop_s')} / {value(own, 'stop_slide_cm')}", f"{value(own, 'start_s')} / {value(own, 'start_slide_cm')}",
            f"{sticks.get('restarts', 0):g}", f"{sticks.get('stuck_s', 0):.1f}", f"{sticks.get('lowest_top_share', 1):.2f}",
            f"{sticks.get('worst_joint_m_s', 0):.2g}"]


HEAD = ["data", "type", "seed", "held-out clips", "path error, cm: mean / max", "clips over 6 cm", "recoveries", "own courses, cm: mean / max",
        "foot skate, cm/s", "response, s", "stand: cm / degrees in 60 s", "stop: s / slide, cm", "start: s / slide, cm",
        "sticks: restarts", "stuck, s", "lowest top", "fastest joint, m/s"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zoe")
    parser.add_argument("-o", "--out", required=True)
    parser.add_argument("--data", nargs="+", required=True)
    parser.add_argument("--held-out", nargs="+", default=[])
    parser.add_argument("--types", default="mm,lmm,mann,pfnn,lmp,deepphase,cxm")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--sticks", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--set", nargs="*", default=[], action="extend")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    sets = [(name, paths.split(",")) for name, paths in (text.split("=", 1) for text in options.data)]
    held_out = dict(text.split("=", 1) for text in options.held_out)
    # mm has nothing random.
    jobs = [(name, kind, seed, paths, held_out.get(name)) for seed in range(1, 1 + options.seeds)
            for kind in options.types.split(",") for name, paths in sets if kind != "mm" or seed == 1]
    order = {name: i for i, (name, _) in enumerate(sets)}
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (name, kind, seed, *_), cells in pool.map(lambda job: measure(job, options), jobs):
            text = " | ".join(cells) if isinstance(cells, list) else cells
            rows.append((order[name], options.types.split(",").index(kind), seed, f"| {name} | {kind} | {seed} | {text} |"))
            print(rows[-1][3], flush=True)
    table = "\n".join(["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"] + [row for *_, row in sorted(rows)]) + "\n"
    with open(f"{options.out}/table.md", "w") as out:
        out.write(table)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Walks every rig with legs of the shared data along a figure of eight (`zoe play RIG --measure`) and prints a table.

usage: tools/dev/measure_alive.py [--zoe PATH] [--data FOLDER] [--only PATTERN] [--all] [--tuned] [--markdown]
Which rigs have legs is the truth of tests/anatomy/rigs.tsv, not the analysis. --all also runs rigs without legs.
Every third rig by name is held out: its figures are printed apart; --tuned leaves them out.
A rig passes where: path error at most 10 % of the body's length at every moment; skate at most 1.5 times that of the
synthetic walk of its family, both measured near the ground; no joint beyond its limits; planned within 15 s.
"""
import argparse
import fnmatch
import json
import os
import subprocess

import measure_rigs

PATH, SKATE, LIMIT_RAD, SECONDS = 0.10, 1.5, 0.0005, 15


def list_rigs(data):
    files = []
    for top in ("assets/characters", "assets/creatures", "characters", "creatures"):
        for folder, _, names in os.walk(os.path.join(data, top)):
            files += [os.path.relpath(os.path.join(folder, n), data) for n in names if n.endswith(measure_rigs.RIGS)]
    return sorted(files)


def num_joints(zoe, path):
    info = subprocess.run([zoe, "info", path, "--json"], capture_output=True, text=True, check=False)
    try:
        return sum(1 for joint in json.loads(info.stdout)["joints"] if joint["kind"] == "bone")
    except (ValueError, KeyError):
        return 0


def measure(zoe, path):
    done = subprocess.run([zoe, "play", path, "--measure"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return {"error": done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}"}
    return json.loads(done.stdout)


def misses(found, has_legs):
    if "error" in found:
        return [found["error"]]
    out = []
    if has_legs and found["locomotion"] != "legs":
        out.append(f"its legs are not found: the analysis says {found['family']}, so it moves by '{found['locomotion']}'")
    if found["worst_path_error"] > PATH:
        out.append("path")
    if found["locomotion"] == "legs" and found["found_skate"] > SKATE * max(found["synthetic_skate"], 1e-6):
        out.append("skate")
    if found["limit_rad"] > LIMIT_RAD:
        out.append("limit of " + found["limit_joint"])
    if found["recoveries"] > 0:
        out.append("recoveries")
    if found["plan_seconds"] > SECONDS:
        out.append("time")
    return out


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoe", default=os.path.join(root, "build/release/bin/zoe"))
    parser.add_argument("--data", default=os.environ.get("ZOE_DATA", os.path.join(root, "../shared/data")))
    parser.add_argument("--only", default="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--tuned", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    table = measure_rigs.read_table(os.path.join(root, "tests/anatomy/rigs.tsv"))
    legged = []
    for file in list_rigs(options.data):
        row = next(r for r in table if fnmatch.fnmatch(file, r[0][0]))
        has_legs = row[2] != ["0"]
        if has_legs or options.all:
            legged.append((file, has_legs))
    totals, failed = {}, []
    bar = "| " if options.markdown else ""
    between = " | " if options.markdown else "  "
    head = ["rig", "family", "legs", "path %", "worst %", "skate %", "synth %", "planted %", "limit", "sunk %",
            "skin / allowed", "plan s", "misses"]
    print(bar + between.join(head) + (" |\n|" + "---|" * len(head) if options.markdown else ""))
    for number, (file, has_legs) in enumerate(legged):
        held = number % 3 == 2
        if not fnmatch.fnmatch(file, options.only) or (held and options.tuned):
            continue
        path = os.path.join(options.data, file)
        if num_joints(options.zoe, path) == 0:
            continue  # A mesh without joints.
        found = measure(options.zoe, path)
        wrong = misses(found, has_legs)
        if "error" in found:
            print(f"{bar}{file}: {found['error']}")
        else:
            f = found
            print(bar + between.join([
                f"{os.path.basename(file):34}", f["family"], str(f["legs"]), f"{100 * f['path_error']:.2f}",
                f"{100 * f['worst_path_error']:.1f}", f"{100 * f['found_skate']:.1f}",
                f"{100 * f['synthetic_skate']:.1f}", f"{100 * f['skate']:.2f}", f"{f['limit_rad']:.4f}",
                f"{100 * f['sunk']:.1f}", f"{f['stretch']:.2f} / {f['allowed_stretch']:.2f}",
                f"{f['plan_seconds']:.2f}", ", ".join(wrong) or "none"]) + (" |" if options.markdown else ""), flush=True)
        for part in ("all", "held out" if held else "tuned on"):
            entry = totals.setdefault(part, [0, 0, 0])
            entry[0] += not wrong
            entry[1] += 1
            entry[2] += "error" not in found and found["stretch"] <= found["allowed_stretch"]
        if wrong:
            failed.append(f"{file}: {', '.join(wrong)}")
    print()
    for part, (right, count, whole) in totals.items():
        print(f"{part}: {right} of {count} rigs pass ({100 * right / max(1, count):.1f} %); skin within what is allowed "
              f"in {whole}")
    for line in failed:
        print("misses: " + line)


if __name__ == "__main__":
    main()

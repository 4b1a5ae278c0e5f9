#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Analyses every rig of the shared data and compares with tests/anatomy/rigs.tsv: families, legs, arms, wings, pairs.

usage: tools/dev/measure_rigs.py [--zoe PATH] [--data FOLDER] [--clips N] [--misses]
--clips N: at most N files of each motion set (default 8; 0: all). A third of the packs is held out: its figures are
printed apart. Pairs are compared with names that differ by their side alone. The last table is the reliability of the
stated confidence of the family, and its expected calibration error.
"""
import argparse
import fnmatch
import json
import os
import re
import subprocess

RIGS = (".glb", ".gltf", ".fbx")
MOTIONS = (".bvh", ".npz")
SETS = ("biped/bandai_namco", "biped/bandai_style", "biped/cmu", "biped/lafan1", "biped/ozz_pab",
        "quadruped/dog_mann_bvh", "quadruped/dog_ai4animationpy")
HELPER = re.compile(r"ik|pole|target|control|twist|slot|weapon|pt\b|_end$|_end_end$", re.I)
SIDE = re.compile(r"(?<![a-zA-Z])(l|r|left|right)(?![a-zA-Z])|(left|right)(?=[A-Z_])|(?<=[a-z])(Left|Right)", re.I)


def held_out_packs(packs):
    """Every third, in the order of their names; decided before anything was tuned."""
    return {pack for i, pack in enumerate(sorted(packs)) if i % 3 == 2}


def pack_of(file):
    """A folder; the large pack of many hands (polygonalmind) is divided by file."""
    folder = next((top for top in SETS if file.startswith(top)), os.path.dirname(file))
    if "polygonalmind" in folder:
        return folder + "/" + os.path.basename(file)
    return folder


def read_table(path):
    rows = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                rows.append([column.split("|") for column in line.rstrip("\n").split("\t")])
    return rows


def list_files(data, clips):
    files = []
    for top in ("assets/characters", "assets/creatures", "characters", "creatures"):
        for folder, _, names in os.walk(os.path.join(data, top)):
            files += [os.path.relpath(os.path.join(folder, n), data) for n in names if n.endswith(RIGS)]
    for top in SETS:
        found = []
        for folder, _, names in os.walk(os.path.join(data, top)):
            found += [os.path.relpath(os.path.join(folder, n), data) for n in names if n.endswith(RIGS + MOTIONS)]
        step = max(1, len(found) // clips) if clips else 1
        files += sorted(found)[::step]
    return sorted(files)


def named_pairs(names):
    """Left and right names that differ by one side word."""
    sides = {}
    for name in names:
        found = SIDE.search(name)
        if not found or HELPER.search(name):
            continue
        side = found.group(0)[0].lower()
        stem = (name[:found.start()] + "*" + name[found.end():]).lower()
        sides.setdefault(stem, {}).setdefault(side, []).append(name)
    return {(s["l"][0], s["r"][0]) for s in sides.values() if len(s.get("l", ())) == 1 and len(s.get("r", ())) == 1}


def analyse(zoe, path):
    done = subprocess.run([zoe, "info", path, "--analysis", "--json"], capture_output=True, text=True, check=False)
    body = json.loads(done.stdout) if done.stdout.strip() else {"error": done.stderr.strip()}
    if "family" not in body:
        return None
    info = subprocess.run([zoe, "info", path, "--json"], capture_output=True, text=True, check=False)
    body["names"] = [j["name"] for j in json.loads(info.stdout)["joints"] if j["kind"] == "bone"]
    return body


def judge(body, row):
    count = {}
    for limb in body["limbs"]:
        count[limb["kind"]] = count.get(limb["kind"], 0) + 1
    right = {"family": body["family"] in row[1]}
    for column, kind in ((2, "leg"), (3, "arm"), (4, "wing")):
        right[kind + "s"] = "?" in row[column] or str(count.get(kind, 0)) in row[column]
    found = {tuple(p) for p in body["pairs"]}
    joints = {name for pair in found for name in pair}
    pairs = [p for p in named_pairs(body["names"]) if p[0] in joints or p[1] in joints]
    missed = [p for p in pairs if p not in found and (p[1], p[0]) not in found]
    return right, len(pairs), missed


def show_reliability(judged):
    """Bins of the confidence, and the mean distance of confidence and accuracy, weighted by the number."""
    bins = {}
    for confidence, right in judged:
        bins.setdefault(min(9, int(confidence * 10)), []).append((confidence, right))
    error = 0.0
    print("confidence   rigs   stated  right")
    for number in sorted(bins):
        items = bins[number]
        stated, right = (sum(i[k] for i in items) / len(items) for k in (0, 1))
        error += abs(stated - right) * len(items) / len(judged)
        print(f"{number / 10:.1f} to {(number + 1) / 10:.1f}  {len(items):5}  {stated:7.3f} {right:6.3f}  "
              f"{'#' * round(40 * right)}")
    print(f"expected calibration error {100 * error:.1f} %")


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoe", default=os.path.join(root, "build/release/bin/zoe"))
    parser.add_argument("--data", default=os.environ.get("ZOE_DATA", os.path.join(root, "../shared/data")))
    parser.add_argument("--clips", type=int, default=8)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    table = read_table(os.path.join(root, "tests/anatomy/rigs.tsv"))
    files = list_files(options.data, options.clips)
    held = held_out_packs({pack_of(f) for f in files})
    totals, judged, unread = {}, [], []
    for file in files:
        body = analyse(options.zoe, os.path.join(options.data, file))
        if body is None:
            unread.append(file)
            continue
        if not body["names"] and not body["limbs"]:
            continue  # A mesh without joints.
        row = next(r for r in table if fnmatch.fnmatch(file, r[0][0]))
        right, pairs, missed = judge(body, row)
        judged.append((body["confidence"]["family"]["value"], right["family"]))
        for part in ("all", "held out" if pack_of(file) in held else "tuned on"):
            score = totals.setdefault(part, {})
            for what, ok in right.items():
                entry = score.setdefault(what, [0, 0])
                entry[0] += ok
                entry[1] += 1
            entry = score.setdefault("pairs", [0, 0])
            entry[0] += pairs - len(missed)
            entry[1] += pairs
        wrong = [what for what, ok in right.items() if not ok]
        if options.misses and (wrong or missed):
            kinds = [limb["kind"] for limb in body["limbs"]]
            print(f"{file}: {' '.join(wrong)}: {body['family']} "
                  f"{ {k: kinds.count(k) for k in set(kinds)} }, pairs missed {missed[:4]}, {body['reference_pose']}")
    for part, score in totals.items():
        print(f"{part:9}" + "".join(f"  {what} {r} of {n} ({100 * r / max(1, n):.1f} %)"
                                    for what, (r, n) in score.items()))
    print(f"not read: {', '.join(unread) or 'none'}")
    show_reliability(judged)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Retargets clips of the shared data onto characters of the shared data, and prints the tables of docs/retarget.md.

usage: tools/dev/measure_retarget.py [--zoe PATH] [--data FOLDER] [--all] [--no-ground] [NAME...]
       tools/dev/measure_retarget.py --bodies [--seconds S] [--json FILE] [PATTERN...]
The first: all clips of five motion sets onto the characters that docs/retarget.md names. NAME picks rows (bandai-geno,
cmu-knight, lafan-robot, dog-fox, dog-wolf); --all lists every clip that misses a bar; --no-ground is zoe retarget's.
The second: 12 clips onto every body of people, animals and assets whose family fits (people's clips onto bipeds, dogs'
onto quadrupeds), S seconds of each (default 8). PATTERN picks bodies by a part of their path.
"""
import argparse
import json
import os
import subprocess

ROWS = {
    "bandai-geno": ("biped/bandai_namco", "characters/geno_genoview/Geno.fbx"),
    "cmu-knight": ("biped/cmu", "characters/kaykit/Knight.glb"),
    "lafan-robot": ("biped/lafan1", "characters/robot_expressive/RobotExpressive.glb"),
    "dog-fox": ("quadruped/dog_mann_bvh", "creatures/mesh2motion/rig-fox.glb"),
    "dog-wolf": ("quadruped/dog_mann_bvh", "quadruped/dog_ai4animationpy/Wolf.glb"),
}
CLIPS = {  # Walks, runs, turns, jumps, sitting, crawling, getting up, and T-poses before a take.
    "biped": ("bandai_namco/dataset1/dataset-1_walk_normal_001", "bandai_namco/dataset1/dataset-1_run_normal_001",
              "bandai_namco/dataset1/dataset-1_kick_normal_001", "cmu/16_15", "cmu/16_35", "cmu/49_04",
              "cmu/locomotion/141_16", "cmu/actions/crawl/64_01", "cmu/actions/sit/75_20", "lafan1/walk4_subject1",
              "lafan1/dance1_subject2", "lafan1/fallAndGetUp1_subject1"),
    "quadruped": tuple("dog_mann_bvh/D1_" + name for name in (
        "001_KAN01_001", "003_KAN01_001", "005_KAN01_001", "007_KAN01_001", "008_KAN01_001", "009_KAN01_001",
        "010_KAN01_001", "025_KAN01_001", "031_KAN01_001", "045_KAN01_001", "049_KAN01_001", "ex01_KAN01_001")),
}
BARS = {  # Column: value of a clip, the bar, how to print it.
    "slide": (lambda c: c["slide"] / max(c["source_slide"], 1e-9), 1.2, "{:.2f}"),
    "feet %": (lambda c: 100 * c["foot_error"], 5, "{:.1f}"),
    "hands %": (lambda c: 100 * c["hand_error"], 5, "{:.2f}"),
    "flips": (lambda c: c["flips"], 0, "{:.2f}"),
    "back deg": (lambda c: c["round_trip_deg"], 2, "{:.2f}"),
    "stretch": (lambda c: c["stretch"] / c["allowed_stretch"], 1, "{:.2f}"),
}


def run(zoe, motion, character, *more):
    """The report of one retargeting; None and the reason where it failed."""
    command = [zoe, "retarget", motion, "--to", character, "--json", "--quiet", *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None, done.stderr.strip().splitlines()[-1:]
    clips = [dict(clip, file=file["file"], allowed_stretch=report.get("allowed_stretch", 2))
             for file in report["files"] for clip in file.get("clips", [])]
    return dict(report, clips=clips), [file["file"] for file in report["files"] if "error" in file]


def show(clips, columns, all_misses):
    for column in columns:
        value, bar, form = BARS[column]
        values = sorted(((value(c), c["label"]) for c in clips), reverse=True)
        misses = [v for v in values if v[0] > bar]
        mean = sum(v[0] for v in values) / len(values)
        print(f"  {column:9} mean {form.format(mean)}, worst {form.format(values[0][0])} ({values[0][1]}), "
              f"{len(misses)} of {len(values)} over {bar}")
        if all_misses:
            for v in misses:
                print(f"      {form.format(v[0])} {v[1]}")


def measure_rows(options):
    for name, (motions, character) in ROWS.items():
        if options.names and name not in options.names:
            continue
        more = ["--round-trip"] + (["--no-ground"] if options.no_ground else [])
        report, failed = run(options.zoe, os.path.join(options.data, motions), os.path.join(options.data, character),
                             *more)
        clips = [dict(c, label=os.path.basename(c["file"])) for c in report["clips"]]
        print(f"{name}: {len(clips)} clips, {sum(c['frames'] for c in clips)} frames, {len(failed)} files failed")
        print(f"  not counted on the way back: {', '.join(clips[0]['round_trip_lacking']) or 'nothing'}")
        show(clips, BARS, options.all)


def list_bodies(options):
    bodies = []
    for top in ("assets/characters", "assets/creatures", "characters", "creatures", "quadruped/dog_ai4animationpy"):
        for folder, _, names in os.walk(os.path.join(options.data, top)):
            bodies += [os.path.join(folder, n) for n in names if n.endswith((".glb", ".gltf", ".fbx"))]
    names = options.names
    return sorted(b for b in bodies if not names or any(n in b for n in names))


def measure_bodies(options):
    results, others, failures = [], {}, []
    for body in list_bodies(options):
        label = os.path.relpath(body, options.data)
        done = subprocess.run([options.zoe, "info", body, "--analysis", "--json"], capture_output=True, text=True,
                              check=False)
        family = json.loads(done.stdout).get("family") if done.stdout.strip() else None
        if family not in CLIPS:
            others[family] = others.get(family, 0) + 1
            continue
        for clip in CLIPS[family]:
            motion = os.path.join(options.data, family, clip + ".bvh")
            report, failed = run(options.zoe, motion, body, "--end", str(options.seconds))
            if report is None or failed or not report["clips"]:
                failures.append((label, clip, failed))
                continue
            results += [dict(c, label=f"{label} < {os.path.basename(clip)}", family=family,
                             reference=report["reference_pose"]) for c in report["clips"]]
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(results, out, indent=1)
    for family in CLIPS:
        clips = [c for c in results if c["family"] == family]
        if not clips:
            continue
        print(f"{family}: {len(clips)} pairs of body and clip, {len({c['label'].split(' < ')[0] for c in clips})} bodies")
        columns = ["stretch", "slide", "feet %", "flips"] + (["hands %"] if family == "biped" else [])
        show(clips, columns, options.all)
        good = [c for c in clips if all(BARS[k][0](c) <= BARS[k][1] for k in ("stretch", "slide", "feet %", "flips"))]
        print(f"  all four bars: {len(good)} of {len(clips)}")
    print(f"bodies of other families, not measured: {others}")
    for failure in failures:
        print("failed:", *failure)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(os.path.dirname(here))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoe", default=os.path.join(root, "build/release/bin/zoe"))
    parser.add_argument("--data", default=os.environ.get("ZOE_DATA", os.path.join(root, "../shared/data")))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--no-ground", action="store_true")
    parser.add_argument("--bodies", action="store_true")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--json")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if options.bodies:
        measure_bodies(options)
    else:
        measure_rows(options)


if __name__ == "__main__":
    main()

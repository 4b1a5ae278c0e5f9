#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Retargets all clips of the shared data onto the characters that docs/anatomy.md names, and prints its table.

usage: tools/dev/measure_retarget.py [--zoe PATH] [--data FOLDER] [--all] [--no-ground] [NAME...]
NAME selects rows (bandai-geno, cmu-knight, lafan-robot, dog-fox, dog-wolf); --all lists every clip that misses a bar;
--no-ground is that of zoe retarget: bodies are not raised out of the ground.
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
BARS = {  # Column: value of a clip, the bar, how to print it.
    "slide": (lambda c: c["slide"] / max(c["source_slide"], 1e-9), 1.2, "{:.2f}"),
    "feet %": (lambda c: 100 * c["foot_error"], 5, "{:.1f}"),
    "hands %": (lambda c: 100 * c["hand_error"], 5, "{:.2f}"),
    "flips": (lambda c: c["flips"], 0, "{:.2f}"),
    "back deg": (lambda c: c["round_trip_deg"], 2, "{:.2f}"),
}


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(os.path.dirname(here))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoe", default=os.path.join(root, "build/release/bin/zoe"))
    parser.add_argument("--data", default=os.environ.get("ZOE_DATA", os.path.join(root, "../shared/data")))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--no-ground", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    for name, (motions, character) in ROWS.items():
        if options.names and name not in options.names:
            continue
        command = [options.zoe, "retarget", os.path.join(options.data, motions), "--to",
                   os.path.join(options.data, character), "--round-trip", "--json", "--quiet"]
        if options.no_ground:
            command.append("--no-ground")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        report = json.loads(done.stdout)
        clips = [dict(clip, file=file["file"]) for file in report["files"] for clip in file.get("clips", [])]
        failed = [file["file"] for file in report["files"] if "error" in file]
        print(f"{name}: {len(clips)} clips, {sum(c['frames'] for c in clips)} frames, {len(failed)} files failed")
        print(f"  not counted on the way back: {', '.join(clips[0]['round_trip_lacking']) or 'nothing'}")
        for column, (value, bar, form) in BARS.items():
            values = sorted(((value(c), os.path.basename(c["file"])) for c in clips), reverse=True)
            misses = [v for v in values if v[0] > bar]
            mean = sum(v[0] for v in values) / len(values)
            print(f"  {column:9} mean {form.format(mean)}, worst {form.format(values[0][0])} ({values[0][1]}), "
                  f"{len(misses)} over {bar}")
            if options.all:
                for v in misses:
                    print(f"      {form.format(v[0])} {v[1]}")


if __name__ == "__main__":
    main()

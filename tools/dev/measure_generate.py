#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates motions for bodies that training never had and measures them beside their real clips.

  tools/dev/measure_generate.py ZOE BODIES OUT [--model RUN] [--actions walk,idle,attack] [--seeds 5] [--seconds 2.1]
      [--more "--steps 8"]

BODIES: a folder of rigs with clips. OUT gets the motions, figures.json of each sample and table.md. Prints one row for
each body: coverage, diversity and quality as `zoe eval generate` has them, and the travel of the walks."""
import argparse
import json
import pathlib
import statistics
import subprocess


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("zoe")
    parser.add_argument("bodies", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--model", default="")
    parser.add_argument("--actions", default="walk,idle,attack")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", default="2.1")
    parser.add_argument("--more", default="")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rigs = sorted(p for p in options.bodies.rglob("*") if p.suffix in (".glb", ".gltf", ".fbx", ".bvh"))
    rows, figures = [], {}
    for rig in rigs:
        made = []
        for action in options.actions.split(","):
            path = options.out / f"{rig.stem}_{action}.glb"
            # The model alone, also where it fails.
            words = [options.zoe, "generate", "--skeleton", rig, "--action", action, "--seconds", options.seconds,
                     "--source", "generated", "--samples", str(options.seeds), "-o", path, "--json", *options.more.split()]
            if options.model:
                words += ["--model", options.model]
            done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
            if done.returncode != 0:
                print(rig.name, action, done.stderr.strip().splitlines()[-1])
                continue
            report = json.loads(done.stdout)
            figures[f"{rig.stem} {action}"] = report
            made += [sample["file"] for sample in report["samples"]]
        if not made:
            continue
        done = subprocess.run([options.zoe, "eval", "generate", *made, "--against", str(rig), "--json"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            print(rig.name, done.stderr.strip().splitlines()[-1])
            continue
        out = json.loads(done.stdout)
        table = next(value for value in out.values() if isinstance(value, list)) if isinstance(out, dict) else out
        walks = figures.get(f"{rig.stem} walk", {"samples": []})["samples"]
        travel = statistics.mean(s["quality"]["travel_m"] for s in walks) if walks else 0
        for row in table:
            row["body"] = rig.stem
            row["walk_travel_m"] = travel if row["row"] == "generated" else ""
            rows.append(row)
        print(json.dumps([{k: row[k] for k in ("body", "row", "coverage_0.1", "intra_diversity", "inter_diversity",
                                               "foot_skate_m_s", "jerk_m_s3", "walk_travel_m")} for row in table]),
              flush=True)
    (options.out / "figures.json").write_text(json.dumps(figures, indent=1))
    keys = ["body", "row", "coverage", "coverage_0.1", "local_diversity", "global_diversity", "inter_diversity",
            "intra_diversity", "foot_skate_m_s", "penetration_m", "jerk_m_s3", "walk_travel_m"]
    lines = ["| " + " | ".join(keys) + " |", "|" + "---|" * len(keys)]
    for row in rows:
        cells = [f"{row[k]:.3g}" if isinstance(row[k], float) else str(row[k]) for k in keys]
        lines.append("| " + " | ".join(cells) + " |")
    (options.out / "table.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

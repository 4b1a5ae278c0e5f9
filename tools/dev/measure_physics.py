#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Follows clips of the shared data with simulated bodies, and prints the figures of docs/physics.md.

usage: tools/dev/measure_physics.py [--zoe PATH] [--data FOLDER] [--clips N] [--assist SHARE]… [--push NS]
       [--balance S] [--ground WORDS]…
--clips N: at most N clips of each set, evenly chosen (default 12). --assist: of the body's weight (default 0 0.5 1).
--balance S: with plans of balance that look S seconds ahead, minutes per clip; use --assist 0.
--ground WORDS: instead depth, slide and slip of soles beside the clip's own on these grounds, e.g. rough:3 stairs:3;
flat is none. One share of --assist.
--push NS: instead pushes of NS newton seconds with falls and get-ups, from --sides N sides (default 4) at --times S…
(default 0.5 s), --jobs N at the same time.
--skip N: files before the first that is chosen: other clips of the same sets.
--more OPTIONS: others of `zoe physics track`, e.g. "--steps 6".
The bodies have no trained part, so every clip is held out. Clips are cut to 10 s.
"""
import argparse
import concurrent.futures
import glob
import json
import math
import os
import statistics
import subprocess

SETS = {"walk, run, turn, jump (CMU 16)": "biped/cmu/16_*.bvh", "locomotion (CMU)": "biped/cmu/locomotion/*.bvh",
        "dog": "quadruped/dog_mann_bvh/*.bvh"}


MORE = []  # Options of `zoe physics track`.
SKIPPED = 0  # Of each set's files before the first that is chosen.


def chosen(files, clips):
    return files[SKIPPED::max(1, len(files) // clips)][:clips]


def track(zoe, file, assist, balance=0, ground=None):
    command = [zoe, "physics", "track", file, "--seconds", "10", "--assist", str(assist), "--balance", str(balance),
               "--json", "--quiet", *MORE]
    if ground and ground != "flat":
        command += ["--ground", ground]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def push(zoe, files, given, name):
    """Pushes for 0.2 s from several sides at several times; how often the body stays up or gets up again."""
    force, commands = given.push / 0.2, []
    for file in files:
        for time_s in given.times:
            for side in range(given.sides):
                angle = 2 * math.pi * side / given.sides
                x, z = force * math.cos(angle), force * math.sin(angle)
                commands.append([zoe, "physics", "track", file, "--seconds", "10", "--get-up",
                                 f"--push={x:.1f},0,{z:.1f}@{time_s}", "--json", "--quiet"])
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        ended = list(pool.map(lambda c: subprocess.run(c, capture_output=True, text=True, check=False), commands))
    runs = [json.loads(done.stdout) for done in ended if done.returncode == 0]
    if not runs:
        return
    falls = sum(r["falls"] > 0 for r in runs)
    thrown = [r["thrown_up_m"] for r in runs]
    print(f"| {name} | {len(runs)} | {falls} | {sum(r['recovered'] for r in runs)} | {max(r['largest_step_m'] for r in runs):.2f} | "
          f"{max(thrown):.2f} | {sum(t > 0.3 for t in thrown)} | {sum(r['resets'] for r in runs)} |", flush=True)


def soles(zoe, data, clips, share, grounds):
    """What the soles of simulated bodies and those of the clips do on uneven ground."""
    print("| set | ground | clips | error cm | do not fall | depth cm | clip's | slide m/s | clip's | slip m/s | clip's |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    mean = statistics.mean
    for name, pattern in SETS.items():
        files = sorted(glob.glob(os.path.join(data, pattern)))
        for ground in grounds:
            rows = []
            for file in chosen(files, clips):
                first = track(zoe, file, 0)
                row = track(zoe, file, share * first["mass_kg"] * 9.81, ground=ground) if first else None
                rows += [row] if row else []
            figures = [mean(r[key] for r in rows) for key in ("penetration_m", "target_penetration_m", "slide_m_s",
                                                              "target_slide_m_s", "slip_m_s", "target_slip_m_s")]
            depths = " | ".join(f"{100 * value:.2f}" for value in figures[:2])
            speeds = " | ".join(f"{value:.2f}" for value in figures[2:])
            print(f"| {name} | {ground} | {len(rows)} | {100 * mean(r['mean_error_m'] for r in rows):.1f} | "
                  f"{sum(r['survived'] for r in rows)} | {depths} | {speeds} |", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--zoe", default="build/release/bin/zoe")
    options.add_argument("--data", default="../shared/data")
    options.add_argument("--clips", type=int, default=12)
    options.add_argument("--assist", type=float, nargs="+", default=[0, 0.5, 1])
    options.add_argument("--push", type=float)
    options.add_argument("--sides", type=int, default=4)
    options.add_argument("--times", type=float, nargs="+", default=[0.5])
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--ground", nargs="+")
    options.add_argument("--balance", type=float, default=0)
    options.add_argument("--more", default="")
    options.add_argument("--skip", type=int, default=0)
    given = options.parse_args()
    MORE.extend(given.more.split())
    global SKIPPED
    SKIPPED = given.skip
    if given.ground:
        soles(given.zoe, given.data, given.clips, given.assist[-1], given.ground)
        return
    if given.push:
        print("| set | pushes | falls | follow at the end | largest step of the root, m | thrown up, m | above 0.3 m | resets |")
        print("|---|---|---|---|---|---|---|---|")
        for name, pattern in SETS.items():
            files = sorted(glob.glob(os.path.join(given.data, pattern)))
            push(given.zoe, chosen(files, given.clips), given, name)
        return
    print("| set | assist limit | clips | error cm | within 3 cm | p95 cm | assist N | of weight | do not fall | s to fall |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, pattern in SETS.items():
        files = sorted(glob.glob(os.path.join(given.data, pattern)))
        files = chosen(files, given.clips)
        weights = {}
        for share in given.assist:
            rows = []
            for file in files:
                if file not in weights:
                    first = track(given.zoe, file, 0)
                    weights[file] = first["mass_kg"] * 9.81 if first else None
                if weights[file]:
                    row = track(given.zoe, file, share * weights[file], given.balance)
                    if row:
                        rows.append((row, weights[file]))
            if not rows:
                continue
            mean = statistics.mean
            survived = sum(r["survived"] for r, _ in rows)
            falls = [r["fall_s"] for r, _ in rows if not r["survived"]]
            within = sum(r["survived"] and r["mean_error_m"] <= 0.03 for r, _ in rows)
            print(f"| {name} | {share:g} of the weight | {len(rows)} | {100 * mean(r['mean_error_m'] for r, _ in rows):.1f} | "
                  f"{within} | {100 * mean(r['p95_error_m'] for r, _ in rows):.1f} | {mean(r['mean_assist_n'] for r, _ in rows):.0f} | "
                  f"{mean(r['mean_assist_n'] / w for r, w in rows):.2f} | {survived} | "
                  f"{f'{mean(falls):.1f}' if falls else '-'} |", flush=True)


if __name__ == "__main__":
    main()

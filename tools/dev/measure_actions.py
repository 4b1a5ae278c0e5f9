#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether an action differs from a walk, on every rig of the shared data: `zoe generate --action attack` beside walks.

  tools/dev/measure_actions.py [--zoe PATH] [--data FOLDER] [--action attack] [--source auto] [--part all|tuned|held]
      [--seconds 2.1] [--only PATTERN]

Frames are compared without their position and heading over the ground: mean distance of joints, in body sizes, at the
best heading. "From walk" is the 90th percentile over the action's frames of the distance to the nearest frame of a
walk; "walk, walk" is the same of a second walk (another seed). An action differs where the first is at least 1.5 times
the second and above 0.02. "Speed" is the fastest joint over a tenth of a second, in body sizes per second, of the
action and of an idle body. Every third rig by name is held out. Needs NumPy."""
import argparse
import fnmatch
import json
import os
import pathlib
import subprocess
import tempfile

import measure_alive
import numpy


def make(options, rig, action, seed, source, folder):
    out = pathlib.Path(folder) / f"{action}_{seed}_{source}.npz"
    words = [options.zoe, "generate", "--skeleton", rig, "--action", action, "--seconds", options.seconds, "--seed", seed,
             "--source", source, "--weights", "int8", "-o", out, "--json"]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "failed"
    with numpy.load(out) as file:
        positions = numpy.array(file["positions"], dtype=float)
    return positions, json.loads(done.stdout)["samples"][0]


def body_size(positions):
    return max(float(numpy.max(numpy.ptp(positions[0], axis=0))), 1e-6)


def poses(positions):
    """Without the way of the whole body: its mean over the ground."""
    out = positions.copy()
    out[:, :, [0, 2]] -= out[:, :, [0, 2]].mean(axis=1, keepdims=True)
    return out


def away(a, b, size):
    """90th percentile over the frames of `a` of the distance to the nearest frame of `b`."""
    x, y = poses(a), poses(b)
    flat, heights = y[:, :, 0] + 1j * y[:, :, 2], y[:, :, 1]
    distances = []
    for frame in x:
        own = frame[:, 0] + 1j * frame[:, 2]
        turn = (numpy.conj(own)[None] * flat).sum(axis=1)
        turn = numpy.where(abs(turn) > 0, turn / numpy.maximum(abs(turn), 1e-12), 1)
        apart = numpy.sqrt(abs(own[None] * turn[:, None] - flat) ** 2 + (frame[None, :, 1] - heights) ** 2)
        distances.append(apart.mean(axis=1).min())
    return float(numpy.percentile(distances, 90)) / size


def speed(positions, size, fps=30):
    x = poses(positions)
    back = max(1, round(0.1 * fps))
    return float(numpy.linalg.norm(x[back:] - x[:-back], axis=2).max()) / size * fps / back


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoe", default=os.path.join(root, "build/release/bin/zoe"))
    parser.add_argument("--data", default=os.environ.get("ZOE_DATA", os.path.join(root, "../shared/data")))
    parser.add_argument("--action", default="attack")
    parser.add_argument("--source", default="auto")
    parser.add_argument("--part", default="all", choices=["all", "tuned", "held"])
    parser.add_argument("--seconds", default="2.1")
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    print("| rig | source | from walk, walk | speed: action, idle | differs |\n|---|---|---|---|---|")
    counts = {}
    for number, file in enumerate(measure_alive.list_rigs(options.data)):
        held = number % 3 == 2
        if not fnmatch.fnmatch(file, options.only) or options.part == ("tuned" if held else "held"):
            continue
        rig = os.path.join(options.data, file)
        with tempfile.TemporaryDirectory() as folder:
            action, facts = make(options, rig, options.action, 1, options.source, folder)
            if action is None:
                print(f"| {os.path.basename(file)} | {facts} |", flush=True)
                continue
            walks = [make(options, rig, "walk", seed, options.source, folder)[0] for seed in (1, 2)]
            idle = make(options, rig, "idle", 1, options.source, folder)[0]
        if any(motion is None or motion.shape[1] != action.shape[1] for motion in (*walks, idle)):
            print(f"| {os.path.basename(file)} | no walk |", flush=True)
            continue
        size = body_size(idle)
        from_walk, usual = away(action, walks[0], size), away(walks[1], walks[0], size)
        differs = from_walk >= 1.5 * usual and from_walk > 0.02
        print(f"| {os.path.basename(file)} | {facts['source']} | {from_walk:.3f}, {usual:.3f} | {speed(action, size):.2f}, "
              f"{speed(idle, size):.2f} | {'yes' if differs else 'no'} {facts.get('why_planned', '')} |", flush=True)
        for part in ("all", "held out" if held else "tuned on"):
            entry = counts.setdefault(part, [0, 0, 0])
            entry[0] += differs
            entry[1] += 1
            entry[2] += facts["source"] != "generated"
    for part, (right, count, planned) in counts.items():
        print(f"{part}: {options.action} differs from walk on {right} of {count} rigs; planned on {planned}")


if __name__ == "__main__":
    main()

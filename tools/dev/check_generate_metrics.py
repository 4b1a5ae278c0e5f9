#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check values of `zoe eval generate` on two clips of a file, computed again in NumPy.

    tools/dev/check_generate_metrics.py build/release/bin/zoe FILE CLIP_A CLIP_B

A plays the generated motion and B the real one. Poses come from `zoe features --schema anytop`, parents of joints from
`zoe info --json`; the measures are written down here once more, with plain loops. Random choices are not compared.
Exits with 1 where a value differs by more than 1e-4.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

WINDOW, TILING, BONE = 15, 30, 0.2092142857


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def poses(zoe, file, folder):
    """[frames, joints - 1, 3], relative to the hips, in bones of 0.2092."""
    npz = folder / (Path(file).stem + ".npz")
    run(zoe, "features", file, "--schema", "anytop", "-o", npz)
    data = np.load(npz, allow_pickle=False)
    output, names = data["output"][:, 0, :], [str(name) for name in data["output_columns"]]
    tokens = output.reshape(len(output), -1, 13)
    joints = [names[13 * t].rsplit(" ", 1)[0].split(" ", 1)[1] for t in range(tokens.shape[1])]
    parents = {j["name"]: j["parent_name"] for j in json.loads(run(zoe, "info", file, "--joints", "--json"))["joints"]}
    position = tokens[:, :, :3].astype(np.float64)
    lengths = []
    for t, joint in enumerate(joints):
        above = parents[joint]
        while above is not None and above not in joints:
            above = parents[above]
        if t > 0 and above is not None:
            lengths.append(np.linalg.norm(position[0, t] - position[0, joints.index(above)]))
    position[:, :, 1] -= position[:, :1, 1]
    return position[:, 1:] * BONE / np.mean(lengths)


def distances(a, b):
    return np.linalg.norm(a[:, None] - b[None], axis=3).mean(axis=2)


def window_costs(a, b):
    """Cost of each window of a, over all windows of b."""
    d = distances(a, b)
    best = []
    for i in range(len(a) - WINDOW):
        best.append(min(np.mean([d[i + m, k + m] for m in range(WINDOW)]) for k in range(len(b) - WINDOW)))
    return np.array(best)


def tiling(a, b):
    d = distances(a, b)
    cost = np.full(len(a) + 1, np.inf)
    cost[0] = 0
    for end in range(TILING, len(a) + 1):
        for begin in range(end - TILING + 1):
            count = end - begin
            if np.isfinite(cost[begin]) and count <= len(b):
                piece = min(np.trace(d[begin:end, k:k + count]) for k in range(len(b) - count + 1))
                cost[end] = min(cost[end], cost[begin] + piece)
    return cost[-1] / len(a)


def frechet(a, b):
    """Of two sets of codes; the matrix root by eigenvalues of the product, which zoe does not use."""
    mean = np.sum((a.mean(axis=0) - b.mean(axis=0)) ** 2)
    first, second = np.cov(a, rowvar=False), np.cov(b, rowvar=False)
    roots = np.sqrt(np.maximum(np.linalg.eigvals(first @ second).real, 0))
    return mean + np.trace(first) + np.trace(second) - 2 * roots.sum()


def check_frechet(zoe, file, name_a, name_b, folder):
    """All clips of the file play the real ones; A and B the generated ones."""
    sets = folder / "sets"
    for name in (name_a, name_b):
        (sets / name).mkdir(parents=True)
        run(zoe, "convert", file, sets / name / "clip.glb", "--clip", name)
    codes = folder / "codes.npz"
    printed = json.loads(run(zoe, "eval", "generate", sets, "--against", file, "--frechet", "--codes", codes, "--json"))
    ours = next(row for row in printed["splits"] if row["row"] == "generated")
    if "frechet" not in ours:
        print("frechet: the file has fewer than four clips")
        return True
    data = np.load(codes, allow_pickle=False)
    expected = frechet(data["made"].astype(np.float64), data["real"].astype(np.float64))
    wrong = abs(ours["frechet"] - expected) > 1e-3 * max(1, expected)
    print(f"{'frechet':20} zoe {ours['frechet']:.5f}   numpy {expected:.5f}{'   DIFFERS' if wrong else ''}")
    return not wrong


def main():
    zoe, file, name_a, name_b = sys.argv[1:5]
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        made, real = folder / "made.glb", folder / "real.glb"
        run(zoe, "convert", file, made, "--clip", name_a)
        run(zoe, "convert", file, real, "--clip", name_b)
        rows = json.loads(run(zoe, "eval", "generate", made, "--against", real, "--json"))["windows"]
        ours = next(row for row in rows if row["row"] == "generated")
        a, b = poses(zoe, made, folder), poses(zoe, real, folder)
        frechet_ok = check_frechet(zoe, file, name_a, name_b, folder)
    covered = window_costs(b, a)
    expected = {"coverage": np.mean(covered < 0.349), "coverage_0.1": np.mean(covered < 0.1),
                "local_diversity": window_costs(a, b).mean(), "global_diversity": tiling(a, b)}
    if not np.isfinite(expected["global_diversity"]):
        expected.pop("global_diversity")  # The real clip is shorter than a piece.
    failed = not frechet_ok
    for key, value in expected.items():
        wrong = abs(ours[key] - value) > 1e-4
        failed |= wrong
        print(f"{key:20} zoe {ours[key]:.5f}   numpy {value:.5f}{'   DIFFERS' if wrong else ''}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

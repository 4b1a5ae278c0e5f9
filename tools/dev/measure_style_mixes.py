#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the styles of a controller by a classifier that never saw it, trained on clips of those styles.

usage: tools/dev/measure_style_mixes.py ZOE RUN CLIPS [--base NAME] [--seconds 12] [--json FILE]

CLIPS has one folder for each style, with clips of the controller's skeleton (BVH or GLB). Features are means and deviations of
local rotations over windows of a second, the height of the hips and the speed. The classifier is a linear discriminant. Printed are:
its accuracy on clips (or halves of single clips) that it was not trained on; for each style the fraction of the controller's windows
that it recognises at weight 1; its logit from the base style to the style in five steps, and whether it rises; and the foot skate of
the controller beside that of the clips. The controller walks at the pace of the clips. Needs NumPy.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np


def read(path):
    """Global positions and rotations of a file of `zoe`, without end sites."""
    found = np.load(path, allow_pickle=True)
    names = [str(name).lower() for name in found["bone_names"]]
    return {"fps": float(found["framerate"]), "names": names, "parents": found["parent_indices"], "places": found["positions"].astype(float),
            "turns": found["quaternions"].astype(float)}


def load(zoe, path, folder):
    out = os.path.join(folder, "clip.npz")
    subprocess.run([zoe, "convert", path, out, "-q"], check=True, stdout=subprocess.DEVNULL)
    return read(out)


def onto(clip, names, length):
    """The joints of these names, in the size of a body whose bones have this length together."""
    index = [clip["names"].index(name) for name in names]
    parents = []
    for i in index:
        p = clip["parents"][i]
        while p >= 0 and p not in index:
            p = clip["parents"][p]
        parents.append(index.index(p) if p >= 0 else -1)
    out = {"fps": clip["fps"], "names": names, "parents": parents, "places": clip["places"][:, index], "turns": clip["turns"][:, index]}
    if length > 0:
        out["places"] = out["places"] * (length / bones_of(out))
    return out


def bones_of(clip):
    return sum(np.linalg.norm(clip["places"][0, j] - clip["places"][0, p]) for j, p in enumerate(clip["parents"]) if p > 0)


def matrices(q):
    x, y, z, w = np.moveaxis(q, -1, 0)
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 2 * (x * y + z * w), 1 - 2 * (x * x + z * z),
            2 * (y * z - x * w), 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]
    return np.stack(rows, -1).reshape(q.shape[:-1] + (3, 3))


def feet_of(names):
    return [i for i, name in enumerate(names) if "foot" in name or "toe" in name or "ankle" in name]


def windows(clip, joints):
    fps, turns, place = clip["fps"], matrices(clip["turns"]), clip["places"]
    local = [turns[:, clip["parents"][j]].transpose(0, 2, 1) @ turns[:, j] for j in joints if clip["parents"][j] >= 0]
    local = np.stack(local, 1)[..., :2].reshape(len(turns), -1)
    hips = place[:, clip["hips"]] if "hips" in clip else place[:, 1 if np.ptp(place[:, 0, 1]) < 1e-6 else 0]
    size, hop, out = int(round(fps)), int(round(fps / 2)), []
    for begin in range(0, len(local) - size, hop):
        part, way = local[begin:begin + size], hips[begin:begin + size]
        speed = np.linalg.norm(way[-1, [0, 2]] - way[0, [0, 2]])
        out.append(np.concatenate([part.mean(0), part.std(0), [way[:, 1].mean(), way[:, 1].std(), speed]]))
    return out


def skate(clip, heights):
    fps, place = clip["fps"], clip["places"]
    total, count = 0.0, 0
    for j, height in heights.items():
        speed = np.linalg.norm(np.diff(place[:, j][:, [0, 2]], axis=0), axis=1) * fps
        low = np.maximum(place[1:, j, 1], place[:-1, j, 1]) < height + 0.015
        total, count = total + speed[low].sum(), count + low.sum()
    return 100 * total / max(count, 1)


class Discriminant:
    """Linear, with a shrunk covariance that all styles share."""

    def __init__(self, x, y, count):
        self.mean, self.spread = x.mean(0), x.std(0) + 1e-3
        z = (x - self.mean) / self.spread
        _, values, axes = np.linalg.svd(z, full_matrices=False)
        self.axes = axes[:min(40, len(axes))]
        z = z @ self.axes.T
        centres = np.stack([z[y == k].mean(0) for k in range(count)])
        within = z - centres[y]
        covariance = within.T @ within / len(z)
        covariance += 0.1 * np.trace(covariance) / len(covariance) * np.eye(len(covariance))
        inverse = np.linalg.inv(covariance)
        self.weights = centres @ inverse
        self.bias = -0.5 * np.einsum("ki,ki->k", self.weights, centres)

    def logits(self, x):
        return (x - self.mean) / self.spread @ self.axes.T @ self.weights.T + self.bias


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zoe")
    parser.add_argument("run")
    parser.add_argument("clips")
    parser.add_argument("--base", default="")
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    styles = sorted(name for name in os.listdir(options.clips) if os.path.isdir(os.path.join(options.clips, name)))
    base = options.base or ("neutral" if "neutral" in styles else "walk" if "walk" in styles else styles[0])
    folder = tempfile.mkdtemp()
    own = os.path.join(folder, "own.npz")
    subprocess.run([options.zoe, "play", options.run, "--headless", "--path", "circle", "--seconds", "1", "-o", own, "-q"], check=True,
                   stdout=subprocess.DEVNULL)
    body = read(own)
    names, length = body["names"], 0.0
    real = {style: [] for style in styles}
    for style in styles:
        for name in sorted(os.listdir(os.path.join(options.clips, style))):
            if name.endswith((".bvh", ".glb")):
                real[style].append(load(options.zoe, os.path.join(options.clips, style, name), folder))
    names = [name for name in names if all(name in clip["names"] for clips in real.values() for clip in clips)]
    length = bones_of(onto(body, names, 0))
    real = {style: [onto(clip, names, length) for clip in clips] for style, clips in real.items()}
    bad = ("thumb", "finger", "hand", "site", "end", "index")
    joints = [i for i, name in enumerate(names) if not any(word in name for word in bad)]
    print(f"{len(names)} joints in common, {len(joints)} of them judged")
    seen = {style: [windows(clip, joints) for clip in real[style]] for style in styles}
    # Held out: every second clip, or the second half of a single one.
    train, test = [], []
    for k, style in enumerate(styles):
        for i, found in enumerate(seen[style]):
            if len(seen[style]) > 1:
                (train if i % 2 == 0 else test).extend((w, k) for w in found)
            else:
                train.extend((w, k) for w in found[:len(found) // 2 - 1])
                test.extend((w, k) for w in found[len(found) // 2 + 1:])
    def arrays(list_of):
        return np.array([w for w, _ in list_of]), np.array([k for _, k in list_of])
    judge = Discriminant(*arrays(train), len(styles))
    x, y = arrays(test)
    valid = float((judge.logits(x).argmax(1) == y).mean())
    print(f"classifier on held-out clips: {100 * valid:.1f} % of {len(y)} windows, {len(styles)} styles")
    judge = Discriminant(*arrays(train + test), len(styles))

    def pace_of(style):
        """Speed of the hips over the ground in the style's clips, m/s in the controller's size."""
        speeds = [np.linalg.norm(np.diff(clip["places"][:, 1][:, [0, 2]], axis=0), axis=1) * clip["fps"] for clip in real[style]]
        speeds = np.concatenate(speeds)
        moving = speeds[speeds > 0.15]
        return float(np.clip(np.median(moving), 0.2, 6)) if len(moving) else 1.0

    def play(mix, speed):
        found = []
        for path in ("circle", "slalom", "straight"):
            out = os.path.join(folder, "play.npz")
            subprocess.run([options.zoe, "play", options.run, "--headless", "--path", path, "--seconds", str(options.seconds), "--fps", "30",
                            "--in-style", mix, "--speed", f"{speed:.2f}", "-o", out, "-q"], check=True, stdout=subprocess.DEVNULL)
            clip = onto(read(out), names, 0)
            clip["places"], clip["turns"] = clip["places"][60:], clip["turns"][60:]  # It starts from a stand.
            found.append(clip)
        return found

    report = {"classifier": valid, "styles": {}}
    good = rising = 0
    print("| style | recognised | logit margin from the base | rises | skate, cm/s | of its clips | ratio |\n|---|---|---|---|---|---|---|")
    for k, style in enumerate(styles):
        heights = {}
        for j in feet_of(names):
            heights[j] = float(np.median([np.percentile(clip["places"][:, j, 1], 5) for clip in real[style]]))
        source = float(np.mean([skate(clip, heights) for clip in real[style]]))
        curve, shown, slides = [], 0.0, 0.0
        for weight in (0, 0.25, 0.5, 0.75, 1):
            mix = style if weight == 1 else base if weight == 0 or style == base else f"{weight}*{style}+{1 - weight}*{base}"
            clips = play(mix, (1 - weight) * pace_of(base) + weight * pace_of(style))
            logits = judge.logits(np.array([w for clip in clips for w in windows(clip, joints)]))
            others = np.delete(logits, k, 1).max(1)
            curve.append(float((logits[:, k] - logits[:, styles.index(base)]).mean()) if style != base else float((logits[:, k] - others).mean()))
            if weight == 1:
                shown = float((logits.argmax(1) == k).mean())
                slides = float(np.mean([skate(clip, {j: float(np.percentile(clip["places"][:, j, 1], 5)) for j in heights}) for clip in clips]))
        rises = style == base or all(b > a for a, b in zip(curve, curve[1:]))
        good, rising = good + (shown >= 0.85), rising + rises
        report["styles"][style] = {"recognised": shown, "curve": curve, "rises": rises, "skate": slides, "source_skate": source}
        print(f"| {style} | {100 * shown:.0f} % | {' '.join(f'{v:.1f}' for v in curve)} | {'yes' if rises else 'no'} | {slides:.1f} | {source:.1f} | "
              f"{slides / max(source, 1e-6):.2f} |", flush=True)
    print(f"{good} of {len(styles)} styles recognised in 85 % of the windows, {rising} rise")
    if options.json:
        json.dump(report, open(options.json, "w"), indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())

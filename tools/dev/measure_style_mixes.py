#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the styles of a controller by a classifier that never saw it, trained on clips of those styles.

usage: tools/dev/measure_style_mixes.py ZOE RUN CLIPS [--held-out FOLDER] [--base NAME] [--seconds 12] [--paths circle,slalom,straight] [--jobs 1] [--json FILE]

CLIPS has one folder for each style, with clips of the controller's skeleton (BVH or GLB); FOLDER likewise, of clips that the controller
was not trained on. Features are means and deviations of places of joints around the hips over windows of a second, the height of the
hips and the speed. The classifier is a linear discriminant, trained on FOLDER; without one on half of CLIPS. Printed are: its accuracy on clips that
it was not trained on; for each style the fraction of the controller's windows that it recognises at weight 1; its logit from the base
style to the style in five steps and at weight 1.5, and whether it rises up to 1; the foot skate of the controller beside that of the
clips; and the largest change of a joint's speed while the style changes from the base and back, beside the largest in the same walk
without a change (1: no pop). The controller walks at the pace of the middle clip. Needs NumPy.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

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


def pairs_of(names):
    """Joints of the left and right side: indices of both."""
    found = []
    for i, name in enumerate(names):
        for left, right in (("left", "right"), ("_l", "_r")):
            other = name.replace(left, right) if left == "left" else name[:-2] + right if name.endswith(left) else name
            if other != name and other in names:
                found.append((i, names.index(other)))
    return found


def hips_of(clip):
    """The first joint, or the second where the first is a root on the floor."""
    return 1 if np.median(clip["places"][:, 0, 1]) < 0.3 * np.median(clip["places"][:, 1, 1]) else 0


def windows(clip, joints):
    """Of each second: mean and deviation of the joints' places around the hips, in a frame that turns with the body. Not of rotations,
    whose meaning differs between the skeletons of two files."""
    fps, place = clip["fps"], clip["places"]
    hips = place[:, hips_of(clip)]
    across = sum(place[:, left] - place[:, right] for left, right in pairs_of(clip["names"]))
    across = across[:, [0, 2]] / (np.linalg.norm(across[:, [0, 2]], axis=1, keepdims=True) + 1e-9)
    local = place[:, joints] - hips[:, None]
    x = local[..., 0] * across[:, :1] + local[..., 2] * across[:, 1:]
    z = local[..., 2] * across[:, :1] - local[..., 0] * across[:, 1:]
    local = np.stack([x, local[..., 1], z], -1).reshape(len(place), -1)
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


def jolt(clip, joints, begin, end):
    """The largest change of a joint's angular velocity from frame to frame, rad/s, in frames begin to end."""
    turns = matrices(clip["turns"][begin:end])
    local = np.stack([turns[:, clip["parents"][j]].transpose(0, 2, 1) @ turns[:, j] for j in joints if clip["parents"][j] >= 0], 1)
    step = local[:-1].swapaxes(-1, -2) @ local[1:]
    velocity = 0.5 * np.stack([step[..., 2, 1] - step[..., 1, 2], step[..., 0, 2] - step[..., 2, 0], step[..., 1, 0] - step[..., 0, 1]], -1)
    return float(np.linalg.norm(np.diff(velocity, axis=0), axis=-1).max() * clip["fps"])


class Player:
    """Runs of the controller."""

    def __init__(self, zoe, run, folder, seconds, paths):
        self.zoe, self.run, self.folder, self.seconds, self.paths = zoe, run, folder, seconds, paths
        self.names = []

    def play(self, name, *arguments):
        out = os.path.join(self.folder, name + ".npz")
        subprocess.run([self.zoe, "play", self.run, "--headless", "--fps", "30", "-o", out, "-q", *arguments], check=True,
                       stdout=subprocess.DEVNULL)
        clip = read(out)
        os.remove(out)
        return onto(clip, self.names, 0) if self.names else clip

    def mix(self, key, mix, speed):
        """The courses in a mix of styles."""
        found = []
        for path in self.paths:
            clip = self.play(f"{key}_{path}", "--path", path, "--seconds", str(self.seconds), "--in-style", mix, "--speed", f"{speed:.2f}")
            clip["places"], clip["turns"] = clip["places"][60:], clip["turns"][60:]  # It starts from a stand.
            found.append(clip)
        return found

    def change(self, key, base, style, speed):
        """Straight on, in the base style; 4 to 7 s in the other. And the same walk without a change."""
        found = []
        for i, words in enumerate((f"0 style {base}\n4 style {style}\n7 style {base}\n", f"0 style {base}\n", f"0 style {style}\n")):
            script = os.path.join(self.folder, f"{key}_{i}.txt")
            with open(script, "w") as file:
                file.write(f"0 move 0 {speed:.2f}\n" + words)
            found.append(self.play(f"{key}_{i}", "--script", script, "--seconds", "10"))
        return found


def clips_of(zoe, folder, styles, scratch):
    return {style: [load(zoe, os.path.join(folder, style, name), scratch) for name in sorted(os.listdir(os.path.join(folder, style)))
                    if name.endswith((".bvh", ".glb"))] for style in styles}


def pace_of(clips):
    """Speed of the hips over the ground in the middle clip, m/s in the controller's size. Of clips, not of frames: half of the frames of
    walks and runs together are slower than a speed that neither has."""
    paces = []
    for clip in clips:
        speeds = np.linalg.norm(np.diff(clip["places"][:, hips_of(clip)][:, [0, 2]], axis=0), axis=1) * clip["fps"]
        if (speeds > 0.15).any():
            paces.append(np.median(speeds[speeds > 0.15]))
    paces.sort()
    return float(np.clip(paces[(len(paces) - 1) // 2], 0.2, 6)) if paces else 1.0


def train_judge(real, held, styles, joints):
    """A discriminant, its accuracy on clips it was not trained on, and their windows."""
    def arrays(list_of):
        return np.array([w for w, _ in list_of]), np.array([k for _, k in list_of])
    train, test = [], []
    for k, style in enumerate(styles):
        seen = [windows(clip, joints) for clip in real[style]]
        if held:
            train.extend((w, k) for clip in held[style] for w in windows(clip, joints))
            test.extend((w, k) for found in seen for w in found)
            continue
        for i, found in enumerate(seen):  # Every second clip, or the second half of a single one.
            if len(seen) > 1:
                (train if i % 2 == 0 else test).extend((w, k) for w in found)
            else:
                train.extend((w, k) for w in found[:len(found) // 2 - 1])
                test.extend((w, k) for w in found[len(found) // 2 + 1:])
    judge = Discriminant(*arrays(train), len(styles))
    x, y = arrays(test)
    right = judge.logits(x).argmax(1) == y
    each = {style: float(right[y == k].mean()) for k, style in enumerate(styles)}
    if not held:
        judge = Discriminant(*arrays(train + test), len(styles))
    return judge, float(right.mean()), len(y), each


def measure(k, style, styles, base, judge, player, real, joints):
    heights = {j: float(np.median([np.percentile(clip["places"][:, j, 1], 5) for clip in real[style]])) for j in feet_of(player.names)}
    source = float(np.mean([skate(clip, heights) for clip in real[style]]))
    paces = pace_of(real[base]), pace_of(real[style])
    curve, shown, slides = [], 0.0, 0.0
    for weight in (0, 0.25, 0.5, 0.75, 1, 1.5):
        mix = style if weight == 1 else base if weight == 0 or style == base else f"{weight}*{style}{1 - weight:+}*{base}"
        share = min(weight, 1)
        clips = player.mix(f"{style}_{weight}", mix, (1 - share) * paces[0] + share * paces[1])
        logits = judge.logits(np.array([w for clip in clips for w in windows(clip, joints)]))
        others = np.delete(logits, k, 1).max(1)
        curve.append(float((logits[:, k] - logits[:, styles.index(base)]).mean()) if style != base else float((logits[:, k] - others).mean()))
        if weight == 1:
            shown = float((logits.argmax(1) == k).mean())
            taken = styles[int(np.bincount(logits.argmax(1), minlength=len(styles)).argmax())]
            slides = float(np.mean([skate(clip, {j: float(np.percentile(clip["places"][:, j, 1], 5)) for j in heights}) for clip in clips]))
    pop = 1.0
    if style != base:
        changed, *steady = player.change(f"{style}_change", base, style, paces[0])
        around = max(jolt(changed, joints, b, b + 36) for b in (117, 207))
        pop = around / max(jolt(clip, joints, 60, 300) for clip in steady)
    rises = style == base or all(b > a for a, b in zip(curve[:5], curve[1:5]))
    return {"recognised": shown, "taken_for": taken, "curve": curve[:5], "beyond": curve[5], "rises": rises, "skate": slides, "source_skate": source, "pop": pop}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zoe")
    parser.add_argument("run")
    parser.add_argument("clips")
    parser.add_argument("--held-out", default="")
    parser.add_argument("--base", default="")
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--paths", default="circle,slalom,straight")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    styles = sorted(name for name in os.listdir(options.clips) if os.path.isdir(os.path.join(options.clips, name)))
    base = options.base or ("neutral" if "neutral" in styles else "walk" if "walk" in styles else styles[0])
    scratch = tempfile.TemporaryDirectory()
    player = Player(options.zoe, options.run, scratch.name, options.seconds, options.paths.split(","))
    body = player.play("own", "--path", "circle", "--seconds", "1")
    sets = [clips_of(options.zoe, folder, styles, scratch.name) for folder in (options.clips, options.held_out) if folder]
    player.names = [name for name in body["names"] if all(name in clip["names"] for real in sets for clips in real.values() for clip in clips)]
    length = bones_of(onto(body, player.names, 0))
    sets = [{style: [onto(clip, player.names, length) for clip in clips] for style, clips in real.items()} for real in sets]
    real, held = sets[0], sets[1] if len(sets) > 1 else None
    # A joint called root is on the floor: under the body in a controller's motion, where the recording began in a clip's.
    bad = ("thumb", "finger", "hand", "site", "end", "index", "root")
    joints = [i for i, name in enumerate(player.names) if not any(word in name for word in bad)]
    print(f"{len(player.names)} joints in common, {len(joints)} of them judged")
    judge, valid, count, each = train_judge(real, held, styles, joints)
    print(f"classifier on clips that it was not trained on: {100 * valid:.1f} % of {count} windows, {len(styles)} styles", flush=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(lambda ks: measure(*ks, styles, base, judge, player, real, joints), enumerate(styles)))
    report = {"classifier": valid, "styles": dict(zip(styles, found))}
    print("| style | real clips | recognised | logit margin from the base; at 1.5 | rises | skate, cm/s | of its clips | ratio | pop |")
    print("|---|---|---|---|---|---|---|---|---|")
    for style, m in report["styles"].items():
        m["real"] = each[style]
        taken = "" if m["taken_for"] == style else f" (mostly {m['taken_for']})"
        print(f"| {style} | {100 * each[style]:.0f} % | {100 * m['recognised']:.0f} %{taken} | {' '.join(f'{v:.1f}' for v in m['curve'])}; {m['beyond']:.1f} | "
              f"{'yes' if m['rises'] else 'no'} | {m['skate']:.1f} | {m['source_skate']:.1f} | {m['skate'] / max(m['source_skate'], 1e-6):.2f} | {m['pop']:.2f} |")
    good, rising = sum(m["recognised"] >= 0.85 for m in found), sum(m["rises"] for m in found)
    print(f"{good} of {len(styles)} styles recognised in 85 % of the windows, {rising} rise")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(report, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies BVH clips along arcs: the body turns at a constant rate, and its path with it. For recordings that only go straight on.

usage: bend_bvh.py OUT RATE FILE…
OUT: a folder; RATE: turn in radians a second, positive to the left. Needs NumPy.

The joint that moves is the first with a position that changes. Its parents must not move. A foot in contact slides by a few centimetres
(the lateral offset and half of the step, times the turn), so rates above 1 need feet that are cleaned afterwards.
"""
import os
import sys

import numpy as np

AXES = {"X": 0, "Y": 1, "Z": 2}


def turn_about(axis, angle):
    """[frames, 3, 3]"""
    c, s = np.cos(angle), np.sin(angle)
    out = np.zeros((len(angle), 3, 3))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out[:, axis, axis] = 1
    out[:, i, i] = out[:, j, j] = c
    out[:, i, j], out[:, j, i] = -s, s
    return out


def angles_of(m, order):
    """Angles of m = R(order[0]) R(order[1]) R(order[2]), three different axes."""
    i, j, k = order
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    middle = np.arcsin(np.clip(sign * m[:, i, k], -1, 1))
    first = np.arctan2(-sign * m[:, j, k], m[:, k, k])
    last = np.arctan2(-sign * m[:, i, j], m[:, i, i])
    return first, middle, last


def bend(path, out, rate):
    header, motion = open(path).read().split("MOTION", 1)
    rows = motion.strip().splitlines()
    frame_s = float(rows[1].split(":")[1])
    values = np.array([[float(v) for v in row.split()] for row in rows[2:]])
    names = [word for line in header.splitlines() if line.split()[:1] == ["CHANNELS"] for word in line.split()[2:]]
    x = next(c for c, name in enumerate(names) if name == "Xposition" and np.ptp(values[:, c]) > 0)
    if names[x:x + 3] != ["Xposition", "Yposition", "Zposition"] or np.ptp(values[:, :x], axis=0).max(initial=0) > 0:
        raise SystemExit(f"{path}: the first joint that moves has no three positions, or has parents that move")
    yaw = rate * frame_s * np.arange(len(values))
    turn = turn_about(1, yaw)
    steps = np.diff(values[:, x:x + 3], axis=0)
    steps = np.einsum("fij,fj->fi", turn_about(1, yaw[:-1] + 0.5 * rate * frame_s), steps)
    values[1:, x:x + 3] = values[0, x:x + 3] + np.cumsum(steps, axis=0)
    order = [AXES[name[0]] for name in names[x + 3:x + 6]]
    rotation = turn
    for c, axis in enumerate(order):
        rotation = rotation @ turn_about(axis, np.radians(values[:, x + 3 + c]))
    for c, angle in enumerate(angles_of(rotation, order)):
        values[:, x + 3 + c] = np.degrees(angle)
    stem, end = os.path.splitext(os.path.basename(path))
    with open(os.path.join(out, f"{stem}_turn{rate:+.2f}{end}"), "w") as file:
        file.write(f"{header}MOTION\n{rows[0]}\n{rows[1]}\n")
        file.writelines(" ".join(f"{v:.3f}" for v in row) + "\n" for row in values)


def main():
    out, rate = sys.argv[1], float(sys.argv[2])
    os.makedirs(out, exist_ok=True)
    for path in sys.argv[3:]:
        bend(path, out, rate)


main()

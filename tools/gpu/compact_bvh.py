#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies BVH files in a compact form for training on another machine: at most 30 frames a second, two decimals, and no
translations but those of the first joints. Packed by xz, a frame needs about 60 bytes instead of 210.

usage: compact_bvh.py [--skip N] [--most M] OUT FILE…
OUT: a folder; N: first frames that are no motion; M: most frames to write
"""
import os
import sys

FPS = 30
MOVING = ("joint_Root", "Hips", "hip", "root", "Root", "pelvis")


def compact(path, out, skip, most):
    header, motion = open(path).read().split("MOTION", 1)
    lines, keep, joint = [], [], ""
    for line in header.splitlines():
        words = line.split()
        if words and words[0] in ("ROOT", "JOINT"):
            joint = words[1]
        if words and words[0] == "CHANNELS":
            names = words[2:]
            wanted = [not name.endswith("position") or joint in MOVING for name in names]
            keep += wanted
            names = [name for name, kept in zip(names, wanted) if kept]
            line = f"CHANNELS {len(names)} " + " ".join(names)
        lines.append(line.strip())
    rows = motion.strip().splitlines()
    fps = 1 / float(rows[1].split(":")[1])
    stride = max(1, round(fps / FPS))
    frames = []
    for row in rows[2 + skip::stride][:most]:
        values = row.split()
        if len(values) == len(keep):
            frames.append(" ".join(f"{float(v):.2f}" for v, kept in zip(values, keep) if kept))
    with open(os.path.join(out, os.path.basename(path)), "w") as file:
        file.write("\n".join(lines) + f"\nMOTION\nFrames: {len(frames)}\nFrame Time: {stride / fps:.7f}\n")
        file.write("\n".join(frames) + "\n")


def main():
    words, skip, most = sys.argv[1:], 0, None
    if words[0] == "--skip":
        skip, words = int(words[1]), words[2:]
    if words[0] == "--most":
        most, words = int(words[1]), words[2:]
    os.makedirs(words[0], exist_ok=True)
    for path in words[1:]:
        compact(path, words[0], skip, most)


main()

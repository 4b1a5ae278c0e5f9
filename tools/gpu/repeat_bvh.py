#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Repeats a BVH cycle of `zoe edit --loop` that travels. Each cycle begins where the last one ended; turns are not
added up, so use it for cycles that hardly turn.

usage: repeat_bvh.py CYCLE OUT SECONDS
"""
import math
import sys


def main():
    cycle, out, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    header, motion = open(cycle).read().split("MOTION", 1)
    rows = motion.strip().splitlines()
    frames = [row.split() for row in rows[2:]]
    frame_s = float(rows[1].split(":")[1])
    # The last frame is the first of the next cycle. The root's channels begin with its position.
    travel = [float(end) - float(start) for start, end in zip(frames[0][:3], frames[-1][:3])]
    frames.pop()
    count = math.ceil(seconds / frame_s) + 1
    lines = []
    for i in range(count):
        frame, turn = frames[i % len(frames)], i // len(frames)
        moved = [f"{float(frame[k]) + turn * travel[k]:.6f}" for k in range(3)]
        lines.append(" ".join(moved + frame[3:]))
    with open(out, "w") as file:
        file.write(f"{header}MOTION\nFrames: {count}\nFrame Time: {frame_s:.7f}\n" + "\n".join(lines) + "\n")


main()

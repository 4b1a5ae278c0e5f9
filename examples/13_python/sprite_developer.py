# SPDX-License-Identifier: MIT
"""Draws a walk as a sheet of stick figures seen from the side.    sprite_developer.py models/walker OUT.png

`zoe sprite make` draws skinned characters; this shows the arrays on the way there."""
import struct
import sys
import zlib

import numpy

import zoetrope as zoe

CELL, FRAMES = 96, 8


def write_png(path, grey):
    rows = b"".join(b"\0" + row.tobytes() for row in grey)

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) +
                   chunk(b"IEND", b""))


walker = zoe.Controller(sys.argv[1])
player = walker.character()
player.command("move 0 1.3")
zoe.record(walker, player, 2)
positions = zoe.record(walker, player, 1, fps=FRAMES).positions()
parents = walker.skeleton.parents
height_m = positions[..., 1].max()
sheet = numpy.full((CELL, CELL * FRAMES), 255, numpy.uint8)
for frame, joints in enumerate(positions):
    forward = joints[:, 2] - joints[0, 2]
    for joint, parent in enumerate(parents):
        if parent < 0:
            continue
        for t in numpy.linspace(0, 1, 64):
            z = (1 - t) * forward[parent] + t * forward[joint]
            y = (1 - t) * joints[parent, 1] + t * joints[joint, 1]
            column = int(CELL / 2 + z / height_m * 0.8 * CELL)
            row = int(CELL * (0.95 - 0.9 * y / height_m))
            if 0 <= column < CELL and 0 <= row < CELL:
                sheet[row, CELL * frame + column] = 0
write_png(sys.argv[2], sheet)
print(f"{FRAMES} frames of {CELL} pixels, {int((sheet == 0).sum())} of them drawn")

# SPDX-License-Identifier: MIT
"""Drives the walker to a goal and prints where it arrives.    game_programmer.py models/walker"""
import sys

import zoetrope as zoe

walker = zoe.Controller(sys.argv[1])
player = walker.character()
player.command("go 2 3")
for frame in range(360):
    player.tick(1 / 60)
x, _, z = player.position
print(f"arrived at {x:.1f} {z:.1f}, {player.progress}")

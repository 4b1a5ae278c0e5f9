# SPDX-License-Identifier: MIT
"""Loads files and controllers in a loop under valgrind: what is lost must not grow with the number of rounds.

usage: leak_test.py VALGRIND PYTHON CONTROLLER FILE
"""
import os
import re
import subprocess
import sys

LOOP = """
import gc, sys
import zoetrope as zoe
for _ in range(int(sys.argv[1])):
    file = zoe.load(sys.argv[3])
    array = file.clips[0].rotations
    player = zoe.Controller(sys.argv[2]).character()
    player.tick(0.1)
    player.restore(player.save())
    try:
        zoe.load("no_such_file.bvh")
    except zoe.Error:
        pass
    del file, array, player
    gc.collect()
"""


def lost_bytes(valgrind, python, rounds, controller, file):
    environment = dict(os.environ, PYTHONMALLOC="malloc")
    run = subprocess.run([valgrind, "--leak-check=full", "--show-leak-kinds=definite", "--error-limit=no", python, "-c",
                          LOOP, str(rounds), controller, file], env=environment, capture_output=True, text=True,
                         check=True)
    found = re.findall(r"(?:definitely|indirectly) lost: ([\d,]+) bytes", run.stderr)
    if not found and "All heap blocks were freed" not in run.stderr:
        raise RuntimeError(run.stderr[-2000:])
    return sum(int(number.replace(",", "")) for number in found)


if __name__ == "__main__":
    few, many = (lost_bytes(sys.argv[1], sys.argv[2], rounds, sys.argv[3], sys.argv[4]) for rounds in (1, 5))
    print(f"lost after 1 round: {few} bytes, after 5: {many} bytes")
    sys.exit(0 if many == few else 1)

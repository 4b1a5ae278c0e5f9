# SPDX-License-Identifier: MIT
"""Loads files and controllers in a loop under valgrind: the memory in use at exit must not grow with the rounds.

An interpreter ends with thousands of blocks in use. Which of them valgrind calls lost depends on values that happen to
look like pointers, so two runs of one program may differ. A leak is a block, or bytes, of every round: the test counts
all blocks in use after FEW and after MANY rounds. A third run with a planted leak of one small block per round shows
that the measure finds it.

usage: leak_test.py VALGRIND PYTHON CONTROLLER FILE
"""
import os
import re
import subprocess
import sys

FEW, MANY = 3, 23
# Blocks of all rounds between: below one per round, above the interpreter's own differences (0 to 3 were seen).
MOST_BLOCKS = (MANY - FEW) // 2
# Of one round. A leaked block that grows instead of multiplying would show here.
MOST_BYTES = 512

LOOP = """
import ctypes, gc, sys
import zoetrope as zoe
malloc = ctypes.CDLL(None).malloc
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
    if sys.argv[4] == "planted":
        malloc(40)
    gc.collect()
"""


def in_use(valgrind, python, rounds, controller, file, planted):
    """Blocks and bytes of the heap at the end of the process."""
    environment = dict(os.environ, PYTHONMALLOC="malloc", PYTHONHASHSEED="0")
    run = subprocess.run([valgrind, "--leak-check=no", python, "-c", LOOP, str(rounds), controller, file,
                          "planted" if planted else "clean"], env=environment, capture_output=True, text=True)
    found = re.search(r"in use at exit: ([\d,]+) bytes in ([\d,]+) blocks", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"exit code {run.returncode}:\n{run.stderr[-4000:]}")
    bytes_used, blocks = (int(text.replace(",", "")) for text in found.groups())
    return blocks, bytes_used


def is_leak(few, many):
    blocks, bytes_used = many[0] - few[0], many[1] - few[1]
    return blocks > MOST_BLOCKS or bytes_used > MOST_BYTES * (MANY - FEW)


if __name__ == "__main__":
    few = in_use(*sys.argv[1:3], FEW, *sys.argv[3:], False)
    many = in_use(*sys.argv[1:3], MANY, *sys.argv[3:], False)
    planted = in_use(*sys.argv[1:3], MANY, *sys.argv[3:], True)
    for name, (blocks, bytes_used) in ((f"{FEW} rounds", few), (f"{MANY} rounds", many), ("planted leak", planted)):
        print(f"{name}: {bytes_used} bytes in {blocks} blocks")
    if not is_leak(few, planted):
        sys.exit("the planted leak was not found: the measure is of no use")
    sys.exit("memory grows with the rounds" if is_leak(few, many) else 0)

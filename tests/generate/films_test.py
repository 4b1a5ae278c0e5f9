#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`zoe dataset build --films` draws a film of each clip, also of bodies without feet; `zoe generate` draws sheets.

usage: films_test.py ZOE      (skipped without the renderer)
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

zoe = sys.argv[1]


def run(*words):
    return subprocess.run([zoe, *map(str, words)], capture_output=True, text=True, check=False)


def main():
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        for family in ("snake", "quadruped"):
            made = run("synth", "-o", folder / family, "--count", 1, "--family", family, "--seed", 3, "--seconds", 1.5, "-q")
            assert made.returncode == 0, made.stderr
            built = run("dataset", "build", folder / family, "--schema", "anytop", "--films", "-o", folder / (family + "_data"))
            if "without" in built.stderr and "render" in built.stderr:
                print("no renderer: skipped")
                return
            assert built.returncode == 0, built.stderr
            films = list((folder / (family + "_data") / "films").glob("*.mp4"))
            assert len(films) == 1 and films[0].stat().st_size > 1000, (family, films, built.stderr)
        clip = next(path for path in (folder / "quadruped").rglob("*.glb"))
        sheet = folder / "sheet.png"
        edited = run("edit", clip, "--in-between", "10:20", "-o", sheet)
        assert edited.returncode == 0, edited.stderr
        # One picture would have 1280 × 720 pixels; cells of a sheet do not fill it to the last one.
        assert struct.unpack(">II", sheet.read_bytes()[16:24]) != (1280, 720)


main()

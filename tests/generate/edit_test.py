#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`zoe edit`, `zoe eval generate` and `zoe correspond` as people use them, on synthetic motions."""
import json
import pathlib
import subprocess
import sys
import tempfile

zoe = sys.argv[1]


def run(*words, code=0):
    done = subprocess.run([zoe, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def frames(path):
    lines = path.read_text().split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("Frame Time")) + 1
    return [[float(word) for word in line.split()] for line in lines[first:] if line.strip()]


with tempfile.TemporaryDirectory() as text:
    folder = pathlib.Path(text)
    run("synth", "-o", folder / "made", "--count", 1, "--family", "biped", "--seed", 3)
    clip = next(path for path in sorted((folder / "made").rglob("*")) if path.suffix in (".glb", ".bvh"))
    run("convert", clip, folder / "walk.bvh")
    walk = frames(folder / "walk.bvh")
    first, last = 20, min(32, len(walk) - 5)
    words = ["edit", folder / "walk.bvh", "--in-between", f"{first}:{last}"]
    report = json.loads(run(*words, "-o", folder / "filled.bvh", "--json"))
    assert report["gaps"] == [[first, last]] and report["method"] == "spline", report
    filled = frames(folder / "filled.bvh")
    assert len(filled) == len(walk)
    # Angles of 180 and -180 degrees are the same.
    changed = [i for i, (a, b) in enumerate(zip(walk, filled))
               if max(min(abs(x - y), abs(abs(x - y) - 360)) for x, y in zip(a, b)) > 1e-3]
    assert changed and changed[0] >= first and changed[-1] <= last, changed
    lines = json.loads(run(*words, "--fill", "linear", "-o", folder / "lines.bvh", "--json"))
    assert lines["seam_ratio"] > report["seam_ratio"], (lines, report)

    run("edit", folder / "walk.bvh", "-o", folder / "x.bvh", code=2)
    run("edit", folder / "walk.bvh", "--in-between", "5", "-o", folder / "x.bvh", code=2)
    run("edit", folder / "walk.bvh", "--in-between", "5:999999", "-o", folder / "x.bvh", code=2)
    run("edit", folder / "walk.bvh", "--in-between", "5:9", "--in-between", "9:12", "-o", folder / "x.bvh", code=2)
    # Joints are edited by the included weights.
    run("edit", folder / "walk.bvh", "--upper-body", "-o", folder / "upper.bvh")
    assert (folder / "upper.bvh").exists()
    run("edit", folder / "walk.bvh", "--joints", "no_such_joint", "-o", folder / "x.bvh", code=2)
    assert "no such file" in run("generate", "--skeleton", clip, "--model", folder / "no", "-o", folder / "x.bvh",
                                 code=1).lower()

    rows = json.loads(run("eval", "generate", folder / "filled.bvh", "--against", folder / "walk.bvh", "--json"))["windows"]
    generated = next(row for row in rows if row["row"] == "generated")
    assert generated["coverage"] > 0.9 and generated["bone_error"] < 1e-3, generated
    run("eval", "generate", folder / "walk.bvh", code=2)

    joints = json.loads(run("correspond", clip, folder / "walk.bvh", "--json"))["joints"]
    same = sum(joint["a"] == joint["b"] for joint in joints)
    assert same > 0.9 * len(joints), (same, len(joints))

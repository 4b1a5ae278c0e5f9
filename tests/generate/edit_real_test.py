#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`zoe edit` on real clips of several families: frames that are kept, jumps at seams, paths that are followed.

usage: edit_real_test.py ZOE DATA      (skipped where the data is absent)
"""
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

zoe, data = sys.argv[1], pathlib.Path(sys.argv[2])
SEAM = 1.2  # Of the clip's own 99th percentile.
# File, clip, whether it travels (or walks on the spot), whether it comes back to its poses.
CLIPS = [
    ("biped/cmu/16_17.bvh", None, True, True),
    ("biped/cmu/02_04.bvh", None, False, True),
    ("biped/bandai_namco/dataset1/dataset-1_walk_angry_002.bvh", None, True, True),
    ("quadruped/dog_mann_bvh/D1_010_KAN01_001.bvh", None, False, True),
    ("characters/khronos/Fox.glb", "Walk", True, True),
    ("creatures/quaternius/Horse.glb", "Walk", True, True),
    ("creatures/quaternius/Snake.glb", None, False, True),
    ("creatures/mesh2motion/bird-animations.glb", None, False, True),
    ("creatures/mesh2motion/spider-animations.glb", None, True, True),
    ("creatures/quaternius/Dolphin.glb", None, False, True),
]


def run(*words):
    done = subprocess.run([zoe, *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def tracks(path):
    """Tracks of a GLB by joint and channel: rows of numbers, one a frame, or one in all."""
    raw = path.read_bytes()
    length = struct.unpack_from("<I", raw, 12)[0]
    gltf, binary = json.loads(raw[20:20 + length]), raw[28 + length:]
    out = {}
    for channel in gltf["animations"][0]["channels"]:
        accessor = gltf["accessors"][gltf["animations"][0]["samplers"][channel["sampler"]]["output"]]
        view = gltf["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        assert accessor["componentType"] == 5126, accessor
        values = struct.unpack_from(f"<{accessor['count'] * width}f", binary, begin)
        key = (channel["target"]["node"], channel["target"]["path"])
        out[key] = [values[i:i + width] for i in range(0, len(values), width)]
    return out


def difference(a, b, turns):
    """Rotations may change their sign; other numbers are compared by their size."""
    scale = 1 if turns else max(1, *map(abs, a))
    plus = max(abs(x - y) for x, y in zip(a, b))
    return min(plus, max(abs(x + y) for x, y in zip(a, b))) if turns else plus / scale


def check_kept(folder, source, clip, made, first, last, offset):
    """Frames first to last of the result are frames first + offset … of the source."""
    words = ["--clip", clip] if clip else []
    # Frame 1 is filled anew, all others are the source's.
    assert run("edit", source, *words, "--in-between", "1:1", "-o", folder / "own.glb")[0] == 0
    own, new = tracks(folder / "own.glb"), tracks(made)
    for key in own:
        for frame in range(first, last + 1):
            if frame + offset == 1 or key not in new:
                continue
            a = own[key][min(frame + offset, len(own[key]) - 1)]
            b = new[key][min(frame, len(new[key]) - 1)]
            assert difference(a, b, key[1] == "rotation") < 1e-6, (source, key, frame, a, b)


def main():
    if not (data / "creatures").is_dir():
        print("shared data is absent: skipped")
        return
    failed = []
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        for file, clip, travels, returns in CLIPS:
            source, out = data / file, folder / "out.glb"
            words = ["edit", source, "-o", out, "--json", *(["--clip", clip] if clip else [])]
            figures = {}
            edits = {"in-between": ["--in-between", "5:10"]}
            if returns:
                edits |= {"loop": ["--loop"], "suffix": ["--suffix", 1], "prefix": ["--prefix", 0.5]}
            for name, more in edits.items():
                code, printed, errors = run(*words, *more)
                assert code == 0, (file, name, errors)
                facts = json.loads(printed)
                figures[name] = facts["seam_ratio"]
                if facts["seam_ratio"] > SEAM:
                    failed.append((file, name, facts["seam_ratio"]))
                if name == "loop":
                    check_kept(folder, source, clip, out, *facts["kept"], facts["loop"][0])
                if name in ("suffix", "prefix"):
                    first, last = facts["kept"]
                    check_kept(folder, source, clip, out, first, last, -first)
            if travels:
                # A circle that suits the body: its circumference is what the clip travels, at least ten heights.
                code, printed, errors = run("info", source, "--analysis", "--json")
                assert code == 0, errors
                height = json.loads(printed)["height_m"]
                radius = 4 * height
                path = folder / "circle.csv"
                path.write_text("".join(f"{radius * math.cos(t / 30) - radius},{radius * math.sin(t / 30)}\n"
                                        for t in range(150)))
                code, printed, errors = run(*words, "--trajectory", path)
                assert code == 0, (file, errors)
                facts = json.loads(printed)
                figures["path"] = facts["mean_error_m"] / height
                if facts["mean_error_m"] > 0.06 * height or facts["seam_ratio"] > SEAM:
                    failed.append((file, "trajectory", facts["mean_error_m"] / height, facts["seam_ratio"]))
            print(f"{file:50s} " + "  ".join(f"{name} {value:.2f}" for name, value in figures.items()))
    assert not failed, failed


main()

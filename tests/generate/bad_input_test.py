#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bodies and requests that no one wants, on the verbs for any skeleton: each works or ends with a clear word."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

zoe = sys.argv[1]


def run(*words):
    done = subprocess.run([zoe, *map(str, words)], capture_output=True, text=True)
    # 0: done, 1: failed, 2: wrong usage, 3: a file that cannot be used. Anything else is a crash.
    assert done.returncode in (0, 1, 2, 3), (words, done.returncode, done.stderr)
    if done.returncode != 0:
        assert len(done.stderr.strip()) > 20 and "check failed" not in done.stderr.lower(), (words, done.stderr)
    return done.returncode, done.stdout, done.stderr


def refused(word, *words):
    code, _, errors = run(*words)
    assert code == 2 and word in errors, (words, code, errors)


def bvh(path, names, parents, offsets, frames=40):
    """Every joint sways by its own sine; the first one travels."""
    children = {j: [k for k, p in enumerate(parents) if p == j] for j in range(-1, len(names))}
    lines, order = ["HIERARCHY"], []

    def joint(j, depth):
        pad = "  " * depth
        order.append(j)
        lines.append(f"{pad}{'ROOT' if parents[j] < 0 else 'JOINT'} {names[j]}")
        lines.append(f"{pad}{{\n{pad}  OFFSET {' '.join(map(str, offsets[j]))}")
        moves = "6 Xposition Yposition Zposition" if parents[j] < 0 else "3"
        lines.append(f"{pad}  CHANNELS {moves} Zrotation Xrotation Yrotation")
        for child in children[j]:
            joint(child, depth + 1)
        if not children[j]:
            lines.append(f"{pad}  End Site\n{pad}  {{\n{pad}    OFFSET 0 0.1 0\n{pad}  }}")
        lines.append(pad + "}")

    for root in children[-1]:
        joint(root, 0)
    lines += ["MOTION", f"Frames: {frames}", "Frame Time: 0.0333333"]
    for f in range(frames):
        row = []
        for j in order:
            row += [0.03 * f, 1, 0] if parents[j] < 0 else []
            row += [5 * math.sin(0.3 * f + j), 8 * math.sin(0.3 * f + 2 * j), 0]
        lines.append(" ".join(f"{value:.5f}" for value in row))
    path.write_text("\n".join(lines) + "\n")
    return path


def main():
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        chain = list(range(-1, 399))
        bodies = {
            "one": bvh(folder / "one.bvh", ["only"], [-1], [(0, 0, 0)]),
            "many": bvh(folder / "many.bvh", [f"j{i}" for i in range(400)], chain, [(0, 0.01, 0)] * 400),
            "apart": bvh(folder / "apart.bvh", list("abcd"), [-1, 0, -1, 2], [(0, 0, 0), (0, 1, 0), (5, 0, 0), (0, 1, 0)]),
            "zero": bvh(folder / "zero.bvh", list("abcd"), [-1, 0, 1, 2], [(0, 0, 0)] * 4),
            "twice": bvh(folder / "twice.bvh", ["a", "a", "a"], [-1, 0, 1], [(0, 0, 0), (0, 1, 0), (0, 1, 0)]),
            "foreign": bvh(folder / "foreign.bvh", ["腰", "左足", "جسم"], [-1, 0, 0], [(0, 0, 0), (0, -1, 0), (0, 1, 0)]),
        }
        path = folder / "path.csv"
        path.write_text("x,z\n0,0\n0,40\n40,40\n")
        edits = [["--in-between", "10:20"], ["--loop"], ["--suffix", 1], ["--prefix", 0.5], ["--trajectory", path],
                 ["--speed", 1, "--trajectory", path]]
        for name, file in bodies.items():
            for edit in edits:
                code, printed, errors = run("edit", file, *edit, "-o", folder / "out.bvh", "--json")
                if code == 0:
                    facts = json.loads(printed)
                    assert facts["frames"] > 1 and facts["seam_ratio"] < 50, (name, edit, facts)
            code, _, errors = run("edit", file, "--in-between", "10:20", "-o", folder / "out.bvh")
            assert code == 0, (name, errors)
            code, _, errors = run("edit", file, "--keys", f"{file}@0.7", "-o", folder / "out.bvh")
            assert code == 0 or "key" in errors, (name, errors)
            for other in bodies.values():
                run("correspond", file, other, "--json")
            run("eval", "generate", file, "--against", file, "--json")
            # Alive: whatever has a joint hops at least, and says so.
            code, printed, errors = run("play", file, "--measure")
            assert code == 0 and json.loads(printed)["worst_path_error"] < 1, (name, printed, errors)

        walk, out = bodies["apart"], folder / "x.bvh"
        refused("contradict", "edit", walk, "--loop", "--suffix", 1, "-o", out)
        refused("contradict", "edit", walk, "--trajectory", path, "--in-between", "5:9", "-o", out)
        refused("contradict", "edit", walk, "--keys", f"{walk}@0.5", "--joints", "b", "--model", "m", "-o", out)
        refused("contradict", "edit", walk, "--keys", f"{walk}@0.5", "--keys", f"{walk}@0.5", "-o", out)
        refused("kept", "edit", walk, "--keys", f"{walk}@1", "--in-between", "5:9", "-o", out)
        refused("outside", "edit", walk, "--keys", f"{walk}@99", "-o", out)
        refused("FILE@SECONDS", "edit", walk, "--keys", walk, "-o", out)
        code, printed, errors = run("edit", walk, "--in-between", "5:9", "--action", "walk", "-o", out)
        assert code == 0 and out.exists(), (code, printed, errors)  # By the included weights.
        refused("no such action", "edit", walk, "--in-between", "5:9", "--action", "xyzzy", "--model", walk, "-o", out)
        refused("--suffix", "edit", walk, "--suffix", 0, "-o", out)
        refused("--suffix", "edit", walk, "--suffix", 1e9, "-o", out)
        refused("frames 0 to", "edit", walk, "--in-between", "30:400", "-o", out)
        refused("no such clip", "edit", walk, "--clip", "nothing", "--loop", "-o", out)
        refused("--seconds", "generate", "--skeleton", walk, "--model", folder, "--seconds", 0, "-o", out)
        # The network that ships on the same bodies: it moves them or says what is missing.
        def generate(file, *words):
            return run("generate", "--skeleton", file, *words, "-o", out)

        missing = {"one": "facing", "many": "at most 256", "zero": "up is not +Y"}
        for name, file in bodies.items():
            # What can be planned is planned where the model cannot know the body.
            for action in ("walk", "attack", "jump", "hit", "die", "idle"):
                code, printed, errors = generate(file, "--action", action, "--seconds", 0.5)
                assert code == 0 and "15 frames" in printed, (name, action, code, printed, errors)
                assert name not in missing or ("planned" in printed and missing[name] in errors), (name, printed, errors)
            for more in (["--action", "dance"], ["--action", "walk", "--source", "generated"]):
                code, printed, errors = generate(file, *more, "--seconds", 0.5)
                if name in missing:
                    assert code == 2 and missing[name] in errors and name in errors, (name, code, errors)
                else:
                    assert code == 0 and "15 frames" in printed, (name, code, printed, errors)
        refused("only walk, run", "generate", "--skeleton", bodies["twice"], "--action", "wave", "--source", "planned",
                "-o", out)
        refused("along a path", "generate", "--skeleton", bodies["twice"], "--action", "attack", "--source", "planned",
                "--trajectory", path, "-o", out)
        twice = bodies["twice"]
        code, _, errors = generate(twice, "--text", "the xyzzy walks", "--seconds", 0.5)
        assert code == 0 and "xyzzy" in errors, errors
        refused("no such action", "generate", "--skeleton", twice, "--action", "xyzzy", "-o", out)
        refused("--seconds", "generate", "--skeleton", twice, "--seconds", 5000, "-o", out)
        refused("--weights", "generate", "--skeleton", twice, "--weights", "int3", "-o", out)
        still = folder / "still.csv"
        still.write_text("x,z\n1,1\n1,1\n")
        code, _, errors = generate(twice, "--trajectory", still)
        assert code == 3 and "still.csv" in errors and "two different positions" in errors, (code, errors)
        # Ten minutes, with lines of progress.
        code, printed, errors = generate(twice, "--action", "walk", "--seconds", 600, "--steps", 1)
        assert code == 0 and "18000 frames" in printed and "generate" in errors, (code, printed, errors)
        # Ten minutes more of a clip of 1.3 s.
        code, printed, errors = run("edit", bodies["twice"], "--suffix", 600, "-o", out, "--json")
        assert code == 0 and json.loads(printed)["frames"] == 18040, (code, printed, errors)


main()

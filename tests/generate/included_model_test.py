#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The included network on bodies that it never had: walks travel, idling does not, a path is followed, edits keep what
they keep. Only orders of size are asserted: figures are in docs/generate.md."""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

zoe, data = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*words):
    done = subprocess.run([zoe, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.returncode, done.stderr)
    return done.stdout


def generate(folder, body, *words):
    return json.loads(run("generate", "--skeleton", body, *words, "-o", folder / "made.bvh", "--json"))


def hips_height(folder, body, *words):
    """Mean height of CesiumMan's hips in metres."""
    run("generate", "--skeleton", body, *words, "-o", folder / "made.npz", "-q")
    made = numpy.load(folder / "made.npz")
    return made["positions"][:, list(made["bone_names"]).index("Skeleton_torso_joint_1"), 1].mean()


def walks_upright(folder):
    """Seed 3 is generated with the hips at 0.8 of their height; the plan takes its place."""
    body = data / "characters" / "khronos" / "CesiumMan.glb"
    if not body.exists():
        print(f"skipped: {body} is not there")
        return
    words = ("--action", "walk", "--seconds", 2)
    usual = hips_height(folder, body, *words, "--source", "planned")
    for seed in (3, 4, 5):
        height = hips_height(folder, body, *words, "--seed", seed)
        assert height > 0.85 * usual, (seed, height, usual)


def main():
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        # A seed that training did not have (tools/gpu/anytop_launch.sh).
        run("synth", "-o", folder / "bodies", "--count", 1, "--family", "quadruped", "--gait", "walk", "--format", "bvh",
            "--style", "neutral", "--seed", 4711, "--seconds", 2, "-q")
        body = next((folder / "bodies").glob("*.bvh"))
        travels = {}
        for action in ("walk", "idle"):
            made = generate(folder, body, "--action", action, "--seconds", 2, "--samples", 2)
            assert made["actions"] == [action] and made["family"] == "quadruped", made
            samples = made["samples"]
            assert all(sample["frames"] == 60 and sample["quality"]["bone_error"] < 1e-3 for sample in samples), made
            travels[action] = sum(sample["quality"]["travel_m"] for sample in samples) / 2
        assert travels["walk"] > 3 * travels["idle"] and travels["walk"] > 0.4, travels

        path = folder / "path.csv"
        path.write_text("x,z\n0,0\n0,1\n1,2\n")
        made = generate(folder, body, "--action", "walk", "--trajectory", path)
        assert made["samples"][0]["path_error_m"] < 0.1, made
        assert abs(made["trajectory"]["length_m"] - 2.4) < 0.2, made

        # The same seed is the same motion; another is not.
        first, again, other = (run("generate", "--skeleton", body, "--action", "walk", "--seconds", 1, "--seed", seed,
                                   "-o", folder / "one.bvh", "-q") or (folder / "one.bvh").read_text()
                               for seed in (5, 5, 6))
        assert first == again and first != other

        edited = json.loads(run("edit", body, "--suffix", 1, "--model", "anytop", "-o", folder / "longer.bvh", "--json"))
        assert edited["frames"] == edited["kept"][1] + 1 + 30 and edited["seam_ratio"] < 1.2, edited

        # Requests are as long as --seconds, or as the real clip.
        model = pathlib.Path(__file__).parents[2] / "models" / "anytop"
        for more, seconds in (([], 3), (["--own-seconds"], 2)):
            rows = json.loads(run("eval", "generate", "--model", model, "--against", body, "--seconds", 3, "--seeds", 1,
                                  "--json", *more))["windows"]
            made = next(row for row in rows if row["row"].startswith("anytop"))
            assert abs(made["seconds"] - seconds) < 0.1, (more, made)
        walks_upright(folder)
        # One step is the mean of all walks, which stands: the plan takes its place, in a row of its own.
        rows = json.loads(run("eval", "generate", "--model", model, "--against", body, "--seconds", 2, "--seeds", 1,
                              "--steps", 1, "--source", "auto", "--json"))["windows"]
        made, planned = (row["intra_diversity"] for row in rows if row["row"].startswith("anytop"))
        assert planned > 5 * made, rows


if __name__ == "__main__":
    main()

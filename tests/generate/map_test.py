#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`zoe retarget --map`: unlike bodies by correspondence, maps from files, and files that are no maps."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

zoe, data = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*words, code=0):
    done = subprocess.run([zoe, *map(str, words)], capture_output=True, text=True)
    assert code is None or done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    assert done.returncode in (0, 1, 2, 3), (words, done.returncode, done.stderr)
    return done.stdout if done.returncode == 0 else done.stderr


def body(folder, family, seed):
    run("synth", "-o", folder / family, "--count", 1, "--family", family, "--seed", seed, "--gait", "walk", "--seconds", 2,
        "-q")
    return next(path for path in sorted((folder / family).rglob("*")) if path.suffix == ".glb")


def clip_of(text):
    return json.loads(text)["files"][0]["clips"][0]


def main():
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        dog, spider, person = (body(folder, family, 4) for family in ("quadruped", "octopod", "biped"))
        words = ["retarget", dog, "--to", spider, "--allow-torn", "--json", "-q"]
        by_roles = clip_of(run(*words, "-o", folder / "roles.bvh"))
        mapped = clip_of(run(*words, "--map", "auto", "-o", folder / "auto.bvh"))
        assert (by_roles["legs"], mapped["legs"]) == (4, 8), (by_roles, mapped)
        assert mapped["hand_error"] is not None and mapped["stretch"] < 10, mapped

        # What `zoe correspond` prints is the same map.
        table = folder / "map.json"
        table.write_text(run("correspond", dog, spider, "--json"))
        run(*words, "--map", table, "-o", folder / "file.bvh")
        assert (folder / "file.bvh").read_bytes() == (folder / "auto.bvh").read_bytes()

        # Bodies that are alike need no map.
        same = ["retarget", person, "--to", person, "-q", "--allow-torn"]
        run(*same, "-o", folder / "plain.bvh")
        run(*same, "--map", "auto", "-o", folder / "same.bvh")
        assert (folder / "same.bvh").read_bytes() == (folder / "plain.bvh").read_bytes()

        # Every joint onto itself, by hand. Then the head turns as a hand does.
        names = [joint["name"] for joint in json.loads(run("info", person, "--joints", "--json"))["joints"]]
        lines = folder / "map.csv"
        lines.write_text("source,target\n" + "".join(f"{name},{name}\n" for name in names))
        run(*same, "--map", lines, "-o", folder / "hand.bvh")
        head = next(name for name in names if "head" in name.lower())
        thigh = next(joint for joint in json.loads(run("correspond", person, person, "--json"))["joints"]
                     if joint["b"] != head)["b"]
        lines.write_text(f"{thigh},{head}\n")
        run(*same, "--map", lines, "-o", folder / "odd.bvh")
        assert (folder / "odd.bvh").read_bytes() != (folder / "plain.bvh").read_bytes()

        def refused(content, word):
            lines.write_text(content)
            errors = run(*same, "--map", lines, "-o", folder / "x.bvh", code=3)
            assert word in errors, (content, errors)

        refused(f"{head},{head}x\n", f"did you mean '{head}'")
        refused(f"{head},{head}\n{thigh},{head}\n", "twice")
        refused(f"{head}\n", "source,target")
        refused(f"{head},{head},7\n", "from 0 to 1")
        refused("", "no pair")
        refused("{\"joints\": [1]}", "\"a\" and \"b\"")
        refused("{broken", "JSON")
        refused(f"{{\"{head}\": 3}}", "no name of a joint")
        run(*same, "--map", folder / "no.csv", "-o", folder / "x.bvh", code=1)

        # Damaged maps end with a message, never with a crash.
        rng, whole = random.Random(5), table.read_bytes()
        for _ in range(12):
            damaged = bytearray(whole[:rng.randrange(1, len(whole))])
            for _ in range(8):
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            lines.write_bytes(damaged)
            run("retarget", dog, "--to", spider, "--map", lines, "-q", code=None)

        # A wing that ends in a node, and no legs: NaN before.
        bee = data / "assets/creatures/quaternius_platformer/Bee.glb"
        dragon = data / "assets/creatures/quaternius_monsters/Dragon_Evolved.gltf"
        if bee.exists() and dragon.exists():
            for more in ([], ["--map", "auto"]):
                flown = clip_of(run("retarget", bee, "--to", dragon, "--clip", 0, "--json", "-q", *more))
                assert flown["hand_error"] is not None and flown["stretch"] < 2, flown


main()

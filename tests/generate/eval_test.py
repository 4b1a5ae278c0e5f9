#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`zoe eval generate` on synthetic motions: splits, the judge of actions, copies of training clips, pages."""
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


def make(folder, seed, family, actions, name):
    """One body of a family, and a file for each action."""
    for action in actions:
        drawn = folder.parent / f"{folder.name}_{name}_{action}"
        run("synth", "-o", drawn, "--count", 1, "--family", family, "--seed", seed, "--gait", action, "--names", "plain",
            "--seconds", 3, "--format", "glb", "-q")
        (folder / name).mkdir(parents=True, exist_ok=True)
        clip = next(path for path in sorted(drawn.rglob("*")) if path.suffix == ".glb")
        clip.rename(folder / name / f"{action}_{name}.glb")


def main():
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        train, real = folder / "train", folder / "real"
        for seed, name in enumerate(["ape", "bear", "cat", "deer", "elk"]):
            make(train, seed + 1, "biped", ["idle", "walk", "run"], name)
        make(real, 9, "biped", ["walk", "run"], "fox")          # A species that training never had.
        make(real, 21, "biped", ["walk"], "bear")               # A species it had.
        real_fox = real / "fox" / "walk_fox.glb"
        made = folder / "made"
        made.mkdir()
        run("edit", real_fox, "--in-between", "20:40", "-o", made / "walk_fox.glb")
        page = folder / "page.html"
        out = json.loads(run("eval", "generate", made, "--against", real, "--train", train, "--json", "-q", "-o",
                             folder / "table.json"))
        assert json.loads((folder / "table.json").read_text()) == out
        assert out["judge"]["actions"] == 3 and out["judge"]["held_out"]["clips"] == 3, out["judge"]
        assert out["judge"]["left_out_bodies"]["accuracy"] > 0.6, out["judge"]
        rows = {row["row"]: row for row in out["windows"]}
        assert set(rows) == {"generated", "nearest training clip", "real"}, rows
        assert rows["real"]["coverage"] == 1 and rows["generated"]["coverage"] > 0.2, rows
        assert rows["generated"]["action_accuracy"] in (0, 1), rows
        assert {row["row"] for row in out["splits"]} == set(rows), out["splits"]

        # Clips that are in both sets do not count: they would be no test.
        same = run("eval", "generate", made, "--against", real_fox.parent, "--train", real_fox.parent, code=2)
        assert "nothing to compare" in same, same

        run("eval", "generate", made, "--against", real, "--train", train, "-q", "-o", page)
        html = page.read_text()
        assert "Judge of actions" in html and "By split" in html, html[:500]
        for part in html.split("src=\"")[1:]:
            assert (folder / part.split("\"")[0]).exists(), part[:80]

        assert "not both" in run("eval", "generate", made, "--model", folder, "--against", real, code=2)
        assert "--model" in run("eval", "generate", "--against", real, code=2)
        assert "--against" in run("eval", "generate", made, code=2)
        assert "no such file" in run("eval", "generate", "--model", folder / "no", "--against", real, code=1).lower()


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A model of styles from clips to files, with a few steps of training: `zoe train style`, `zoe train judges`, `zoe eval
style`, `zoe stylize`, `zoe play --mood`.

usage: style_test.py ZOE DATA
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

ZOE, DATA = os.path.abspath(sys.argv[1]), sys.argv[2]


def zoe(*words, code=0):
    done = subprocess.run([ZOE, *words], capture_output=True, text=True, timeout=900)
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def main():
    source = f"{DATA}/biped/bandai_style"
    if not os.path.isdir(source):
        print("skipped: no shared data")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        clips, run, judges = f"{folder}/clips", f"{folder}/run", f"{folder}/judges"
        os.mkdir(clips)
        for content in ("walk", "raise-up-right-hand"):
            for style in ("normal", "elderly"):
                for take in (1, 2, 3, 4):
                    shutil.copy(f"{source}/dataset-2_{content}_{style}_{take:03}.bvh", clips)
        small = ["--set", "train.threads=1", "--set", "model.channels=8", "--set", "train.batch=8"]
        zoe("train", "judges", "--data", clips, "-o", judges, "--steps", "5", "--seeds", "1", "--held-out-takes", "1", *small)
        zoe("train", "style", "--data", clips, "-o", run, "--steps", "6", "--held-out-takes", "1", "--licence", "test",
            *small, "--set", "model.hidden=16", "--set", "model.embed=8")
        for name in ("step.safetensors", "encoder.safetensors", "styles.safetensors", "config.toml", "held_out.txt"):
            assert os.path.exists(f"{run}/{name}"), name
        held_out = open(f"{run}/held_out.txt").read().split()
        assert len(held_out) == 4 and all(name.endswith("_004") for name in held_out), held_out

        report = json.loads(zoe("eval", "style", run, "--data", clips, "--judges", judges, "--held-out-takes", "1", "--json"))
        assert report["training_clips"] == 12 and report["held_out_clips"] == 4, report
        assert len(report["judges"]) == 32 and report["styles"] == ["elderly", "normal"], report
        methods = [one["method"] for one in report["methods"]]
        assert methods == ["identity", "mean pose offset", "mean and deviation", "model, by name",
                           "model, clip of another content", "model, change by name"], methods
        for one in report["methods"] + [report["real"]]:
            assert all(0 <= value <= 1 for value in one["accuracy"].values()), one
        again = json.loads(zoe("eval", "style", "--data", clips, "--judges", judges, "--held-out-takes", "1", "--json"))
        assert again["judges"] == report["judges"] and again["real"] == report["real"]

        # Pairs of procedural styles; a content that is not used.
        rules = f"{folder}/rules"
        zoe("train", "style", "--data", clips, "-o", rules, "--steps", "6", "--held-out-takes", "1", "--procedural", "2",
            "--without-content", "walk", *small, "--set", "model.hidden=16", "--set", "model.embed=8")
        held_out = open(f"{rules}/held_out.txt").read().split()
        assert len(held_out) == 10 and sum("_walk_" in name for name in held_out) == 8, held_out
        known = zoe("stylize", "--model", rules, "--list").split()
        assert known[:2] == ["elderly", "normal"] and "tired" in known and len(known) == 10, known

        # The baseline with a cell for each style: its codes are probabilities.
        labels = f"{folder}/labels"
        zoe("train", "style", "--data", clips, "-o", labels, "--steps", "6", "--no-mirror", *small, "--set",
            "model.hidden=16", "--set", "model.embed=8", "--set", "model.recurrent=per_style")
        zoe("stylize", f"{source}/dataset-2_walk_normal_011.bvh", "--model", labels, "--style", "elderly", "-o",
            f"{folder}/labels.bvh")

        walk = f"{source}/dataset-2_walk_normal_011.bvh"
        assert zoe("stylize", "--model", run, "--list").split() == ["elderly", "normal"]
        for style in ("elderly", "0.5*elderly+0.5*normal", f"{source}/dataset-2_run_elderly_001.bvh"):
            zoe("stylize", walk, "--model", run, "--style", style, "-o", f"{folder}/out.bvh")
            info = json.loads(zoe("info", f"{folder}/out.bvh", "--json"))
            reference = json.loads(zoe("info", walk, "--json"))
            assert info["clips"][0]["frames"] == reference["clips"][0]["frames"], info["clips"]
        zoe("stylize", clips, "--model", run, "--style", "elderly", "-o", f"{folder}/all")
        assert len(os.listdir(f"{folder}/all")) == 16
        assert "elderly" in zoe("stylize", walk, "--model", run, "--style", "elderli", "-o", f"{folder}/x.bvh", code=2)
        assert "styles.safetensors" in zoe("stylize", walk, "--model", clips, "--style", "a", "-o", f"{folder}/x.bvh", code=1)
        zoe("stylize", walk, "--model", run, "-o", f"{folder}/x.bvh", code=2)
        # The included model, on a skeleton that it was not trained with, and over the included controller.
        assert "tired" in zoe("stylize", "--list").split()
        for mode in ("auto", "whole"):
            zoe("stylize", walk, "--style", "0.5*tired+0.5*zombie", "--apply", mode, "-o", f"{folder}/{mode}.bvh")
        assert open(f"{folder}/auto.bvh").read() != open(f"{folder}/whole.bvh").read()
        zoe("play", os.path.join(os.path.dirname(__file__), "../../models/walker"), "--mood", "tired", "--path", "circle",
            "--seconds", "1", "-o", f"{folder}/play.bvh")
        searched = zoe("stylize", walk, "--style", f"{source}/dataset-2_run_elderly_001.bvh", "--refine", "3", "-o",
                       f"{folder}/searched.bvh")
        assert "by the encoder alone" in searched, searched
        zoe("stylize", walk, "--style", "rule:tired", "-o", f"{folder}/tired.bvh")
        assert "proud" in zoe("stylize", walk, "--style", "rule:tirde", "-o", f"{folder}/x.bvh", code=2)
        assert "/models" not in zoe("stylize", "--help")
    return 0


sys.exit(main())

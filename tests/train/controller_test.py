#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""From a folder of clips to a controller that is steered and measured, as a user does it. Small: it shows that the way is open,
not that the walk is good.

usage: controller_test.py ZOE
"""
import json
import os
import subprocess
import sys
import tempfile

zoe = sys.argv[1]
without_display = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}


def run(*words, expect=0):
    done = subprocess.run([zoe, *words], capture_output=True, text=True, check=False, env=without_display)
    if done.returncode != expect:
        sys.exit(f"zoe {' '.join(words)}: exit code {done.returncode}, not {expect}\n{done.stdout}\n{done.stderr}")
    return done


def check(holds, what):
    if not holds:
        sys.exit(f"does not hold: {what}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    run("synth", "-o", "clips", "--count", "6", "--family", "biped", "--gait", "walk", "--names", "plain", "--seconds", "5", "-q")
    for kind in ("mann", "pfnn", "lmp", "cxm"):
        run("train", "controller", "--kind", kind, "--data", "clips", "-o", kind, "-q", "--set", "model.hidden=24",
            "--set", "train.steps=60", "--set", "train.batch=32", "--device", "cpu", *(() if kind == "mann" else ("--no-film",)),
            *{"pfnn": (), "cxm": ("--set", "model.channels=8")}.get(kind, ("--set", "model.experts=2")))
        for part in ("controller.toml", "body.safetensors", "model.safetensors", "metrics.json", "metrics.md", "report.html"):
            check(os.path.exists(f"{kind}/{part}"), f"{kind} has {part}")
        if kind == "mann" and "zoe was built without" not in run("render", "--help").stderr:
            for part in ("sheet.png", "film.mp4"):
                check(os.path.exists(f"mann/{part}"), f"the trainer's own process draws {part}")
            check(not os.path.exists("mann/tour.glb"), "no file in between")
        run("play", kind, "--path", "slalom", "--seconds", "2", "-o", f"{kind}.bvh", "-q")
        check(os.path.getsize(f"{kind}.bvh") > 10000, "a motion was written")
    # Three networks in place of a database.
    made = run("train", "controller", "--kind", "lmm", "--data", "clips", "-o", "lmm", "--set", "model.hidden=32", "--set",
               "decompressor:model.compressor_hidden=32", "--set", "train.steps=40", "--set", "train.batch=32", "--device", "cpu", "--no-film").stdout
    check("times smaller" in made, "the compression is told")
    for part in ("decompressor", "stepper", "projector", "features", "body"):
        check(os.path.exists(f"lmm/{part}.safetensors"), f"lmm has {part}")
    check(not os.path.exists("lmm/tracks"), "what was trained on is cleared away")
    run("play", "lmm", "--path", "slalom", "--seconds", "2", "-o", "lmm.bvh", "-q")
    # Phases are trained first, with settings of their own, as many as are asked for.
    run("train", "controller", "--kind", "deepphase", "--data", "clips", "-o", "deepphase", "-q", "--no-film", "--set", "model.hidden=24", "--set",
        "train.steps=60", "--set", "model.experts=2", "--set", "pae:train.steps=20", "--set", "pae:model.hidden=6", "--set",
        "pae:model.phases=3", "--device", "cpu")
    with open("deepphase/dataset/dataset.json", encoding="utf-8") as file:
        check("signal name=phase width=6" in file.read(), "three channels of two numbers")
    run("play", "deepphase", "--path", "slalom", "--seconds", "2", "-o", "deepphase.bvh", "-q")
    # Two minutes of sticks, however little they have learned.
    run("train", "controller", "--kind", "mm", "--data", "clips", "-o", "mm", "-q", "--no-film")
    for kind in ("mm", "lmm", "mann", "pfnn", "lmp", "deepphase", "cxm"):
        sticks = json.loads(run("eval", "controller", kind, "--seeds", "1", "--seconds", "4", "--paths", "straight", "--no-held-out",
                                "--sticks-minutes", "2", "--json", "-q").stdout)["endurance"]
        check(sticks["finite"] == 1 and sticks["minutes"] == 2, f"{kind} stays finite")
        check(sticks["lowest_top_share"] > 0.5, f"{kind} stays upright: {sticks}")
        check(sticks["restarts"] == 0, f"{kind} is never started again: {sticks}")
    first = run("play", "mann", "--path", "sticks", "--seed", "3", "--seconds", "3").stdout
    check("state" in first and first.split("state")[1] == run("play", "mann", "--path", "sticks", "--seed", "3", "--seconds",
                                                              "3").stdout.split("state")[1], "the same seed, the same end")
    found = json.loads(run("eval", "controller", "mann", "--seeds", "1", "--seconds", "4", "--paths", "circle,sticks", "--json").stdout)
    check(found["kind"] == "mann" and found["seeds"] == 1, "eval says what it measured")
    check(found["metrics"]["foot_skate_cm_s"]["reference"] > 0, "the source's own skate is beside")
    check(found["metrics"]["recoveries"]["mean"] == 0, "it never lost its way")
    found = json.loads(run("eval", "controller", "mann", "--seeds", "1", "--seconds", "4", "--paths", "circle", "--held-out", "clips",
                           "--sticks-minutes", "0.2", "--json", "-o", "table.html").stdout)
    held = found["held_out"]
    check(held["split"] == "all" and held["clips"] == 6, "clips given by hand are courses")
    check(held["metrics"]["jerk_m_s3"]["reference"] > 0 and held["metrics"]["place_error_cm"]["mean"] > 0, "and are measured beside")
    check(found["endurance"]["finite"] == 1, "sticks are told about")
    with open("table.html", encoding="utf-8") as file:
        page = file.read()
    check("<svg" in page and "Held-out mocap, 6 clips" in page, "a page with tables and a plot")
    with open("line.csv", "w", encoding="utf-8") as file:
        file.write("x,z\n0,0\n0,2\n1,4\n")
    with open("script.txt", "w", encoding="utf-8") as file:
        file.write("0 move 0 1\n1 stand\n")
    run("play", "mann", "--path", "line.csv", "--seconds", "1", "-q")
    run("play", "mann", "--script", "script.txt", "--seconds", "1", "-q")

    # What goes wrong says where and what to do.
    check("zoe train controller" in run("play", "nowhere", expect=1).stderr, "a folder without a controller")
    check("circle" in run("play", "mann", "--path", "cirle", expect=2).stderr, "a misspelt path")
    check("mann" in run("train", "controller", "--kind", "man", "--data", "clips", "-o", "x", expect=2).stderr, "a misspelt kind")
    with open("line.csv", "a", encoding="utf-8") as file:
        file.write("north\n")
    check("line.csv:5" in run("play", "mann", "--path", "line.csv", expect=3).stderr, "a line that is no place")
    os.remove("mann/model.safetensors")
    check("model.safetensors" in run("play", "mann", expect=1).stderr, "a part that is missing")
print("controllers train, play and are measured")

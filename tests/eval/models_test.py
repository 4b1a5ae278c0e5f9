#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Weights that ship keep what their cards say: they follow paths, answer, and do not lose their way in two minutes of sticks.

usage: models_test.py ZOE MODELS
"""
import json
import os
import re
import subprocess
import sys
import tempfile

zoe, models = sys.argv[1:]

# Foot skate, cm/s: 1.3 times the source's own of the walker's card; feet of the dog's made-up source hardly slide, so a little more than its card says.
SKATE = {"walker": 1.3 * 21.4, "dog": 4}


def run(*words):
    done = subprocess.run([zoe, *words, "-q"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def measure(name, *words):
    found = json.loads(run("eval", "controller", os.path.join(models, name), "--json", *words))
    return {measure: value["mean"] for measure, value in found["metrics"].items()} | found.get("endurance", {})


def check(name, found, what, limit):
    if not found[what] <= limit:
        sys.exit(f"{name}: {what} is {found[what]:.3g}, above {limit}")


def hips_height(name, *words):
    """Of the last frame."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "played.bvh")
        run("play", os.path.join(models, name), "--seconds", "4", "-o", path, *words)
        with open(path, encoding="utf-8") as lines:
            return float(lines.readlines()[-1].split()[1])


for name, skate in SKATE.items():
    if not os.path.exists(os.path.join(models, name, "model.safetensors")):
        continue
    for path in ("circle", "slalom"):
        found = measure(name, "--paths", path, "--seeds", "2")
        check(name, found, "path_error_cm", 10)
        check(name, found, "foot_skate_cm_s", skate)
    found = measure(name, "--seeds", "2")
    for what, limit in (("response_s", 0.35), ("stand_drift_cm", 2), ("stand_turn_deg", 3), ("stand_twist_deg", 30), ("stop_s", 0.5), ("start_s", 0.5),
                        ("stop_slide_cm", 6), ("start_slide_cm", 8)):
        check(name, found, what, limit)
    found = measure(name, "--paths", "straight", "--seeds", "1", "--seconds", "4", "--sticks-minutes", "2")
    for what, limit in (("restarts", 0), ("stuck_s", 5), ("longest_freeze_s", 2), ("worst_root_m_s", 6), ("height_drift_cm", 5)):
        check(name, found, what, limit)
    if not (found["finite"] == 1 and found["lowest_top_share"] > 0.5):
        sys.exit(f"{name} did not stay upright: {found}")
    if name == "dog":
        sits, stands = hips_height(name, "--action", "sit"), hips_height(name, "--action", "none")
        if not sits < 0.6 * stands:
            sys.exit(f"dog: told to sit its hips are at {sits:.3g}, standing at {stands:.3g}")


def crowd(*words, **environment):
    done = subprocess.run([zoe, "play", os.path.join(models, "walker"), "--crowd", "24", "--scene", "swap", "--seconds", "22", *words],
                          capture_output=True, text=True, check=False, env=dict(os.environ, **environment))
    found = re.search(r"state ([0-9a-f]{16})\n +(\d+) of 24 arrived; .* ([\d.]+) cm the deepest", done.stdout)
    if done.returncode != 0 or not found:
        sys.exit(f"crowd: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return found[1], int(found[2]), float(found[3])


state, arrived, deepest_cm = crowd(ZOE_THREADS="1")
if arrived < 20 or deepest_cm > 10:
    sys.exit(f"crowd: {arrived} of 24 arrived, {deepest_cm} cm into each other")
if crowd(ZOE_THREADS="3")[0] != state:
    sys.exit("crowd: the number of threads changes the result")
if crowd("--no-avoid")[2] < 30:
    sys.exit("crowd: nobody was in the way")
if crowd("--lod", "0,5")[1] < 12:
    sys.exit("crowd: far away hardly anybody arrives")

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Weights that ship keep what their cards say: they follow paths, answer, and do not lose their way in two minutes of sticks.

usage: models_test.py ZOE MODELS
"""
import json
import os
import subprocess
import sys

zoe, models = sys.argv[1:]


def measure(run, *words):
    done = subprocess.run([zoe, "eval", "controller", os.path.join(models, run), "--json", "-q", *words], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{run}: exit code {done.returncode}\n{done.stderr}")
    return {name: value["mean"] for name, value in json.loads(done.stdout)["metrics"].items()}


def check(run, found, name, limit):
    if not found[name] <= limit:
        sys.exit(f"{run}: {name} is {found[name]:.3g}, above {limit}")


for path in ("circle", "slalom"):
    found = measure("walker", "--paths", path, "--seeds", "2")
    check("walker", found, "path_error_cm", 10)
    check("walker", found, "foot_skate_cm_s", 1.3 * 21.4)  # The source's own, of its card.
check("walker", measure("walker", "--seeds", "2"), "response_s", 0.35)
found = measure("walker", "--paths", "sticks", "--seeds", "1", "--seconds", "120")
check("walker", found, "recoveries", 0)
check("walker", found, "stuck_s", 5)

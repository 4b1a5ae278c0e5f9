#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs the commands that our pages show: every ```sh block after a line `<!-- run -->`, in order, in one fresh folder.

usage: readme_test.py PAGE BIN_FOLDER
"""
import os
import re
import subprocess
import sys
import tempfile

page, bin_folder = sys.argv[1:3]
with open(page, encoding="utf-8") as file:
    blocks = re.findall(r"^<!-- run -->\n```sh\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL)
if not blocks:
    sys.exit(f"{page} has no block marked <!-- run -->")

environment = dict(os.environ, PATH=bin_folder + os.pathsep + os.environ["PATH"])
with tempfile.TemporaryDirectory() as folder:
    for block in blocks:
        run = subprocess.run(["bash", "-euxo", "pipefail", "-c", block], cwd=folder, env=environment, check=False)
        if run.returncode != 0:
            sys.exit(f"{page}: a command shown there failed with exit code {run.returncode}")
print(f"{len(blocks)} block(s) of {os.path.basename(page)} run")

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every relative link in our Markdown pages leads somewhere.

usage: links_test.py ROOT
"""
import os
import re
import sys

root = sys.argv[1]
pages = [name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md") if os.path.exists(os.path.join(root, name))]
for top in ("docs", "src", "examples"):
    for folder, _, names in os.walk(os.path.join(root, top)):
        pages += [os.path.relpath(os.path.join(folder, name), root) for name in names if name.endswith(".md")]
broken = []
for page in sorted(pages):
    in_code = False
    with open(os.path.join(root, page), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("```"):
                in_code = not in_code
            for target in [] if in_code else re.findall(r"\]\(([^)#\s]+)[^)]*\)", re.sub(r"`[^`]*`", "", line)):
                if "://" not in target and not os.path.exists(os.path.join(root, os.path.dirname(page), target)):
                    broken.append(f"{page}:{number}: {target} does not exist")
print("\n".join(broken) or f"links of {len(pages)} pages hold")
sys.exit(1 if broken else 0)

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The table of modules in docs/architecture.md: layers and edges from cmake/layers.txt, jobs from the room cards' first
sentences.

usage: architecture_table.py ROOT            writes the table between its two marks
       architecture_table.py ROOT --check    exit 1 when the page has another table
"""
import os
import re
import sys

sys.dont_write_bytecode = True
import check_layers  # noqa: E402

PAGE = "docs/architecture.md"
BEGIN = "<!-- modules: written by tools/dev/architecture_table.py -->"
END = "<!-- end of modules -->"
# Programs are above all modules.
PROGRAMS = [
    ("tools/cli", "The `zoe` command: one file a verb; no algorithm lives there."),
    ("tools/viewer", "`zoe-view`, the window behind `zoe view`: the only program with GLFW and Dear ImGui; no algorithm "
                     "lives there."),
    ("tools/capi", "`libzoe_c`, the C interface of the run time, and its C# binding; no algorithm lives there."),
    ("tools/python", "The Python module `zoetrope`; no algorithm lives there."),
]


def job(root, module):
    """The first sentence of a room card, or None without one."""
    card = os.path.join(root, "src", module, "README.md")
    if not os.path.exists(card):
        return None
    with open(card, encoding="utf-8") as file:
        paragraphs = file.read().split("\n\n")
    text = " ".join(" ".join(paragraphs[1:2]).split())
    return re.split(r"(?<=\.) ", text)[0]


def table(root):
    modules, problems = check_layers.read_table(os.path.join(root, "cmake", "layers.txt"))
    if problems:
        return problems[0]
    rows = [(layer, name, job(root, name) or "Planned.", ", ".join(uses)) for name, (layer, uses) in modules.items()]
    top = max(layer for layer, _, _, _ in rows) + 1
    rows += [(top, name, words, "all") for name, words in PROGRAMS]
    lines = ["| layer | module | job | uses |", "|---|---|---|---|"]
    return "\n".join(lines + [f"| {layer} | {name} | {words} | {uses} |".replace("|  |", "| |") for layer, name, words, uses in rows])


def with_table(root, page):
    """The page with its table as it should be, or None where the marks are missing."""
    parts = re.split(f"({re.escape(BEGIN)}|{re.escape(END)})", page)
    if len(parts) != 5 or parts[1] != BEGIN:
        return None
    return parts[0] + BEGIN + "\n\n" + table(root) + "\n\n" + END + parts[4]


def check(root):
    with open(os.path.join(root, PAGE), encoding="utf-8") as file:
        page = file.read()
    wanted = with_table(root, page)
    if wanted is None:
        return [f"{PAGE}:1: the marks around the table of modules are missing: {BEGIN} and {END}"]
    if wanted == page:
        return []
    lines = zip(page.split("\n"), wanted.split("\n"))
    number = next((n for n, (a, b) in enumerate(lines, 1) if a != b), 1)
    return [f"{PAGE}:{number}: the table of modules is not that of cmake/layers.txt and the room cards: run "
            "tools/dev/architecture_table.py ."]


def main(root, *words):
    if words == ("--check",):
        problems = check(root)
        print("\n".join(problems) or "the table of modules is up to date")
        return 1 if problems else 0
    path = os.path.join(root, PAGE)
    with open(path, encoding="utf-8") as file:
        page = with_table(root, file.read())
    if page is None:
        print(f"{PAGE} has no marks")
        return 1
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

# SPDX-License-Identifier: MIT
"""Runs the code cells of a notebook in order, as Jupyter would, and prints the value of a cell's last line.

Needs no Jupyter. Notebooks are run in their own folder, and they are committed without outputs.
usage: run_notebook.py NOTEBOOK
"""
import ast
import json
import os
import sys


def read_cells(path):
    with open(path, encoding="utf-8") as file:
        book = json.load(file)
    if book["nbformat"] != 4 or book["nbformat_minor"] < 5:
        sys.exit(f"{path}: format 4.5 is needed")
    ids = [cell["id"] for cell in book["cells"]]
    if len(set(ids)) != len(ids):
        sys.exit(f"{path}: two cells have the same id")
    for cell in book["cells"]:
        if cell["cell_type"] == "code" and (cell["outputs"] or cell["execution_count"] is not None):
            sys.exit(f"{path}: cell {cell['id']} has outputs: clear them before a commit")
    return [(cell["id"], "".join(cell["source"])) for cell in book["cells"] if cell["cell_type"] == "code"]


def run_cell(name, source, variables):
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), variables)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), name, "eval"), variables)
        if value is not None:
            print(repr(value))


if __name__ == "__main__":
    cells = read_cells(sys.argv[1])
    os.chdir(os.path.dirname(os.path.abspath(sys.argv[1])))
    variables = {"__name__": "__main__"}
    for name, source in cells:
        run_cell(name, source, variables)
    print(f"notebook ok: {len(cells)} cells")

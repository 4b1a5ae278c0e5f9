# SPDX-License-Identifier: MIT
"""The Python module's interface: the stub says what there is, everything has a text, long calls free the lock."""
import ast
import faulthandler
import os
import re
import sys
import threading

import numpy
import pytest

import zoetrope as zoe

SOURCE = os.environ["ZOE_SOURCE_DIR"]
WALKER = os.path.join(SOURCE, "models", "walker")

STUB = ast.parse(open(os.path.join(os.path.dirname(zoe.__file__), "_zoe.pyi"), encoding="utf-8").read())
# Of every class that pybind11 makes; pickle's are not for callers.
OF_ALL = {"__init__", "__getstate__", "__setstate__", "__repr__"}


def public(names):
    return {name for name in names if not name.startswith("__")}


def arguments_of(function):
    """Names and whether each has a default, as pybind11 writes them into the first line of the text."""
    line = function.__doc__.splitlines()[0]
    parts, depth = [""], 0
    for letter in line[line.index("(") + 1:line.rindex(" -> ") - 1]:
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [(part.split(":")[0].strip(), " = " in part) for part in parts if part]


def arguments_in_stub(node):
    names = [one.arg for one in node.args.args]
    without = len(names) - len(node.args.defaults)
    return [(name, index >= without) for index, name in enumerate(names)]


def test_stub_lists_the_module():
    stub = {node.name for node in STUB.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert stub == public(dir(zoe._zoe))


def test_stub_lists_the_classes():
    for node in STUB.body:
        if not isinstance(node, ast.ClassDef) or node.name == "Error":
            continue
        real = getattr(zoe._zoe, node.name)
        stub = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        stub |= {one.target.id for one in node.body if isinstance(one, ast.AnnAssign)}
        there = {name for name in vars(real) if callable(getattr(real, name)) or isinstance(vars(real)[name], property)}
        special = {name for name in there if name in ("__len__", "__getitem__")}
        assert stub - OF_ALL == public(there) | special, node.name


def test_stub_has_the_arguments():
    checked = 0
    functions = [(zoe._zoe, node, node.name) for node in STUB.body if isinstance(node, ast.FunctionDef)]
    for owner in (node for node in STUB.body if isinstance(node, ast.ClassDef)):
        functions += [(getattr(zoe._zoe, owner.name), node, f"{owner.name}.{node.name}") for node in owner.body
                      if isinstance(node, ast.FunctionDef)]
    for owner, node, name in functions:
        real = arguments_of(getattr(owner, node.name))
        if [one for one, _ in real] == ["*args", "**kwargs"]:
            continue  # Of a build without the renderer.
        assert real == arguments_in_stub(node), name
        checked += 1
    assert checked > 25


def test_everything_is_documented():
    for name in zoe.__all__:
        assert name == "__version__" or getattr(zoe, name).__doc__, name
    for name in public(zoe.__all__):
        item = getattr(zoe, name)
        if not isinstance(item, type) or item is zoe.Error:
            continue
        for member in public(vars(item)):
            text = getattr(item, member).__doc__ or ""
            # pybind11 writes the signature of functions itself; a sentence comes after it.
            assert len(text.strip().splitlines()) > (0 if isinstance(vars(item)[member], property) else 1), (name,
                                                                                                           member)
    for name in ("analyse", "certify", "generate", "record", "render"):
        assert getattr(zoe, name).__annotations__["return"], name


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    path = tmp_path_factory.mktemp("clips") / "walk.bvh"
    walker = zoe.Controller(WALKER)
    zoe.record(walker, walker.character(), 1, fps=30).save(path)
    return str(path)


def calls(path):
    file, network = zoe.load(path), zoe.Network(os.path.join(WALKER, "model.safetensors"))
    crowd = zoe.Crowd(zoe.Controller(WALKER), [[0, 0], [2, 0]])
    inputs = {name: numpy.zeros((1, rows, width), numpy.float32) for name, (rows, width) in network.inputs.items()}
    velocities = numpy.zeros((2, 2), numpy.float32)
    return {"load": lambda: zoe.load(path), "save": lambda: file.save(path + ".npz"),
            "retarget": lambda: zoe.retarget(file, file), "features": lambda: zoe.features(path, "mann"),
            "certify": lambda: zoe.certify(file), "analyse": lambda: zoe.analyse(file),
            "render": lambda: zoe.render(file, size=(64, 48), time=0.5), "positions": file.clips[0].positions,
            "evaluate": lambda: network.evaluate(inputs), "tick": lambda: crowd.tick(0.02, velocities),
            "generate": lambda: zoe.generate(os.path.join(SOURCE, "models", "anytop"), file, seconds=0.2),
            "build_dataset": lambda: zoe.build_dataset([path], path + "_data", "mann")}


def test_long_calls_release_the_lock(walk):
    """No thread is interrupted here, so that another one runs only where a call releases the lock."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(10000)
    faulthandler.dump_traceback_later(900, exit=True)  # A call that keeps the lock is repeated for ever.
    try:
        for name, call in calls(walk).items():
            gate, ran = threading.Lock(), []
            gate.acquire()
            thread = threading.Thread(target=lambda: (gate.acquire(), ran.append(name)))
            thread.start()  # Returns when the thread waits at the gate: until then it has the lock.
            gate.release()
            while not ran:
                call()
            thread.join()
    finally:
        faulthandler.cancel_dump_traceback_later()
        sys.setswitchinterval(usual)

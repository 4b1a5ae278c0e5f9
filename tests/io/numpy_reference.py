# SPDX-License-Identifier: MIT
# Part of Zoetrope's tests. `write FOLDER` makes files that our readers must read; `check FOLDER` loads what we wrote.
import itertools
import pathlib
import sys

import numpy as np

NUMBERS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
NAMES = ["Hips", "Hüfte", "骨", ""]


def write(folder):
    ramp = np.arange(24).reshape(2, 3, 4)
    arrays = {}
    for kind, order, layout in itertools.product(NUMBERS, "<>", "CF"):
        values = ramp % 2 if kind == "?" else ramp
        array = np.array(values, dtype=np.dtype(kind).newbyteorder(order), order=layout)
        arrays[f"{kind.replace('?', 'b1')}_{'le' if order == '<' else 'be'}_{layout}"] = array
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    for version in [(1, 0), (2, 0), (3, 0)]:
        with open(folder / f"version{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, np.float32([1, 2, 3]), version=version)
    strings = np.array(NAMES)
    special = {"names": strings, "bytes": np.array([b"ab", b"c", b""]), "scalar": np.float64(2.5),
               "halves": np.float16([0.5, -65504, 6e-8, np.inf]), "empty": np.zeros((0, 3), np.float32),
               "names_be": strings.astype(strings.dtype.newbyteorder(">"))}
    pickled = {"objects": np.array([None, "a"], dtype=object)}
    np.savez(folder / "stored.npz", **arrays, **special, **pickled)
    np.savez_compressed(folder / "deflated.npz", **arrays, **special, **pickled)


def check(folder):
    for file in ["ours_stored.npz", "ours_deflated.npz"]:
        with np.load(folder / file, allow_pickle=False) as ours:
            for kind in NUMBERS:
                array = ours[kind.replace("?", "b1")]
                assert array.dtype == np.dtype(kind), (kind, array.dtype)
                expected = np.arange(6).reshape(2, 3)
                assert np.array_equal(array, expected % 2 if kind == "?" else expected), kind
            assert ours["names"].tolist() == NAMES
            assert ours["scalar"].shape == () and ours["scalar"] == 2.5
            columns = ours["columns"]
            assert columns.flags["F_CONTIGUOUS"] and np.array_equal(columns, [[0, 1, 2], [3, 4, 5]])
            assert ours["empty"].shape == (0, 3)
    mapped = np.load(folder / "ours.npy", mmap_mode="r")
    assert mapped.shape == (2, 2) and mapped.dtype == np.float32 and mapped[1, 1] == 4
    assert mapped.offset % 64 == 0


{"write": write, "check": check}[sys.argv[1]](pathlib.Path(sys.argv[2]))

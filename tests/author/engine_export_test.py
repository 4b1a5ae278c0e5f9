# SPDX-License-Identifier: MIT
"""Folders of `zoe export --for-engine`, run by examples/11_engine_export/reproduce.py and ONNX Runtime alone.

Usage: engine_export_test.py REPRODUCE.py STAND_IN_FOLDER FOLDER…      (ZOE_NODE_PACKAGES: see the stand-in)
"""
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT, STAND_IN, FOLDERS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]


def reproduce(folder):
    # No zoe module and no path of the checkout but the stand-in.
    environment = {**os.environ, "PYTHONPATH": STAND_IN, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, SCRIPT, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=environment)


def is_learned(folder):
    return os.path.exists(os.path.join(folder, "projector.onnx"))


class Reproduced(unittest.TestCase):
    def test_every_folder_to_one_ten_thousandth(self):
        for folder in FOLDERS:
            with self.subTest(folder):
                run = reproduce(folder)
                print(run.stdout)
                self.assertEqual(run.returncode, 0, run.stdout)
                self.assertIn("equal to 0.0001", run.stdout)

    def test_a_wrong_constant_is_noticed(self):
        learned = [folder for folder in FOLDERS if is_learned(folder)][0]
        walker = [("correction", "share"), ("trajectory", "velocity_half_life_s"), ("trajectory", "own_way_now"),
                  ("lead", "max_distance_m")]
        matching = [("search", "interval_s"), ("search", "transition_cost"), ("switch", "blend_s"),
                    ("switch", "blend_half_life_s"), ("switch", "root_half_life_s"), ("warp", "stretch"), ("warp", "bend_rad_s"),
                    ("warp", "time_s"), ("correction", "share"), ("trajectory", "velocity_half_life_s")]
        for source, path in [(FOLDERS[0], path) for path in walker] + [(learned, path) for path in matching]:
            with self.subTest(path), tempfile.TemporaryDirectory() as work:
                folder = shutil.copytree(source, os.path.join(work, "changed"))
                name = os.path.join(folder, "constants.json")
                with open(name, encoding="utf-8") as file:
                    constants = json.load(file)
                constants[path[0]][path[1]] *= 0.5
                with open(name, "w", encoding="utf-8") as file:
                    json.dump(constants, file)
                self.assertEqual(reproduce(folder).returncode, 1, path)

    def test_tables_are_whole(self):
        for folder in FOLDERS:
            with open(os.path.join(folder, "columns.json"), encoding="utf-8") as file:
                tables = json.load(file)
            with open(os.path.join(folder, "steps.json"), encoding="utf-8") as file:
                steps = json.load(file)["steps"]
            self.assertEqual(len(steps), 60)
            if is_learned(folder):
                self.assertEqual(len(steps[-1]["y"]), tables["outputs"][0]["width"])
                self.assertGreater(len(steps[-1]["state"]), tables["inputs"][0]["width"])
                searches = [step["query"] for step in steps if step["query"]]
                self.assertTrue(all(len(query) == tables["inputs"][0]["width"] for query in searches))
                self.assertTrue(searches and any(step["switched"] for step in steps))
                continue
            for table, key in ((tables["inputs"][0], "x"), (tables["outputs"][0], "y")):
                names = [column["name"] for column in table["columns"]]
                self.assertEqual(len(names), table["width"])
                self.assertEqual(len(steps[0][key]), table["width"] * table["frames"])
                self.assertTrue(all({"joint", "space", "unit", "mean", "deviation"} <= set(column)
                                    for column in table["columns"]))

    def test_axis_notes_keep_rotations(self):
        """The conversions of README.md: a rotated point, converted, is the converted point, rotated as converted."""
        def rotate(q, v):
            x, y, z, w = q
            t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
            return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
                    v[2] + w * t[2] + x * t[1] - y * t[0]]
        with open(os.path.join(FOLDERS[0], "README.md"), encoding="utf-8") as file:
            text = file.read()
        for row in ("| position (x, y, z) | (x, y, z) | (-x, y, z) | 100 (z, -x, y) |",
                    "| quaternion (x, y, z, w) | (x, y, z, w) | (x, -y, -z, w) | (-z, x, -y, w) |"):
            self.assertIn(row, text)
        q, v = [0.1, -0.5, 0.3, math.sqrt(1 - 0.35)], [0.4, 1.5, -2.0]
        unity = (lambda p: [-p[0], p[1], p[2]], lambda r: [r[0], -r[1], -r[2], r[3]])
        unreal = (lambda p: [100 * p[2], -100 * p[0], 100 * p[1]], lambda r: [-r[2], r[0], -r[1], r[3]])
        for point, rotation in (unity, unreal):
            # Left-handed axes have the same formula for rotations.
            for a, b in zip(point(rotate(q, v)), rotate(rotation(q), point(v))):
                self.assertAlmostEqual(a, b, places=9)


unittest.main(argv=sys.argv[:1])

# SPDX-License-Identifier: MIT
"""`zoe physics learn` from clips to a policy that `track` and `play` use: a training of seconds, which learns nothing yet.

Usage: learn_test.py ZOE_BINARY WALKER_RUN
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

ZOE, WALKER = (os.path.abspath(word) for word in sys.argv[1:3])


def zoe(*words):
    return subprocess.run([ZOE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)


class Learn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.clip, cls.run_folder = (os.path.join(cls.folder.name, name) for name in ("walk.bvh", "policy"))
        made = zoe("play", WALKER, "--path", "straight", "--seconds", "3", "-o", cls.clip, "--quiet")
        assert made.returncode == 0, made.stderr
        cls.learned = zoe("physics", "learn", cls.clip, "-o", cls.run_folder, "--rounds", "2", "--frames", "600",
                          "--steps", "4", "--window", "6", "--set", "train.batch=4", "--set", "model.hidden=16",
                          "--set", "model.world_hidden=16", "--set", "train.threads=1", "--device", "cpu")

    def test_learns_in_rounds(self):
        self.assertEqual(self.learned.returncode, 0, self.learned.stderr)
        lines = self.learned.stdout.splitlines()
        self.assertEqual(len(lines), 3, lines)
        with open(os.path.join(self.run_folder, "training", "metrics.jsonl"), encoding="utf-8") as file:
            steps = [json.loads(line)["step"] for line in file]
        self.assertEqual(steps[-1], 8, "the second round goes on where the first ended")

    def test_track_and_play_use_it(self):
        with_policy = [json.loads(zoe("physics", "track", self.clip, "--seconds", "1", "--json", "--policy",
                                      self.run_folder).stdout) for _ in range(2)]
        without = json.loads(zoe("physics", "track", self.clip, "--seconds", "1", "--json").stdout)
        self.assertEqual(with_policy[0]["hash"], with_policy[1]["hash"])
        self.assertNotEqual(with_policy[0]["hash"], without["hash"])
        played = zoe("play", WALKER, "--physics", "--policy", self.run_folder, "--assist", "1", "--path", "straight",
                     "--seconds", "1", "-o", os.path.join(self.folder.name, "played.bvh"))
        self.assertEqual(played.returncode, 0, played.stderr)
        self.assertIn("assist", played.stdout)

    def test_clips_in_other_units_are_the_same(self):
        inches = os.path.join(self.folder.name, "inches.bvh")
        made = zoe("convert", self.clip, inches, "--scale", "39.3700787")
        self.assertEqual(made.returncode, 0, made.stderr)
        both = [json.loads(zoe("physics", "track", clip, "--seconds", "0.5", "--json", "--policy", self.run_folder).stdout)
                for clip in (self.clip, inches)]
        self.assertAlmostEqual(both[0]["mean_error_m"], both[1]["mean_error_m"], delta=0.2 * both[0]["mean_error_m"])

    def test_learns_from_plans(self):
        folder = os.path.join(self.folder.name, "plans")
        learned = zoe("physics", "learn", self.clip, "-o", folder, "--rounds", "1", "--frames", "200", "--steps", "4",
                      "--window", "2", "--plans", "0.1", "--assist", "1", "--set", "train.batch=4", "--set",
                      "model.hidden=16", "--set", "model.world_hidden=16", "--set", "train.threads=1", "--device", "cpu")
        self.assertEqual(learned.returncode, 0, learned.stderr)
        self.assertIn("assist 1.00 of the weight", learned.stdout)
        with open(os.path.join(folder, "training", "metrics.jsonl"), encoding="utf-8") as file:
            self.assertIn("clone", file.read())

    def test_refuses_what_is_no_policy(self):
        refused = zoe("physics", "track", self.clip, "--policy", self.folder.name)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("body.glb", refused.stderr)
        refused = zoe("physics", "learn", os.path.join(self.folder.name, "none.bvh"), "-o", self.run_folder + "2")
        self.assertNotEqual(refused.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

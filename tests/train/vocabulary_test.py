# SPDX-License-Identifier: MIT
"""From clips to generated motion by the command line: synth, dataset, vq, encode, vq_prior, generate, decode.

usage: vocabulary_test.py ZOE_BINARY
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

ZOE = os.path.abspath(sys.argv[1])


def zoe(*words):
    return subprocess.run([ZOE, *words], capture_output=True, text=True, timeout=240)


class Vocabulary(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.must("synth", "-o", cls.path("clips"), "--count", "6", "--family", "biped", "--one-body", "--names", "plain",
                 "--format", "bvh", "--seconds", "6", "--gait", "walk,run")
        schema = cls.must("features", "--schema", "anytop", "--print-schema").stdout.replace("0:1.3:40", "0:0.5:16")
        with open(cls.path("windows.toml"), "w", encoding="utf-8") as file:
            file.write(schema)
        cls.must("dataset", "build", cls.path("clips"), "-o", cls.path("data"), "--schema", cls.path("windows.toml"))
        quick = ["--set", "train.threads=1", "--set", "train.batch=16"]
        cls.must("train", "vq", "--data", cls.path("data"), "-o", cls.path("vq"), "--set", "model.hidden=64", "--set",
                 "model.codes=32", "--set", "model.groups=2", "--set", "train.steps=150", *quick)
        cls.must("encode", cls.path("data"), "--model", cls.path("vq"), "-o", cls.path("codes"), "--steps", "4")
        cls.must("train", "vq_prior", "--data", cls.path("codes"), "-o", cls.path("prior"), "--set", "model.codes=32",
                 "--set", "model.hidden=32", "--set", "model.embedding=16", "--set", "train.steps=60", *quick)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.temporary.name, name)

    @classmethod
    def must(cls, *words):
        done = zoe(*words)
        assert done.returncode == 0, (words, done.stderr)
        return done

    def clip_of(self, file):
        return json.loads(self.must("info", self.path(file), "--json").stdout)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def generate(self, out, *words):
        return zoe("generate", "--model", self.path("vq"), "-o", self.path(out), *words)

    def test_samples_are_of_the_length_and_seed(self):
        prior = ["--prior", self.path("prior"), "--seconds", "3"]
        for name, seed in (("a.bvh", "1"), ("b.bvh", "1"), ("c.bvh", "2")):
            done = self.generate(name, *prior, "--seed", seed)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("a.bvh"), self.read("b.bvh"))
        self.assertNotEqual(self.read("a.bvh"), self.read("c.bvh"))
        self.assertIn("Frames: 90", self.read("a.bvh").decode())
        self.assertEqual(self.generate("a.glb", *prior, "--temperature", "0").returncode, 0)

    def test_words_are_combined(self):
        clip = sorted(os.listdir(self.path("clips")))
        clip = [name for name in clip if name.endswith(".bvh")][0]
        table = json.loads(self.must("encode", os.path.join(self.path("clips"), clip), "--model", self.path("vq"), "-o",
                                     self.path("clip.codes"), "--json").stdout)
        rows = {row["name"].split(",")[0]: row for row in table["rows"]}
        # Two code numbers of five bits for each window of 16 frames.
        self.assertEqual(rows["codes"]["bytes"], (table["windows"] * 10 + 7) // 8)
        self.assertGreater(rows["codes"]["ratio"], rows["curves"]["ratio"])
        self.assertEqual(self.generate("mixed.bvh", "--combine", "3.7," + self.path("clip.codes:0-2")).returncode, 0)
        self.assertIn("Frames: %d" % (16 + 3 * 12), self.read("mixed.bvh").decode())
        self.must("decode", self.path("clip.codes"), "-o", self.path("back.bvh"))
        self.assertIn("Frames: %d" % table["frames"], self.read("back.bvh").decode())

    def test_wrong_words_are_refused(self):
        for words, code, message in (
                (["--combine", "3"], 2, "has 2 numbers"),
                (["--combine", "3.99"], 2, "0 to 31"),
                ([], 2, "--prior"),
                (["--prior", self.path("vq")], 3, "vq_prior"),
                (["--combine", "3.4", "--overlap", "16"], 2, "below the window"),
                (["--combine", self.path("absent.codes")], 1, "absent.codes")):
            done = self.generate("no.bvh", *words)
            self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertIn(message, done.stderr)
        done = zoe("encode", self.path("data"), "--model", self.path("prior"), "-o", self.path("none"))
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

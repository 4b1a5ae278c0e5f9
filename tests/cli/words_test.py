# SPDX-License-Identifier: MIT
"""One rule for all verbs: numbers, names, inputs, outputs. A table of commands that write goes through every rule.

Usage: words_test.py ZOE_BINARY WALKER_FOLDER
"""
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest

ZOE = os.path.abspath(sys.argv[1])
WALKER = os.path.abspath(sys.argv[2])
VERBS = ("demo", "doctor", "info", "convert", "retarget", "synth", "features", "dataset build", "dataset merge",
         "dataset info", "train controller", "train encoder", "eval controller",
         "eval motion", "play", "soak", "export", "view", "render", "sprite make",
         "sprite puppet", "bench")


def zoe(*words, cwd=None, stdout=subprocess.PIPE):
    environment = {**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    return subprocess.run([ZOE, *words], cwd=cwd, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=1200,
                          env=environment)


def help_of(verb):
    return zoe(*verb.split(), "--help").stdout


HAS_RENDER = "--camera" in help_of("render")

# Commands that write one file: words with {out}, the extension of {out}, and the inputs that {out} may not be.
WRITERS = [
    (["convert", "body.bvh", "{out}"], ".bvh", ["body.bvh"]),
    (["convert", "body.bvh", "{out}"], ".npz", []),
    (["convert", "body.glb", "{out}"], ".glb", ["body.glb"]),
    (["convert", "body.glb", "{out}"], ".gltf", []),
    (["convert", "body.glb", "{out}"], ".obj", []),
    (["convert", "body.bvh", "{out}", "--character", "other.glb"], ".glb", ["other.glb"]),
    (["retarget", "body.bvh", "--to", "other.glb", "-o", "{out}"], ".glb", ["other.glb"]),
    (["retarget", "body.bvh", "--to", "other.glb", "-o", "{out}"], ".bvh", ["body.bvh"]),
    (["features", "body.bvh", "--schema", "anytop", "-o", "{out}"], ".npz", []),
    (["play", WALKER, "--seconds", "0.2", "-o", "{out}"], ".glb", []),
    (["play", WALKER, "--seconds", "0.2", "-o", "{out}"], ".bvh", []),
    (["play", WALKER, "--crowd", "2", "--seconds", "0.2", "-o", "{out}"], ".npz", []),
    (["play", WALKER, "--crowd", "2", "--seconds", "0.2", "-o", "{out}"], ".glb", []),
    (["eval", "controller", WALKER, "--seeds", "1", "--seconds", "4", "--paths", "straight", "--no-held-out", "-o",
      "{out}"], ".json", []),
    (["info", "body.bvh", WALKER, "--map", "{out}"], ".html", []),
    (["export", WALKER, "{out}"], ".zoe", []),
    (["export", os.path.join(WALKER, "model.safetensors"), "{out}"], ".onnx", []),
    (["export", "net.safetensors", "{out}", "--dtype", "bf16", "--samples", "2"], ".safetensors", ["net.safetensors"]),
    (["info", "body.bvh", "--trace", "{out}"], ".json", []),
]
PICTURES = [
    (["render", "body.glb", "--size", "64x64", "-o", "{out}"], ".png", []),
    (["render", "body.glb", "--size", "64x64", "--seconds", "0.1", "-o", "{out}"], ".mp4", []),
    (["render", "body.glb", "--size", "64x64", "--seconds", "0.1", "-o", "{out}"], ".gif", []),
    (["render", "body.glb", "--size", "64x64", "--style", "sheet", "--poses", "2", "-o", "{out}"], ".png", []),
    (["play", WALKER, "--seconds", "0.2", "-o", "{out}"], ".png", []),
    (["play", WALKER, "--crowd", "2", "--seconds", "0.2", "--size", "64x64", "-o", "{out}"], ".png", []),
]


def setUpModule():
    global SOURCE
    SOURCE = tempfile.TemporaryDirectory()
    folder = SOURCE.name
    for seed, name in (("1", "body"), ("2", "other")):
        done = zoe("synth", "-o", name, "--count", "1", "--family", "biped", "--gait", "walk", "--seconds", "0.5", "--seed",
                   seed, "--format", "both", cwd=folder)
        assert done.returncode == 0, done.stderr
        for file in os.listdir(os.path.join(folder, name)):
            if file.endswith((".glb", ".bvh")):
                os.rename(os.path.join(folder, name, file), os.path.join(folder, name + file[-4:]))


def tearDownModule():
    SOURCE.cleanup()


def writers():
    return WRITERS + (PICTURES if HAS_RENDER else [])


class Rules(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = self.temporary.name
        for name in ("body.bvh", "body.glb", "other.glb"):
            with open(os.path.join(SOURCE.name, name), "rb") as source:
                self.write(name, source.read())
        with open(os.path.join(WALKER, "model.safetensors"), "rb") as source:
            self.write("net.safetensors", source.read())
        os.mkdir(self.path("folder"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def run_with(self, words, out, *more):
        return zoe(*[word.replace("{out}", out) for word in words], *more, cwd=self.folder)

    def one_line(self, done, *parts):
        errors = [line for line in done.stderr.splitlines() if line.startswith("zoe: ") and "warning" not in line]
        self.assertEqual(len(errors), 1, done.stderr)
        for part in parts:
            self.assertIn(part, errors[0])
        self.assertLess(len(errors[0]), 400)
        self.assertIsNone(re.search(r"\d{25}", errors[0]), errors[0])

    def test_every_number_has_a_range_and_keeps_it(self):
        num_checked = 0
        for verb in VERBS:
            for name, kind, limits in re.findall(r"^ +(?:-\w,)?(--[\w-]+)(?:,--\w+)? (FLOAT|INT|UINT|N)\b(\S*.*)$", help_of(verb), re.M):
                with self.subTest(verb=verb, option=name):
                    self.assertRegex(limits, r"^:(-?[\d.e+-]+ to [\d.e+-]+|0 or more)")
                    for value in ("nan", "inf", "1e300", "abc", "-1e30"):
                        done = zoe(*verb.split(), f"{name}={value}")
                        self.assertEqual(done.returncode, 2, done.stderr)
                        self.one_line(done, name, value)
                    num_checked += 1
        self.assertGreater(num_checked, 30)

    def test_a_million_frames_a_second_are_refused(self):
        for words in (["convert", "body.bvh", "x.glb"], ["features", "body.bvh", "--schema", "anytop"],
                      ["synth", "-o", "made"], ["play", WALKER], ["dataset", "build", "body.bvh", "-o", "data"]):
            with self.subTest(verb=words[0]):
                done = zoe(*words, "--fps", "1000000", cwd=self.folder)
                self.assertEqual(done.returncode, 2)
                self.one_line(done, "--fps", "1000000", "per second")

    def test_misspelled_options_are_answered_with_the_nearest(self):
        for verb in VERBS:
            for name in re.findall(r"^ +(?:-\w,)?--([\w-]{4,})", help_of(verb), re.M):
                with self.subTest(verb=verb, option=name):
                    wrong = name[0] + name[2] + name[1] + name[3:] if name[1] != name[2] else name[:-1]
                    done = zoe(*verb.split(), "--" + wrong)
                    self.assertEqual(done.returncode, 2)
                    self.one_line(done, f"'--{wrong}'", "did you mean '--")

    def test_misspelled_names_are_answered_with_the_nearest(self):
        for words, right in ((["convret"], "convert"), (["dataset", "bulid"], "build"), (["eval", "controler"], "controller"),
                             (["render", "body.glb", "-o", "x.png", "--camera", "frnot"], "front"),
                             (["render", "body.glb", "-o", "x.png", "--style", "skelton"], "skeleton"),
                             (["play", WALKER, "--path", "cirlce", "-o", "x.glb"], "circle"),
                             (["play", WALKER, "--ground", "rmap:10", "-o", "x.glb"], "ramp"),
                             (["play", WALKER, "--crowd", "2", "--scene", "strems"], "streams"),
                             (["features", "body.bvh", "--schema", "locomtion"], "locomotion"),
                             (["synth", "-o", "x", "--family", "bipde"], "biped"),
                             (["convert", "body.bvh", "x.glbb"], ".glb"),
                             (["convert", "body.bvh", "x.glb", "--format", "gltff"], "gltf")):
            if words[0] == "render" and not HAS_RENDER:
                continue
            with self.subTest(words=words):
                done = zoe(*words, cwd=self.folder)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.one_line(done, f"did you mean '{right}'")

    def test_misspelled_clips_are_answered_with_file_and_nearest(self):
        clip = re.search(r"clip 0 +(.+): \d+ frames", zoe("info", "body.glb", cwd=self.folder).stdout).group(1)
        wrong = clip[:-2] + clip[-1] + clip[-2]
        for words in (["convert", "body.glb", "x.bvh"], ["features", "body.glb"], ["retarget", "body.glb", "--to", "other.glb"],
                      *([["render", "body.glb", "-o", "x.png"]] if HAS_RENDER else [])):
            with self.subTest(words=words):
                done = zoe(*words, "--clip", wrong, cwd=self.folder)
                self.assertEqual(done.returncode, 2)
                self.one_line(done, "body.glb", f"did you mean '{clip}'")

    def test_inputs_are_never_overwritten(self):
        for words, _, inputs in writers():
            for name in inputs:
                before = self.read(name)
                extension = os.path.splitext(name)[1]
                for other in ("link" + extension, "hard" + extension):
                    if os.path.lexists(self.path(other)):
                        os.remove(self.path(other))
                os.symlink(name, self.path("link" + extension))
                os.link(self.path(name), self.path("hard" + extension))
                for out in (name, "./" + name, "folder/../" + name, self.path(name), "link" + extension, "hard" + extension):
                    with self.subTest(words=words, out=out):
                        done = self.run_with(words, out)
                        self.assertEqual(done.returncode, 2, done.stderr)
                        self.one_line(done, out, "never overwritten")
                        self.assertEqual(self.read(name), before)
        for verb in (["info", "body.bvh"], ["features", "body.bvh"]):
            done = zoe(*verb, "--trace", "body.bvh", cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.one_line(done, "never overwritten")

    def test_folders_over_themselves_keep_their_files(self):
        os.rename(self.path("body.bvh"), self.path("folder/body.bvh"))
        before = self.read("folder/body.bvh")
        for words in (["convert", "folder", "folder", "--format", "bvh"],
                      ["retarget", "folder", "--to", "other.glb", "-o", "folder", "--format", "bvh"]):
            done = zoe(*words, cwd=self.folder)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("never overwritten", done.stderr)
            self.assertEqual(self.read("folder/body.bvh"), before)

    def test_existing_outputs_are_replaced_unless_told_otherwise(self):
        for words, extension, _ in writers():
            with self.subTest(words=words, extension=extension):
                out = "out" + extension
                self.write(out, b"old")
                done = self.run_with(words, out, "--no-overwrite")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.one_line(done, out, "--no-overwrite")
                self.assertEqual(self.read(out), b"old")
                done = self.run_with(words, out)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotEqual(self.read(out), b"old")

    def test_output_links_are_followed(self):
        for words, extension, _ in writers():
            with self.subTest(words=words, extension=extension):
                for name in ("link" + extension, "folder/target" + extension):
                    if os.path.lexists(self.path(name)):
                        os.remove(self.path(name))
                os.symlink("folder/target" + extension, self.path("link" + extension))
                done = self.run_with(words, "link" + extension)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(os.path.islink(self.path("link" + extension)))
                self.assertGreater(len(self.read("folder/target" + extension)), 10)

    def test_a_full_disk_is_noticed_and_nothing_stays(self):
        for words, extension, _ in writers():
            with self.subTest(words=words, extension=extension):
                out = "full" + extension
                if not os.path.lexists(self.path(out)):
                    os.symlink("/dev/full", self.path(out))
                before = sorted(os.listdir(self.folder))
                done = self.run_with(words, out)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.one_line(done, out, "o space left on")
                self.assertTrue(os.path.islink(self.path(out)))
                if extension != ".gltf":  # Its .bin is a file of its own, on a disk that is not full.
                    self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_printing_to_a_full_disk_fails(self):
        for words in (["--help"], ["--version"], ["convert", "--help"], ["info", "body.bvh"], ["info", "body.bvh", "--json"],
                      ["synth", "--list"], ["features", "body.bvh"], ["dataset", "--help"], ["doctor"]):
            with self.subTest(words=words), open("/dev/full", "w") as full:
                done = zoe(*words, cwd=self.folder, stdout=full)
                self.assertEqual(done.returncode, 1)
                self.one_line(done, "standard output", "No space left")

    def test_failed_runs_leave_nothing(self):
        self.write("damaged.bvh", self.read("body.bvh").replace(b"OFFSET", b"OFFSET zero", 1))
        self.write("damaged.glb", self.read("body.glb")[:-200])
        before = sorted(os.listdir(self.folder))
        for words, extension, _ in writers():
            words = [word.replace("body.bvh", "damaged.bvh").replace("body.glb", "damaged.glb") for word in words]
            if not any("damaged" in word for word in words) or words[0] == "info":
                continue
            with self.subTest(words=words):
                done = self.run_with(words, "new/deep/out" + extension)
                self.assertIn(done.returncode, (1, 3), done.stderr)
                self.assertIn("damaged.", done.stderr)
                self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_writes_that_fail_midway_leave_the_old_file_and_nothing_else(self):
        for words, extension, _ in writers():
            with self.subTest(words=words, extension=extension):
                out = "limited" + extension
                self.write(out, b"old")
                before = sorted(os.listdir(self.folder))
                # No file may grow beyond 100 bytes: a write fails with an error instead of a signal.
                done = subprocess.run([ZOE, *[word.replace("{out}", out) for word in words]], cwd=self.folder, timeout=1200,
                                      capture_output=True, text=True, restore_signals=False,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("limited.", done.stderr)
                self.assertEqual(sorted(os.listdir(self.folder)), before)
                self.assertEqual(self.read(out), b"old")

    def test_folders_as_files_are_answered_with_what_to_do(self):
        for words, extension, _ in writers():
            if words[0] == "render" or words[:1] == ["info"]:
                continue  # A folder of pictures is one of render's outputs.
            for out in ("folder", "folder/"):
                with self.subTest(words=words, out=out):
                    done = self.run_with(words, out)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.one_line(done, "folder", "is a folder; name a file in it")
        self.assertEqual(os.listdir(self.path("folder")), [])
        for words in (["info", "folder"], ["features", "folder"], ["retarget", "body.bvh", "--to", "folder"],
                      ["convert", "body.bvh", "x.glb", "--character", "folder"],
                      ["info", "body.bvh", "--analysis", "--overrides", "folder"],
                      ["play", WALKER, "--script", "folder", "-o", "x.glb"]):
            with self.subTest(words=words):
                done = zoe(*words, cwd=self.folder)
                self.assertNotEqual(done.returncode, 0)
                self.one_line(done, "folder", "is a folder; name a file in it")

    def test_files_as_folders_are_answered_with_what_to_do(self):
        for words in (["synth", "-o", "body.bvh"], ["dataset", "build", "folder", "-o", "body.glb"],
                      ["demo", "formats", "-o", "body.bvh"], ["demo", "--fast", "-o", "body.bvh"],
                      ["train", "controller", "--data", "folder", "-o", "body.bvh"]):
            with self.subTest(words=words):
                before = self.read("body.bvh")
                done = zoe(*words, cwd=self.folder)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.one_line(done, "body.", "is a file", "folder")
                self.assertEqual(self.read("body.bvh"), before)
        done = zoe("convert", "body.bvh", "body.glb/x.glb", cwd=self.folder)
        self.one_line(done, "body.glb: is a file")
        done = zoe("convert", "folder", "x.glb", cwd=self.folder)
        self.one_line(done, "name a folder")

    def test_the_cause_and_the_remedy_are_named(self):
        for words, parts in ((["play", "folder", "-o", "x.glb"], ("folder", "no controller here", "zoe train controller")),
                             (["export", WALKER, "x.onnx"], ("is a folder", "model.safetensors")),
                             (["dataset", "info", "folder"], ("folder", "no dataset here", "zoe dataset build")),
                             (["eval", "controller", WALKER, "-o", "x.pdf"], ("x.pdf", ".html")),
                             (["play", WALKER, "-o", "x.xyz"], ("x.xyz", ".glb")),
                             (["retarget", "body.bvh", "--to", "other.glb", "-o", "x.glb", "--preview", "x.glb"], ("x.glb", "twice")),
                             (["convert", "body.bvh", "x.glb", "y.glb"], ("y.glb",))):
            with self.subTest(words=words):
                done = zoe(*words, cwd=self.folder)
                self.assertNotEqual(done.returncode, 0)
                self.one_line(done, *parts)
                self.assertFalse(os.path.exists(self.path("x.glb")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

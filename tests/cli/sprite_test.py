# SPDX-License-Identifier: MIT
"""`zoe sprite make` as scripts use it: an independent reader puts the frames together again.

Usage: sprite_test.py ZOE_BINARY
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ZOE = os.path.abspath(sys.argv[1])


def zoe(*words):
    return subprocess.run([ZOE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)


def read_png(path):
    """Width, height and rows of RGBA bytes, of an 8-bit RGBA file."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", chunk[:10])
            assert (depth, color) == (8, 6)
        if kind == b"IDAT":
            packed += chunk
        at += 12 + size
    raw, stride, rows = zlib.decompress(packed), width * 4, []
    before = bytes(stride)
    for y in range(height):
        row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        method = raw[y * (stride + 1)]
        assert method in (0, 1, 2), "the writer uses three filters"
        for i in range(stride):
            if method == 1 and i >= 4:
                row[i] = (row[i] + row[i - 4]) & 255
            if method == 2:
                row[i] = (row[i] + before[i]) & 255
        rows.append(bytes(row))
        before = row
    return width, height, rows


def visible(rows):
    """Pixels with alpha, by position."""
    return {(x, y): row[4 * x:4 * x + 4] for y, row in enumerate(rows) for x in range(len(row) // 4) if row[4 * x + 3]}


class SpriteMake(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        made = zoe("synth", "-o", cls.path("made"), "--count", "1", "--family", "biped", "--gait", "walk", "--seconds", "2")
        assert made.returncode == 0, made.stderr
        bodies = [os.path.join(root, name) for root, _, names in os.walk(cls.path("made")) for name in names
                  if name.endswith(".glb")]
        cls.body = bodies[0]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def make(self, out, *words):
        return zoe("sprite", "make", "--character", self.body, "--size", "48", "--frames", "4", "-o", self.path(out), *words)

    def test_frames_of_the_sheet_are_the_png_files(self):
        run = self.make("a", "--directions", "4", "--style", "pixel", "--colors", "8", "--export", "png", "--name", "hero")
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(self.path("a/hero.json")) as file:
            data = json.load(file)
        _, _, rows = read_png(self.path("a/hero.png"))
        colors = set()
        for tag in data["meta"]["frameTags"]:
            for number, frame in enumerate(range(tag["from"], tag["to"] + 1)):
                at, to = data["frames"][frame]["frame"], data["frames"][frame]["spriteSourceSize"]
                part = [row[4 * at["x"]:4 * (at["x"] + at["w"])] for row in rows[at["y"]:at["y"] + at["h"]]]
                moved = {(x + to["x"], y + to["y"]): pixel for (x, y), pixel in visible(part).items()}
                width, height, whole = read_png(self.path(f"a/frames/{tag['name']}_{number:02}.png"))
                self.assertEqual((width, height), (48, 48))
                self.assertEqual(moved, visible(whole))
                colors |= set(moved.values())
        self.assertLessEqual(len(colors), 8)
        self.assertGreater(len(colors), 2)
        self.assertEqual(len(data["meta"]["frameTags"]), 4)

    def test_a_rerun_gives_the_same_bytes(self):
        words = ("--style", "toon", "--export", "godot,godot3,unity,texturepacker,hash,gif,apng")
        self.assertEqual(self.make("b", *words).returncode, 0)
        before = self.contents("b")
        self.assertEqual(self.make("b", *words).returncode, 0)
        self.assertEqual(before, self.contents("b"))
        self.assertGreaterEqual(len(before), 12)

    def contents(self, name):
        found = {}
        for root, _, names in os.walk(self.path(name)):
            for file in names:
                with open(os.path.join(root, file), "rb") as opened:
                    found[os.path.join(root, file)] = opened.read()
        return found

    def test_the_written_timing_is_read_again(self):
        self.assertEqual(self.make("c", "--pace", "arcade").returncode, 0)
        self.assertEqual(self.make("d", "--timing", self.path("c/timing.toml")).returncode, 0)
        with open(self.path("c/timing.toml")) as one, open(self.path("d/timing.toml")) as two:
            self.assertEqual(one.read(), two.read())

    def test_wrong_words_leave_nothing_behind(self):
        for words, expected in ((("--clip", "nothing"), "nothing"), (("--action", "moonwalk"), "moonwalk"),
                                (("--size", "10000"), "2048"), (("--size", "1"), "8 to 2048"),
                                (("--directions", "3"), "16"), (("--pixels-per-metre", "5000"), "--size"),
                                (("--palette", self.body), ".gpl")):
            run = self.make("wrong", *words)
            self.assertEqual(run.returncode, 2, (words, run.stderr))
            self.assertIn(expected, run.stderr)
            self.assertFalse(os.path.exists(self.path("wrong")), words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

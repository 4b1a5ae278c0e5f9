# SPDX-License-Identifier: MIT
"""`zoe sprite` as scripts use it: an independent reader puts the frames together again.

Usage: sprite_test.py ZOE_BINARY
"""
import base64
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

    def rod(self):
        """A glTF file of a rod, 0.6 m long and 4 cm wide."""
        corners = [(x, y, z) for y in (0, 0.6) for x in (-0.02, 0.02) for z in (-0.02, 0.02)]
        faces = [0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5, 2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7]
        data = b"".join(struct.pack("<3f", *corner) for corner in corners) + struct.pack("<36H", *faces)
        path = self.path("rod.gltf")
        with open(path, "w") as file:
            json.dump({
                "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                "buffers": [{"byteLength": len(data),
                             "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
                "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3",
                               "min": [-0.02, 0, -0.02], "max": [0.02, 0.6, 0.02]},
                              {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}]}, file)
        return path

    def test_weapons_and_effects(self):
        common = ("--action", "attack", "--pace", "arcade")
        bare, armed = self.make("bare", *common), self.make("armed", *common, "--weapon", self.rod(), "--effects", "--name", "a")
        self.assertEqual((bare.returncode, armed.returncode), (0, 0), bare.stderr + armed.stderr)
        self.assertFalse([name for name in os.listdir(self.path("bare")) if "effects" in name])
        effects = read_png(os.path.join(self.path("armed"), "a_effects.png"))
        self.assertTrue(visible(effects[2]))
        with open(os.path.join(self.path("armed"), "sprite.json")) as file:
            events = [event["type"] for event in json.load(file)["animations"][0]["events"]]
        self.assertIn("hit", events)
        with open(os.path.join(self.path("armed"), "timing.toml")) as file:
            self.assertIn("squash", file.read())
        refused = zoe("sprite", "make", "--character", self.body, "--weapon", self.rod() + "@nose", "-o", self.path("no"))
        self.assertEqual(refused.returncode, 2)
        self.assertIn("nose", refused.stderr)
        self.assertFalse(os.path.exists(self.path("no")))

    def test_lights(self):
        for words in (("--light", "20"), ("--light", "20,100"), ("--light", "a,b"), ("--light-color", "red")):
            refused = zoe("sprite", "make", "--character", self.body, *words, "-o", self.path("dark"))
            self.assertEqual(refused.returncode, 2, words)
            self.assertIn(words[0], refused.stderr)
            self.assertFalse(os.path.exists(self.path("dark")))
        self.assertEqual(self.make("lit", "--light", "-60,20", "--light-color", "ffd0a0").returncode, 0)

    def test_wrong_words_leave_nothing_behind(self):
        for words, expected in ((("--clip", "nothing"), "nothing"), (("--action", "moonwalk"), "moonwalk"),
                                (("--size", "10000"), "2048"), (("--size", "1"), "8 to 2048"),
                                (("--directions", "3"), "16"), (("--pixels-per-metre", "5000"), "--size"),
                                (("--palette", self.body), ".gpl")):
            run = self.make("wrong", *words)
            self.assertEqual(run.returncode, 2, (words, run.stderr))
            self.assertIn(expected, run.stderr)
            self.assertFalse(os.path.exists(self.path("wrong")), words)


    def test_characters_that_cannot_be_drawn_leave_nothing_behind(self):
        bare = self.path("bare.gltf")
        with open(bare, "w") as file:
            json.dump({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "a"}]}, file)
        cut = self.path("cut.glb")
        with open(self.body, "rb") as whole, open(cut, "wb") as file:
            file.write(whole.read()[:3000])
        for character, words, code, expected in (
                (self.rod(), (), 2, "contains no clip"),  # No skin and no clip.
                (self.rod(), ("--action", "walk"), 2, "without legs"),
                (bare, (), 3, "no mesh"), (cut, (), 3, "cut.glb"), ("missing.glb", (), 1, "missing.glb"),
                ("identity:x", (), 2, "identity:SEED"), ("identity:3", ("--clip", "moonwalk"), 2, "moonwalk")):
            run = zoe("sprite", "make", "--character", character, *words, "-o", self.path("none"))
            self.assertEqual(run.returncode, code, (character, run.stderr))
            self.assertIn(expected, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            self.assertFalse(os.path.exists(self.path("none")), character)


def write_png(path, width, height, pixel_at, exif=b""):
    """An 8-bit RGBA file; pixel_at(x, y) gives four numbers."""
    raw = b"".join(b"\0" + b"".join(bytes(pixel_at(x, y)) for x in range(width)) for y in range(height))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)), (b"IDAT", zlib.compress(raw)), (b"IEND", b"")]
    if exif:
        chunks.insert(1, (b"eXIf", exif))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in chunks:
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


def person(x, y):
    """A figure of 60 x 100 pixels with round head, arms and legs."""
    def near(ax, ay, bx, by, radius):
        length = (bx - ax) ** 2 + (by - ay) ** 2
        t = max(0, min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length if length else 0))
        return (x - ax - t * (bx - ax)) ** 2 + (y - ay - t * (by - ay)) ** 2 < radius * radius
    if near(40, 25, 40, 26, 12) or near(40, 36, 40, 44, 4) or near(30, 50, 14, 70, 4) or near(50, 50, 66, 70, 4):
        return 230 - x, 180, 140 + y, 255
    if near(40, 52, 40, 72, 11):
        return 60, 90 + x, 200, 255
    if near(35, 80, 31, 108, 5) or near(45, 80, 49, 108, 5):
        return 70, 60, 50 + y, 255
    return 0, 0, 0, 0


class SpritePuppet(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.drawing = os.path.join(self.folder.name, "figure.png")
        write_png(self.drawing, 80, 120, person)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def puppet(self, out, *words, drawing=None):
        return zoe("sprite", "puppet", drawing or self.drawing, "--frames", "4", "-o", self.path(out), *words)

    def test_joints_are_written_corrected_and_read_again(self):
        run = self.puppet("a", "--export", "png")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("humanoid", run.stdout)
        with open(self.path("a/joints.json")) as file:
            joints = json.load(file)
        hand = joints["joints"]["left_hand"]
        self.assertLess((hand["x"] - 66) ** 2 + (hand["y"] - 70) ** 2, 64)
        self.assertEqual(self.puppet("b", "--export", "png", "--joints", self.path("a/joints.json")).returncode, 0)
        joints["joints"]["left_elbow"]["y"] -= 12
        with open(self.path("edited.json"), "w") as file:
            json.dump(joints, file)
        self.assertEqual(self.puppet("c", "--export", "png", "--joints", self.path("edited.json")).returncode, 0)
        frames = [visible(read_png(self.path(f"{run}/frames/walk_e_01.png"))[2]) for run in "abc"]
        self.assertLess(len(frames[0].keys() ^ frames[1].keys()), 20)  # Numbers in the file are rounded.
        self.assertGreater(len(frames[0].keys() ^ frames[2].keys()), 20)

    def test_only_joints(self):
        run = self.puppet("d", "--only-joints")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sorted(os.listdir(self.path("d"))), ["joints.html", "joints.json"])

    def test_bad_drawings_leave_nothing_behind(self):
        write_png(self.path("clear.png"), 40, 40, lambda x, y: (9, 9, 9, 0))
        write_png(self.path("two.png"), 160, 120, lambda x, y: person(x % 80, y))
        write_png(self.path("photo.png"), 60, 60, lambda x, y: (x * 37 % 256, y * 91 % 256, x * y % 256, 255))
        for drawing, expected in (("clear", "transparent"), ("two", "2 separate figures"), ("photo", "plain background")):
            run = self.puppet("wrong", drawing=self.path(drawing + ".png"))
            self.assertEqual(run.returncode, 3, run.stderr)
            self.assertIn(expected, run.stderr)
            self.assertFalse(os.path.exists(self.path("wrong")))
        write_png(self.path("dot.png"), 1, 1, lambda x, y: (9, 9, 9, 255))
        write_png(self.path("full.png"), 60, 60, lambda x, y: (200, 100, 50, 255))
        with open(self.drawing, "rb") as whole, open(self.path("cut.png"), "wb") as file:
            file.write(whole.read()[:200])
        with open(self.path("words.png"), "w") as file:
            file.write("no picture")
        for drawing, code, expected in (("dot", 3, "at least 4 x 4"), ("full", 3, "plain background"),
                                        ("cut", 3, "damaged PNG"), ("words", 3, "PNG or JPEG"), ("none", 1, "none.png")):
            run = self.puppet("wrong", drawing=self.path(drawing + ".png"))
            self.assertEqual(run.returncode, code, run.stderr)
            self.assertIn(expected, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            self.assertFalse(os.path.exists(self.path("wrong")), drawing)
        run = self.puppet("wrong", "--action", "moonwalk")
        self.assertEqual(run.returncode, 2)
        self.assertIn("walk", run.stderr)

    def test_limbs_at_the_border_and_uncertain_joints_are_warned_of(self):
        write_png(self.path("arm.png"), 56, 120, person)
        write_png(self.path("head.png"), 80, 110, lambda x, y: person(x, y + 15))
        write_png(self.path("bar.png"), 100, 100, lambda x, y: (0, 0, 0, 255 if 49 <= x < 51 and 10 < y < 90 else 0))
        for drawing, expected in (("arm", "right side of the canvas"), ("head", "top of the canvas"), ("bar", "uncertain")):
            run = self.puppet(drawing, drawing=self.path(drawing + ".png"))
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn(expected, run.stderr)
        self.assertEqual(self.puppet("good").stderr, "")
        run = self.puppet("sure", "--min-confidence", "0.6", drawing=self.path("bar.png"))
        self.assertNotEqual(run.returncode, 0)
        self.assertFalse(os.path.exists(self.path("sure")))

    def test_a_photograph_that_the_camera_turned(self):
        # Orientation 6: the file's rows are the columns of the scene, from the right.
        tag = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 274, 3, 1, 6, 0, 0)
        write_png(self.path("turned.png"), 120, 80, lambda x, y: person(79 - y, x), tag)
        self.assertEqual(self.puppet("turned", "--only-joints", drawing=self.path("turned.png")).returncode, 0)
        self.assertEqual(self.puppet("straight", "--only-joints").returncode, 0)
        with open(self.path("turned/joints.json")) as one, open(self.path("straight/joints.json")) as two:
            self.assertEqual(json.load(one)["joints"], json.load(two)["joints"])


class SpriteIdentity(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_a_picture_of_several_and_a_character_file(self):
        run = zoe("sprite", "identity", "--seed", "3", "--count", "4", "-o", self.path("four.png"))
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(self.path("four.png"), "rb") as file:
            width, height = struct.unpack(">II", file.read(24)[16:])
        self.assertGreater(width * height, 4 * 64 * 64)
        run = zoe("sprite", "identity", "--seed", "166", "-o", self.path("cat.glb"))
        self.assertEqual(run.returncode, 0, run.stderr)
        told = zoe("info", self.path("cat.glb"))
        self.assertEqual(told.returncode, 0, told.stderr)
        for word in ("34", "walk", "slash"):
            self.assertIn(word, told.stdout)
        again = self.path("again.glb")
        self.assertEqual(zoe("sprite", "identity", "--seed", "166", "-o", again).returncode, 0)
        with open(again, "rb") as one, open(self.path("cat.glb"), "rb") as two:
            self.assertEqual(one.read(), two.read())

    def test_wrong_words(self):
        for words, code in ((("--count", "0"), 2), (("--seed", "x"), 2), (("-o", self.path("a.txt")), 2)):
            out = () if "-o" in words else ("-o", self.path("wrong.png"))
            run = zoe("sprite", "identity", *words, *out)
            self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(os.listdir(self.folder.name), [])


class SpriteDataset(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        assert zoe("sprite", "identity", "--seed", "5", "-o", cls.path("KnightCharacter_01.glb")).returncode == 0

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def dataset(self, out, *words):
        return zoe("sprite", "dataset", "--size", "32", "--frames", "4", "-o", self.path(out), *words)

    def lines(self, out):
        with open(self.path(out + "/part_1_of_1.jsonl")) as file:
            return [json.loads(line) for line in file]

    def test_identities_and_a_run_that_goes_on(self):
        words = ("--identities", "2", "--action", "walk,slash", "--maps", "pose")
        self.assertEqual(self.dataset("a", *words).returncode, 0)
        lines = self.lines("a")
        self.assertEqual([line["id"] for line in lines], [0, 1, 2, 3])
        for line in lines:
            self.assertEqual(read_png(self.path("a/" + line["file"]))[:2], (32 * 5, 32))
            self.assertEqual(len(line["poses"]), 5)
            self.assertIn(line["action"], ("walk", "slash"))
            self.assertIn(line["species"], line["captions"][0] + " human")
        name = self.path("a/part_1_of_1.jsonl")
        with open(name) as file:
            text = file.read()
        with open(name, "w") as file:
            file.write(text[:len(text) - 20])  # Torn in the last line.
        run = self.dataset("a", *words)
        self.assertIn("1 clips drawn", run.stdout)
        with open(name) as file:
            self.assertEqual(file.read(), text)
        self.assertEqual(self.dataset("a", *words, "--seed", "9").returncode, 2)  # Other options.

    def test_characters_of_files(self):
        run = self.dataset("b", "--character", self.path("KnightCharacter_01.glb"), "--action", "walk,kick", "--clips", "6")
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = self.lines("b")
        self.assertEqual({line["character"] for line in lines}, {"knight"})
        self.assertEqual({line["action"] for line in lines}, {"walk", "kick"})
        for line in lines:
            self.assertEqual(read_png(self.path("b/" + line["file"]))[:2], (32 * 5, 32))
            self.assertIn("of a knight, facing" if line["direction"] != "n" else "of a knight", line["captions"][0])
            self.assertIn(line["style"] + " style", line["captions"][0])
        with open(self.path("b/dataset.json")) as file:
            self.assertEqual(json.load(file)["characters"][0]["name"], "knight")

    def test_wrong_words_leave_nothing_behind(self):
        for words, code in ((("--identities", "0"), 2), (("--part", "3/2"), 2), (("--pitch", "100"), 2),
                            (("--directions", "3"), 2), (("--weapon", "a.glb"), 2), (("--character", "none.glb"), 1),
                            (("--style", "oil"), 2)):
            run = self.dataset("none", *words)
            self.assertEqual(run.returncode, code, (words, run.stderr))
            self.assertFalse(os.path.exists(self.path("none")), words)

    def test_the_vocabulary(self):
        run = zoe("sprite", "dataset", "--vocabulary")
        self.assertEqual(run.returncode, 0)
        self.assertIn("walking", run.stdout)


@unittest.skipUnless(os.path.exists(os.path.join(os.path.dirname(ZOE), "zoe-train")), "this build has no trainer")
class SpriteVideo(unittest.TestCase):
    """From clips over a network of one step to frames of words and of a drawing."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        run = zoe("sprite", "pack", "--video", "--identities", "30", "--clips", "3", "--frames", "4", "--style", "toon",
                  "-o", cls.path("clips"))
        assert run.returncode == 0, run.stderr
        settings = [word for setting in ("model.width=24", "model.heads=2", "model.blocks=2", "model.text_width=8",
                                         "model.text_blocks=1", "model.frames=2", "train.batch=2", "train.steps=1",
                                         "train.threads=1") for word in ("--set", setting)]
        run = zoe("train", "sprite_video", "--data", cls.path("clips"), "-o", cls.path("run"), *settings)
        assert run.returncode == 0, run.stderr
        cls.settings = settings

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def generate(self, out, *words):
        return zoe("sprite", "generate", *words, "--painter", "video", "--model", self.path("run"), "--frames", "3",
                   "--steps", "2", "--export", "png", "-o", self.path(out))

    def test_words_and_then_their_picture(self):
        run = self.generate("a", "--text", "a fat green goblin with an axe, walking, toon", "--directions", "2")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sorted(os.listdir(self.path("a/frames"))),
                         ["walk_%s_0%d.png" % (side, frame) for side in "ew" for frame in range(3)])
        with open(self.path("a/sprite.json")) as file:
            self.assertLessEqual(len(json.load(file)["palette"]), 24)
        drawn = zoe("sprite", "generate", "--text", "a knight", "--action", "idle", "--export", "png", "--frames", "2",
                    "-o", self.path("knight"))
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        drawing = self.path("knight/frames/idle_e_00.png")
        run = self.generate("b", "--image", drawing, "--action", "wave", "--text", "knight", "--guidance", "2")
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(self.path("b/sprite.json")) as file:
            colors = {bytes.fromhex(color.lstrip("#")) for color in json.load(file)["palette"]}
        self.assertLessEqual(len(colors), 32)
        for frame in range(3):
            painted = visible(read_png(self.path("b/frames/wave_e_0%d.png" % frame))[2])
            self.assertTrue(painted)
            self.assertLessEqual({pixel[:3] for pixel in painted.values()}, colors)
        again = self.generate("c", "--image", drawing, "--action", "wave", "--text", "knight", "--guidance", "2")
        self.assertEqual(again.returncode, 0, again.stderr)
        for frame in range(3):
            name = "frames/wave_e_0%d.png" % frame
            self.assertEqual(read_png(self.path("b/" + name)), read_png(self.path("c/" + name)))

    def test_a_network_begins_with_painted_frames(self):
        painter = os.path.join(os.path.dirname(__file__), "..", "..", "models", "painter")
        pack = ["sprite", "pack", "--identities", "30", "--clips", "2", "--frames", "2", "--style", "toon"]
        run = zoe(*pack, "--video", "--painter", painter, "-o", self.path("painted"))
        self.assertEqual(run.returncode, 0, run.stderr)
        run = zoe("train", "sprite_video", "--data", self.path("painted"), "-o", self.path("second"), *self.settings,
                  "--set", "model.init=" + self.path("run/model.safetensors"))
        self.assertEqual(run.returncode, 0, run.stderr)
        run = zoe(*pack, "--truth", "-o", self.path("truth"))
        self.assertEqual(run.returncode, 0, run.stderr)
        run = zoe("eval", "sprite", self.path("second"), "--flat", "--steps", "1", "--json", "--data", self.path("truth"))
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = {row["method"]: row for row in json.loads(run.stdout)["splits"][0]["rows"]}
        self.assertIn(self.path("second") + ", flat poses", rows)
        # One step of training: still nearly the painter's frames.
        self.assertGreater(rows[self.path("second")]["psnr_db"], rows["puppet"]["psnr_db"] - 3)
        self.assertEqual(rows[self.path("second")]["stray_colors"], 0)
        for words in (("--painter", painter), ("--no-guesses",), ("--video", "--no-guesses", "--painter", painter)):
            run = zoe(*pack, *words, "-o", self.path("none"))
            self.assertEqual(run.returncode, 2, run.stderr)

    def test_wrong_words(self):
        for words in (("--text", "a knight", "--painter", "warp"), ("--image", "x.png", "--painter", "factory"),
                      ("--image", "x.png", "--text", "a knight")):
            run = zoe("sprite", "generate", *words, "-o", self.path("none"))
            self.assertEqual(run.returncode, 2, (words, run.stderr))
        run = zoe("sprite", "generate", "--text", "a knight", "--painter", "video", "--size", "32", "--model",
                  self.path("run"), "-o", self.path("none"))
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("--size 64", run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

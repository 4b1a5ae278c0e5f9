# SPDX-License-Identifier: MIT
"""Runs the zoe binary as a user would: verbs, flags, exit codes, messages. Usage: cli_test.py ZOE_BINARY [DATA_DIR]"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
except ImportError:
    numpy = None

ZOE = os.path.abspath(sys.argv[1])
DATA = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 and os.path.isdir(sys.argv[2]) else None

BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 20 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 15 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 90 0 0 0 0 0 0 0
1 90 0 10 0 0 0 5 0
2 90 0 20 0 0 0 10 0
"""


def zoe(*words, cwd=None):
    return subprocess.run([ZOE, *words], cwd=cwd, capture_output=True, text=True, timeout=1200)


class Folder(unittest.TestCase):
    """Each test in a folder of its own that holds a.bvh."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.write("a.bvh", BVH)

    def path(self, name):
        return os.path.join(self.temporary.name, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def ok(self, *words):
        done = zoe(*words, cwd=self.temporary.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def info(self, name):
        return json.loads(self.ok("info", "--json", name))


class Info(Folder):
    def test_json_has_what_scripts_read(self):
        info = self.info("a.bvh")
        for key in ("format", "joints", "clips", "meshes", "vertices", "skins", "unit", "up", "warnings"):
            self.assertIn(key, info)
        self.assertEqual([(j["name"], j["parent"]) for j in info["joints"]], [("Hips", -1), ("Spine", 0), ("Spine_End", 1)])
        clip = info["clips"][0]
        self.assertEqual((clip["frames"], round(clip["fps"], 3)), (3, 30))
        self.assertAlmostEqual(clip["seconds"], 2 / 30, places=4)
        self.assertEqual(info["unit"], "unknown")

    def test_text_and_several_files(self):
        self.assertIn("Spine_End", self.ok("info", "--joints", "a.bvh"))
        self.assertEqual(len(json.loads(self.ok("info", "--json", "a.bvh", "a.bvh"))), 2)

    def test_errors_name_the_file_and_set_the_exit_code(self):
        self.write("bad.bvh", "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 zero 0\n")
        bad = zoe("info", "bad.bvh", cwd=self.temporary.name)
        self.assertEqual(bad.returncode, 3)
        self.assertIn("bad.bvh:4", bad.stderr)
        missing = zoe("info", "missing.bvh", cwd=self.temporary.name)
        self.assertEqual(missing.returncode, 1)
        self.assertIn("missing.bvh", missing.stderr)
        self.assertEqual(zoe("info").returncode, 2)
        self.assertEqual(zoe("inof").returncode, 2)
        self.assertIn("info", zoe("inof").stderr)

    def test_analysis_has_the_documented_keys(self):
        found = json.loads(self.ok("info", "a.bvh", "--analysis", "--json"))
        for key in ("family", "up", "forward", "metres_per_unit", "height_m", "root", "head", "spine", "limbs", "feet", "hands",
                    "tail", "pairs", "confidence", "ground_height", "reference_pose"):
            self.assertIn(key, found)
            if key not in ("confidence",):
                self.assertIn(found["confidence"][key]["source"], ("none", "stated", "names", "geometry", "motion"))
                self.assertGreaterEqual(found["confidence"][key]["value"], 0)
        self.assertEqual(found["root"], "Hips")
        self.assertEqual(found["up"], [0, 1, 0])
        self.assertIn("family", self.ok("info", "a.bvh", "--analysis"))

    def test_analysis_is_corrected_by_a_file(self):
        self.write("right.toml", 'family = "bird"\nhead = "Spine"\n')
        found = json.loads(self.ok("info", "a.bvh", "--analysis", "--json", "--overrides", "right.toml"))
        self.assertEqual((found["family"], found["head"]), ("bird", "Spine"))
        self.assertEqual(found["confidence"]["head"]["source"], "override")
        self.write("wrong.toml", 'head = "Spin"\n')
        done = zoe("info", "a.bvh", "--analysis", "--overrides", "wrong.toml", cwd=self.temporary.name)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("did you mean 'Spine'", done.stderr)
        self.assertEqual(zoe("info", "a.bvh", "--overrides", "right.toml", cwd=self.temporary.name).returncode, 2)

    def test_segments(self):
        found = json.loads(self.ok("info", "a.bvh", "--segments", "--json"))
        (clip,) = found["clips"]
        self.assertEqual((clip["frames"], clip["segments"][0]["first_frame"], clip["segments"][-1]["last_frame"]), (3, 0, 2))
        for key in ("action", "confidence", "distance_m", "mean_speed_m_s", "max_speed_m_s", "turn_deg", "hip_height_m",
                    "hip_height_share"):
            self.assertIn(key, clip["segments"][0])
        self.assertIn("action", self.ok("info", "a.bvh", "--segments"))
        self.assertEqual(zoe("info", "a.bvh", "--segments", "--analysis", cwd=self.temporary.name).returncode, 2)

    @unittest.skipUnless(DATA, "no shared data")
    def test_a_bvh_with_z_up_is_turned_unless_told_otherwise(self):
        file = os.path.join(DATA, "conformance/bvh/pybvh_test1_mixed_orders.bvh")
        self.assertEqual(json.loads(self.ok("info", file, "--analysis", "--json"))["up"], [0, 1, 0])
        info = self.info(file)
        self.assertEqual(info["up"], "z")
        self.assertIn("read with z up", " ".join(info["warnings"]))
        self.assertIn("z up (not stated; as the body stands)", self.ok("info", file))
        (clip,) = json.loads(self.ok("info", file, "--segments", "--json"))["clips"]
        self.assertGreater(len(clip["segments"]), 0)
        self.ok("convert", file, "upright.glb")
        self.ok("convert", file, "told.glb", "--bvh-up", "z")
        self.ok("convert", file, "lying.glb", "--bvh-up", "y")
        for name, stands in (("upright.glb", True), ("told.glb", True), ("lying.glb", False)):
            self.assertEqual("but the body does not stand along it" in self.ok("info", name), not stands, name)
        # A y-up file stays as it is.
        self.assertIn("y up (not stated)", self.ok("info", "a.bvh"))
        self.assertEqual(self.info("a.bvh")["warnings"], [])

    @unittest.skipUnless(DATA, "no shared data")
    def test_raised_arms_do_not_add_to_the_height(self):
        folder = os.path.join(DATA, "biped/bandai_style")
        heights = [json.loads(self.ok("info", os.path.join(folder, f"dataset-2_{name}_001.bvh"), "--analysis", "--json"))["height_m"]
                   for name in ("raise-up-right-hand_active", "wave-right-hand_youthful", "run_normal")]
        self.assertLess(max(heights) - min(heights), 0.03)

    def test_glb_is_in_metres_for_every_verb(self):
        self.ok("synth", "-o", "made", "--count", "1", "--family", "biped", "--gait", "walk", "--seconds", "0.5", "--format", "both")
        (bvh,) = [name for name in os.listdir(self.path("made")) if name.endswith(".bvh")]
        self.ok("convert", "made/" + bvh, "large.bvh", "--scale", "100")  # Centimetres, which BVH does not state.
        for words in (("convert", "large.bvh", "x.glb"), ("retarget", "large.bvh", "--to", "large.bvh", "-o", "x.glb")):
            self.ok(*words)
            height_m = json.loads(self.ok("info", "x.glb", "--analysis", "--json"))["height_m"]
            self.assertTrue(1 < height_m < 2.3, (words, height_m))
            joints = self.info("x.glb")
            self.assertEqual(joints["unit"], "m")


class Convert(Folder):
    def test_every_target_reads_back(self):
        for target in ("b.glb", "b.gltf", "b.npz", "b.bvh"):
            self.ok("convert", "a.bvh", target, "--scale", "0.01")
            info = self.info(target)
            names = [joint["name"] for joint in info["joints"]]
            for name in ("Hips", "Spine", "Spine_End"):
                self.assertIn(name, names, target)
            self.assertEqual(info["clips"][0]["frames"], 3, target)

    def test_fps_time_and_clip(self):
        self.ok("convert", "a.bvh", "fast.bvh", "--fps", "60")
        self.assertEqual(self.info("fast.bvh")["clips"][0]["frames"], 5)
        self.ok("convert", "a.bvh", "one.bvh", "--time", "0.0333333")
        self.assertEqual(self.info("one.bvh")["clips"][0]["frames"], 1)
        self.ok("convert", "a.bvh", "b.npz", "--clip", "0")
        wrong = zoe("convert", "a.bvh", "b.npz", "--clip", "Dance", cwd=self.temporary.name)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("Dance", wrong.stderr)

    def test_folder_in_parallel(self):
        for i in range(5):
            self.write(f"in/sub{i % 2}/clip{i}.bvh", BVH)
        self.write("in/broken.bvh", "HIERARCHY\nROOT")
        done = zoe("convert", "in", "out", "--format", "npz", cwd=self.temporary.name)
        self.assertEqual(done.returncode, 3)
        self.assertIn("broken.bvh", done.stderr)
        self.assertTrue(os.path.isfile(self.path("out/sub1/clip3.npz")))
        self.assertFalse(os.path.exists(self.path("out/broken.npz")))

    def test_wrong_usage(self):
        for words in (("convert", "a.bvh"), ("convert", "a.bvh", "b.xyz"), ("convert", "a.bvh", "b.glb", "--up", "q"),
                      ("convert", "a.bvh", "b.glb", "--scale", "0"), ("convert", "a.bvh", "b.abc")):
            self.assertEqual(zoe(*words, cwd=self.temporary.name).returncode, 2, words)

    @unittest.skipUnless(DATA, "shared data is absent")
    def test_fbx_take_at_a_time_as_obj(self):
        fbx = os.path.join(DATA, "conformance/fbx/ufbx/maya_game_sausage_7500_binary_combined.fbx")
        self.ok("convert", fbx, "s.obj", "--clip", "spin", "--time", "1.125")
        with open(self.path("s.obj"), encoding="utf-8") as file:
            ours = [tuple(map(float, line.split()[1:4])) for line in file if line.startswith("v ")]
        with open(os.path.join(DATA, "conformance/fbx/ufbx/maya_game_sausage_spin_7.obj"), encoding="utf-8") as file:
            expected = [tuple(map(float, line.split()[1:4])) for line in file if line.startswith("v ")]
        self.assertEqual(len(ours), len(expected))
        worst = max(abs(100 * a - b) for p, q in zip(ours, expected) for a, b in zip(p, q))  # Metres, centimetres.
        self.assertLess(worst, 0.02)


@unittest.skipUnless(DATA, "shared data is absent")
class Retarget(Folder):
    WALK = "biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh"

    def test_walk_on_another_body(self):
        walk, geno = (os.path.join(DATA, name) for name in (self.WALK, "characters/geno_genoview/Geno.fbx"))
        for name in ("out.glb", "out.bvh", "out.npz"):
            self.assertIn("2 legs and 2 arms matched", self.ok("retarget", walk, "--to", geno, "-o", name))
        frames = self.info(walk)["clips"][0]["frames"]
        self.assertEqual(self.info(self.path("out.glb"))["clips"][0]["frames"], frames)

    def test_folder_goes_on_after_a_bad_file(self):
        geno = os.path.join(DATA, "characters/geno_genoview/Geno.fbx")
        with open(os.path.join(DATA, self.WALK), encoding="utf-8") as walk:
            self.write("in/sub/walk.bvh", walk.read())
        self.write("in/bad.bvh", "HIERARCHY\nnonsense")
        done = zoe("retarget", "in", "--to", geno, "-o", "out", "--format", "npz", "--json", cwd=self.temporary.name)
        self.assertEqual(done.returncode, 3)
        self.assertIn("bad.bvh", done.stderr)
        report = json.loads(done.stdout)
        self.assertIn("error", report["files"][0])
        clip = report["files"][1]["clips"][0]
        self.assertLess(clip["foot_error"], 0.05)
        self.assertLessEqual(clip["slide"], 1.2 * clip["source_slide"])
        self.assertEqual(clip["flips"], 0)
        self.assertTrue(os.path.isfile(self.path("out/sub/walk.npz")))

    def test_preview_needs_one_file(self):
        folder, geno = (os.path.join(DATA, name) for name in ("biped/lafan1", "characters/geno_genoview/Geno.fbx"))
        done = zoe("retarget", folder, "--to", geno, "-o", self.path("out"), "--preview", self.path("x.mp4"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("--preview draws one file", done.stderr)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_retarget_refuses_a_torn_skin_and_writes_a_report(self):
        dog, hound = (os.path.join(DATA, name) for name in ("quadruped/dog_mann_bvh/D1_045_KAN01_001.bvh",
                                                         "creatures/quaternius/Wolf.glb"))
        torn = os.path.join(DATA, "assets/creatures/polygonalmind_xyz/027_Rombophant_Art.glb")
        done = zoe("retarget", dog, "--to", torn, "-o", self.path("torn.glb"), "--end", "2")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("tears the skin", done.stderr)
        self.assertIn("spine.00", done.stderr)
        self.assertFalse(os.path.exists(self.path("torn.glb")))
        self.ok("retarget", dog, "--to", torn, "-o", self.path("torn.glb"), "--end", "2", "--allow-torn")
        self.assertTrue(os.path.exists(self.path("torn.glb")))
        for pose in ("rest", "bind"):
            self.assertIn("reference pose: " + pose, self.ok("retarget", dog, "--to", hound, "--reference", pose,
                                                             "--end", "1"))
        self.ok("retarget", dog, "--to", hound, "--report", self.path("page"), "--end", "1")
        with open(self.path("page/index.html"), encoding="utf-8") as page:
            self.assertIn("clips are within all bars", page.read())

    def test_wrong_clip_names_the_file_and_what_there_is(self):
        walk, geno = (os.path.join(DATA, name) for name in (self.WALK, "characters/geno_genoview/Geno.fbx"))
        done = zoe("retarget", walk, "--to", geno, "-o", self.path("x.glb"), "--clip", "jump")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there are 1", done.stderr)
        self.assertIn(os.path.basename(walk), done.stderr)


@unittest.skipUnless(DATA and numpy, "shared data or numpy is absent")
class Mirror(Folder):
    def test_joints_are_at_their_images(self):
        dog = os.path.join(DATA, "quadruped/dog_mann_bvh/D1_001_KAN01_001.bvh")
        self.ok("convert", dog, "a.npz")
        self.ok("convert", dog, "b.npz", "--mirror")
        with numpy.load(self.path("a.npz"), allow_pickle=True) as a, numpy.load(self.path("b.npz"), allow_pickle=True) as b:
            names = [str(name) for name in a["bone_names"]]
            swap = {"Left": "Right", "Right": "Left"}
            partner = []
            for name in names:
                side = next((word for word in swap if name.startswith(word)), None)
                partner.append(names.index(swap[side] + name[len(side):]) if side else names.index(name))
            image = a["positions"][:, partner] * numpy.array([-1, 1, 1])
            self.assertLess(abs(image - b["positions"]).max(), 0.01)  # The dog is 60 units high.
            self.assertGreater(abs(a["positions"] - b["positions"]).max(), 10)


@unittest.skipUnless(DATA, "shared data is absent")
class CleanFeet(Folder):
    def test_says_what_it_did_and_leaves_cycles_on_the_spot(self):
        walk, fox = (os.path.join(DATA, name) for name in ("biped/cmu/16_15.bvh", "characters/khronos/Fox.glb"))
        done = zoe("convert", walk, self.path("a.bvh"), "--clean-feet", "--ground", "0")
        self.assertEqual(done.returncode, 0)
        self.assertIn("feet slid at", done.stderr)
        self.assertIn("on the spot", zoe("convert", fox, self.path("b.glb"), "--clean-feet").stderr)
        self.assertEqual(zoe("convert", walk, self.path("c.bvh"), "--ground", "0").returncode, 2)


class Certify(Folder):
    def setUp(self):
        super().setUp()
        made = zoe("synth", "-o", self.path("made"), "--count", "1", "--family", "biped", "--gait", "walk", "--course",
                   "straight", "--style", "neutral", "--seconds", "3", "--quiet")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.clip = next(os.path.join(self.path("made"), name) for name in os.listdir(self.path("made"))
                         if name.endswith(".glb"))

    def test_exit_codes_and_json(self):
        clean = zoe("certify", self.clip, "--json")
        self.assertEqual(clean.returncode, 0, clean.stdout + clean.stderr)
        report = json.loads(clean.stdout)
        self.assertEqual((report["num_findings"], report["num_clean_files"]), (0, 1))
        self.assertIn("round_trip", report["files"][0]["clips"][0]["measures"])
        large = self.path("large.glb")
        self.assertEqual(zoe("convert", self.clip, large, "--scale", "100").returncode, 0)
        judged = zoe("certify", large, "--json")
        self.assertEqual(judged.returncode, 1, judged.stderr)
        self.assertEqual(json.loads(judged.stdout)["files"][0]["rig"]["findings"][0]["check"], "scale")
        self.write("bad.bvh", "HIERARCHY\nnonsense")
        self.assertEqual(zoe("certify", self.path("bad.bvh")).returncode, 3)

    def test_controllers_are_judged_on_courses(self):
        walker = os.path.join(os.path.dirname(__file__), "..", "..", "models", "walker")
        judged = zoe("certify", walker, "--json")
        self.assertIn(judged.returncode, (0, 1), judged.stderr)
        file = json.loads(judged.stdout)["files"][0]
        self.assertEqual(file["family"], "biped")
        self.assertIn("slalom", [clip["clip"] for clip in file["clips"]])
        self.assertTrue(all(clip["frames"] > 100 and "jitter" in clip["measures"] for clip in file["clips"]))
        # A limit that nothing meets: the courses are really judged.
        self.assertEqual(zoe("certify", walker, "--tolerance", "0.01").returncode, 1)
        self.write("broken/controller.toml", "nonsense")
        self.assertEqual(zoe("certify", self.path("broken")).returncode, 3)

    def test_fix_writes_and_judges(self):
        fixed = zoe("fix", self.clip, "-o", self.path("fixed.glb"), "--t-pose", "--json")
        self.assertEqual(fixed.returncode, 0, fixed.stdout + fixed.stderr)
        report = json.loads(fixed.stdout)
        self.assertTrue(report["result"]["clean"])
        self.assertLess(report["clips"][0]["mean_pose_change_m"], 0.01)
        self.assertEqual(zoe("fix", self.clip, "-o", self.path("fixed.txt")).returncode, 2)


class Features(Folder):
    def test_wrong_usage_has_a_remedy(self):
        for words, remedy in ((("features",), "name a file"),
                              (("features", "a.bvh", "--schema", "pfn"), "did you mean 'pfnn'"),
                              (("features", "a.bvh", "--schema", "mann"), "no feet found"),
                              (("features", "a.bvh", "-o", "x.npz"), "--schema"),
                              (("features", "a.bvh", "--schema", "pae", "-o", "x.txt"), ".npz")):
            done = zoe(*words, cwd=self.temporary.name)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(remedy, done.stderr)
        self.assertIn('name = "mann"', self.ok("features", "--print-schema", "--schema", "mann"))

    @unittest.skipUnless(DATA, "shared data is absent")
    def test_own_schema_and_its_mistakes(self):
        walk = os.path.join(DATA, "biped/lafan1/push1_subject2.bvh")
        self.write("my.toml", '[input]\nchannels = ["joint.position joints=feet", "contact"]')
        table = json.loads(self.ok("features", walk, "--schema", "my.toml", "--json"))
        self.assertEqual([(c["begin"], c["width"]) for c in table["input"]["channels"]], [(0, 6), (6, 2)])
        self.write("my.toml", '[input]\nchannels = ["joint.position joints=LeftAnkle"]')
        self.assertIn("feet = LeftFoot RightFoot", zoe("features", walk, "--schema", self.path("my.toml")).stderr)
        self.assertIn("pfnn", self.ok("features", walk))

    @unittest.skipUnless(DATA and numpy, "shared data or numpy is absent")
    def test_arrays_put_the_body_back_where_it_was(self):
        """Thirteen numbers a joint to places in the world, by NumPy alone."""
        walk = os.path.join(DATA, "biped/bandai_namco/dataset1/dataset-1_walk-left_tired_001.bvh")
        table = json.loads(self.ok("features", walk, "--schema", "anytop", "--json", "-o", "f.npz"))
        self.ok("convert", walk, "world.npz", "--scale", "0.01")
        with numpy.load(self.path("f.npz")) as f, numpy.load(self.path("world.npz"), allow_pickle=True) as world:
            names = [str(name) for name in world["bone_names"]]
            step = f["output"][:, 0].reshape(len(f["time"]), -1, 13).astype(float)
            joints = [str(name).split()[1] for name in f["output_columns"][::13]]
            self.assertEqual(joints, table["joints"]["pose"])
            x, _, z, facing = f["root"][0].astype(float)
            worst = 0
            for k, frame in enumerate(step):
                right, turn, ahead = frame[0, 9:12] / table["fps"]
                x, z = x + numpy.cos(facing) * right + numpy.sin(facing) * ahead, z + numpy.cos(facing) * ahead - numpy.sin(facing) * right
                facing += turn
                p = frame[:, :3]
                place = numpy.stack([x + numpy.cos(facing) * p[:, 0] + numpy.sin(facing) * p[:, 2], p[:, 1],
                                     z + numpy.cos(facing) * p[:, 2] - numpy.sin(facing) * p[:, 0]], 1)
                worst = max(worst, abs(place - world["positions"][k, [names.index(name) for name in joints]]).max())
            self.assertLess(worst, 1e-4)


class Others(Folder):
    def test_help(self):
        self.assertIn("convert", self.ok("--help"))
        self.assertIn("zoe convert", self.ok("convert", "--help"))

    def test_trace_is_json(self):
        self.ok("--trace", "trace.json", "info", "a.bvh")
        with open(self.path("trace.json"), encoding="utf-8") as file:
            self.assertTrue(json.load(file)["traceEvents"])


class Synth(Folder):
    def read(self, folder, name):
        with open(self.path(os.path.join(folder, name)), "rb") as file:
            return file.read()

    def test_same_seed_same_bytes_for_any_number_of_jobs(self):
        words = ("--count", "9", "--seed", "5", "--seconds", "0.5", "--terrain", "mixed", "--format", "both")
        self.ok("synth", "-o", "one", "--jobs", "1", *words)
        self.ok("synth", "-o", "many", "--jobs", "3", *words)
        names = sorted(os.listdir(self.path("one")))
        self.assertEqual(names, sorted(os.listdir(self.path("many"))))
        self.assertEqual(len(names), 19)
        for name in names:
            self.assertEqual(self.read("one", name), self.read("many", name), name)
        self.ok("synth", "-o", "other", "--seed", "6", *words[:2], *words[4:])
        self.assertNotEqual(self.read("one", "manifest.jsonl"), self.read("other", "manifest.jsonl"))

    def test_files_say_what_they_show_and_are_recognised(self):
        self.ok("synth", "-o", "made", "--count", "9", "--seconds", "0.5")
        lines = [json.loads(line) for line in self.read("made", "manifest.jsonl").splitlines()]
        self.assertEqual(len({line["family"] for line in lines}), 9)
        for line in lines:
            data = self.read("made", line["files"][0])
            length = int.from_bytes(data[12:16], "little")
            extras = json.loads(data[20 : 20 + length])["asset"]["extras"]["zoe_synth"]
            self.assertEqual(extras["captions"], line["captions"])
            self.assertEqual(extras["licence"], "CC0-1.0")
            found = json.loads(self.ok("info", "--analysis", "--json", os.path.join("made", line["files"][0])))
            self.assertIn(f'"family": "{line["family"]}"', json.dumps(found))

    def test_wrong_words_are_refused_with_a_suggestion(self):
        done = zoe("synth", "-o", "x", "--family", "quadrupd", cwd=self.temporary.name)
        self.assertEqual(done.returncode, 2)
        self.assertIn("quadruped", done.stderr)
        self.assertEqual(zoe("synth", "-o", "x", "--family", "snake", "--gait", "gallop", cwd=self.temporary.name).returncode, 2)


class Motions(Folder):
    """Distances between sets of motions, and maps of them."""

    def setUp(self):
        super().setUp()
        for name, family, gait in (("people", "biped", "walk"), ("others", "biped", "walk"), ("snakes", "snake", "slither")):
            self.ok("synth", "-o", name, "--family", family, "--gait", gait, "--style", "neutral", "--course", "straight",
                    "--seed", str(ord(name[0])), "--count", "6", "--seconds", "4", "--mesh", "off")

    def test_other_animals_are_farther_than_other_people(self):
        measure = lambda name: json.loads(self.ok("eval", "motion", name, "--against", "people", "--json"))
        near, far = measure("others"), measure("snakes")
        self.assertGreater(far["distance"], 2 * near["distance"])
        self.assertGreater(far["at_floor_size"]["min"], far["floor"]["max"])
        self.assertEqual(near["clips"], 6)
        self.assertEqual(near["windows"], 18)
        self.assertTrue(near["too_few"])  # And a warning says so.
        self.assertIn("too few windows", zoe("eval", "motion", "people", cwd=self.temporary.name).stderr)

    def test_damages_are_measured(self):
        found = json.loads(self.ok("eval", "motion", "people", "--sensitivity", "--json"))["sensitivity"]
        self.assertLess(found["jitter"][0], found["jitter"][-1])
        self.assertEqual(len(found), 8)

    def test_list_of_files_and_wrong_words(self):
        names = sorted(n for n in os.listdir(self.path("people")) if n.endswith(".glb"))
        self.write("list.txt", "\n".join("people/" + n for n in names[:4]) + "\n")
        self.assertEqual(json.loads(self.ok("eval", "motion", "people", "--only", "list.txt", "--json"))["clips"], 4)
        done = zoe("eval", "motion", "no_such_folder", cwd=self.temporary.name)
        self.assertEqual(done.returncode, 1, done.stderr)
        done = zoe("eval", "motion", "people", "--encoder", "a.bvh", cwd=self.temporary.name)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("a.bvh", done.stderr)
        self.assertEqual(zoe("info", "people", "--map", "map.png", cwd=self.temporary.name).returncode, 2)

    def test_map_of_folders(self):
        about = json.loads(self.ok("info", "people", "snakes", "--map", "map.html", "--json"))
        self.assertEqual((about["clips"], about["by"]), (12, "folder"))
        self.assertGreater(about["agreement"], 0.95)
        with open(self.path("map.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(page.count("<circle"), about["points"])
        self.assertNotIn("http", page)
        self.ok("info", "people", "snakes", "--map", "again.html")
        with open(self.path("again.html"), encoding="utf-8") as file:
            self.assertEqual(file.read(), page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

# SPDX-License-Identifier: MIT
"""`zoe play` without a window: paths from files that this test makes, and programs that steer over a socket.
Usage: play_test.py ZOE CONTROLLER DOCS"""
import json
import math
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import unittest

ZOE, CONTROLLER, DOCS = map(os.path.abspath, sys.argv[1:4])
FOLDER = ""
WITHOUT_DISPLAY = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}


def play(*words, expect=0):
    done = subprocess.run([ZOE, "play", CONTROLLER, *words], cwd=FOLDER, env=WITHOUT_DISPLAY, capture_output=True, text=True)
    assert done.returncode == expect, f"{words}: exit code {done.returncode}, not {expect}\n{done.stdout}\n{done.stderr}"
    return done


def write_glb(name, document, data=b""):
    """A GLB by the book: twelve bytes, JSON, binary."""
    text = json.dumps(dict({"asset": {"version": "2.0"}}, **document)).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    if data:
        chunks += struct.pack("<II", len(data), 0x004E4942) + data
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def write_lines(name, places, edges=None, mode=1, nodes=None):
    data = b"".join(struct.pack("<3f", *place) for place in places)
    flat = [v for edge in edges or [] for v in edge]
    document = {
        "buffers": [{"byteLength": len(data) + 2 * len(flat)}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": len(data)}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(places), "type": "VEC3",
                       "min": [min(c) for c in zip(*places)], "max": [max(c) for c in zip(*places)]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": mode}]}],
        "nodes": nodes or [{"mesh": 0, "name": "way"}], "scenes": [{"nodes": [0]}], "scene": 0}
    if flat:
        document["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": 2 * len(flat)})
        document["accessors"].append({"bufferView": 1, "componentType": 5123, "count": len(flat), "type": "SCALAR"})
        document["meshes"][0]["primitives"][0]["indices"] = 1
    write_glb(name, document, data + struct.pack(f"<{len(flat)}H", *flat))


def walked(path, seconds):
    """Where the root went, (x, z) a frame, out of a BVH by the book."""
    play("--path", path, "--speed", "1.3", "--seconds", str(seconds), "-o", "out.bvh", "-q")
    with open(os.path.join(FOLDER, "out.bvh")) as file:
        lines = file.read().split("Frame Time:")[1].splitlines()[1:]
    rows = [list(map(float, line.split()[:3])) for line in lines if line.strip()]
    return [(row[0], row[2]) for row in rows]


def nearest(places, x, z):
    return min(math.hypot(a - x, b - z) for a, b in places)


class Paths(unittest.TestCase):
    def test_edges_of_a_curve_in_any_order(self):
        # An L, 3 m ahead and 2 m to the side, whose node lies 1 m off below a parent turned by half: x and z change sign.
        places = [(1, 5, 0), (1, 5, -1.5), (1, 5, -3), (0, 5, -3), (-1, 5, -3)]
        nodes = [{"name": "turned", "rotation": [0, 1, 0, 0], "children": [1]}, {"mesh": 0, "translation": [-1, 0, 0], "name": "way"}]
        write_lines("l.glb", places, [(3, 2), (0, 1), (3, 4), (2, 1)], nodes=nodes)
        way = walked("l.glb", 6)
        self.assertLess(nearest(way, 0, 2), 0.25)
        self.assertLess(nearest(way, 0.3, 3), 0.6)
        self.assertLess(math.hypot(way[-1][0] - 2, way[-1][1] - 3), 0.5)

    def test_loops_go_round(self):
        ring = [(2 - 2 * math.cos(a), 0, 2 * math.sin(a)) for a in (2 * math.pi * i / 24 for i in range(24))]
        write_lines("strip.glb", ring, mode=3)
        write_lines("loop.glb", ring, mode=2)
        write_lines("edges.glb", ring, [(i, (i + 1) % 24) for i in range(24)])
        # The strip ends 1/24 before its start; the others go on.
        ends = {name: walked(name, 12)[-1] for name in ("strip.glb", "loop.glb", "edges.glb")}
        self.assertLess(math.hypot(*ends["strip.glb"]), 1.2)
        for name in ("loop.glb", "edges.glb"):
            self.assertLess(abs(math.hypot(ends[name][0] - 2, ends[name][1]) - 2), 0.3)
            self.assertGreater(math.hypot(*ends[name]), 1.5)

    def test_an_animated_node(self):
        times = struct.pack("<3f", 0, 2, 4)
        keys = struct.pack("<9f", 10, 1, -4, 10, 1, -1, 8, 1, -1)
        write_glb("empty.glb", {
            "buffers": [{"byteLength": 48}],
            "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 12}, {"buffer": 0, "byteOffset": 12, "byteLength": 36}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR", "min": [0], "max": [4]},
                          {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "nodes": [{"name": "still", "children": [1]}, {"name": "goes"}], "scenes": [{"nodes": [0]}], "scene": 0,
            "animations": [{"samplers": [{"input": 0, "output": 1}],
                            "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}]}]}, times + keys)
        way = walked("empty.glb", 6)
        self.assertLess(math.hypot(way[0][0] - 10, way[0][1] + 4), 0.2)  # It begins where the path does.
        self.assertLess(nearest(way, 10, -2), 0.25)
        self.assertLess(math.hypot(way[-1][0] - 8, way[-1][1] + 1), 0.5)

    def test_what_is_wrong_is_named(self):
        write_glb("bare.glb", {"nodes": [{"name": "still"}], "scenes": [{"nodes": [0]}], "scene": 0})
        words = play("--path", "bare.glb", expect=3).stderr
        self.assertIn("bare.glb", words)
        self.assertIn("loose edges", words)
        write_lines("wild.glb", [(0, 0, 0), (1, 0, 0)], [(0, 7)])
        self.assertIn("wild.glb", play("--path", "wild.glb", expect=3).stderr)
        write_lines("point.glb", [(1, 0, 1), (1, 3, 1)], mode=3)
        self.assertIn("two different positions", play("--path", "point.glb", expect=3).stderr)
        with open(os.path.join(FOLDER, "torn.glb"), "wb") as file:
            file.write(b"glTF\2\0\0\0\xff\xff\0\0")
        self.assertIn("torn.glb", play("--path", "torn.glb", expect=3).stderr)
        self.assertIn("nowhere.glb", play("--path", "nowhere.glb", expect=1).stderr)


class Physics(unittest.TestCase):
    """A simulated body over the controller. Builds without the engine say how to get it."""

    def test_falls_gets_up_and_walks_on(self):
        words = ("--physics", "--path", "straight", "--seconds", "9", "--push", "2500,0,0@2")
        done = subprocess.run([ZOE, "play", CONTROLLER, "--headless", *words, "-o", "pushed.bvh"], cwd=FOLDER,
                              env=WITHOUT_DISPLAY, capture_output=True, text=True)
        if done.returncode != 0 and "built without physics" in done.stderr:
            return
        self.assertEqual(done.returncode, 0, done.stderr)
        falls, get_ups = map(int, re.search(r"(\d+) falls, (\d+) get-ups", done.stdout).groups())
        self.assertGreaterEqual(falls, 1)
        self.assertGreaterEqual(get_ups, 1)
        step_cm = float(re.search(r"root ([\d.]+) cm per tick", done.stdout)[1])
        self.assertLess(step_cm, 30, "500 N s throw 44 kg at 11 m/s, 19 cm in a tick: nothing is teleported")
        self.assertIn("--push", play("--physics", "--push", "6000", "--path", "straight", "--headless", expect=2).stderr)
        wrong = play("--physics", "--keep", "hed", "--path", "straight", "--headless", expect=2).stderr
        self.assertIn("hed", wrong)

    def test_the_simulated_body_can_be_looked_at(self):
        words = [ZOE, "play", CONTROLLER, "--headless", "--path", "straight", "--seconds", "0.2"]
        done = subprocess.run([*words, "--physics", "--show-body", "-o", "body.glb", "--quiet"], cwd=FOLDER,
                              env=WITHOUT_DISPLAY, capture_output=True, text=True)
        if done.returncode != 0 and "built without physics" in done.stderr:
            return
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(FOLDER, "body.glb"), "rb") as file:
            head = file.read(20)
            document = json.loads(file.read(int.from_bytes(head[12:16], "little")))
        names = {material["name"] for material in document["materials"]}
        self.assertLessEqual({"trunk", "leg", "foot"}, names)
        self.assertIn("skin", str(document["nodes"]))
        alone = subprocess.run([*words, "--show-body"], cwd=FOLDER, env=WITHOUT_DISPLAY, capture_output=True, text=True)
        self.assertEqual(alone.returncode, 2, "there is no body without --physics")


class Server:
    """A running `zoe play --port 0`."""

    def __init__(self, test, *words):
        self.process = subprocess.Popen([ZOE, "play", CONTROLLER, "--headless", "--port", "0", *words], env=WITHOUT_DISPLAY,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        test.addCleanup(self.process.kill)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def connect(self):
        client = socket.create_connection(("127.0.0.1", self.port), timeout=600)
        lines = client.makefile("r", encoding="utf-8")
        return client, lines, json.loads(lines.readline())

    def end(self):
        """What it counted: commands, refused, sent, dropped."""
        self.process.send_signal(signal.SIGINT)
        words = self.process.communicate(timeout=600)[0]
        assert self.process.returncode == 0, words
        found = re.search(r"(\d+) commands, (\d+) refused; (\d+) frames sent, (\d+) dropped; state [0-9a-f]{16}", words)
        assert found, words
        return tuple(map(int, found.groups()))


def until(lines, holds):
    """The first line that holds; a character that never gets there fails after so many ticks, not after some time."""
    for _, line in zip(range(20000), lines):
        frame = json.loads(line)
        if holds(frame):
            return frame
    raise AssertionError(f"waited in vain; last: {line[:200]}")


class Port(unittest.TestCase):
    def test_the_documented_client(self):
        with open(os.path.join(DOCS, "stream.md"), encoding="utf-8") as file:
            client = re.search(r"```python\n(.*?)```", file.read(), re.S).group(1)
        self.assertIn("7060", client)
        server = Server(self, "--fps", "240")
        run = subprocess.run([sys.executable, "-c", client.replace("7060", str(server.port))], capture_output=True, text=True, timeout=1200)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreater(len(run.stdout.splitlines()), 10)
        self.assertEqual(server.end()[:2], (1, 0))

    def test_poses_are_the_characters(self):
        server = Server(self, "--fps", "240")
        client, lines, body = server.connect()
        self.assertEqual((body["zoe"], body["version"], body["kind"]), ("play", 1, "mann"))
        self.assertEqual(len(body["joints"]), len(body["parents"]))
        client.sendall(b"place 3 -2 90\n")
        placed = until(lines, lambda f: abs(f["root"][0] - 3) < 0.05)
        self.assertLess(abs(placed["root"][1] + 2), 0.05)
        client.sendall(b"mo")  # In two pieces.
        client.sendall(b"ve 1.2 0 # along +X\r\nface velocity\n")
        went = until(lines, lambda f: f["root"][0] > 4.5)
        self.assertEqual(went["progress"], "moving")
        self.assertLess(abs(went["root"][1] + 2), 0.5)
        self.assertEqual(len(went["pose"]), len(body["joints"]))
        self.assertEqual(len(went["contacts"]), len(body["contact_joints"]))
        for joint in went["pose"]:
            self.assertEqual(len(joint), 7)
            self.assertLess(abs(sum(q * q for q in joint[3:]) - 1), 1e-3)
        hips = went["pose"][0]
        self.assertLess(math.hypot(hips[0] - went["root"][0], hips[2] - went["root"][1]), 0.3)
        client.sendall(b"go 8 -2\n")
        until(lines, lambda f: abs(f["root"][0] - 8) < 0.6 and f["speed"] < 0.3)
        # Who spoke last has gone: it stands. Who comes next finds it so.
        client.sendall(b"move 0 1.3\n")
        until(lines, lambda f: f["speed"] > 0.5)
        client.close()
        lines.close()
        _, lines, _ = server.connect()
        until(lines, lambda f: f["progress"] == "standing" and f["speed"] < 0.3)
        self.assertEqual(server.end()[:2], (5, 0))

    def test_bad_lines_are_refused_and_counted(self):
        server = Server(self, "--fps", "240")
        client, lines, _ = server.connect()
        bad = [b"mvoe 0 1", b"move nan 1", b"move inf 1", b"move 1e30 0", b"move 0", b"\xff\xfe\x00\x01", b"style young", b"place 1", b"a b c d e f g"]
        for line in bad:
            client.sendall(line + b"\n")
            self.assertIn("refused", until(lines, lambda f: "refused" in f))
        early = socket.create_connection(("127.0.0.1", server.port), timeout=600)
        early.sendall(b"hello\n")  # Before the greeting was read, perhaps before it was sent.
        until(early.makefile("r", encoding="utf-8"), lambda f: "refused" in f)
        client.sendall(b"x" * 100000 + b"\nmove 0 1\n")  # Far too long: one refusal, and what follows counts.
        until(lines, lambda f: "refused" in f)
        frame = until(lines, lambda f: f.get("speed", 0) > 0.5)
        self.assertTrue(all(map(math.isfinite, frame["root"])))
        client.sendall(b"stan")  # Cut off.
        client.shutdown(socket.SHUT_WR)
        self.assertIn(lines.read()[-1:], ("", "\n"))  # Closed by the other side, behind a whole line.
        self.assertEqual(server.end()[:2], (1, len(bad) + 3))

    def test_nobody_waits_for_a_slow_client(self):
        server = Server(self, "--fps", "1000")
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        client, lines, _ = server.connect()
        client.sendall(b"move 0 1.3\n")
        first = until(lines, lambda f: f["speed"] > 0.5)
        last = until(lines, lambda f: f["tick"] > first["tick"] + 700)
        self.assertGreater(last["root"][1], first["root"][1] + 0.3)
        others = [server.connect() for _ in range(6)]
        ninth = socket.create_connection(("127.0.0.1", server.port), timeout=600)
        with ninth.makefile() as words:
            self.assertIn("8 clients already", json.loads(words.readline())["refused"])
            self.assertEqual(words.readline(), "")
        text = slow.makefile("r", encoding="utf-8")
        json.loads(text.readline())
        ticks = [json.loads(text.readline())["tick"] for _ in range(120)]
        self.assertEqual(ticks, sorted(ticks))
        self.assertGreater(server.end()[3], 0)
        self.assertEqual(len(others), 6)

    def test_errors(self):
        server = Server(self)
        self.assertIn("is it running already", play("--headless", "--port", str(server.port), expect=1).stderr)
        server.end()
        self.assertIn("no IPv4 address", play("--headless", "--port", "0", "--listen", "here", expect=2).stderr)
        self.assertIn("--port", play("--port", "0", "-o", "a.glb", expect=2).stderr)


def zoe(*words, expect=0):
    done = subprocess.run([ZOE, *words], cwd=FOLDER, env=WITHOUT_DISPLAY, capture_output=True, text=True)
    assert done.returncode == expect, f"{words}: exit code {done.returncode}, not {expect}\n{done.stdout}\n{done.stderr}"
    return done


class Rigs(unittest.TestCase):
    """Any rig, without clips."""

    def setUp(self):
        if not os.path.exists(os.path.join(FOLDER, "rigs")):
            zoe("synth", "-o", "rigs", "--count", "1", "--family", "hexapod", "--seconds", "1", "--seed", "4", "-q")
        self.rig = next(os.path.join("rigs", name) for name in sorted(os.listdir(os.path.join(FOLDER, "rigs")))
                        if name.endswith(".glb"))

    def test_a_rig_walks_and_is_saved_as_a_run(self):
        said = zoe("play", self.rig, "--seconds", "2", "-o", "walk.glb").stdout
        self.assertIn("walks on 6 legs", said)
        clip = json.loads(zoe("info", "walk.glb", "--json").stdout)["clips"][0]
        self.assertAlmostEqual(clip["seconds"], 2, delta=0.1)
        self.assertIn("saved", zoe("play", self.rig, "--save", "run").stdout)
        words = ("--path", "slalom", "--seconds", "3", "--headless")
        state = re.compile("state [0-9a-f]{16}")
        first, second = (state.search(zoe("play", of, *words).stdout).group(0) for of in (self.rig, "run"))
        self.assertEqual(first, second)
        zoe("export", "run", "run.zoe", "-q")
        self.assertEqual(first, state.search(zoe("play", "run.zoe", *words).stdout).group(0))

    def test_measures(self):
        found = json.loads(zoe("play", self.rig, "--measure").stdout)
        self.assertEqual(found["legs"], 6)
        self.assertLess(found["worst_path_error"], 0.1)
        self.assertLess(found["skate"], 0.01)

    def test_errors(self):
        zoe("play", self.rig, "--save", "other", "-q")
        self.assertIn("for rigs", zoe("play", "other", "--measure", expect=2).stderr)
        self.assertIn("absent.glb", zoe("play", "absent.glb", "--measure", expect=1).stderr)
        write_lines("lines.glb", [(0, 0, 0), (0, 0, 1)])
        self.assertIn("no joints", zoe("play", "lines.glb", "--path", "circle", "--seconds", "1", "-o", "a.bvh", expect=3).stderr)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FOLDER = folder
        program = unittest.main(argv=[sys.argv[0]] + sys.argv[4:], exit=False)
    sys.exit(0 if program.result.wasSuccessful() else 1)

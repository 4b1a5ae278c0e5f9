#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`zoe view` and `zoe play` in a real window under Xvfb, with real keys and a real pointer (XTest, through xdotool).

usage: viewer_test.py ZOE CONTROLLER      says SKIPPED and exits 77 where Xvfb, xdotool or the viewer is absent
"""
import ctypes
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib

ZOE = ""
FOLDER = ""
CLIP = ""
CONTROLLER = ""
SCREEN = None
PATIENCE_S = 600  # A busy machine takes its time; what fails does so by state, not by time.


class Screen:
    """An X server of our own, in memory."""

    def __init__(self):
        read, write = os.pipe()
        self.process = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
                                        pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            self.display = ":" + numbers.readline().strip()

    def close(self):
        self.process.terminate()
        self.process.wait()


def environment(**more):
    result = dict(os.environ, DISPLAY=SCREEN.display, LIBGL_ALWAYS_SOFTWARE="1", XDG_CONFIG_HOME=os.path.join(FOLDER, "config"))
    result.pop("WAYLAND_DISPLAY", None)
    result.update(more)
    return {key: value for key, value in result.items() if value is not None}


def ask_to_close():
    """What a window manager sends when somebody clicks the cross; xdotool of Debian 12 cannot."""
    window = int(subprocess.run(["xdotool", "search", "--class", "zoe-view"], env=environment(), check=True, capture_output=True, text=True).stdout.split()[-1])
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(SCREEN.display.encode())
    protocols, delete = (x11.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
    # An XClientMessageEvent: type, serial, send_event, display, window, message_type, format, data.
    event = struct.pack("@iLiPLLi4x5l", 33, 0, 1, display, window, protocols, 32, delete, 0, 0, 0, 0).ljust(192, b"\0")
    x11.XSendEvent(display, window, 0, 0, event)
    x11.XCloseDisplay(display)


class Viewer:
    """A running `zoe view --state` or `zoe play --state` and the last line it printed."""

    def __init__(self, *words, fresh=True, verb="view"):
        command = [ZOE, verb, *words, "--state", "--debug", "--size", "1200x760"] + (["--fresh"] if fresh else [])
        self.process = subprocess.Popen(command, env=environment(), cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.state = {}
        self.news = threading.Condition()
        self.lines = []
        threading.Thread(target=self.listen, daemon=True).start()
        self.wait(lambda s: True)

    def listen(self):
        for line in self.process.stdout:
            with self.news:
                self.lines.append(line)
                if line.startswith("{"):
                    self.state = json.loads(line)
                self.news.notify_all()
        with self.news:
            self.state = dict(self.state, ended=True)
            self.news.notify_all()

    def wait(self, holds):
        """The first state that holds; fails when none comes."""
        with self.news:
            came = self.news.wait_for(lambda: self.state and (self.state.get("ended") or holds(self.state)), PATIENCE_S)
            if not came or self.state.get("ended"):
                self.process.kill()
                raise AssertionError(f"waited in vain; last state: {self.state}; said: {self.process.stderr.read()}")
            return dict(self.state)

    def do(self, *words):
        subprocess.run(["xdotool", *map(str, words)], env=environment(), check=True)

    def key(self, name, holds):
        """Presses it, again where nothing at all came of it: X servers of starved machines lose events."""
        before = json.dumps(self.state)
        for _ in range(3):
            self.do("key", name)
            with self.news:
                if self.news.wait_for(lambda: json.dumps(self.state) != before or holds(self.state), 10):
                    break
        return self.wait(holds)

    def end(self, how="key"):
        """Closes it as people do, and expects that all went well (OpenGL errors fail the run)."""
        if how == "key":
            self.do("key", "ctrl+q")
        elif how == "close":
            ask_to_close()
        else:
            self.process.send_signal(how)
        code = self.process.wait(PATIENCE_S)
        words = self.process.stderr.read()
        assert code == 0, f"exit code {code}: {words}"
        return "".join(self.lines)


def read_png(path):
    """Rows of (r, g, b) of an 8-bit RGB PNG, by the book."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, body = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", chunk[:10])
            assert (depth, color) == (8, 2)
        if kind == b"IDAT":
            body += chunk
        at += 12 + length
    raw, stride, before, rows = zlib.decompress(body), width * 3, bytearray(width * 3), []
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, up, corner = line[i - 3] if i >= 3 else 0, before[i], before[i - 3] if i >= 3 else 0
            if kind == 1:
                line[i] = (line[i] + left) & 255
            elif kind == 2:
                line[i] = (line[i] + up) & 255
            elif kind == 3:
                line[i] = (line[i] + (left + up) // 2) & 255
            elif kind == 4:
                p = left + up - corner
                pa, pb, pc = abs(p - left), abs(p - up), abs(p - corner)
                line[i] = (line[i] + (left if pa <= pb and pa <= pc else up if pb <= pc else corner)) & 255
        before = line
        rows.append([tuple(line[3 * x:3 * x + 3]) for x in range(width)])
    return rows


class InTheWindow(unittest.TestCase):
    def test_keys(self):
        v = Viewer(CLIP)
        v.do("mousemove", 600, 300)
        self.assertTrue(v.state["playing"])
        before = v.state["frame"]
        v.wait(lambda s: s["frame"] != before)  # It plays.
        paused = v.key("space", lambda s: not s["playing"])
        last = paused["last"]
        v.key("Home", lambda s: s["frame"] == 0)
        v.key("Right", lambda s: s["frame"] == 1)
        v.key("shift+Right", lambda s: s["frame"] == 11)
        v.key("Left", lambda s: s["frame"] == 10)
        v.key("bracketleft", lambda s: s["first"] == 10)
        v.key("shift+Right", lambda s: s["frame"] == 20)
        v.key("bracketright", lambda s: s["last"] == 20)
        v.key("Home", lambda s: s["frame"] == 10)
        v.key("backslash", lambda s: (s["first"], s["last"]) == (0, last))
        v.key("End", lambda s: s["frame"] == last)
        v.key("l", lambda s: not s["loop"])
        v.key("minus", lambda s: s["speed"] == 0.5)
        v.key("plus", lambda s: s["speed"] == 1)
        v.key("m", lambda s: s["mirrored"])
        v.key("g", lambda s: s["ghosts"])
        self.assertEqual(v.state["theme"], "dark")
        v.key("t", lambda s: s["theme"] == "light")
        v.key("F1", lambda s: s["help"])
        v.key("Escape", lambda s: not s["help"])
        for number, mode in ((2, "free"), (3, "follow"), (4, "fixed"), (1, "orbit")):
            v.key(str(number), lambda s, mode=mode: s["camera"] == mode)
        v.key("Tab", lambda s: not s["panels"])
        v.end()

    def test_pointer(self):
        v = Viewer(CLIP, "--time", "0.2")
        start = v.state
        v.do("mousemove", 500, 300, "mousedown", 1, "mousemove", 560, 300, "mousemove", 620, 310, "mouseup", 1)
        turned = v.wait(lambda s: s["yaw"] != start["yaw"])
        v.wait(lambda s: s["yaw"] < start["yaw"] - 0.5)  # 120 pixels of 0.005 radians, to the left around the body.
        v.do("click", 4)
        v.wait(lambda s: s["distance"] < turned["distance"])
        # A click in the middle hits the body: the nearest joint is chosen.
        self.assertEqual(v.state["joint"], -1)
        for y in (220, 235, 250, 265):  # A thin figure: somewhere along its middle.
            v.do("mousemove", 590, y, "sleep", 0.5, "click", 1, "sleep", 0.5)
        v.wait(lambda s: s["joint"] >= 0)
        # Along the ruler: time follows, and stays where it was let go.
        x, y = 700, 760 - 190 - 30
        v.do("mousemove", x, y, "mousedown", 1, "mousemove", x + 40, y, "mousemove", x + 200, y)
        scrubbed = v.wait(lambda s: s["frame"] > 0.6 * s["last"])
        v.do("mouseup", 1, "sleep", 1)  # Panels look at buttons once a frame.
        self.assertFalse(scrubbed["playing"])
        self.assertLess(abs(scrubbed["yaw"] - start["yaw"] + 0.6), 0.01)  # Not the camera's drag.
        # A file of the browser, dragged onto the picture: the third of four answers plays the clip on its body.
        v.do("mousemove", 60, 118, "mousedown", 1, "sleep", 0.5, "mousemove", 90, 140, "sleep", 0.5, "mousemove", 400, 250, "sleep", 0.5, "mousemove", 560, 300, "sleep", 0.5)
        v.do("mouseup", 1)
        v.wait(lambda s: s["asks"])
        v.do("mousemove", 300, 200, "sleep", 1)  # The question finds its size first.
        v.do("mousemove", *v.state["asks"], "sleep", 1, "mousedown", 1, "sleep", 1, "mouseup", 1)
        v.wait(lambda s: s["title"].startswith("walk on "))
        v.end("close")

    def test_pulling_a_hand(self):
        v = Viewer(CLIP, "--time", "0.2")
        v.do("mousemove", 500, 200)
        posed = v.key("j", lambda s: s["poses"] and len(s.get("handles", [])) >= 4)
        x, y, _ = min(posed["handles"])  # The leftmost.
        v.do("mousemove", int(x), int(y), "mousedown", 1, "mousemove", int(x) + 8, int(y) + 8, "mousemove", int(x) + 20, int(y) + 25)
        v.wait(lambda s: any(abs(h[0] - x - 20) < 4 and abs(h[1] - y - 25) < 4 for h in s["handles"]))
        v.do("mouseup", 1)
        self.assertEqual(v.state["yaw"], posed["yaw"])  # The camera did not take it for its own.
        v.wait(lambda s: min(s["handles"])[2] < 0.05)   # The body followed.
        v.end()

    def test_saves_the_range(self):
        v = Viewer(CLIP, "--time", "0")
        v.do("mousemove", 600, 300)
        v.key("shift+Right", lambda s: s["frame"] == 10)
        v.key("bracketleft", lambda s: s["first"] == 10)
        v.key("shift+Right", lambda s: s["frame"] == 20)
        v.key("bracketright", lambda s: s["last"] == 20)
        v.do("key", "ctrl+s")
        saved = os.path.join(FOLDER, "walk_part.glb")
        deadline = time.time() + PATIENCE_S
        while not os.path.exists(saved) and time.time() < deadline:
            time.sleep(0.05)
        v.end()
        found = json.loads(subprocess.run([ZOE, "info", saved, "--json"], capture_output=True, check=True, text=True).stdout)
        self.assertEqual(found["clips"][0]["frames"], 11)

    def test_screenshot_shows_the_panels(self):
        pictures = {}
        for name, words in (("panels", []), ("bare", ["--no-panels"]), ("light", ["--theme", "light"])):
            path = os.path.join(FOLDER, name + ".png")
            run = subprocess.run([ZOE, "view", CLIP, "--fresh", "--debug", "--time", "0.3", "--size", "1000x700", "--screenshot", path, "--after", "5", *words],
                                 env=environment(), capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            pictures[name] = read_png(path)
            self.assertEqual((len(pictures[name]), len(pictures[name][0])), (700, 1000))
        panels, bare, light = pictures["panels"], pictures["bare"], pictures["light"]
        self.assertEqual(panels[400][3], (0x20, 0x24, 0x2B))  # The browser's ground, exactly as the theme has it.
        self.assertEqual(light[400][3], (0xF1, 0xF2, 0xF5))
        self.assertNotEqual(bare[400][3], (0x20, 0x24, 0x2B))
        accent = sum(p == (0xF5, 0x9E, 0x42) for row in panels for p in row)
        self.assertGreater(accent, 100)  # The play head and what is switched on.
        middle = [bare[y][x] for y in range(200, 500) for x in range(400, 600)]
        self.assertGreater(len(set(middle)), 500)  # A lit body, not a flat colour.

    def test_same_poses_with_and_without_a_window(self):
        record = os.path.join(FOLDER, "keys.txt")
        v = Viewer(CLIP, "--record", record, "--hash")
        v.do("mousemove", 600, 300)
        v.key("minus", lambda s: s["speed"] == 0.5)
        v.key("m", lambda s: s["mirrored"])
        paused = v.key("space", lambda s: not s["playing"])
        v.key("Right", lambda s: s["frame"] == paused["frame"] + 1)
        v.do("mousemove", 500, 300, "mousedown", 1, "mousemove", 620, 310, "mouseup", 1)  # Cameras move no body.
        v.key("space", lambda s: s["playing"])
        lived = v.end().splitlines()[-1]
        self.assertRegex(lived, r"^poses [0-9a-f]{32} after \d+ steps$")

        def replay(*words):
            run = subprocess.run([ZOE, "view", CLIP, "--fresh", "--hash", "--play", record, *words], env=environment(), capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            return run.stdout.splitlines()[-1]
        self.assertEqual(replay(), lived)
        self.assertEqual(replay("--headless"), lived)
        with open(record) as file:
            text = file.read()
        self.assertIn("key 77 1", text)
        with open(record, "w") as file:
            file.write(text.replace("key 77 1", "key 78 1"))  # Not mirrored: other poses.
        self.assertNotEqual(replay("--headless"), lived)

    def test_film_of_a_closed_window_plays(self):
        if not shutil.which("ffprobe"):
            self.skipTest("no ffprobe")
        for how in ("close", signal.SIGTERM):
            film = os.path.join(FOLDER, f"film_{how}.mp4")
            v = Viewer(CLIP, "--film", film)
            v.wait(lambda s: s["film"])
            first = v.state["frame"]
            v.wait(lambda s: s["frame"] != first)
            v.end(how)
            count = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries", "stream=nb_read_frames", "-of",
                                    "csv=p=0", film], capture_output=True, text=True)
            self.assertEqual(count.returncode, 0, f"{how}: {count.stderr}")
            self.assertGreaterEqual(int(count.stdout), 1)

    def test_remembers(self):
        v = Viewer(CLIP, fresh=False)
        v.do("mousemove", 600, 300)
        v.key("t", lambda s: s["theme"] == "light")
        v.key("g", lambda s: s["ghosts"])
        v.end()
        v = Viewer(CLIP, fresh=False)
        self.assertEqual((v.state["theme"], v.state["ghosts"]), ("light", True))
        v.end()


class Steering(unittest.TestCase):
    """`zoe play` with hands on the keyboard."""

    def test_walks_where_keys_and_clicks_say(self):
        record = os.path.join(FOLDER, "steered.txt")
        v = Viewer(CONTROLLER, "--record", record, "--hash", verb="play")
        v.do("mousemove", 400, 300)
        start = v.state
        self.assertEqual((start["driver"], start["progress"]), ("keys", "standing"))
        # The camera stands behind the character and looks along +Z; its left is +X.
        v.do("keydown", "w")
        went = v.wait(lambda s: s["z"] > start["z"] + 0.7)
        self.assertLess(abs(went["x"] - start["x"]), 0.5)
        self.assertEqual(went["progress"], "moving")
        v.do("keydown", "a", "keyup", "w")
        v.wait(lambda s: s["x"] > went["x"] + 0.7)
        v.do("keyup", "a")
        v.wait(lambda s: s["wanted"] == [0, 0])
        # Turned by a quarter to the right, away from the camera is -X.
        v.do("mousedown", 1, "mousemove", 714, 300, "mouseup", 1)
        turned = v.wait(lambda s: abs(s["yaw"] - start["yaw"] + 1.57) < 0.01)
        self.assertIsNone(turned["goal"])  # A drag is no click.
        v.do("keydown", "Up")
        v.wait(lambda s: s["wanted"][0] < -1.5 and abs(s["wanted"][1]) < 0.3)
        v.do("keyup", "Up")
        v.do("mousemove", 475, 600, "sleep", 0.3, "click", 1)
        aims = v.wait(lambda s: s["goal"])
        away = ((aims["goal"][0] - aims["x"]) ** 2 + (aims["goal"][1] - aims["z"]) ** 2) ** 0.5
        self.assertLess(away, 4)
        self.assertEqual(aims["driver"], "goal")
        v.key("BackSpace", lambda s: s["goal"] is None)
        v.key("space", lambda s: s["paused"])
        lived = v.end().splitlines()[-1]
        self.assertRegex(lived, r"^state [0-9a-f]{16} after \d+ steps$")

        def replay(*words):
            run = subprocess.run([ZOE, "play", CONTROLLER, "--fresh", "--hash", "--replay", record, *words], env=environment(), capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            return run.stdout.splitlines()[-1]
        self.assertEqual(replay("--headless"), lived)
        with open(record) as file:
            text = file.read()
        with open(record, "w") as file:
            file.write(text.replace("key 87 1", "key 83 1"))  # Backwards: another end.
        self.assertNotEqual(replay("--headless"), lived)

    def test_follows_a_path_until_told_otherwise(self):
        v = Viewer(CONTROLLER, "--path", "circle", "--mood", "0.5*tired+0.5*proud", verb="play")
        self.assertEqual(v.state["mood"], {"proud": 0.5, "tired": 0.5})
        v.do("mousemove", 400, 300)
        v.wait(lambda s: s["driver"] == "path" and s["x"] > 0.2 and s["speed"] > 0.5)
        v.do("keydown", "s")
        v.wait(lambda s: s["driver"] == "keys" and s["wanted"][1] < -1)
        v.do("keyup", "s")
        v.wait(lambda s: s["driver"] == "path")
        v.end("close")

    def test_errors(self):
        def expect(code, words, *command, **more):
            run = subprocess.run([ZOE, "play", *command], env=environment(**more), capture_output=True, text=True, timeout=PATIENCE_S)
            self.assertEqual(run.returncode, code, run.stderr)
            self.assertEqual(len(run.stderr.strip().splitlines()), 1, run.stderr)
            self.assertIn(words, run.stderr)
        expect(1, "-o circle.mp4", CONTROLLER, DISPLAY=None)
        expect(1, "no window on display ':97531'", CONTROLLER, DISPLAY=":97531")
        expect(1, "zoe train controller", FOLDER, "--fresh")
        expect(2, "there are: straight", CONTROLLER, "--fresh", "--path", "nowhere")
        expect(1, "nowhere.txt", CONTROLLER, "--headless", "--replay", os.path.join(FOLDER, "nowhere.txt"))


class Errors(unittest.TestCase):
    def expect(self, code, words, command, **more):
        run = subprocess.run([ZOE, "view", *command], env=environment(**more), capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(len(run.stderr.strip().splitlines()), 1, run.stderr)
        self.assertIn(words, run.stderr)

    def test_one_line_each(self):
        self.expect(1, "there is no display here", [CLIP], DISPLAY=None)
        self.expect(1, "no window on display ':97531'", [CLIP], DISPLAY=":97531")
        self.expect(3, "OpenGL 4.5 is needed", [CLIP, "--fresh"], MESA_GL_VERSION_OVERRIDE="3.3")
        self.expect(1, "nowhere.glb", [os.path.join(FOLDER, "nowhere.glb"), "--fresh"])
        self.expect(2, "give it --play", [CLIP, "--headless"])
        self.expect(2, "contains no motion", [tempfile.mkdtemp(dir=FOLDER), "--fresh"])


if __name__ == "__main__":
    ZOE, CONTROLLER = map(os.path.abspath, sys.argv[1:3])
    absent = [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]
    if not os.path.exists(os.path.join(os.path.dirname(ZOE), "zoe-view")):
        absent.append("zoe-view")
    if absent:
        print("SKIPPED: no", ", no ".join(absent))
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        FOLDER = folder
        subprocess.run([ZOE, "demo", "formats", "--out", FOLDER, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        CLIP = os.path.join(FOLDER, "walk.glb")
        SCREEN = Screen()
        try:
            program = unittest.main(argv=[sys.argv[0]] + sys.argv[3:], exit=False)
        finally:
            SCREEN.close()
    sys.exit(0 if program.result.wasSuccessful() else 1)

# SPDX-License-Identifier: MIT
"""The Maya script against a stub of maya.cmds that keeps a scene graph: joints end up where the packets say.

usage: maya_test.py ZOE CLIP SOURCE_FOLDER
"""
import math
import os
import re
import subprocess
import sys
import time
import types

import numpy


class Cmds:
    """What the script uses of Maya, with Maya's order of rotations: the matrix is X Y Z of row vectors."""

    def __init__(self):
        self.parents, self.values, self.keys, self.selected, self.jobs = {}, {}, [], None, []

    def select(self, name=None, clear=False):
        assert clear or name in self.parents, name
        self.selected = None if clear else name

    def joint(self, name):
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name), name
        while name in self.parents:
            name += "1"
        self.parents[name] = self.selected
        self.selected = name
        return name

    def setAttr(self, path, *values, type):
        assert type == "double3" and len(values) == 3 and path.split(".")[0] in self.parents
        self.values[path] = values

    def setKeyframe(self, name, attribute, time, value):
        assert name in self.parents
        self.keys.append((name, attribute, time, value))

    def scriptJob(self, event=None, kill=None):
        self.jobs.append(event or kill)
        return len(self.jobs)

    def matrix(self, name):
        x, y, z = (math.radians(a) for a in self.values[name + ".rotate"])
        about_x = numpy.array([[1, 0, 0], [0, math.cos(x), math.sin(x)], [0, -math.sin(x), math.cos(x)]])
        about_y = numpy.array([[math.cos(y), 0, -math.sin(y)], [0, 1, 0], [math.sin(y), 0, math.cos(y)]])
        about_z = numpy.array([[math.cos(z), math.sin(z), 0], [-math.sin(z), math.cos(z), 0], [0, 0, 1]])
        local = numpy.eye(4)
        local[:3, :3] = about_x @ about_y @ about_z
        local[3, :3] = self.values[name + ".translate"]
        parent = self.parents[name]
        return local if parent is None else local @ self.matrix(parent)


def model(joints, pose):
    out = []
    for joint, translation, (x, y, z, w) in zip(joints, pose.translations, pose.rotations):
        local = numpy.eye(4)
        local[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
        local[:3, 3] = translation
        out.append(local if joint["parent"] < 0 else out[joint["parent"]] @ local)
    return out


zoe, clip, source = sys.argv[1:]
cmds = Cmds()
maya = types.ModuleType("maya")
maya.cmds = cmds
sys.modules["maya"] = maya
sys.path.insert(0, os.path.join(source, "tools/blender"))
import zoetrope_maya  # noqa: E402

sender = subprocess.Popen([zoe, "stream", clip, "--to", "tcp://127.0.0.1:0", "--fps", "30", "--receivers", "1"],
                          stdout=subprocess.PIPE, text=True)
try:
    live = zoetrope_maya.Live("tcp://127.0.0.1:" + sender.stdout.readline().split()[-1])
    live.start()
    live.record()
    came, last = 0, time.monotonic()
    while not live.has_ended and time.monotonic() - last < 600:
        count = live.poll()
        came += count
        last = time.monotonic() if count else last
        time.sleep(0.002)
    poses = list(live.recording)
    assert came > 20 and len(poses) == came
    joints = live.decoder.skeletons[0]["joints"]
    worst = 0
    for pose in poses[::5]:
        live.apply(pose)
        for name, expected in zip(live.joints[0], model(joints, pose)):
            worst = max(worst, numpy.abs(cmds.matrix(name)[3, :3] / 100 - expected[:3, 3]).max())
    assert worst < 1e-4, worst
    assert live.key() == came and len(cmds.keys) == came * len(joints) * 6
    assert zoetrope_maya.euler_xyz((0, math.sqrt(0.5), 0, math.sqrt(0.5)))[1] == 90
    live.stop()
    assert len(cmds.jobs) == 2
    print("maya stub ok: %d poses, %.2g m off" % (came, worst))
finally:
    sender.kill()

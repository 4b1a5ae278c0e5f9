# SPDX-License-Identifier: GPL-3.0-or-later
"""Zoetrope live for Maya: joints that follow `zoe stream … --to tcp://127.0.0.1:7070`, and keys of what came.

In Maya's script editor, with this folder and zoetrope_live in sys.path:

    import zoetrope_maya
    live = zoetrope_maya.Live("tcp://127.0.0.1:7070")
    live.start()                    # Follows while Maya is idle. live.poll() follows once.
    live.record(); …; live.key()    # Keys of what came in between.
    live.stop()

Maya's scenes are in centimetres with Y up: lengths are multiplied by 100. Tested against a stub of maya.cmds
(tests/blender/maya_test.py), not in Maya.
"""
import importlib.util
import math
import os

from maya import cmds

# The package's own __init__ needs Blender; packets.py does not.
_spec = importlib.util.spec_from_file_location(
    "zoetrope_packets", os.path.join(os.path.dirname(os.path.abspath(__file__)), "zoetrope_live", "packets.py"))
packets = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(packets)

CENTIMETRES = 100.0


def euler_xyz(q):
    """Degrees of Maya's default order: about x first, then y, then z."""
    x, y, z, w = q
    sine = max(-1.0, min(1.0, 2 * (w * y - z * x)))
    if abs(sine) > 0.999999:  # Only x - z or x + z is known: z is zero.
        return [math.degrees(2 * math.atan2(x, w)), math.degrees(math.copysign(math.pi / 2, sine)), 0.0]
    return [math.degrees(math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))), math.degrees(math.asin(sine)),
            math.degrees(math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))]


class Live:
    def __init__(self, address, token=""):
        self.link = packets.connect(address, token)
        self.decoder = packets.Decoder()
        self.joints = {}  # Of each subject: Maya's names of its joints.
        self.recording = None
        self.job = None
        self.has_ended = False

    def start(self):
        self.job = cmds.scriptJob(event=["idle", self.poll])

    def stop(self):
        if self.job is not None:
            cmds.scriptJob(kill=self.job)
        self.job = None
        self.link.close()

    def poll(self):
        """Shows the newest pose of each character. The number of poses that came."""
        newest, count = {}, 0
        try:
            came = self.link.receive()
        except (EOFError, OSError, ValueError):
            self.has_ended = True
            return 0
        for packet in came:
            pose = self.decoder.decode(packet)
            if pose is not None:
                newest[pose.subject] = pose
                count += 1
                if self.recording is not None:
                    self.recording.append(pose)
        for pose in newest.values():
            self.apply(pose)
        self.has_ended = self.has_ended or self.decoder.has_ended
        return count

    def build(self, subject):
        names = []
        for joint in self.decoder.skeletons[subject]["joints"]:
            if joint["parent"] < 0:
                cmds.select(clear=True)
            else:
                cmds.select(names[joint["parent"]])
            # Maya allows letters, digits and _ only.
            name = "".join(c if c.isalnum() and c.isascii() else "_" for c in joint["name"]) or "joint"
            names.append(cmds.joint(name="j_" + name if name[0].isdigit() else name))
        self.joints[subject] = names

    def apply(self, pose, time=None):
        if len(self.joints.get(pose.subject, ())) != len(pose.rotations):
            self.build(pose.subject)
        for name, translation, rotation in zip(self.joints[pose.subject], pose.translations, pose.rotations):
            values = [n * CENTIMETRES for n in translation]
            cmds.setAttr(name + ".translate", *values, type="double3")
            angles = euler_xyz(rotation)
            cmds.setAttr(name + ".rotate", *angles, type="double3")
            if time is not None:
                for attribute, three in (("translate", values), ("rotate", angles)):
                    for axis, value in zip("XYZ", three):
                        cmds.setKeyframe(name, attribute=attribute + axis, time=time, value=value)

    def record(self):
        self.recording = []

    def key(self, frames_per_second=24.0):
        """Keys of all poses since record(). Their number."""
        poses, self.recording = self.recording or [], None
        for pose in poses:
            self.apply(pose, 1 + (pose.time_ns - poses[0].time_ns) * 1e-9 * frames_per_second)
        return len(poses)

# SPDX-License-Identifier: MIT
"""Runs in Blender: the add-on follows, records and sends a rig back. Compares with its own forward kinematics.

blender -b --factory-startup -P live_in_blender.py -- ADD_ON_FOLDER ADDRESS RIG_PORT
"""
import sys
import time

import bpy
import numpy

folder, address, rig_port = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, folder)
import zoetrope_live  # noqa: E402
from zoetrope_live.session import Session  # noqa: E402
from zoetrope_live.xxh64 import xxh64  # noqa: E402

# Published values of XXH64.
assert xxh64(b"") == 0xEF46DB3751D8E999 and xxh64(b"abc") == 0x44BC2CF5AD770999


def rotate(q, v):
    u, w = q[:3], q[3]
    t = 2 * numpy.cross(u, v)
    return v + w * t + numpy.cross(u, t)


def multiply(a, b):
    return numpy.array([*(a[3] * b[:3] + b[3] * a[:3] + numpy.cross(a[:3], b[:3])), a[3] * b[3] - a[:3] @ b[:3]])


def positions(joints, pose):
    where, turned = [], []
    for index, joint in enumerate(joints):
        t, q = numpy.array(pose.translations[index]), numpy.array(pose.rotations[index])
        parent = joint["parent"]
        where.append(t if parent < 0 else where[parent] + rotate(turned[parent], t))
        turned.append(q if parent < 0 else multiply(turned[parent], q))
    return numpy.array(where)


def error_of(rig, joints, pose):
    bpy.context.view_layer.update()
    expected = positions(joints, pose)
    matrix = numpy.array(rig.object.matrix_world)
    worst = 0
    for index, name in enumerate(rig.names):
        head = matrix @ numpy.array([*rig.object.pose.bones[name].head, 1])
        x, y, z = expected[index]
        worst = max(worst, numpy.abs(head[:3] - numpy.array([x, -z, y])).max())  # Blender: Z is up.
    return worst


zoetrope_live.register()
bpy.context.scene.render.fps = 30
session = Session(address)
session.start_recording()
came, worst, last = 0, 0, time.monotonic()
while not session.has_ended and time.monotonic() - last < 600:
    count = session.poll()
    if count:
        came += count
        last = time.monotonic()
        poses = session.recording[0]
        worst = max(worst, error_of(session.rigs[0], session.decoder.skeletons[0]["joints"], poses[-1]))
    else:
        time.sleep(0.002)
assert came > 20, came
assert worst < 1e-4, worst
poses = session.recording[0]
frames = session.finish_recording(bpy.context.scene)
assert frames == came
rig, joints = session.rigs[0], session.decoder.skeletons[0]["joints"]
assert rig.object.animation_data.action is not None
recorded = 0
for index in range(0, len(poses), 7):
    frame = 1 + (poses[index].time_ns - poses[0].time_ns) * 1e-9 * 30
    bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
    recorded = max(recorded, error_of(rig, joints, poses[index]))
assert recorded < 1e-3, recorded
assert rig.object.data.bones[0].name == joints[0]["name"]

# Back: the armature, without its action, as a rig.
rig.object.animation_data_clear()
bpy.context.view_layer.objects.active = rig.object
bpy.context.scene.zoetrope_rig_to = "127.0.0.1:" + rig_port
assert bpy.ops.zoetrope.send_rig() == {"FINISHED"}
# A wrong address is an error, not an exception.
bpy.context.scene.zoetrope_address = "nowhere"
try:
    bpy.ops.zoetrope.connect()
    raise SystemExit("connected to nowhere")
except RuntimeError as problem:
    assert "tcp://" in str(problem)
session.close()
zoetrope_live.unregister()
print("live ok: %d poses, %.2g m off live, %.2g m recorded" % (came, worst, recorded))

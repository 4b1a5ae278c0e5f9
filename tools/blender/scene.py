# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a .blend scene of a recording: armatures with actions, side by side, with a ball a joint and a stick a bone.

blender -b --factory-startup -P scene.py -- RECORDING.zoep OUT.blend [--sphere R] [--cylinder R] [--scale S] [--apart M]
"""
import argparse
import os
import sys

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from zoetrope_live import packets  # noqa: E402
from zoetrope_live.rig import Rig  # noqa: E402


def add_mesh(name, rig, bone, mesh, length, scale):
    """A mesh that follows a bone. Children of bones are placed from the bone's tail."""
    object_ = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(object_)
    object_.parent, object_.parent_type, object_.parent_bone = rig.object, "BONE", bone
    object_.location = (0, length - rig.object.data.bones[bone].length, 0)
    object_.scale = scale
    return object_


def make_meshes():
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1, segments=16, ring_count=8)
    ball = bpy.context.object
    bpy.ops.mesh.primitive_cylinder_add(radius=1, depth=1, vertices=12, rotation=(1.5707963, 0, 0))
    stick = bpy.context.object
    bpy.ops.object.transform_apply(rotation=True)
    meshes = ball.data, stick.data
    for one in (ball, stick):
        bpy.data.objects.remove(one)
    return meshes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recording")
    parser.add_argument("out")
    parser.add_argument("--sphere", type=float, default=0.02)
    parser.add_argument("--cylinder", type=float, default=0.01)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--apart", type=float, default=2)
    options = parser.parse_args(sys.argv[sys.argv.index("--") + 1:])
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one)
    scene = bpy.context.scene
    decoder = packets.Decoder()
    poses = {}
    for packet in packets.read_file(options.recording):
        pose = decoder.decode(packet)
        if pose is not None:
            poses.setdefault(pose.subject, []).append(pose)
    if not poses:
        raise SystemExit("the recording has no poses")
    ball, stick = make_meshes()
    rate = decoder.skeletons[min(poses)]["fps"]
    scene.render.fps, scene.render.fps_base = max(1, round(rate)), max(1, round(rate)) / rate
    scene.frame_start, scene.frame_end = 1, 1
    for number, (subject, all_poses) in enumerate(sorted(poses.items())):
        rig = Rig(decoder.skeletons[subject])
        rig.object.location.x = options.apart * (number - (len(poses) - 1) / 2)
        rig.object.scale = (options.scale,) * 3
        for pose in all_poses:
            rig.apply(pose)
            rig.insert_keys(1 + (pose.time_ns - all_poses[0].time_ns) * 1e-9 * rate)
        scene.frame_end = max(scene.frame_end, round(1 + (all_poses[-1].time_ns - all_poses[0].time_ns) * 1e-9 * rate))
        for bone in rig.names:
            length = rig.object.data.bones[bone].length
            if options.sphere > 0:
                add_mesh("ball " + bone, rig, bone, ball, 0, (options.sphere,) * 3)
            if options.cylinder > 0:
                add_mesh("stick " + bone, rig, bone, stick, length / 2, (options.cylinder, length, options.cylinder))
    scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(options.out))
    print("%s: %d characters, %d frames" % (options.out, len(poses), scene.frame_end))


main()

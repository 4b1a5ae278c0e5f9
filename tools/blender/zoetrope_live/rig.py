# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures for skeletons of pose packets. The armature's space is that of the packets (Y up); its object is turned so that
Blender's Z is up."""
import math

import bpy
from mathutils import Matrix, Quaternion, Vector


def quaternion(xyzw):
    return Quaternion((xyzw[3], xyzw[0], xyzw[1], xyzw[2]))


class Rig:
    """An armature object of one subject, and how its bones lie within the joints' axes."""

    def __init__(self, skeleton, collection=None):
        self.joints = skeleton["joints"]
        self.rest = [(Vector(j["rest"][:3]), quaternion(j["rest"][3:7])) for j in self.joints]
        self.turn = []  # Joint from bone: bones point at their children along Y, joints need not.
        self.object = self.build(skeleton["name"] or "character", collection or bpy.context.scene.collection)
        self.bones = [self.object.pose.bones[name] for name in self.names]
        for bone in self.bones:
            bone.rotation_mode = "QUATERNION"

    def build(self, name, collection):
        data = bpy.data.armatures.new(name)
        object_ = bpy.data.objects.new(name, data)
        object_.rotation_euler = (math.pi / 2, 0, 0)
        collection.objects.link(object_)
        view = bpy.context.view_layer
        view.update()  # Removed objects would still be listed.
        for other in view.objects:
            other.select_set(False)
        view.objects.active = object_
        object_.select_set(True)
        bpy.ops.object.mode_set(mode="EDIT")
        model = []
        children = [[] for _ in self.joints]
        for index, joint in enumerate(self.joints):
            local = Matrix.LocRotScale(self.rest[index][0], self.rest[index][1], None)
            parent = joint["parent"]
            model.append(model[parent] @ local if parent >= 0 else local)
            if parent >= 0:
                children[parent].append(index)
        self.names = []
        lengths = []
        for index, joint in enumerate(self.joints):
            offsets = [self.rest[child][0] for child in children[index]]
            longest = max(offsets, key=lambda offset: offset.length, default=None)
            if longest is not None and longest.length > 1e-6:
                turn, length = Vector((0, 1, 0)).rotation_difference(longest), longest.length
            elif joint["parent"] >= 0:  # A leaf goes on as the bone above it.
                above = self.turn[joint["parent"]]
                turn, length = self.rest[index][1].inverted() @ above, 0.5 * lengths[joint["parent"]]
            else:
                turn, length = Quaternion(), 0.1
            self.turn.append(turn)
            lengths.append(max(length, 1e-3))
            bone = data.edit_bones.new(joint["name"])
            bone.tail = (0, lengths[-1], 0)
            bone.matrix = model[index] @ turn.to_matrix().to_4x4()
            if joint["parent"] >= 0:
                bone.parent = data.edit_bones[self.names[joint["parent"]]]
            self.names.append(bone.name)  # Blender shortens long names and numbers double ones.
        bpy.ops.object.mode_set(mode="OBJECT")
        return object_

    def apply(self, pose):
        """Sets all bones to a pose."""
        for index, bone in enumerate(self.bones):
            translation, rotation = self.rest[index]
            turn = self.turn[index]
            back = turn.inverted()
            moved = rotation.inverted() @ (Vector(pose.translations[index]) - translation)
            bone.location = back @ moved
            bone.rotation_quaternion = back @ (rotation.inverted() @ quaternion(pose.rotations[index])) @ turn

    def insert_keys(self, frame):
        for bone in self.bones:
            bone.keyframe_insert("rotation_quaternion", frame=frame)
            bone.keyframe_insert("location", frame=frame)

    def joint_position(self, index):
        """In the packets' space, metres; for tests and for sending."""
        return self.object.pose.bones[self.names[index]].head.copy()

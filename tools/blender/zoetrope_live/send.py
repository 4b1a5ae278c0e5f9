# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends an armature of Blender to `zoe stream --from udp://HOST:PORT -o rig.bvh`: the rig that motions are retargeted to
(`zoe retarget walk.bvh --to rig.bvh -o out.bvh`). Its rest pose goes first, then its action's frames, if there are any."""
import json
import socket

from mathutils import Matrix

from . import packets

# Blender's Z up to the packets' Y up.
Y_UP = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))


def local_matrices(object_, is_rest):
    """Names, parents and local matrices of all bones, parents first, in the packets' space."""
    world = Y_UP @ object_.matrix_world
    names, parents, model = [], [], []
    for bone in object_.data.bones:  # Blender keeps parents first.
        names.append(bone.name)
        parents.append(names.index(bone.parent.name) if bone.parent else -1)
        model.append(world @ (bone.matrix_local if is_rest else object_.pose.bones[bone.name].matrix))
    local = [matrix if parent < 0 else model[parent].inverted() @ matrix for parent, matrix in zip(parents, model)]
    return names, parents, local


def parts(matrix):
    translation, rotation, _ = matrix.decompose()
    return list(translation), [rotation.x, rotation.y, rotation.z, rotation.w]


def rig_packets(object_, scene, xxh64):
    """All packets of the rig. xxh64: the hash of skeletons."""
    names, parents, rest = local_matrices(object_, True)
    joints = []
    for name, parent, matrix in zip(names, parents, rest):
        translation, rotation = parts(matrix)
        joints.append({"name": name, "parent": parent, "kind": "bone",
                       "rest": [round(n, 7) for n in translation + rotation] + [1, 1, 1]})
    rate = scene.render.fps / scene.render.fps_base
    text = json.dumps({"name": object_.name, "fps": rate, "joints": joints}, ensure_ascii=False)
    skeleton_hash = xxh64(text.encode())
    yield packets.skeleton_packet(text, 0, len(joints), skeleton_hash)
    frames = range(scene.frame_start, scene.frame_end + 1) if object_.animation_data and \
        object_.animation_data.action else [None]
    for sequence, frame in enumerate(frames):
        if frame is not None:
            scene.frame_set(frame)
        moved = [parts(matrix) for matrix in local_matrices(object_, frame is None)[2]]
        yield packets.pose_packet(0, skeleton_hash, sequence, int(sequence / rate * 1e9), [m[0] for m in moved],
                                  [m[1] for m in moved])
    yield packets.end_packet(0)


def send_rig(object_, scene, host, port):
    from .xxh64 import xxh64
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        for message, packet in enumerate(rig_packets(object_, scene, xxh64)):
            if len(packet) <= 1400:
                link.sendto(packet, (host, port))
                continue
            count = (len(packet) + 1387) // 1388
            for index in range(count):
                head = packets.PIECE.pack(b"ZOEF", message, index, count)
                link.sendto(head + packet[1388 * index:1388 * (index + 1)], (host, port))

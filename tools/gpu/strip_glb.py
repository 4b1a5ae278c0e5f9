#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies the rig and the animations of a glTF file (.glb, or .gltf with its buffers inside) for training on another
machine: no materials and textures, of meshes one triangle for each joint that moves any, and numbers of 13 bits.

usage: strip_glb.py OUT FILE…        OUT: a folder
"""
import array
import base64
import json
import os
import struct
import sys

BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
COUNTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
CODES = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}


def read(path):
    whole = open(path, "rb").read()
    if whole[:4] == b"glTF":
        size = struct.unpack("<I", whole[12:16])[0]
        scene = json.loads(whole[20 : 20 + size])
        inside = whole[20 + size + 8 :]
    else:
        scene, inside = json.loads(whole), b""
    buffers = []
    for buffer in scene.get("buffers", []):
        uri = buffer.get("uri")
        buffers.append(base64.b64decode(uri.split(",", 1)[1]) if uri else inside)
    return scene, buffers


def strip(path, out):
    scene, buffers = read(path)
    old, views, accessors, data = scene.get("accessors", []), [], [], bytearray()

    def add(raw, entry):
        data.extend(b"\0" * (-len(data) % 4))
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(raw)})
        data.extend(raw)
        accessors.append({**entry, "bufferView": len(views) - 1})
        return len(accessors) - 1

    seen = {}

    def raw_of(index):
        entry = old[index]
        view = scene["bufferViews"][entry["bufferView"]]
        row = BYTES[entry["componentType"]] * COUNTS[entry["type"]]
        stride = view.get("byteStride", row)
        first = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
        whole = buffers[view["buffer"]]
        return b"".join(whole[first + i * stride : first + i * stride + row] for i in range(entry["count"]))

    def weighed_joints(mesh):
        joints = set()
        for primitive in mesh["primitives"]:
            attributes = primitive["attributes"]
            for number in range(4):
                if f"JOINTS_{number}" not in attributes:
                    break
                which, weights = (attributes[f"{name}_{number}"] for name in ("JOINTS", "WEIGHTS"))
                numbers = array.array(CODES[old[which]["componentType"]], raw_of(which))
                shares = array.array(CODES[old[weights]["componentType"]], raw_of(weights))
                joints |= {joint for joint, share in zip(numbers, shares) if share > 0}
        return sorted(joints)

    def small_mesh(joints):
        count = 3 * len(joints)
        points = struct.pack("<9f", 0, 0, 0, 0.01, 0, 0, 0, 0.01, 0) * len(joints)
        rows = b"".join(struct.pack("<4H", joint, 0, 0, 0) * 3 for joint in joints)
        corner = {"count": count, "componentType": 5126}
        return {"primitives": [{"attributes": {
            "POSITION": add(points, {**corner, "type": "VEC3", "min": [0, 0, 0], "max": [0.01, 0.01, 0]}),
            "JOINTS_0": add(rows, {"count": count, "componentType": 5123, "type": "VEC4"}),
            "WEIGHTS_0": add(struct.pack("<4f", 1, 0, 0, 0) * count, {**corner, "type": "VEC4"})}}]}

    def keep(index):
        if index in seen:
            return seen[index]
        entry = {k: v for k, v in old[index].items() if k not in ("bufferView", "byteOffset", "name")}
        raw = raw_of(index)
        if entry["componentType"] == 5126:
            bits = array.array("I", raw)
            raw = array.array("I", [min(b + 0x200, 0xFFFFFFFF) & 0xFFFFFC00 for b in bits]).tobytes()
            for key in ("min", "max"):
                if key in entry:
                    values = array.array("f", raw)
                    width = COUNTS[entry["type"]]
                    pick = min if key == "min" else max
                    entry[key] = [pick(values[c::width]) for c in range(width)]
        seen[index] = add(raw, entry)
        return seen[index]

    result = {"asset": scene["asset"]}
    for key in ("scene", "scenes"):
        if key in scene:
            result[key] = scene[key]
    skins = []
    for skin in scene.get("skins", []):
        skins.append({k: v for k, v in skin.items() if k != "inverseBindMatrices"})
        if "inverseBindMatrices" in skin:
            skins[-1]["inverseBindMatrices"] = keep(skin["inverseBindMatrices"])
    nodes, meshes = [], []
    for node in scene["nodes"]:
        wanted = ("name", "children", "matrix", "translation", "rotation", "scale", "extras")
        kept = {k: v for k, v in node.items() if k in wanted}
        joints = weighed_joints(scene["meshes"][node["mesh"]]) if "skin" in node and "mesh" in node else []
        if joints:
            kept["skin"], kept["mesh"] = node["skin"], len(meshes)
            meshes.append(small_mesh(joints))
        nodes.append(kept)
    animations = []
    for animation in scene.get("animations", []):
        samplers = [{**s, "input": keep(s["input"]), "output": keep(s["output"])} for s in animation["samplers"]]
        channels = [c for c in animation["channels"] if c["target"].get("path") != "weights"]
        animations.append({"name": animation.get("name", ""), "samplers": samplers, "channels": channels})
    if skins:
        result["skins"] = skins
    if meshes:
        result["meshes"] = meshes
    result.update(nodes=nodes, animations=animations, accessors=accessors, bufferViews=views)
    data.extend(b"\0" * (-len(data) % 4))
    result["buffers"] = [{"byteLength": len(data)}]
    text = json.dumps(result, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    name = os.path.splitext(os.path.basename(path))[0] + ".glb"
    with open(os.path.join(out, name), "wb") as file:
        file.write(b"glTF" + struct.pack("<II", 2, 12 + 8 + len(text) + 8 + len(data)))
        file.write(struct.pack("<I", len(text)) + b"JSON" + text)
        file.write(struct.pack("<I", len(data)) + b"BIN\0" + bytes(data))


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    for path in sys.argv[2:]:
        strip(path, sys.argv[1])


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies the rig and the animations of a glTF file (.glb, or .gltf with its buffers inside) for training on another
machine: no materials and textures, of meshes a few points for each joint that moves any, and numbers of 13 bits. The
points are those of the mesh: the analysis of a body without telling names finds its limbs by them.

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
POINTS = 8  # Triangles of a joint, at most.


def rounded(raw):
    """Floats of 13 bits."""
    bits = array.array("I", raw)
    return array.array("I", [min(b + 0x200, 0xFFFFFFFF) & 0xFFFFFC00 for b in bits]).tobytes()


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

    def numbers_of(index):
        return array.array(CODES[old[index]["componentType"]], raw_of(index))

    def points_by_joint(mesh):
        """Of each joint the points that it moves more than others do; joints that move any have at least one."""
        points, touched = {}, {}
        for primitive in mesh["primitives"]:
            attributes = primitive["attributes"]
            places = numbers_of(attributes["POSITION"])
            shares = []  # (joints, weights), four of each for a point.
            for number in range(4):
                if f"JOINTS_{number}" in attributes:
                    shares.append([numbers_of(attributes[f"{name}_{number}"]) for name in ("JOINTS", "WEIGHTS")])
            for i in range(len(places) // 3):
                place = tuple(places[3 * i : 3 * i + 3])
                moved = [(weights[k], joints[k]) for joints, weights in shares for k in range(4 * i, 4 * i + 4)
                         if weights[k] > 0]
                if not moved:
                    continue
                points.setdefault(max(moved)[1], []).append(place)
                for _, joint in moved:
                    touched.setdefault(joint, place)
        return {joint: points.get(joint, [place]) for joint, place in touched.items()}

    def small_mesh(by_joint):
        places, rows = [], []
        for joint, points in sorted(by_joint.items()):
            count = 3 * min(POINTS, (len(points) + 2) // 3)
            places += [points[i * len(points) // count] for i in range(count)]
            rows += [joint] * count
        data = rounded(array.array("f", [x for place in places for x in place]).tobytes())
        values = array.array("f", data)
        corner = {"count": len(places), "componentType": 5126}
        ends = {"min": [min(values[c::3]) for c in range(3)], "max": [max(values[c::3]) for c in range(3)]}
        joints = b"".join(struct.pack("<4H", joint, 0, 0, 0) for joint in rows)
        return {"primitives": [{"attributes": {
            "POSITION": add(data, {**corner, "type": "VEC3", **ends}),
            "JOINTS_0": add(joints, {"count": len(places), "componentType": 5123, "type": "VEC4"}),
            "WEIGHTS_0": add(struct.pack("<4f", 1, 0, 0, 0) * len(places), {**corner, "type": "VEC4"})}}]}

    def keep(index):
        if index in seen:
            return seen[index]
        entry = {k: v for k, v in old[index].items() if k not in ("bufferView", "byteOffset", "name")}
        raw = raw_of(index)
        if entry["componentType"] == 5126:
            raw = rounded(raw)
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
        points = points_by_joint(scene["meshes"][node["mesh"]]) if "skin" in node and "mesh" in node else {}
        if points:
            kept["skin"], kept["mesh"] = node["skin"], len(meshes)
            meshes.append(small_mesh(points))
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

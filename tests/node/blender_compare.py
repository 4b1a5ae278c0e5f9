# SPDX-License-Identifier: MIT
"""Run inside Blender: opens GLB and BVH samples; joints are where our own code says, to 1e-4 of the box.

usage: blender -b --factory-startup --python blender_compare.py -- FOLDER PATTERN...
"""
import fnmatch
import json
import os
import sys

import bpy
import numpy

numpy.bool = bool  # Blender 3.4's glTF importer uses this alias, which newer NumPy has dropped.

TOLERANCE = 1e-4


def open_file(path, fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = max(round(fps), 1), max(round(fps), 1) / fps if fps else 1
    if path.endswith(".bvh"):
        # Blender 3.4's importer opens with mode "rU", which Python 3.11 refuses.
        from io_anim_bvh import import_bvh
        import_bvh.open = lambda name, mode="r", *rest, **named: open(name, mode.replace("U", ""), *rest, **named)
        bpy.ops.import_anim.bvh(filepath=path, axis_forward="-Z", axis_up="Y", frame_start=0)
    else:
        bpy.ops.import_scene.gltf(filepath=path)


def joint_positions():
    """World position by name: pose bones of armatures, and plain objects. Blender's Z up is turned back to Y up."""
    found = {}
    for obj in bpy.context.scene.objects:
        places = {obj.name: obj.matrix_world.translation}
        if obj.type == "ARMATURE":
            places.update({bone.name: (obj.matrix_world @ bone.matrix).translation for bone in obj.pose.bones})
        for name, place in places.items():
            found.setdefault(name, (place.x, place.z, -place.y))
    return found


def compare(path, truth):
    clip = truth["clips"][0]
    open_file(path, clip["fps"])
    armatures = [o for o in bpy.context.scene.objects if o.type == "ARMATURE"]
    worst = compared = 0
    for frame in clip["frames"]:
        first = 1 if path.endswith(".bvh") else 0  # The BVH importer puts the first frame behind frame_start.
        bpy.context.scene.frame_set(round(frame["time_s"] * clip["fps"]) + first if clip["fps"] else 0)
        bpy.context.view_layer.update()
        found = joint_positions()
        box = max(max(p[c] for p in frame["joints"]) - min(p[c] for p in frame["joints"]) for c in range(3)) or 1
        for name, expected in zip(truth["joints"], frame["joints"]):
            if path.endswith(".bvh") and name.endswith("_End"):
                continue  # Blender makes bone tails of end sites, not bones.
            if name not in found:
                return f"no joint {name}"
            worst = max(worst, max(abs(a - b) for a, b in zip(found[name], expected)) / box)
            compared += 1
    print(f"{os.path.basename(path)}: {compared} joints, {len(armatures)} armatures, off by {worst:.2e} of the box", flush=True)
    if not armatures:
        return "no armature"
    return None if worst <= TOLERANCE and compared else f"off by {worst} of the box"


def main(folder, patterns):
    failures = compared_files = 0
    # Patterns that match nothing name shared data, which may be absent.
    for name in (n for n in sorted(os.listdir(folder)) if any(fnmatch.fnmatch(n, pattern) for pattern in patterns)):
        path = os.path.join(folder, name)
        with open(os.path.splitext(path)[0] + ".json", encoding="utf-8") as file:
            problem = compare(path, json.load(file))
        compared_files += 1
        if problem:
            print(f"FAILED {name}: {problem}", flush=True)
            failures += 1
    return failures if compared_files else 1


arguments = sys.argv[sys.argv.index("--") + 1:]
sys.stdout.flush()
os._exit(1 if main(arguments[0], arguments[1:]) else 0)

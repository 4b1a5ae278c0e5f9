# SPDX-License-Identifier: MIT
"""Run inside Blender: opens GLB, BVH and FBX samples; joints (FBX: every take, and vertices) are where our own code
says, to 1e-4 of the box.

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
    elif path.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=path, anim_offset=0)
        scene.render.fps, scene.render.fps_base = max(round(fps), 1), max(round(fps), 1) / fps if fps else 1
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


def play(clip_name):
    """Gives every object (and shape key) its action of one take; FBX files may have several."""
    owners = list(bpy.context.scene.objects) + [o.data.shape_keys for o in bpy.context.scene.objects
                                                if o.type == "MESH" and o.data.shape_keys]
    for owner in owners:
        actions = [a for a in bpy.data.actions if a.name.startswith(f"{owner.name}|{clip_name}|"[:63])]
        if not actions:
            continue
        owner.animation_data_create()
        owner.animation_data.action = actions[0]


def vertex_error(truth, frame):
    """Largest distance of a vertex: a mesh object has the name of its node, or of its mesh."""
    worst = count = 0
    graph = bpy.context.evaluated_depsgraph_get()
    for instance in frame["instances"]:
        obj = bpy.data.objects.get(truth["joints"][instance["node"]])
        if obj is None or obj.type != "MESH":
            continue
        mesh = obj.evaluated_get(graph).to_mesh()
        for vertex, expected in instance["vertices"].items():
            place = obj.evaluated_get(graph).matrix_world @ mesh.vertices[int(vertex)].co
            worst = max(worst, max(abs(a - b) for a, b in zip((place.x, place.z, -place.y), expected)))
            count += 1
    return worst, count


def compare_clip(path, truth, clip):
    """Worst joint, worst vertex (of the box) and their numbers, or the name of a joint that is missing."""
    fbx, worst, worst_vertex, compared, vertices = path.endswith(".fbx"), 0, 0, 0, 0
    for frame in clip["frames"]:
        first = 1 if path.endswith(".bvh") else 0  # The BVH importer puts the first frame behind frame_start.
        bpy.context.scene.frame_set(round(frame["time_s"] * clip["fps"]) + first if clip["fps"] else 0)
        bpy.context.view_layer.update()
        found = joint_positions()
        box = max(max(p[c] for p in frame["joints"]) - min(p[c] for p in frame["joints"]) for c in range(3)) or 1
        for name, expected in zip(truth["joints"], frame["joints"]):
            if path.endswith(".bvh") and name.endswith("_End"):
                continue  # Blender makes bone tails of end sites, not bones.
            if truth["joints"].count(name) > 1:
                continue  # Blender renames them.
            obj = bpy.data.objects.get(name)
            if fbx and obj and any(m.type == "ARMATURE" for m in obj.modifiers):
                continue  # Blender moves the node of a skinned mesh below the armature.
            if name not in found:
                return f"no joint {name}"
            worst = max(worst, max(abs(a - b) for a, b in zip(found[name], expected)) / box)
            compared += 1
        if fbx and truth["vertices_as_written"]:
            off, count = vertex_error(truth, frame)
            worst_vertex, vertices = max(worst_vertex, off / box), vertices + count
    return worst, worst_vertex, compared, vertices


def compare(path, truth):
    fbx = path.endswith(".fbx")
    open_file(path, truth["clips"][0]["fps"])
    armatures = [o for o in bpy.context.scene.objects if o.type == "ARMATURE"]
    for clip in truth["clips"] if fbx else truth["clips"][:1]:
        if clip["fps"] != truth["clips"][0]["fps"]:
            continue  # A file has one rate.
        if fbx:
            play(clip["name"])
        result = compare_clip(path, truth, clip)
        if isinstance(result, str):
            return result
        worst, worst_vertex, compared, vertices = result
        print(f"{os.path.basename(path)} {clip['name']}: {compared} joints, {vertices} vertices, {len(armatures)} "
              f"armatures, off by {worst:.2e} and {worst_vertex:.2e} of the box", flush=True)
        if worst > TOLERANCE or worst_vertex > TOLERANCE or not compared:
            return f"off by {worst} and {worst_vertex} of the box"
    return None if armatures or not truth["bones"] else "no armature"


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

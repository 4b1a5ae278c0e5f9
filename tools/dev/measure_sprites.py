#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Frames a second of `zoe sprite make` and of Blender's engines, on the same character and frames, in one run.

Usage: measure_sprites.py ZOE CHARACTER.glb [SIZE] [DIRECTIONS] [FRAMES]

Both draw the file's first clip with an orthographic camera from all directions, with a transparent background. zoe draws
toon bands and an outline with 9 samples a pixel. Blender draws:

  workbench_plain    one studio light, no outline, one sample a pixel: less than zoe draws
  workbench_outline  with its outline and 8 samples a pixel: the nearest to what zoe draws
  eevee              one sun, one sample

Blender writes uncompressed pictures and is timed without start, import and the first frame. zoe is timed as the
difference of a long and a short run, with packing and writing. Processor seconds are printed beside wall seconds,
because a busy machine changes only the latter.
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

PEER = """
import bpy, math, mathutils, numpy, os, sys, time
numpy.bool = bool
path, size, directions, frames, folder = sys.argv[sys.argv.index("--") + 1:]
size, directions, frames = int(size), int(directions), int(frames)
for mode in ("workbench_plain", "workbench_outline", "eevee"):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    scene = bpy.context.scene
    scene.render.engine = "BLENDER_EEVEE" if mode == "eevee" else "BLENDER_WORKBENCH"
    scene.render.film_transparent = True
    scene.render.resolution_x = scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "TARGA_RAW"
    scene.render.image_settings.color_mode = "RGBA"
    if mode == "eevee":
        scene.eevee.taa_render_samples = 1
        bpy.ops.object.light_add(type="SUN", rotation=(0.6, 0.3, 0))
    else:
        scene.display.render_aa = "8" if mode == "workbench_outline" else "OFF"
        scene.display.shading.show_object_outline = mode == "workbench_outline"
    bpy.ops.object.camera_add()
    camera = scene.camera = bpy.context.object
    camera.data.type = "ORTHO"
    camera.data.ortho_scale = 3
    begin, end = (int(v) for v in bpy.data.actions[0].frame_range) if bpy.data.actions else (1, frames)
    times = []
    count = min(directions * frames, 10 if mode == "eevee" else 60)
    for i in range(count + 1):
        yaw = 2 * math.pi * (i % directions) / directions
        camera.location = (6 * math.sin(yaw), -6 * math.cos(yaw), 1)
        camera.rotation_euler = (math.pi / 2, 0, yaw)
        scene.frame_set(begin + (i // directions) * max(1, (end - begin) // frames))
        scene.render.filepath = os.path.join(folder, "peer.tga")
        start = (time.perf_counter(), time.process_time())
        bpy.ops.render.render(write_still=True)
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    times = times[1:]  # The first one compiles shaders.
    print("peer", mode, len(times) / sum(t[0] for t in times), len(times) / sum(t[1] for t in times), flush=True)
"""


def children_s():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def make(zoe, character, size, directions, frames, folder):
    wall, cpu = time.perf_counter(), children_s()
    subprocess.run([zoe, "-q", "sprite", "make", "--character", character, "--style", "toon", "--size", str(size),
                    "--directions", str(directions), "--frames", str(frames), "--no-shadow", "-o", folder], check=True)
    return time.perf_counter() - wall, children_s() - cpu


def main():
    zoe, character = sys.argv[1:3]
    size, directions, frames = (int(word) for word in (sys.argv[3:6] + ["128", "8", "60"][len(sys.argv) - 3:]))
    with tempfile.TemporaryDirectory() as folder:
        short = make(zoe, character, size, directions, 2, folder)
        whole = make(zoe, character, size, directions, frames, folder)
        count = (frames - 2) * directions
        wall, cpu = count / (whole[0] - short[0]), count / (whole[1] - short[1])
        print(f"zoe toon + outline, packed and written: {wall:.0f} frames/s, {cpu:.0f} per processor second")
        script = os.path.join(folder, "peer.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(PEER)
        result = subprocess.run(["blender", "-b", "--factory-startup", "--python", script, "--", character, str(size),
                                 str(directions), str(frames), folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True)
        rows = [line.split() for line in result.stdout.splitlines() if line.startswith("peer")]
        if not rows:
            sys.exit("Blender drew nothing:\n" + result.stdout[-2000:])
        for _, engine, frames_s, frames_cpu in rows:
            print(f"{engine}: {float(frames_s):.2f} frames/s, {float(frames_cpu):.2f} per processor second; "
                  f"zoe is {wall / float(frames_s):.0f} x, {cpu / float(frames_cpu):.0f} x by processor time")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Renders a clip with Blender's engines and prints CPU and wall seconds per frame of each: the renderer's peers.

usage: blender -b --factory-startup --python blender_peer.py -- FILE.glb WIDTH HEIGHT OUT_FOLDER

  workbench_plain   Workbench with its defaults, without anti-aliasing: one studio light, no shadows
  workbench         with shadows, cavity (its ambient occlusion) and FXAA
  eevee             EEVEE with one sun and its shadow map, ambient occlusion and bloom, one sample per pixel
"""
import os
import sys
import time

import bpy
import numpy

numpy.bool = bool  # Blender 3.4's glTF reader still uses the old name.
path, width, height, folder = sys.argv[sys.argv.index("--") + 1:]


def set_up(mode):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = int(width), int(height), 100
    scene.render.image_settings.file_format = "BMP"  # The cheapest to write.
    bpy.ops.mesh.primitive_plane_add(size=20)
    bpy.ops.object.camera_add(location=(2.5, -4, 1.6), rotation=(1.4, 0, 0.55))
    scene.camera = bpy.context.object
    if mode == "eevee":
        scene.render.engine = "BLENDER_EEVEE"
        scene.eevee.taa_render_samples = 1
        scene.eevee.use_gtao = scene.eevee.use_bloom = True
        bpy.ops.object.light_add(type="SUN", rotation=(0.6, 0.3, 0))
        scene.world = bpy.data.worlds.new("world")
    else:
        scene.render.engine = "BLENDER_WORKBENCH"
        scene.display.render_aa = "FXAA" if mode == "workbench" else "OFF"
        scene.display.shading.show_shadows = scene.display.shading.show_cavity = mode == "workbench"
    return scene


for mode, frames in (("workbench_plain", 12), ("workbench", 12), ("eevee", 4)):
    scene = set_up(mode)
    times = []
    for frame in range(frames):
        scene.frame_set(frame + 1)
        scene.render.filepath = os.path.join(folder, "peer.bmp")
        start = (time.process_time(), time.perf_counter())
        bpy.ops.render.render(write_still=True)
        times.append((time.process_time() - start[0], time.perf_counter() - start[1]))
    times = times[1:]  # The first one compiles shaders.
    middle = [sorted(column)[len(times) // 2] for column in zip(*times)]
    print("seconds_per_frame", mode, *middle, flush=True)

# SPDX-License-Identifier: MIT
"""Renders a clip with Blender's Workbench engine and prints CPU and wall seconds a frame: the renderer's peer.

usage: blender -b --factory-startup --python blender_workbench.py -- FILE.glb WIDTH HEIGHT FRAMES OUT_FOLDER
"""
import os
import sys
import time

import bpy
import numpy

numpy.bool = bool  # Blender 3.4's glTF reader still asks for the old name.
path, width, height, frames, folder = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=path)
scene = bpy.context.scene
scene.render.engine = "BLENDER_WORKBENCH"
scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = int(width), int(height), 100
scene.render.image_settings.file_format = "BMP"  # The cheapest to write.
scene.display.shading.show_shadows = True
scene.display.shading.show_cavity = True  # Its ambient occlusion.
scene.display.render_aa = "FXAA"
bpy.ops.mesh.primitive_plane_add(size=20)
bpy.ops.object.camera_add(location=(2.5, -4, 1.6), rotation=(1.4, 0, 0.55))
scene.camera = bpy.context.object
times = []
for frame in range(int(frames)):
    scene.frame_set(frame + 1)
    scene.render.filepath = os.path.join(folder, "peer.bmp")
    start = (time.process_time(), time.perf_counter())
    bpy.ops.render.render(write_still=True)
    times.append((time.process_time() - start[0], time.perf_counter() - start[1]))
middle = [sorted(column)[len(times) // 2] for column in zip(*times)]
print("seconds_per_frame", *middle)

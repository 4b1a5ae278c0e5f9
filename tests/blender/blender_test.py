# SPDX-License-Identifier: MIT
"""The Blender add-on against `zoe stream`, and `zoe blender`, in Debian's Blender without a display.

usage: blender_test.py ZOE CLIP SOURCE_FOLDER FOLDER
"""
import os
import re
import shutil
import subprocess
import sys

zoe, clip, source, folder = sys.argv[1:]
if shutil.which("blender") is None:
    print("skipped: no Blender")
    sys.exit(0)
os.makedirs(folder, exist_ok=True)
here = os.path.dirname(os.path.abspath(__file__))
blender = ["blender", "-b", "--factory-startup", "--python-exit-code", "1", "-P"]
started = []


def start(*words):
    process = subprocess.Popen([zoe, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    started.append(process)
    line = process.stdout.readline()
    found = re.search(r"on port (\d+)", line)
    assert found, line + process.stdout.read()
    return process, found.group(1)


def run():
    rig = os.path.join(folder, "rig.bvh")
    receiver, rig_port = start("stream", "--from", "udp://127.0.0.1:0", "-o", rig)
    sender, port = start("stream", clip, "--to", "tcp://127.0.0.1:0", "--fps", "30", "--receivers", "1")
    ran = subprocess.run(blender + [os.path.join(here, "live_in_blender.py"), "--", os.path.join(source, "tools/blender"),
                                    f"tcp://127.0.0.1:{port}", rig_port], capture_output=True, text=True)
    assert ran.returncode == 0 and "live ok" in ran.stdout, ran.stdout + ran.stderr
    print(re.search("live ok.*", ran.stdout).group(0))
    for process in (sender, receiver):
        output, _ = process.communicate(timeout=3000)
        assert process.returncode == 0, output
    # The rig that came back takes a motion.
    target = os.path.join(folder, "retargeted.bvh")
    subprocess.run([zoe, "retarget", clip, "--to", rig, "-o", target, "--quiet"], check=True)
    assert os.path.getsize(target) > 1000
    print("rig ok")

    scene = os.path.join(folder, "scene.blend")
    subprocess.run([zoe, "blender", clip, clip, "-o", scene, "--sphere", "0.03", "--scale", "2", "--quiet"], check=True)
    look = os.path.join(folder, "look.py")
    with open(look, "w", encoding="utf-8") as file:
        file.write("""
import bpy
rigs = [o for o in bpy.data.objects if o.type == 'ARMATURE']
balls = [o for o in bpy.data.objects if o.name.startswith('ball')]
sticks = [o for o in bpy.data.objects if o.name.startswith('stick')]
assert len(rigs) == 2, rigs
assert len(balls) == len(sticks) == sum(len(o.data.bones) for o in rigs)
assert all(o.animation_data.action for o in rigs)
def heads(frame):
    bpy.context.scene.frame_set(frame)
    return [rigs[0].matrix_world @ b.head for b in rigs[0].pose.bones]
first, last = heads(1), heads(bpy.context.scene.frame_end)
assert max((a - b).length for a, b in zip(first, last)) > 0.1
height = max(p.z for p in first) - min(p.z for p in first)
assert 2.5 < height < 4.5, height                      # A person, twice as large.
bone = rigs[0].data.bones[3].name
ball = [o for o in balls if o.parent == rigs[0] and o.parent_bone == bone][0]
off = (ball.matrix_world.translation - rigs[0].matrix_world @ rigs[0].pose.bones[bone].head).length
assert off < 1e-4, off
assert abs(ball.matrix_world.to_scale().x - 0.06) < 1e-4
print('scene ok', len(balls), round(height, 2))
""")
    ran = subprocess.run(["blender", "-b", scene, "--python-exit-code", "1", "-P", look], capture_output=True, text=True)
    assert ran.returncode == 0 and "scene ok" in ran.stdout, ran.stdout + ran.stderr
    refused = subprocess.run([zoe, "blender", "no_such_file.bvh", "-o", scene], capture_output=True, text=True)
    assert refused.returncode != 0 and "no_such_file" in refused.stderr
    print("blender ok")


try:
    run()
finally:
    for process in started:
        if process.poll() is None:
            process.kill()

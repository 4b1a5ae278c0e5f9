# SPDX-License-Identifier: MIT
"""`zoe stream` from end to end: a clip over UDP comes back as it was; the steering port sends packets and takes commands.

usage: packets_test.py ZOE CLIP CONTROLLER FOLDER
"""
import atexit
import json
import os
import socket
import struct
import subprocess
import sys

import numpy

zoe, clip, controller, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)

# A clip over UDP. Frames that a busy machine loses are interpolated: what came must be as it was sent.
take, original = os.path.join(folder, "take.npz"), os.path.join(folder, "original.npz")
subprocess.run([zoe, "convert", clip, original, "--fps", "30", "--quiet"], check=True)
receiver = subprocess.Popen([zoe, "stream", "--from", "udp://127.0.0.1:0", "-o", take], stdout=subprocess.PIPE, text=True)
atexit.register(receiver.kill)
port = receiver.stdout.readline().split()[-1]
subprocess.run([zoe, "stream", clip, "--to", f"udp://127.0.0.1:{port}", "--fps", "30"], check=True)
output, _ = receiver.communicate(timeout=600)
assert receiver.returncode == 0, output
print(output.strip())
a, b = numpy.load(take), numpy.load(original)
shared = [name for name in a.files if name in b.files and a[name].dtype == numpy.float32 and a[name].ndim >= 2]
assert shared, a.files
for name in shared:
    frames = min(len(a[name]), len(b[name]))
    assert numpy.abs(a[name][:frames] - b[name][:frames]).mean() < 1e-2, name

# The steering port: lines of commands in, packets out, on one connection. An independent reader of the layout.
port_run = subprocess.Popen([zoe, "play", controller, "--port", "0", "--headless", "--seconds", "600"],
                            stdout=subprocess.PIPE, text=True)
atexit.register(port_run.kill)
number = int(port_run.stdout.readline().rsplit(":", 1)[1])
with socket.create_connection(("127.0.0.1", number)) as link:
    stream = link.makefile("rb")
    joints = json.loads(stream.readline())["joints"]
    link.sendall(b"packets\nmove 0 1.2\n")
    kinds, last_z, skeleton = [], None, None
    while last_z is None or last_z < 0.5:
        if stream.peek(1)[:1] == b"{":
            stream.readline()  # Frames as JSON from before the request.
            continue
        header = stream.read(56)
        magic, version, kind, flags, subject, count, _, sequence, time_ns, _, size, _ = struct.unpack("<4sBBHIIQQqqII", header)
        assert magic == b"ZOEP" and version == 1
        payload = stream.read(size)
        kinds.append(kind)
        if kind == 1:
            skeleton = json.loads(payload)
            assert [joint["name"] for joint in skeleton["joints"]] == joints
        if kind == 2:
            assert skeleton is not None and count == len(joints) and flags & 1
            last_z = struct.unpack_from("<3f", payload)[2]
port_run.terminate()
port_run.communicate(timeout=600)
assert kinds[0] == 1 and 2 in kinds
print("packets ok")

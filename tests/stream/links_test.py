# SPDX-License-Identifier: MIT
"""`zoe stream` over every link from end to end, and independent readers of WebSocket frames, OSC and ZeroMQ messages.

usage: links_test.py ZOE CLIP FOLDER
"""
import base64
import hashlib
import os
import re
import socket
import struct
import subprocess
import sys
import threading

import numpy

zoe, clip, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
started = []


def start(*words):
    process = subprocess.Popen([zoe, "stream", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    started.append(process)
    return process


def port_of(process):
    line = process.stdout.readline()
    found = re.search(r"on port (\d+)", line)
    assert found, line
    return int(found.group(1))


def finish(*processes):
    for process in processes:
        output, _ = process.communicate(timeout=3000)
        assert process.returncode == 0, output


def arrays(path):
    data = numpy.load(path)
    return {name: data[name] for name in data.files if data[name].dtype == numpy.float32 and data[name].ndim >= 2}


def same(a, b, tolerance):
    a, b = arrays(a), arrays(b)
    shared = set(a) & set(b)
    assert shared, (set(a), set(b))
    for name in shared:
        frames = min(len(a[name]), len(b[name]))
        assert frames > 10
        difference = numpy.abs(a[name][:frames] - b[name][:frames])
        assert (difference.max() if tolerance else difference.mean()) <= (tolerance or 1e-2), (name, difference.max())


def run():
    original = os.path.join(folder, "original.npz")
    subprocess.run([zoe, "convert", clip, original, "--fps", "30", "--quiet"], check=True)

    # Senders that listen: no frame is lost, for the receiver is there before the first one.
    for scheme in ("tcp", "ws", "zmq"):
        take = os.path.join(folder, scheme + ".npz")
        sender = start(clip, "--to", scheme + "://127.0.0.1:0", "--fps", "30", "--receivers", "1")
        receiver = start("--from", f"{scheme}://127.0.0.1:{port_of(sender)}", "-o", take)
        finish(sender, receiver)
        same(take, original, 1e-5)
        print(scheme, "ok")

    # A recording, sent again, is the same recording; also through a relay from one link to another.
    first, second = os.path.join(folder, "first.zoep"), os.path.join(folder, "second.zoep")
    sender = start(clip, clip, "--to", "tcp://127.0.0.1:0", "--fps", "30", "--receivers", "1")
    receiver = start("--from", f"tcp://127.0.0.1:{port_of(sender)}", "-o", first)
    finish(sender, receiver)
    replayed = start(first, "--to", "tcp://127.0.0.1:0", "--receivers", "1")
    relay = start("--from", f"tcp://127.0.0.1:{port_of(replayed)}", "--to", "ws://127.0.0.1:0", "-o", second)
    finish(replayed, relay)
    poses = [[packet[56:] for packet in packets(open(path, "rb").read()) if packet[5] == 2] for path in (first, second)]
    assert len(poses[0]) > 20 and len(poses[0]) == len(poses[1])
    # Rotations are normalised on arrival, which may change the last bit.
    for a, b in zip(*poses):
        assert numpy.abs(numpy.frombuffer(a, "<f4") - numpy.frombuffer(b, "<f4")).max() < 1e-6
    print("recording ok")

    web_frames()
    libzmq()
    vmc(original)
    print("links ok")


def packets(data):
    while data:
        size = 56 + struct.unpack_from("<I", data, 48)[0]
        yield data[:size]
        data = data[size:]


def web_frames():
    sender = start(clip, "--to", "ws://127.0.0.1:0", "--fps", "30", "--receivers", "1", "--token", "some-token")
    with socket.create_connection(("127.0.0.1", port_of(sender))) as link:
        key = base64.b64encode(bytes(range(16)))
        link.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + b"\r\n\r\n")
        stream = link.makefile("rb")
        assert b"101" in stream.readline()
        head = b"".join(iter(stream.readline, b"\r\n"))
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        assert accept in head, head
        for line in (b"token some-token", b"packets"):
            mask = b"\x01\x02\x03\x04"
            link.sendall(bytes([0x81, 0x80 | len(line)]) + mask + bytes(c ^ mask[i % 4] for i, c in enumerate(line)))
        kinds = []
        while 3 not in kinds:
            first, second = stream.read(2)
            size = second & 127
            size = struct.unpack(">H", stream.read(2))[0] if size == 126 else size
            size = struct.unpack(">Q", stream.read(8))[0] if size == 127 else size
            payload = stream.read(size)
            if first == 0x82:
                assert payload[:4] == b"ZOEP" and len(payload) == 56 + struct.unpack_from("<I", payload, 48)[0]
                kinds.append(payload[5])
            else:
                assert first == 0x81 and b'"zoe"' in payload
    assert kinds[0] == 1 and kinds.count(2) > 20
    finish(sender)
    print("web frames ok")


def libzmq():
    """ZeroMQ's own library at the other end, as subscriber and as publisher."""
    try:
        import zmq
    except ImportError:
        print("libzmq skipped: python3-zmq is missing")
        return
    context = zmq.Context()
    sender = start(clip, "--to", "zmq://127.0.0.1:0", "--fps", "30", "--receivers", "2")
    endpoint = f"tcp://127.0.0.1:{port_of(sender)}"
    everything, poses = context.socket(zmq.SUB), context.socket(zmq.SUB)
    everything.setsockopt(zmq.SUBSCRIBE, b"")
    everything.setsockopt(zmq.HEARTBEAT_IVL, 100)
    poses.setsockopt(zmq.SUBSCRIBE, b"ZOEP\1\2")  # Its own filter leaves poses alone.
    for link in (everything, poses):
        link.setsockopt(zmq.RCVTIMEO, 600_000)
        link.connect(endpoint)
    messages = [everything.recv()]
    while messages[-1][5] != 3:
        messages.append(everything.recv())
    kinds = [message[5] for message in messages]
    assert kinds[0] == 1 and kinds.count(2) > 20
    assert all(len(message) == 56 + struct.unpack_from("<I", message, 48)[0] for message in messages)
    for expected in [message for message in messages if message[5] == 2]:
        assert poses.recv() == expected
    finish(sender)
    # And our receiver of a publisher of libzmq: what was sent is what is recorded.
    publisher = context.socket(zmq.XPUB)
    port = publisher.bind_to_random_port("tcp://127.0.0.1")
    take = os.path.join(folder, "libzmq.zoep")
    receiver = start("--from", f"zmq://127.0.0.1:{port}", "-o", take)
    publisher.setsockopt(zmq.RCVTIMEO, 600_000)
    assert publisher.recv() == b"\1ZOEP"
    for message in messages:
        publisher.send_multipart([b"ZOEP", b"of another program"])
        publisher.send(message)
    finish(receiver)
    taken = [packet[56:] for packet in packets(open(take, "rb").read()) if packet[5] == 2]
    sent = [message[56:] for message in messages if message[5] == 2]
    assert len(taken) == len(sent)
    for a, b in zip(taken, sent):
        assert numpy.abs(numpy.frombuffer(a, "<f4") - numpy.frombuffer(b, "<f4")).max() < 1e-6
    context.destroy(linger=0)
    print("libzmq ok", zmq.zmq_version())


def osc(data):
    """Address and arguments of each message."""
    def text(at):
        end = data.index(b"\0", at)
        return data[at:end].decode(), at + (end - at) // 4 * 4 + 4
    if data.startswith(b"#bundle\0"):
        at, whole = 16, data
        while at < len(whole):
            size = struct.unpack_from(">I", whole, at)[0]
            yield from osc(whole[at + 4:at + 4 + size])
            at += 4 + size
        return
    address, at = text(0)
    types, at = text(at)
    arguments = []
    for kind in types[1:]:
        if kind == "s":
            value, at = text(at)
        else:
            value, at = struct.unpack_from(">" + kind, data, at)[0], at + 4
        arguments.append(value)
    yield address, arguments


def vmc(original):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.bind(("127.0.0.1", 0))
        link.settimeout(600)
        messages = []

        def listen():
            while not any(address == "/VMC/Ext/OK" and arguments == [0] for address, arguments in messages[-1:]):
                messages.extend(osc(link.recv(65536)))
        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        finish(start(clip, "--to", f"vmc://127.0.0.1:{link.getsockname()[1]}", "--fps", "30"))
        thread.join(600)
    bones = {}
    for address, arguments in messages:
        if address == "/VMC/Ext/Bone/Pos":
            bones.setdefault(arguments[0], []).append(arguments[1:])
    for name in ("Hips", "Spine", "Head", "LeftUpperArm", "RightHand", "LeftUpperLeg", "RightFoot"):
        assert len(bones[name]) > 20, (name, sorted(bones))
        lengths = numpy.linalg.norm(numpy.array(bones[name])[:, 3:], axis=1)
        assert numpy.abs(lengths - 1).max() < 1e-5
    hips = numpy.array(bones["Hips"])
    # The hips walk where they walk in the file, mirrored: Unity is left-handed.
    translations = arrays(original)["translations"] if "translations" in arrays(original) else None
    if translations is not None:
        frames = min(len(hips), len(translations))
        assert numpy.abs(hips[:frames, 1:3] - translations[:frames, 0, 1:3]).mean() < 0.05
        assert numpy.abs(hips[:frames, 0] + translations[:frames, 0, 0]).mean() < 0.05
    # A knee bends about the body's x axis: that is what a rotation from the T-pose means.
    knee = numpy.array(bones["LeftLowerLeg"])[:, 3:]
    assert numpy.abs(knee[:, 0]).max() > 3 * numpy.abs(knee[:, 1:3]).max(), numpy.abs(knee).max(axis=0)
    # And back: the take stands on its feet.
    take = os.path.join(folder, "vmc.bvh")
    receiver = start("--from", "vmc://127.0.0.1:0", "-o", take)
    finish(start(clip, "--to", f"vmc://127.0.0.1:{port_of(receiver)}", "--fps", "60"))
    finish(receiver)
    text = open(take).read()
    assert "leftLowerLeg" in text and int(re.search(r"Frames: (\d+)", text).group(1)) > 20
    print("vmc ok")


try:
    run()
finally:
    for process in started:
        if process.poll() is None:
            process.kill()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Pose packets of Zoetrope (docs/stream.md) over TCP or UDP, and in .zoep files. Needs no Blender."""
import json
import socket
import struct

HEADER = struct.Struct("<4sBBHIIQQqqII")
PIECE = struct.Struct("<4sIHH")
SKELETON, POSE, END = 1, 2, 3
MOST_BYTES = 4 << 20


class Pose:
    """Local transforms of all joints: translations, rotations as x y z w, scales."""

    def __init__(self, subject, time_ns, translations, rotations, scales):
        self.subject, self.time_ns = subject, time_ns
        self.translations, self.rotations, self.scales = translations, rotations, scales


class Decoder:
    """Packets to poses. Damaged ones are counted and ignored."""

    def __init__(self):
        self.skeletons = {}  # Of each subject: name, fps, joints.
        self.hashes = {}
        self.refused = 0
        self.has_ended = False

    def decode(self, packet):
        """A Pose, or None."""
        if len(packet) < HEADER.size:
            self.refused += 1
            return None
        magic, version, kind, flags, subject, joints, skeleton, _, time_ns, _, size, _ = HEADER.unpack_from(packet)
        payload = packet[HEADER.size:]
        if magic != b"ZOEP" or version != 1 or size != len(payload) or joints > 4096:
            self.refused += 1
            return None
        if kind == END:
            self.has_ended = True
        if kind == SKELETON and self.hashes.get(subject) != skeleton:
            try:
                self.skeletons[subject] = json.loads(payload)
                self.hashes[subject] = skeleton
            except ValueError:
                self.refused += 1
        if kind != POSE or self.hashes.get(subject) != skeleton:
            return None
        moved = joints if flags & 1 else 1
        count = 3 * moved + 4 * joints + (3 * joints if flags & 2 else 0)
        if size != 4 * count:
            self.refused += 1
            return None
        numbers = struct.unpack("<%df" % count, payload)
        rest = [tuple(joint["rest"][:3]) for joint in self.skeletons[subject]["joints"]]
        translations = [numbers[3 * j:3 * j + 3] for j in range(moved)] + rest[moved:]
        at = 3 * moved
        rotations = [numbers[at + 4 * j:at + 4 * j + 4] for j in range(joints)]
        at += 4 * joints
        scales = [numbers[at + 3 * j:at + 3 * j + 3] for j in range(joints)] if flags & 2 else None
        return Pose(subject, time_ns, translations, rotations, scales)


def split(data):
    """Whole packets at the front of the bytes, and what is left. Lines of JSON between them are skipped."""
    packets, at = [], 0
    while at < len(data):
        if data[at:at + 1] == b"{":
            end = data.find(b"\n", at)
            if end < 0:
                break
            at = end + 1
            continue
        if len(data) - at < HEADER.size:
            break
        size = HEADER.unpack_from(data, at)[10]
        if data[at:at + 4] != b"ZOEP" or size > MOST_BYTES:
            raise ValueError("these are no pose packets")
        if len(data) - at < HEADER.size + size:
            break
        packets.append(bytes(data[at:at + HEADER.size + size]))
        at += HEADER.size + size
    return packets, data[at:]


def read_file(path):
    """The packets of a recording."""
    with open(path, "rb") as file:
        packets, rest = split(file.read())
    if rest:
        raise ValueError("%s: the last packet is cut off" % path)
    return packets


class TcpLink:
    """Connects to `zoe stream … --to tcp://` or to a steering port."""

    def __init__(self, host, port, token=""):
        self.socket = socket.create_connection((host, port), timeout=5)
        self.socket.sendall(("token %s\n" % token if token else "").encode() + b"packets\n")
        self.socket.setblocking(False)
        self.bytes = b""

    def receive(self):
        """Packets that have come; never waits."""
        try:
            while True:
                part = self.socket.recv(1 << 16)
                if not part:
                    raise EOFError("the sender has left")
                self.bytes += part
        except (BlockingIOError, InterruptedError):
            pass
        except EOFError:
            packets, self.bytes = split(self.bytes)
            if packets:
                return packets
            raise
        packets, self.bytes = split(self.bytes)
        return packets

    def close(self):
        self.socket.close()


class UdpLink:
    """Listens for `zoe stream … --to udp://`."""

    def __init__(self, host, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((host, port))
        self.socket.setblocking(False)
        self.open = {}  # Pieces by message.

    def receive(self):
        packets = []
        while True:
            try:
                datagram = self.socket.recv(1 << 16)
            except (BlockingIOError, InterruptedError):
                return packets
            packet = self.join(datagram)
            if packet:
                packets.append(packet)

    def join(self, datagram):
        if len(datagram) < PIECE.size or datagram[:4] != b"ZOEF":
            return datagram
        _, message, index, count = PIECE.unpack_from(datagram)
        if count < 2 or index >= count or count > 4000:
            return None
        pieces = self.open.setdefault(message, {})
        pieces[index] = datagram[PIECE.size:]
        while len(self.open) > 32:
            self.open.pop(next(iter(self.open)))
        if len(pieces) < count:
            return None
        self.open.pop(message, None)
        return b"".join(pieces.get(i, b"") for i in range(count))

    def close(self):
        self.socket.close()


def connect(address, token=""):
    """tcp://HOST:PORT connects, udp://HOST:PORT listens."""
    scheme, _, rest = address.partition("://")
    host, _, port = rest.rpartition(":")
    if scheme not in ("tcp", "udp") or not port.isdigit():
        raise ValueError("an address is tcp://HOST:PORT or udp://HOST:PORT")
    return TcpLink(host, int(port), token) if scheme == "tcp" else UdpLink(host, int(port))


def skeleton_packet(text, subject, joints, skeleton_hash):
    payload = text.encode()
    return HEADER.pack(b"ZOEP", 1, SKELETON, 0, subject, joints, skeleton_hash, 0, 0, 0, len(payload), 0) + payload


def pose_packet(subject, skeleton_hash, sequence, time_ns, translations, rotations):
    payload = b"".join(struct.pack("<3f", *t) for t in translations) + b"".join(
        struct.pack("<4f", *q) for q in rotations)
    return HEADER.pack(b"ZOEP", 1, POSE, 1, subject, len(rotations), skeleton_hash, sequence, time_ns, 0, len(payload),
                       0) + payload


def end_packet(subject):
    return HEADER.pack(b"ZOEP", 1, END, 0, subject, 0, 0, 0, 0, 0, 0, 0)

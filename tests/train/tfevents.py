# SPDX-License-Identifier: MIT
"""Reads TensorBoard event files without TensorBoard: records with their checksums, scalars of the summaries."""
import struct


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def message(data):
    """[(field number, value)] of one protobuf message; bytes, ints and floats as they come."""
    fields, at = [], 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        elif wire == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        elif wire == 5:
            value, at = struct.unpack_from("<f", data, at)[0], at + 4
        else:
            raise ValueError(f"wire type {wire}")
        fields.append((number, value))
    return fields


def read(path):
    """Yields (step, tag, value); raises where a record's checksum is wrong. The first record must state the version."""
    data = open(path, "rb").read()
    at, first = 0, True
    while at < len(data):
        length, = struct.unpack_from("<Q", data, at)
        assert struct.unpack_from("<I", data, at + 8)[0] == masked(data[at:at + 8]), "checksum of a length"
        payload = data[at + 12:at + 12 + length]
        assert struct.unpack_from("<I", data, at + 12 + length)[0] == masked(payload), "checksum of a payload"
        at += 16 + length
        event = message(payload)
        if first:
            assert dict(event)[3] == b"brain.Event:2"
            first = False
        step = dict(event).get(2, 0)
        for number, summary in event:
            if number == 5:
                for _, value in message(summary):
                    fields = dict(message(value))
                    yield step, fields[1].decode(), fields[2]

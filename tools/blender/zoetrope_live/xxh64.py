# SPDX-License-Identifier: GPL-3.0-or-later
"""XXH64 of bytes, seed 0: the hash that names skeletons in packets. From the published description of the algorithm."""
import struct

P1, P2, P3, P4, P5 = (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579,
                      2870177450012600261)
M = (1 << 64) - 1


def rotl(x, r):
    return ((x << r) | (x >> (64 - r))) & M


def turn(acc, lane):
    return rotl((acc + lane * P2) & M, 31) * P1 & M


def xxh64(data):
    at, size = 0, len(data)
    if size >= 32:
        lanes = [(P1 + P2) & M, P2, 0, -P1 & M]
        while size - at >= 32:
            for i, word in enumerate(struct.unpack_from("<4Q", data, at)):
                lanes[i] = turn(lanes[i], word)
            at += 32
        h = (rotl(lanes[0], 1) + rotl(lanes[1], 7) + rotl(lanes[2], 12) + rotl(lanes[3], 18)) & M
        for lane in lanes:
            h = ((h ^ turn(0, lane)) * P1 + P4) & M
    else:
        h = P5
    h = (h + size) & M
    while size - at >= 8:
        h = (rotl(h ^ turn(0, struct.unpack_from("<Q", data, at)[0]), 27) * P1 + P4) & M
        at += 8
    if size - at >= 4:
        h = (rotl(h ^ (struct.unpack_from("<I", data, at)[0] * P1 & M), 23) * P2 + P3) & M
        at += 4
    for byte in data[at:]:
        h = rotl(h ^ (byte * P5 & M), 11) * P1 & M
    for shift, prime in ((33, P2), (29, P3)):
        h = (h ^ (h >> shift)) * prime & M
    return h ^ (h >> 32)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what a motion of 60 joints and 120 frames costs on the device, from the last samples of a run of anytop.

usage: sampling_time.py RUN"""
import glob
import json
import struct
import sys

files = sorted(glob.glob(sys.argv[1] + "/samples/*.safetensors"))
if not files:
    sys.exit(f"{sys.argv[1]}: no samples")
file = files[-1]
whole = open(file, "rb").read()
size = struct.unpack("<Q", whole[:8])[0]
header = json.loads(whole[8 : 8 + size])
if "milliseconds" not in header:
    sys.exit(f"{file}: no time was measured (no CUDA device, or the sampler could not be recorded)")
first = header["milliseconds"]["data_offsets"][0]
recorded, launched, difference = struct.unpack_from("<3f", whole, 8 + size + first)
print(f"60 joints x 120 frames: {recorded:.2f} ms as one graph, {launched:.2f} ms kernel by kernel, "
      f"largest difference {difference:.1e} ({sys.argv[1]})")

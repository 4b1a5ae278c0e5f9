#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how much smaller the motions of an `anytop` network are than real ones, and stores the gain that makes up
for it in the network's file (docs/generate.md, "Size of motions"). The bodies must be of the training data: a gain that
is chosen on held-out bodies would make their figures worthless.

    tools/dev/calibrate_generate.py ZOE RUN --against BODY… --train OTHERS… [--seeds 2] [--dry]

RUN is a folder with model.safetensors. BODY are files of the training data, OTHERS the rest of them (for the judge)."""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

KEY = "zoe.calibration"


def read(path):
    whole = path.read_bytes()
    size = struct.unpack("<Q", whole[:8])[0]
    return json.loads(whole[8 : 8 + size]), whole[8 + size :]


def write(path, header, body):
    # A checksum would be that of the old header; files without one are valid.
    header["__metadata__"].pop("zoe.checksum", None)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def rows(zoe, run, gain, words):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "table.json"
        subprocess.run([zoe, "eval", "generate", "--model", run, "--gain", str(gain), *words, "--no-sheets", "-o", out],
                       check=True, stdout=subprocess.DEVNULL)
        splits = json.loads(out.read_text())["splits"]
    split = max(splits, key=lambda row: row["against_clips"])["split"]
    return [row for row in splits if row["split"] == split]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zoe")
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--against", nargs="+", required=True)
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--rotation-weight", type=float, default=0)
    parser.add_argument("--fast-frames", type=float, default=2)
    parser.add_argument("--probe", type=float, default=1.5, help="the second gain that is measured")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--dry", action="store_true", help="only print the gain")
    request = parser.parse_args()
    words = ["--against", *request.against, "--train", *request.train, "--seconds", "2.1", "--actions", "6", "--seeds",
             str(request.seeds)]
    path = request.run / "model.safetensors"
    header, body = read(path)

    def text(gain):
        fit = f" rotation_weight={request.rotation_weight:g}" if request.rotation_weight > 0 else ""
        return f"gain={gain:g} fast_frames={request.fast_frames:g}{fit}"

    with tempfile.TemporaryDirectory() as folder:
        trial = pathlib.Path(folder) / request.run.name
        trial.mkdir()
        header["__metadata__"][KEY] = text(1)
        write(trial / "model.safetensors", header, body)
        varieties = []
        for gain in (1, request.probe):
            table = rows(request.zoe, trial, gain, words)
            varieties.append(table[0]["intra_diversity"])
            real = next(row["intra_diversity"] for row in table if row["row"] == "real, requested actions")
            print(f"gain {gain:g}: intra_diversity {varieties[-1]:.4f}, real {real:.4f}", file=sys.stderr)
    slope = (varieties[1] - varieties[0]) / (request.probe - 1)
    if slope <= 0:
        sys.exit("a higher gain gives no more variety: is this a network of motions?")
    gain = round(min(max(1 + (real - varieties[0]) / slope, 1), 3), 2)
    print(text(gain))
    if not request.dry:
        header["__metadata__"][KEY] = text(gain)
        write(path, header, body)


if __name__ == "__main__":
    main()

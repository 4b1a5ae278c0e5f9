#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`zoe export` of a trained network to ONNX and TorchScript: the description beside the file is enough to use it. The
worked example is computed again here, from the weights, without any of our code.

usage: export_test.py ZOE
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import zipfile

ZOE = os.path.abspath(sys.argv[1])


def zoe(*words):
    done = subprocess.run([ZOE, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def tensors(path):
    data = open(path, "rb").read()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    out = {}
    for name, t in header.items():
        if name != "__metadata__":
            raw = data[8 + size + t["data_offsets"][0]:8 + size + t["data_offsets"][1]]
            out[name] = (t["shape"], struct.unpack(f"<{len(raw) // 4}f", raw))
    return out


def linear(weights, name, x):
    (rows, columns), w = weights[f"weights.{name}.weight"]
    bias = weights[f"weights.{name}.bias"][1]
    return [sum(w[r * columns + c] * x[c] for c in range(columns)) + bias[r] for r in range(rows)]


def tokens(folder):
    """A network of any number of frames and joints, exported at one size."""
    network = f"{folder}/tokens/model.safetensors"
    zoe("train", "tokens", "-o", f"{folder}/tokens", "--quiet", "--set=train.steps=4", "--set=model.width=8", "--set=model.heads=2", "--set=model.blocks=2",
        "--set=model.axes=alternate", "--set=train.tokens=2000", "--set=train.threads=1", "--set=train.validate_every=4")
    for ending in ("onnx", "pt"):
        output = f"{folder}/tokens.{ending}"
        free = subprocess.run([ZOE, "export", network, output], capture_output=True, text=True, timeout=300)
        assert free.returncode != 0 and "frames" in free.stderr and not os.path.exists(output), free
        zoe("export", network, output, "--size", "frames=6", "--size", "joints=4")
        description = json.load(open(output + ".json"))
        assert [p["shape"][1] for p in description["inputs"] + description["outputs"]] == [24, 24, 24], description
        assert len(description["example"]["outputs"]["x"]) == 24
    for wrong in (["--size", "frames=6"], ["--size", "frames=x", "--size", "joints=4"], ["--size", "nose=3"], ["--size", "frames=0", "--size", "joints=4"]):
        refused = subprocess.run([ZOE, "export", network, f"{folder}/wrong.pt", *wrong], capture_output=True, text=True, timeout=300)
        assert refused.returncode != 0 and refused.stderr and not os.path.exists(f"{folder}/wrong.pt"), refused
    zoe("export", network, f"{folder}/small.safetensors", "--dtype", "bf16")
    shapes = [port["steps"] for port in json.loads(zoe("info", f"{folder}/small.safetensors", "--json"))["inputs"]]
    assert shapes == ["frames*joints", "frames*joints"], shapes


def main():
    with tempfile.TemporaryDirectory() as folder:
        run = f"{folder}/run"
        zoe("train", "mlp", "-o", run, "--quiet", "--set=train.steps=20", "--set=model.hidden=7,5", "--set=data.toy_width=4", "--set=data.toy_samples=64",
            "--set=train.threads=1", "--set=train.validate_every=20")
        weights = tensors(f"{run}/checkpoints/best.safetensors")
        for ending in ("onnx", "pt"):
            output = f"{folder}/model.{ending}"
            report = json.loads(zoe("export", f"{run}/model.safetensors", output, "--json"))
            assert report["format"] == {"onnx": "onnx", "pt": "torchscript"}[ending], report
            assert report["description"] == output + ".json", report
            description = json.load(open(output + ".json"))
            (x,), (y,) = description["inputs"], description["outputs"]
            assert (x["name"], x["shape"], y["name"], y["shape"]) == ("x", ["batch", 4], "y", ["batch", 4]), description
            for port, field in ((x, "x"), (y, "y")):
                for key, buffer in (("mean", "mean"), ("spread", "spread")):
                    stored = weights[f"buffers.normalisation.{field}.{buffer}"][1]
                    assert all(math.isclose(c[key], s, rel_tol=1e-6, abs_tol=1e-9) for c, s in zip(port["columns"], stored)), (field, key)
            example = description["example"]
            h = [(v - c["mean"]) / c["spread"] for v, c in zip(example["inputs"]["x"], x["columns"])]
            for layer in range(3):
                h = linear(weights, f"net.{layer}", h)
                if layer < 2:
                    h = [v if v > 0 else math.expm1(v) for v in h]
            expected = [v * c["spread"] + c["mean"] for v, c in zip(h, y["columns"])]
            worst = max(abs(a - b) for a, b in zip(expected, example["outputs"]["y"]))
            assert worst <= example["tolerance"], (expected, example)
            print(f"{ending}: the worked example is right to {worst:.2g}")
        tokens(folder)
        assert zipfile.is_zipfile(f"{folder}/model.pt")  # TorchScript's container.
        wrong = subprocess.run([ZOE, "export", f"{run}/model.safetensors", f"{folder}/none/model.pt"], capture_output=True, text=True, timeout=300)
        assert wrong.returncode != 0 and wrong.stderr, wrong
        int8 = subprocess.run([ZOE, "export", f"{run}/model.safetensors", f"{folder}/b.pt", "--dtype", "int8"], capture_output=True, text=True, timeout=300)
        assert int8.returncode == 2 and "float32" in int8.stderr, int8


main()

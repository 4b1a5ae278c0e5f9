#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that need a CUDA machine with one GPU: CUDA graphs, NCCL, and the speed of training. Takes about five minutes.

usage: tools/gpu/check.py ZOE [graphs[=MODEL,…]|ranks|speed…]     e.g. tools/gpu/check.py build/gpu/bin/zoe graphs=tokens,gan

Exits with 1 when a graph or a collective changes the weights.
"""
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy

ZOE = os.path.abspath(sys.argv[1])
WORK = tempfile.mkdtemp()
CXM = ["data.toy_width=327", "data.toy_steps=16", "data.toy_samples=8192"]  # As wide as the reference's quadruped.
failures = 0


def train(name, model, *settings, words=(), environment=None):
    """(exit code, output, folder)"""
    folder = f"{WORK}/{name}"
    done = subprocess.run([ZOE, "train", model, "-o", folder, "--device", "cuda", *words, *(f"--set={setting}" for setting in settings)],
                          capture_output=True, text=True, timeout=300, env=dict(os.environ, **(environment or {})))
    return done.returncode, (done.stdout + done.stderr).strip(), folder


def weights(folder, step):
    data = open(f"{folder}/checkpoints/step_{step:08d}.safetensors", "rb").read()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    return {name: numpy.frombuffer(data[8 + size + t["data_offsets"][0]:8 + size + t["data_offsets"][1]], numpy.float32)
            for name, t in header.items() if name.startswith("weights.")}


def distance(one, other, step):
    a, b = weights(one, step), weights(other, step)
    return max(float(numpy.abs(a[name] - b[name]).max()) for name in a)


def compare(label, one, other, step, most):
    global failures
    if one[0] or other[0]:
        failures += 1
        print(f"{label}: FAILED\n  {one[1]}\n  {other[1]}", flush=True)
        return
    far = distance(one[2], other[2], step)
    failures += not far <= most
    notes = [line for line in other[1].splitlines() if "warning" in line]
    print(f"{label}: largest difference of a weight {far:.2g}{' FAILED' if not far <= most else ''} {' '.join(notes)}", flush=True)


def graphs(which=""):
    models = which.split(",") if which else [line.split()[0] for line in subprocess.run([ZOE, "train", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()]
    common = ["train.steps=60", "data.toy_samples=512", "train.ema=0.9"]
    with ThreadPoolExecutor(7) as pool:
        runs = {(model, graph): pool.submit(train, f"{model}_{graph}", model, *common, f"train.cuda_graph={setting}")
                for model in models for graph, setting in (("off", "off"), ("again", "off"), ("on", "auto"))}
        for model in models:
            off, again, on = (runs[model, graph].result() for graph in ("off", "again", "on"))
            noise = distance(off[2], again[2], 60) if not off[0] and not again[0] else 0
            # The allowed difference is that of two runs without a graph (sums in any order on the device).
            compare(f"60 steps of {model}, graph on and off", off, on, 60, 1e-6 + 10 * noise)
        if which:
            return
        bf16 = [pool.submit(train, f"bf16_{graph}", "cxm", *common, "train.precision=bf16", "model.dropout=0.1", f"train.cuda_graph={graph}") for graph in ("off", "on")]
        compare("60 steps of cxm in bf16 with dropout, graph on and off", *(run.result() for run in bf16), 60, 1e-6)


def ranks():
    common = ["train.steps=50", "data.toy_samples=512", "model.hidden=64,64"]
    alone = train("alone", "mlp", *common)
    compare("one rank through NCCL and without", alone, train("nccl1", "mlp", *common, "train.collective=nccl"), 50, 0)
    compare("one rank through Gloo and without", alone, train("gloo1", "mlp", *common, "train.collective=gloo"), 50, 0)
    compare("two ranks that share the GPU and one", alone, train("two", "mlp", *common, words=("--local-ranks", "2")), 50, 1e-5)
    code, output, _ = train("two_nccl", "mlp", *common, "train.collective=nccl", words=("--local-ranks", "2"))
    print(f"two ranks on one GPU with train.collective=nccl: exit code {code}\n  {output}", flush=True)


def rate(folder):
    rows = [json.loads(line) for line in open(folder + "/metrics.jsonl")]
    return max(row["samples_per_s"] for row in rows if row["split"] == "training")


def speed():
    print("samples a second, graph off -> on", flush=True)
    for model, batch, precision in [("mlp", 32, "float32"), ("mlp", 256, "float32"), ("cxm", 32, "float32"), ("cxm", 256, "float32"), ("cxm", 32, "bf16"), ("cxm", 256, "bf16")]:
        rates = []
        for graph in ("off", "on"):
            steps = 3000 if model == "mlp" else 600
            code, output, folder = train(f"speed_{model}_{batch}_{precision}_{graph}", model, *CXM, f"train.batch={batch}", f"train.precision={precision}",
                                         f"train.cuda_graph={graph}", f"train.steps={steps}", f"train.log_every={steps // 6}", "train.checkpoint_every=100000",
                                         "train.validate_every=100000")
            rates.append(rate(folder) if code == 0 else print(output) or float("nan"))
        print(f"{model:4} batch {batch:4} {precision:8} {rates[0]:10.0f} -> {rates[1]:10.0f}   x {rates[1] / rates[0]:.2f}", flush=True)


for part in sys.argv[2:] or ["graphs", "ranks", "speed"]:
    name, _, words = part.partition("=")
    {"graphs": graphs, "ranks": ranks, "speed": speed}[name](*[words] * bool(words))
print("FAILED" if failures else "all as it should be")
sys.exit(failures > 0)

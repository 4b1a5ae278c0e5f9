#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times training steps of transformers and prints tokens per second and the ratio to the
device's peak. On a CUDA machine, after tools/gpu/transformer.sh has built zoe-train-time:

  tools/gpu/transformer.py build/gpu-small/bin/zoe-train-time                      the list of sizes below, about 60 s
  tools/gpu/transformer.py PROGRAM --width 1024 --depth 8 --rows 512        one size
  tools/gpu/transformer.py PROGRAM --device cpu --width 32 --depth 1 --rows 8 --batch 2 --steps 3    a trial on a CPU

A token is one row of a sequence. Floating-point operations of a token: 6 for each weight of a matrix (2 forwards, 4
backwards), and 12 * rows * width for the attention of each block. The peak is that of dense bf16 products as measured on
an H200 (790 TFLOP/s); --peak overrides it. A size that fails is reported, and the others continue.
"""
import argparse
import json
import subprocess
import sys
import time

SIZES = [(512, 8, 512, 64), (1024, 8, 512, 64), (2048, 8, 512, 32)]  # width, depth, rows, batch


def measure(options, width, depth, rows, batch, precision, graph):
    columns = min(64, width)
    settings = {"model.width": width, "model.blocks": depth, "model.heads": max(1, width // options.head_width), "train.batch": batch,
                "train.precision": precision, "train.cuda_graph": graph, "data.toy_width": columns, "data.toy_steps": rows,
                "data.toy_samples": 2 * batch, "train.log_every": 1000000, "train.clip_norm": 0 if options.no_clip else 1}
    words = [options.program, "attention", str(options.steps), options.device] + [f"{key}={value}" for key, value in settings.items()]
    start = time.monotonic()
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=options.timeout)
    except subprocess.TimeoutExpired:
        print(f"width {width} depth {depth} rows {rows} batch {batch} {precision} graph {graph}: more than {options.timeout} s", flush=True)
        return False
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        print(f"width {width} depth {depth} rows {rows} batch {batch} {precision} graph {graph}: FAILED\n{done.stdout}{done.stderr}", flush=True)
        return False
    found = json.loads(lines[-1])
    tokens = found["samples_per_s"] * rows
    matrices = depth * 12 * width * width + 2 * columns * width
    operations = 6 * matrices + 12 * depth * rows * width
    used = tokens * operations / 1e12
    print(f"width {width:5} depth {depth:3} rows {rows:5} batch {batch:4} {precision:8} graph {graph:4} weights {found['weights'] / 1e6:8.2f} M  "
          f"{tokens:12.0f} tokens/s  {used:8.2f} TFLOP/s  {100 * used / options.peak:6.2f} % of {options.peak:g}  "
          f"({time.monotonic() - start:.1f} s, torch {found['torch']})", flush=True)
    for line in done.stderr.splitlines():
        if "warning" in line:
            print("  " + line, flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="zoe-train-time")
    parser.add_argument("--width", type=int)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--rows", type=int, default=512, help="of a sequence")
    parser.add_argument("--batch", type=int, default=64, help="sequences per step")
    parser.add_argument("--head-width", type=int, default=64)
    parser.add_argument("--steps", type=int, default=40, help="timed steps")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--peak", type=float, default=790, help="TFLOP/s")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each size")
    parser.add_argument("--no-clip", action="store_true")
    options = parser.parse_args()
    cuda = options.device == "cuda"
    precision, graph = ("bf16", "auto") if cuda else ("float32", "auto")
    sizes = [(options.width, options.depth, options.rows, options.batch)] if options.width else SIZES
    good = [measure(options, *size, precision, graph) for size in sizes]
    if cuda and not options.width:  # What the graph and bf16 bring, at one size.
        good.append(measure(options, *SIZES[0], "bf16", "off"))
        good.append(measure(options, *SIZES[0], "float32", "auto"))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

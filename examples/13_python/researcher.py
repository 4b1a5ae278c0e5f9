# SPDX-License-Identifier: MIT
"""Builds a dataset from recorded walks and fits the next pose by linear regression.    researcher.py models/walker"""
import os
import sys
import tempfile

import numpy

import zoetrope as zoe

walker = zoe.Controller(sys.argv[1])
with tempfile.TemporaryDirectory() as folder:
    # 1. Clips: here those of a controller; usually a folder of motion capture.
    clips = os.path.join(folder, "clips")
    os.mkdir(clips)
    for number, command in enumerate(("move 0 1.3", "move 1 0.8", "move -0.7 1", "move 0 0.9")):
        player = walker.character()
        player.command(command)
        zoe.record(walker, player, 6, fps=30).save(os.path.join(clips, f"walk_{number}.bvh"))
    # 2. Their features on disk, mapped into memory. torch: DataLoader(data.samples(), batch_size=…) works as it is.
    zoe.build_dataset([clips], os.path.join(folder, "data"), "mann")
    data = zoe.Dataset(os.path.join(folder, "data"))
    samples = data.samples(split="all")
    inputs, outputs = samples.batch(range(len(samples)))
    x = inputs.reshape(len(inputs), -1).astype(float)
    y = outputs.reshape(len(outputs), -1).astype(float)
    # 3. Ridge regression on three quarters, error on the rest, beside that of the mean.
    x = numpy.hstack([(x - x.mean(0)) / (x.std(0) + 1e-3), numpy.ones((len(x), 1))])
    known = len(x) * 3 // 4
    weights = numpy.linalg.solve(x[:known].T @ x[:known] + 10 * numpy.eye(x.shape[1]), x[:known].T @ y[:known])
    spread = y[:known].std(0) + 1e-3
    error = numpy.abs((x[known:] @ weights - y[known:]) / spread).mean()
    of_mean = numpy.abs((y[:known].mean(0) - y[known:]) / spread).mean()
    print(f"{len(samples)} samples, {x.shape[1] - 1} inputs; error {error:.2f} deviations, of the mean {of_mean:.2f}")
    sys.exit(0 if error < of_mean else 1)

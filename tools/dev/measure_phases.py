#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Phases of a periodic autoencoder beside those of a Hilbert transform, on the clips of a run of type deepphase: how
often each goes backward, and the fraction of the motion that each explains. Computes both again in NumPy, so it also
checks the phases that zoe wrote into the dataset.

usage: measure_phases.py RUN [--held-out] [NAME ...]

NAME is a part of a clip's name. Each NAME is a row of the table; default: each actor. --held-out: held-out clips.

Backward: fraction of frames whose phase stands or goes back. For the autoencoder it is weighted by amplitude, because
that is the weight of a phase in the controller's gate. Explained: fraction of the joints' velocities about their mean,
over two-second windows. For the Hilbert transform (left minus right foot's height, 0.4 to 4 Hz) it is the fraction that
the best sine and cosine of its phase explain of each column, which is more than one amplitude could.
"""
import collections
import json
import re
import struct
import sys

import numpy as np


def read_weights(path):
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header, body = json.loads(file.read(size)), file.read()
    header.pop("__metadata__")
    return {name: np.frombuffer(body[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"]) for name, entry in header.items()}


class Data:
    """Rows of a dataset with one skeleton, by (source, mirrored)."""

    def __init__(self, folder):
        with open(folder + "/dataset.json", encoding="utf-8") as file:
            manifest = json.load(file)
        self.group = manifest["groups"][0]
        files = {}
        self.clips = {}
        for clip in manifest["clips"]:
            if clip["file"] not in files:
                files[clip["file"]] = np.load(f"{folder}/{clip['file']}", mmap_mode="r")
            rows = files[clip["file"]][clip["first_row"]:clip["first_row"] + clip["num_rows"]]
            self.clips[clip["source"], clip.get("part", 0), clip["mirrored"]] = (rows, clip["split"])

    def joints(self, key):
        return re.findall(r"#(\d+)", re.search(rf"^{key} = \[(.*?)\]", self.group["layout"], re.M | re.S).group(1))


def convolve(x, weight, bias):
    """[batch, steps, in] by [out, in, kernel], zeros beyond the ends."""
    reach = weight.shape[2] // 2
    padded = np.pad(x, ((0, 0), (reach, reach), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, weight.shape[2], axis=1)  # [batch, steps, in, kernel]
    return np.tensordot(windows, weight, ((2, 3), (1, 2))) + bias


def elu(x):
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


def autoencode(w, x, window_s=2.0):
    """[batch, steps, width] in the data's units: the reconstruction, phase in turns, frequency, amplitude, [batch, channels] each."""
    mean, spread = w["normalisation.x.mean"], w["normalisation.x.std"]
    x = (x - mean) / spread
    level = x.mean(1, keepdims=True)
    curve = convolve(elu(convolve(x - level, w["encoder.0.weight"], w["encoder.0.bias"])), w["encoder.1.weight"], w["encoder.1.bias"])
    steps = curve.shape[1]
    power = np.abs(np.fft.rfft(curve, axis=1))[:, 1:]**2
    rates = np.arange(1, power.shape[1] + 1) / window_s
    total = power.sum(1) + 1e-8
    frequency = np.einsum("bkc,k->bc", power, rates) / total
    amplitude = 2 * np.sqrt(total) / steps
    part = {name: np.einsum("btc,ct->bc", curve, w[f"periodic.phase_{name}.map"]) + w[f"periodic.phase_{name}.shift"][:, 0]
            for name in ("sine", "cosine")}
    phase = np.arctan2(part["sine"], part["cosine"]) / (2 * np.pi)
    times = (np.arange(steps) / (steps - 1) - 0.5) * window_s
    wave = (amplitude[:, None] * np.sin(2 * np.pi * (frequency[:, None] * times[None, :, None] + phase[:, None])) + curve.mean(1, keepdims=True))
    back = convolve(elu(convolve(wave, w["decoder.0.weight"], w["decoder.0.bias"])), w["decoder.1.weight"], w["decoder.1.bias"])
    return (back + level) * spread + mean, phase, frequency, amplitude


def hilbert(values, fps, low_hz=0.4, high_hz=4.0):
    """Phase in turns; the ends are mirrored."""
    count = len(values)
    mirrored = np.concatenate([values[::-1], values, values[::-1]]) - values.mean()
    spectrum, hz = np.fft.fft(mirrored), np.fft.fftfreq(len(mirrored), 1 / fps)
    analytic = np.fft.ifft(np.where((hz >= low_hz) & (hz <= high_hz), 2 * spectrum, 0))
    return np.angle(analytic[count:2 * count]) / (2 * np.pi)


def steps_of(phase):
    step = np.diff(phase, axis=0)
    return step - np.round(step)


def main():
    held_out = "--held-out" in sys.argv
    run, *names = [word for word in sys.argv[1:] if word != "--held-out"]
    weights = read_weights(run + "/pae/model.safetensors")
    windows, controller = Data(run + "/pae/dataset"), Data(run + "/dataset")
    width, channels = len(weights["normalisation.x.mean"]), weights["encoder.1.weight"].shape[0]
    pose, contacts = controller.joints("pose"), controller.joints("contacts")
    feet = [16 + 12 * pose.index(joint) + 1 for joint in contacts[:2]]  # Heights of the two feet.
    signals = 16 + 12 * len(pose) + len(contacts)
    rows_of = collections.defaultdict(lambda: np.zeros(8))
    worst = 0.0
    for (source, part, mirrored), (velocities, split) in windows.clips.items():
        if mirrored or (held_out and split == "train") or (source, part, mirrored) not in controller.clips or len(velocities) < 63:
            continue
        rows = controller.clips[source, part, mirrored][0]
        name = re.sub(r".*/", "", source)
        keys = [key for key in names if key in name] if names else [re.split(r"[_.]", name)[0]]
        x = np.lib.stride_tricks.sliding_window_view(velocities[:, 16:16 + width], 61, axis=0).transpose(0, 2, 1)  # [windows, 61, width]
        back, phase, frequency, amplitude = autoencode(weights, x.astype(np.float64))
        # The phases that zoe wrote into the rows.
        written = rows[30:30 + len(x), signals:signals + 2 * channels].reshape(len(x), channels, 2)
        vector = amplitude[..., None] * np.stack([np.sin(2 * np.pi * phase), np.cos(2 * np.pi * phase)], -1)
        worst = max(worst, float(np.abs(written - vector).max() / (1 + np.abs(vector).max())))
        turns = hilbert((rows[:, feet[0]] - rows[:, feet[1]]).astype(np.float64), controller.group["fps"])
        angle = 2 * np.pi * turns
        moving = x - x.mean(1, keepdims=True)
        left = 0.0
        for k, window in enumerate(moving):
            basis = np.stack([np.sin(angle[k:k + 61]), np.cos(angle[k:k + 61]), np.ones(61)], 1)
            left += ((window - basis @ np.linalg.lstsq(basis, window, rcond=None)[0])**2).sum()
        weight = amplitude[1:]
        sums = np.array([len(x), (moving**2).sum(), ((x - back)**2).sum(), left, weight[steps_of(phase) <= 0].sum(), weight.sum(),
                         (steps_of(turns[30:30 + len(x)]) <= 0).sum(), 1])
        for key in keys:
            rows_of[key] += sums
    print("| clips | frames | backward: autoencoder | Hilbert | explained: autoencoder | Hilbert |\n|---|---|---|---|---|---|")
    for key, (frames, all_, left, left_hilbert, back, weight, back_hilbert, count) in sorted(rows_of.items()):
        print(f"| {key} ({count:.0f}) | {frames:.0f} | {100 * back / weight:.1f} % | {100 * back_hilbert / max(frames - count, 1):.1f} % "
              f"| {100 * (1 - left / all_):.0f} % | {100 * (1 - left_hilbert / all_):.0f} % |")
    print(f"phases in the dataset differ from NumPy's by at most {worst:.1e} of the amplitude")


main()

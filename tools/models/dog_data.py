#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Generates the training data of models/dog: a synthetic dog that wanders, sits and howls as a CC0 fox does.

usage: dog_data.py ZOE FOX.glb FOLDER [--clips 60] [--actions 24] [--seed 36]

ZOE is the program, FOX.glb the fox of Mesh2Motion (creatures/mesh2motion/fox-animations.glb of the data folder, CC0),
FOLDER gets GLB files of one body with label files beside those in which it sits. Needs NumPy. The same seed gives the same files.
"""
import argparse
import os
import subprocess
import tempfile

import numpy as np

FPS = 30
BLEND_S = 0.7  # From standing to sitting and back.
LOOK = ["--family", "quadruped", "--gait", "walk", "--course", "wander", "--style", "neutral", "--names", "plain", "--one-body"]


def zoe(*words):
    subprocess.run([arguments.zoe, *map(str, words), "-q"], check=True, stdout=subprocess.DEVNULL)


# Quaternions are x, y, z, w.
def multiply(a, b):
    av, aw, bv, bw = a[..., :3], a[..., 3:], b[..., :3], b[..., 3:]
    return np.concatenate([aw * bv + bw * av + np.cross(av, bv), aw * bw - (av * bv).sum(-1, keepdims=True)], -1)


def conjugate(q):
    return q * np.array([-1, -1, -1, 1])


def rotate(q, v):
    t = 2 * np.cross(q[..., :3], v)
    return v + q[..., 3:] * t + np.cross(q[..., :3], t)


def mix(a, b, t):
    b = np.where((a * b).sum(-1, keepdims=True) < 0, -b, b)
    q = a + (b - a) * t
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


class Clip:
    """Local rotations [frames, joints, 4] and translations [frames, joints, 3]; joint 0 is in the model's space."""

    def __init__(self, rotations, translations, parents, names):
        self.rotations, self.translations, self.parents, self.names = rotations, translations, parents, names

    @staticmethod
    def read(path):
        with tempfile.TemporaryDirectory() as folder:
            npz = os.path.join(folder, "clip.npz")
            zoe("convert", path, npz, "--fps", FPS)
            data = np.load(npz, allow_pickle=False)
            places, turns = data["positions"].astype(float), data["quaternions"].astype(float)
            parents, names = data["parent_indices"], data["bone_names"]
        rotations, translations = turns.copy(), places.copy()
        for joint, parent in enumerate(parents):
            if parent < 0:
                continue
            back = conjugate(turns[:, parent])
            rotations[:, joint] = multiply(back, turns[:, joint])
            translations[:, joint] = rotate(back, places[:, joint] - places[:, parent])
        return Clip(rotations, translations, parents, names)

    def world(self):
        turns, places = self.rotations.copy(), self.translations.copy()
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                turns[:, joint] = multiply(turns[:, parent], self.rotations[:, joint])
                places[:, joint] = places[:, parent] + rotate(turns[:, parent], self.translations[:, joint])
        return turns, places

    def write(self, path, body):
        turns, places = self.world()
        with tempfile.TemporaryDirectory() as folder:
            npz = os.path.join(folder, os.path.basename(path)[:-4] + ".npz")
            np.savez(npz, name=os.path.basename(path)[:-4], framerate=float(FPS), positions=places.astype(np.float32),
                     quaternions=turns.astype(np.float32), bone_names=self.names, parent_indices=self.parents.astype(np.int32))
            zoe("convert", npz, path, "--character", body)

    def part(self, begin, end):
        return Clip(self.rotations[begin:end], self.translations[begin:end], self.parents, self.names)

    def index(self, name):
        return list(self.names).index(name)

    def forepaws(self, frame):
        """Position of the forepaws on the ground, and facing of the hips."""
        turns, places = self.part(frame, frame + 1).world()
        paws = (places[0, self.index("LeftFrontFoot")] + places[0, self.index("RightFrontFoot")]) / 2
        ahead = places[0, self.index("Spine3")] - places[0, 0]
        return paws * [1, 0, 1], np.arctan2(ahead[0], ahead[2])

    def moved_to(self, frame, goal):
        """The clip turned and moved over the ground so that its forepaws of that frame are at `goal`."""
        paws, facing = self.forepaws(frame)
        half = (goal[1] - facing) / 2
        turn = np.array([0, np.sin(half), 0, np.cos(half)])
        out = self.part(0, len(self.rotations))
        out.rotations, out.translations = out.rotations.copy(), out.translations.copy()
        out.rotations[:, 0] = multiply(turn, out.rotations[:, 0])
        out.translations[:, 0] = rotate(turn, out.translations[:, 0] - paws) + goal[0]
        return out


def joined(first, second, blend_s):
    """`second` begins while the last pose of `first` fades."""
    second = second.moved_to(0, first.forepaws(-1 % len(first.rotations)))
    count = int(blend_s * FPS)
    t = np.linspace(0, 1, count + 2)[1:-1, None, None]
    t = t * t * (3 - 2 * t)
    rotations = mix(first.rotations[-1:], second.rotations[:1], t)
    translations = first.translations[-1:] + (second.translations[:1] - first.translations[-1:]) * t
    return Clip(np.concatenate([first.rotations, rotations, second.rotations]),
                np.concatenate([first.translations, translations, second.translations]), first.parents, first.names)


def stands(clip):
    """Frames in the middle of a stand of 0.6 s."""
    _, places = clip.world()
    still = np.abs(np.diff(places, axis=0)).max((1, 2)) * FPS < 0.12
    half = int(0.3 * FPS)
    return [f for f in range(half, len(still) - half) if still[f - half:f + half].all()]


def main():
    random = np.random.default_rng(arguments.seed)
    zoe("synth", "-o", arguments.folder, *LOOK, "--count", arguments.clips, "--seconds", 15, "--fps", FPS, "--seed",
        arguments.seed, "--mesh", "off")
    files = sorted(f for f in os.listdir(arguments.folder) if f.endswith(".glb"))
    body = os.path.join(arguments.folder, files[0])
    with tempfile.TemporaryDirectory() as folder:
        fox = {}
        for name in ("Sit", "Howl"):
            path = os.path.join(folder, name + ".glb")
            zoe("retarget", arguments.fox, "--clip", name, "--to", body, "-o", path)
            fox[name] = Clip.read(path)
    # A howl of any requested length: the head stays up. A network cannot time an event without a cycle, because it
    # has no phase.
    up = fox["Howl"].part(int(0.7 * FPS), int(1.1 * FPS))
    there_and_back = list(range(len(up.rotations))) + list(range(len(up.rotations) - 2, 0, -1))
    fox["Howl"] = Clip(up.rotations[there_and_back * 2], up.translations[there_and_back * 2], up.parents, up.names)
    wanders = []
    for file in files:
        clip = Clip.read(os.path.join(arguments.folder, file))
        wanders.append((clip, stands(clip)))
    befores = [(clip, f) for clip, frames in wanders for f in frames if f > 3 * FPS]
    afters = [(clip, f) for clip, frames in wanders for f in frames if f < len(clip.rotations) - 4 * FPS]
    for number in range(arguments.actions):
        clip, frame = befores[random.integers(len(befores))]
        scene = clip.part(frame - 3 * FPS, frame)
        labels = []
        begin = len(scene.rotations)
        howls = random.random() < 0.5
        parts = ["Sit"] * random.integers(1, 3) + (["Howl"] if howls else []) + ["Sit"] * random.integers(1, 3)
        for i, name in enumerate(parts):
            blend_s = BLEND_S if i == 0 else 0.2 if name == parts[i - 1] else 0.4
            if i > 0 and name != parts[i - 1]:
                labels.append((begin, len(scene.rotations), parts[i - 1].lower()))
                begin = len(scene.rotations)
            scene = joined(scene, fox[name], blend_s)
        labels.append((begin, len(scene.rotations), parts[-1].lower()))
        clip, frame = afters[random.integers(len(afters))]
        scene = joined(scene, clip.part(frame, frame + 4 * FPS), BLEND_S)
        path = os.path.join(arguments.folder, f"scene_{number:02}.glb")
        scene.write(path, body)
        with open(path[:-4] + ".labels.csv", "w", encoding="utf-8") as out:
            out.write("start_s,end_s,label\n")
            for first, end, label in labels:
                out.write(f"{first / FPS:.4f},{end / FPS:.4f},{label}\n")


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("zoe")
parser.add_argument("fox")
parser.add_argument("folder")
parser.add_argument("--clips", type=int, default=60)
parser.add_argument("--actions", type=int, default=24)
parser.add_argument("--seed", type=int, default=36)
arguments = parser.parse_args()
main()

# SPDX-License-Identifier: MIT
"""Zoetrope: AI character animation. Files, analysis, retargeting, features, datasets, networks, controllers.

    import zoetrope as zoe
    walker = zoe.Controller("models/walker")
    player = walker.character()
    player.command("move 0 1.4")
    for _ in range(120):
        player.tick(1 / 60)
    print(player.position)

Space: right-handed, Y up, +Z forward, metres, seconds, radians, quaternions x y z w, parents before children.
Failures are zoetrope.Error with the place and the remedy. Long calls release the interpreter's lock.
"""
import json
import os

from ._zoe import (Character, Controller, Crowd, Dataset, Error, File, Motion, Network, Samples, Skeleton, __version__,
                   build_dataset, feature_presets, features, generate, load, retarget, set_deterministic)
from . import _zoe

__all__ = ["Character", "Controller", "Crowd", "Dataset", "Error", "File", "Motion", "Network", "Samples", "Skeleton",
           "analyse", "build_dataset", "certify", "feature_presets", "features", "generate", "load", "record",
           "retarget", "set_deterministic", "__version__"]


def analyse(file, overrides=""):
    """What the body of a File is: a dict of family, height, limbs, feet, left and right, with confidences."""
    return json.loads(_zoe._analyse(file, overrides))


def certify(file, against="", loop=False, tolerance=1.0, round_trip=True):
    """Judges a path or a File: a dict of findings and measures, as `zoe certify --json` prints for a file.

    against: path of the motion that it was made from. round_trip: also writes and reads it; paths only."""
    if isinstance(file, File):
        if against:
            raise Error("against needs paths of both files")
        return json.loads(_zoe._certify_file(file, loop, tolerance))
    return json.loads(_zoe._certify_path(os.fspath(file), os.fspath(against), loop, tolerance, round_trip))


def record(controller, character, seconds, fps=60.0, on_frame=None):
    """Ticks a character and returns its poses as a Motion. on_frame(frame) is called before each tick."""
    import numpy
    count, joints = max(1, round(seconds * fps)), len(controller.skeleton)
    translations = numpy.empty((count, joints, 3), numpy.float32)
    rotations = numpy.empty((count, joints, 4), numpy.float32)
    for frame in range(count):
        if on_frame is not None:
            on_frame(frame)
        character.tick(1.0 / fps)
        translations[frame], rotations[frame] = character.translations, character.rotations
    return Motion(controller.skeleton, fps, translations, rotations, "recorded")

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
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple, Union

from ._zoe import (Character, Controller, Crowd, Dataset, Error, File, Motion, Network, Samples, Skeleton, __version__,
                   build_dataset, feature_presets, features, generate_actions, load, retarget, save_png,
                   set_deterministic)
from . import _zoe

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

__all__ = ["Character", "Controller", "Crowd", "Dataset", "Error", "File", "Motion", "Network", "Samples", "Skeleton",
           "analyse", "build_dataset", "certify", "feature_presets", "features", "generate", "generate_actions", "load",
           "record", "render", "retarget", "save_png", "set_deterministic", "__version__"]

Path = Union[str, "os.PathLike[str]"]


def analyse(file: File, overrides: str = "") -> Dict[str, Any]:
    """What the body of a File is: a dict of family, height, limbs, feet, left and right, with confidences."""
    return json.loads(_zoe._analyse(file, overrides))


def certify(file: Union[File, Path], against: Path = "", loop: bool = False, tolerance: float = 1.0,
            round_trip: bool = True) -> Dict[str, Any]:
    """Judges a path or a File: a dict of findings and measures, as `zoe certify --json` prints for a file.

    against: path of the motion that it was made from. round_trip: also writes and reads it; paths only."""
    if isinstance(file, File):
        if against:
            raise Error("against needs paths of both files")
        return json.loads(_zoe._certify_file(file, loop, tolerance))
    return json.loads(_zoe._certify_path(os.fspath(file), os.fspath(against), loop, tolerance, round_trip))


def generate(model: Path, body: File, action: str = "", text: str = "", seconds: float = 4.0, seed: int = 1,
             steps: int = 0, sampler: str = "", guidance: float = 1.0, smooth: float = 1.0, plant_feet: bool = True,
             loop: bool = False) -> Motion:
    """A new motion for the body of a File, whatever its joints, by a model of `zoe train anytop` (models/anytop).

    The motion of `zoe generate --skeleton` with the same options. action: one of generate_actions(). text: a sentence
    whose known words count. steps, sampler: the model's own unless stated. loop: the best cycle of it, closed."""
    return _zoe._generate(model, body, action, text, seconds, seed, steps, sampler, guidance, smooth, plant_feet, loop)


def render(file: Union[File, Motion], clip: int = 0, size: Tuple[int, int] = (640, 360), fps: float = 30.0,
           start: float = 0.0, seconds: float = 0.0, time: Optional[float] = None, camera: str = "auto",
           style: str = "studio", ghosts: int = 0, supersample: int = 1, transparent: bool = False,
           software: bool = True) -> NDArray[numpy.uint8]:
    """Pictures of a clip: [frames, height, width, 4] in sRGB and alpha, or [height, width, 4] where `time` is stated.

    size: width and height. seconds: 0 for the whole clip. camera: auto, front, back, left, right, top, iso or
    "YAW,PITCH[,DISTANCE]" in degrees and metres. style: studio, skeleton, toon, ink or watercolour. software: on the
    CPU, the same bytes on every run; False: OpenGL where there is one."""
    if isinstance(file, Motion):
        file = File(file)
    pictures = _zoe._render(file, clip, size[0], size[1], fps, start, seconds, -1.0 if time is None else max(time, 0.0),
                            camera, style, ghosts, supersample, transparent, software)
    return pictures if time is None else pictures[0]


def record(controller: Controller, character: Character, seconds: float, fps: float = 60.0,
           on_frame: Optional[Callable[[int], object]] = None) -> Motion:
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

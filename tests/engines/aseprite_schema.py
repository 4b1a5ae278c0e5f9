# SPDX-License-Identifier: MIT
"""Checks sprite sheet descriptions against Aseprite's documented JSON format (its command line and sheet exporter).

Usage: aseprite_schema.py FOLDER [FILE_OF_ASEPRITE...]

Every NAME.json and NAME_hash.json in FOLDER that has a sheet must obey. Files of Aseprite itself must obey as well: they
show that the schema is not ours. Broken copies must be found: they show that the check can fail.
"""
import copy
import glob
import json
import os
import struct
import sys

NUMBER, TEXT, FLAG = int, str, bool
POINT = {"x": NUMBER, "y": NUMBER}
SIZE = {"w": NUMBER, "h": NUMBER}
BOX = {**POINT, **SIZE}
# A key with "?" may be missing. A list has one entry: the schema of all elements. A tuple: one of these values.
FRAME = {"filename?": TEXT, "frame": BOX, "rotated": (False,), "trimmed": FLAG, "spriteSourceSize": BOX,
         "sourceSize": SIZE, "duration": NUMBER}
TAG = {"name": TEXT, "from": NUMBER, "to": NUMBER, "direction": ("forward", "reverse", "pingpong", "pingpong_reverse"),
       "repeat?": TEXT, "color?": TEXT, "data?": TEXT}
LAYER = {"name": TEXT, "group?": TEXT, "opacity?": NUMBER, "blendMode?": TEXT, "color?": TEXT, "data?": TEXT,
         "cels?": [dict]}
KEY = {"frame": NUMBER, "bounds": BOX, "center?": BOX, "pivot?": POINT}
SLICE = {"name": TEXT, "color?": TEXT, "data?": TEXT, "keys": [KEY]}
META = {"app": TEXT, "version": TEXT, "image?": TEXT, "format": ("RGBA8888", "I8"), "size": SIZE, "scale": TEXT,
        "frameTags?": [TAG], "layers?": [LAYER], "slices?": [SLICE]}


def problems_of(value, schema, place):
    if isinstance(schema, tuple):
        return [] if value in schema else [f"{place}: {value!r} is none of {schema}"]
    if isinstance(schema, list):
        if not isinstance(value, list):
            return [f"{place}: no list"]
        return [p for i, entry in enumerate(value) for p in problems_of(entry, schema[0], f"{place}[{i}]")]
    if isinstance(schema, dict):
        if not isinstance(value, dict):
            return [f"{place}: no object"]
        known = {key.rstrip("?"): key for key in schema}
        found = [f"{place}: {key} is missing" for key in schema if not key.endswith("?") and key not in value]
        found += [f"{place}: Aseprite writes no {key}" for key in value if key not in known]
        return found + [p for key in value if key in known
                        for p in problems_of(value[key], schema[known[key]], f"{place}.{key}")]
    good = isinstance(value, schema) and not (schema is int and isinstance(value, bool))
    return [] if good else [f"{place}: {value!r} is no {schema.__name__}"]


def picture_size(path):
    with open(path, "rb") as file:
        head = file.read(24)
    return struct.unpack(">II", head[16:24])


def check(data, folder=None):
    """All that is wrong with a parsed description. folder: of its picture."""
    if not isinstance(data, dict) or set(data) != {"frames", "meta"}:
        return ["not an object of frames and meta"]
    frames = data["frames"]
    named = isinstance(frames, dict)
    listed = list(frames.values()) if named else frames
    found = problems_of(data["meta"], META, "meta") + problems_of(listed, [FRAME], "frames")
    if found:
        return found
    if named == any("filename" in frame for frame in listed):
        found.append("frames: a list has file names, an object has none")
    size = data["meta"]["size"]
    for i, frame in enumerate(listed):
        at, inside, whole = frame["frame"], frame["spriteSourceSize"], frame["sourceSize"]
        if at["x"] < 0 or at["y"] < 0 or at["x"] + at["w"] > size["w"] or at["y"] + at["h"] > size["h"]:
            found.append(f"frames[{i}] is outside of the sheet")
        if inside["x"] + inside["w"] > whole["w"] or inside["y"] + inside["h"] > whole["h"]:
            found.append(f"frames[{i}] is outside of its canvas")
        if frame["duration"] <= 0:
            found.append(f"frames[{i}] has no duration")
    for tag in data["meta"].get("frameTags", []):
        if not 0 <= tag["from"] <= tag["to"] < len(listed):
            found.append(f"tag {tag['name']} names frames that do not exist")
    for entry in data["meta"].get("slices", []):
        if [key["frame"] for key in entry["keys"]] != sorted({key["frame"] for key in entry["keys"]}):
            found.append(f"slice {entry['name']}: keys are not in order")
    if folder and "image" in data["meta"]:
        path = os.path.join(folder, data["meta"]["image"])
        if not os.path.exists(path):
            found.append(f"no picture {data['meta']['image']}")
        elif picture_size(path) != (size["w"], size["h"]):
            found.append(f"{data['meta']['image']} has another size")
    return found


def breaks(data):
    """Copies with one fault each."""
    for change in (lambda d: d["meta"].pop("app"), lambda d: d["meta"].update(scale=1),
                   lambda d: d["meta"]["frameTags"][0].update(to=10**6),
                   lambda d: d["meta"]["frameTags"][0].update(direction="backwards"),
                   lambda d: first(d)["frame"].update(w=10**6), lambda d: first(d).update(duration="100"),
                   lambda d: first(d).update(rotated=True), lambda d: first(d).pop("sourceSize"),
                   lambda d: d["meta"]["slices"][0]["keys"][0].pop("bounds"), lambda d: d.update(extra=1)):
        broken = copy.deepcopy(data)
        change(broken)
        yield broken


def first(data):
    frames = data["frames"]
    return frames[0] if isinstance(frames, list) else next(iter(frames.values()))


def main():
    folder, others = sys.argv[1], [path for path in sys.argv[2:] if os.path.exists(path)]
    ours = [path for path in sorted(glob.glob(os.path.join(folder, "*.json"))) if not path.endswith("_atlas.json")
            and not path.endswith("_joints.json") and os.path.basename(path) != "sprite.json"]
    bad = 0
    for path in ours + others:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        for problem in check(data, folder if path in ours else None):
            print(f"{path}: {problem}")
            bad += 1
        if path in ours:
            for number, broken in enumerate(breaks(data)):
                if not check(broken, folder):
                    print(f"{path}: fault {number} was not found")
                    bad += 1
    print(f"{len(ours)} files of ours and {len(others)} of Aseprite obey" if bad == 0 else f"{bad} problems")
    return 1 if bad or len(ours) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())

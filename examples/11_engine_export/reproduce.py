#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a controller from a folder of `zoe export RUN FOLDER --for-engine` with ONNX Runtime, without zoe.

It computes the 60 steps of the folder's test vector and compares every number. Port `Character` to your engine; the
functions above it are the arithmetic that engines have anyway. All numbers are metres, seconds and radians; Y is up,
a facing of zero looks along +Z and grows towards +X. Quaternions are [x, y, z, w].

usage: reproduce.py FOLDER [--tolerance 1e-4]        exit 1: a number differs by more
"""
import argparse
import json
import math
import os
import sys

import onnxruntime


# ---- Numbers, vectors on the ground [x, z], vectors [x, y, z], quaternions ----
def clamp(value, low, high):
    return min(max(value, low), high)


def limited(values, columns):
    """Numbers stay inside of what the network was trained on: outputs are inputs of the next step."""
    return [v if c["low"] is None else clamp(v, c["low"], c["high"]) for v, c in zip(values, columns)]


def wrapped(angle):
    return math.remainder(angle, 2 * math.pi)


def lerp(a, b, t):
    return [p + (q - p) * t for p, q in zip(a, b)]


def length(v):
    return math.sqrt(sum(p * p for p in v))


def normalized(v):
    size = length(v)
    return [p / size for p in v]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def multiply(a, b):
    return [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
            a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]


def conjugate(q):
    return [-q[0], -q[1], -q[2], q[3]]


def rotate(q, v):
    t = [2 * p for p in cross(q[:3], v)]
    return [v[i] + q[3] * t[i] + cross(q[:3], t)[i] for i in range(3)]


def rotation_about_up(angle):
    return [0, math.sin(angle / 2), 0, math.cos(angle / 2)]


def rotation_from_axes(z, y):
    """The rotation whose z axis points along z and whose y axis is in the plane of both."""
    z = normalized(z)
    x = cross(y, z)
    x = normalized([x[i] - z[i] * sum(p * q for p, q in zip(z, x)) for i in range(3)])
    y = cross(z, x)
    trace = x[0] + y[1] + z[2]
    if trace > 0:
        s = math.sqrt(trace + 1) * 2
        return [(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4]
    if x[0] > y[1] and x[0] > z[2]:
        s = math.sqrt(1 + x[0] - y[1] - z[2]) * 2
        return [s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s]
    if y[1] > z[2]:
        s = math.sqrt(1 + y[1] - x[0] - z[2]) * 2
        return [(y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s, (z[0] - x[2]) / s]
    s = math.sqrt(1 + z[2] - x[0] - y[1]) * 2
    return [(z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4, (x[1] - y[0]) / s]


def rotation_vector(q):
    q = [-p for p in q] if q[3] < 0 else q
    size = length(q[:3])
    factor = 2 * math.atan2(size, q[3]) / size if size > 1e-9 else 2
    return [p * factor for p in q[:3]]


def from_rotation_vector(v):
    angle = length(v)
    factor = math.sin(angle / 2) / angle if angle > 1e-9 else 0.5
    return [p * factor for p in v] + [math.cos(angle / 2)]


def into(facing, v):
    """A ground vector of the model's space in the axes of a root with this facing. out_of() is the inverse."""
    s, c = math.sin(facing), math.cos(facing)
    return [c * v[0] - s * v[1], s * v[0] + c * v[1]]


def out_of(facing, v):
    s, c = math.sin(facing), math.cos(facing)
    return [c * v[0] + s * v[1], c * v[1] - s * v[0]]


# ---- Springs ----
def approach(value, goal, half_life_s, dt_s):
    return goal + (value - goal) * (2 ** (-dt_s / half_life_s) if half_life_s > 0 else 0)


def spring_rate(half_life_s):
    return 1.67834699 / max(half_life_s, 1e-6)


class Point:
    """A root that follows an intent by springs."""

    def __init__(self):
        self.position, self.velocity, self.acceleration = [0, 0], [0, 0], [0, 0]
        self.facing = self.turn_speed = 0

    def advanced(self, velocity_goal, facing_goal, dt_s, c):
        out = Point()
        w = spring_rate(c["velocity_half_life_s"])
        decay = math.exp(-w * dt_s)
        for i in range(2):
            a = self.velocity[i] - velocity_goal[i]
            b = self.acceleration[i] + a * w
            out.velocity[i] = velocity_goal[i] + (a + b * dt_s) * decay
            out.acceleration[i] = (self.acceleration[i] - b * w * dt_s) * decay
            out.position[i] = (self.position[i] + velocity_goal[i] * dt_s + (a / w + b / (w * w)) * (1 - decay) -
                               b * dt_s * decay / w)
        w = spring_rate(c["facing_half_life_s"])
        decay = math.exp(-w * dt_s)
        a = -wrapped(facing_goal - self.facing) if facing_goal is not None else 0
        b = self.turn_speed + a * w
        most = c["max_turn_speed_rad_s"]
        out.facing = self.facing + clamp((a + b * dt_s) * decay - a, -most * dt_s, most * dt_s)
        out.turn_speed = clamp((self.turn_speed - b * w * dt_s) * decay, -most, most)
        return out


class Intent:
    """What is desired at some moments from now; values between them are interpolated."""

    def __init__(self, data, least_speed):
        self.wanted, self.styles, self.actions = data["wanted"], data["styles"], data["actions"]
        self.least_speed = least_speed

    def facing_of(self, wanted):
        if wanted["facing_rad"] is not None:
            return wanted["facing_rad"]
        v = wanted["velocity_mps"]
        return math.atan2(v[0], v[1]) if length(v) >= self.least_speed else None

    def at(self, time_s):
        """Velocity and facing (or None: keep it)."""
        i = max([k for k, w in enumerate(self.wanted) if k == 0 or time_s >= w["time_s"]])
        here = self.wanted[i]
        if i + 1 == len(self.wanted):
            return here["velocity_mps"], self.facing_of(here)
        after = self.wanted[i + 1]
        t = clamp((time_s - here["time_s"]) / max(after["time_s"] - here["time_s"], 1e-6), 0, 1)
        a, b = self.facing_of(here), self.facing_of(after)
        facing = a + wrapped(b - a) * t if a is not None and b is not None else (a if a is not None else b)
        return lerp(here["velocity_mps"], after["velocity_mps"], t), facing


class Way:
    """Roots and velocities ahead, at the times of constants.json."""

    def __init__(self, times_s):
        self.times_s = times_s
        self.positions, self.facings, self.velocities = ([[0, 0] for _ in times_s], [0 for _ in times_s],
                                                         [[0, 0] for _ in times_s])
        self.labels = {"style": [], "action": []}

    def place(self, time_s):
        step = (self.times_s[-1] - self.times_s[0]) / (len(self.times_s) - 1)
        at = clamp((time_s - self.times_s[0]) / step, 0, len(self.times_s) - 1)
        return int(at), min(int(at) + 1, len(self.times_s) - 1), at - int(at)


# ---- The controller ----
class Character:
    def __init__(self, folder):
        def read(name):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                return json.load(file)
        self.columns, self.body, self.constants = read("columns.json"), read("body.json"), read("constants.json")
        self.session = onnxruntime.InferenceSession(os.path.join(folder, "network.onnx"),
                                                    providers=["CPUExecutionProvider"])
        c = self.constants
        self.dt_s = 1 / c["rate_hz"]
        self.input, self.output = self.columns["inputs"][0], self.columns["outputs"][0]
        self.parents = [joint["parent"] for joint in self.body["joints"]]
        self.bones = [joint["rest_translation"] for joint in self.body["joints"]]
        self.decoded = {j["joint"]: j for j in self.body["decoded_joints"]}
        self.start()

    def start(self):
        c = self.constants
        self.point, self.led = Point(), Point()
        self.behind = [0, 0]
        self.translations = [list(j["translation"]) for j in self.body["start"]]
        self.rotations = [list(j["rotation"]) for j in self.body["start"]]
        self.contacts = [1 for _ in self.body["contact_joints"]]
        self.own, self.has_own = Way(c["trajectory"]["times_s"]), False
        self.labels = {"style": list(c["labels"]["usual_styles"]), "action": list(c["labels"]["usual_actions"])}
        self.local_phases = [0] * c["phase"]["local_columns"]
        self.phase_turns = 0
        self.phases = [0] * c["phase"]["signal_columns"] * len(c["phase"]["signal_times_s"])
        self.filtered = None
        self.history = []
        self.models = None
        if "sequence" in c:  # A type that predicts several frames at a time.
            s = c["sequence"]
            self.current = [s["standing_frame"]] * s["played_frames"]
            self.previous, self.age = list(self.current), s["interval"]
            self.root_steps = [[0, 0, 0]] * s["last_frame"]
        self.remember()

    # -- The past: one row a step. Joints only need the present one and the one before. --
    def remember(self):
        before, self.models = self.models, self.to_model_space()
        p = self.point
        last = self.history[-1] if self.history else {"position": p.position}
        self.history.append({
            "position": list(p.position), "facing": p.facing,
            "velocity": [(a - b) / self.dt_s for a, b in zip(p.position, last["position"])],
            "local_phases": list(self.local_phases), "signal": self.phases[:self.constants["phase"]["signal_columns"]],
            "style": list(self.labels["style"]), "action": list(self.labels["action"])})
        self.joint_velocities = [[(a - b) / self.dt_s for a, b in zip(now[0], was[0])]
                                 for now, was in zip(self.models, before or self.models)]

    def to_model_space(self):
        models = []
        for j, parent in enumerate(self.parents):
            t, q = self.translations[j], self.rotations[j]
            if parent >= 0:
                up = models[parent]
                t, q = [a + b for a, b in zip(up[0], rotate(up[1], t))], multiply(up[1], q)
            models.append((t, q))
        return models

    def row(self, frame):
        """The row of a frame <= 0 from now; before the first one the first."""
        return self.history[max(len(self.history) - 1 + frame, 0)]

    # -- 1. Where the intent leads, blended with what the model predicted last. --
    def way_ahead(self, intent):
        t = self.constants["trajectory"]
        way, point, time_s = Way(t["times_s"]), self.point, 0
        for i, until_s in enumerate(way.times_s):
            while time_s < until_s - 1e-9:
                piece = min(until_s - time_s, t["piece_s"])
                velocity, facing = intent.at(time_s + piece / 2)
                point = point.advanced(velocity, facing, piece, t)
                time_s += piece
            share = t["own_way_now"] + (t["own_way_far"] - t["own_way_now"]) * i / (len(way.times_s) - 1)
            share = share if self.has_own else 0
            way.positions[i] = lerp(point.position, self.own.positions[i], share)
            way.facings[i] = point.facing + wrapped(self.own.facings[i] - point.facing) * share
            way.velocities[i] = lerp(point.velocity, self.own.velocities[i], share)
            for kind in ("style", "action"):
                way.labels[kind].append([self.approached(kind, intent, k, until_s) for k in range(len(self.labels[kind]))])
        way.positions[0], way.facings[0] = list(self.point.position), self.point.facing
        return way

    def approached(self, kind, intent, k, dt_s):
        asked = intent.styles if kind == "style" else intent.actions
        labels = self.constants["labels"]
        goal = asked[k] if any(w > 0 for w in asked) else labels["usual_" + kind + "s"][k]
        return approach(self.labels[kind][k], goal, labels["half_life_s"], dt_s)

    # -- 2. The network's input, channel by channel. --
    def encode(self, way):
        x = []
        for channel in self.input["channels"]:
            for frame, time_s in zip(channel["frames"], channel["times_s"]):
                x += getattr(self, "encode_" + channel["group"])(channel, frame, time_s, way)
        return limited(x, self.input["columns"])

    def encode_joint(self, channel, _frame, _time_s, _way):
        x, facing, origin = [], self.point.facing, self.point.position

        def seen(v):
            flat = into(facing, [v[0], v[2]])
            return [flat[0], v[1], flat[1]]
        for j in channel["joints"]:
            position, rotation = self.models[j]
            values = {"position": seen([position[0] - origin[0], position[1], position[2] - origin[1]]),
                      "velocity": seen(self.joint_velocities[j])}
            for axis, unit in (("x_axis", [1, 0, 0]), ("y_axis", [0, 1, 0]), ("z_axis", [0, 0, 1])):
                values[axis] = seen(rotate(rotation, unit))
            for part in channel["parts"]:
                x += values[part]
        return x

    def encode_root(self, channel, frame, time_s, way):
        if frame < 0:
            row = self.row(frame)
        else:
            a, b, t = way.place(time_s)
            row = {"position": lerp(way.positions[a], way.positions[b], t),
                   "facing": way.facings[a] + wrapped(way.facings[b] - way.facings[a]) * t,
                   "velocity": lerp(way.velocities[a], way.velocities[b], t)}
            for kind in ("style", "action"):
                row[kind] = self.labels[kind] if frame == 0 else lerp(way.labels[kind][a], way.labels[kind][b], t)
        now = self.point
        values = {"position": into(now.facing, [p - q for p, q in zip(row["position"], now.position)]),
                  "direction": into(now.facing, [math.sin(row["facing"]), math.cos(row["facing"])]),
                  "velocity": into(now.facing, row["velocity"]), "speed": [length(row["velocity"])],
                  "style": row["style"], "action": row["action"]}
        return [v for part in channel["parts"] for v in values[part]]

    def encode_phase_local(self, _channel, frame, _time_s, _way):
        return self.row(min(frame, 0))["local_phases"]

    def encode_signal(self, _channel, frame, time_s, _way):
        if frame <= 0:
            return self.row(frame)["signal"]
        times_s, width = self.constants["phase"]["signal_times_s"], self.constants["phase"]["signal_columns"]
        step = (times_s[-1] - times_s[0]) / (len(times_s) - 1)
        at = clamp((time_s - times_s[0]) / step, 0, len(times_s) - 1)
        i = int(at + 1e-6)
        a = self.phases[i * width:(i + 1) * width]
        return lerp(a, self.phases[(i + 1) * width:(i + 2) * width] or a, max(at - i, 0))

    # -- 3. The network. Normalisation is inside. --
    def run_network(self, x):
        inputs = {self.input["name"]: [x]}
        if self.constants["phase"]["is_input"]:
            inputs["phase"] = [[self.phase_turns]]
        y = self.session.run(None, inputs)[0][0]
        frames = [y] if self.output["frames"] == 1 else y
        return [limited([float(v) for v in frame], self.output["columns"]) for frame in frames]

    # -- 4. The output: root, pose, and what the next step needs. --
    def channel_of(self, group, name=None):
        return next((c for c in self.output["channels"] if c["group"] == group and c.get("name") == name), None)

    def root_step(self, y):
        """[x, turn, z] of the root in this step, in the axes before it."""
        channel = self.channel_of("root_delta")
        v = y[channel["first"]:channel["first"] + 3]
        return [v[0] * channel["metres"], v[1] * channel["radians"], v[2] * channel["metres"]]

    def move_root(self, intent, step):
        c, p, dt_s = self.constants, self.point, self.dt_s
        moved = [a + b for a, b in zip(p.position, out_of(p.facing, [step[0], step[2]]))]
        velocity = [(a - b) / dt_s for a, b in zip(moved, p.position)]
        turn_speed, facing = step[1] / dt_s, p.facing + step[1]
        # The invisible root follows the springs alone. The character is pulled towards it, slowly.
        speed = max(length(velocity), min(length(self.led.velocity), c["correction"]["shifted_mps"]))
        self.led = self.led.advanced(*intent.at(0), dt_s, c["trajectory"])
        way = [a - b for a, b in zip(self.led.position, moved)]
        way = [v - approach(v, 0, c["correction"]["position_half_life_s"], dt_s) for v in way]
        most = c["correction"]["share"] * speed * dt_s
        factor = most / max(length(way), 1e-12) if length(way) > most else 1
        position = [a + b * factor for a, b in zip(moved, way)]
        turn = wrapped(self.led.facing - facing)
        turn -= approach(turn, 0, c["correction"]["facing_half_life_s"], dt_s)
        most = c["correction"]["share"] * abs(turn_speed) * dt_s
        facing += clamp(turn, -most, most)
        # It waits for a body that cannot keep up.
        away = [a - b for a, b in zip(self.led.position, position)]
        if length(away) > c["lead"]["max_distance_m"]:
            self.led.position = [a + b * c["lead"]["max_distance_m"] / length(away) for a, b in zip(position, away)]
        most = c["lead"]["max_turn_rad"]
        self.led.facing = facing + clamp(wrapped(self.led.facing - facing), -most, most)
        pull = self.leash(velocity)
        self.point = Point()
        self.point.position = [a + b for a, b in zip(position, pull)]
        self.point.facing, self.point.velocity, self.point.turn_speed = facing, velocity, turn_speed

    def leash(self, own):
        """Pulls a body whose model does not follow the intent at all."""
        c, dt_s, led = self.constants["leash"], self.dt_s, list(self.led.velocity)
        most = max(c["run_mps"], c["pace_mps"])
        if length(led) > most:
            led = [v * most / length(led) for v in led]
        fastest = max(length(led), length(own), c["pace_mps"])
        self.behind = [approach(b, 0, c["forget_half_life_s"], dt_s) + (l - o) * dt_s
                       for b, l, o in zip(self.behind, led, own)]
        tight = clamp((length(self.behind) / fastest - c["slack_s"]) / (c["full_s"] - c["slack_s"]), 0, 1)
        if tight == 0:
            return [0, 0]
        pull = [(b - approach(b, 0, c["pull_half_life_s"], dt_s)) * tight for b in self.behind]
        if length(pull) > fastest * dt_s:
            pull = [v * fastest * dt_s / length(pull) for v in pull]
        self.behind = [a - b for a, b in zip(self.behind, pull)]
        return pull

    def decode_pose(self, y):
        facing, origin = self.point.facing, self.point.position
        turn, channel = rotation_about_up(facing), self.channel_of("joint")
        width = 3 * len(channel["parts"])
        read = {}
        for i, j in enumerate(channel["joints"]):
            v = y[channel["first"] + i * width:channel["first"] + (i + 1) * width]
            parts = {part: v[3 * k:3 * k + 3] for k, part in enumerate(channel["parts"])}
            flat = out_of(facing, [parts["position"][0], parts["position"][2]])
            read[j] = ([origin[0] + flat[0], parts["position"][1], origin[1] + flat[1]],
                       multiply(turn, rotation_from_axes(parts["z_axis"], parts["y_axis"])))
        models = []
        for j, parent in enumerate(self.parents):
            up = models[parent] if parent >= 0 else ([0, 0, 0], [0, 0, 0, 1])
            if j in read:
                position, rotation = read[j]
                local = multiply(conjugate(up[1]), rotation)
                same = sum(a * b for a, b in zip(self.rotations[j], local)) >= 0
                self.rotations[j] = normalized(local if same else [-p for p in local])
                if self.decoded[j]["takes_position"]:
                    self.translations[j] = rotate(conjugate(up[1]), [a - b for a, b in zip(position, up[0])])
                else:
                    self.translations[j] = list(self.bones[j])
            models.append(([a + b for a, b in zip(up[0], rotate(up[1], self.translations[j]))],
                           multiply(up[1], self.rotations[j])))

    def decode(self, intent, y):
        c = self.constants
        self.move_root(intent, self.root_step(y))
        self.decode_pose(y)
        contact = self.channel_of("contact")
        self.contacts = [clamp(v, 0, 1) for v in y[contact["first"]:contact["first"] + len(self.contacts)]]
        if ahead := self.channel_of("root"):
            self.read_own_way(ahead, y)
        if local := self.channel_of("phase_local"):
            self.local_phases = y[local["first"]:local["first"] + len(self.local_phases)]
        if delta := self.channel_of("phase_delta"):
            self.phase_turns += clamp(y[delta["first"]], 0, c["phase"]["most_hz"] * self.dt_s)
            self.phase_turns -= math.floor(self.phase_turns)
        if self.phases:
            self.advance_phases(y)
        for kind in ("style", "action"):
            self.labels[kind] = [self.approached(kind, intent, k, self.dt_s) for k in range(len(self.labels[kind]))]
        self.remember()

    def read_own_way(self, channel, y):
        p, at = self.point, channel["first"]
        for i in range(len(channel["times_s"])):
            values = {}
            for part in channel["parts"]:
                values[part], at = y[at:at + 2], at + 2
            self.own.positions[i] = [a + b for a, b in zip(p.position, out_of(p.facing, values["position"]))]
            self.own.facings[i] = p.facing + math.atan2(*values["direction"])
            if "velocity" in values:
                self.own.velocities[i] = out_of(p.facing, values["velocity"])
        self.has_own = True

    def advance_phases(self, y):
        """Each phase turns by its predicted frequency, then moves towards the predicted one."""
        c = self.constants["phase"]
        phase, rhythm = self.channel_of("signal", "phase")["first"], self.channel_of("signal", "rhythm")["first"]
        for i in range(0, len(self.phases), 2):
            amplitude, hz = abs(y[rhythm + i]), min(abs(y[rhythm + i + 1]), c["most_rhythm_hz"])
            silent = math.hypot(*self.phases[i:i + 2]) <= c["silent"]
            angle = 0 if silent else math.atan2(*self.phases[i:i + 2]) + 2 * math.pi * hz * self.dt_s
            if math.hypot(*y[phase + i:phase + i + 2]) > c["silent"]:
                off = wrapped(math.atan2(*y[phase + i:phase + i + 2]) - angle)
                angle += off * (1 if silent else c["stability"])
            self.phases[i:i + 2] = [amplitude * math.sin(angle), amplitude * math.cos(angle)]

    # -- 5. What is drawn: an alpha-beta filter on each rotation. The model never sees it. --
    def smooth(self):
        of_legs, of_body = self.constants["pose_filter"]["follow"], self.constants["pose_filter"]["body_follow"]
        if self.filtered is None:
            self.filtered, self.turns = [list(q) for q in self.rotations], [[0, 0, 0] for _ in self.rotations]
            return
        hips, is_leg = {leg["hip"] for leg in self.body["legs"]}, []
        for j, target in enumerate(self.rotations):
            above = self.body["joints"][j]["parent"]
            is_leg.append(j in hips or (above >= 0 and is_leg[above]))
            follow = of_legs if is_leg[j] or of_body == 0 else of_body
            follow_speed = 2 * (2 - follow) - 4 * math.sqrt(1 - follow)
            guess = multiply(from_rotation_vector(self.turns[j]), self.filtered[j])
            left = rotation_vector(multiply(target, conjugate(guess)))
            self.turns[j] = [a + b * follow_speed for a, b in zip(self.turns[j], left)]
            self.filtered[j] = normalized(multiply(from_rotation_vector([p * follow for p in left]), guess))

    # -- A step. Returns the network's input and output, or two empty lists where it did not run. --
    def step(self, intent_data):
        intent = Intent(intent_data, self.constants["trajectory"]["least_speed_with_facing_mps"])
        x, frames = [], []
        if "sequence" not in self.constants:
            x = self.encode(self.way_ahead(intent))
            frames = self.run_network(x)
            self.decode(intent, frames[0])
        else:
            s = self.constants["sequence"]
            if self.age >= s["interval"]:
                x, frames = self.predict_sequence(intent, s)
            self.age += 1
            a, b = (sequence[min(self.age, len(sequence)) - 1] for sequence in (self.previous, self.current))
            self.decode(intent, lerp(a, b, min(self.age / s["interval"], 1)))
        self.smooth()
        return x, [v for frame in frames for v in frame]

    def predict_sequence(self, intent, s):
        """Several frames at a time: the last sequence continues while the new one fades in."""
        position, facing = self.point.position, self.point.facing
        for i in range(len(self.own.times_s)):
            velocity = self.point.velocity
            if i > 0:
                step = self.root_steps[min(self.age + i, len(self.root_steps)) - 1]
                after = [a + b for a, b in zip(position, out_of(facing, [step[0], step[2]]))]
                velocity = [(a - b) / self.dt_s for a, b in zip(after, position)]
                position, facing = after, facing + step[1]
            self.own.positions[i], self.own.facings[i], self.own.velocities[i] = position, facing, velocity
        x = self.encode(self.way_ahead(intent))
        frames = self.run_network(x)
        played, interval = s["played_frames"], s["interval"]
        last = self.current
        self.previous = [last[min(f + interval, played) - 1] for f in range(1, interval + 1)] + last[interval:]
        self.root_steps = [self.root_step(frames[f - s["first_frame"]]) for f in range(1, s["last_frame"] + 1)]
        self.current = [frames[f - s["first_frame"]] for f in range(1, played + 1)]
        self.age, self.has_own = 0, True
        return x, frames


def worst(found, expected):
    """The largest difference; quaternions of either sign are one rotation, so callers make signs agree."""
    if len(found) != len(expected):
        return math.inf
    return max((abs(a - b) for a, b in zip(found, expected)), default=0)


def same_sign(q, reference):
    return q if sum(a * b for a, b in zip(q, reference)) >= 0 else [-p for p in q]


def contacts_in(character, y):
    """Limited as those of a step; of the first frame."""
    first = character.channel_of("contact")["first"]
    return [clamp(v, 0, 1) for v in y[first:first + len(character.contacts)]]


def contacts_of(character, x, phase):
    kept, character.phase_turns = character.phase_turns, phase
    y = character.run_network(x)[0]
    character.phase_turns = kept
    return contacts_in(character, y)


def report(errors, kind, num_steps, tolerance, limits):
    print("largest differences in {} steps of '{}':".format(num_steps, kind))
    for what, error in errors.items():
        print("  {:<24} {:.1e}".format(what, error))
    bad = [what for what in errors if not errors[what] <= limits.get(what, tolerance)]
    print("equal to {:g}".format(tolerance) if not bad else "DIFFERENT: " + ", ".join(bad))
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--tolerance", type=float, default=1e-4)
    words = parser.parse_args()
    with open(os.path.join(words.folder, "steps.json"), encoding="utf-8") as file:
        steps = json.load(file)["steps"]
    errors = {}
    if os.path.exists(os.path.join(words.folder, "projector.onnx")):  # Learned matching.
        import matching  # pylint: disable=import-outside-toplevel
        return matching.reproduce(words.folder, steps, words.tolerance)
    character = Character(words.folder)

    def compare(what, found, expected):
        errors[what] = max(errors.get(what, 0), worst(found, expected))
    for step in steps:
        x, y = character.step(step["intent"])
        compare("network input", x, step["x"])
        compare("network output", y, step["y"])
        if step["x"]:  # The network alone, on the same numbers.
            compare("contacts, same input", contacts_of(character, step["x"], step["phase"]), contacts_in(character, step["y"]))
        compare("root", character.point.position + [character.point.facing], step["root"])
        compare("contacts", character.contacts, step["contacts"])
        for j in range(len(character.parents)):
            compare("pose, translations (m)", character.translations[j], step["pose"]["translations"][j])
            for what, found, pose in (("pose, rotations", character.rotations, "pose"),
                                      ("smoothed rotations", character.filtered, "smoothed")):
                reference = step[pose]["rotations"][j]
                compare(what, same_sign(found[j], reference), reference)
    # Root and pose are metres, radians and unit quaternions. Columns of a network have any scale. Velocities among them
    # are differences of positions times the rate, which carries the roundings of positions into contacts, whose flanks
    # are steep. The same network on the same input gives the same contacts.
    return report(errors, character.constants["type"], len(steps), words.tolerance,
                  {"contacts": 10 * words.tolerance, "network input": math.inf, "network output": math.inf})


if __name__ == "__main__":
    sys.exit(main())

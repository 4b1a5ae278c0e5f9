#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Learned motion matching (type 'lmm') from an exported folder: three networks, a search ten times a second, switches.
reproduce.py calls it. Port `Matcher`.
"""
import json
import math
import os

import onnxruntime

import reproduce as r
from reproduce import approach, clamp, conjugate, into, length, lerp, multiply, out_of, wrapped


class Network:
    """One input, one output, a row each."""

    def __init__(self, folder, name):
        self.session = onnxruntime.InferenceSession(os.path.join(folder, name), providers=["CPUExecutionProvider"])
        self.input = self.session.get_inputs()[0].name

    def __call__(self, values):
        return [float(v) for v in self.session.run(None, {self.input: [values]})[0][0]]


def part_of(q, share):
    """A fraction of a rotation, in the direction of q's own sign."""
    sine = length(q[:3])
    if sine <= 1e-7:
        return [0, 0, 0, 1]
    angle = 2 * math.atan2(sine, q[3]) * share
    return [v / sine * math.sin(angle / 2) for v in q[:3]] + [math.cos(angle / 2)]


class DeadBlend:
    """Extrapolates the last motion by its fading velocity, and fades from there to the new one."""

    def __init__(self, constants, dt_s, pose, before):
        self.constants, self.time_s = constants, 0
        self.translations, self.rotations = pose
        self.velocities = [[(a - b) / dt_s for a, b in zip(*pair)] for pair in zip(pose[0], before[0])]
        self.turns = [[v / dt_s for v in r.rotation_vector(multiply(q, conjugate(p)))]
                      for q, p in zip(pose[1], before[1])]
        self.to_target = [None] * len(pose[1])

    def apply(self, dt_s, target, first_rotations):
        """Pose of the step. first_rotations: of the new motion at the switch; they choose the direction of turning."""
        c = self.constants
        if self.time_s >= c["blend_s"]:
            return target
        self.time_s += dt_s
        t = min(self.time_s / c["blend_s"], 1)
        share, half = t * t * (3 - 2 * t), c["blend_half_life_s"]
        worth_s = half / math.log(2) * (1 - 2 ** (-self.time_s / half))
        translations, rotations = [], []
        for j, (translation, rotation) in enumerate(zip(*target)):
            gone = [a + b * worth_s for a, b in zip(self.translations[j], self.velocities[j])]
            translations.append(lerp(gone, translation, share))
            gone = multiply(r.from_rotation_vector([v * worth_s for v in self.turns[j]]), self.rotations[j])
            if self.to_target[j] is None:
                q = multiply(first_rotations[j], conjugate(self.rotations[j]))
                self.to_target[j] = q if q[3] >= 0 else [-v for v in q]
            self.to_target[j] = r.same_sign(multiply(rotation, conjugate(gone)), self.to_target[j])
            rotations.append(r.normalized(multiply(part_of(self.to_target[j], share), gone)))
        return translations, rotations


class Matcher:
    def __init__(self, folder):
        def read(name):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                return json.load(file)
        self.columns, self.body, self.constants = read("columns.json"), read("body.json"), read("constants.json")
        self.stepper, self.decompressor, self.projector = (
            Network(folder, name) for name in ("stepper.onnx", "decompressor.onnx", "projector.onnx"))
        self.dt_s = 1 / self.constants["rate_hz"]
        self.features, self.output = self.columns["inputs"][0], self.columns["outputs"][0]
        joints = self.body["joints"]
        self.parents = [joint["parent"] for joint in joints]
        self.decoded = {j["joint"]: j for j in self.body["decoded_joints"]}
        # The pose decoder of the other types, with its root at the origin.
        self.decoder = r.Character.__new__(r.Character)
        self.decoder.parents, self.decoder.decoded, self.decoder.output = self.parents, self.decoded, self.output
        self.decoder.bones = [joint["rest_translation"] for joint in joints]
        self.decoder.point = r.Point()
        self.decoder.translations = [list(joint["rest_translation"]) for joint in joints]
        self.decoder.rotations = [list(joint["rest_rotation"]) for joint in joints]
        self.start()

    def start(self):
        self.s = list(self.constants["start_state"])
        self.root, self.facing = [0, 0], 0
        self.led = r.Point()
        self.left, self.left_turn = [0, 0], 0
        self.way = r.Way(self.constants["trajectory"]["times_s"])
        self.searched_velocity, self.searched_facing, self.since_search = [0, 0], 0, 0
        self.pose = self.before = self.pose_of(self.decompressor(self.s))
        self.blend, self.first_rotations = None, None
        self.query, self.switched = [], False

    def pose_of(self, y):
        """In the root's space: translations and rotations of all joints."""
        self.decoder.decode_pose(y)
        return [list(t) for t in self.decoder.translations], [list(q) for q in self.decoder.rotations]

    def feature(self, column):
        info = self.features["columns"][column]
        return self.s[column] * info["deviation"] + info["mean"]

    # -- 2. The root. --
    def without_creep(self, step):
        c = self.constants["creep"]
        speed, turn = math.hypot(step[0], step[2]) / self.dt_s, abs(step[1]) / self.dt_s
        share = clamp((speed - c["none_mps"]) / (c["all_mps"] - c["none_mps"]), 0, 1)
        turn_share = clamp((turn - c["none_rad_s"]) / (c["all_rad_s"] - c["none_rad_s"]), share, 1)
        return [step[0] * share, step[1] * turn_share, step[2] * share]

    def warped(self, velocity, turn):
        c = self.constants["warp"]
        if c["position_column"] < 0:
            return velocity, turn
        a, b, t = self.way.place(c["time_s"])
        wanted = into(self.facing, [p - q for p, q in zip(lerp(self.way.positions[a], self.way.positions[b], t), self.root)])
        facing = self.way.facings[a] + wrapped(self.way.facings[b] - self.way.facings[a]) * t
        played = [self.feature(c["position_column"] + i) for i in range(2)]
        direction = [self.feature(c["direction_column"] + i) for i in range(2)]
        if length(played) < c["least_m"] or length(wanted) < c["least_m"]:
            return velocity, turn
        factor = clamp(length(wanted) / length(played), 1 - c["stretch"], 1 + c["stretch"])
        bend = wrapped(facing - self.facing - math.atan2(*direction)) / c["time_s"]
        share = min(length(played) / c["time_s"] / c["full_mps"], 1)
        return [v * factor for v in velocity], turn + share * clamp(bend, -c["bend_rad_s"], c["bend_rad_s"])

    def move_root(self, intent, y):
        c, dt_s = self.constants, self.dt_s
        step = self.without_creep(self.decoder.root_step(y))
        half = c["switch"]["root_half_life_s"]
        self.left = [approach(v, 0, half, dt_s) for v in self.left]
        self.left_turn = approach(self.left_turn, 0, half, dt_s)
        self.velocity = [step[0] / dt_s + self.left[0], step[2] / dt_s + self.left[1]]
        self.turn = step[1] / dt_s + self.left_turn
        velocity, turn = self.warped(self.velocity, self.turn)
        self.root = [a + b * dt_s for a, b in zip(self.root, out_of(self.facing, velocity))]
        self.facing += turn * dt_s
        # An invisible root follows the springs alone. The character is pulled towards it, slowly.
        self.led = self.led.advanced(*intent.at(0), dt_s, c["trajectory"])
        way = [a - b for a, b in zip(self.led.position, self.root)]
        way = [v - approach(v, 0, c["correction"]["position_half_life_s"], dt_s) for v in way]
        most = c["correction"]["share"] * length(self.velocity) * dt_s
        factor = most / max(length(way), 1e-12) if length(way) > most else 1
        self.root = [a + b * factor for a, b in zip(self.root, way)]
        turn = wrapped(self.led.facing - self.facing)
        turn -= approach(turn, 0, c["correction"]["facing_half_life_s"], dt_s)
        most = c["correction"]["share"] * abs(self.turn) * dt_s
        self.facing += clamp(turn, -most, most)
        away = [a - b for a, b in zip(self.led.position, self.root)]
        if length(away) > c["lead"]["max_distance_m"]:
            self.led.position = [a + b * c["lead"]["max_distance_m"] / length(away) for a, b in zip(self.root, away)]
        most = c["lead"]["max_turn_rad"]
        self.led.facing = self.facing + clamp(wrapped(self.led.facing - self.facing), -most, most)
        self.predict(intent)

    def predict(self, intent):
        t, point, time_s = self.constants["trajectory"], self.led, 0
        for i, until_s in enumerate(self.way.times_s):
            while time_s < until_s - 1e-9:
                piece = min(until_s - time_s, t["piece_s"])
                point = point.advanced(*intent.at(time_s + piece / 2), piece, t)
                time_s += piece
            self.way.positions[i], self.way.facings[i] = list(point.position), point.facing
            self.way.velocities[i] = list(point.velocity)

    # -- 3. The search. --
    def is_due(self, intent):
        c = self.constants["search"]
        self.since_search += 1
        if self.since_search * self.dt_s >= c["interval_s"] - 0.5 * self.dt_s:
            return True
        velocity, facing = intent.at(0)
        changed = length([a - b for a, b in zip(velocity, self.searched_velocity)])
        turned = 0 if facing is None else abs(wrapped(facing - self.searched_facing))
        return changed > c["sudden_velocity_mps"] or turned > c["sudden_facing_rad"]

    def ask(self):
        query = self.s[:self.features["width"]]
        for channel in self.features["channels"]:
            if channel["group"] != "root":
                continue
            column = channel["first"]
            for frame, time_s in zip(channel["frames"], channel["times_s"]):
                a, b, t = self.way.place(time_s)
                facing = self.way.facings[a] + wrapped(self.way.facings[b] - self.way.facings[a]) * t
                position = lerp(self.way.positions[a], self.way.positions[b], t)
                velocity = lerp(self.way.velocities[a], self.way.velocities[b], t)
                values = {"position": into(self.facing, [p - q for p, q in zip(position, self.root)]),
                          "direction": into(self.facing, [math.sin(facing), math.cos(facing)]),
                          "velocity": into(self.facing, velocity), "speed": [length(velocity)]}
                for value in (v for part in channel["parts"] for v in values[part]):
                    info = self.features["columns"][column]
                    if frame >= 0:
                        query[column] = (value - info["mean"]) / info["deviation"]
                    column += 1
        return query

    def search(self, intent, y):
        self.query = self.ask()
        velocity, facing = intent.at(0)
        self.searched_velocity, self.searched_facing = velocity, self.facing if facing is None else facing
        self.since_search = 0

        def cost(state):
            return sum((a - b) ** 2 for a, b in zip(self.query, state))
        found = self.projector(self.query)
        if not cost(found) + self.constants["search"]["transition_cost"] < cost(self.s):
            return y
        self.s, self.switched = found, True
        y, after = self.decompressor(found), self.decompressor(self.stepper(found))
        # The new motion a frame before its first one.
        first, second = self.pose_of(y)[1], self.pose_of(after)[1]
        self.first_rotations = [multiply(multiply(q, conjugate(p)), q) for q, p in zip(first, second)]
        self.blend = DeadBlend(self.constants["switch"], self.dt_s, self.pose, self.before)
        step = self.decoder.root_step(after)
        self.left = [self.velocity[0] - step[0] / self.dt_s, self.velocity[1] - step[2] / self.dt_s]
        self.left_turn = self.turn - step[1] / self.dt_s
        return y

    def step(self, intent_data):
        intent = r.Intent(intent_data, self.constants["trajectory"]["least_speed_with_facing_mps"])
        self.query, self.switched = [], False
        self.s = self.stepper(self.s)
        y = self.decompressor(self.s)
        self.move_root(intent, y)
        if self.is_due(intent):
            y = self.search(intent, y)
        pose = self.pose_of(y)
        if self.blend:
            pose = self.blend.apply(self.dt_s, pose, self.first_rotations)
        self.before, self.pose = self.pose, pose
        contact = self.decoder.channel_of("contact")
        self.contacts = [1 if v >= 0.5 else 0 for v in y[contact["first"]:contact["first"] + len(self.body["contact_joints"])]]
        return y

    def placed(self):
        """The pose in the model's space: joints without a parent move with the root."""
        turn = r.rotation_about_up(self.facing)
        translations, rotations = [], []
        for parent, translation, rotation in zip(self.parents, *self.pose):
            if parent < 0:
                moved = r.rotate(turn, translation)
                translation = [self.root[0] + moved[0], moved[1], self.root[1] + moved[2]]
                rotation = multiply(turn, rotation)
            translations.append(translation)
            rotations.append(rotation)
        return translations, rotations


def reproduce(folder, steps, tolerance):
    matcher, errors = Matcher(folder), {}

    def compare(what, found, expected):
        errors[what] = max(errors.get(what, 0), r.worst(found, expected))
    for step in steps:
        y = matcher.step(step["intent"])
        compare("searches, switches", [len(matcher.query) > 0, matcher.switched], [len(step["query"]) > 0, step["switched"]])
        compare("state", matcher.s, step["state"])
        compare("query", matcher.query, step["query"])
        compare("output", y, step["y"])
        compare("root", matcher.root + [matcher.facing], step["root"])
        compare("contacts", matcher.contacts, step["contacts"])
        translations, rotations = matcher.placed()
        for j in range(len(matcher.parents)):
            compare("pose, translations (m)", translations[j], step["pose"]["translations"][j])
            reference = step["pose"]["rotations"][j]
            compare("pose, rotations", r.same_sign(rotations[j], reference), reference)
    switches = sum(step["switched"] for step in steps)
    print("{} searches, {} switches".format(sum(bool(step["query"]) for step in steps), switches))
    # States are normalised features and codes of any scale.
    return r.report(errors, "lmm", len(steps), tolerance, {"state": math.inf, "query": math.inf, "output": math.inf})

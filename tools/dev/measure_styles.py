#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Part of Zoetrope. Can a judge who knows only recorded people tell our synthetic styles apart?
#
#   tools/dev/measure_styles.py build/release/bin/zoe ../shared/data/biped [--clips 12] [--seed 1]
#
# Two judges are trained on recordings, CMU's moods and Bandai Namco's styles, and asked about walks of `zoe synth` that
# they have never seen. A judge sees posture and timing of 3 s of a walk (24 numbers without units), as the difference
# from the neutral walks of the same source: bodies differ, styles should not. It is a linear discriminant with a shrunk
# covariance. Printed for each judge: its own accuracy on recordings (leaving the judged clip out), its accuracy on
# synthetic clips against chance, and the confusion table. Only styles that both sides have are asked for.
import argparse
import collections
import math
import pathlib
import re
import subprocess
import sys
import tempfile

FPS = 30
WINDOW_S, HOP_S = 3.0, 0.5

# style -> files of CMU's walks. Sad stands for tired. CMU here has no walk that is proud, angry or heavy; its only
# sneak is mostly a run.
CMU = {
    "neutral": [f"locomotion/35_{i:02}" for i in range(1, 17)] + [f"locomotion/69_{i:02}" for i in range(1, 6)]
    + ["styles/104_02", "styles/105_02", "styles/91_22"],
    "happy": ["actions/moods/79_69", "actions/moods/104_11", "actions/moods/104_14", "actions/moods/82_12"],
    "tired": ["actions/moods/82_10"],
    "injured": ["actions/injured/139_24", "actions/injured/77_24", "actions/injured/91_26", "styles/105_16"],
    "old": ["actions/injured/137_33"],
}
# style -> words in Bandai Namco's file names.
BANDAI = {"neutral": "normal", "happy": "active", "tired": "tired|exhausted|sad", "old": "old|elderly",
          "angry": "angry", "proud": "proud"}

NAMES = {
    "hips": ["hips", "hip", "pelvis", "root"],
    "head": ["head"],
    "neck": ["neck", "neck1"],
    "l_arm": ["leftarm", "upperarml", "leftupperarm"], "r_arm": ["rightarm", "upperarmr", "rightupperarm"],
    "l_elbow": ["leftforearm", "lowerarml", "leftlowerarm"], "r_elbow": ["rightforearm", "lowerarmr", "rightlowerarm"],
    "l_hand": ["lefthand", "handl"], "r_hand": ["righthand", "handr"],
    "l_hip": ["leftupleg", "upperlegl", "leftthigh", "leftupperleg"],
    "r_hip": ["rightupleg", "upperlegr", "rightthigh", "rightupperleg"],
    "l_knee": ["leftleg", "lowerlegl", "leftshin", "leftlowerleg"],
    "r_knee": ["rightleg", "lowerlegr", "rightshin", "rightlowerleg"],
    "l_foot": ["leftfoot", "footl"], "r_foot": ["rightfoot", "footr"],
}


def rotation(channels, values):
    """Row-major 3x3 of the rotations in the order of the channels."""
    m = (1, 0, 0, 0, 1, 0, 0, 0, 1)
    for name, degrees in zip(channels, values):
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        r = {"X": (1, 0, 0, 0, c, -s, 0, s, c), "Y": (c, 0, s, 0, 1, 0, -s, 0, c), "Z": (c, -s, 0, s, c, 0, 0, 0, 1)}[
            name[0]]
        m = tuple(sum(m[3 * i + k] * r[3 * k + j] for k in range(3)) for i in range(3) for j in range(3))
    return m


def times(a, b):
    return tuple(sum(a[3 * i + k] * b[3 * k + j] for k in range(3)) for i in range(3) for j in range(3))


def apply(m, v):
    return tuple(m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2] for i in range(3))


def read_walk(path):
    """Model-space positions of the named joints at FPS: a list of {name: (x, y, z)}, without the first frame."""
    text = path.read_text(encoding="latin-1")
    head, data = text.split("MOTION", 1)
    joints, stack, is_end = [], [], False
    for line in head.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] in ("ROOT", "JOINT"):
            joints.append({"name": words[1], "parent": stack[-1] if stack else None, "channels": [], "offset": None})
            is_end = False
        elif words[0] == "End":
            is_end = True
        elif words[0] == "{":
            stack.append(None if is_end else len(joints) - 1)
        elif words[0] == "}":
            stack.pop()
        elif words[0] == "OFFSET" and not is_end:
            joints[-1]["offset"] = tuple(map(float, words[1:4]))
        elif words[0] == "CHANNELS":
            joints[-1]["channels"] = words[2:]
    rows = data.strip().splitlines()
    step = max(1, round(1 / (FPS * float(rows[1].split(":")[1]))))
    simple = {re.sub("mixamorig|[^a-z0-9]", "", j["name"].lower()): i for i, j in enumerate(joints)}
    wanted = {}
    for key, names in NAMES.items():
        found = [simple[n] for n in names if n in simple]
        if not found:
            raise ValueError(f"{path.name}: no {key}")
        wanted[key] = found[0]
    frames = []
    for row in rows[3::step]:
        values = list(map(float, row.split()))
        at, world = 0, []
        for joint in joints:
            position, turns, angles = list(joint["offset"]), [], []
            for channel in joint["channels"]:
                if channel.endswith("position"):
                    position["XYZ".index(channel[0])] = values[at]
                else:
                    turns.append(channel), angles.append(values[at])
                at += 1
            local = rotation(turns, angles)
            if joint["parent"] is None:
                world.append((tuple(position), local))
            else:
                origin, turn = world[joint["parent"]]
                moved = apply(turn, position)
                world.append((tuple(origin[k] + moved[k] for k in range(3)), times(turn, local)))
        frames.append({key: world[i][0] for key, i in wanted.items()})
    return frames


def mean(values):
    return sum(values) / len(values)


def deviation(values):
    m = mean(values)
    return math.sqrt(mean([(v - m) ** 2 for v in values]))


def spread(values):
    ordered = sorted(values)
    return ordered[int(0.95 * (len(ordered) - 1))] - ordered[int(0.05 * (len(ordered) - 1))]


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def angle_at(a, b, c):
    u, v = sub(a, b), sub(c, b)
    cosine = sum(x * y for x, y in zip(u, v)) / max(1e-9, math.dist(a, b) * math.dist(c, b))
    return math.acos(max(-1.0, min(1.0, cosine)))


def features(frames):
    """Posture and timing of a window, lengths in leg lengths; None where it does not walk ahead."""
    leg = mean([math.dist(f["l_hip"], f["l_knee"]) + math.dist(f["l_knee"], f["l_foot"]) for f in frames])
    local = []
    for i, f in enumerate(frames):
        across = sub(f["l_hip"], f["r_hip"])
        n = math.hypot(across[0], across[2])
        x = (across[0] / n, across[2] / n)
        z = (-x[1], x[0])  # Ahead, for y up and x to the left.
        rel = {}
        for key, p in f.items():
            d = sub(p, f["hips"])
            rel[key] = ((d[0] * x[0] + d[2] * x[1]) / leg, d[1] / leg, (d[0] * z[0] + d[2] * z[1]) / leg)
        local.append((rel, z))
    n = len(frames)
    first, last = frames[0]["hips"], frames[-1]["hips"]
    travel = [math.hypot(b["hips"][0] - a["hips"][0], b["hips"][2] - a["hips"][2]) for a, b in zip(frames, frames[5:])]
    speed = mean(travel) / 5 * FPS / leg
    ahead = [sum(u * v for u, v in zip(local[i][1], (frames[i + 5]["hips"][0] - frames[i]["hips"][0],
                                                     frames[i + 5]["hips"][2] - frames[i]["hips"][2])))
             for i in range(n - 5)]
    if speed < 0.12 or mean(ahead) < 0.6 * mean(travel):
        return None
    rel = [r for r, _ in local]
    # Frequency of the stride: the first clear peak of the autocorrelation of the feet's distance.
    gap = [r["l_foot"][2] - r["r_foot"][2] for r in rel]
    m = mean(gap)
    gap = [g - m for g in gap]
    power = sum(g * g for g in gap) or 1e-9
    best, period = 0, None
    for lag in range(int(0.6 * FPS), min(int(2.4 * FPS), n - 10)):
        c = sum(gap[i] * gap[i + lag] for i in range(n - lag)) / power * n / (n - lag)
        if c > best + 0.02:
            best, period = c, lag
    hertz = FPS / period if period else 0.5
    floor = min(min(f["l_foot"][1], f["r_foot"][1]) for f in frames)
    height = [(f["hips"][1] - floor) / leg for f in frames]
    trunk = [math.atan2(r["neck"][2], r["neck"][1]) for r in rel]
    lean = [math.atan2(r["neck"][0], r["neck"][1]) for r in rel]
    poke = [math.atan2(r["head"][2] - r["neck"][2], max(1e-3, r["head"][1] - r["neck"][1])) for r in rel]
    line = math.hypot(last[0] - first[0], last[2] - first[2]) or 1e-9
    side = [((f["hips"][0] - first[0]) * (last[2] - first[2]) - (f["hips"][2] - first[2]) * (last[0] - first[0])) / line
            / leg for f in frames]
    lifts = [spread([f[k][1] / leg for f in frames]) for k in ("l_foot", "r_foot")]
    swings = [spread([r[s + "_hand"][2] - r[s + "_arm"][2] for r in rel]) for s in "lr"]
    elbows = [mean([math.pi - angle_at(r[s + "_arm"], r[s + "_elbow"], r[s + "_hand"]) for r in rel]) for s in "lr"]
    knees = [[math.pi - angle_at(r[s + "_hip"], r[s + "_knee"], r[s + "_foot"]) for r in rel] for s in "lr"]
    out = [mean([abs(r[s + "_hand"][0]) - abs(r[s + "_arm"][0]) for r in rel]) for s in "lr"]
    raised = [mean([r[s + "_hand"][1] for r in rel]) for s in "lr"]
    fronts = [mean([r[s + "_hand"][2] for r in rel]) for s in "lr"]
    low = [mean([1.0 if f[k][1] - floor < 0.06 * leg + 0.25 * (l * leg) else 0.0 for f in frames])
           for k, l in zip(("l_foot", "r_foot"), lifts)]
    return [speed, hertz * math.sqrt(leg_metres(leg)), speed / hertz, mean(height), deviation(height), deviation(side),
            mean(trunk), deviation(trunk), deviation(lean), mean(poke), mean(lifts), abs(lifts[0] - lifts[1]),
            mean(swings), abs(swings[0] - swings[1]), mean(elbows), abs(elbows[0] - elbows[1]), mean(out), mean(raised),
            mean(fronts), mean([abs(r["l_foot"][0] - r["r_foot"][0]) for r in rel]), mean(list(map(min, knees))),
            mean(list(map(max, knees))), abs(spread(knees[0]) - spread(knees[1])), abs(low[0] - low[1])]


UNIT_M = 1.0  # Metres per unit of the source; set while reading.


def leg_metres(leg):
    return leg * UNIT_M / 9.81


def windows(paths, unit_m):
    """(clip number, features) of every walking window."""
    global UNIT_M
    UNIT_M = unit_m
    result = []
    for number, path in enumerate(paths):
        frames = read_walk(path)[1:]
        width, hop = int(WINDOW_S * FPS), int(HOP_S * FPS)
        starts = range(0, max(1, len(frames) - width + 1), hop)
        for start in starts:
            part = frames[start:start + width]
            if len(part) < 2 * FPS:
                continue
            found = features(part)
            if found:
                result.append((number, found))
    return result


def solve(matrix, vector):
    n = len(vector)
    rows = [list(r) + [v] for r, v in zip(matrix, vector)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            f = rows[r][i] / rows[i][i]
            rows[r] = [a - f * b for a, b in zip(rows[r], rows[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x


class Judge:
    """A linear discriminant: centroids and one covariance, shrunk towards its diagonal."""

    def __init__(self, samples, shrink=0.5):
        by_style = collections.defaultdict(list)
        for style, _, x in samples:
            by_style[style].append(x)
        dims = len(samples[0][2])
        everything = [x for _, _, x in samples]
        self.scale = [deviation([x[k] for x in everything]) or 1.0 for k in range(dims)]
        unit = {s: [self.unit(x) for x in xs] for s, xs in by_style.items()}
        centroids = {s: [mean([x[k] for x in xs]) for k in range(dims)] for s, xs in unit.items()}
        cov = [[0.0] * dims for _ in range(dims)]
        # Every style counts alike, whatever the number of its windows.
        for style, xs in unit.items():
            for x in xs:
                d = [x[k] - centroids[style][k] for k in range(dims)]
                for i in range(dims):
                    for j in range(dims):
                        cov[i][j] += d[i] * d[j] / len(xs) / len(unit)
        for i in range(dims):
            for j in range(dims):
                cov[i][j] = cov[i][j] * (1 - shrink) if i != j else cov[i][j] + 0.05
        self.lines = {}
        for style, c in centroids.items():
            w = solve(cov, c)
            self.lines[style] = (w, -0.5 * sum(a * b for a, b in zip(w, c)))

    def unit(self, x):
        return [max(-4.0, min(4.0, v / s)) for v, s in zip(x, self.scale)]

    def scores(self, x):
        u = self.unit(x)
        return {s: sum(a * b for a, b in zip(w, u)) + bias for s, (w, bias) in self.lines.items()}


# Features that are sizes: as a share of the neutral ones.
SIZES = {0, 1, 2, 4, 5, 7, 8, 10, 12, 19}


def from_neutral(by_style):
    """(style, clip, features as difference from the mean of the neutral clips)."""
    by_style = {s: [(clip, [math.log(v + 0.01) if k in SIZES else v for k, v in enumerate(x)]) for clip, x in found]
                for s, found in by_style.items()}
    neutral = [x for _, x in by_style["neutral"]]
    middle = [mean([x[k] for x in neutral]) for k in range(len(neutral[0]))]
    return [(style, (style, clip), [a - b for a, b in zip(x, middle)]) for style, found in by_style.items()
            for clip, x in found]


def verdicts(judge, samples):
    """Per clip: the style with the largest sum over its windows."""
    sums = collections.defaultdict(collections.Counter)
    for style, clip, x in samples:
        scores = judge.scores(x)
        top = max(scores.values())
        total = sum(math.exp(v - top) for v in scores.values())
        for s, v in scores.items():
            sums[clip][s] += math.exp(v - top) / total
    return {clip: max(c, key=c.get) for clip, c in sums.items()}


def report(title, recorded, synthetic):
    styles = [s for s in recorded if recorded[s] and s in synthetic]
    recorded = from_neutral({s: recorded[s] for s in styles})
    synthetic = from_neutral({s: synthetic[s] for s in styles})
    counts = collections.Counter(s for s, _, _ in recorded)
    clips = collections.Counter(s for s, _ in {c for _, c, _ in recorded})
    print(f"{title}: " + ", ".join(f"{s} {clips[s]} clips, {counts[s]} windows" for s in styles))
    right = asked = 0
    for clip in sorted({c for _, c, _ in recorded}):
        if clips[clip[0]] < 2:
            continue  # Its style has no other clip to learn from.
        judge = Judge([s for s in recorded if s[1] != clip])
        right += verdicts(judge, [s for s in recorded if s[1] == clip])[clip] == clip[0]
        asked += 1
    print(f"  recordings, judged clip left out: {right} of {asked}")
    judge = Judge(recorded)
    table = collections.defaultdict(collections.Counter)
    for clip, said in verdicts(judge, synthetic).items():
        table[clip[0]][said] += 1
    right = sum(table[s][s] for s in styles)
    total = sum(sum(c.values()) for c in table.values())
    balanced = mean([table[s][s] / sum(table[s].values()) for s in styles])
    print(f"  synthetic: {right} of {total} right ({100 * balanced:.0f} %, chance {100 / len(styles):.0f} %)")
    print("  is \\ said " + "".join(f"{s:>9}" for s in styles))
    for s in styles:
        print(f"  {s:<9} " + "".join(f"{table[s][t]:>9}" for t in styles))
    return balanced, 1 / len(styles)


def main():
    parser = argparse.ArgumentParser(description="How well judges trained on recordings tell synthetic styles apart")
    parser.add_argument("zoe", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path, help="the folder biped of the shared data")
    parser.add_argument("--clips", type=int, default=12, help="synthetic clips of each style")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    styles = ["neutral", "tired", "sneaky", "proud", "injured", "happy", "angry", "old", "heavy"]
    synthetic = {}
    with tempfile.TemporaryDirectory() as folder:
        for style in styles:
            out = pathlib.Path(folder) / style
            subprocess.run([options.zoe, "synth", "-o", out, "--family", "biped", "--gait", "walk", "--style", style,
                            "--course", "straight", "--count", str(options.clips), "--seconds", "5", "--format", "bvh",
                            "--names", "mixamo", "--seed", str(options.seed), "-q"], check=True, stdout=sys.stderr)
            synthetic[style] = windows(sorted(out.glob("*.bvh")), 1.0)
    cmu = {s: windows([options.data / "cmu" / (n + ".bvh") for n in names], 0.056444) for s, names in CMU.items()}
    report("CMU", cmu, synthetic)
    files = [p for d in ("bandai_style", "bandai_namco/dataset1", "bandai_namco/dataset2")
             for p in sorted((options.data / d).glob("*.bvh"))]
    bandai = {s: windows([p for p in files if re.search(f"_walk_({words})_", p.name)], 0.01)
              for s, words in BANDAI.items()}
    report("Bandai Namco", bandai, synthetic)
    # The synthetic styles by themselves: trained on half of the bodies, asked about the others.
    halves = [{s: [w for w in found if w[0] % 2 == h] for s, found in synthetic.items()} for h in (0, 1)]
    report("synthetic, other bodies", halves[0], halves[1])


if __name__ == "__main__":
    main()

// SPDX-License-Identifier: MIT
// README.md of an exported folder.
#include <fmt/format.h>

#include "author/engine/describe.h"

namespace zoe::author {
namespace {

constexpr const char* kHead = R"(# A controller of type '{}'

Written by `zoe export RUN FOLDER --for-engine`.

| file | holds |
|---|---|
| `network.onnx` | the network, float32, opset 15, normalisation inside. Inputs and outputs are [batch, columns] |
| `columns.json` | every column: name, joint, space, unit, mean, deviation, limits; and the channels of columns |
| `body.json` | joints, rest and start pose, contact joints, legs |
| `constants.json` | rate, springs, half-lives, blending weights, limits |
| `steps.json` | 60 steps to compare with: intent in; network input `x` and output `y`, root, contacts and poses out |

`steps.json` has three poses. `pose` is the model's, which the next step reads. `smoothed` is after the pose filter.
`displayed` is after filter and foot locking. The step below computes the first two. Foot locking is inverse kinematics
of two bones, which engines have: hold ankle and ball at their positions while their contact is above 0.5, with the
times of `constants.json`, `foot_lock`.

This is the step of the model alone. Not part of it: standing (hold the last pose while no motion is desired),
uneven ground, other proportions, restarts after a failure, and a character that is stuck (slower than 15 % of the
desired speed for 1 s), whose weight of the own trajectory is 0 until it moves.

)";

constexpr const char* kStep = R"(## Spaces and units

Metres, seconds, radians. Right-handed, Y up. Local transforms are relative to the parent joint; those of joint -1 are
in the model's space. The *root* is a point on the ground, (x, z), with a facing: 0 looks along +Z and grows towards +X.
Seen from a root with facing f, a ground vector (x, z) is (cos f x - sin f z, sin f x + cos f z).

## One step, `rate_hz` times a second

Names in `backticks` are in `constants.json`. `approach(v, goal, h, dt)` is goal + (v - goal) 2^(-dt / h). A spring with
half-life h has the rate w = 1.67834699 / h and the exact solution goal + (a + b t) exp(-w t), a = v - goal,
b = v' + a w.

At the start: root and led root at the origin, pose = start pose, contacts 1, phases 0, labels the usual ones, `behind`
0, and one row of history.

```
1. way = springs from the root towards the intent, at `trajectory.times_s`:
     velocity by `velocity_half_life_s` (position is its integral), facing by `facing_half_life_s`, at most
     `max_turn_speed_rad_s`; in pieces of `piece_s`, each with the intent at its middle.
     Springs of velocity go to the intent within reach (here and in 4): seen from the facing of the piece's beginning,
       speed = |velocity|, back = min(`back_mps`, speed), arc = 0 where `turning_mps` is 0, else min(turn / 1 rad, 1) *
       max(cosine of velocity and desired facing, 0), turn = angle to the desired facing;
       forward at least -back + (min(`turning_mps`, speed) + back) arc, side within +-`side_mps`. 100: no limit.
     The facing of an intent without one is that of its velocity; below `least_speed_with_facing_mps` there is none.
   Blend point i of n with the own way of the last output (after the first step): weight own_way_now at i = 0, linear to
     own_way_far at i = n - 1. Positions, facings (shorter turn) and velocities. Point 0 is the root itself.
   labels ahead: approach(label, desired, `labels.half_life_s`, time). No label desired: the usual ones.

2. x = channels of `columns.json` in order; in a channel by time, then by joint, then by part:
     joint        now: positions, axes and velocities (difference of a step), seen from the root
     root         frame < 0: history (before its begin: the oldest row); frame >= 0: the way. Positions relative to the
                  root, directions (sin, cos of the facing), velocities, all seen from the root; speed: their length
     phase_local  history of the feet's phases
     signal phase history; ahead: the phases predicted last, linear between `phase.signal_times_s`
   Limit every column to [low, high].

3. y = network(x), and phase where it is an input. Limit every column.

4. root: step = root_delta times its factors `metres`, `radians`; velocity = step / dt.
     moved = root + step turned by the facing; facing += turn
     led = led root, advanced by the springs towards the intent at time 0
     pull to led: way - approach(way, 0, `correction.position_half_life_s`, dt), at most `share` * dt *
       max(speed, min(speed of led before, `shifted_mps`)); the facing likewise, at most `share` of the own turn
     led is held within `lead.max_distance_m` and `lead.max_turn_rad` of the result
     leash: led speed at most max(run, pace); fastest = max(led speed, own speed, pace);
       behind = approach(behind, 0, `forget_half_life_s`, dt) + (led - own velocity) dt
       tight = clamp((|behind| / fastest - `slack_s`) / (`full_s` - `slack_s`), 0, 1)
       pull = (behind - approach(behind, 0, `pull_half_life_s`, dt)) tight, at most fastest dt
       root += pull, behind -= pull
     The root's velocity and turn speed are the model's own, its acceleration is 0.

5. pose: every decoded joint has a position and the axes z and y, seen from the new root. Orthogonalise: z, then x from
     y cross z, then y. Local rotation = inverse(parent's) * it, with the sign nearest to the last one. Joints with
     `takes_position` take their position too. Other joints keep their bone (decoded) or the start pose.
   contacts = clamp(contact, 0, 1)
   own way = channel root, from the new root
   phase_local: the feet's phases. phase_delta: phase += clamp(delta, 0, `most_hz` dt), modulo 1.
   signal: each phase (sin, cos) turns by 2 pi frequency dt, then by `stability` of the angle to the predicted phase;
     its length is the predicted amplitude. A phase shorter than `silent` takes the prediction.
   labels = approach(label, desired, `labels.half_life_s`, dt). Add a row to the history.

6. drawn: per joint, guess = turn * last drawn; left = rotation vector from guess to the pose;
     turn += left * (2 (2 - f) - 4 sqrt(1 - f)); drawn = rotation(f left) * guess, f = `pose_filter.follow`.
     The first pose passes unchanged. Where `pose_filter.body_follow` is above 0, it is the f of all joints but those
     of a leg, from its hip down, and the position of joint 0 in the root's space is drawn by the same rule.
```

)";

constexpr const char* kSequence = R"(### Sequences

This type predicts `last_frame` frames at a time, every `interval` steps. Where a prediction is due (also in the first
step), 1 to 3 run first: the own way is then the rest of the last sequence's root steps, its last one repeated, and the
network gives frames from `first_frame` on. The played frame is the linear blend of the last sequence (continued, its
end repeated) and the new one with the weight age / `interval`, at most 1, age counted from 1. Steps 4 to 6 take that
frame. Before the first prediction both sequences are `standing_frame`.

)";

constexpr const char* kAxes = R"(## Axes of other engines

| | here | Unity | Unreal |
|---|---|---|---|
| handedness, up, forward, right | right, +Y, +Z, -X | left, +Y, +Z, +X | left, +Z, +X, +Y |
| unit | m | m | cm |
| position (x, y, z) | (x, y, z) | (-x, y, z) | 100 (z, -x, y) |
| quaternion (x, y, z, w) | (x, y, z, w) | (x, -y, -z, w) | (-z, x, -y, w) |
| facing | f | yaw -f (degrees) | yaw -f (degrees) |

Compute the step in the axes here, and convert its results: local transforms of all joints convert by the same rule, as
long as the skeleton in the engine was imported by it too. The root becomes the actor's position and yaw.
)";

}  // namespace

const char* axes_text() { return kAxes; }

std::string step_text(const control::NeuralParts& parts) {
  return fmt::format(fmt::runtime(kHead), parts.type) + kStep + (parts.type == "cxm" ? kSequence : "") + kAxes;
}

}  // namespace zoe::author

// SPDX-License-Identifier: MIT
// README.md of an exported folder of learned matching.
#include "author/engine/describe.h"

namespace zoe::author {
namespace {

constexpr const char* kMatching = R"(# A controller of type 'lmm'

Written by `zoe export RUN FOLDER --for-engine`. Learned motion matching (Holden et al., 2020): three networks in place
of a database of motion. A *state* s is a frame of it: normalised features, then a code.

| file | holds |
|---|---|
| `stepper.onnx` | s to the s of the next frame |
| `decompressor.onnx` | s to root step, pose and contacts |
| `projector.onnx` | query (features) to the s of the nearest frame |
| `columns.json` | inputs: the features, with mean and deviation by which s has them; outputs: the decompressor's |
| `body.json` | joints, rest pose, contact joints, legs |
| `constants.json` | rate, springs, search, switches, warping, the first state |
| `steps.json` | 60 steps to compare with: intent in; state, query of a search, root, contacts and poses out |

`pose` is the pose of the step below, `displayed` the same after foot locking: inverse kinematics of two bones, which
engines have. Not part of it: standing, uneven ground, other proportions, restarts after a failure.

## Spaces and units

Metres, seconds, radians. Right-handed, Y up. Local transforms are relative to the parent joint; those of joint -1 are
in the model's space. The *root* is a point on the ground, (x, z), with a facing: 0 looks along +Z and grows towards +X.
Seen from a root with facing f, a ground vector (x, z) is (cos f x - sin f z, sin f x + cos f z).

## One step, `rate_hz` times a second

Names in `backticks` are in `constants.json`. `approach(v, goal, h, dt)` is goal + (v - goal) 2^(-dt / h). Springs: the
velocity has the rate w = 1.67834699 / half-life and the solution goal + (a + b t) exp(-w t), a = v - goal,
b = v' + a w; its position is the integral. Facings likewise, at most `max_turn_speed_rad_s`.

At the start: root and led root at the origin, s = `start_state`, pose = decompressor(s) on the rest pose, way ahead all
at the origin, left velocity 0, no blend.

```
1. s = stepper(s); y = decompressor(s)

2. step = root_delta of y times its factors. Creep: factor of the translation = clamp((speed - none_mps) /
     (all_mps - none_mps), 0, 1); of the turn = clamp((turn speed - none_rad_s) / (all_rad_s - none_rad_s), that, 1)
   left = approach(left, 0, `switch.root_half_life_s`, dt), its turn likewise
   velocity = step / dt + left, turn = step's turn / dt + left turn: the own velocity, in the root's axes
   warp (s has the features `position_column`, `direction_column` at `time_s`, denormalised: the played way):
     wanted = way ahead of the last step at `time_s`, seen from the root; both ways at least `least_m` long:
     velocity *= clamp(|wanted| / |played|, 1 - stretch, 1 + stretch)
     turn += min(|played| / time_s / full_mps, 1) * clamp((wanted turn - played turn) / time_s, +- bend_rad_s)
   root moves by velocity dt (turned by its facing) and turn dt
   led = led root, advanced by the springs towards the intent at time 0
   pull of the root to led: way - approach(way, 0, `correction.position_half_life_s`, dt), at most `share` * dt * own
     speed; the facing likewise, at most `share` of the own turn. Own: before the warp.
   led is held within `lead.max_distance_m` and `lead.max_turn_rad` of the result
   way ahead = springs from led towards the intent, at `trajectory.times_s`, in pieces of `piece_s`, each with the
     intent at its middle

3. Search, every `interval_s` (first after that time), or where the desired velocity or facing is `sudden_velocity_mps`
   or `sudden_facing_rad` from that of the last search (velocity 0, facing 0 at the start):
     query = features of s; columns of the root's channels from the way ahead, seen from the root, normalised
     found = projector(query); cost(a) = sum of (query - a)^2 over the features
     where cost(found) + `transition_cost` < cost(s): switch
       s = found; y = decompressor(found); next = root_delta of decompressor(stepper(found))
       left = own velocity - next / dt, left turn likewise
       blend starts from the last pose and its velocity (difference to the pose before, in the root's space)

4. pose (in the root's space) from y: every decoded joint has a position and the axes z and y. Orthogonalise: z, then x
     from y cross z, then y. Local rotation = inverse(parent's) * it. Joints with `takes_position` take their position
     too. Other joints keep their bone (decoded) or the rest pose.
   blend, for `blend_s` after a switch, t = time since / blend_s, w = 3 t^2 - 2 t^3:
     worth = h / ln 2 * (1 - 2^(-time / h)), h = `blend_half_life_s`
     old translation = that of the switch + its velocity * worth; old rotation likewise
     translation = lerp(old, new, w); rotation = (new * inverse(old))^w * old, the turn from old to new keeping its sign
   joints without a parent: moved and turned by the root
   contacts = 1 where the contact column is at least 0.5, else 0
```

)";

}  // namespace

std::string matching_text() { return std::string(kMatching) + axes_text(); }

}  // namespace zoe::author

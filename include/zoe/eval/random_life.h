// SPDX-License-Identifier: MIT
// Part of Zoetrope. Everything that can happen to a character, at random: sticks, goals at any height, stands, labels,
// lifts, restarts, grounds, ticks of any length. For long runs and tests.
#pragma once

#include <vector>

#include "zoe/control/controller.h"
#include "zoe/core/random.h"

namespace zoe::eval {

GroundPtr hills();
// None, flat, hills, a ramp, steps.
const std::vector<GroundPtr>& some_grounds();

// Goals are within reach_m of the origin.
control::Intent random_intent(Random& random, float reach_m = 12);
double random_dt_s(Random& random);
// Numbers that no caller should send: not finite, enormous, times that fall, counts out of range.
control::Intent absurd_intent(Random& random);

// Something that is done to a character between two ticks, mostly nothing: a lift, a restart, another ground.
void disturb(const control::Controller& controller, control::ControllerState& state, Random& random);

}  // namespace zoe::eval

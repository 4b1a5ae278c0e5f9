// SPDX-License-Identifier: MIT
// Part of Zoetrope. Strikes by what a body has: an arm, head, forelegs, tail, wings, or the whole body.
#pragma once

#include <vector>

#include "zoe/author/alive.h"
#include "zoe/control/gait_posture.h"
#include "zoe/core/random.h"

namespace zoe::author {

enum class Weapon : std::uint8_t { kArm, kBite, kForeleg, kTail, kWings, kCoil, kLunge };

// What this body can strike with, the likeliest first. Never empty.
std::vector<Weapon> weapons_of(const Alive& alive);

// One strike. Numbers are drawn once.
struct Strike {
  Weapon weapon = Weapon::kLunge;
  int way = 0;        // Of an arm: 0 from above, 1 from the side, 2 a thrust.
  float side = 1;     // 1: left, -1: right.
  float power = 1;    // Of all amplitudes, about 1.
  float aim_rad = 0;  // Heading of the target.
  float upright = 0;  // front_rise()
  float down = 1;     // Of what turns head and trunk towards the ground. 0: the strike goes straight ahead.
};
// The ground is in the way: less towards it first, then less of everything, down to half.
void weaken(Strike& strike);
Strike draw_strike(const std::vector<Weapon>& weapons, int number, float upright, Random& random);

// 0 to 1: how far the head is above the trunk rather than before it.
float front_rise(const Alive& alive);

// The parts of a strike as fractions of its time: winding up, striking, holding, recovering. Arms and wings go far and
// take longer than heads.
constexpr float kWound = 0.36F, kStruckFar = 0.66F, kStruckNear = 0.53F, kHold = 0.08F;

// Adds the strike to a posture with entries for all parts and legs. t: 0 to 1; nothing is added at either end.
void add_strike(const Alive& alive, const Strike& strike, float t, control::GaitPosture& posture,
                control::GaitRhythm& rhythm);

}  // namespace zoe::author

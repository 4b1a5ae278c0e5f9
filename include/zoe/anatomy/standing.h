// SPDX-License-Identifier: MIT
// Part of Zoetrope. How a foot stands: which of its parts carries it, and at which height.
#pragma once

#include <cstdint>
#include <span>

#include "zoe/math/vec.h"

namespace zoe::anatomy {

// How much each part carries a foot, summing to one; `heights` above where each stands, `near_ground` the height from
// which on a part no longer carries. Relative to the lowest part: a foot that hovers is carried by it all the same.
void carrying_weights(std::span<const float> heights, float near_ground, std::span<float> weights);

// Height of a part when the foot stands: the lower quarter of the frames in which it touches, as heels and toes take
// turns in being up; `otherwise` where it never does.
float standing_height(std::span<const Vec3> part, std::span<const std::uint8_t> touching, Vec3 up, float otherwise);

}  // namespace zoe::anatomy

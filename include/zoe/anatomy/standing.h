// SPDX-License-Identifier: MIT
// Part of Zoetrope. Contact of a foot: the part that carries it, and its contact height.
#pragma once

#include <cstdint>
#include <span>

#include "zoe/math/vec.h"

namespace zoe::anatomy {

// How much each part carries a foot, summing to one. `heights` are above the contact heights; from `near_ground` on a
// part no longer carries. Relative to the lowest part: it also carries a foot that hovers.
void carrying_weights(std::span<const float> heights, float near_ground, std::span<float> weights);

// Contact height of a part: the lower quarter of the frames in which it touches, because heels and toes alternate;
// `otherwise` where it never touches.
float standing_height(std::span<const Vec3> part, std::span<const std::uint8_t> touching, Vec3 up, float otherwise);

}  // namespace zoe::anatomy

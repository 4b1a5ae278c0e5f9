// SPDX-License-Identifier: MIT
// Part of Zoetrope. Checks of long arrays, at the speed of memory.
#pragma once

#include <span>

#include "zoe/math/quat.h"
#include "zoe/math/vec.h"

namespace zoe {

// No infinity and no NaN.
bool all_finite(std::span<const float> numbers);
bool all_finite(std::span<const Vec3> values);

// Every |q|² within `tolerance` of one; a NaN is not.
bool all_unit(std::span<const Quat> rotations, float tolerance);

}  // namespace zoe

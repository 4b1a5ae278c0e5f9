// SPDX-License-Identifier: MIT
// Part of Zoetrope. The inner loops of sampling and blending, dispatched at run time where Highway is available.
#pragma once

#include <span>

#include "zoe/math/quat.h"

namespace zoe {

// out = a + (b - a) * t. Equal lengths; out may be a or b.
void lerp_floats(std::span<const float> a, std::span<const float> b, float t, std::span<float> out) noexcept;

// out = normalised a + (±b - a) * t along the shorter arc. Equal lengths; out may be a or b. Unit inputs.
void nlerp_quats(std::span<const Quat> a, std::span<const Quat> b, float t, std::span<Quat> out) noexcept;

// The plain loops, for tests and as the benchmark's peer.
void lerp_floats_scalar(std::span<const float> a, std::span<const float> b, float t, std::span<float> out) noexcept;
void nlerp_quats_scalar(std::span<const Quat> a, std::span<const Quat> b, float t, std::span<Quat> out) noexcept;

}  // namespace zoe

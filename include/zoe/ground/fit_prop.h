// SPDX-License-Identifier: MIT
// Part of Zoetrope. Props out of the meshes of furniture: the seat's surface, its front, solid parts.
#pragma once

#include <cstdint>
#include <span>

#include "zoe/core/result.h"
#include "zoe/ground/prop.h"

namespace zoe {

// A seat: the largest level surface between 0.2 and 0.7 m above the lowest point. Its front is opposite to what rises
// above it; without a backrest it is +Z. Positions in metres, Y up, three indices per triangle. Fails on indices out of
// range, on positions that are not finite, and where no surface is a seat (the error says what was found).
Result<Prop> fit_seat(std::span<const Vec3> positions, std::span<const std::uint32_t> indices);
// The bounds as one solid. Fails on positions that are not finite and on no size.
Result<Prop> fit_box(std::span<const Vec3> positions, float mass_kg);

}  // namespace zoe

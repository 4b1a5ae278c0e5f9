// SPDX-License-Identifier: MIT
// Part of Zoetrope. The functions of quat.h that need trigonometry, with the same bits on every machine: see
// portable.h.
#pragma once

#include "zoe/math/portable.h"
#include "zoe/math/quat.h"

namespace zoe {

// As from_axis_angle(), to_rotation_vector() and from_rotation_vector().
Quat portable_from_axis_angle(Vec3 axis, float angle_rad) noexcept;
Vec3 portable_to_rotation_vector(Quat q) noexcept;
Quat portable_from_rotation_vector(Vec3 v) noexcept;

}  // namespace zoe

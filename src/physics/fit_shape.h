// SPDX-License-Identifier: MIT
// Part of Zoetrope. Capsules and boxes for bones, from points of the skin or from bone lengths.
#pragma once

#include <optional>

#include "zoe/physics/body_plan.h"

namespace zoe::physics {

// Capsule of points on a surface around `axis` (unit): segment between the ends of the points, radius the root mean
// square distance. Points lie in the bone's frame. At least 3 points.
BoneShape fit_capsule(std::span<const Vec3d> points, Vec3d axis);
// Direction of the largest extent.
Vec3d main_axis(std::span<const Vec3d> points);
// Box with given axes (bone_from_box) around the points, without the outermost hundredth on each side.
BoneShape fit_box(std::span<const Vec3d> points, Quatd bone_from_box);

// [bones] points of the skin that move with each bone in the reference pose, bone frame, metres. Rigid meshes count.
std::vector<std::vector<Vec3d>> skin_points(const Character& character, std::span<const Affine> model_from_joint,
                                            std::span<const int> bone_of_joint, std::span<const Quatd> rotations,
                                            std::span<const Vec3d> origins_m, double metres_per_unit);

}  // namespace zoe::physics

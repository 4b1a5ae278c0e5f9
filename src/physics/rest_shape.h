// SPDX-License-Identifier: MIT
// Part of Zoetrope. The plan while it is made, and shapes for bones.
#pragma once

#include "physics/select_bones.h"

namespace zoe::physics {

// The reference pose in metres, and what shapes are derived from.
struct PlanFrame {
  SelectedBones bones;
  std::vector<Quatd> rotations;  // [bones] model_from_bone.
  std::vector<Vec3d> origins_m;  // [bones]
  std::vector<Vec3d> joints_m;   // [skeleton joints] positions in the model.
  double height_m = 0, ground_m = 0;
  double trunk_radius_m = 0;
};

// Shape of one bone. points: of the skin, bone frame; fewer than 12 count as none.
BoneShape shape_of_bone(const BodySource& source, const PlanFrame& frame, std::size_t bone,
                        std::span<const Vec3d> points);

// Pairs of bones whose shapes overlap in one of the poses. rotations, origins_m: [poses × bones].
std::vector<std::pair<int, int>> overlapping_bones(const BodyPlan& plan, std::span<const Quatd> rotations,
                                                   std::span<const Vec3d> origins_m);

}  // namespace zoe::physics

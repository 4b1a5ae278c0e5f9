// SPDX-License-Identifier: MIT
// Part of Zoetrope. Mean displacement of the points at the skin per small error of each lane, over a clip.
#pragma once

#include <span>
#include <vector>

#include "motion/compressed/clip_header.h"

namespace zoe {

// Symmetric 3×3.
struct Matrix3 {
  double m[3][3] = {};
};

struct Sensitivity {
  std::vector<Matrix3> rotations;  // [rotation tracks] Expected squared displacement per squared error of lanes (a, b).
  std::vector<double> scalars;     // [scalar tracks]; 1 for morph weights.
};

// joint_weights: weight of each joint's error.
Sensitivity measure_sensitivity(const Motion& motion, const ClipHeader& header, double shell_distance_m,
                                std::span<const double> joint_weights);

// Orthonormal axes in which the matrix is diagonal.
std::array<Vec3d, 3> diagonalising_axes(const Matrix3& matrix);

}  // namespace zoe

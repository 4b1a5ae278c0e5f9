// SPDX-License-Identifier: MIT
// Part of Zoetrope. Velocities and accelerations of a clip's joints.
#pragma once

#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe {

struct DerivativeOptions {
  enum class Space : unsigned char {
    kParent,  // Relative to the parent and in its axes, as the local pose.
    kModel,   // Of the joint in the model, in model axes.
  } space = Space::kModel;
  // A polynomial of this degree is fitted to `window` frames around each one (Savitzky-Golay), off-centre at the ends.
  // The default is the second-order central difference, one-sided at the ends; 7 or 9 frames smooth captured noise.
  int window = 3;  // Odd, >= 3.
  int degree = 2;  // 2 to 4, below window.
};

// Each [frames × joints], layout of Motion. Rotations are differentiated through the log map about each frame, so
// nothing depends on quaternion signs or wraps.
struct MotionDerivatives {
  std::vector<Vec3> linear_velocity;       // m/s
  std::vector<Vec3> linear_acceleration;   // m/s²
  std::vector<Vec3> angular_velocity;      // rad/s, in the axes of the space (not of the joint).
  std::vector<Vec3> angular_acceleration;  // rad/s²
};

// A clip of one frame has zero derivatives. A window longer than the clip is cut to the clip, and the degree is reduced
// with it.
Result<MotionDerivatives> differentiate(const Motion& motion, const DerivativeOptions& options = {});

}  // namespace zoe

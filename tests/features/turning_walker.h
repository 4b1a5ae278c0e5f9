// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A stiff figure that goes round in a circle: everything about it can be computed by hand.
#pragma once

#include <cmath>

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/motion.h"

namespace zoe::test {

// Joints: hips, two legs of hip and foot, a head. Faces +Z at rest, left is +X.
inline SkeletonPtr walker_skeleton() {
  return Skeleton::create({{"Hips", kNoJoint, {{0, 1, 0}}},
                           {"LeftUpLeg", 0, {{0.1F, 0, 0}}},
                           {"LeftFoot", 1, {{0, -0.9F, 0.05F}}},
                           {"RightUpLeg", 0, {{-0.1F, 0, 0}}},
                           {"RightFoot", 3, {{0, -0.9F, 0.05F}}},
                           {"Head", 0, {{0, 0.6F, 0}}}})
      .value();
}

// Written by hand, so that tests of features do not depend on how well joints are found.
inline SkeletonAnalysis walker_analysis() {
  SkeletonAnalysis a;
  a.family = BodyFamily::kBiped;
  a.root = a.hips = 0;
  a.head = 5;
  a.spine = {0};
  a.limbs = {{LimbKind::kLeg, Side::kLeft, {1, 2}}, {LimbKind::kLeg, Side::kRight, {3, 4}}};
  a.feet = {2, 4};
  a.pairs = {{1, 3}, {2, 4}};
  return a;
}

struct Circle {
  double radius_m = 2, turn_rad_s = 0.5, fps = 60;

  // Starts at the origin, faces +Z, turns towards +X (facing grows).
  double facing(double t) const { return turn_rad_s * t; }
  double x(double t) const { return radius_m * (1 - std::cos(turn_rad_s * t)); }
  double z(double t) const { return radius_m * std::sin(turn_rad_s * t); }
};

inline Motion circling(const Circle& circle, int num_frames) {
  Motion motion = make_motion(walker_skeleton(), "circle", circle.fps, num_frames, false);
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  for (int f = 0; f < num_frames; ++f) {
    const double t = f / circle.fps;
    const std::size_t at = static_cast<std::size_t>(f) * joints;
    motion.translations[at] = {static_cast<float>(circle.x(t)), 1, static_cast<float>(circle.z(t))};
    motion.rotations[at] = from_axis_angle(Vec3{0, 1, 0}, static_cast<float>(circle.facing(t)));
  }
  return motion;
}

}  // namespace zoe::test

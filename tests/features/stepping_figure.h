// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A figure with arms that walks straight ahead, its feet stepping in
// turn: contacts, phases and trajectories are known in closed form.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/motion.h"

namespace zoe::test {

enum FigureJoint : int {
  kHips,
  kLeftLeg,
  kLeftFoot,
  kLeftToe,
  kRightLeg,
  kRightFoot,
  kRightToe,
  kHead,
  kLeftArm,
  kLeftHand,
  kRightArm,
  kRightHand
};
constexpr int kFigureJoints = 12;

// With as many joints beside as are wanted; they hang on the hips. Faces +Z, left is +X.
inline SkeletonPtr figure_skeleton(int num_joints = kFigureJoints) {
  std::vector<JointDesc> joints{{"Hips", kNoJoint, {{0, 1, 0}}},
                                {"LeftUpLeg", kHips, {{0.1F, 0, 0}}},
                                {"LeftFoot", kLeftLeg, {{0, -0.9F, 0}}},
                                {"LeftToe", kLeftFoot, {{0, -0.05F, 0.15F}}},
                                {"RightUpLeg", kHips, {{-0.1F, 0, 0}}},
                                {"RightFoot", kRightLeg, {{0, -0.9F, 0}}},
                                {"RightToe", kRightFoot, {{0, -0.05F, 0.15F}}},
                                {"Head", kHips, {{0, 0.6F, 0.1F}}},
                                {"LeftArm", kHips, {{0.2F, 0.4F, 0}}},
                                {"LeftHand", kLeftArm, {{0.5F, 0, 0}}},
                                {"RightArm", kHips, {{-0.2F, 0.4F, 0}}},
                                {"RightHand", kRightArm, {{-0.5F, 0, 0}}}};
  for (int i = kFigureJoints; i < num_joints; ++i)
    joints.push_back({"Beside" + std::to_string(i), kHips, {{0, 0.01F * static_cast<float>(i), 0}}});
  return Skeleton::create(std::move(joints)).value();
}

// Written by hand, so that tests of features do not depend on how well joints are found.
inline SkeletonAnalysis figure_analysis() {
  SkeletonAnalysis a;
  a.family = BodyFamily::kBiped;
  a.root = a.hips = kHips;
  a.head = kHead;
  a.spine = {kHips};
  a.limbs = {{LimbKind::kLeg, Side::kLeft, {kLeftLeg, kLeftFoot, kLeftToe}},
             {LimbKind::kLeg, Side::kRight, {kRightLeg, kRightFoot, kRightToe}},
             {LimbKind::kArm, Side::kLeft, {kLeftArm, kLeftHand}},
             {LimbKind::kArm, Side::kRight, {kRightArm, kRightHand}}};
  a.feet = {kLeftFoot, kRightFoot};
  a.hands = {kLeftHand, kRightHand};
  for (const auto& [left, right] : {std::pair{kLeftLeg, kRightLeg},
                                    {kLeftFoot, kRightFoot},
                                    {kLeftToe, kRightToe},
                                    {kLeftArm, kRightArm},
                                    {kLeftHand, kRightHand}})
    a.pairs.push_back({left, right});
  return a;
}

struct Walk {
  double speed_m_s = 1.2, period_s = 0.6, fps = 60;

  // Where a foot is along the way: still in the first half of its cycle, twice as fast as the body
  // in the second.
  double foot_z(double t, bool left) const {
    const double cycle = t / period_s + (left ? 0 : 0.5), step = speed_m_s * period_s;
    return step * (std::floor(cycle) + std::clamp(2 * (cycle - std::floor(cycle)) - 1, 0.0, 1.0) - (left ? 0.0 : 0.5));
  }
  double z(double t) const { return speed_m_s * t; }
};

// Along +Z from the origin. Hands rise by 0.3 m/s.
inline Motion walking(const Walk& walk, int num_frames, int num_joints = kFigureJoints) {
  Motion motion = make_motion(figure_skeleton(num_joints), "walk", walk.fps, num_frames, false);
  for (int f = 0; f < num_frames; ++f) {
    const double t = f / walk.fps;
    Vec3* pose = &motion.translations[static_cast<std::size_t>(f) * static_cast<std::size_t>(motion.num_joints())];
    pose[kHips].z = static_cast<float>(walk.z(t));
    pose[kLeftFoot].z = static_cast<float>(walk.foot_z(t, true) - walk.z(t));
    pose[kRightFoot].z = static_cast<float>(walk.foot_z(t, false) - walk.z(t));
    pose[kLeftHand].y = pose[kRightHand].y = static_cast<float>(0.3 * t);
  }
  return motion;
}

// The whole clip turned about the origin and moved.
inline void place(Motion& motion, float facing_rad, Vec3 offset) {
  const Quat turn = from_axis_angle(Vec3{0, 1, 0}, facing_rad);
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  for (std::size_t f = 0; f < static_cast<std::size_t>(motion.num_frames); ++f) {
    motion.translations[f * joints] = rotate(turn, motion.translations[f * joints]) + offset;
    motion.rotations[f * joints] = turn * motion.rotations[f * joints];
  }
}

}  // namespace zoe::test

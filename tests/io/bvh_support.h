// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Short ways to read BVH text and to ask where joints are.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/character/pose.h"
#include "zoe/core/file.h"
#include "zoe/io/bvh.h"

namespace zoe::test {

inline Result<io::Asset> read_text(std::string_view text, const io::BvhReadOptions& options = {}) {
  return io::read_bvh(as_bytes(text), "test.bvh", options);
}

// model_from_joint of one frame.
inline std::vector<Affine> model_pose(const Motion& motion, int frame) {
  std::vector<Affine> out(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(frame), out);
  return out;
}

// Longest side of the box around all joints of a pose.
inline float span_of(const std::vector<Affine>& pose) {
  Vec3 low = pose[0].t, high = pose[0].t;
  for (const Affine& joint : pose) {
    low = {std::min(low.x, joint.t.x), std::min(low.y, joint.t.y), std::min(low.z, joint.t.z)};
    high = {std::max(high.x, joint.t.x), std::max(high.y, joint.t.y), std::max(high.z, joint.t.z)};
  }
  const Vec3 size = high - low;
  return std::max({size.x, size.y, size.z});
}

// Neighbours of every rotation track have dot >= 0.
inline bool is_continuous(const Motion& motion) {
  const auto n = static_cast<std::size_t>(motion.num_joints());
  for (std::size_t i = n; i < motion.rotations.size(); ++i) {
    if (dot(motion.rotations[i - n], motion.rotations[i]) < 0) return false;
  }
  return true;
}

inline bool has_warning(const io::Asset& asset, std::string_view part) {
  return std::any_of(asset.warnings.begin(), asset.warnings.end(),
                     [&](const Warning& warning) { return warning.format().find(part) != std::string::npos; });
}

}  // namespace zoe::test

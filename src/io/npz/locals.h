// SPDX-License-Identifier: MIT
// Part of Zoetrope. From global joint tracks to parent-relative ones.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/motion/motion.h"

namespace zoe::io::npz {

// Content of an archive, joints in the file's order. Spans are owned elsewhere.
struct GlobalMotion {
  std::size_t num_frames = 0;
  std::vector<std::string> names;
  std::vector<int> parents;            // Any order; -1 for roots.
  std::span<const float> positions;    // [frames, joints, 3]
  std::span<const float> quaternions;  // [frames, joints, 4], x y z w
  std::span<const float> scales;       // [frames, joints, 3] parent-relative, or empty.
};

// Sorts parents before children (keeps the file's order where possible), estimates a rest pose, and computes the local
// tracks. Positions are multiplied by `scale`. Fails on cycles, and on numbers that are not finite.
Result<Motion> make_local_motion(const GlobalMotion& globals, double scale);

}  // namespace zoe::io::npz

// SPDX-License-Identifier: MIT
// Part of Zoetrope. Searches variations of a clip's targets that keep a body without assist upright.
#pragma once

#include <algorithm>

#include "zoe/motion/motion.h"
#include "zoe/physics/body_model.h"

namespace zoe::physics {

// Changes of the targets, constant within windows.
struct SearchedTargets {
  int window_frames = 1;
  std::size_t num_bones = 0;
  std::vector<Vec3d> values;  // [windows × bones] rotation vectors; empty: no change.

  std::span<const Vec3d> offsets(int frame) const {
    if (values.empty() || frame < 1) return {};
    const std::size_t window =
        std::min(static_cast<std::size_t>((frame - 1) / window_frames), values.size() / num_bones - 1);
    return std::span(values).subspan(window * num_bones, num_bones);
  }
};

struct SearchOptions {
  int num_samples = 0;  // Per window.
  std::uint64_t seed = 1;
  double assist_n = 0;
};

// targets: at the tick rate. The result depends on the seed only.
SearchedTargets search_targets(const BodyModelPtr& model, const Motion& targets, double ground_y_m,
                               const SearchOptions& options);

}  // namespace zoe::physics

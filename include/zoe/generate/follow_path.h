// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip along another path, without a network: each frame is carried from the clip's own path to the
// same distance along the new one, and feet are planted again. Poses stay; only the root and the legs change.
#pragma once

#include <optional>
#include <span>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe::generate {

struct FollowOptions {
  // Corners of the path are rounded over this distance to either side, in sizes of the body.
  double rounding = 0.3;
  bool plant_feet = true;
  // Added to the clip in the direction that the body faces at rest: for clips on the spot without feet (snakes, fish).
  // Empty: clips on the spot travel as fast as their feet push back.
  std::optional<double> speed_m_s;
  double max_s = 600;  // Cycles repeat until the path ends, at most for this time.
};

struct FollowedPath {
  Motion motion;
  double own_m = 0;      // Distance that the clip travels; on the spot: that its feet push back.
  double path_m = 0;     // Length of the path.
  double covered_m = 0;  // Of the path.
  int copies = 1;        // Of a cycle.
  bool was_in_place = false, cut = false;
  double mean_error_m = 0, max_error_m = 0;  // Distance of the root from the path, smoothed as the clip's own root.
  double skate_m_s = 0, own_skate_m_s = 0;   // Of feet in contact; of the clip before.
  double jump_ratio = 0;                     // Usual jump of velocity (seam.h) of the result over that of the clip.
};

// path: positions on the ground in metres, at least two; y is ignored. `closed`: the last leads to the first, and the
// clip goes round where it is longer. An open path that is shorter than the clip cuts it. Fails where the clip does not
// travel.
Result<FollowedPath> follow_path(const Motion& motion, const SkeletonAnalysis& analysis, std::span<const Vec3> path,
                                 bool closed, const FollowOptions& options = {});

}  // namespace zoe::generate

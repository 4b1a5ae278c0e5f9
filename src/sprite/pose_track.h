// SPDX-License-Identifier: MIT
// Part of Zoetrope. A motion as points in pose space: joint positions in place, in sizes of the body.
#pragma once

#include <vector>

#include "zoe/motion/motion.h"

namespace zoe::sprite {

struct PoseTrack {
  std::vector<double> times_s;             // From the motion's first frame.
  std::vector<std::vector<double>> poses;  // [times][3 × joints]; the straight travel is removed.
  std::vector<double> speeds;              // [times] root mean square over joints, sizes per second.

  std::size_t size() const { return times_s.size(); }
};

// At most 200 moments, the first and the last frame among them.
PoseTrack track_poses(const Motion& motion);
std::vector<double> pose_at(const Motion& motion, double time_s);

// Square of the distance from a pose to the line between two others.
double line_distance(const std::vector<double>& pose, const std::vector<double>& a, const std::vector<double>& b);

}  // namespace zoe::sprite

// SPDX-License-Identifier: MIT
#include "zoe/scene/clip.h"

#include <algorithm>
#include <cmath>

namespace zoe::scene {

ClipOnBody make_bare_clip(Motion motion, std::string title) {
  ClipOnBody clip{.title = std::move(title), .character = make_bare_character(motion.skeleton)};
  clip.motion = std::make_shared<const Motion>(std::move(motion));
  return clip;
}

float measure_joints_m(const Motion& motion, float metres_per_unit) {
  constexpr int kPoses = 8;
  std::vector<Affine> joints(static_cast<std::size_t>(motion.num_joints()));
  float size = 1e-3F;
  const int poses = std::min(motion.num_frames, kPoses);
  for (int i = 0; i < poses; ++i) {
    compute_model_from_joint(*motion.skeleton, motion.frame(i * (motion.num_frames - 1) / std::max(poses - 1, 1)),
                             joints);
    Vec3 min{1e30F, 1e30F, 1e30F}, max{-1e30F, -1e30F, -1e30F};
    for (const Affine& joint : joints) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        min[axis] = std::min(min[axis], joint.t[axis]);
        max[axis] = std::max(max[axis], joint.t[axis]);
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) size = std::max(size, (max[axis] - min[axis]) * metres_per_unit);
  }
  return std::min(size, 1e4F);
}

double clip_time_s(const Motion& motion, double time_s) {
  const double duration_s = motion.duration_s();
  if (duration_s <= 0) return 0;
  return time_s > duration_s + 1e-6 ? std::fmod(time_s, duration_s) : std::min(time_s, duration_s);
}

}  // namespace zoe::scene

// SPDX-License-Identifier: MIT
#include "zoe/motion/foot_skate.h"

#include <algorithm>
#include <cmath>

#include "zoe/motion/joint_tracks.h"

namespace zoe {

Result<std::vector<FootSkate>> foot_skate(const Motion& motion, std::span<const int> joints, const Contacts& contacts) {
  const std::size_t n = joints.size(), frames = static_cast<std::size_t>(motion.num_frames);
  if (!are_joints(motion, joints)) return Error{ErrorCode::kUsage, "foot skate: a joint is out of range", {}};
  if (contacts.num_frames != motion.num_frames || static_cast<std::size_t>(contacts.num_joints) != n ||
      contacts.touching.size() != frames * n) {
    return Error{ErrorCode::kUsage, "foot skate: the contacts are of another clip or of other joints", {}};
  }
  const std::vector<Vec3> positions = model_positions(motion, joints);
  std::vector<FootSkate> out(n);
  for (std::size_t j = 0; j < n; ++j) {
    FootSkate& skate = out[j];
    std::size_t touching = 0, steps = 0;
    for (std::size_t f = 0; f < frames; ++f) {
      const std::size_t i = f * n + j;
      if (contacts.touching[i] == 0) continue;
      ++touching;
      if (f == 0 || contacts.touching[i - n] == 0) continue;
      ++steps;
      const Vec3 d = positions[i] - positions[i - n];
      const float way = std::hypot(d.x, d.z);
      skate.slide_m += way;
      skate.max_speed_m_s = std::max(skate.max_speed_m_s, way * static_cast<float>(motion.fps));
    }
    if (steps > 0) skate.mean_speed_m_s = skate.slide_m * static_cast<float>(motion.fps) / static_cast<float>(steps);
    if (frames > 0) skate.contact_share = static_cast<float>(touching) / static_cast<float>(frames);
  }
  return out;
}

}  // namespace zoe

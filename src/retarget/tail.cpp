// SPDX-License-Identifier: MIT
#include "retarget/tail.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::retarget_detail {

void lay_tail(Motion& motion, const RetargetBody& body, const Terrain& terrain) {
  const std::vector<int>& tail = body.analysis.tail;
  if (tail.size() < 2) return;
  for (std::size_t i = 1; i < tail.size(); ++i)
    if (body.skeleton.parent(tail[i]) != tail[i - 1]) return;
  const Vec3 up = body.analysis.up;
  const std::size_t n = idx(motion.num_joints());
  anatomy::ModelPose pose;
  for (int f = 0; f < motion.num_frames; ++f) {
    anatomy::compute_model_pose(body.skeleton, motion.frame(f), pose);
    Quat turned;  // Of the joints before, in the model.
    Vec3 at = pose.positions[idx(tail[0])];
    for (std::size_t i = 0; i + 1 < tail.size(); ++i) {
      const Vec3 bone = rotate(turned, pose.positions[idx(tail[i + 1])] - pose.positions[idx(tail[i])]);
      const float far = length(bone), ground = terrain.height(at), least = std::max(0.0F, ground - body.height(at));
      const Vec3 level = body.level(bone);
      // A joint that is itself below the ground has a level bone.
      const float rise = least > 0 ? 0.0F : ground - body.height(at);
      Quat more;
      if (far > 0 && length(level) > 1e-3F * far && body.height(bone) < rise) {
        const float sine = std::clamp(rise / far, -1.0F, 1.0F);
        const Vec3 goal = normalized(level) * (far * std::sqrt(1 - sine * sine)) + up * (far * sine);
        more = turn_between(bone, goal);
      }
      const int parent = body.skeleton.parent(tail[i]);
      const Quat above = parent == kNoJoint ? Quat{} : (i == 0 ? Quat{} : turned) * pose.rotations[idx(parent)];
      turned = normalized(more * turned);
      motion.rotations[idx(f) * n + idx(tail[i])] =
          normalized(conjugate(above) * turned * pose.rotations[idx(tail[i])]);
      at += rotate(more, bone);
    }
  }
}

}  // namespace zoe::retarget_detail

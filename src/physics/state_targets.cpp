// SPDX-License-Identifier: MIT
// Part of Zoetrope. The targets of a BodyState: from a pose to the engine's coordinates, and between two poses.
#include <algorithm>

#include "physics/state_inside.h"

namespace zoe::physics {

void BodyState::Inside::set_target(const PoseView& view) {
  const BodyModel::Inside& m = parts();
  std::ranges::copy(view.translations, pose.translations.begin());
  std::ranges::copy(view.rotations, pose.rotations.begin());
  if (!view.scales.empty()) std::ranges::copy(view.scales, pose.scales.begin());
  anatomy::compute_model_pose(*m.skeleton, pose.view(), posed);
  for (std::size_t b = 0; b < m.plan.bones.size(); ++b) {
    const Bone& bone = m.plan.bones[b];
    mjtNum* q = target.data() + m.qpos_of_bone[b];
    const Quatd rotation = normalized(to_double(posed.rotations[idx(bone.joint)]));
    if (bone.parent < 0) {
      const Vec3d at = to_double(posed.positions[idx(bone.joint)]) * m.plan.metres_per_unit;
      q[0] = at.x + moved.x, q[1] = at.y - ground_y_m + moved.y, q[2] = at.z + moved.z;
      write_quat(q + 3, rotation);
      continue;
    }
    const Quatd parent = to_double(posed.rotations[idx(m.plan.bones[idx(bone.parent)].joint)]);
    write_quat(q, normalized(conjugate(bone.rotation) * (conjugate(parent) * rotation)));
  }
}

Vec3d BodyState::Inside::target_com() const {
  const BodyPlan& plan = parts().plan;
  Vec3d sum{};
  for (const Bone& bone : plan.bones) {
    const Vec3d origin = to_double(posed.positions[idx(bone.joint)]) * plan.metres_per_unit;
    sum += (origin + rotate(to_double(posed.rotations[idx(bone.joint)]), bone.shape.centre_of_volume())) * bone.mass_kg;
  }
  return sum / plan.mass_kg - Vec3d{0, ground_y_m, 0} + moved;
}

void BodyState::Inside::interpolate(double t) {
  const BodyModel::Inside& m = parts();
  for (std::size_t b = 0; b < m.plan.bones.size(); ++b) {
    std::size_t at = idx(m.qpos_of_bone[b]);
    if (b == 0) {
      for (std::size_t i = 0; i < 3; ++i) now[at + i] = previous[at + i] + (target[at + i] - previous[at + i]) * t;
      at += 3;
    }
    write_quat(&now[at], slerp(read_quat(&previous[at]), read_quat(&target[at]), t));
  }
}

void BodyState::Inside::target_velocity(std::vector<mjtNum>& out) const {
  mj_differentiatePos(own_engine(), out.data(), parts().options.frame_s, previous.data(), target.data());
}

Vec3d BodyState::Inside::target_origin_m(int bone) const {
  const BodyPlan& plan = parts().plan;
  const Vec3d at = to_double(posed.positions[idx(plan.bones[idx(bone)].joint)]) * plan.metres_per_unit;
  return at - Vec3d{0, ground_y_m, 0} + moved;
}

double BodyState::Inside::target_clearance_m(int bone) const {
  const Bone& b = parts().plan.bones[idx(bone)];
  const Vec3d at = target_origin_m(bone);
  return b.shape.lowest_y(to_double(posed.rotations[idx(b.joint)]), at) - simulation->height_m(at.x, at.z);
}

}  // namespace zoe::physics

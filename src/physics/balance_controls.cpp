// SPDX-License-Identifier: MIT
// Part of Zoetrope. Which angles plans of balance choose.
#include <algorithm>
#include <cmath>

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"
#include "zoe/math/rotation_6d.h"
#include "zoe/physics/balance.h"

namespace zoe::physics {
namespace {

constexpr int kSampledTargets = 200;  // Of the targets.
constexpr double kClearBend = 0.05;   // Mean sine of the bend: straighter legs have no axis.

// The bone that continues a leg; -1 at its end.
int next_of_leg(const BodyPlan& plan, std::size_t bone) {
  for (std::size_t b = bone + 1; b < plan.bones.size(); ++b)
    if (plan.bones[b].parent == static_cast<int>(bone) &&
        (plan.bones[b].role == BoneRole::kLeg || plan.bones[b].role == BoneRole::kFoot))
      return static_cast<int>(b);
  return -1;
}

// Sums over poses, in the bone's frame.
struct LegAxes {
  Vec3d bend;   // Normal of the plane of the bone above and this bone.
  Vec3d above;  // Direction of the bone above.
};

}  // namespace

std::vector<BalanceControl> balance_controls(const BodyModel& model, const Motion& targets) {
  const BodyPlan& plan = model.plan();
  const std::vector<int> bones = balancing_bones(plan);
  std::vector<LegAxes> axes(plan.bones.size());
  anatomy::ModelPose posed;
  const int step = targets.num_frames / kSampledTargets + 1;
  int num_poses = 0;
  for (int frame = 0; frame < targets.num_frames; frame += step, ++num_poses) {
    anatomy::compute_model_pose(model.skeleton(), targets.frame(frame), posed);
    const auto at = [&](int bone) { return to_double(posed.positions[idx(plan.bones[idx(bone)].joint)]); };
    for (const int b : bones) {
      const Bone& bone = plan.bones[idx(b)];
      if (bone.parent <= 0) continue;
      const Quatd bone_from_model = conjugate(to_double(posed.rotations[idx(bone.joint)]));
      const Vec3d above = normalized(at(b) - at(bone.parent));
      axes[idx(b)].above += rotate(bone_from_model, above);
      const int next = next_of_leg(plan, idx(b));
      if (next >= 0) axes[idx(b)].bend += rotate(bone_from_model, cross(above, normalized(at(next) - at(b))));
    }
  }
  std::vector<BalanceControl> controls;
  for (const int b : bones) {
    const Bone& bone = plan.bones[idx(b)];
    const bool continues_leg = bone.parent > 0 && plan.bones[idx(bone.parent)].role == BoneRole::kLeg;
    const LegAxes& sums = axes[idx(b)];
    if (bone.role == BoneRole::kLeg && continues_leg && length(sums.bend) > kClearBend * num_poses) {
      controls.push_back({b, normalized(sums.bend)});
    } else if (bone.role == BoneRole::kFoot && continues_leg && length(sums.above) > 0.5 * num_poses) {
      const auto frame = axes_from_6d(Rotation6d{sums.above, {}});
      controls.push_back({b, frame.y});
      controls.push_back({b, frame.z});
    } else {
      for (std::size_t i = 0; i < 3; ++i) {
        Vec3d axis{};
        axis[i] = 1;
        controls.push_back({b, axis});
      }
    }
  }
  return controls;
}

}  // namespace zoe::physics

// SPDX-License-Identifier: MIT
#include "physics/get_up.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/ik/fabrik_job.h"

namespace zoe::physics {
namespace {

double smooth(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace

GetUpPlan::GetUpPlan(const BodyPlan& plan, const Skeleton& skeleton)
    : plan_(&plan), skeleton_(&skeleton), lying_(make_pose(skeleton)), last_(lying_.rotations) {
  for (std::size_t b = 0; b < plan.bones.size(); ++b) {
    if (plan.bones[b].role != BoneRole::kFoot) continue;
    int hip = static_cast<int>(b);
    for (int up = plan.bones[b].parent; up >= 0 && plan.bones[idx(up)].role == BoneRole::kLeg;
         up = plan.bones[idx(up)].parent)
      hip = up;
    std::vector<int> chain;
    for (int joint = plan.bones[b].joint; joint != kNoJoint; joint = skeleton.parent(joint)) {
      chain.insert(chain.begin(), joint);
      if (joint == plan.bones[idx(hip)].joint) break;
    }
    if (chain.size() >= 3 && chain.size() <= kMaxIkChain) legs_.push_back(std::move(chain));
  }
  anatomy::compute_model_pose(skeleton, lying_.view(), posed_);
  anatomy::compute_model_pose(skeleton, lying_.view(), standing_posed_);
}

void GetUpPlan::begin(const Pose& lying) {
  lying_.translations = lying.translations, lying_.rotations = lying.rotations, lying_.scales = lying.scales;
  last_ = lying.rotations;
  anatomy::compute_model_pose(*skeleton_, lying_.view(), posed_);
  const std::size_t root = idx(plan_->bones[0].joint);
  lying_root_rotation_ = normalized(to_double(posed_.rotations[root]));
  lying_root_at_ = to_double(posed_.positions[root]);
}

void GetUpPlan::target(const Pose& standing, double share, double most_turn_rad, Pose& out) {
  const int root = plan_->bones[0].joint;
  anatomy::compute_model_pose(*skeleton_, standing.view(), standing_posed_);
  // Limbs fold first, then the body turns, then it rises. It stands before the legs leave the solver: standing legs
  // under a lower root would reach into the ground and throw the body up.
  const double limbs = smooth(share * 1.5), turn = smooth((share - 0.1) / 0.6), rise = smooth((share - 0.15) / 0.6);
  for (std::size_t j = 0; j < out.rotations.size(); ++j) {
    out.rotations[j] = slerp(lying_.rotations[j], standing.rotations[j], static_cast<float>(limbs));
    out.translations[j] = standing.translations[j];
    if (!out.scales.empty()) out.scales[j] = standing.scales[j];
  }
  // Joints above the root bone are the standing pose's; the root bone's own transform is set in the world.
  for (int up = skeleton_->parent(root); up != kNoJoint; up = skeleton_->parent(up))
    out.rotations[idx(up)] = standing.rotations[idx(up)];
  const Vec3d standing_at = to_double(standing_posed_.positions[idx(root)]);
  const Quatd rotation = slerp(lying_root_rotation_, normalized(to_double(standing_posed_.rotations[idx(root)])), turn);
  const Vec3d at = lerp(lying_root_at_, standing_at, rise);
  const int above = skeleton_->parent(root);
  const Quatd above_rotation = above == kNoJoint ? Quatd{} : to_double(standing_posed_.rotations[idx(above)]);
  out.rotations[idx(root)] = to_float(normalized(conjugate(above_rotation) * rotation));
  if (above == kNoJoint) {
    out.translations[idx(root)] = to_float(at);
  } else {
    const Vec3d from_above = at - to_double(standing_posed_.positions[idx(above)]);
    out.translations[idx(root)] = to_float(rotate(conjugate(above_rotation), from_above));
  }
  // Legs of the solver may bend otherwise than the pose's, so it fades out: the last target is the pose itself. A jump
  // there would throw the body into the air.
  const float weight = static_cast<float>(smooth(share * 2) * (1 - smooth((share - 0.75) / 0.25)));
  for (const std::vector<int>& chain : legs_) {
    const Vec3 hip = standing_posed_.positions[idx(chain.front())], foot = standing_posed_.positions[idx(chain.back())];
    const Vec3 knee = standing_posed_.positions[idx(chain[chain.size() / 2])];
    const Quat tip = standing_posed_.rotations[idx(chain.back())];
    FabrikJob job{.skeleton = skeleton_,
                  .settings = {.chain = chain, .max_iterations = 12, .weight = weight},
                  .target_model = foot,
                  .pole_model = knee - (hip + foot) * 0.5F,
                  .tip_rotation_model = &tip,
                  .pose = ik_pose(out)};
    job.run();
    if (share <= 0.75) continue;
    // Between two bent legs a leg is longer: its foot would reach into the ground and throw the body up.
    job.settings.weight = 1, job.settings.max_iterations = 20;
    job.pole_model = {};
    job.run();
  }
  // The solver's legs flip from one frame to the next while their bodies turn over: 139 rad/s, which threw bodies up by
  // a metre. The root turns as planned.
  for (std::size_t j = 0; j < out.rotations.size(); ++j) {
    const double turned = angle_between(to_double(last_[j]), to_double(out.rotations[j]));
    if (static_cast<int>(j) != root && turned > most_turn_rad)
      out.rotations[j] = slerp(last_[j], out.rotations[j], static_cast<float>(most_turn_rad / turned));
    last_[j] = out.rotations[j];
  }
}

}  // namespace zoe::physics

// SPDX-License-Identifier: MIT
#include "zoe/physics/tracking_policy.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"

namespace zoe::physics {

struct TargetBones::Inside {
  BodyModelPtr model;
  double ground_y_m = 0;
  anatomy::ModelPose posed;
  std::vector<BoneMotion> bones;
};

TargetBones::~TargetBones() = default;
TargetBones::TargetBones(TargetBones&&) noexcept = default;
TargetBones& TargetBones::operator=(TargetBones&&) noexcept = default;
TargetBones::TargetBones(BodyModelPtr model) : inside_(std::make_unique<Inside>()) {
  inside_->model = std::move(model);
  inside_->bones.resize(inside_->model->plan().bones.size());
  place(make_pose(inside_->model->skeleton()).view());
}

void TargetBones::place(const PoseView& pose) {
  Inside& s = *inside_;
  const BodyPlan& plan = s.model->plan();
  const double frame_s = s.model->options().frame_s;
  anatomy::compute_model_pose(s.model->skeleton(), pose, s.posed);
  for (std::size_t b = 0; b < s.bones.size(); ++b) {
    const std::size_t joint = idx(plan.bones[b].joint);
    BoneMotion& bone = s.bones[b];
    const Vec3d at = to_double(s.posed.positions[joint]) * plan.metres_per_unit - Vec3d{0, s.ground_y_m, 0};
    const Quatd rotation = normalized(to_double(s.posed.rotations[joint]));
    bone.velocity_m_s = (at - bone.position_m) / frame_s;
    bone.spin_rad_s = to_rotation_vector(normalized(rotation * conjugate(bone.rotation))) / frame_s;
    bone.position_m = at, bone.rotation = rotation;
  }
}

void TargetBones::reset(const PoseView& pose, double ground_y_m) {
  inside_->ground_y_m = ground_y_m;
  place(pose);
}
std::span<const BoneMotion> TargetBones::next(const PoseView& pose) {
  place(pose);
  return inside_->bones;
}

Result<TrackingPolicyPtr> TrackingPolicy::create(nn::NetworkPtr network, const BodyModel& model) {
  const auto policy = std::shared_ptr<TrackingPolicy>(new TrackingPolicy);
  policy->bones_ = balancing_bones(model.plan());
  const std::size_t view = idx(bone_view_width(static_cast<int>(model.plan().bones.size())));
  const std::span<const nn::Port> in = network->inputs(), out = network->outputs();
  if (in.size() != 1 || out.size() != 1 || in[0].name != "view" || out[0].name != "offset")
    return Error{ErrorCode::kUsage, "the network is no tracking policy: `zoe physics learn` writes them", {}};
  if (in[0].shape.size() != view || out[0].shape.size() != 3 * policy->bones_.size())
    return Error{ErrorCode::kUsage, "the tracking policy is of another body: its numbers of bones differ", {}};
  policy->network_ = std::move(network);
  return TrackingPolicyPtr(policy);
}

PolicyState::PolicyState(TrackingPolicyPtr policy, const BodyModelPtr& model, double share)
    : policy_(std::move(policy)), share_(share), target_(model), network_(nn::make_state(policy_->network(), 1)) {
  const std::size_t num_bones = model->plan().bones.size();
  bones_.resize(num_bones), lowered_.resize(num_bones), offsets_.resize(num_bones);
  body_row_.resize(num_bones * kBoneRowWidth), target_row_.resize(body_row_.size());
  view_.resize(idx(bone_view_width(static_cast<int>(num_bones))));
  answer_.resize(3 * policy_->bones().size());
}

void PolicyState::reset(const PoseView& pose, double ground_y_m) { target_.reset(pose, ground_y_m); }

std::span<const Vec3d> PolicyState::offsets(const BodyState& state, const PoseView& target) {
  state.read_bones(bones_);
  std::ranges::copy(target_.next(target), lowered_.begin());
  // On uneven ground: heights above the ground below the root.
  const double ground = state.ground_m(bones_[0].position_m);
  for (auto* bones : {&bones_, &lowered_})
    for (BoneMotion& bone : *bones) bone.position_m.y -= ground;
  write_bone_row(bones_, body_row_);
  write_bone_row(lowered_, target_row_);
  write_bone_view(body_row_, target_row_, view_);
  const std::span<const float> in[] = {view_};
  const std::span<float> out[] = {answer_};
  const bool ran =
      nn::NetworkJob{.network = &policy_->network(), .state = &network_, .batch = 1, .inputs = in, .outputs = out}
          .run();
  ZOE_CHECK(ran, "PolicyState: the network does not fit its policy");
  for (std::size_t i = 0; i < answer_.size(); ++i) {
    // A body that was thrown far away may give numbers that no training has seen.
    const double value = std::isfinite(answer_[i]) ? std::clamp(static_cast<double>(answer_[i]), -1.0, 1.0) : 0;
    offsets_[idx(policy_->bones()[i / 3])][i % 3] = share_ * value;
  }
  return offsets_;
}

}  // namespace zoe::physics

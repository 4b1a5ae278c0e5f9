// SPDX-License-Identifier: MIT
// Part of Zoetrope. A learned residual: a network that sees a body and its target, and returns offsets of the targets
// that keep the body on its feet. `zoe physics learn` trains it for one body.
//
//   const nn::NetworkPtr network = nn::load_fixed_network("run/model.safetensors").value();
//   const auto policy = physics::TrackingPolicy::create(network, *model);
//   physics::PolicyState tracker(*policy, model);
//   tracker.reset(clip.frame(0), ground_y_m);
//   state.tick(target, {.offsets_rad = tracker.offsets(state, target)});
#pragma once

#include "zoe/nn/network.h"
#include "zoe/physics/body_model.h"

namespace zoe::physics {

// Target poses as moving bones: velocities are those between two ticks. Sized once.
class TargetBones {
 public:
  explicit TargetBones(BodyModelPtr model);
  ~TargetBones();
  TargetBones(TargetBones&&) noexcept;
  TargetBones& operator=(TargetBones&&) noexcept;
  // The next call of next() moves from this pose. ground_y_m: as BodyState::reset().
  void reset(const PoseView& pose, double ground_y_m);
  std::span<const BoneMotion> next(const PoseView& pose);

 private:
  void place(const PoseView& pose);
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

class TrackingPolicy {
 public:
  // Refuses a network for another body: input `view` [bone_view_width(bones)], output `offset` [3 × balancing bones],
  // radians.
  static Result<std::shared_ptr<const TrackingPolicy>> create(nn::NetworkPtr network, const BodyModel& model);

  const nn::Network& network() const { return *network_; }
  std::span<const int> bones() const { return bones_; }  // Whose targets have offsets.

 private:
  TrackingPolicy() = default;
  nn::NetworkPtr network_;
  std::vector<int> bones_;
};
using TrackingPolicyPtr = std::shared_ptr<const TrackingPolicy>;

// Of one body. Sized once; offsets() never allocates.
class PolicyState {
 public:
  // share: of the network's offsets that are used.
  PolicyState(TrackingPolicyPtr policy, const BodyModelPtr& model, double share = 1);
  void reset(const PoseView& pose, double ground_y_m);
  // [bones] Offsets for the tick to `target`, from the state before it. Once per tick.
  std::span<const Vec3d> offsets(const BodyState& state, const PoseView& target);
  // Rows of the last call (bone_rows.h).
  std::span<const float> body_row() const { return body_row_; }
  std::span<const float> target_row() const { return target_row_; }

 private:
  TrackingPolicyPtr policy_;
  double share_ = 1;
  TargetBones target_;
  nn::NetworkState network_;
  std::vector<BoneMotion> bones_, lowered_;
  std::vector<float> body_row_, target_row_, view_, answer_;
  std::vector<Vec3d> offsets_;
};

}  // namespace zoe::physics

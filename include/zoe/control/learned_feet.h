// SPDX-License-Identifier: MIT
// Part of Zoetrope. Foot locking whose decisions a network learned from simulated bodies: a foot holds where the sole
// of a body with physics would not slip. The simulation itself is not needed. `zoe physics feet` writes the data and
// compares; `zoe train mlp` trains.
//
//   const auto feet = control::LearnedFeet::create(nn::load_fixed_network("feet.safetensors").value()).value();
//   control::FootLockLayer layer(feet, skeleton, legs);
//   recording = eval::record(*controller, *source, {.hook = &layer});
#pragma once

#include <memory>
#include <vector>

#include "zoe/anatomy/model_pose.h"
#include "zoe/control/pose_hook.h"
#include "zoe/ik/foot_history.h"
#include "zoe/ik/foot_lock_job.h"
#include "zoe/nn/network.h"

namespace zoe::control {

class LearnedFeet {
 public:
  // Refuses networks that are not from `x` [kFootRowWidth] to `y` [2]: ankle and ball hold, 0 to 1.
  static Result<std::shared_ptr<const LearnedFeet>> create(nn::NetworkPtr network);
  const nn::Network& network() const { return *network_; }

 private:
  nn::NetworkPtr network_;
};
using LearnedFeetPtr = std::shared_ptr<const LearnedFeet>;

// Where ankle and ball of a leg are. pose: world space.
FootPoints foot_points(const Leg& leg, const anatomy::ModelPose& pose, const Ground* ground, float ground_y_m);

// Of one character. Sized once; run() never allocates.
class FootLockLayer final : public PoseHook {
 public:
  // The skeleton in metres. feet: null: contacts are given by set_contacts() before each call. below: another hook that
  // runs first, or null. ground: null: flat at ground_y_m.
  FootLockLayer(LearnedFeetPtr feet, SkeletonPtr skeleton, std::span<const Leg> legs, GroundPtr ground = {},
                float ground_y_m = 0, PoseHook* below = nullptr);

  PoseView run(const PoseView& pose, std::span<const float> contacts, double dt_s) noexcept override;
  bool stands() const noexcept override { return below_ != nullptr && below_->stands(); }
  // [legs] For the next call.
  void set_contacts(std::span<const float> ankles, std::span<const float> balls);
  // [legs] Of the last call.
  std::span<const float> ankle_contacts() const { return ankles_; }
  std::span<const float> ball_contacts() const { return balls_; }

 private:
  void ask_network(float dt_s) noexcept;

  LearnedFeetPtr feet_;
  SkeletonPtr skeleton_;
  std::vector<Leg> legs_, raised_;
  GroundPtr ground_;
  float ground_y_m_;
  PoseHook* below_;
  nn::NetworkState network_;
  std::vector<FootPoints> points_;
  std::vector<FootHistory> histories_;
  std::vector<float> rows_, answer_, ankles_, balls_;
  anatomy::ModelPose posed_, locked_;
  FootLockState lock_;
  Pose out_;
};

}  // namespace zoe::control

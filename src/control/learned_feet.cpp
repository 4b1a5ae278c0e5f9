// SPDX-License-Identifier: MIT
#include "zoe/control/learned_feet.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::control {

Result<LearnedFeetPtr> LearnedFeet::create(nn::NetworkPtr network) {
  const std::span<const nn::Port> in = network->inputs(), out = network->outputs();
  if (in.size() != 1 || out.size() != 1 || in[0].shape.size() != idx(kFootRowWidth) || out[0].shape.size() != 2)
    return Error{ErrorCode::kUsage, "the network does not lock feet: `zoe physics feet` writes data to train one", {}};
  auto feet = std::make_shared<LearnedFeet>();
  feet->network_ = std::move(network);
  return LearnedFeetPtr(std::move(feet));
}

FootPoints foot_points(const Leg& leg, const anatomy::ModelPose& pose, const Ground* ground, float ground_y_m) {
  const auto at = [&](int joint) { return pose.positions[idx(joint)]; };
  const auto low = [&](Vec3 p, float standing_m) {
    return p.y - standing_m - (ground != nullptr ? ground->height(p.x, p.z) : ground_y_m);
  };
  FootPoints points;
  points.ankle = at(leg.ankle), points.ankle_low_m = low(points.ankle, leg.ankle_height_m);
  points.ball = leg.ball == kNoJoint ? points.ankle : at(leg.ball);
  points.ball_low_m = leg.ball == kNoJoint ? points.ankle_low_m : low(points.ball, leg.ball_height_m);
  points.leg_m = distance(at(leg.hip), at(leg.knee)) + distance(at(leg.knee), at(leg.ankle));
  return points;
}

FootLockLayer::FootLockLayer(LearnedFeetPtr feet, SkeletonPtr skeleton, std::span<const Leg> legs, GroundPtr ground,
                             float ground_y_m, PoseHook* below)
    : feet_(std::move(feet)),
      skeleton_(std::move(skeleton)),
      legs_(legs.begin(), legs.end()),
      raised_(legs_),
      ground_(std::move(ground)),
      ground_y_m_(ground_y_m),
      below_(below),
      points_(legs.size()),
      histories_(legs.size()),
      rows_(legs.size() * kFootRowWidth),
      answer_(legs.size() * 2),
      ankles_(legs.size()),
      balls_(legs.size()),
      lock_(make_foot_lock_state(legs.size())),
      out_(make_pose(*skeleton_)) {
  if (feet_ != nullptr && !legs.empty()) network_ = nn::make_state(feet_->network(), static_cast<int>(legs.size()));
  for (auto* pose : {&posed_, &locked_}) anatomy::compute_model_pose(*skeleton_, out_.view(), *pose);
}

void FootLockLayer::set_contacts(std::span<const float> ankles, std::span<const float> balls) {
  std::copy_n(ankles.begin(), ankles_.size(), ankles_.begin());
  std::copy_n(balls.begin(), balls_.size(), balls_.begin());
}

void FootLockLayer::ask_network(float dt_s) noexcept {
  for (std::size_t l = 0; l < legs_.size(); ++l) {
    histories_[l].add(points_[l], dt_s);
    histories_[l].write(std::span(rows_).subspan(l * kFootRowWidth, kFootRowWidth));
  }
  const std::span<const float> in[] = {rows_};
  const std::span<float> out[] = {answer_};
  nn::NetworkJob{.network = &feet_->network(),
                 .state = &network_,
                 .batch = static_cast<int>(legs_.size()),
                 .inputs = in,
                 .outputs = out}
      .run();
  for (std::size_t l = 0; l < legs_.size(); ++l) ankles_[l] = answer_[2 * l], balls_[l] = answer_[2 * l + 1];
}

PoseView FootLockLayer::run(const PoseView& pose, std::span<const float> contacts, double dt_s) noexcept {
  const PoseView given = below_ != nullptr ? below_->run(pose, contacts, dt_s) : pose;
  std::copy(given.translations.begin(), given.translations.end(), out_.translations.begin());
  std::copy(given.rotations.begin(), given.rotations.end(), out_.rotations.begin());
  if (!given.scales.empty()) std::copy(given.scales.begin(), given.scales.end(), out_.scales.begin());
  if (legs_.empty()) return out_.view();
  anatomy::compute_model_pose(*skeleton_, given, posed_);
  for (std::size_t l = 0; l < legs_.size(); ++l) {
    points_[l] = foot_points(legs_[l], posed_, ground_.get(), ground_y_m_);
    // Locks hold feet where they are, and let them roll: they do not press heels and toes down.
    raised_[l].ankle_height_m = legs_[l].ankle_height_m + std::max(points_[l].ankle_low_m, 0.0F);
    raised_[l].ball_height_m = legs_[l].ball_height_m + std::max(points_[l].ball_low_m, 0.0F);
  }
  if (feet_ != nullptr) ask_network(static_cast<float>(dt_s));
  FootLockJob{.skeleton = skeleton_.get(),
              .legs = raised_,
              .ankle_contacts = ankles_,
              .ball_contacts = balls_,
              .ground = ground_.get(),
              .world_from_model_rotation = {},
              .world_from_model_translation = {0, ground_ != nullptr ? 0 : -ground_y_m_, 0},
              .dt_s = static_cast<float>(dt_s),
              .pose = ik_pose(out_),
              .state = &lock_}
      .run();
  // Toes keep their rotation in the world: turned with the foot they would dip into the ground.
  anatomy::compute_model_pose(*skeleton_, out_.view(), locked_);
  for (const Leg& leg : legs_)
    if (leg.ball != kNoJoint)
      out_.rotations[idx(leg.ball)] =
          normalized(conjugate(locked_.rotations[idx(skeleton_->parent(leg.ball))]) * posed_.rotations[idx(leg.ball)]);
  return out_.view();
}

}  // namespace zoe::control

// SPDX-License-Identifier: MIT
// What tells of a generated pose that it is wrong; see PoseSign.
#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/math/portable.h"
#include "zoe/math/spring.h"

#include "control/hybrid/hybrid_state.h"

namespace zoe::control {
namespace {

constexpr float kMannHeight_m = 0.025F;      // As in the measure of foot sliding of MANN.
constexpr float kDesiredHalfLife_s = 0.25F;  // Of the mean of the desired velocity.

float root_of(float amount) { return std::sqrt(std::max(amount, 0.0F)); }
float planar_speed(Vec3 step, float dt_s) { return std::sqrt(step.x * step.x + step.z * step.z) / dt_s; }
float& at(PoseSigns& signs, PoseSign sign) { return signs[static_cast<std::size_t>(sign)]; }

}  // namespace

void HybridState::count_outside(std::span<const float> x) noexcept {
  const ColumnRange& range = model_->neural.parts.range.input;
  int outside = 0;
  for (std::size_t i = 0; i < std::min(x.size(), range.low.size()); ++i)
    outside += x[i] < range.low[i] || x[i] > range.high[i] ? 1 : 0;
  outside_ = x.empty() ? 0 : static_cast<float>(outside) / static_cast<float>(x.size());
}

void HybridState::measure(const StepItem& item) noexcept {
  const auto dt_s = static_cast<float>(1 / model_->neural.layout.fps());
  const Skeleton& skeleton = *model_->neural.parts.body.skeleton;
  compute_model_from_joint(skeleton, pose_.view(), joints_);
  compute_model_from_joint(skeleton, item.before->pose.view(), joints_before_);
  PoseSigns& signs = report.signs;
  measure_feet(dt_s, signs);
  measure_joints(item, dt_s, signs);
  const Vec3 desired = item.intent->velocity_at(0.1F);
  Vec3 velocity = (point_.root.position - item.before->root.position) / dt_s;
  velocity.y = 0;
  desired_mean_ = approach(desired_mean_, desired, kDesiredHalfLife_s, dt_s);
  at(signs, PoseSign::kRootError) = root_of(length(desired - velocity));
  at(signs, PoseSign::kDesiredSpeed) = length(desired);
  const float facing = item.intent->facing_at(0.1F).value_or(point_.root.facing_rad);
  at(signs, PoseSign::kFacingError) = std::abs(wrapped(facing - point_.root.facing_rad));
  at(signs, PoseSign::kDesiredChange) = root_of(length(desired - desired_mean_));
  at(signs, PoseSign::kOutside) = root_of(outside_);
  at(signs, PoseSign::kRootSpeed) = length(velocity);
  float doubt = 0;
  for (const float contact : frame_.contacts) doubt += contact * (1 - contact);
  at(signs, PoseSign::kContactDoubt) = doubt / static_cast<float>(std::max<std::size_t>(frame_.contacts.size(), 1));
  find_nearest(item, dt_s, signs);
  report.confidence = model_->confidence.network.of(signs);
  report.match_confidence = model_->confidence.matching.of(signs);
}

void HybridState::measure_feet(float dt_s, PoseSigns& signs) const noexcept {
  float slide = 0, contact_slide = 0, lowest_m = 1e3F;
  for (const BodyLeg& leg : model_->neural.parts.body.legs) {
    const auto part = [&](int joint, float standing_m, int contact) {
      if (joint == kNoJoint) return;
      const Vec3 now = joints_[idx(joint)].t, before = joints_before_[idx(joint)].t;
      const float speed = planar_speed(now - before, dt_s);
      const float height_m = std::max(now.y, before.y) - standing_m;
      lowest_m = std::min(lowest_m, now.y - standing_m);
      const float weight = 2 - portable_exp2(std::clamp(height_m, 0.0F, 1.0F) / kMannHeight_m);
      slide = std::max(slide, speed * std::clamp(weight, 0.0F, 1.0F));
      if (contact >= 0) contact_slide = std::max(contact_slide, speed * frame_.contacts[idx(contact)]);
    };
    part(leg.leg.ankle, leg.leg.ankle_height_m, leg.ankle_contact);
    part(leg.leg.ball, leg.leg.ball_height_m, leg.ball_contact);
  }
  at(signs, PoseSign::kSlide) = root_of(slide);
  at(signs, PoseSign::kContactSlide) = root_of(contact_slide);
  at(signs, PoseSign::kLowestFoot) = std::clamp(lowest_m, -0.2F, 0.2F);
}

void HybridState::measure_joints(const StepItem& item, float dt_s, PoseSigns& signs) noexcept {
  const Vec3 root_step = point_.root.position - item.before->root.position;
  float fastest = 0, acceleration = 0;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Vec3 velocity = (joints_[j].t - joints_before_[j].t - root_step) / dt_s;
    fastest = std::max(fastest, length(velocity));
    if (has_before_) acceleration += length(velocity - velocities_before_[j]) / dt_s;
    velocities_before_[j] = velocity;
  }
  at(signs, PoseSign::kFastestJoint) = fastest;
  at(signs, PoseSign::kAcceleration) = root_of(acceleration / static_cast<float>(joints_.size()));
  float apart_m = 0, apart_mps = 0;
  const std::span<const int> decoded = model_->neural.decoder.joints();
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    const std::size_t j = idx(decoded[i]);
    if (i < frame_.positions.size()) apart_m += length(frame_.positions[i] - joints_[j].t);
    if (i < frame_.velocities.size())
      apart_mps += length(frame_.velocities[i] - (joints_[j].t - joints_before_[j].t) / dt_s);
  }
  const auto count = static_cast<float>(std::max<std::size_t>(decoded.size(), 1));
  at(signs, PoseSign::kPositions) = root_of(apart_m / count);
  at(signs, PoseSign::kVelocities) = root_of(apart_mps / count);
}

void HybridState::find_nearest(const StepItem& item, float dt_s, PoseSigns& signs) noexcept {
  const features::BlockNormalisation& normalisation = model_->database->normalisation();
  const Quat root_from_model = conjugate(rotation_of(point_.root));
  std::fill(current_.begin(), current_.end(), 0.0F);
  for (const PoseColumn& column : model_->pose_columns) {
    const std::size_t j = idx(column.joint), c = idx(column.column);
    const Vec3 value =
        column.is_velocity ? (joints_[j].t - joints_before_[j].t) / dt_s : joints_[j].t - point_.root.position;
    current_[c] =
        (rotate(root_from_model, value)[idx(column.axis)] - normalisation.means[c]) / normalisation.spreads[c];
  }
  predict({.root = point_.root,
           .velocity_mps = point_.velocity_mps,
           .acceleration_mps2 = {},
           .turn_speed_rad_s = point_.turn_speed_rad_s},
          *item.intent, ahead_, model_->trajectory);
  model_->space.ask(current_, point_.root, ahead_, query_, scratch_);
  const Match match = model_->database->index().find({.features = query_, .hints = {nearest_, -1}});
  nearest_ = match.frame;
  float pose = 0;
  if (match.frame >= 0) {
    model_->database->features(match.frame, scratch_);
    for (const PoseColumn& column : model_->pose_columns) {
      const float off = scratch_[idx(column.column)] - query_[idx(column.column)];
      pose += off * off;
    }
  }
  const float cost = match.frame >= 0 ? match.cost : 1e3F;
  at(signs, PoseSign::kNearestPose) = root_of(pose);
  at(signs, PoseSign::kNearestWay) = root_of(std::max(cost - pose, 0.0F));
}

}  // namespace zoe::control

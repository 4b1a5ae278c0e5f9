// SPDX-License-Identifier: MIT
#include "retarget/flex.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::retarget_detail {
namespace {

constexpr float kMostBend = 3.05F;  // Radians, at each joint.
constexpr float kClearBend = 0.1F;  // Radians: a joint straighter than that bends as its neighbours let it.
constexpr float kShort = 0.08F;     // Of the leg: joints beside shorter bones do not bend.
constexpr int kFlexRounds = 24;

Quat rotation_in_model(const Skeleton& skeleton, std::span<const Quat> rotations, int joint) {
  Quat rotation;
  for (; joint != kNoJoint; joint = skeleton.parent(joint)) rotation = rotations[idx(joint)] * rotation;
  return normalized(rotation);
}

}  // namespace

FlexLeg::FlexLeg(const RetargetBody& body, const std::vector<int>& joints, bool is_hind)
    : body_(body), joints_(joints), axes_(joints.size()), bends_(joints.size(), 0) {
  for (std::size_t i = 1; i < joints.size(); ++i) {
    bones_.push_back(body.at(joints[i]) - body.at(joints[i - 1]));
    length_ += zoe::length(bones_.back());
  }
  const Vec3 left = rotate(body_frame(body.analysis), Vec3{1, 0, 0});
  float sign = is_hind ? -1.0F : 1.0F;  // Of the bend before, about `left`: bends of a leg alternate.
  for (std::size_t i = 1; i + 1 < joints.size(); ++i) {
    const Vec3 before = bones_[i - 1], after = bones_[i];
    if (std::min(zoe::length(before), zoe::length(after)) < kShort * length_) continue;
    const Vec3 axis = cross(normalized(before), normalized(after));
    bends_[i] = std::atan2(zoe::length(axis), dot(normalized(before), normalized(after)));
    const bool clear = bends_[i] > kClearBend && std::abs(dot(normalized(axis), left)) > 0.5F;
    axes_[i] = clear ? normalized(axis) : left * -sign;
    if (!clear) bends_[i] = 0;
    sign = dot(axes_[i], left) > 0 ? 1.0F : -1.0F;
  }
  std::array<Quat, kMostJoints> turns{};
  shortest_ = zoe::length(fold_to(1, turns));
}

Vec3 FlexLeg::fold_to(float fold, std::span<Quat> turns) const {
  Vec3 end{};
  Quat turn;
  turns[0] = turn;
  for (std::size_t i = 0; i < bones_.size(); ++i) {
    if (bends_[i] > 0 || dot(axes_[i], axes_[i]) > 0) {
      const float by = fold < 0 ? fold * bends_[i] : fold * std::max(0.0F, kMostBend - bends_[i]);
      turn = normalized(turn * from_axis_angle(axes_[i], by));
    }
    turns[i] = turn;
    end += rotate(turn, bones_[i]);
  }
  turns[bones_.size()] = turn;
  return end;
}

Quat FlexLeg::carrier_change(std::span<const Quat> rotations) const {
  const int carrier = body_.skeleton.parent(joints_.front());
  if (carrier == kNoJoint) return {};
  return normalized(rotation_in_model(body_.skeleton, rotations, carrier) *
                    conjugate(body_.reference.rotations[idx(carrier)]));
}

void FlexLeg::reach(std::span<Quat> rotations, Vec3 top, Vec3 goal, const std::optional<Quat>& foot,
                    float follow) const {
  const Skeleton& skeleton = body_.skeleton;
  std::array<Quat, kMostJoints> turns{};
  const float far = distance(top, goal);
  float straight = -1, folded = 1;
  for (int round = 0; round < kFlexRounds; ++round) {
    const float middle = 0.5F * (straight + folded);
    (zoe::length(fold_to(middle, turns)) > far ? straight : folded) = middle;
  }
  const Vec3 end = fold_to(0.5F * (straight + folded), turns);
  // As what carries the leg turned it, then from there to the goal.
  const Quat carried = carrier_change(rotations);
  const Quat swing = normalized(turn_between(rotate(carried, end), goal - top) * carried);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const int joint = joints_[i], parent = skeleton.parent(joint);
    Quat change = normalized(swing * turns[i]);
    const bool is_foot = i + 1 == joints_.size();
    if (is_foot) change = slerp(twist_about(carried, body_.analysis.up), change, follow);
    const Quat model = is_foot && foot ? *foot : normalized(change * body_.reference.rotations[idx(joint)]);
    const Quat above = parent == kNoJoint ? Quat{} : rotation_in_model(skeleton, rotations, parent);
    rotations[idx(joint)] = normalized(conjugate(above) * model);
  }
}

}  // namespace zoe::retarget_detail

// SPDX-License-Identifier: MIT
#include "author/alive/body_hull.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "zoe/core/index.h"

#include "author/alive/standing_rig.h"

namespace zoe::author {
namespace {

constexpr int kDirections = 98;  // The surface of a cube of 5 x 5 x 5 points.

std::array<Vec3, kDirections> directions() {
  std::array<Vec3, kDirections> out;
  std::size_t count = 0;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z)
        if (std::max({std::abs(x), std::abs(y), std::abs(z)}) == 2)
          out[count++] = normalized(Vec3{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)}, {});
  return out;
}

}  // namespace

BodyHull::BodyHull(const Alive& alive) {
  StandingRig rig;
  rig.skeleton = alive.body.skeleton;
  rig.character = alive.character;
  rig.pose = alive.body.start;
  rig.update();
  const auto is_limb = [&](int joint) {
    const bool in_leg = std::any_of(alive.plan.legs.begin(), alive.plan.legs.end(), [&](const control::GaitLeg& leg) {
      return rig.is_below(joint, leg.hip) || (leg.loose != kNoJoint && rig.is_below(joint, leg.loose));
    });
    // A tail may brush the ground.
    return in_leg || std::any_of(alive.plan.parts.begin(), alive.plan.parts.end(), [&](const control::GaitPart& part) {
             return part.role == control::GaitPart::Role::kTail && rig.is_below(joint, part.joint);
           });
  };
  const std::array<Vec3, kDirections> ways = directions();
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  struct Farthest {
    std::array<float, kDirections> far_m;
    std::array<Vec3, kDirections> at;
  };
  std::vector<Farthest> farthest(rig.model.size());
  for (Farthest& joint : farthest) joint.far_m.fill(kNone);
  std::vector<Affine> joint_from_root(rig.model.size());
  for (std::size_t j = 0; j < rig.model.size(); ++j) joint_from_root[j] = inverse(rig.model[j]);
  for (const StandingRig::SkinPoint& point : rig.skin) {
    if (point.joint < 0 || !point.is_skinned) continue;
    Farthest& joint = farthest[idx(point.joint)];
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const float far_m = dot(point.position, ways[i]);
      if (far_m <= joint.far_m[i]) continue;
      joint.far_m[i] = far_m;
      joint.at[i] = joint_from_root[idx(point.joint)].apply_point(point.position);
    }
  }
  for (int j = 0; j < rig.skeleton->num_joints(); ++j) {
    const Farthest& joint = farthest[idx(j)];
    if (joint.far_m[0] == kNone) continue;
    const bool leg = is_limb(j);
    const std::size_t first = points_.size();
    for (const Vec3& at : joint.at) {
      const auto is_known = [&](const Point& point) { return point.joint_space == at; };
      if (std::none_of(points_.begin() + static_cast<std::ptrdiff_t>(first), points_.end(), is_known))
        points_.push_back({j, at, leg});
    }
  }
  if (points_.empty()) {
    // Bones alone: as thick as they are high where the body lies on them, else a fraction of its length.
    const float length_m = alive.plan.settings.body_length_m;
    float low_m = std::numeric_limits<float>::infinity();
    const int hips = alive.analysis.hips;
    for (int j = 0; j < rig.skeleton->num_joints(); ++j) {
      // A root on the ground is no flesh.
      if (hips != kNoJoint && j != hips && rig.is_below(hips, j)) continue;
      points_.push_back({j, {}, is_limb(j)});
      low_m = std::min(low_m, rig.at(j).y);
    }
    const bool lies = alive.plan.locomotion == control::Locomotion::kCrawl;
    thickness_m_ = lies ? std::clamp(low_m, 0.0F, 0.06F * length_m) : 0.02F * length_m;
  }
  has_trunk_ = std::any_of(points_.begin(), points_.end(), [](const Point& point) { return !point.is_limb; });
}

float BodyHull::lowest_m(std::span<const Affine> model_from_joint, bool without_limbs) const {
  float low = std::numeric_limits<float>::infinity();
  // A body may be legs alone.
  const bool skips = without_limbs && has_trunk_;
  for (const Point& point : points_) {
    if (skips && point.is_limb) continue;
    low = std::min(low, model_from_joint[idx(point.joint)].apply_point(point.joint_space).y);
  }
  return low - thickness_m_;
}

}  // namespace zoe::author

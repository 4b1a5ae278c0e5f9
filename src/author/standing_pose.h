// SPDX-License-Identifier: MIT
// Part of Zoetrope. The pose in which a body stands, found in its data.
#pragma once

#include <span>
#include <vector>

#include "zoe/control/body.h"

namespace zoe::author {

// Sees the poses of the data one by one, in the root's space.
class StandingPose {
 public:
  // is_still: the root is at rest and every foot is on the ground. stance: [legs] How much a leg carries the body and
  // is upright, 0 to 1.
  void add(const Pose& pose, bool is_still, std::span<const control::BodyLeg> legs, std::span<const float> stance);
  // The most typical standing frame. Data without them: the mean of all poses, in which arms hang down halfway between
  // steps, on legs that are the mean of those in mid-stance. Its feet need not be on the ground. Needs at least one
  // pose.
  void find(control::Body& body) const;

 private:
  struct LegSum {
    Quat hip{0, 0, 0, 0}, knee{0, 0, 0, 0}, ankle{0, 0, 0, 0};
    float weight = 0;
  };
  std::vector<Pose> still_;
  Pose sum_;
  float count_ = 0;
  std::vector<LegSum> legs_;
  float hips_m_ = 0;  // Sum of heights of joint 0, weighted as legs.
};

}  // namespace zoe::author

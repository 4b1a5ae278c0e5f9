// SPDX-License-Identifier: MIT
// Part of Zoetrope. How bodies meet props: capsules inside them, and feet that slide meanwhile.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "zoe/control/controller.h"
#include "zoe/eval/record.h"
#include "zoe/ground/prop.h"

namespace zoe::eval {

struct DepthOptions {
  float height_m = 1.7F;  // Of the body: control::body_height_m().
  std::array<int, 2> hands{kNoJoint, kNoJoint};
  int used = -1;  // Prop that hands, lower arms and what sits on it may touch; -1: none.
  std::span<const int> shins =
      {};                  // Ends of bones that do not lie on a used seat: ankles, toes. Empty: a used seat is skipped.
  float finger_share = 0;  // Radius of what is below a hand, of the body's height; 0: as all bones.
  int* deepest_joint = nullptr;  // Optional, set where a capsule is deeper than 0: the end of its bone.
};
// Deepest capsule of one frame inside a prop: 4 % of the body's height around every bone. Negative: none touches.
float depth_in_props(const Skeleton& skeleton, std::span<const Affine> models, std::span<const Prop> props,
                     const DepthOptions& options);

// Mean speed of the foot parts whose contact the model reports; and of all foot parts, weighted by how near they are to
// the ground (Zhang et al., 2018: v (2 - 2^(h / 2.5 cm))), which needs no contacts.
class FootSkate {
 public:
  void add(const control::Controller& controller, const Recording& recording);
  void add(const FootSkate& other) {
    sum_mps_ += other.sum_mps_, count_ += other.count_;
    low_mps_ += other.low_mps_, num_low_ += other.num_low_;
  }
  double low_cm_s() const { return num_low_ > 0 ? 100 * low_mps_ / static_cast<double>(num_low_) : 0; }
  double cm_s() const { return count_ > 0 ? 100 * sum_mps_ / static_cast<double>(count_) : 0; }

 private:
  double sum_mps_ = 0, low_mps_ = 0;
  std::int64_t count_ = 0, num_low_ = 0;
};

}  // namespace zoe::eval

// SPDX-License-Identifier: MIT
// Part of Zoetrope. The middle of the body: hips, spine, head and tail.
#pragma once

#include <vector>

#include "anatomy/limbs.h"

namespace zoe::anatomy {

struct Middle {
  int hips = kNoJoint, head = kNoJoint;
  std::vector<int> spine, tail;
  bool hips_by_names = false, head_by_names = false, tail_by_names = false;
};

Middle find_middle(const Body& body, const Symmetry& symmetry, const std::vector<Limb>& limbs, Vec3 forward);

}  // namespace zoe::anatomy

// SPDX-License-Identifier: MIT
// Part of Zoetrope. Bones of people by their standard names, those of VRM 1.0: "hips", "leftUpperArm", ….
#pragma once

#include <string>

namespace zoe {

struct HumanBone {
  std::string name;
  int joint = -1;  // In the skeleton.
  friend bool operator==(const HumanBone&, const HumanBone&) = default;
};

}  // namespace zoe

// SPDX-License-Identifier: MIT
// Part of Zoetrope. Which joints of a skeleton become simulated bones.
#pragma once

#include "zoe/physics/body_plan.h"

namespace zoe::physics {

struct SelectedBones {
  std::vector<int> joints;         // Parents first; the first is the root.
  std::vector<BoneRole> roles;     // [bones]
  std::vector<int> parents;        // [bones] index of a bone, -1 for the root.
  std::vector<int> bone_of_joint;  // [skeleton joints]
};

// Limbs to hands and toes, spine, head, tail and what connects them. Fingers, end sites, and joints that never move in
// the clips are carried by their parent bone: they would cost time and add nothing.
Result<SelectedBones> select_bones(const BodySource& source);

}  // namespace zoe::physics

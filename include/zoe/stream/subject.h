// SPDX-License-Identifier: MIT
// Part of Zoetrope. A character on a link.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "zoe/character/human_bone.h"
#include "zoe/character/skeleton.h"

namespace zoe::stream {

constexpr std::uint32_t kMaxPacketJoints = 4096;

// What links to VTuber programs need of a person.
struct Humanoid {
  std::vector<HumanBone> bones;
  std::vector<Quat> t_pose;  // [joints] Model-space rotations in the T-pose that looks along +Z.
};

struct Subject {
  std::uint32_t id = 0;
  std::string name;
  double fps = 60;  // Of its poses.
  SkeletonPtr skeleton;
  std::shared_ptr<const Humanoid> humanoid;  // vmc:// needs it; may be null elsewhere.
};

}  // namespace zoe::stream

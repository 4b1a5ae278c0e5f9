// SPDX-License-Identifier: MIT
// Part of Zoetrope. A character on a link.
#pragma once

#include <cstdint>
#include <string>

#include "zoe/character/skeleton.h"

namespace zoe::stream {

constexpr std::uint32_t kMaxPacketJoints = 4096;

struct Subject {
  std::uint32_t id = 0;
  std::string name;
  double fps = 60;  // Of its poses.
  SkeletonPtr skeleton;
};

}  // namespace zoe::stream

// SPDX-License-Identifier: MIT
// Part of Zoetrope. The HIERARCHY part of a BVH file, in the file's own units and axes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zoe/character/skeleton.h"
#include "zoe/io/asset.h"

#include "io/bvh/text.h"

namespace zoe::io::bvh {

enum class ChannelKind : std::uint8_t { kPosition, kRotation, kScale };

// One column of the motion rows.
struct Channel {
  int joint = 0;
  ChannelKind kind = ChannelKind::kRotation;
  int axis = 0;  // 0 x, 1 y, 2 z.
};

struct Hierarchy {
  std::vector<JointDesc> joints;  // rest_local holds OFFSET, unscaled; no rotation.
  std::vector<Channel> channels;  // In the file's order.
  bool has_motion = false;        // True if the MOTION keyword followed.
};

// Reads from the start of the text to the character after the MOTION keyword, or to the end of the text.
Result<Hierarchy> parse_hierarchy(Cursor& cursor, const ReadLimits& limits, WarningLog& log);

}  // namespace zoe::io::bvh

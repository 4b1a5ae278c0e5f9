// SPDX-License-Identifier: MIT
// Part of Zoetrope. The joints and tags of a clip in a motion database, from the layout of its rows.
#pragma once

#include <vector>

#include "zoe/features/decode.h"

namespace zoe::control {

struct ClipLayout {
  features::Decoder decoder;
  std::vector<int> moving_joints;  // Joints with decoded positions: hips, and joints without a decoded ancestor.
  std::vector<int> contact_joints;
  std::vector<int> tag_columns;  // [tags] Column of a row. -1: the layout has none.

  // The layout's output must be one step that a Decoder reads.
  static Result<ClipLayout> create(const features::Layout& layout, const SkeletonPtr& skeleton);
};

}  // namespace zoe::control

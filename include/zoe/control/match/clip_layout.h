// SPDX-License-Identifier: MIT
// Part of Zoetrope. Which joints and tags a clip of a motion database stores, by the layout of its rows.
#pragma once

#include <vector>

#include "zoe/features/decode.h"

namespace zoe::control {

struct ClipLayout {
  features::Decoder decoder;
  std::vector<int> moving_joints;  // Whose positions are decoded: hips, and what hangs on no decoded joint.
  std::vector<int> contact_joints;
  std::vector<int> tag_columns;  // [tags] column of a row; -1: the layout has none.

  // The layout's output must be one step that a Decoder reads.
  static Result<ClipLayout> create(const features::Layout& layout, const SkeletonPtr& skeleton);
};

}  // namespace zoe::control

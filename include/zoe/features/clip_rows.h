// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frame rows of one clip.
#pragma once

namespace zoe::features {

// Rows of one clip: [num_rows × layout.frame_width()] floats, in memory or in a mapped file.
struct ClipRows {
  const float* rows = nullptr;
  int num_rows = 0;
};

}  // namespace zoe::features

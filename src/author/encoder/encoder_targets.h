// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a motion encoder learns: rows of windows, and what is to be told of each.
#pragma once

#include "zoe/eval/damage.h"
#include "zoe/eval/described_clips.h"

namespace zoe::author {

// Windows of the clip as it is, then with each damage. Levels follow from the name of the clip.
Result<std::vector<eval::MotionWindows>> describe_damaged(const Motion& clip, const SkeletonAnalysis& body,
                                                          const std::string& source);

struct EncoderRows {
  std::vector<float> x, y;  // [rows × x_width], [rows × y_width]
  int x_width = 0, y_width = 0;
  std::size_t num_rows = 0;
  std::vector<std::string> words;
};
EncoderRows make_encoder_rows(std::span<const eval::DescribedClip> clips);

}  // namespace zoe::author

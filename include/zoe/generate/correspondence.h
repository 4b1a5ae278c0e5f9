// SPDX-License-Identifier: MIT
// Part of Zoetrope. Which joint of one body does what a joint of another does, and which moment of one motion is like a
// moment of another: by shape, graph and names, and by a network's codes where there is one.
#pragma once

#include <span>
#include <vector>

#include "zoe/generate/body_model.h"

namespace zoe::generate {

struct JointMatch {
  int a = 0, b = 0;       // Joints of the skeletons.
  double confidence = 0;  // 0 to 1: how much better than the next joint that is no neighbour; halved unless mutual.
  bool mutual = false;    // Each is the other's best.
};

struct CorrespondOptions {
  double shape = 1, names = 1, codes = 1;  // Weights.
  int rounds = 3;                          // In which pairs learn from the pairs of their parents and children.
};

// For every joint of b the best of a. Codes: of joints, [tokens × width], or empty.
std::vector<JointMatch> correspond_joints(const features::BodyTokens& a, const features::BodyTokens& b,
                                          std::span<const float> codes_a = {}, std::span<const float> codes_b = {},
                                          const CorrespondOptions& options = {});

struct FrameMatch {
  int a = 0, b = 0;
};
// Dynamic time warping: the cheapest path from the first pair of frames to the last that never goes back. Rows are
// [frames × width], compared by their cosine.
std::vector<FrameMatch> correspond_frames(std::span<const float> a, std::span<const float> b, int width);

}  // namespace zoe::generate

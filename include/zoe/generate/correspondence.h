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

// The part of the body that each joint belongs to: limbs in the order of the analysis, then head, tail and trunk.
struct BodyParts {
  struct Limb {
    LimbKind kind = LimbKind::kLeg;
    Side side = Side::kCenter;
    double along = 0;  // Of its first joint between the hips (0) and the head (1).
  };
  std::vector<Limb> limbs;
  std::vector<int> part;         // [tokens] Limb, or kHeadPart, kTailPart, kTrunkPart, kNoPart.
  std::vector<double> position;  // [tokens] Arc length within the part, 0 at the body to 1 at the tip.
};
constexpr int kNoPart = -1, kTrunkPart = -2, kHeadPart = -3, kTailPart = -4;

BodyParts find_body_parts(const features::BodyTokens& body, const Skeleton& skeleton, const SkeletonAnalysis& analysis);

// [limbs of b] the limb of a that does the same work, or -1: same side, in the order from the hips to the head. Arms,
// wings and front legs are alike, and so are legs of bipeds and hind legs.
std::vector<int> correspond_limbs(const BodyParts& a, const BodyParts& b);

struct CorrespondOptions {
  double shape = 1, names = 1, codes = 1;  // Weights.
  double parts = 3;                        // Of joints of parts that belong to each other, where parts are given.
  const BodyParts *parts_a = nullptr, *parts_b = nullptr;
  int rounds = 3;  // In which pairs learn from the pairs of their parents and children.
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

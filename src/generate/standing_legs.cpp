// SPDX-License-Identifier: MIT
#include "generate/standing_legs.h"

#include <algorithm>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/core/index.h"

namespace zoe::generate {

SkeletonAnalysis with_leg_ends(const SkeletonAnalysis& analysis, std::span<const LoosePart> parts,
                               const Skeleton& skeleton) {
  SkeletonAnalysis out = analysis;
  std::size_t leg = 0;
  for (Limb& limb : out.limbs) {
    if (limb.kind != LimbKind::kLeg || leg >= out.feet.size()) continue;
    int& foot = out.feet[leg++];
    for (const LoosePart& part : parts) {
      if (!part.is_foot) continue;
      const auto end = std::find(limb.joints.begin(), limb.joints.end(), part.carrier);
      if (end != limb.joints.end()) {
        limb.joints.erase(end + 1, limb.joints.end());
      } else if (skeleton.parent(part.carrier) == limb.joints.back()) {
        limb.joints.push_back(part.carrier);
      } else {
        continue;
      }
      foot = part.carrier;
      break;
    }
  }
  return out;
}

float length_of_legs(const SkeletonAnalysis& analysis, const Skeleton& skeleton) {
  std::vector<float> lengths;
  std::size_t leg = 0;
  for (const Limb& limb : analysis.limbs) {
    if (limb.kind != LimbKind::kLeg || leg >= analysis.feet.size()) continue;
    const int foot = analysis.feet[leg++];
    float sum = 0;
    for (std::size_t i = 1; i < limb.joints.size() && limb.joints[i - 1] != foot; ++i)
      sum += distance(skeleton.rest_model()[idx(limb.joints[i - 1])].t, skeleton.rest_model()[idx(limb.joints[i])].t);
    if (sum > 0) lengths.push_back(sum);
  }
  if (lengths.empty()) return 0;
  std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), lengths.end());
  return lengths[lengths.size() / 2];
}

std::vector<float> standing_heights(const SkeletonAnalysis& analysis, const Skeleton& skeleton, float leg_m) {
  constexpr float kHighest = 0.33F;  // Leg lengths of the lowest toe above the lowest point of the body.
  const auto height_of = [&](int joint) {
    return analysis.reference_positions.empty() ? skeleton.rest_model()[idx(joint)].t.y
                                                : analysis.reference_positions[idx(joint)].y;
  };
  // Each foot from its ankle to its toes, without tips: those are often as long as a bone, and below the sole.
  std::vector<float> heights, soles;
  for (const std::vector<int>& parts : foot_parts(analysis)) {
    heights.push_back(height_of(parts.front()));
    soles.push_back(heights.back());
    for (const int part : parts)
      if (skeleton.kind(part) == JointKind::kBone) soles.back() = std::min(soles.back(), height_of(part));
  }
  if (heights.empty()) return heights;
  const float lowest = *std::min_element(soles.begin(), soles.end());
  float ground = static_cast<float>(analysis.ground_height);
  if (ground > lowest || lowest - ground > kHighest * leg_m) ground = lowest;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    // A foot that is raised in the reference pose stands as the lowest one does.
    if (soles[i] - lowest > kHighest * leg_m) heights[i] -= soles[i] - lowest;
    heights[i] -= ground;
  }
  return heights;
}

}  // namespace zoe::generate

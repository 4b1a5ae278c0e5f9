// SPDX-License-Identifier: MIT
#include "eval/body_parts.h"

#include <algorithm>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/core/index.h"

namespace zoe::eval {
namespace {

// [joints] Length of the bone that ends in each joint. Only descendants of the analysis' root have one.
std::vector<float> bone_lengths_of(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  const std::size_t joints = idx(skeleton.num_joints());
  std::vector<float> lengths(joints, 0.0F);
  if (analysis.reference_positions.size() != joints) return lengths;
  std::vector<std::uint8_t> below(joints, analysis.root == kNoJoint ? 1 : 0);
  if (analysis.root != kNoJoint) below[idx(analysis.root)] = 1;
  for (std::size_t j = 0; j < joints; ++j) {
    const int parent = skeleton.parent(static_cast<int>(j));
    if (parent == kNoJoint) continue;
    below[j] = below[j] != 0 || below[idx(parent)] != 0 ? 1 : 0;
    if (below[idx(parent)] != 0)
      lengths[j] = length(analysis.reference_positions[j] - analysis.reference_positions[idx(parent)]);
  }
  for (int j = analysis.hips; j != kNoJoint && j != analysis.root; j = skeleton.parent(j)) lengths[idx(j)] = 0;
  return lengths;
}

float longest_chain(const Skeleton& skeleton, const std::vector<float>& lengths) {
  std::vector<float> reach(lengths.size(), 0.0F);  // From the joint down to its farthest end.
  float longest = 0;
  for (std::size_t j = lengths.size(); j-- > 0;) {  // Children come after their parents.
    const int parent = skeleton.parent(static_cast<int>(j));
    longest = std::max(longest, reach[j]);
    if (parent == kNoJoint) continue;
    const float through = reach[j] + lengths[j];
    longest = std::max(longest, reach[idx(parent)] + through);
    reach[idx(parent)] = std::max(reach[idx(parent)], through);
  }
  return longest;
}

std::vector<Part> assign_parts(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  const std::size_t joints = idx(skeleton.num_joints());
  std::vector<Part> part(joints, Part::kAll);  // kAll: not known yet.
  for (const int j : analysis.spine) part[idx(j)] = Part::kTrunk;
  for (const int j : analysis.tail) part[idx(j)] = Part::kTail;
  for (const Limb& limb : analysis.limbs) {
    for (const int j : limb.joints) part[idx(j)] = limb.kind == LimbKind::kLeg ? Part::kLegs : Part::kArms;
  }
  for (const int j : {analysis.hips, analysis.head}) {
    if (j != kNoJoint) part[idx(j)] = Part::kTrunk;
  }
  for (std::size_t j = 0; j < joints; ++j) {
    if (part[j] != Part::kAll) continue;
    const int parent = skeleton.parent(static_cast<int>(j));
    part[j] = parent == kNoJoint ? Part::kTrunk : part[idx(parent)];
  }
  return part;
}

}  // namespace

BodyParts find_body_parts(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  BodyParts body;
  body.weights = bone_lengths_of(skeleton, analysis);
  body.length = longest_chain(skeleton, body.weights);
  body.part_of = assign_parts(skeleton, analysis);
  double total = 0;
  for (const float weight : body.weights) total += static_cast<double>(weight);
  for (std::size_t j = 0; j < body.weights.size(); ++j) {
    body.weights[j] = total > 0 ? static_cast<float>(static_cast<double>(body.weights[j]) / total) : 0.0F;
    body.shares[static_cast<std::size_t>(body.part_of[j])] += body.weights[j];
  }
  body.shares[static_cast<std::size_t>(Part::kAll)] = 1;

  for (const std::vector<int>& foot : foot_parts(analysis))
    body.supports.insert(body.supports.end(), foot.begin(), foot.end());
  body.has_feet = !body.supports.empty();
  for (std::size_t j = 0; j < body.weights.size() && !body.has_feet; ++j) {
    if (body.weights[j] > 0) body.supports.push_back(static_cast<int>(j));
  }
  const auto limb_at = [&](int tip) {
    return std::find_if(analysis.limbs.begin(), analysis.limbs.end(),
                        [&](const Limb& limb) { return !limb.joints.empty() && limb.joints.back() == tip; });
  };
  for (const JointPair& pair : analysis.pairs) {
    const auto left = limb_at(pair.left), right = limb_at(pair.right);
    if (left == analysis.limbs.end() || right == analysis.limbs.end()) continue;
    (left->kind == LimbKind::kLeg ? body.legs : body.arms).emplace_back(pair.left, pair.right);
  }
  for (const auto& arm : body.arms) {
    for (const auto& leg : body.legs) {
      body.arm_leg_same.insert(body.arm_leg_same.end(), {{arm.first, leg.first}, {arm.second, leg.second}});
      body.arm_leg_cross.insert(body.arm_leg_cross.end(), {{arm.first, leg.second}, {arm.second, leg.first}});
    }
  }
  for (std::size_t i = 1; i < body.legs.size(); ++i) {
    const auto &one = body.legs[i - 1], &next = body.legs[i];
    body.row_same.insert(body.row_same.end(), {{one.first, next.first}, {one.second, next.second}});
    body.row_cross.insert(body.row_cross.end(), {{one.first, next.second}, {one.second, next.first}});
  }
  for (std::size_t j = 0; j < body.weights.size(); ++j) {
    const int parent = skeleton.parent(static_cast<int>(j));
    const int above = parent == kNoJoint ? kNoJoint : skeleton.parent(parent);
    const bool is_chain = body.part_of[j] == Part::kTrunk || body.part_of[j] == Part::kTail;
    if (above != kNoJoint && is_chain && body.weights[j] > 0) body.chain.emplace_back(static_cast<int>(j), above);
  }
  body.axis_from = analysis.hips;
  body.axis_to = analysis.head != kNoJoint ? analysis.head : analysis.spine.empty() ? kNoJoint : analysis.spine.back();
  if (body.axis_to == body.axis_from) body.axis_from = body.axis_to = kNoJoint;
  return body;
}

}  // namespace zoe::eval

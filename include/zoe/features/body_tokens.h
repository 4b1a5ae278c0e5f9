// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a network for any skeleton sees of a body: one token per joint of an `anytop` layout, with the
// rest pose, roles, pieces of the joint's name, and the graph of all pairs. Motions become numbers without a unit,
// relative to the rest pose, so that no statistics of the body's own motions are needed.
//
//   const BodyTokens body = body_tokens(layout, skeleton, analysis).value();
//   to_canonical(body, frames);      // [frames × tokens × 13] of the layout's output, in place
//   from_canonical(body, frames);
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "zoe/features/layout.h"

namespace zoe::features {

constexpr int kTokenWidth = 13;  // Position (3), rotation (6), velocity (3; of the hips the root's step), contact (1).
// Position and bone (3 each, in scales), length of the bone, log of the scale, side, ten roles: leg, arm, wing, fin,
// spine, head, tail, foot, hand, leaf.
constexpr int kBodyWidth = 19;
constexpr int kNameWidth = 256;  // Buckets of pieces of names.
// Relations of a pair of joints, then the number of bones between them.
enum class JointRelation { kSelf, kParent, kChild, kSibling, kNone, kLeaf, kMirror };
constexpr int kNumRelations = 7, kMaxHops = 5;
constexpr int kRelationClasses = kNumRelations + kMaxHops + 1;

struct BodyTokens {
  std::vector<int> joints;       // [tokens] of the skeleton; the hips first.
  std::vector<int> parents;      // [tokens] token of the parent, or kNoJoint.
  float scale_m = 1;             // Lengths are divided by it: the spread of the joints at rest around their centre.
  std::vector<float> rest;       // [tokens × kTokenWidth] The rest pose in the layout's own numbers, on the ground.
  std::vector<float> body;       // [tokens × kBodyWidth]
  std::vector<float> names;      // [tokens × kNameWidth] Of length 1; zero for a joint without a name.
  std::vector<float> relations;  // [tokens × tokens × 2] Class of the relation, and kNumRelations + bones between.

  int num_tokens() const { return static_cast<int>(joints.size()); }
};

// Refuses layouts whose output is not that of `anytop`. The skeleton is that of the layout.
Result<BodyTokens> body_tokens(const Layout& layout, const SkeletonPtr& skeleton, const SkeletonAnalysis& analysis);

// Pieces of a joint's name as a bag of kNameWidth buckets: words and their groups of three letters, without the side.
// A function of the name alone: there is no vocabulary that a new name could be missing from. out: [kNameWidth]
void name_pieces(std::string_view name, std::span<float> out);

// [tokens × tokens × 2] from the parents (kNoJoint: none) and the token of the mirror image of each (itself: none).
std::vector<float> joint_relations(std::span<const int> parents, std::span<const int> mirrors);

// [frames × tokens × kTokenWidth] of the layout's output <-> numbers relative to the rest pose, in scales and seconds.
void to_canonical(const BodyTokens& body, std::span<float> frames);
void from_canonical(const BodyTokens& body, std::span<float> frames);

}  // namespace zoe::features

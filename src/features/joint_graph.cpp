// SPDX-License-Identifier: MIT
// Names and pairs of joints as numbers.
#include <algorithm>
#include <cmath>

#include "zoe/anatomy/names.h"
#include "zoe/core/check.h"
#include "zoe/core/hash.h"
#include "zoe/core/index.h"
#include "zoe/features/body_tokens.h"

namespace zoe::features {

void name_pieces(std::string_view name, std::span<float> out) {
  ZOE_CHECK(out.size() == kNameWidth, "name_pieces: out is [kNameWidth]");
  std::fill(out.begin(), out.end(), 0.0F);
  const auto add = [&](std::string_view piece) { out[hash_text(piece, 0x6e616d65).low % kNameWidth] += 1; };
  std::vector<std::string> words = anatomy::tokenise(anatomy::read_name(name).stem);
  if (words.empty() && !name.empty()) words.emplace_back(name);  // Other alphabets: the bytes.
  for (const std::string& word : words) {
    const bool number = std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number) continue;  // Order in a chain is in the graph.
    const std::string marked = "^" + word + "$";
    add(marked);
    for (std::size_t i = 0; i + 3 <= marked.size(); ++i) add(std::string_view(marked).substr(i, 3));
  }
  double squares = 0;
  for (const float value : out) squares += double{value} * double{value};
  if (squares > 0)
    for (float& value : out) value /= static_cast<float>(std::sqrt(squares));
}

std::vector<float> joint_relations(std::span<const int> parents, std::span<const int> mirrors) {
  const std::size_t tokens = parents.size();
  ZOE_CHECK(mirrors.size() == tokens, "joint_relations: a mirror image per token");
  std::vector<int> hops(tokens * tokens, kMaxHops);
  const auto linked = [&](std::size_t i, std::size_t j) {
    return parents[i] == static_cast<int>(j) || parents[j] == static_cast<int>(i);
  };
  std::vector<char> has_child(tokens, 0);
  for (const int parent : parents)
    if (parent != kNoJoint) has_child[idx(parent)] = 1;
  // Breadth first from each token, kMaxHops levels.
  std::vector<std::vector<std::size_t>> neighbours(tokens);
  for (std::size_t i = 0; i < tokens; ++i) {
    if (parents[i] == kNoJoint) continue;
    neighbours[i].push_back(idx(parents[i]));
    neighbours[idx(parents[i])].push_back(i);
  }
  std::vector<std::size_t> edge, next;
  for (std::size_t i = 0; i < tokens; ++i) {
    hops[i * tokens + i] = 0;
    edge = {i};
    for (int level = 1; level < kMaxHops && !edge.empty(); ++level) {
      next.clear();
      for (const std::size_t from : edge) {
        for (const std::size_t to : neighbours[from]) {
          if (hops[i * tokens + to] <= level) continue;
          hops[i * tokens + to] = level;
          next.push_back(to);
        }
      }
      edge.swap(next);
    }
  }
  std::vector<float> relations(tokens * tokens * 2);
  for (std::size_t i = 0; i < tokens; ++i) {
    for (std::size_t j = 0; j < tokens; ++j) {
      JointRelation relation = JointRelation::kNone;
      if (i == j)
        relation = has_child[i] != 0 ? JointRelation::kSelf : JointRelation::kLeaf;
      else if (linked(i, j))
        relation = parents[i] == static_cast<int>(j) ? JointRelation::kParent : JointRelation::kChild;
      else if (mirrors[i] == static_cast<int>(j))
        relation = JointRelation::kMirror;
      else if (parents[i] != kNoJoint && parents[i] == parents[j])
        relation = JointRelation::kSibling;
      relations[2 * (i * tokens + j)] = static_cast<float>(relation);
      relations[2 * (i * tokens + j) + 1] = static_cast<float>(kNumRelations + hops[i * tokens + j]);
    }
  }
  return relations;
}

}  // namespace zoe::features

// SPDX-License-Identifier: MIT
#include "anatomy/mirror_partners.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/names.h"
#include "zoe/core/index.h"

namespace zoe::anatomy {
namespace {

constexpr int kUnset = -2;
static_assert(kNoJoint != kUnset);

class Partners {
 public:
  Partners(const Skeleton& skeleton, const SkeletonAnalysis& analysis)
      : skeleton_(skeleton),
        partners_(idx(skeleton.num_joints()), kUnset),
        found_(partners_.size(), kNoJoint),
        children_(partners_.size()),
        subtree_(partners_.size(), 1) {
    for (const JointPair& pair : analysis.pairs) {
      found_[idx(pair.left)] = pair.right;
      found_[idx(pair.right)] = pair.left;
    }
    for (int j = skeleton.num_joints() - 1; j >= 0; --j) {
      names_.push_back(anatomy::read_name(skeleton.name(j)));
      if (const int parent = skeleton.parent(j); parent != kNoJoint) {
        children_[idx(parent)].push_back(j);
        subtree_[idx(parent)] += subtree_[idx(j)];
      } else {
        roots_.push_back(j);
      }
    }
    std::reverse(names_.begin(), names_.end());
    for (auto& list : children_) std::reverse(list.begin(), list.end());
    std::reverse(roots_.begin(), roots_.end());
  }

  std::vector<int> run() {
    pair_siblings(roots_, roots_, true);
    for (int j = 0; j < skeleton_.num_joints(); ++j) {  // Parents first.
      const int partner = partners_[idx(j)];
      if (partner == kNoJoint) {
        for (const int child : children_[idx(j)]) partners_[idx(child)] = kNoJoint;
      } else if (partner >= j) {
        pair_siblings(children_[idx(j)], children_[idx(partner)], partner == j);
      }
    }
    return std::move(partners_);
  }

 private:
  void join(int a, int b) {
    partners_[idx(a)] = b;
    partners_[idx(b)] = a;
  }
  bool is_open(int joint) const { return partners_[idx(joint)] == kUnset; }

  // Children of a joint and of its partner, or of one joint in the middle.
  void pair_siblings(const std::vector<int>& of_a, const std::vector<int>& of_b, bool same) {
    for (const int a : of_a) {
      const int b = found_[idx(a)];
      if (b != kNoJoint && is_open(a) && is_open(b) && std::find(of_b.begin(), of_b.end(), b) != of_b.end()) join(a, b);
    }
    for (const int a : of_a) {
      for (const int b : of_b) {
        if (a != b && is_open(a) && is_open(b) && are_opposite(a, b)) join(a, b);
      }
    }
    if (same) {
      for (const int a : of_a) {
        if (is_open(a)) partners_[idx(a)] = a;
      }
      return;
    }
    pair_by_likeness(of_a, of_b);
    for (const auto* list : {&of_a, &of_b}) {
      for (const int joint : *list) {
        if (is_open(joint)) partners_[idx(joint)] = kNoJoint;
      }
    }
  }

  bool are_opposite(int a, int b) const {
    const auto &x = names_[idx(a)], &y = names_[idx(b)];
    return x.side != Side::kCenter && y.side != Side::kCenter && x.side != y.side && x.stem == y.stem;
  }

  // Bones of similar length with similar numbers of joints below; the most similar first.
  void pair_by_likeness(const std::vector<int>& of_a, const std::vector<int>& of_b) {
    while (true) {
      double least = 0.2;  // A fifth of the longer bone, or twice as many joints with equal bones.
      int best_a = kNoJoint, best_b = kNoJoint;
      for (const int a : of_a) {
        for (const int b : of_b) {
          if (!is_open(a) || !is_open(b) || skeleton_.kind(a) != skeleton_.kind(b)) continue;
          const double x = bone(a), y = bone(b);
          const double unlike = std::abs(x - y) / std::max({x, y, 1e-9}) +
                                0.28 * std::abs(std::log(static_cast<double>(subtree_[idx(a)]) / subtree_[idx(b)]));
          if (unlike >= least) continue;
          least = unlike;
          best_a = a;
          best_b = b;
        }
      }
      if (best_a == kNoJoint) return;
      join(best_a, best_b);
    }
  }
  double bone(int joint) const { return length(skeleton_.rest_local(joint).translation); }

  const Skeleton& skeleton_;
  std::vector<int> partners_, found_;
  std::vector<std::vector<int>> children_;
  std::vector<int> subtree_, roots_;
  std::vector<anatomy::NameReading> names_;
};

}  // namespace

std::vector<int> mirror_partners(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  return Partners(skeleton, analysis).run();
}

}  // namespace zoe::anatomy

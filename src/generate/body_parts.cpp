// SPDX-License-Identifier: MIT
// Limbs of two bodies that do the same work.
#include <algorithm>
#include <cmath>
#include <limits>

#include "zoe/core/index.h"
#include "zoe/generate/correspondence.h"

namespace zoe::generate {
namespace {

constexpr double kSkipCost = 0.45;       // Of a limb without a partner.
constexpr double kOtherKindCost = 0.15;  // A leg and an arm.

// The joint of `chain` that `joint` is or hangs from; -1: none. Stops at joints of other chains.
int place_in_chain(const Skeleton& skeleton, const std::vector<int>& chain, int joint) {
  for (int above = joint; above != kNoJoint; above = skeleton.parent(above)) {
    const auto found = std::find(chain.begin(), chain.end(), above);
    if (found != chain.end()) return static_cast<int>(found - chain.begin());
  }
  return -1;
}

double arc_share(const SkeletonAnalysis& analysis, const Skeleton& skeleton, const std::vector<int>& chain, int index) {
  const auto position = [&](int joint) {
    return analysis.reference_positions.empty() ? skeleton.rest_model()[idx(joint)].t
                                                : analysis.reference_positions[idx(joint)];
  };
  double whole = 0, part = 0;
  for (std::size_t k = 1; k < chain.size(); ++k) {
    whole += double{distance(position(chain[k - 1]), position(chain[k]))};
    if (static_cast<int>(k) == index) part = whole;
  }
  return whole > 0 ? part / whole : 0;
}

}  // namespace

BodyParts find_body_parts(const features::BodyTokens& body, const Skeleton& skeleton,
                          const SkeletonAnalysis& analysis) {
  BodyParts out;
  const auto position = [&](int joint) {
    return analysis.reference_positions.empty() ? skeleton.rest_model()[idx(joint)].t
                                                : analysis.reference_positions[idx(joint)];
  };
  // From the hips to the head; along the body where there is no head, or one beside the hips.
  const Vec3 hips = analysis.hips != kNoJoint ? position(analysis.hips) : Vec3{};
  int front = analysis.head;
  if (front == kNoJoint && !analysis.spine.empty()) front = analysis.spine.back();
  Vec3 axis = front != kNoJoint ? position(front) - hips : Vec3{};
  if (length(axis) < 1e-4F) axis = analysis.forward;
  const double squared = std::max(1e-12, double{dot(axis, axis)});
  for (const Limb& limb : analysis.limbs) {
    BodyParts::Limb part{limb.kind, limb.side, 0};
    if (!limb.joints.empty()) part.along = double{dot(position(limb.joints[0]) - hips, axis)} / squared;
    out.limbs.push_back(part);
  }
  for (const int joint : body.joints) {
    int part = kNoPart, nearest = std::numeric_limits<int>::max();
    double share = 0;
    // The part whose chain is met first on the way up owns the joint.
    const auto consider = [&](const std::vector<int>& chain, int name) {
      const int index = place_in_chain(skeleton, chain, joint);
      if (index < 0) return;
      int steps = 0;
      for (int above = joint; above != chain[idx(index)]; above = skeleton.parent(above)) ++steps;
      if (steps >= nearest) return;
      nearest = steps;
      part = name;
      share = arc_share(analysis, skeleton, chain, index);
    };
    for (std::size_t k = 0; k < analysis.limbs.size(); ++k) consider(analysis.limbs[k].joints, static_cast<int>(k));
    if (analysis.head != kNoJoint) consider({analysis.head}, kHeadPart);
    consider(analysis.tail, kTailPart);
    std::vector<int> trunk = analysis.spine;
    if (analysis.hips != kNoJoint && std::find(trunk.begin(), trunk.end(), analysis.hips) == trunk.end())
      trunk.insert(trunk.begin(), analysis.hips);
    // What hangs from the trunk beside it (bags, bones of control) is no part.
    if (nearest > 0 && std::find(trunk.begin(), trunk.end(), joint) != trunk.end()) consider(trunk, kTrunkPart);
    out.part.push_back(part);
    out.position.push_back(share);
  }
  return out;
}

std::vector<int> correspond_limbs(const BodyParts& a, const BodyParts& b) {
  std::vector<int> out(b.limbs.size(), -1);
  for (const Side side : {Side::kLeft, Side::kRight, Side::kCenter}) {
    const auto of_side = [&](const BodyParts& body) {
      std::vector<int> limbs;
      for (std::size_t k = 0; k < body.limbs.size(); ++k)
        if (body.limbs[k].side == side) limbs.push_back(static_cast<int>(k));
      std::stable_sort(limbs.begin(), limbs.end(),
                       [&](int x, int y) { return body.limbs[idx(x)].along < body.limbs[idx(y)].along; });
      return limbs;
    };
    const std::vector<int> from = of_side(a), to = of_side(b);
    // The cheapest pairing that keeps the order (Needleman and Wunsch, 1970).
    const std::size_t columns = to.size() + 1;
    std::vector<double> cost((from.size() + 1) * columns, 0);
    const auto pair_cost = [&](std::size_t i, std::size_t j) {
      const BodyParts::Limb &x = a.limbs[idx(from[i])], &y = b.limbs[idx(to[j])];
      return std::min(0.8, std::abs(x.along - y.along)) + (x.kind == y.kind ? 0 : kOtherKindCost);
    };
    for (std::size_t i = 0; i <= from.size(); ++i) {
      for (std::size_t j = 0; j <= to.size(); ++j) {
        if (i == 0 && j == 0) continue;
        double best = std::numeric_limits<double>::infinity();
        if (i > 0) best = std::min(best, cost[(i - 1) * columns + j] + kSkipCost);
        if (j > 0) best = std::min(best, cost[i * columns + j - 1] + kSkipCost);
        if (i > 0 && j > 0) best = std::min(best, cost[(i - 1) * columns + j - 1] + pair_cost(i - 1, j - 1));
        cost[i * columns + j] = best;
      }
    }
    for (std::size_t i = from.size(), j = to.size(); i > 0 && j > 0;) {
      const double here = cost[i * columns + j];
      if (here == cost[(i - 1) * columns + j - 1] + pair_cost(i - 1, j - 1)) {
        out[idx(to[j - 1])] = from[i - 1];
        --i, --j;
      } else if (here == cost[(i - 1) * columns + j] + kSkipCost) {
        --i;
      } else {
        --j;
      }
    }
  }
  return out;
}

}  // namespace zoe::generate

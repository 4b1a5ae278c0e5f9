// SPDX-License-Identifier: MIT
#include "anatomy/retarget_match.h"

#include <algorithm>
#include <cmath>

namespace zoe::anatomy_detail {
namespace {

using Joints = std::vector<int>;
using IndexPairs = std::vector<std::pair<std::size_t, std::size_t>>;

Vec3 at(const SkeletonAnalysis& body, int joint) { return body.reference_positions[static_cast<std::size_t>(joint)]; }

// Every entry of the shorter chain with one of the longer, ends with ends, spread evenly.
IndexPairs spread(std::size_t m, std::size_t n) {
  IndexPairs pairs;
  const std::size_t few = std::min(m, n), many = std::max(m, n);
  for (std::size_t i = 0; i < few; ++i) {
    // A lone joint is the last: of a spine, the one that carries the arms.
    const std::size_t j = few == 1 ? many - 1 : (i * (many - 1) + (few - 1) / 2) / (few - 1);
    pairs.emplace_back(m <= n ? i : j, m <= n ? j : i);
  }
  return pairs;
}

// Place of each joint along its chain, 0 to 1.
std::vector<float> places(const SkeletonAnalysis& body, const Joints& chain) {
  std::vector<float> place(chain.size(), 0.0F);
  for (std::size_t i = 1; i < chain.size(); ++i)
    place[i] = place[i - 1] + distance(at(body, chain[i]), at(body, chain[i - 1]));
  for (float& p : place) p /= std::max(place.back(), 1e-12F);
  return place;
}

// Hip with hip, foot with foot, and between them each joint of the shorter leg with the nearest of the longer.
IndexPairs by_place(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() > b.size()) {
    IndexPairs swapped = by_place(b, a);
    for (auto& pair : swapped) std::swap(pair.first, pair.second);
    return swapped;
  }
  IndexPairs pairs;
  std::size_t next = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t last = b.size() - (a.size() - i);  // Leaves one for each joint still to come.
    std::size_t best = i + 1 == a.size() ? last : next;
    for (std::size_t j = next; i > 0 && i + 1 < a.size() && j <= last; ++j)
      if (std::abs(b[j] - a[i]) < std::abs(b[best] - a[i])) best = j;
    pairs.emplace_back(i, best);
    next = best + 1;
  }
  return pairs;
}

// The last joints with each other: shoulder blades come first and are not in every rig.
IndexPairs from_the_end(std::size_t m, std::size_t n) {
  IndexPairs pairs;
  const std::size_t common = std::min(m, n);
  for (std::size_t i = 0; i < common; ++i) pairs.emplace_back(m - common + i, n - common + i);
  return pairs;
}

// Some rigs are called left on their right: what counts is where limbs are, lest legs cross.
bool is_called_mirrored(const SkeletonAnalysis& body) {
  const Vec3 left = cross(body.up, body.forward);
  double sum = 0;
  for (const JointPair& pair : body.pairs) sum += dot(at(body, pair.left) - at(body, pair.right), left);
  return sum < 0;
}

// Limbs of one kind and true side, hindmost first.
std::vector<const Limb*> limbs_of(const SkeletonAnalysis& body, LimbKind kind, Side side) {
  if (side != Side::kCenter && is_called_mirrored(body)) side = side == Side::kLeft ? Side::kRight : Side::kLeft;
  std::vector<const Limb*> limbs;
  for (const Limb& limb : body.limbs)
    if (limb.kind == kind && limb.side == side && !limb.joints.empty()) limbs.push_back(&limb);
  std::ranges::stable_sort(limbs, {}, [&](const Limb* limb) { return dot(at(body, limb->joints[0]), body.forward); });
  return limbs;
}

// Number of joints up to and with the foot or hand.
std::size_t length_to_end(const SkeletonAnalysis& body, const Limb& limb) {
  const Joints& ends = limb.kind == LimbKind::kLeg ? body.feet : body.hands;
  const auto found = std::ranges::find_first_of(limb.joints, ends);
  return found == limb.joints.end() ? limb.joints.size()
                                    : static_cast<std::size_t>(found - limb.joints.begin()) + 1;
}

class Matcher {
 public:
  Matcher(const SkeletonAnalysis& source, const SkeletonAnalysis& target) : source_(source), target_(target) {
    // A reference pose out of a clip shows a body in some posture; then the trunk and the feet are turned as well.
    postures_ = source.reference_clip >= 0 || target.reference_clip >= 0;
  }

  BodyMatch run() {
    match_.has_root = source_.root != kNoJoint && target_.root != kNoJoint && source_.root != source_.hips &&
                      target_.root != target_.hips;
    if (match_.has_root) add({source_.root, target_.root});
    add({source_.hips, target_.hips});
    const auto trunk = [](const SkeletonAnalysis& body) {
      Joints joints;
      for (const int joint : body.spine)
        if (joint != body.hips && joint != body.head && joint != body.root) joints.push_back(joint);
      return joints;
    };
    const Joints a = trunk(source_), b = trunk(target_);
    chain(a, b, spread(a.size(), b.size()), postures_);
    add({source_.head, target_.head});
    for (const LimbKind kind : {LimbKind::kLeg, LimbKind::kArm, LimbKind::kWing, LimbKind::kFin})
      for (const Side side : {Side::kLeft, Side::kRight, Side::kCenter}) limbs(kind, side);
    chain(source_.tail, target_.tail, spread(source_.tail.size(), target_.tail.size()), true);
    return std::move(match_);
  }

 private:
  // Index of the match, or -1 when a joint is absent or already has a counterpart.
  int add(const JointMatch& joint) {
    if (joint.source == kNoJoint || joint.target == kNoJoint) return -1;
    for (const JointMatch& other : match_.joints)
      if (other.target == joint.target || other.source == joint.source) return -1;
    match_.joints.push_back(joint);
    return static_cast<int>(match_.joints.size()) - 1;
  }

  // The last pair of an aligned chain takes the alignment of the one before when `carry_on`.
  void chain(const Joints& a, const Joints& b, const IndexPairs& pairs, bool align, bool carry_on = true) {
    int before = -1;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      JointMatch joint{a[pairs[k].first], b[pairs[k].second]};
      if (align && k + 1 < pairs.size()) {
        joint.source_end = a[pairs[k + 1].first];
        joint.target_end = b[pairs[k + 1].second];
      } else if (align && carry_on) {
        joint.aligned_as = before;
      }
      before = add(joint);
    }
  }

  void limbs(LimbKind kind, Side side) {
    const auto of_source = limbs_of(source_, kind, side), of_target = limbs_of(target_, kind, side);
    for (const auto& [i, j] : from_the_start(of_source.size(), of_target.size())) limb(*of_source[i], *of_target[j]);
  }

  static IndexPairs from_the_start(std::size_t m, std::size_t n) {
    IndexPairs pairs;
    for (std::size_t i = 0; i < std::min(m, n); ++i) pairs.emplace_back(i, i);
    return pairs;
  }

  void limb(const Limb& s, const Limb& t) {
    const std::size_t m = length_to_end(source_, s), n = length_to_end(target_, t);
    const Joints a(s.joints.begin(), s.joints.begin() + static_cast<long>(m));
    const Joints b(t.joints.begin(), t.joints.begin() + static_cast<long>(n));
    const Joints a_tip(s.joints.begin() + static_cast<long>(m), s.joints.end());
    const Joints b_tip(t.joints.begin() + static_cast<long>(n), t.joints.end());
    if (s.kind != LimbKind::kLeg) {
      chain(a, b, from_the_end(m, n), true);
    } else {
      const IndexPairs pairs = m == n || std::min(m, n) < 2 ? from_the_end(m, n)
                                                            : by_place(places(source_, a), places(target_, b));
      chain(a, b, pairs, true, false);
      if (m >= 3 && n >= 3) match_.legs.push_back({a, b});
      if (postures_ && !a_tip.empty() && !b_tip.empty() && !match_.joints.empty() &&
          match_.joints.back().source == a.back()) {
        match_.joints.back().source_end = a_tip[0];
        match_.joints.back().target_end = b_tip[0];
        if (m >= 3 && n >= 3) match_.joints.back().foot_of = static_cast<int>(match_.legs.size()) - 1;
      }
    }
    chain(a_tip, b_tip, from_the_start(a_tip.size(), b_tip.size()), false);
  }

  const SkeletonAnalysis& source_;
  const SkeletonAnalysis& target_;
  bool postures_ = false;
  BodyMatch match_;
};

}  // namespace

BodyMatch match_bodies(const SkeletonAnalysis& source, const SkeletonAnalysis& target) {
  return Matcher(source, target).run();
}

}  // namespace zoe::anatomy_detail

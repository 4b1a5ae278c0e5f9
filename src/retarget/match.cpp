// SPDX-License-Identifier: MIT
#include "retarget/match.h"

#include <algorithm>
#include <cmath>

#include "zoe/retarget/reference_pose.h"

#include "retarget/chain.h"
#include "retarget/fingers.h"
#include "retarget/joint_map.h"

namespace zoe::retarget_detail {
namespace {

Vec3 at(const SkeletonAnalysis& body, int joint) { return body.reference_positions[static_cast<std::size_t>(joint)]; }

// Some rigs name left what is on their right. The positions of limbs count, so that legs do not cross.
bool is_called_mirrored(const SkeletonAnalysis& body) {
  const Vec3 left = cross(body.up, body.forward);
  double sum = 0;
  for (const JointPair& pair : body.pairs) sum += dot(at(body, pair.left) - at(body, pair.right), left);
  return sum < 0;
}

// Limbs of one type and true side, hindmost first.
std::vector<const Limb*> limbs_of(const SkeletonAnalysis& body, LimbKind kind, Side side) {
  if (side != Side::kCenter && is_called_mirrored(body)) side = side == Side::kLeft ? Side::kRight : Side::kLeft;
  std::vector<const Limb*> limbs;
  for (const Limb& limb : body.limbs)
    if (limb.kind == kind && limb.side == side && !limb.joints.empty()) limbs.push_back(&limb);
  std::ranges::stable_sort(limbs, {}, [&](const Limb* limb) { return dot(at(body, limb->joints[0]), body.forward); });
  return limbs;
}

// Number of joints up to the foot or hand, inclusive.
std::size_t length_to_end(const SkeletonAnalysis& body, const Limb& limb) {
  const Joints& ends = limb.kind == LimbKind::kLeg ? body.feet : body.hands;
  const auto found = std::ranges::find_first_of(limb.joints, ends);
  return found == limb.joints.end() ? limb.joints.size() : static_cast<std::size_t>(found - limb.joints.begin()) + 1;
}

// The joint after the foot, where the foot has a usable length.
int ball_of(const SkeletonAnalysis& body, const Joints& leg, const Joints& tip) {
  if (tip.empty() || leg.size() < 2) return kNoJoint;
  const float shin = distance(at(body, leg[leg.size() - 1]), at(body, leg[leg.size() - 2]));
  return distance(at(body, leg.back()), at(body, tip[0])) > 0.1F * shin ? tip[0] : kNoJoint;
}

int ball_after(const SkeletonAnalysis& body, const Limb& limb, std::size_t length_to_foot) {
  const auto foot = limb.joints.begin() + static_cast<long>(length_to_foot);
  return ball_of(body, {limb.joints.begin(), foot}, {foot, limb.joints.end()});
}

// Whether the bone from a foot to its ball is within 17 degrees of level in the reference pose.
bool is_flat(const SkeletonAnalysis& body, int foot, int ball) {
  const Vec3 bone = at(body, ball) - at(body, foot);
  return std::abs(dot(bone, body.up)) < 0.3F * length(bone);
}

bool on_all_fours(const SkeletonAnalysis& body) {
  return body.family != BodyFamily::kBiped && body.family != BodyFamily::kBird && body.family != BodyFamily::kFlyer;
}

// Whether all legs have bones of the same proportions and stand as straight: two rigs of one animal. Equal bones are
// enough for a clip: one of a gallop has no frame in which the body stands.
bool have_one_build(const SkeletonAnalysis& a, const SkeletonAnalysis& b) {
  constexpr float kNear = 0.04F;     // Of a leg's length.
  constexpr float kUpright = 0.12F;  // The same: a clip shows a stance in some step.
  constexpr float kEqual = 0.01F;
  bool equal = true, upright = true;
  const auto shares = [](const SkeletonAnalysis& body, const Limb& limb) {
    const std::size_t last = std::min(length_to_end(body, limb), limb.joints.size() - 1);
    std::vector<float> bones;
    float whole = 0;
    for (std::size_t i = 1; i <= last; ++i) {
      bones.push_back(distance(at(body, limb.joints[i]), at(body, limb.joints[i - 1])));
      whole += bones.back();
    }
    const float height = dot(at(body, limb.joints[0]) - at(body, limb.joints[last]), body.up);
    for (float& bone : bones) bone /= std::max(whole, 1e-12F);
    return std::pair(bones, height / std::max(whole, 1e-12F));
  };
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const auto of_a = limbs_of(a, LimbKind::kLeg, side), of_b = limbs_of(b, LimbKind::kLeg, side);
    if (of_a.size() != of_b.size()) return false;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      const auto [bones_a, height_a] = shares(a, *of_a[i]);
      const auto [bones_b, height_b] = shares(b, *of_b[i]);
      if (bones_a.size() != bones_b.size()) return false;
      upright = upright && std::abs(height_a - height_b) <= kUpright;
      for (std::size_t k = 0; k < bones_a.size(); ++k) {
        const float apart = std::abs(bones_a[k] - bones_b[k]);
        if (apart > kNear) return false;
        equal = equal && apart <= kEqual;
      }
    }
  }
  return upright || (equal && (a.reference_clip >= 0 || b.reference_clip >= 0));
}

// The spine in two parts: up to the joint that carries the arms or front legs, and the neck. Without hips, head and
// root.
struct Trunk {
  Joints back, neck;
};
Trunk trunk_of(const Skeleton& skeleton, const SkeletonAnalysis& body) {
  Joints joints;
  for (const int joint : body.spine)
    if (joint != body.hips && joint != body.head && joint != body.root) joints.push_back(joint);
  std::size_t chest = 0;  // One past the last joint that carries a limb.
  for (const Limb& limb : body.limbs) {
    for (int j = limb.joints.empty() ? kNoJoint : limb.joints[0]; j != kNoJoint; j = skeleton.parent(j)) {
      const auto found = std::ranges::find(joints, j);
      if (found == joints.end()) continue;
      chest = std::max(chest, static_cast<std::size_t>(found - joints.begin()) + 1);
      break;
    }
  }
  if (chest == 0) chest = joints.size();
  const auto middle = joints.begin() + static_cast<long>(chest);
  return {{joints.begin(), middle}, {middle, joints.end()}};
}

// Whether a body on two legs holds its trunk forwards by its build, as a theropod does. A frame of a clip may only show
// someone who bends down.
bool leans(const SkeletonAnalysis& body, const Trunk& trunk) {
  constexpr float kUpright = 0.8F;  // Cosine of 37 degrees.
  if (body.reference_clip >= 0 || body.hips == kNoJoint || trunk.back.empty()) return false;
  const Vec3 line = at(body, trunk.back.back()) - at(body, body.hips);
  return dot(line, body.up) < kUpright * length(line);
}

class Matcher {
 public:
  Matcher(const Skeleton& source_skeleton, const SkeletonAnalysis& source, const Skeleton& target_skeleton,
          const SkeletonAnalysis& target, const JointMap& map)
      : source_skeleton_(source_skeleton),
        source_(source),
        target_skeleton_(target_skeleton),
        target_(target),
        map_(map) {
    // A reference pose from a clip has some posture; then the trunk and the feet are aligned as well.
    postures_ = source.reference_clip >= 0 || target.reference_clip >= 0;
    match_.alike = on_all_fours(source) == on_all_fours(target);
    match_.on_all_fours = on_all_fours(source) && on_all_fours(target);
    match_.keeps_stance = match_.on_all_fours && reference_quality(source) > kStands &&
                          reference_quality(target) > kStands && !have_one_build(source, target);
    // Legs of a spider beside those of a person: bones that are parallel to the source's would fold it up.
    if (!map.empty() && !match_.alike && on_all_fours(target) && reference_quality(target) > kStands)
      match_.keeps_stance = true;
  }

  BodyMatch run() {
    match_.has_root = source_.root != kNoJoint && target_.root != kNoJoint && source_.root != source_.hips &&
                      target_.root != target_.hips;
    if (match_.has_root) add({source_.root, target_.root});
    const Trunk a = trunk_of(source_skeleton_, source_), b = trunk_of(target_skeleton_, target_);
    const bool align = postures_ && match_.alike && !match_.keeps_stance &&
                       (match_.on_all_fours || !(leans(source_, a) || leans(target_, b)));
    JointMatch hips{source_.hips, target_.hips};
    // On all fours the line of the back gives the tilt of the pelvis: a dog that sits in its reference pose would tilt
    // every standing one. Upright bodies have no such clear line.
    if (align && on_all_fours(target_) && !a.back.empty() && !b.back.empty()) {
      hips.source_end = a.back.back();
      hips.target_end = b.back.back();
    }
    add(hips);
    chain(a.back, b.back, spread(a.back.size(), b.back.size()), align);
    chain(a.neck, b.neck, spread(a.neck.size(), b.neck.size()), align);
    add({source_.head, target_.head});
    fill_trunk(b);
    if (!map_.empty()) {
      mapped_limbs();
    } else {
      for (const LimbKind kind : {LimbKind::kLeg, LimbKind::kArm, LimbKind::kWing, LimbKind::kFin})
        for (const Side side : {Side::kLeft, Side::kRight, Side::kCenter}) limbs(kind, side);
      for (const Side side : {Side::kLeft, Side::kRight}) unlike_limbs(side);
    }
    chain(source_.tail, target_.tail, spread(source_.tail.size(), target_.tail.size()), !match_.keeps_stance);
    if (!map_.empty()) mapped_joints();
    return std::move(match_);
  }

 private:
  // Index of the match, or -1 when a joint is absent or already has a counterpart.
  int add(const JointMatch& joint) {
    if (joint.source == kNoJoint || joint.target == kNoJoint) return -1;
    for (const JointMatch& other : match_.joints)
      if (other.target == joint.target || (map_.empty() && other.source == joint.source)) return -1;
    match_.joints.push_back(joint);
    return static_cast<int>(match_.joints.size()) - 1;
  }

  int match_of(int target) const {
    for (std::size_t i = 0; i < match_.joints.size(); ++i)
      if (match_.joints[i].target == target) return static_cast<int>(i);
    return -1;
  }

  // With `carry_on` the last pair of an aligned chain takes the alignment of the one before.
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

  void fill_trunk(const Trunk& trunk) {
    Joints line{target_.hips};
    line.insert(line.end(), trunk.back.begin(), trunk.back.end());
    line.insert(line.end(), trunk.neck.begin(), trunk.neck.end());
    if (target_.head != kNoJoint) line.push_back(target_.head);
    fill_between(line);
  }

  // A spine of more joints shares the rotations of one of fewer.
  void fill_between(const Joints& line) {
    std::size_t before = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (match_of(line[i]) < 0) continue;
      float whole = 0, part = 0;
      for (std::size_t k = before + 1; k <= i; ++k) whole += distance(at(target_, line[k]), at(target_, line[k - 1]));
      for (std::size_t k = before + 1; k < i; ++k) {
        part += distance(at(target_, line[k]), at(target_, line[k - 1]));
        match_.between.push_back({line[k], match_of(line[before]), match_of(line[i]), whole > 0 ? part / whole : 0.5F});
      }
      before = i;
    }
  }

  void limbs(LimbKind kind, Side side) {
    const auto of_source = limbs_of(source_, kind, side), of_target = limbs_of(target_, kind, side);
    for (std::size_t i = 0; i < std::min(of_source.size(), of_target.size()); ++i)
      limb(*of_source[i], *of_target[i], static_cast<int>(i), kind == LimbKind::kLeg);
  }

  // Limbs as the map pairs them. A limb of the source may move several: those of a dog eight of a spider.
  void mapped_limbs() {
    const std::vector<int> sources = limbs_by_map(source_, target_, map_);
    for (const bool legs : {true, false}) {  // Legs carry the body: first.
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const Limb& to = target_.limbs[i];
        if (sources[i] < 0 || to.joints.empty()) continue;
        const Limb& from = source_.limbs[static_cast<std::size_t>(sources[i])];
        const bool stands = from.kind == LimbKind::kLeg && to.kind == LimbKind::kLeg;
        if (stands != legs) continue;
        Side side = from.side;
        if (side != Side::kCenter && is_called_mirrored(source_))
          side = side == Side::kLeft ? Side::kRight : Side::kLeft;
        const std::vector<const Limb*> beside = limbs_of(source_, from.kind, side);
        const auto row = std::ranges::find(beside, &from) - beside.begin();
        limb(from, to, static_cast<int>(row), stands);
      }
    }
  }

  // Single joints of the map. An exact map replaces pairs that roles gave.
  void mapped_joints() {
    constexpr double kSure = 0.5;
    if (map_.exact) {
      for (JointMatch& joint : match_.joints) {
        if (const int source = mapped_source(map_, joint.target); source != kNoJoint) joint.source = source;
        if (joint.target_end == kNoJoint) continue;
        if (const int end = mapped_source(map_, joint.target_end); end != kNoJoint) joint.source_end = end;
        if (joint.source_end == joint.source) joint.source_end = joint.target_end = kNoJoint;
      }
    }
    const auto is_taken = [&](int source) {
      return std::ranges::any_of(match_.joints, [&](const JointMatch& one) { return one.source == source; });
    };
    const auto moves_along = [&](int target) {
      return std::ranges::any_of(match_.between, [&](const BetweenMatch& one) { return one.target == target; });
    };
    for (const MappedJoint& joint : map_.joints) {
      if (!map_.exact && (joint.confidence < kSure || is_taken(joint.source) || in_limb(target_, joint.target) ||
                          in_limb(source_, joint.source) || moves_along(joint.target)))
        continue;
      if (map_.exact)
        std::erase_if(match_.between, [&](const BetweenMatch& one) { return one.target == joint.target; });
      add({joint.source, joint.target});
    }
  }

  static bool in_limb(const SkeletonAnalysis& body, int joint) {
    return std::ranges::any_of(
        body.limbs, [&](const Limb& limb) { return std::ranges::find(limb.joints, joint) != limb.joints.end(); });
  }

  // Arms or wings of an upright body with the front legs of one on all fours: limbs without a match of their own type.
  void unlike_limbs(Side side) {
    const auto left_over = [&](const SkeletonAnalysis& body, int JointMatch::*joint, Joints LimbMatch::*end) {
      std::vector<const Limb*> rest;
      for (const LimbKind kind : {LimbKind::kLeg, LimbKind::kArm, LimbKind::kWing}) {
        for (const Limb* limb : limbs_of(body, kind, side)) {
          const auto is_of_limb = [&](int one) { return std::ranges::find(limb->joints, one) != limb->joints.end(); };
          const bool taken =
              std::ranges::any_of(match_.joints, [&](const JointMatch& match) { return is_of_limb(match.*joint); }) ||
              std::ranges::any_of(match_.legs, [&](const LimbMatch& leg) { return is_of_limb((leg.*end).back()); });
          if (!taken) rest.push_back(limb);
        }
      }
      return rest;
    };
    const auto a = left_over(source_, &JointMatch::source, &LimbMatch::source),
               b = left_over(target_, &JointMatch::target, &LimbMatch::target);
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) limb(*a[i], *b[i], static_cast<int>(i), false);
  }

  void limb(const Limb& s, const Limb& t, int row, bool stands) {
    if (stands && match_.keeps_stance) return standing_leg(s, t, row);
    const std::size_t m = length_to_end(source_, s), n = length_to_end(target_, t);
    const Joints a(s.joints.begin(), s.joints.begin() + static_cast<long>(m));
    const Joints b(t.joints.begin(), t.joints.begin() + static_cast<long>(n));
    const Joints a_tip(s.joints.begin() + static_cast<long>(m), s.joints.end());
    const Joints b_tip(t.joints.begin() + static_cast<long>(n), t.joints.end());
    if (std::min(a.size(), b.size()) == 1) return stump(a, b);
    const IndexPairs pairs = match_chains({source_skeleton_, source_, a}, {target_skeleton_, target_, b});
    chain(a, b, pairs, true, !stands);
    // The two-bone parts of the limbs: from the corresponding upper ends.
    const auto [upper_a, upper_b] = upper_ends({source_skeleton_, source_, a}, {target_skeleton_, target_, b}, pairs);
    LimbMatch found{{a.begin() + static_cast<long>(upper_a), a.end()},
                    {b.begin() + static_cast<long>(upper_b), b.end()}};
    found.row = row;
    found.source_foot = a.back();
    const bool bends = found.source.size() >= 3 && found.target.size() >= 3;
    if (bends && stands) {
      const int ball_a = ball_of(source_, a, a_tip), ball_b = ball_of(target_, b, b_tip);
      if (ball_a != kNoJoint && ball_b != kNoJoint) {
        found.source_ball = ball_a;
        found.target_ball = ball_b;
        found.on_toes = on_all_fours(source_) && on_all_fours(target_);
      }
    }
    const bool has_foot = !match_.joints.empty() && match_.joints.back().source == a.back();
    if (stands && !a_tip.empty() && !b_tip.empty() && has_foot && (postures_ || (bends && !found.on_toes))) {
      JointMatch& foot = match_.joints.back();
      foot.source_end = a_tip[0];
      foot.target_end = b_tip[0];
      // Soles parallel where the body stands on them; the bone from heel to ball itself where it stands on its toes.
      if (bends && !found.on_toes) foot.foot_of = static_cast<int>(match_.legs.size());
    }
    if (bends) (stands ? match_.legs : match_.arms).push_back(std::move(found));
    if (!stands && fingers(a.back(), b.back())) return;
    const std::size_t common = std::min(a_tip.size(), b_tip.size());
    IndexPairs tips;
    for (std::size_t i = 0; i < common; ++i) tips.emplace_back(i, i);
    chain(a_tip, b_tip, tips, false);
  }

  // A limb of one joint, of a toy: it turns as the upper arm or thigh, and points as the whole limb.
  void stump(const Joints& a, const Joints& b) {
    JointMatch joint{a[limb_top({source_skeleton_, source_, a})], b[limb_top({target_skeleton_, target_, b})]};
    if (a.back() != joint.source) joint.source_tip = a.back();
    add(joint);
  }

  // A leg of a body that keeps its stance: no bone is turned to be parallel to the source's.
  void standing_leg(const Limb& s, const Limb& t, int row) {
    std::size_t m = length_to_end(source_, s), n = length_to_end(target_, t);
    LimbMatch found;
    found.row = row;
    found.source_foot = s.joints[m - 1];
    int ball_a = ball_after(source_, s, m), ball_b = ball_after(target_, t, n);
    // A paw that lies flat as the body stands is no heel with a paw below: the two are turned unlike.
    if (ball_a != kNoJoint && ball_b != kNoJoint) {
      const bool flat_a = is_flat(source_, s.joints[m - 1], ball_a), flat_b = is_flat(target_, t.joints[n - 1], ball_b);
      if (flat_a && !flat_b) ball_a = kNoJoint;
      if (flat_b && !flat_a) ball_b = kNoJoint;
    }
    found.on_toes = ball_a != kNoJoint && ball_b != kNoJoint;
    if (found.on_toes) {
      found.source_ball = ball_a;
      found.target_ball = ball_b;
    } else {
      // A dog's heel is high above the ground and moves unlike a paw.
      m += ball_a != kNoJoint ? 1 : 0;
      n += ball_b != kNoJoint ? 1 : 0;
    }
    const ChainOf chain_a{source_skeleton_, source_, s.joints}, chain_b{target_skeleton_, target_, t.joints};
    const std::size_t top_a = leg_top(chain_a, m), top_b = leg_top(chain_b, n);
    const auto from = [](const Limb& limb, std::size_t i) { return limb.joints.begin() + static_cast<long>(i); };
    found.source.assign(from(s, top_a), from(s, m));
    found.target.assign(from(t, top_b), from(t, n));
    for (std::size_t k = std::min(top_a, top_b); k > 0; --k) add({s.joints[top_a - k], t.joints[top_b - k]});
    if (found.source.size() < 3 || found.target.size() < 3) {  // A stump swings as a whole leg does.
      add({found.source.front(), found.target.front()});
      return;
    }
    found.flexes = true;
    if (found.on_toes) {
      for (std::size_t k = 0; k <= std::min(s.joints.size() - m, t.joints.size() - n); ++k)
        add({s.joints[m + k - 1], t.joints[n + k - 1]});
    }
    match_.legs.push_back(std::move(found));
  }

  // False where one of the hands has no fingers that are told apart.
  bool fingers(int source_hand, int target_hand) {
    const std::vector<Finger> a = fingers_of(source_skeleton_, source_hand),
                              b = fingers_of(target_skeleton_, target_hand);
    if (b.empty()) return false;
    int hand = match_of(target_hand);
    if (is_bare_hand(target_skeleton_, target_hand) && hand >= 0) {
      // The fingers leave the forearm: all of them turn with the hand, not one alone.
      for (const Finger& finger : b)
        if (finger.joints.front() != target_hand) match_.between.push_back({finger.joints.front(), hand, hand, 0});
      return true;
    }
    if (a.empty() || is_bare_hand(source_skeleton_, source_hand)) return true;
    const int palm = palm_of(a, b, source_hand, target_hand);
    if (palm >= 0 && hand >= 0) {
      match_.joints[static_cast<std::size_t>(hand)].palm = palm;
      match_.joints[static_cast<std::size_t>(hand)].aligned_as = -1;
    }
    for (const Finger& finger : b) {
      if (const Finger* same = nearest_finger(a, finger.kind)) finger_chain(*same, finger, palm);
    }
    return true;
  }

  static const Finger* of_kind(const std::vector<Finger>& fingers, FingerKind kind) {
    const auto found = std::ranges::find(fingers, kind, &Finger::kind);
    return found == fingers.end() ? nullptr : &*found;
  }

  // A thumb has only a thumb. Of the others, the same, else the one beside it; a mitten has the middle finger.
  static const Finger* nearest_finger(const std::vector<Finger>& fingers, FingerKind kind) {
    if (kind == FingerKind::kThumb) return of_kind(fingers, kind);
    if (kind == FingerKind::kUnknown) kind = FingerKind::kMiddle;
    const Finger* best = nullptr;
    int least = 100;
    for (const Finger& finger : fingers) {
      if (finger.kind == FingerKind::kThumb || finger.kind == FingerKind::kUnknown) continue;
      const int apart = std::abs(static_cast<int>(finger.kind) - static_cast<int>(kind));
      if (apart >= least) continue;
      least = apart;
      best = &finger;
    }
    return best;
  }

  int palm_of(const std::vector<Finger>& a, const std::vector<Finger>& b, int source_hand, int target_hand) {
    std::vector<FingerKind> common;
    for (const FingerKind kind : {FingerKind::kIndex, FingerKind::kMiddle, FingerKind::kRing, FingerKind::kLittle})
      if (of_kind(a, kind) != nullptr && of_kind(b, kind) != nullptr) common.push_back(kind);
    if (common.size() < 2) return -1;
    const auto base = [](const std::vector<Finger>& fingers, FingerKind kind) {
      return of_kind(fingers, kind)->joints.front();
    };
    const PalmMatch palm{{source_hand, base(a, common.front()), base(a, common.back())},
                         {target_hand, base(b, common.front()), base(b, common.back())}};
    const auto is_flat = [](const SkeletonAnalysis& body, const PalmMatch::Joints& joints) {
      const Vec3 first = at(body, joints.first) - at(body, joints.wrist),
                 last = at(body, joints.last) - at(body, joints.wrist);
      return length(cross(first, last)) < 0.05F * length(first) * length(last) || !(length(first) > 0);
    };
    if (is_flat(source_, palm.source) || is_flat(target_, palm.target)) return -1;
    match_.palms.push_back(palm);
    return static_cast<int>(match_.palms.size()) - 1;
  }

  void finger_chain(const Finger& a, const Finger& b, int palm) {
    int before = -1;
    const std::size_t common = std::min(a.joints.size(), b.joints.size());
    for (std::size_t i = 0; i < common; ++i) {
      JointMatch joint{a.joints[i], b.joints[i]};
      joint.palm = palm;
      if (i + 1 < common) {
        joint.source_end = a.joints[i + 1];
        joint.target_end = b.joints[i + 1];
      } else {
        joint.aligned_as = before;
      }
      const int added = add(joint);
      before = added;
      if (added >= 0) continue;
      // The source's finger already moves another one.
      for (std::size_t m = 0; m < match_.joints.size(); ++m) {
        const int other = static_cast<int>(m);
        if (match_.joints[m].source == joint.source && match_of(joint.target) < 0)
          match_.between.push_back({joint.target, other, other, 0});
      }
    }
  }

  const Skeleton& source_skeleton_;
  const SkeletonAnalysis& source_;
  const Skeleton& target_skeleton_;
  const SkeletonAnalysis& target_;
  const JointMap& map_;
  bool postures_ = false;
  BodyMatch match_;
};

}  // namespace

BodyMatch match_bodies(const Skeleton& source_skeleton, const SkeletonAnalysis& source, const Skeleton& target_skeleton,
                       const SkeletonAnalysis& target, const JointMap& map) {
  return Matcher(source_skeleton, source, target_skeleton, target, map).run();
}

}  // namespace zoe::retarget_detail

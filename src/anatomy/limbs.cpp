// SPDX-License-Identifier: MIT
#include "anatomy/limbs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "zoe/core/index.h"

#include "anatomy/limbs_by_flesh.h"

namespace zoe::anatomy {
namespace {

std::optional<LimbKind> kind_by_names(const Body& body, const std::vector<int>& chain, bool& not_a_limb) {
  std::array<int, 4> votes{};
  int head_parts = 0;  // And feathers of a tail.
  for (const int joint : chain) {
    switch (body.role(joint)) {
      case Role::kLeg:
      case Role::kUpperLeg:
      case Role::kLowerLeg:
      case Role::kFoot:
      case Role::kToe:
        ++votes[static_cast<std::size_t>(LimbKind::kLeg)];
        break;
      case Role::kUpperArm:
      case Role::kForearm:
      case Role::kWrist:
      case Role::kHand:
        ++votes[static_cast<std::size_t>(LimbKind::kArm)];
        break;
      case Role::kWing:
        ++votes[static_cast<std::size_t>(LimbKind::kWing)];
        break;
      case Role::kFin:
        ++votes[static_cast<std::size_t>(LimbKind::kFin)];
        break;
      case Role::kHeadPart:
      case Role::kFeather:
        ++head_parts;
        break;
      default:
        break;
    }
  }
  // A loose foot or hand, attached to its leg by a constraint, is not a limb.
  const Role base = body.role(chain.front());
  const bool loose_end =
      base == Role::kFoot || base == Role::kToe || base == Role::kWrist || base == Role::kHand || base == Role::kFinger;
  const auto most = std::max_element(votes.begin(), votes.end());
  not_a_limb = head_parts > *most || loose_end;
  if (*most == 0 || not_a_limb) return std::nullopt;
  return static_cast<LimbKind>(most - votes.begin());
}

struct Shape {
  double length, drop, tip_height,
      tip_reach;  // Fraction of the body's size; tip_height: of its height.
  double fall;    // From its highest to its lowest joint, as a fraction of the body's height.
  std::size_t num_joints;
};

// A long body is many times its legs: there a leg is a limb that covers most of the body's height, one of many.
constexpr int kMinShortLegs = 6;
bool is_short_leg(const Shape& shape) { return shape.fall > 0.6 && shape.num_joints >= 3; }

double stance(const Body& body, int joint) { return body.stance[idx(joint)]; }

Shape shape_of(const Body& body, const Symmetry& symmetry, const std::vector<int>& chain) {
  double top = stance(body, chain.front()), low = top;
  for (const int joint : chain) {
    top = std::max(top, stance(body, joint));
    low = std::min(low, stance(body, joint));
  }
  const double height = body.high - body.low;
  const double across =
      std::abs(static_cast<double>(dot(body.position(chain.back()) - symmetry.point, symmetry.normal)));
  return {length_below(body, chain.front()) / body.size,
          (top - low) * height / body.size,
          low,
          across / body.size,
          top - low,
          chain.size()};
}

bool has_fingers(const Body& body, const std::vector<int>& chain) {
  return std::any_of(chain.begin(), chain.end(), [&](int joint) { return body.children_of(joint).size() >= 3; });
}

bool reaches_ground(const Shape& shape, bool short_legs) {
  const bool large = shape.length > 0.15 && shape.drop > 0.1;
  return (large || (short_legs && is_short_leg(shape))) && shape.tip_height < 0.2;
}

// Whether limbs leave a horizontal trunk ahead of the legs.
bool is_ahead_of(const Body& body, const Symmetry& symmetry, Vec3 base, Vec3 legs) {
  const Vec3 along = cross(symmetry.normal, body.up), d = base - legs;
  return std::abs(dot(d, along)) > std::abs(dot(d, body.up));
}

bool has_named_tail(const Body& body) {
  for (int j = 0; j < body.num_joints(); ++j)
    if (body.has(j) && body.role(j) == Role::kTail) return true;
  return false;
}

struct Candidate {
  Limb limb;
  Shape shape;
  std::optional<LimbKind> named;
  std::size_t mirrored = 0;  // Index of the other side's limb; its own where there is none.
};

// Chains that may be limbs, left and right.
std::vector<Candidate> find_candidates(const Body& body, const Symmetry& symmetry, bool& short_legs) {
  std::vector<Candidate> candidates;
  const auto partner = [&](int joint) { return symmetry.partner[idx(joint)]; };
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has(j) || partner(j) == kNoJoint) continue;
    const int parent = body.skeleton->parent(j);
    const bool loose = parent == kNoJoint || !body.has(parent);  // Beside the body: legs of some rigs.
    if (!loose && partner(parent) != kNoJoint) continue;
    for (const int base : limb_bases(body, j)) {
      Candidate candidate;
      candidate.limb.joints = longest_chain(body, base);
      candidate.limb.side = body.side(base);
      candidate.shape = shape_of(body, symmetry, candidate.limb.joints);
      bool not_a_limb = false;
      candidate.named = kind_by_names(body, candidate.limb.joints, not_a_limb);
      // Controls and targets of a solver move no part of the skin.
      not_a_limb = not_a_limb || (body.skinned && std::ranges::none_of(candidate.limb.joints, [&](int joint) {
                                    return body.moves[idx(joint)] != 0;
                                  }));
      const bool long_enough =
          candidate.limb.joints.size() >= 2 && (candidate.shape.length > 0.15 || is_short_leg(candidate.shape));
      if (loose && (!candidate.named || candidate.limb.joints.size() < 2)) continue;
      if (!not_a_limb && (candidate.named || long_enough)) candidates.push_back(std::move(candidate));
    }
  }
  short_legs =
      std::ranges::count_if(candidates, [](const Candidate& c) { return is_short_leg(c.shape); }) >= kMinShortLegs;
  if (!short_legs) {
    std::erase_if(candidates, [](const Candidate& c) { return !c.named && c.shape.length <= 0.15; });
  }
  // A part that begins where a limb ends is that limb's loose foot or hand, attached by a constraint.
  const auto is_loose_end = [&](const Candidate& part) {
    return std::ranges::any_of(candidates, [&](const Candidate& limb) {
      const double apart = distance(body.position(limb.limb.joints.back()), body.position(part.limb.joints.front()));
      return &limb != &part && apart < 0.01 * body.size && limb.shape.length > part.shape.length;
    });
  };
  std::vector<Candidate> limbs_only;
  for (const Candidate& candidate : candidates) {
    if (candidate.named || candidates.size() > 64 || !is_loose_end(candidate)) limbs_only.push_back(candidate);
  }
  std::vector<std::size_t> index_of(idx(body.num_joints()),
                                    limbs_only.size());  // By the joint that a limb begins with.
  for (std::size_t i = 0; i < limbs_only.size(); ++i) index_of[idx(limbs_only[i].limb.joints.front())] = i;
  for (std::size_t i = 0; i < limbs_only.size(); ++i) {
    const int other = partner(limbs_only[i].limb.joints.front());
    const bool known = other != kNoJoint && index_of[idx(other)] < limbs_only.size();
    limbs_only[i].mirrored = known ? index_of[idx(other)] : i;
  }
  return limbs_only;
}

// The type of a pair of limbs. What holds of one side holds of both: one leg may be lifted.
class LimbJudge {
 public:
  LimbJudge(const Body& body, const Symmetry& symmetry, const std::vector<Candidate>& candidates, bool short_legs)
      : body_(body), symmetry_(symmetry), candidates_(candidates), short_legs_(short_legs) {
    float num_legs = 0, num_named = 0;
    for (const Candidate& c : candidates) {
      any_named_ = any_named_ || c.named.has_value();
      if (c.named == LimbKind::kLeg) {
        named_legs_ = named_legs_ + body.position(c.limb.joints.front());
        ++num_named;
        longest_named_leg_ = std::max(longest_named_leg_, c.shape.length);
      }
      if (!reaches_ground(c.shape, short_legs)) continue;
      any_on_ground_ = true;
      // Where some limbs on the ground end without fingers, those with fingers are low hands; birds' feet all have
      // toes.
      stands_on_stumps_ = stands_on_stumps_ || !has_fingers(body, c.limb.joints);
      if (c.named == LimbKind::kArm) continue;
      legs_ = legs_ + body.position(c.limb.joints.front());
      ++num_legs;
      longest_leg_ = std::max(longest_leg_, c.shape.length);
      leg_base_ = std::max(leg_base_, stance(body, c.limb.joints.front()));
    }
    has_legs_ = num_legs > 0;
    has_leg_names_ = num_named > 0;
    legs_ = legs_ / std::max(1.0F, num_legs);
    named_legs_ = named_legs_ / std::max(1.0F, num_named);
    has_tail_ = has_named_tail(body);
  }

  // Whether what the names say and what the pose shows differ.
  bool is_contested(const Candidate& one, LimbKind kind) const {
    const Candidate& other = candidates_[one.mirrored];
    const std::optional<LimbKind> named = one.named ? one.named : other.named;
    const bool down = reaches_ground(one.shape, short_legs_) && reaches_ground(other.shape, short_legs_);
    if (named == LimbKind::kArm) return kind == LimbKind::kLeg ? !down : down;
    return named == LimbKind::kLeg && kind == LimbKind::kLeg && any_on_ground_ && !down;
  }

  // Empty: no limb (ears, horns, ribs).
  std::optional<LimbKind> kind_of(const Candidate& one) const {
    const Candidate& other = candidates_[one.mirrored];
    const std::optional<LimbKind> named = one.named ? one.named : other.named;
    const bool both_down = reaches_ground(one.shape, short_legs_) && reaches_ground(other.shape, short_legs_);
    const bool fingers = has_fingers(body_, one.limb.joints) || has_fingers(body_, other.limb.joints);
    if (named == LimbKind::kWing || named == LimbKind::kFin) return named;
    if (named == LimbKind::kArm) return !fingers && carries(one, other) ? LimbKind::kLeg : LimbKind::kArm;
    if (named == LimbKind::kLeg) return is_raised(one, other) ? LimbKind::kArm : LimbKind::kLeg;
    if (both_down) {
      // Wings of a body in flight hang as low as its feet.
      if (candidates_.size() == 4 && std::min(one.shape.tip_reach, other.shape.tip_reach) > 0.38 &&
          one.shape.drop < 0.6 * one.shape.length)
        return LimbKind::kWing;
      return stands_on_stumps_ && fingers ? LimbKind::kArm : LimbKind::kLeg;
    }
    const double length = std::max(one.shape.length, other.shape.length);
    if (length < (any_on_ground_ ? 0.2 : 0.15) || any_named_) return std::nullopt;  // Ears, horns, ….
    const double reach = std::max(one.shape.tip_reach, other.shape.tip_reach);
    if (body_.clip < 0 && reach < 0.02 && length < 0.3) return std::nullopt;  // Ribs: they come back to the middle.
    if (!any_on_ground_) return LimbKind::kFin;
    // Arms in a T-pose reach as far as the wings of some birds, but are on an upright trunk.
    const Vec3 base = body_.position(one.limb.joints.front());
    const bool wing = reach > 0.45 || (reach > 0.38 && is_ahead_of(body_, symmetry_, base, legs_));
    return wing ? LimbKind::kWing : LimbKind::kArm;
  }

 private:
  // "LeftHand" of a dog stands on the ground. One pose does not decide: a person may crawl, a dog sit up, a toy's arms
  // hang low. Two of three: on the ground, ahead of the legs, as long as the legs of a body with a tail.
  bool carries(const Candidate& one, const Candidate& other) const {
    constexpr double kHighest = 0.35;  // Of the body's height: hands that are never lower carry nothing.
    if (!has_legs_ && !has_leg_names_) return false;
    if (std::min(one.shape.tip_height, other.shape.tip_height) > kHighest) return false;
    const bool down = std::min(one.shape.tip_height, other.shape.tip_height) < 0.2 &&
                      (reaches_ground(one.shape, short_legs_) || reaches_ground(other.shape, short_legs_));
    const Vec3 base = (body_.position(one.limb.joints.front()) + body_.position(other.limb.joints.front())) * 0.5F;
    const bool ahead = is_ahead_of(body_, symmetry_, base, has_legs_ ? legs_ : named_legs_);
    const bool long_enough = has_tail_ && one.shape.length > 0.7 * std::max(longest_leg_, longest_named_leg_);
    return (down ? 1 : 0) + (ahead ? 1 : 0) + (long_enough ? 1 : 0) >= 2;
  }

  // "FrontLeg" of a T-rex hangs in the air, and is far shorter than the legs that carry; "UpperLeg.001" of a skeleton
  // leaves its shoulders.
  bool is_raised(const Candidate& one, const Candidate& other) const {
    const double tip = std::min(one.shape.tip_height, other.shape.tip_height);
    if (!any_on_ground_ || tip < 0.2) return false;
    const bool is_short = std::max(one.shape.length, other.shape.length) < 0.7 * longest_leg_;
    const bool from_above = body_.clip < 0 && stance(body_, one.limb.joints.front()) > leg_base_ + 0.15;
    return is_short || from_above || (tip > 0.4 && body_.clip < 0);
  }

  const Body& body_;
  const Symmetry& symmetry_;
  const std::vector<Candidate>& candidates_;
  bool short_legs_ = false, any_on_ground_ = false, any_named_ = false, stands_on_stumps_ = false, has_legs_ = false,
       has_leg_names_ = false, has_tail_ = false;
  Vec3 named_legs_{};  // Mean of where limbs that are called legs begin.
  double longest_named_leg_ = 0;
  Vec3 legs_{};             // Mean of where legs on the ground begin.
  double longest_leg_ = 0;  // Of those, as Shape::length.
  double leg_base_ = 0;     // Of those, the highest beginning, as a fraction of the body's height.
};

}  // namespace

LimbFinding find_limbs(const Body& body, const Symmetry& symmetry) {
  std::optional<LimbFinding> by_flesh = limbs_by_flesh(body, symmetry);
  if (by_flesh && std::ranges::count(by_flesh->limbs, LimbKind::kLeg, &Limb::kind) > 0) return *by_flesh;
  bool short_legs = false;
  const std::vector<Candidate> candidates = find_candidates(body, symmetry, short_legs);
  const LimbJudge judge(body, symmetry, candidates, short_legs);
  LimbFinding finding;
  for (const Candidate& candidate : candidates) {
    const std::optional<LimbKind> kind = judge.kind_of(candidate);
    if (!kind) continue;
    finding.kinds_by_names = finding.kinds_by_names || candidate.named.has_value();
    finding.limbs.push_back(candidate.limb);
    finding.limbs.back().kind = *kind;
    finding.contested = finding.contested || judge.is_contested(candidate, *kind);
  }
  // A bird in flight without names: its feet are tucked up.
  const auto has = [&](LimbKind kind) { return std::ranges::count(finding.limbs, kind, &Limb::kind) > 0; };
  if (!finding.kinds_by_names && has(LimbKind::kWing) && !has(LimbKind::kLeg)) {
    for (Limb& limb : finding.limbs)
      if (limb.kind == LimbKind::kArm) limb.kind = LimbKind::kLeg;
  }
  // Where the surface shows no leg, only many joints on the ground do: the legs of insects may be skinned to controls.
  constexpr std::ptrdiff_t kManyLegs = 6;
  const bool many = std::ranges::count(finding.limbs, LimbKind::kLeg, &Limb::kind) >= kManyLegs;
  return by_flesh && !many ? *by_flesh : finding;
}

int foot_of(const Body& body, const std::vector<int>& leg) {
  double top = 0;
  for (const int joint : leg) top = std::max(top, stance(body, joint));
  const double limit = 0.3 * top;
  for (const Role role : {Role::kFoot, Role::kToe, Role::kHand}) {
    // The ankle of animals that walk on their toes is high. Takes the first joint that is not, else the last.
    int named = kNoJoint;
    for (const int joint : leg) {
      if (body.role(joint) != role || (named != kNoJoint && body.is_mere_end(joint))) continue;
      if (named == kNoJoint || stance(body, named) > limit) named = joint;
    }
    if (named != kNoJoint) return named;
  }
  // The first joint in the lowest 30 % of the leg from which all later joints are there too.
  int foot = leg.back();
  for (std::size_t i = leg.size(); i-- > 0 && stance(body, leg[i]) <= limit;) foot = leg[i];
  return foot;
}

int hand_of(const Body& body, const std::vector<int>& arm) {
  for (const Role role : {Role::kHand, Role::kWrist}) {
    for (const int joint : arm) {
      if (body.role(joint) == role) return joint;
    }
  }
  // Upper arm and forearm are most of an arm: the first joint with little length after it.
  constexpr double kHand = 0.27;
  const double whole = length_below(body, arm.front());
  // Upper arm, forearm and the end of that: a wrist.
  if (arm.size() == 3 && body.is_mere_end(arm.back()) &&
      body.bone_length[idx(arm.back())] > kHand * body.reach[idx(arm.front())])
    return arm.back();
  for (const int joint : arm) {
    if (body.reach[idx(joint)] < kHand * whole && !body.is_mere_end(joint)) return joint;
  }
  return arm.size() > 1 && body.is_mere_end(arm.back()) ? arm[arm.size() - 2] : arm.back();
}

std::vector<int> ends_of(const Body& body, const Symmetry& symmetry, const std::vector<Limb>& limbs, LimbKind kind) {
  std::vector<const Limb*> chosen;
  std::vector<int> ends;
  for (const Limb& limb : limbs) {
    if (limb.kind != kind) continue;
    chosen.push_back(&limb);
    ends.push_back(kind == LimbKind::kLeg ? foot_of(body, limb.joints) : hand_of(body, limb.joints));
  }
  const auto place = [](const Limb& limb, int joint) { return std::ranges::find(limb.joints, joint); };
  std::vector<std::size_t> index_of(idx(body.num_joints()), chosen.size());  // By the joint that a limb begins with.
  for (std::size_t i = 0; i < chosen.size(); ++i) index_of[idx(chosen[i]->joints.front())] = i;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const int other = symmetry.partner[idx(chosen[i]->joints.front())];
    const std::size_t k = other == kNoJoint ? chosen.size() : index_of[idx(other)];
    if (k <= i || k >= chosen.size()) continue;
    const int of_i = symmetry.partner[idx(ends[i])], of_k = symmetry.partner[idx(ends[k])];
    if (of_i == ends[k]) continue;
    // Of the two, the joint that is nearer to the body: an ankle, where the other side gave a toe.
    const bool i_fits = of_i != kNoJoint && place(*chosen[k], of_i) != chosen[k]->joints.end();
    const bool k_fits = of_k != kNoJoint && place(*chosen[i], of_k) != chosen[i]->joints.end();
    const auto depth_i = place(*chosen[i], ends[i]) - chosen[i]->joints.begin();
    const auto depth_k = place(*chosen[k], ends[k]) - chosen[k]->joints.begin();
    if (i_fits && (!k_fits || depth_i <= depth_k)) {
      ends[k] = of_i;
    } else if (k_fits) {
      ends[i] = of_k;
    }
  }
  return ends;
}

}  // namespace zoe::anatomy

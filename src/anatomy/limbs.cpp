// SPDX-License-Identifier: MIT
#include "anatomy/limbs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "zoe/core/index.h"

namespace zoe::anatomy {
namespace {

double length_below(const Body& body, int joint) { return body.bone_length[idx(joint)] + body.reach[idx(joint)]; }

// Bases of limbs at or below a paired joint. Usually the joint itself. Several where legs share an anchor (spiders).
std::vector<int> limb_bases(const Body& body, int top) {
  int joint = top;
  const double whole = body.reach[idx(top)];
  double way = 0;
  while (way <= 0.2 * whole) {  // Further out, branches are fingers of any length.
    const std::vector<int>& children = body.children_of(joint);
    std::vector<int> large;
    for (const int child : children) {
      if (length_below(body, child) >= 0.5 * whole) large.push_back(child);
    }
    if (large.size() >= 2) return large;
    if (large.empty()) return {top};
    joint = large.front();
    way += body.bone_length[idx(joint)];
  }
  return {top};
}

std::vector<int> longest_chain(const Body& body, int base) {
  std::vector<int> chain{base};
  while (!body.children_of(chain.back()).empty()) {
    const std::vector<int>& children = body.children_of(chain.back());
    const auto longer = [&](int a, int b) { return length_below(body, a) < length_below(body, b); };
    chain.push_back(*std::max_element(children.begin(), children.end(), longer));
  }
  return chain;
}

std::optional<LimbKind> kind_by_names(const Body& body, const std::vector<int>& chain, bool& not_a_limb) {
  std::array<int, 4> votes{};
  int head_parts = 0;
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

}  // namespace

LimbFinding find_limbs(const Body& body, const Symmetry& symmetry) {
  struct Candidate {
    Limb limb;
    Shape shape;
    std::optional<LimbKind> named;
  };
  std::vector<Candidate> candidates;
  const auto partner = [&](int joint) { return symmetry.partner[idx(joint)]; };
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has(j) || partner(j) == kNoJoint) continue;
    const int parent = body.skeleton->parent(j);
    if (parent == kNoJoint || !body.has(parent) || partner(parent) != kNoJoint) continue;
    for (const int base : limb_bases(body, j)) {
      Candidate candidate;
      candidate.limb.joints = longest_chain(body, base);
      candidate.limb.side = body.side(base);
      candidate.shape = shape_of(body, symmetry, candidate.limb.joints);
      bool not_a_limb = false;
      candidate.named = kind_by_names(body, candidate.limb.joints, not_a_limb);
      const bool long_enough =
          candidate.limb.joints.size() >= 2 && (candidate.shape.length > 0.15 || is_short_leg(candidate.shape));
      if (!not_a_limb && (candidate.named || long_enough)) candidates.push_back(std::move(candidate));
    }
  }
  const bool short_legs = std::count_if(candidates.begin(), candidates.end(),
                                        [](const Candidate& c) { return is_short_leg(c.shape); }) >= kMinShortLegs;
  if (!short_legs) {
    std::erase_if(candidates, [](const Candidate& c) { return !c.named && c.shape.length <= 0.15; });
  }
  // A part that begins where a limb ends is that limb's loose foot or hand, attached by a constraint.
  const auto is_loose_end = [&](const Candidate& part) {
    return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& limb) {
      const double apart = distance(body.position(limb.limb.joints.back()), body.position(part.limb.joints.front()));
      return &limb != &part && apart < 0.01 * body.size && limb.shape.length > part.shape.length;
    });
  };
  std::vector<Candidate> limbs_only;
  for (const Candidate& candidate : candidates) {
    if (candidate.named || candidates.size() > 64 || !is_loose_end(candidate)) limbs_only.push_back(candidate);
  }
  candidates = std::move(limbs_only);
  const bool any_on_ground = std::any_of(candidates.begin(), candidates.end(),
                                         [&](const Candidate& c) { return reaches_ground(c.shape, short_legs); });
  // Where some limbs on the ground end without fingers, those with fingers are low hands; birds' feet all have toes.
  const bool stands_on_stumps = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& c) {
    return reaches_ground(c.shape, short_legs) && !has_fingers(body, c.limb.joints);
  });
  const bool any_named =
      std::any_of(candidates.begin(), candidates.end(), [](const Candidate& c) { return c.named.has_value(); });
  Vec3 legs{};  // Mean of the positions where they begin.
  float num_legs = 0;
  for (const Candidate& c : candidates) {
    if (!reaches_ground(c.shape, short_legs)) continue;
    legs = legs + body.position(c.limb.joints.front());
    ++num_legs;
  }
  legs = legs / std::max(1.0F, num_legs);
  LimbFinding finding;
  for (Candidate& candidate : candidates) {
    const auto mirrors = [&](const Candidate& c) {
      return c.limb.joints.front() == partner(candidate.limb.joints.front());
    };
    const auto mirrored = std::find_if(candidates.begin(), candidates.end(), mirrors);
    const bool on_ground = reaches_ground(candidate.shape, short_legs) &&
                           (mirrored == candidates.end() || reaches_ground(mirrored->shape, short_legs));
    LimbKind& kind = candidate.limb.kind;
    if (candidate.named == LimbKind::kWing || candidate.named == LimbKind::kFin) {
      kind = *candidate.named;
    } else if (candidate.named) {
      // "LeftHand" of a dog is in contact with the ground; "FrontLeg" of a T-rex is not.
      kind = *candidate.named;
      // Hands with fingers may be low (apes, robots) without carrying the body.
      if (kind == LimbKind::kArm && on_ground && !has_fingers(body, candidate.limb.joints)) kind = LimbKind::kLeg;
      if (kind == LimbKind::kLeg && any_on_ground && candidate.shape.tip_height > 0.4) kind = LimbKind::kArm;
    } else if (on_ground) {
      const bool hand = stands_on_stumps && has_fingers(body, candidate.limb.joints);
      kind = hand ? LimbKind::kArm : LimbKind::kLeg;
    } else if (candidate.shape.length < (any_on_ground ? 0.2 : 0.15) || any_named) {
      continue;  // Ears, horns, ….
    } else if (body.clip < 0 && candidate.shape.tip_reach < 0.02 && candidate.shape.length < 0.3) {
      continue;  // Ribs: they return to the middle.
    } else if (!any_on_ground) {
      kind = LimbKind::kFin;
    } else {
      // Arms in a T-pose reach as far as the wings of some birds, but are on an upright trunk.
      const Vec3 base = body.position(candidate.limb.joints.front());
      const double reach = candidate.shape.tip_reach;
      const bool wing = reach > 0.45 || (reach > 0.38 && is_ahead_of(body, symmetry, base, legs));
      kind = wing ? LimbKind::kWing : LimbKind::kArm;
    }
    finding.kinds_by_names = finding.kinds_by_names || candidate.named.has_value();
    finding.limbs.push_back(candidate.limb);
  }
  return finding;
}

int foot_of(const Body& body, const std::vector<int>& leg) {
  double top = 0;
  for (const int joint : leg) top = std::max(top, stance(body, joint));
  const double limit = 0.3 * top;
  for (const Role role : {Role::kFoot, Role::kToe, Role::kHand}) {
    // The ankle of animals that walk on their toes is high. Takes the first joint that is not, else the last.
    int named = kNoJoint;
    for (const int joint : leg) {
      if (body.role(joint) == role && (named == kNoJoint || stance(body, named) > limit)) named = joint;
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
  const double whole = length_below(body, arm.front());
  for (const int joint : arm) {
    if (body.reach[idx(joint)] < 0.27 * whole && !body.is_mere_end(joint)) return joint;
  }
  return arm.size() > 1 && body.is_mere_end(arm.back()) ? arm[arm.size() - 2] : arm.back();
}

}  // namespace zoe::anatomy

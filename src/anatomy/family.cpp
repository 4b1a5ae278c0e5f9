// SPDX-License-Identifier: MIT
#include "anatomy/family.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "zoe/core/index.h"

#include "anatomy/flesh.h"

namespace zoe::anatomy {
namespace {

int count(const std::vector<Limb>& limbs, LimbKind kind) {
  return static_cast<int>(std::ranges::count(limbs, kind, &Limb::kind));
}

double length_of(const Body& body, const std::vector<int>& joints) {
  double sum = 0;
  for (const int joint : joints) sum += body.bone_length[idx(joint)];
  return sum;
}

bool has_role(const Body& body, Role role) {
  for (int j = 0; j < body.num_joints(); ++j)
    if (body.has(j) && body.role(j) == role) return true;
  return false;
}

bool has_word(const Body& body, std::string_view word) {
  for (int j = 0; j < body.num_joints(); ++j)
    if (body.has(j) && body.names[idx(j)].stem.find(word) != std::string::npos) return true;
  return false;
}

// A wyvern has two legs, wings and a tail as long as its trunk and neck. A bird's tail is short, or of feathers.
bool has_long_tail(const Body& body, const Middle& middle) {
  double trunk = length_of(body, middle.spine);
  if (middle.head != kNoJoint) trunk += body.bone_length[idx(middle.head)];
  if (middle.tail.size() < 4 || length_of(body, middle.tail) <= 1.05 * trunk) return false;
  const FleshShape flesh = flesh_shape(body, middle.tail.front());
  const bool is_fan = flesh.num_points > 0 && flesh.flatness < 0.4 && flesh.slenderness > 0.4;
  return !is_fan;
}

// Whether what is no limb is longer than high: a bird's trunk, not a bat's.
bool has_level_trunk(const Body& body, const std::vector<Limb>& limbs, Vec3 forward) {
  std::vector<char> is_limb(idx(body.num_joints()), 0);
  for (const Limb& limb : limbs) is_limb[idx(limb.joints.front())] = 1;
  double front = -1e30, back = 1e30, low = 1e30, high = -1e30;
  for (int j = 0; j < body.num_joints(); ++j) {
    const int parent = body.skeleton->parent(j);
    if (parent != kNoJoint && is_limb[idx(parent)] != 0) is_limb[idx(j)] = 1;
    if (!body.has_size(j) || is_limb[idx(j)] != 0) continue;
    front = std::max<double>(front, dot(body.position(j), forward));
    back = std::min<double>(back, dot(body.position(j), forward));
    low = std::min(low, body.height(j));
    high = std::max(high, body.height(j));
  }
  return front - back > 1.2 * (high - low);
}

// Neither legs, arms, wings nor fins.
BodyFamily limbless_family(const Body& body, const Middle& middle, const Extent& extent, Vec3 forward) {
  const bool long_chain = body.root != kNoJoint && body.reach[idx(body.root)] > 0.6 * body.size;
  if (middle.spine.size() + middle.tail.size() >= 8 && long_chain) return BodyFamily::kSnake;
  // A fish without fins: a chain of some joints along a level body. A worm is far longer than high, a snail is not.
  double front = -1e30, back = 1e30, low = 1e30, high = -1e30;
  int joints = 0;
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has_size(j)) continue;
    const double along = dot(body.position(j), forward);
    front = std::max(front, along);
    back = std::min(back, along);
    low = std::min(low, body.height(j));
    high = std::max(high, body.height(j));
    ++joints;
  }
  const bool level = joints >= 4 && front - back > 2.5 * (high - low);
  if (!level || !long_chain) return BodyFamily::kOther;
  const double height = std::max(extent.high - extent.low, 1e-9);
  const double longer = extent.of_mesh ? extent.length / height : (front - back) / std::max(high - low, 1e-9);
  if (extent.of_mesh && longer > 8) return BodyFamily::kSnake;
  return !extent.of_mesh || longer > 1.8 ? BodyFamily::kFish : BodyFamily::kOther;
}

}  // namespace

BodyFamily family_of(const Body& body, const std::vector<Limb>& limbs, const Middle& middle, const Extent& extent,
                     Vec3 forward) {
  const int legs = count(limbs, LimbKind::kLeg), arms = count(limbs, LimbKind::kArm),
            wings = count(limbs, LimbKind::kWing);
  const bool feathered = has_word(body, "feather") || has_word(body, "beak");
  if (wings > 0) {
    const bool telling = has_role(body, Role::kWing) || !body.has_flesh();
    const bool like_a_bird = legs == 2 && arms == 0 && wings == 2 &&
                             (feathered || !middle.tail.empty() || (!telling && has_level_trunk(body, limbs, forward)));
    return like_a_bird && (feathered || !has_long_tail(body, middle)) ? BodyFamily::kBird : BodyFamily::kFlyer;
  }
  if (legs > 8) return BodyFamily::kMillipede;
  if (legs > 6) return BodyFamily::kOctopod;
  if (legs > 4) return BodyFamily::kHexapod;
  if (legs > 2) return BodyFamily::kQuadruped;
  if (legs > 0) {
    // Two legs and nothing else: a bird whose wings have no joints.
    const bool named_leg = has_role(body, Role::kUpperLeg) || has_role(body, Role::kLeg);
    return arms == 0 && (feathered || !named_leg) ? BodyFamily::kBird : BodyFamily::kBiped;
  }
  if (count(limbs, LimbKind::kFin) > 0) return BodyFamily::kFish;
  // An upper body: the legs of some toys have no joints.
  if (arms > 0) return middle.tail.size() < 3 ? BodyFamily::kBiped : BodyFamily::kOther;
  return limbless_family(body, middle, extent, forward);
}

}  // namespace zoe::anatomy

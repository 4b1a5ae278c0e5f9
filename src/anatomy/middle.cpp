// SPDX-License-Identifier: MIT
#include "anatomy/middle.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::anatomy {
namespace {

int first_named(const Body& body, Role role) {
  for (int j = 0; j < body.num_joints(); ++j) {
    if (body.has(j) && body.role(j) == role && body.side(j) == Side::kCenter) return j;
  }
  return kNoJoint;
}

// From the joint up to the root, both included.
std::vector<int> way_up(const Body& body, int joint) {
  std::vector<int> way;
  for (; joint != kNoJoint && body.has(joint); joint = body.skeleton->parent(joint)) way.push_back(joint);
  return way;
}

std::vector<char> mask_of(const Body& body, const std::vector<int>& joints) {
  std::vector<char> mask(idx(body.num_joints()), 0);
  for (const int joint : joints) mask[idx(joint)] = 1;
  return mask;
}

bool is_below(const Body& body, int joint, int ancestor) {
  for (; joint != kNoJoint; joint = body.skeleton->parent(joint)) {
    if (joint == ancestor) return true;
  }
  return false;
}

// The joint where the hindmost pair of legs leaves the middle. Without legs, the root.
int hips_by_legs(const Body& body, const Symmetry& symmetry, const std::vector<Limb>& limbs, Vec3 forward) {
  int hips = kNoJoint;
  double hindmost = 0;
  for (const Limb& limb : limbs) {
    if (limb.kind != LimbKind::kLeg) continue;
    const int carrier = body.skeleton->parent(limb.joints.front());
    if (carrier == kNoJoint || !body.has(carrier)) continue;  // A leg beside the body.
    const double along = dot(body.position(limb.joints.front()), forward);
    if (hips != kNoJoint && along >= hindmost) continue;
    hindmost = along;
    hips = carrier;
    // Legs may share an anchor on their side.
    while (hips != kNoJoint && hips != body.root && symmetry.partner[idx(hips)] != kNoJoint)
      hips = body.skeleton->parent(hips);
  }
  return hips != kNoJoint ? hips : body.root;
}

}  // namespace

Middle find_middle(const Body& body, const Symmetry& symmetry, const std::vector<Limb>& limbs, Vec3 forward) {
  Middle middle;
  if (body.root == kNoJoint) return middle;
  middle.hips = first_named(body, Role::kHips);
  // A joint named pelvis that carries no leg is a helper beside the real one.
  const auto is_leg = [](const Limb& limb) { return limb.kind == LimbKind::kLeg; };
  const auto carries = [&](const Limb& limb) {
    return is_leg(limb) && is_below(body, limb.joints.front(), middle.hips);
  };
  if (middle.hips != kNoJoint && std::any_of(limbs.begin(), limbs.end(), is_leg) &&
      std::none_of(limbs.begin(), limbs.end(), carries)) {
    middle.hips = kNoJoint;
  }
  middle.hips_by_names = middle.hips != kNoJoint;
  if (middle.hips == kNoJoint) middle.hips = hips_by_legs(body, symmetry, limbs, forward);

  // Leaves of the middle of the body: the head is furthest up and forward, the tail furthest back.
  int front = kNoJoint, back = kNoJoint;
  double best_front = 0, best_back = 0;
  const Vec3 centre = body.position(middle.hips);
  std::vector<char> below_root(idx(body.num_joints()), 0);
  for (int j = 0; j < body.num_joints(); ++j) {
    const int parent = body.skeleton->parent(j);
    below_root[idx(j)] = j == body.root || (parent != kNoJoint && below_root[idx(parent)]);
    if (!body.has(j) || symmetry.partner[idx(j)] != kNoJoint || !below_root[idx(j)]) continue;
    const auto is_middle = [&](int child) { return symmetry.partner[idx(child)] == kNoJoint; };
    const std::vector<int>& children = body.children_of(j);
    if (std::any_of(children.begin(), children.end(), is_middle)) continue;
    const Vec3 d = body.position(j) - centre;
    const double ahead = dot(d, forward), above = dot(d, body.up);
    if (const double score = ahead + above; front == kNoJoint || score > best_front) {
      front = j;
      best_front = score;
    }
    if (-ahead > best_back) {
      back = j;
      best_back = -ahead;
    }
  }
  middle.head = first_named(body, Role::kHead);
  middle.head_by_names = middle.head != kNoJoint;
  if (middle.head == kNoJoint && front != kNoJoint) {
    middle.head = body.is_mere_end(front) && front != body.root ? body.skeleton->parent(front) : front;
  }

  // The body's size from the side: wings do not make a tail shorter.
  double nearest = 0, farthest = 0;
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has_size(j)) continue;
    const double along = dot(body.position(j) - centre, forward);
    nearest = std::min(nearest, along);
    farthest = std::max(farthest, along);
  }
  const double side_size = std::hypot(body.high - body.low, farthest - nearest);
  const int named_tail = first_named(body, Role::kTail);
  middle.tail_by_names = named_tail != kNoJoint;
  if (named_tail != kNoJoint) {
    for (int joint = named_tail; joint != kNoJoint;) {
      middle.tail.push_back(joint);
      const std::vector<int>& children = body.children_of(joint);
      joint = children.empty() ? kNoJoint : children.front();
    }
  } else if (back != kNoJoint && back != front && best_back > 0.05 * side_size) {
    const std::vector<char> on_head_way = mask_of(body, way_up(body, middle.head));
    double length = 0;
    for (const int joint : way_up(body, back)) {
      if (joint == middle.hips || on_head_way[idx(joint)]) break;
      middle.tail.push_back(joint);
      length += body.bone_length[idx(joint)];
    }
    std::reverse(middle.tail.begin(), middle.tail.end());
    if (length < 0.15 * side_size) middle.tail.clear();  // A hump, the pin of a cape, ….
  }

  if (middle.head != kNoJoint) {
    const std::vector<char> above_hips = mask_of(body, way_up(body, middle.hips));
    const std::vector<int> way = way_up(body, middle.head);
    for (std::size_t i = 1; i < way.size() && !above_hips[idx(way[i])]; ++i) middle.spine.push_back(way[i]);
    std::reverse(middle.spine.begin(), middle.spine.end());
  }
  return middle;
}

}  // namespace zoe::anatomy

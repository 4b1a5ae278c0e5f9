// SPDX-License-Identifier: MIT
#include "anatomy/facing.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

#include "anatomy/flesh.h"

namespace zoe::anatomy {
namespace {

// -1 to 1: toes point along `axis`. Legs that trail behind a body in flight do not vote.
double toes_vote(const Body& body, const std::vector<Limb>& limbs, Vec3 axis) {
  double sum = 0, weight = 0;
  for (const Limb& limb : limbs) {
    if (limb.kind != LimbKind::kLeg || limb.joints.size() < 2) continue;
    const int foot = foot_of(body, limb.joints);
    const Vec3 leg = body.position(foot) - body.position(limb.joints.front());
    if (foot != limb.joints.front() && -dot(leg, body.up) < 0.5F * length(leg)) continue;
    Vec3 toe = body.position(limb.joints.back()) - body.position(foot);
    if (foot == limb.joints.back()) toe = body.position(foot) - body.position(limb.joints[limb.joints.size() - 2]);
    sum += dot(toe, axis);
    weight += length(toe);
  }
  return weight > 0 ? sum / weight : 0;
}

// -1 to 1: the soles of a body on two straight legs reach farther along `axis` than behind its hips. Any joint may
// carry them: rigs for IK have feet outside of their legs. Only of legs without joints for toes.
double soles_vote(const Body& body, const std::vector<Limb>& limbs, Vec3 axis) {
  constexpr double kThick = 0.06;  // Of the leg's length.
  std::size_t legs = 0, arms = 0;
  double hips = 0, leg_length = 0;
  for (const Limb& limb : limbs) {
    arms += limb.kind == LimbKind::kArm ? 1 : 0;
    if (limb.kind != LimbKind::kLeg) continue;
    ++legs;
    const int end = limb.joints.back();
    const Vec3 leg = body.position(end) - body.position(limb.joints.front());
    if (limb.joints.size() < 3 || foot_of(body, limb.joints) != end) return 0;
    if (-dot(leg, body.up) < 0.95F * length(leg)) return 0;
    hips += 0.5 * static_cast<double>(dot(body.position(limb.joints.front()), axis));
    leg_length += 0.5 * static_cast<double>(length(leg));
  }
  if (legs != 2 || arms != 2 || !body.has_flesh()) return 0;
  double ground = 1e30, front = -1e30, back = 1e30;
  for (int j = 0; j < body.num_joints(); ++j) ground = std::min(ground, flesh_low(body, j));
  for (int j = 0; j < body.num_joints(); ++j) {
    for (const Vec3 p : body.flesh[idx(j)]) {
      const Vec3 at = body.model[idx(j)].apply_point(p);
      if (static_cast<double>(dot(at, body.up)) > ground + kThick * leg_length) continue;
      const double along = static_cast<double>(dot(at, axis)) - hips;
      front = std::max(front, along);
      back = std::min(back, along);
    }
  }
  return front > back ? std::clamp(2 * (front + back) / (front - back), -1.0, 1.0) : 0;
}

// -1 to 1: feathers and membranes are behind the bones of a wing.
double wings_vote(const Body& body, const std::vector<Limb>& limbs, Vec3 axis) {
  double behind = 0, size = 0;
  for (const Limb& limb : limbs) {
    if (limb.kind != LimbKind::kWing) continue;
    const FleshShape flesh = flesh_shape(body, limb.joints.front());
    if (flesh.num_points == 0) continue;
    Vec3 bones{};
    for (const int joint : limb.joints) bones = bones + body.position(joint) / static_cast<float>(limb.joints.size());
    behind += dot(bones - flesh.center, axis);
    size += 0.1 * flesh.reach;
  }
  return size > 0 ? std::clamp(behind / size, -1.0, 1.0) : 0.0;
}

// -1 or 1: the joint named head is along `axis` from the hips, in bodies longer than tall.
double head_vote(const Body& body, Vec3 axis) {
  int head = kNoJoint, hips = kNoJoint, tail = kNoJoint;
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has(j)) continue;
    if (head == kNoJoint && body.role(j) == Role::kHead) head = j;
    if (hips == kNoJoint && body.role(j) == Role::kHips) hips = j;
    if (body.role(j) == Role::kTail) tail = j;
  }
  if (hips == kNoJoint) hips = tail;
  if (head == kNoJoint || hips == kNoJoint) return 0;
  const Vec3 d = body.position(head) - body.position(hips);
  const double along = dot(d, axis), above = dot(d, body.up);
  return std::abs(along) > 0.7 * std::abs(above) ? std::copysign(1.0, along) : 0.0;
}

// -1 to 1: what is named tail goes backwards from its first joint: its flesh, else its last joint.
double tail_vote(const Body& body, Vec3 axis) {
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has(j) || body.role(j) != Role::kTail) continue;
    Vec3 way{};
    if (const FleshShape flesh = flesh_shape(body, j); flesh.num_points > 0) {
      way = flesh.center - body.position(j);
    } else {
      for (int last = j + 1; last < body.num_joints(); ++last)
        if (body.has(last) && body.role(last) == Role::kTail) way = body.position(last) - body.position(j);
    }
    const double size = length(way);
    return size > 0.02 * body.size ? std::clamp(-2 * dot(way, axis) / size, -1.0, 1.0) : 0.0;
  }
  return 0;
}

// -1 to 1: joints named left are on the left of a body that faces `axis`.
double sides_vote(const Body& body, const Symmetry& symmetry, Vec3 left) {
  double sum = 0, weight = 0;
  for (int j = 0; j < body.num_joints(); ++j) {
    const int other = symmetry.partner[idx(j)];
    if (other == kNoJoint || body.side(j) != Side::kLeft) continue;
    const double across = dot(body.position(j) - body.position(other), left);
    sum += across;
    weight += std::abs(across);
  }
  return weight > 0 ? sum / weight : 0;
}

// -1 to 1: the body travels along `axis`, turned with the body. 0 when it hardly travels.
double travel_vote(const Body& body, const Symmetry& symmetry, Vec3 axis, std::span<const Motion> clips) {
  struct Across {
    int a, b;  // a is on the side of the normal.
  };
  std::vector<Across> across;
  for (int j = 0; j < body.num_joints(); ++j) {
    const int other = symmetry.partner[idx(j)];
    const int parent = body.skeleton->parent(j);
    if (other == kNoJoint || parent == kNoJoint || symmetry.partner[idx(parent)] != kNoJoint) continue;
    if (dot(body.position(j) - body.position(other), symmetry.normal) > 0) across.push_back({j, other});
  }
  if (across.empty()) return 0;
  // `axis` is ± normal × up.
  const double sign = dot(cross(symmetry.normal, body.up), axis) > 0 ? 1 : -1;
  double net = 0, total = 0;
  std::vector<Affine> model(idx(body.num_joints()));
  const std::size_t num_clips = std::min<std::size_t>(clips.size(), 16);
  for (const Motion& clip : clips.first(num_clips)) {
    if (clip.num_joints() != body.num_joints() || clip.num_frames < 2) continue;
    const int samples = std::min(clip.num_frames, 48);
    Vec3 before{};
    bool has_before = false;
    for (int s = 0; s < samples; ++s) {
      const int frame = static_cast<int>(static_cast<std::int64_t>(clip.num_frames - 1) * s / std::max(1, samples - 1));
      compute_model_from_joint(*body.skeleton, clip.frame(frame), model);
      if (!is_measurable(model)) continue;
      Vec3 normal{}, middle{};
      for (const auto& [a, b] : across) {
        normal = normal + (model[idx(a)].t - model[idx(b)].t);
        middle = middle + (model[idx(a)].t + model[idx(b)].t) * (0.5F / static_cast<float>(across.size()));
      }
      const Vec3 forward = normalized(cross(normal, body.up));
      if (has_before) {
        const double step = sign * dot(middle - before, forward);
        net += step;
        total += std::abs(step);
      }
      before = middle;
      has_before = true;
    }
  }
  return total > body.size ? net / total : 0;
}

}  // namespace

Facing find_facing(const Body& body, const Symmetry& symmetry, const std::vector<Limb>& limbs,
                   std::span<const Motion> clips) {
  // For a mirror plane across x this is z; left = up × forward.
  const Vec3 axis = normalized(cross(symmetry.normal, body.up), level_axes(body.up)[1]);
  const Vec3 left = cross(body.up, axis);
  struct Vote {
    double value;
    EvidenceSource source;
  };
  // Readers convert stated axes to +z forward; a pose from a clip may face anywhere.
  const double stated = body.clip < 0 && body.up.y > 0 ? 0.5 * axis.z : 0.0;
  const Vote votes[] = {{stated, EvidenceSource::kGeometry},
                        {1.0 * toes_vote(body, limbs, axis), EvidenceSource::kGeometry},
                        {1.25 * soles_vote(body, limbs, axis), EvidenceSource::kGeometry},
                        {1.0 * wings_vote(body, limbs, axis), EvidenceSource::kGeometry},
                        {2.0 * head_vote(body, axis), EvidenceSource::kNames},
                        {1.5 * tail_vote(body, axis), EvidenceSource::kNames},
                        {1.5 * sides_vote(body, symmetry, left), EvidenceSource::kNames},
                        {0.6 * travel_vote(body, symmetry, axis, clips), EvidenceSource::kMotion}};
  double sum = 0, weight = 0;
  const Vote* strongest = &votes[0];
  for (const Vote& vote : votes) {
    sum += vote.value;
    weight += std::abs(vote.value);
    if (std::abs(vote.value) > std::abs(strongest->value)) strongest = &vote;
  }
  Facing facing;
  facing.forward = sum < 0 ? axis * -1.0F : axis;
  facing.evidence = {weight > 0 ? std::abs(sum) / (weight + 0.2) : 0.0, strongest->source};
  return facing;
}

}  // namespace zoe::anatomy

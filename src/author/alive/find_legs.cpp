// SPDX-License-Identifier: MIT
// Part of Zoetrope. Legs of any rig: chains with a knee, legs of one bone, legs of one joint, feet on separate bones.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/anatomy/leg_rig.h"
#include "zoe/core/index.h"

#include "author/alive/plan.h"

namespace zoe::author {
namespace {

// A knee nearer to the line of the leg than this fraction of its length does not tell where it bends.
constexpr float kBent = 0.025F;
// Soles within this distance of the ground, in leg lengths, are on it.
constexpr float kOnGround = 0.03F;
constexpr float kMostLift = 0.35F;

bool has_length(const StandingRig& rig, int a, int b, float least_m) {
  return a != kNoJoint && b != kNoJoint && distance(rig.at(a), rig.at(b)) > least_m;
}

// Below a leg of one joint: the middle of the lowest part of its skin.
std::optional<Vec3> sole_of(const StandingRig& rig, int joint) {
  const float low = rig.lowest_below(joint), high = rig.at(joint).y;
  if (!(high - low > 0)) return std::nullopt;
  Vec3 sum{};
  float count = 0;
  for (const StandingRig::SkinPoint& point : rig.skin) {
    if (point.joint < 0 || !rig.is_below(point.joint, joint) || point.position.y > low + 0.15F * (high - low)) continue;
    sum += point.position;
    ++count;
  }
  if (!(count > 0)) return std::nullopt;
  Vec3 sole = sum / count;
  sole.y = low;
  return sole;
}

// A bone of the skin near the end of a leg that belongs to no limb and carries none.
int find_loose_foot(const StandingRig& rig, int end, float leg_m, std::span<const int> taken_feet) {
  constexpr float kNear = 0.15F;
  const SkeletonAnalysis& body = rig.analysis;
  int best = kNoJoint;
  float nearest = kNear * leg_m;
  for (int j = 0; j < rig.skeleton->num_joints(); ++j) {
    const auto is_of_body = [&](int joint) { return rig.is_below(j, joint) || rig.is_below(joint, j); };
    bool taken = std::find(taken_feet.begin(), taken_feet.end(), j) != taken_feet.end();
    for (const Limb& limb : body.limbs) taken = taken || (!limb.joints.empty() && is_of_body(limb.joints.front()));
    if (taken || rig.is_below(body.hips, j) || distance(rig.at(j), rig.at(end)) >= nearest) continue;
    const bool has_skin = std::any_of(rig.skin.begin(), rig.skin.end(), [&](const StandingRig::SkinPoint& p) {
      return p.joint >= 0 && rig.is_below(p.joint, j);
    });
    if (!has_skin && !rig.skin.empty()) continue;
    nearest = distance(rig.at(j), rig.at(end));
    best = j;
  }
  return best;
}

// Half of the width of a foot, with a little room beside it.
float half_foot(const StandingRig& rig, const control::GaitLeg& leg) {
  float width = 0;
  const float at = rig.at(leg.end).x;
  const float high = leg.end == leg.hip ? 1e30F : rig.at(leg.end).y;
  for (const StandingRig::SkinPoint& point : rig.skin) {
    if (point.joint < 0 || point.position.y > high) continue;
    if (rig.is_below(point.joint, leg.end) || (leg.loose != kNoJoint && rig.is_below(point.joint, leg.loose)))
      width = std::max(width, std::abs(point.position.x - at));
  }
  return 1.1F * width;
}

Vec3 pole_of(const StandingRig& rig, const control::GaitLeg& leg, bool is_front_of_two) {
  const Vec3 hip = rig.at(leg.hip), end = rig.at(leg.end) + leg.tip_m;
  const Vec3 line = normalized(end - hip, Vec3{0, -1, 0});
  const float sideways = std::hypot(end.x - hip.x, end.z - hip.z), down = std::abs(hip.y - end.y);
  Vec3 usual = is_front_of_two ? Vec3{0, 0, -1} : Vec3{0, 0, 1};
  if (sideways > 0.6F * down) usual = Vec3{0, 1, 0};
  Vec3 pole = usual;
  if (leg.knee != kNoJoint) {
    const Vec3 knee = rig.at(leg.knee) - hip, off = knee - line * dot(knee, line);
    const float bent = length(off) / std::max(distance(hip, end), 1e-6F);
    // Straight legs in a bind pose are often bent a little to the wrong side.
    const bool is_sure = bent > (dot(off, usual) < 0 ? 2.5F : 1.0F) * kBent;
    if (is_sure) pole = off;
  }
  pole = pole - line * dot(pole, line);
  return normalized(pole, normalized(cross(line, Vec3{1, 0, 0}), Vec3{0, 0, 1}));
}

}  // namespace

int find_trunk(const StandingRig& rig) {
  const SkeletonAnalysis& body = rig.analysis;
  int trunk = body.root != kNoJoint ? body.root : body.hips != kNoJoint ? body.hips : 0;
  // A joint above both a leg and the trunk carries them, where they have one.
  for (const Limb& limb : body.limbs) {
    if (limb.joints.empty() || rig.is_below(limb.joints.front(), trunk)) continue;
    int above = trunk;
    while (above != kNoJoint && !rig.is_below(limb.joints.front(), above)) above = rig.skeleton->parent(above);
    if (above != kNoJoint) trunk = above;
  }
  return trunk;
}

std::vector<PlannedLeg> find_legs(const StandingRig& rig, int trunk, Notes& notes) {
  const SkeletonAnalysis& body = rig.analysis;
  std::vector<PlannedLeg> legs;
  std::vector<int> loose_feet;
  std::size_t foot = 0;
  for (const Limb& limb : body.limbs) {
    if (limb.kind != LimbKind::kLeg) continue;
    const int end = foot < body.feet.size() ? body.feet[foot] : kNoJoint;
    ++foot;
    if (limb.joints.empty() || end == kNoJoint) continue;
    if (!rig.is_below(limb.joints.front(), trunk) || limb.joints.front() == trunk) {
      notes.push_back(fmt::format("the leg at '{}' hangs on no joint of the body and is not moved",
                                  rig.skeleton->name(limb.joints.front())));
      continue;
    }
    PlannedLeg planned;
    control::GaitLeg& leg = planned.leg;
    leg.end = end;
    const auto found = std::find(limb.joints.begin(), limb.joints.end(), end);
    std::vector<int> chain(limb.joints.begin(), found == limb.joints.end() ? limb.joints.end() : found + 1);
    if (found == limb.joints.end()) leg.end = chain.back();
    // What the analysis calls a foot may be a shin that leads on to the ground.
    if (const std::size_t next = chain.size(); chain.size() == 2 && next < limb.joints.size()) {
      const Vec3 hip = rig.at(chain[0]), foot_at = rig.at(chain[1]), below = rig.at(limb.joints[next]);
      if (foot_at.y - below.y > 0.3F * (hip.y - below.y) && rig.skeleton->kind(limb.joints[next]) != JointKind::kNode) {
        chain.push_back(limb.joints[next]);
        leg.end = chain.back();
      }
    }
    const auto after = std::find(limb.joints.begin(), limb.joints.end(), leg.end) + 1;
    leg.hip = chain.front();
    const float chain_m = distance(rig.at(chain.front()), rig.at(leg.end));
    if (chain.size() >= 3) {
      const std::size_t hinge = anatomy::hinge_of(chain, body.reference_positions);
      if (has_length(rig, chain[hinge - 1], chain[hinge], 0.08F * chain_m) &&
          has_length(rig, chain[hinge], leg.end, 0.08F * chain_m)) {
        leg.hip = chain[hinge - 1];
        leg.knee = chain[hinge];
      }
    }
    if (leg.hip == leg.end || !has_length(rig, leg.hip, leg.end, 1e-3F * static_cast<float>(body.height_m))) {
      leg.end = leg.hip;
      leg.knee = kNoJoint;
      const std::optional<Vec3> sole = sole_of(rig, leg.hip);
      if (!sole) {
        notes.push_back(fmt::format("the leg '{}' has no length and is not moved", rig.skeleton->name(leg.hip)));
        continue;
      }
      leg.tip_m = *sole - rig.at(leg.hip);
    }
    const Vec3 tip = rig.at(leg.end) + leg.tip_m;
    planned.hip_m = rig.at(leg.hip).y;
    planned.reach_m = leg.knee == kNoJoint
                          ? distance(rig.at(leg.hip), tip)
                          : distance(rig.at(leg.hip), rig.at(leg.knee)) + distance(rig.at(leg.knee), rig.at(leg.end));
    if (leg.end != leg.hip && after != limb.joints.end() && has_length(rig, leg.end, *after, 0.06F * planned.reach_m) &&
        rig.skeleton->kind(*after) == JointKind::kBone)
      leg.ball = *after;
    leg.loose = find_loose_foot(rig, leg.end, planned.reach_m, loose_feet);
    if (leg.loose != kNoJoint) loose_feet.push_back(leg.loose);
    // Some rigs name sides as the viewer sees them.
    const float named = limb.side == Side::kLeft ? 1.0F : limb.side == Side::kRight ? -1.0F : 0.0F;
    leg.side = std::abs(tip.x) > 0.01F * planned.reach_m || named == 0 ? (tip.x >= 0 ? 1.0F : -1.0F) : named;
    // Its sole on the ground.
    leg.home_m = tip;
    float low = leg.end == leg.hip ? tip.y : rig.lowest_below(leg.end);
    if (leg.loose != kNoJoint) low = std::min(low, rig.lowest_below(leg.loose));
    if (std::isfinite(low) && std::abs(low) > kOnGround * planned.reach_m)
      leg.home_m.y -= std::clamp(low, -kMostLift * planned.reach_m, kMostLift * planned.reach_m);
    legs.push_back(planned);
  }
  for (const float side : {1.0F, -1.0F}) {
    std::vector<PlannedLeg*> on_side;
    for (PlannedLeg& leg : legs)
      if (leg.leg.side == side) on_side.push_back(&leg);
    std::stable_sort(on_side.begin(), on_side.end(),
                     [](const PlannedLeg* a, const PlannedLeg* b) { return a->leg.home_m.z > b->leg.home_m.z; });
    for (std::size_t i = 0; i < on_side.size(); ++i) on_side[i]->row = static_cast<int>(i);
  }
  // People stand with their legs apart in a bind pose, and walk with feet below their hips.
  if (legs.size() == 2 && body.family == BodyFamily::kBiped) {
    for (PlannedLeg& leg : legs) {
      const float hip = std::abs(rig.at(leg.leg.hip).x), foot_x = std::abs(leg.leg.home_m.x);
      const float room = half_foot(rig, leg.leg);
      leg.leg.home_m.x = leg.leg.side * std::min(foot_x, std::max({0.85F * hip, room, 0.02F * leg.reach_m}));
    }
  }
  for (PlannedLeg& leg : legs) leg.leg.pole = pole_of(rig, leg.leg, legs.size() == 4 && leg.row == 0);
  return legs;
}

}  // namespace zoe::author

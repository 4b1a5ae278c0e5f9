// SPDX-License-Identifier: MIT
#include "control/goal/limb_room.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/ik/two_bone_ik_job.h"
#include "zoe/math/portable.h"
#include "zoe/math/portable_quat.h"

namespace zoe::control {
namespace {

// Moves that are searched: distances, directions across the floor, and turns.
constexpr std::array<float, 8> kMoves_m{0.03F, 0.06F, 0.1F, 0.15F, 0.2F, 0.27F, 0.35F, 0.45F};
constexpr float kSwivel_rad = 0.3F, kRound_rad = 6.2831853F;
constexpr int kWays = 8;
// A turn of a radian costs as much as this distance, and a change of the last move this share of a move.
constexpr float kMetresPerRad = 0.06F, kKeeps = 1;
constexpr std::array<float, 5> kShares{1, 0.7F, 0.85F, 1.2F, 1.5F};  // Of the last move.
// Depth that stays counts this many times as much as the move.
constexpr float kInsideCosts = 8;
constexpr int kHalvings = 4;

float cost_of(const LimbMove& move) noexcept { return length(move.tip) + kMetresPerRad * std::abs(move.swivel_rad); }
LimbMove part_between(const LimbMove& a, const LimbMove& b, float share) noexcept {
  return {lerp(a.tip, b.tip, share), a.swivel_rad + (b.swivel_rad - a.swivel_rad) * share};
}

// Near enough to matter for any of the moves.
std::uint32_t far_props(const Limb& limb, std::span<const Prop> props, float most_m) noexcept {
  float reach_m = distance(limb.start, limb.middle) + distance(limb.middle, limb.tip);
  float beyond_m = 0;
  for (std::size_t i = 0; i < limb.num_beyond; ++i) beyond_m = std::max(beyond_m, length(limb.beyond[i]));
  reach_m += beyond_m + most_m + std::max({limb.upper_m, limb.lower_m, limb.beyond_m});
  std::uint32_t far = 0;
  for (std::size_t i = 0; i < props.size(); ++i)
    if (signed_distance(props[i], limb.start) > reach_m) far |= 1U << i;
  return far;
}

struct Search {
  const Limb& limb;
  LimbObstacles obstacles;
  const LimbMove& before;
  const RoomOptions& options;
  LimbMove best{};
  float least = 0;
  bool clear = false;

  void see(const LimbMove& move) noexcept {
    const float cost = cost_of(move) + kKeeps * cost_of({move.tip - before.tip, move.swivel_rad - before.swivel_rad});
    if (cost >= least) return;
    const float inside_m = std::max(depth_of_limb(moved(limb, move), obstacles) - options.touches_m, 0.0F);
    const float all = cost + kInsideCosts * inside_m;
    if (all >= least) return;
    best = move;
    least = all;
    clear = inside_m == 0;
  }
};

}  // namespace

Limb moved(const Limb& limb, const LimbMove& move) noexcept {
  if (move == LimbMove{}) return limb;
  Limb out = limb;
  const float upper_m = distance(limb.start, limb.middle), lower_m = distance(limb.middle, limb.tip);
  Vec3 along = limb.tip + move.tip - limb.start;
  const float far = length(along);
  along = normalized(along, Vec3{0, -1, 0});
  const float d = std::clamp(far, std::abs(upper_m - lower_m) + 1e-4F, upper_m + lower_m - 1e-4F);
  out.tip = limb.start + along * d;
  const float a = (upper_m * upper_m - lower_m * lower_m + d * d) / (2 * d);
  const float aside_m = std::sqrt(std::max(upper_m * upper_m - a * a, 0.0F));
  // The middle joint stays at its side of the line.
  const Vec3 bend = limb.middle - limb.start;
  const Vec3 aside = normalized(bend - along * dot(bend, along), Vec3{0, 0, 1});
  const Vec3 across = cross(along, aside);
  out.middle = limb.start + along * a +
               (aside * portable_cos(move.swivel_rad) + across * portable_sin(move.swivel_rad)) * aside_m;
  return out;
}

float depth_of_limb(const Limb& limb, const LimbObstacles& obstacles) noexcept {
  float deepest = -1;
  for (std::size_t i = 0; i < obstacles.props.size(); ++i) {
    if ((obstacles.skipped >> i & 1U) != 0) continue;
    const Prop& prop = obstacles.props[i];
    if ((obstacles.lower_only >> i & 1U) == 0)
      deepest = std::max(deepest, depth_of_capsule(prop, limb.start, limb.middle, limb.upper_m));
    deepest = std::max(deepest, depth_of_capsule(prop, limb.middle, limb.tip, limb.lower_m));
    for (std::size_t k = 0; k < limb.num_beyond; ++k)
      deepest = std::max(deepest, limb.beyond_m - signed_distance(prop, limb.tip + limb.beyond[k]));
  }
  return deepest;
}

LimbMove find_room(const Limb& limb, const LimbObstacles& obstacles, const LimbMove& before,
                   const RoomOptions& options) noexcept {
  Search search{limb, obstacles, before, options};
  search.obstacles.skipped |= far_props(limb, obstacles.props, options.most_m);
  const float inside_m = depth_of_limb(limb, search.obstacles);
  if (inside_m <= options.begins_m) return {};
  search.least = kInsideCosts * inside_m + kKeeps * cost_of(before);
  for (const float share : kShares) search.see(part_between({}, before, share));
  for (float turn = 0; turn <= options.most_swivel_rad; turn += kSwivel_rad)
    for (const float side : {1.0F, -1.0F})
      if (turn > 0 || side > 0) search.see({{}, side * turn});
  for (const float far_m : kMoves_m) {
    if (far_m > options.most_m) break;
    for (const float swivel : {0.0F, kSwivel_rad, -kSwivel_rad, 2 * kSwivel_rad, -2 * kSwivel_rad}) {
      if (std::abs(swivel) > options.most_swivel_rad) continue;
      for (const float up : {0.0F, 1.0F, -1.0F}) {
        if (up != 0 && options.level) break;
        for (int i = 0; i < kWays; ++i) {
          const float angle = kRound_rad * static_cast<float>(i) / kWays;
          const Vec3 way = normalized(Vec3{portable_sin(angle), up, portable_cos(angle)}, Vec3{});
          search.see({way * far_m, swivel});
        }
      }
      if (!options.level)
        for (const float up : {1.0F, -1.0F}) search.see({{0, up * far_m, 0}, swivel});
    }
  }
  if (!search.clear) return search.best;
  // As little of it as is needed: moves grow as the limb comes nearer.
  float low = 0, high = 1;
  for (int i = 0; i < kHalvings; ++i) {
    const float middle = 0.5F * (low + high);
    const bool clear =
        depth_of_limb(moved(limb, part_between({}, search.best, middle)), search.obstacles) <= options.touches_m;
    (clear ? high : low) = middle;
  }
  return part_between({}, search.best, high);
}

void approach_move(LimbMove& now, const LimbMove& target, float most_m, float most_rad) noexcept {
  const Vec3 left = target.tip - now.tip;
  const float far = length(left);
  now.tip += far > most_m ? left * (most_m / far) : left;
  now.swivel_rad += std::clamp(target.swivel_rad - now.swivel_rad, -most_rad, most_rad);
}

void bend_limb(const Skeleton& skeleton, const LimbJoints& joints, std::span<const Affine> models, const LimbMove& move,
               Pose& pose) noexcept {
  const auto model_rotation = [&](int joint) {
    Quat q;
    for (int j = joint; j != kNoJoint; j = skeleton.parent(j)) q = pose.rotations[idx(j)] * q;
    return normalized(q);
  };
  const Quat before = model_rotation(joints.tip);
  const Vec3 target = models[idx(joints.tip)].t + move.tip;
  if (move.tip != Vec3{}) {
    TwoBoneIkJob{.skeleton = &skeleton,
                 .settings = {.start_joint = joints.start,
                              .mid_joint = joints.mid,
                              .end_joint = joints.tip,
                              .mid_axis = joints.mid_axis,
                              .soften = joints.soften},
                 .target_model = target,
                 .pole_model = {},
                 .pose = ik_pose(pose)}
        .run();
  }
  if (move.swivel_rad != 0) {
    const Vec3 along = normalized(target - models[idx(joints.start)].t, Vec3{0, -1, 0});
    const int parent = skeleton.parent(joints.start);
    const Quat above = parent == kNoJoint ? Quat{} : model_rotation(parent);
    Quat& start = pose.rotations[idx(joints.start)];
    start = normalized(conjugate(above) * portable_from_axis_angle(along, move.swivel_rad) * above * start);
  }
  pose.rotations[idx(joints.tip)] = normalized(conjugate(model_rotation(skeleton.parent(joints.tip))) * before);
}

}  // namespace zoe::control

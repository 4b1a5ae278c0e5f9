// SPDX-License-Identifier: MIT
#include "retarget/ground.h"

#include <algorithm>

#include "zoe/math/smooth_step.h"

#include "retarget/shift.h"

namespace zoe::retarget_detail {
namespace {

// A joint and its descendants, except plain nodes, which are props. The joint itself may be a node at a wing's end.
std::vector<int> below(const Skeleton& skeleton, int top) {
  std::vector<int> joints;
  for (int j = top; j != kNoJoint && j < skeleton.num_joints(); ++j) {
    const bool inside = j == top || std::ranges::find(joints, skeleton.parent(j)) != joints.end();
    if (inside && (j == top || skeleton.kind(j) != JointKind::kNode)) joints.push_back(j);
  }
  return joints;
}

}  // namespace

GroundParts::GroundParts(const RetargetBody& body, const BodyMatch& match, End end) {
  trunk = body.analysis.spine;
  for (const int joint : below(body.skeleton, body.analysis.head)) trunk.push_back(joint);
  trunk.push_back(body.analysis.hips);
  std::erase(trunk, body.analysis.root == body.analysis.hips ? kNoJoint : body.analysis.root);
  for (const LimbMatch& arm : match.arms)
    hands.push_back(below(body.skeleton, end == End::kSource ? arm.source.back() : arm.target.back()));
}

void GroundTrack::add(const anatomy::ModelPose& pose, const GroundParts& parts, const Extents& extents, Vec3 up) {
  trunk.push_back(lowest_of(pose, parts.trunk, extents, up));
  flesh.push_back(lowest_of(pose, parts.trunk, {}, up) - trunk.back());
  hands.resize(parts.hands.size());
  for (std::size_t i = 0; i < hands.size(); ++i) hands[i].push_back(lowest_of(pose, parts.hands[i], extents, up));
}

float hands_tell(const RetargetBody& body, const std::vector<int>& arm) {
  if (body.legs.empty()) return 0;
  float hangs = body.height(body.at(arm.front())) - static_cast<float>(body.analysis.ground_height);
  for (std::size_t i = 1; i < arm.size(); ++i) hangs -= distance(body.at(arm[i]), body.at(arm[i - 1]));
  return smooth_step((hangs / body.legs[0].length - 0.3F) / 0.3F);
}

float hand_touch(float height_in_legs) {
  return 1 - smooth_step((height_in_legs - kHandTouches) / (kHandIsClear - kHandTouches));
}

float hand_is_near(float height_in_legs) { return 1 - smooth_step((height_in_legs - kHandIsClear) / kHandIsClear); }

float hand_height(float source_height, float source_leg, float ratio) {
  constexpr float kFlesh = 0.04F;  // Leg lengths.
  return ratio * std::max(0.0F, source_height - kFlesh * source_leg);
}

void ground_hand(const ClipPair& clips, const LimbMatch& arm, const HandGround& ground, std::vector<Vec3>& goals) {
  const RetargetBody &from = clips.source_body, &to = clips.target_body;
  const std::size_t frames = goals.size();
  const auto lift = [&](std::size_t f, float height) {
    height += std::max(0.0F, ground.least[f] - height) * ground.near[f];
    goals[f] += to.analysis.up * (height - to.height(goals[f]));
  };
  if (from.legs.empty() || std::ranges::none_of(ground.touch, [](float touch) { return touch > 0; })) {
    for (std::size_t f = 0; f < frames; ++f) lift(f, to.height(goals[f]));
    return;
  }
  std::vector<Vec3> hands(frames);
  for (std::size_t f = 0; f < frames; ++f) hands[f] = clips.source.at(f, arm.source.back());
  const std::vector<Vec3>* track = &hands;
  std::vector<std::uint8_t> stands =
      find_stands({track, 1}, from.legs[0].length, from.analysis.metres_per_unit, clips.fps);
  FootShift shift{std::vector<Vec3>(frames), std::vector<Vec3>(frames), {}};
  std::vector<float> ways(frames);
  const auto scaled = [&](Vec3 p) { return rotate(clips.target_from_source, from.level(p)) * clips.scale; };
  for (std::size_t f = 0; f < frames; ++f) {
    if (ground.touch[f] < 0.5F) stands[f] = 0;
    shift.wanted[f] = to.level(goals[f]) - scaled(hands[f]);
    if (f > 0) ways[f] = length(from.level(hands[f] - hands[f - 1])) / from.legs[0].length;
  }
  shift.hold = hold_prices(ways, stands, clips.fps);
  for (std::size_t f = 0; f < frames; ++f) shift.hold[f] *= ground.touch[f];
  const std::vector<Vec3> shifts = solve_shift(shift);
  for (std::size_t f = 0; f < frames; ++f) {
    const float height = to.height(goals[f]);
    goals[f] = scaled(hands[f]) + shifts[f] + to.analysis.up * height;
    lift(f, height + (ground.wanted[f] - height) * ground.touch[f]);
  }
}

}  // namespace zoe::retarget_detail

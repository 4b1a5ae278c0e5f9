// SPDX-License-Identifier: MIT
#include "zoe/retarget/reference_pose.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "zoe/anatomy/bind_pose.h"
#include "zoe/anatomy/model_pose.h"
#include "zoe/anatomy/stance.h"
#include "zoe/anatomy/standing.h"
#include "zoe/character/copy_pose.h"
#include "zoe/core/index.h"
#include "zoe/motion/joint_tracks.h"

#include "retarget/stance.h"
#include "retarget/stands.h"

namespace zoe {
namespace {

// Angle about `up` from the body's forward to a direction, radians; 0 where that is upright.
float heading_of(Vec3 direction, const SkeletonAnalysis& body) {
  const Vec3 level = direction - body.up * dot(direction, body.up);
  if (length(level) < 0.2F * length(direction)) return 0;
  return std::atan2(dot(cross(body.forward, level), body.up), dot(body.forward, level));
}

// The mean of those that most others are near to. Captures of rolls and cartwheels lose markers and turn feet upside
// down: a mean of all would be neither.
Quat commonest(std::span<const Quat> turns) {
  constexpr float kNear = 0.5F;  // Radians.
  constexpr std::size_t kTried = 64;
  const std::size_t stride = (turns.size() + kTried - 1) / kTried;
  std::size_t best = 0, most = 0;
  for (std::size_t i = 0; i < turns.size(); i += stride) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < turns.size(); k += stride) count += angle_between(turns[i], turns[k]) < kNear ? 1 : 0;
    if (count <= most) continue;
    most = count;
    best = i;
  }
  Quat sum{0, 0, 0, 0};
  for (const Quat turn : turns) {
    if (angle_between(turn, turns[best]) >= kNear) continue;
    const Quat q = nearest_to(turns[best], turn);
    sum = {sum.x + q.x, sum.y + q.y, sum.z + q.z, sum.w + q.w};
  }
  return normalized(sum);
}

// The foot's rotation in flat contact in the clip, with its toes to the front; empty where there is none.
std::optional<Quat> flat_foot(const Motion& clip, const SkeletonAnalysis& body, int ankle, int ball, float leg_length,
                              std::span<const std::uint8_t> touching) {
  const int pair[] = {ankle, ball};
  const std::vector<Vec3> tracks = model_positions(clip, pair);
  std::vector<Vec3> ankles, balls;
  for (std::size_t i = 0; i < tracks.size(); i += 2) {
    ankles.push_back(tracks[i]);
    balls.push_back(tracks[i + 1]);
  }
  const float low_ankle = anatomy::standing_height(ankles, touching, body.up, 0);
  const float low_ball = anatomy::standing_height(balls, touching, body.up, 0);
  const float near = 0.02F * leg_length;
  std::vector<std::uint8_t> flat(touching.begin(), touching.end());
  for (std::size_t f = 0; f < flat.size(); ++f)
    if (std::abs(dot(ankles[f], body.up) - low_ankle) > near || std::abs(dot(balls[f], body.up) - low_ball) > near)
      flat[f] = 0;
  // The lowest ankle and the lowest ball may be at different moments.
  constexpr double kFew = 0.1;
  if (static_cast<double>(std::ranges::count(flat, 1)) < kFew * static_cast<double>(std::ranges::count(touching, 1)))
    flat = retarget_detail::find_flat(ankles, balls, touching, body.up, leg_length, body.metres_per_unit, clip.fps);
  std::vector<Quat> turns;  // As if its toes pointed to the front.
  for (std::size_t f = 0; f < ankles.size(); ++f) {
    if (flat[f] == 0) continue;
    const Quat unyaw = from_axis_angle(body.up, -heading_of(balls[f] - ankles[f], body));
    turns.push_back(
        normalized(unyaw * anatomy::model_rotation(*clip.skeleton, clip.frame(static_cast<int>(f)), ankle)));
  }
  if (turns.size() < 3) return std::nullopt;
  return commonest(turns);
}

// In a frame of a clip, or an added T-pose, feet may hang or be lifted. Flat soles are what bodies have in common.
void flatten_feet(const Skeleton& skeleton, const SkeletonAnalysis& body, const Motion& clip, Pose& pose) {
  const retarget_detail::Stands stands(clip, body);
  anatomy::ModelPose model;
  for (const Limb& limb : body.limbs) {
    const auto foot = std::ranges::find_first_of(limb.joints, body.feet);
    if (limb.kind != LimbKind::kLeg || foot == limb.joints.end() || foot + 1 == limb.joints.end() ||
        foot == limb.joints.begin())
      continue;
    const int ankle = *foot, ball = *(foot + 1);
    anatomy::compute_model_pose(skeleton, pose.view(), model);
    float leg_length = 0;
    for (auto j = limb.joints.begin(); j != foot; ++j)
      leg_length += distance(model.positions[idx(*j)], model.positions[idx(*(j + 1))]);
    const Vec3 bone = model.positions[idx(ball)] - model.positions[idx(ankle)];
    if (!(length(bone) > 0.02F * leg_length)) continue;
    std::vector<std::uint8_t> carrying = retarget_detail::upright_frames(clip, body, ankle, leg_length);
    const std::vector<std::uint8_t>& touching = stands.of(ankle);
    for (std::size_t f = 0; f < carrying.size(); ++f) carrying[f] = carrying[f] != 0 && touching[f] != 0 ? 1 : 0;
    const auto flat = flat_foot(clip, body, ankle, ball, leg_length, carrying);
    if (!flat) continue;
    const Quat rotation = from_axis_angle(body.up, heading_of(bone, body)) * *flat;
    const int parent = skeleton.parent(ankle);
    pose.rotations[idx(ankle)] = normalized(conjugate(model.rotations[idx(parent)]) * rotation);
  }
}

}  // namespace

Pose reference_pose(const Skeleton& skeleton, const SkeletonAnalysis& analysis, std::span<const Motion> clips,
                    const Character* character) {
  Pose pose = make_pose(skeleton);
  const bool in_clip = analysis.reference_clip >= 0 && idx(analysis.reference_clip) < clips.size();
  if (in_clip) {
    const Motion& clip = clips[idx(analysis.reference_clip)];
    if (analysis.reference_frame < 0 || analysis.reference_frame >= clip.num_frames) return pose;
    copy_pose(clip.frame(analysis.reference_frame), span_of(pose));
    if (analysis.feet.size() >= 4) retarget_detail::average_stance(skeleton, analysis, clip, pose);
  }
  if (!in_clip && analysis.reference_is_bind && character != nullptr)
    pose = anatomy::bind_pose(*character).value_or(pose);
  // A body that walks on its toes stands on them. Where a mesh was bound in the pose, its soles are flat.
  const bool bound = !in_clip && character != nullptr &&
                     std::ranges::any_of(character->instances, [](const auto& instance) { return instance.skin >= 0; });
  if (analysis.family == BodyFamily::kBiped && !bound && !clips.empty())
    flatten_feet(skeleton, analysis, clips[in_clip ? idx(analysis.reference_clip) : 0], pose);
  return pose;
}

double reference_quality(const SkeletonAnalysis& analysis) {
  return analysis.reference_clip < 0 ? 1.0 : anatomy::stance_quality(analysis, analysis.reference_positions);
}

}  // namespace zoe

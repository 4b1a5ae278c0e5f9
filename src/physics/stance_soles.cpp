// SPDX-License-Identifier: MIT
#include "physics/stance_soles.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"
#include "zoe/motion/motion.h"

namespace zoe::physics {
namespace {

constexpr int kMostFrames = 6000;
constexpr double kStillShare = 0.12;      // Of the body's height per second: a foot slower than this stands.
constexpr double kNearShare = 0.012;      // Of the height: how far above its lowest place a standing toe may be.
constexpr double kSkinShare = 0.011;      // Of the height: flesh below the toe joint.
constexpr std::size_t kFewestFrames = 8;  // Of stance.

struct FootFrames {
  std::vector<Vec3d> ankle, ball;        // World, metres.
  std::vector<Vec3d> ankle_up, ball_up;  // World up in the bones' frames.
  std::vector<double> speed;             // Of the ankle, metres per second.
};

double share_of(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

FootFrames collect(const BodySource& source, int ankle, int ball) {
  FootFrames frames;
  const double scale = source.analysis.metres_per_unit;
  int total = 0;
  for (const Motion& clip : source.clips) total += clip.num_frames;
  const int step = total / kMostFrames + 1;
  anatomy::ModelPose posed;
  for (const Motion& clip : source.clips) {
    Vec3d before{};
    int frame_before = -1;
    for (int f = 0; f < clip.num_frames; f += step) {
      anatomy::compute_model_pose(source.skeleton, clip.frame(f), posed);
      const Vec3d at = to_double(posed.positions[idx(ankle)]) * scale;
      if (frame_before >= 0) {
        frames.ankle.push_back(at);
        frames.ball.push_back(to_double(posed.positions[idx(ball)]) * scale);
        frames.ankle_up.push_back(rotate(conjugate(to_double(posed.rotations[idx(ankle)])), Vec3d{0, 1, 0}));
        frames.ball_up.push_back(rotate(conjugate(to_double(posed.rotations[idx(ball)])), Vec3d{0, 1, 0}));
        frames.speed.push_back(distance(at, before) * clip.fps / (f - frame_before));
      }
      before = at, frame_before = f;
    }
  }
  return frames;
}

// A box below the bone whose underside has this normal and depth below the bone's origin, in the bone's frame.
BoneShape flat_sole(Vec3d up, double depth_m, Vec3d tip, double back_share, double width_share, double thickness_m) {
  const Vec3d y = normalized(up, Vec3d{0, 1, 0});
  const Vec3d along = tip - y * dot(tip, y);
  const double reach = length(along);
  const Vec3d z = normalized(along, Vec3d{0, 0, 1});
  const Affined axes{cross(y, z), y, z, {}};
  const double back = back_share * reach, top = std::max(-depth_m + thickness_m, -0.5 * depth_m);
  BoneShape shape;
  shape.is_box = true;
  shape.rotation = rotation_of(axes);
  shape.half_size = {0.5 * width_share * reach, 0.5 * (top + depth_m), 0.5 * (reach + back)};
  shape.centre = rotate(shape.rotation, Vec3d{0, 0.5 * (top - depth_m), 0.5 * (reach - back)});
  return shape;
}

struct Stance {
  std::size_t foot = 0, toe = 0;   // Bones.
  Vec3d foot_up, toe_up;           // World up in their frames, summed over frames.
  double ankle_m = 0, ball_m = 0;  // Median heights.
};

std::vector<Stance> find_stances(const BodySource& source, const PlanFrame& frame, const BodyPlan& plan) {
  std::vector<Stance> stances;
  const double size = frame.height_m;
  for (std::size_t f = 0; f < plan.bones.size(); ++f) {
    const Bone& foot = plan.bones[f];
    if (foot.role != BoneRole::kFoot || !foot.shape.is_box || foot.shape.from_skin) continue;
    const auto is_toe = [&](const Bone& b) { return b.role == BoneRole::kToe && b.parent == static_cast<int>(f); };
    const auto toe = std::ranges::find_if(plan.bones, is_toe);
    if (toe == plan.bones.end() || !toe->shape.is_box || toe->shape.from_skin) continue;
    const FootFrames seen = collect(source, foot.joint, toe->joint);
    if (seen.ankle.size() < kFewestFrames) continue;
    std::vector<double> all_balls, balls, ankles;
    for (const Vec3d& p : seen.ball) all_balls.push_back(p.y);
    const double low_m = share_of(all_balls, 0.15);
    Stance stance{.foot = f, .toe = static_cast<std::size_t>(toe - plan.bones.begin())};
    for (std::size_t i = 0; i < seen.ankle.size(); ++i) {
      if (seen.speed[i] > kStillShare * size || std::abs(seen.ball[i].y - low_m) > kNearShare * size) continue;
      ankles.push_back(seen.ankle[i].y), balls.push_back(seen.ball[i].y);
      stance.foot_up += seen.ankle_up[i], stance.toe_up += seen.ball_up[i];
    }
    if (ankles.size() < kFewestFrames) continue;
    stance.ankle_m = share_of(ankles, 0.5), stance.ball_m = share_of(balls, 0.5);
    stances.push_back(stance);
  }
  return stances;
}

}  // namespace

void fit_soles_to_stance(const BodySource& source, const PlanFrame& frame, BodyPlan& plan) {
  const double size = frame.height_m, skin_m = kSkinShare * size;
  const std::vector<Stance> stances = find_stances(source, frame, plan);
  // All feet stand on one ground; markers may put their joints at different heights above it.
  double ground_m = 1e30;
  for (const Stance& s : stances) ground_m = std::min(ground_m, s.ball_m - skin_m);
  for (const Stance& s : stances) {
    Bone& foot = plan.bones[s.foot];
    Bone& toe = plan.bones[s.toe];
    const double depth_m = s.ankle_m - ground_m, toe_depth_m = s.ball_m - ground_m;
    if (depth_m < skin_m || depth_m > 0.12 * size || toe_depth_m > 0.05 * size) continue;
    const Vec3d toe_tip = rotate(toe.shape.rotation, Vec3d{0, 0, 2 * toe.shape.half_size.z});
    foot.shape = flat_sole(s.foot_up, depth_m, toe.offset_m, 0.35, 0.55, 0.012 * size);
    toe.shape = flat_sole(s.toe_up, toe_depth_m, toe_tip, 0.1, 0.9, 0.012 * size);
    toe.shape.half_size.x = foot.shape.half_size.x;
  }
}

}  // namespace zoe::physics

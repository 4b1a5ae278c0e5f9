// SPDX-License-Identifier: MIT
#include "zoe/physics/foot_labels.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"

#include "physics/ground_contact.h"
#include "physics/sole_meter.h"

namespace zoe::physics {
namespace {

constexpr double kOnGround_m = 0.01;
constexpr double kNear = 0.015;  // Of the height.
constexpr double kStill = 0.07;  // Of √(g × height of the root): slower joints do not move.

// Height of the bone's origin when its sole lies flat.
float standing_height(const BoneShape& sole) {
  const Vec3d up = rotate(sole.rotation, Vec3d{0, 1, 0});
  return static_cast<float>(sole.half_size.y - dot(sole.centre, up));
}

Vec3 knee_axis(const Leg& leg, const BoneShape& sole, const Motion& clip) {
  anatomy::ModelPose posed;
  Vec3 sum{};
  Vec3 across{1, 0, 0};
  const int step = clip.num_frames / 200 + 1;
  for (int frame = 0; frame < clip.num_frames; frame += step) {
    anatomy::compute_model_pose(*clip.skeleton, clip.frame(frame), posed);
    const auto at = [&](int joint) { return posed.positions[idx(joint)]; };
    const Quat knee_from_model = conjugate(posed.rotations[idx(leg.knee)]);
    sum += rotate(knee_from_model,
                  cross(normalized(at(leg.knee) - at(leg.hip)), normalized(at(leg.ankle) - at(leg.knee))));
    if (frame == 0)
      across = rotate(knee_from_model,
                      rotate(posed.rotations[idx(leg.ankle)], rotate(to_float(sole.rotation), Vec3{1, 0, 0})));
  }
  return normalized(sum, normalized(across, Vec3{1, 0, 0}));
}

}  // namespace

std::vector<Leg> legs_of(const BodyPlan& plan, const Motion& clip) {
  std::vector<Leg> legs;
  for (std::size_t b = 0; b < plan.bones.size(); ++b) {
    const Bone& foot = plan.bones[b];
    if (foot.role != BoneRole::kFoot || !foot.shape.is_box || foot.parent <= 0) continue;
    const Bone& shank = plan.bones[idx(foot.parent)];
    if (shank.role != BoneRole::kLeg || shank.parent <= 0) continue;
    Leg leg;
    leg.hip = plan.bones[idx(shank.parent)].joint, leg.knee = shank.joint, leg.ankle = foot.joint;
    leg.ankle_height_m = standing_height(foot.shape);
    for (const Bone& toe : plan.bones) {
      // The lock moves ball and ankle alone: they are neighbours.
      if (toe.role != BoneRole::kToe || toe.parent != static_cast<int>(b) || !toe.shape.is_box ||
          clip.skeleton->parent(toe.joint) != foot.joint)
        continue;
      leg.ball = toe.joint, leg.ball_height_m = standing_height(toe.shape);
      break;
    }
    leg.knee_axis = knee_axis(leg, foot.shape, clip);
    legs.push_back(leg);
  }
  return legs;
}

SoleFigures measure_soles(const BodyModel& model, const Motion& motion, const Motion& clip, double ground_y_m) {
  const BodyPlan& plan = model.plan();
  const Ground* ground = model.options().ground.get();
  struct Placed {
    Vec3d origin;
    Quatd rotation;
  };
  const auto placed = [&](const anatomy::ModelPose& pose, std::size_t b) {
    const std::size_t joint = idx(plan.bones[b].joint);
    return Placed{to_double(pose.positions[joint]) * plan.metres_per_unit - Vec3d{0, ground_y_m, 0},
                  to_double(pose.rotations[joint])};
  };
  anatomy::ModelPose posed, reference;
  std::vector<Placed> before(plan.bones.size());
  std::vector<char> stood(plan.bones.size());
  SoleFigures figures;
  int num_slips = 0;
  const int num_frames = std::min(motion.num_frames, clip.num_frames);
  for (int frame = 0; frame < num_frames; ++frame) {
    anatomy::compute_model_pose(model.skeleton(), motion.frame(frame), posed);
    anatomy::compute_model_pose(model.skeleton(), clip.frame(frame), reference);
    double deepest = 0;
    for (std::size_t b = 0; b < plan.bones.size(); ++b) {
      if (!is_sole(plan.bones[b])) continue;
      const BoneShape& shape = plan.bones[b].shape;
      const Placed now = placed(posed, b), given = placed(reference, b);
      deepest = std::max(deepest, -clearance_m(shape, now.rotation, now.origin, ground));
      const bool stands = clearance_m(shape, given.rotation, given.origin, ground) < kOnGround_m;
      if (frame > 0 && stands && stood[b] != 0) {
        const Vec3d low = lowest_point(shape, now.rotation, now.origin, ground);
        const Vec3d moved = now.origin + rotate(now.rotation, low) - before[b].origin - rotate(before[b].rotation, low);
        figures.slip_m_s += std::hypot(moved.x, moved.z) * motion.fps;
        ++num_slips;
      }
      before[b] = now, stood[b] = stands ? 1 : 0;
    }
    figures.depth_m += deepest / num_frames;
  }
  figures.slip_m_s /= std::max(num_slips, 1);
  return figures;
}

std::vector<float> holding_feet(const BodyModel& model, std::span<const Leg> legs, const Motion& motion,
                                double ground_y_m) {
  const BodyPlan& plan = model.plan();
  const double still_m = kStill * std::sqrt(kGravityM_s2 * std::max(plan.root_height_m, 0.01)) / motion.fps;
  std::vector<float> out(idx(motion.num_frames) * legs.size() * 2);
  anatomy::ModelPose posed;
  std::vector<Vec3d> before(legs.size() * 2);
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    anatomy::compute_model_pose(model.skeleton(), motion.frame(frame), posed);
    const auto on_ground = [&](int joint) {
      const Bone& bone = plan.bones[idx(plan.bone_of_joint[idx(joint)])];
      const Vec3d origin = to_double(posed.positions[idx(bone.joint)]) * plan.metres_per_unit;
      return clearance_m(bone.shape, to_double(posed.rotations[idx(bone.joint)]), origin - Vec3d{0, ground_y_m, 0},
                         model.options().ground.get()) < kOnGround_m;
    };
    for (std::size_t l = 0; l < legs.size(); ++l) {
      const Leg& leg = legs[l];
      const int ball = leg.ball == kNoJoint ? leg.ankle : leg.ball;
      const bool touches = on_ground(leg.ankle) || on_ground(ball);
      for (const std::size_t part : {0, 1}) {
        const Vec3d at = to_double(posed.positions[idx(part == 0 ? leg.ankle : ball)]) * plan.metres_per_unit;
        const double moved_m = std::hypot(at.x - before[2 * l + part].x, at.z - before[2 * l + part].z);
        // A lock puts the joint at the height at which it stands.
        const Ground* ground = model.options().ground.get();
        const double below_m =
            ground != nullptr ? static_cast<double>(ground->height(static_cast<float>(at.x), static_cast<float>(at.z)))
                              : ground_y_m;
        const double stands_m =
            static_cast<double>(part == 0 || leg.ball == kNoJoint ? leg.ankle_height_m : leg.ball_height_m);
        const bool is_low = std::abs(at.y - below_m - stands_m) < kNear * plan.height_m;
        const bool holds = touches && is_low && frame > 0 && moved_m < still_m;
        out[(idx(frame) * legs.size() + l) * 2 + part] = holds ? 1.0F : 0.0F;
        before[2 * l + part] = at;
      }
    }
  }
  return out;
}

}  // namespace zoe::physics

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "zoe/anatomy/bind_pose.h"
#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"
#include "zoe/motion/motion.h"

#include "physics/fit_shape.h"
#include "physics/hinge.h"
#include "physics/rest_shape.h"
#include "physics/stance_soles.h"

namespace zoe::physics {
namespace {

constexpr double kServoRate = 30;  // Of bones that carry nothing, rad/s: stiffness = inertia × rate².
constexpr int kMostPoses = 120;    // Of the clips, for limits and overlaps.

// Where clips do not tell. Angles from the reference pose, radians; wide, because that pose may be a T-pose.
double usual_limit(BoneRole role) {
  switch (role) {
    case BoneRole::kTrunk:
      return 0.8;
    case BoneRole::kHead:
      return 1.2;
    case BoneRole::kFoot:
    case BoneRole::kToe:
      return 1.2;
    default:
      return 2.4;
  }
}

Result<PlanFrame> measure_reference(const BodySource& source, const Pose& pose, std::vector<Affine>& model) {
  ZOE_TRY_ASSIGN(SelectedBones bones, select_bones(source));
  PlanFrame frame{.bones = std::move(bones)};
  const double scale = source.analysis.metres_per_unit;
  anatomy::ModelPose posed;
  anatomy::compute_model_pose(source.skeleton, pose.view(), posed);
  model.resize(idx(source.skeleton.num_joints()));
  compute_model_from_joint(source.skeleton, pose.view(), model);
  double low = 1e30, high = -1e30;
  for (const Vec3& p : posed.positions) frame.joints_m.push_back(to_double(p) * scale);
  for (std::size_t joint = 0; joint < frame.joints_m.size(); ++joint) {
    if (frame.bones.bone_of_joint[joint] < 0) continue;
    low = std::min(low, frame.joints_m[joint].y), high = std::max(high, frame.joints_m[joint].y);
  }
  for (const int joint : frame.bones.joints) {
    frame.rotations.push_back(to_double(posed.rotations[idx(joint)]));
    frame.origins_m.push_back(frame.joints_m[idx(joint)]);
  }
  double extent = high - low;
  for (const Vec3d& p : frame.joints_m)
    extent = std::max(extent, std::min(distance(p, frame.origins_m[0]), 1e3 * extent));
  frame.height_m = std::max(source.analysis.height_m, 0.5 * extent);
  if (!(frame.height_m > 1e-4) || !std::isfinite(frame.height_m))
    return Error{ErrorCode::kInvalid, "the skeleton has no size: all joints are at one point", {}};
  frame.ground_m = std::min(source.analysis.ground_height * scale, low);
  // The trunk is about as thick as its legs are apart.
  double apart = 0;
  for (const Limb& a : source.analysis.limbs)
    for (const Limb& b : source.analysis.limbs)
      if (a.kind == LimbKind::kLeg && b.kind == LimbKind::kLeg && a.side == Side::kLeft && b.side == Side::kRight) {
        // The first joints may all be at the pelvis.
        for (std::size_t i = 0; i < std::min(a.joints.size(), b.joints.size()); ++i) {
          const double d = distance(frame.joints_m[idx(a.joints[i])], frame.joints_m[idx(b.joints[i])]);
          if (d < 0.03 * frame.height_m) continue;
          apart = apart == 0 ? d : std::min(apart, d);
          break;
        }
      }
  frame.trunk_radius_m = std::clamp(0.55 * apart, 0.03 * frame.height_m, 0.1 * frame.height_m);
  return frame;
}

double derived_volume(const BoneShape& shape) {
  if (shape.is_box || shape.from_skin) return shape.volume_m3();
  // Bones meet at joints, so caps would be counted twice.
  return std::numbers::pi * shape.radius_m * shape.radius_m * std::max(distance(shape.from, shape.to), shape.radius_m);
}

// Shanks end above their ankles: a round end below the sole of a low ankle would stand instead of the foot.
void clear_ankles(BodyPlan& plan) {
  for (const Bone& foot : plan.bones) {
    if (foot.role != BoneRole::kFoot || foot.parent <= 0 || !foot.shape.is_box) continue;
    BoneShape& shank = plan.bones[idx(foot.parent)].shape;
    const double long_m = distance(shank.from, shank.to);
    if (shank.is_box || shank.from_skin || long_m < 2 * shank.radius_m) continue;
    shank.to = lerp(shank.to, shank.from, shank.radius_m / long_m);
  }
}

// Poses of the clips, thinned out, and the reference pose first: [poses × bones].
struct SampledPoses {
  std::vector<Quatd> rotations;
  std::vector<Vec3d> origins_m;
};
SampledPoses sample_poses(const BodySource& source, const PlanFrame& frame) {
  SampledPoses poses{frame.rotations, frame.origins_m};
  int total = 0;
  for (const Motion& clip : source.clips) total += clip.num_frames;
  const int step = total / kMostPoses + 1;
  anatomy::ModelPose posed;
  int at = 0;
  for (const Motion& clip : source.clips) {
    for (int f = 0; f < clip.num_frames; ++f, ++at) {
      if (at % step != 0) continue;
      anatomy::compute_model_pose(source.skeleton, clip.frame(f), posed);
      for (const int joint : frame.bones.joints) {
        poses.rotations.push_back(to_double(posed.rotations[idx(joint)]));
        poses.origins_m.push_back(to_double(posed.positions[idx(joint)]) * source.analysis.metres_per_unit);
      }
    }
  }
  return poses;
}

void set_limits(BodyPlan& plan, const SampledPoses& poses, double margin_rad) {
  const std::size_t num_bones = plan.bones.size();
  const bool has_clips = poses.rotations.size() > num_bones * 10;
  for (std::size_t b = 1; b < num_bones; ++b) {
    Bone& bone = plan.bones[b];
    double widest = 0;
    for (std::size_t at = 0; at < poses.rotations.size(); at += num_bones) {
      const Quatd local = conjugate(poses.rotations[at + idx(bone.parent)]) * poses.rotations[at + b];
      widest = std::max(widest, angle_between(bone.rotation, local));
    }
    bone.limit_rad = std::max(widest + margin_rad, has_clips ? 0.5 : usual_limit(bone.role));
  }
}

// Servos of legs and trunk carry the body: their stiffness follows from weight and height. Those of other bones carry
// only what hangs from them: theirs follows from that inertia.
void set_gains(BodyPlan& plan, const PlanFrame& frame) {
  const std::size_t num_bones = plan.bones.size();
  // A pendulum on its head: a body of short legs and a large head needs ankles as stiff as its centre of mass is high.
  double centre_m = 0;
  for (std::size_t b = 0; b < num_bones; ++b)
    centre_m += plan.bones[b].mass_kg / plan.mass_kg *
                (frame.origins_m[b] + rotate(frame.rotations[b], plan.bones[b].shape.centre_of_volume())).y;
  centre_m -= frame.origins_m[0].y - plan.root_height_m;
  const double height_m = std::max({plan.root_height_m, centre_m, 0.1 * plan.height_m});
  for (std::size_t b = 1; b < num_bones; ++b) {
    Bone& bone = plan.bones[b];
    double inertia = 0;
    for (std::size_t c = b; c < num_bones; ++c) {
      std::size_t up = c;
      while (up > b) up = idx(plan.bones[up].parent);
      if (up != b) continue;
      const BoneShape& shape = plan.bones[c].shape;
      const Vec3d centre = frame.origins_m[c] + rotate(frame.rotations[c], shape.centre_of_volume());
      const double own = std::max(shape.radius_m, length(shape.half_size));
      const double r = distance(centre, frame.origins_m[b]);
      inertia += plan.bones[c].mass_kg * (r * r + 0.4 * own * own);
    }
    bone.stiffness_nm_rad = inertia * kServoRate * kServoRate;
    // Stiff legs are thrown back by the ground when they land.
    const bool is_leg = bone.role == BoneRole::kLeg || bone.role == BoneRole::kFoot;
    const double weight = plan.mass_kg * kGravityM_s2 * height_m;
    if (is_leg || bone.role == BoneRole::kTrunk)
      bone.stiffness_nm_rad = std::max(bone.stiffness_nm_rad, (is_leg ? 0.9 : 3) * weight);
    bone.stiffness_nm_rad = std::max(bone.stiffness_nm_rad, (bone.role == BoneRole::kHead ? 0.1 : 0.01) * weight);
    if (bone.role == BoneRole::kToe) bone.stiffness_nm_rad = std::max(bone.stiffness_nm_rad, 0.2 * weight);
    bone.damping_nms_rad = 2 * bone.stiffness_nm_rad / kServoRate;
  }
}

}  // namespace

const char* to_string(BoneRole role) {
  constexpr const char* kNames[] = {"trunk", "head", "leg", "foot", "toe", "arm", "other"};
  return kNames[static_cast<std::size_t>(role)];
}

bool BodyPlan::has_legs() const {
  return std::ranges::any_of(bones, [](const Bone& b) { return b.role == BoneRole::kFoot; });
}

std::vector<int> balancing_bones(const BodyPlan& plan) {
  std::vector<int> bones;
  if (!plan.has_legs()) return bones;
  for (std::size_t b = 0; b < plan.bones.size(); ++b) {
    const Bone& bone = plan.bones[b];
    const bool is_waist = bone.role == BoneRole::kTrunk && bone.parent == 0;
    if (bone.role == BoneRole::kLeg || bone.role == BoneRole::kFoot || is_waist) bones.push_back(static_cast<int>(b));
  }
  return bones;
}

Pose reference_pose_of(const BodySource& source) {
  const SkeletonAnalysis& analysis = source.analysis;
  Pose pose = make_pose(source.skeleton);
  if (analysis.reference_clip >= 0 && idx(analysis.reference_clip) < source.clips.size()) {
    const Motion& clip = source.clips[idx(analysis.reference_clip)];
    const PoseView view = clip.frame(std::clamp(analysis.reference_frame, 0, clip.num_frames - 1));
    pose.translations.assign(view.translations.begin(), view.translations.end());
    pose.rotations.assign(view.rotations.begin(), view.rotations.end());
    if (!view.scales.empty()) pose.scales.assign(view.scales.begin(), view.scales.end());
  } else if (analysis.reference_is_bind && source.character != nullptr) {
    if (std::optional<Pose> bind = anatomy::bind_pose(*source.character)) return std::move(*bind);
  }
  return pose;
}

Result<BodyPlan> plan_body(const BodySource& source, const BodyOptions& options) {
  std::vector<Affine> model;
  ZOE_TRY_ASSIGN(const PlanFrame frame, measure_reference(source, reference_pose_of(source), model));
  const double scale = source.analysis.metres_per_unit;
  const std::size_t num_bones = frame.bones.joints.size();
  std::vector<std::vector<Vec3d>> points(num_bones);
  if (source.character != nullptr)
    points = skin_points(*source.character, model, frame.bones.bone_of_joint, frame.rotations, frame.origins_m, scale);

  BodyPlan plan{.bone_of_joint = frame.bones.bone_of_joint, .metres_per_unit = scale, .height_m = frame.height_m};
  std::set<std::string> taken;
  for (std::size_t b = 0; b < num_bones; ++b) {
    Bone bone{.joint = frame.bones.joints[b], .parent = frame.bones.parents[b], .role = frame.bones.roles[b]};
    bone.offset_m = frame.origins_m[b], bone.rotation = frame.rotations[b];
    if (bone.parent >= 0) {
      const Quatd parent_from_model = conjugate(frame.rotations[idx(bone.parent)]);
      bone.offset_m = rotate(parent_from_model, frame.origins_m[b] - frame.origins_m[idx(bone.parent)]);
      bone.rotation = parent_from_model * frame.rotations[b];
    }
    bone.shape = shape_of_bone(source, frame, b, points[b]);
    std::string name = source.skeleton.name(bone.joint);
    for (char& c : name) c = static_cast<unsigned char>(c) < 0x20 ? '_' : c;
    while (name.empty() || name == "world" || !taken.insert(name).second) name += "_" + std::to_string(b);
    plan.names.push_back(name);
    plan.bones.push_back(bone);
  }
  fit_soles_to_stance(source, frame, plan);
  clear_ankles(plan);
  for (Bone& bone : plan.bones) {
    bone.mass_kg = options.density_kg_m3 * derived_volume(bone.shape);
    plan.mass_kg += bone.mass_kg;
  }
  // Heads of game characters are large and hollow: of the rest of the body they weigh this share at most.
  constexpr double kHeaviestHead = 0.25;
  double heads_kg = 0;
  for (const Bone& bone : plan.bones) heads_kg += bone.role == BoneRole::kHead ? bone.mass_kg : 0;
  const double most_kg = kHeaviestHead * (plan.mass_kg - heads_kg);
  if (heads_kg > most_kg && most_kg > 0) {
    plan.mass_kg += most_kg - heads_kg;
    for (Bone& bone : plan.bones)
      if (bone.role == BoneRole::kHead) bone.mass_kg *= most_kg / heads_kg;
  }
  // A thousandth of the body at least: lighter bones make the equations stiff.
  const double least = 1e-3 * plan.mass_kg;
  plan.mass_kg = 0;
  for (Bone& bone : plan.bones) plan.mass_kg += bone.mass_kg = std::max(bone.mass_kg, least);
  // The lowest shape of the reference pose is on the floor.
  double lowest = 1e30;
  for (std::size_t b = 0; b < num_bones; ++b)
    lowest = std::min(lowest, plan.bones[b].shape.lowest_y(frame.rotations[b], frame.origins_m[b]));
  plan.bones[0].offset_m.y -= lowest;
  plan.root_height_m = plan.bones[0].offset_m.y;
  const SampledPoses poses = sample_poses(source, frame);
  set_limits(plan, poses, options.limit_margin_rad);
  set_hinges(plan, poses.rotations);
  set_gains(plan, frame);
  plan.no_contact = overlapping_bones(plan, poses.rotations, poses.origins_m);
  return plan;
}

}  // namespace zoe::physics

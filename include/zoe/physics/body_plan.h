// SPDX-License-Identifier: MIT
// Part of Zoetrope. The plan of a simulated body for any skeleton: bones with shapes, masses, limits and gains. Free of
// the physics engine; to_mjcf() writes it as a MuJoCo model.
//
//   const auto plan = physics::plan_body({*character.skeleton, analysis, clips, &character});
//   const std::string xml = physics::to_mjcf(*plan);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/math/quat.h"

namespace zoe::physics {

constexpr double kGravityM_s2 = 9.81;

enum class BoneRole : std::uint8_t { kTrunk, kHead, kLeg, kFoot, kToe, kArm, kOther };
const char* to_string(BoneRole role);

// In the bone's frame, metres. A capsule from `from` to `to`, or a box.
struct BoneShape {
  bool is_box = false;
  Vec3d from, to;  // Capsule.
  double radius_m = 0;
  Vec3d centre;    // Box.
  Quatd rotation;  // Box: bone_from_box.
  Vec3d half_size;
  bool from_skin = false;  // Fitted to vertices; else derived from bone lengths and roles.

  double volume_m3() const;
  Vec3d centre_of_volume() const;
  // Smallest height over the shape when its bone has this orientation and origin, along the unit vector +Y.
  double lowest_y(Quatd world_from_bone, Vec3d origin) const;
};

// Knees and elbows, as clips show them: how the bone turns about one axis, and how far from it.
struct Hinge {
  Vec3d axis;                        // Unit vector of the bone's frame; zero: none is known.
  double low_rad = 0, high_rad = 0;  // Angles from the reference pose about the axis.
  double slack_rad = 0;              // Of the axis itself.

  bool known() const { return dot(axis, axis) > 0; }
};

struct Bone {
  int joint = kNoJoint;  // Of the skeleton. The bone's frame is the joint's.
  int parent = -1;       // Index into BodyPlan::bones, smaller than the bone's own; -1: the root, which is free.
  BoneRole role = BoneRole::kOther;
  Vec3d offset_m;  // parent_from_bone in the reference pose; root: model_from_bone.
  Quatd rotation;
  BoneShape shape;
  double mass_kg = 0;
  double limit_rad = 0;         // Largest angle from the reference pose.
  Hinge hinge;                  // Holds limp bodies; servos of others follow their targets.
  double stiffness_nm_rad = 0;  // Of the servo that follows a target. Zero for the root.
  double damping_nms_rad = 0;
};

struct BodyPlan {
  std::vector<Bone> bones;         // Parents first.
  std::vector<std::string> names;  // [bones] unique, of the joints.
  std::vector<int> bone_of_joint;  // [joints] The joint's own bone, or the one that carries it; -1 above the root.
  std::vector<std::pair<int, int>> no_contact;  // Bones that overlap in the reference pose or in clips.
  double metres_per_unit = 1;
  double height_m = 0, mass_kg = 0;
  double root_height_m = 0;  // Of the root bone above the ground in the reference pose.

  bool has_legs() const;
};

// Bones whose targets are changed for balance: legs, feet and the waist. None where the body has no legs.
std::vector<int> balancing_bones(const BodyPlan& plan);

struct BodySource {
  const Skeleton& skeleton;
  const SkeletonAnalysis& analysis;
  std::span<const Motion> clips = {};    // Give limits and contact filters. Same skeleton.
  const Character* character = nullptr;  // Gives shapes, where it has a skin.
};

struct BodyOptions {
  double density_kg_m3 = 1000;     // Of flesh and water.
  double limit_margin_rad = 0.35;  // Added to the largest angles of the clips.
};

// Fails (kInvalid) on a skeleton without limbs, spine or tail, and on one whose bones have no length.
Result<BodyPlan> plan_body(const BodySource& source, const BodyOptions& options = {});

// The pose that the analysis measured: rest, bind, or a frame of a clip. Bodies stand in it.
Pose reference_pose_of(const BodySource& source);

// MuJoCo's XML: Y up, metres, a free root, ball joints with springs, a floor at y = 0.
std::string to_mjcf(const BodyPlan& plan);

}  // namespace zoe::physics

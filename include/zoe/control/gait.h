// SPDX-License-Identifier: MIT
// Part of Zoetrope. Type `gait`: a body that walks, crawls, swims or flies by a plan, without clips and without a
// network. author/alive.h makes the plan from a rig. The controller places feet in the world and poses the body above
// them.
//
//   const ControllerPtr crab = make_gait_controller(body, plan).value();
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "zoe/control/body.h"
#include "zoe/control/controller.h"
#include "zoe/control/parts.h"
#include "zoe/ik/joint_limit.h"

namespace zoe::control {

enum class Locomotion : std::uint8_t {
  kLegs,   // Steps.
  kCrawl,  // A wave along the body, on the ground.
  kSwim,   // A wave along the body, above the ground.
  kFly,    // Wings beat.
  kHop,    // No limbs to move by: the whole body hops.
};
constexpr int kNumLocomotions = 5;
const char* to_string(Locomotion locomotion);

// Positions are in the root's space of the body's start pose: Y up, +Z forward, metres, the ground at y = 0.
struct GaitLeg {
  int hip = kNoJoint;
  int knee = kNoJoint;   // kNoJoint: a leg of one bone, whose length is fixed.
  int end = kNoJoint;    // Ankle; the hip itself where the leg is a single joint.
  int ball = kNoJoint;   // Below the ankle, where the foot has a length.
  int loose = kNoJoint;  // A foot bone outside of the leg's chain that moves with the ankle (rigs made for IK).
  Vec3 tip_m;            // From `end` to the point in contact, root axes of the start pose. Zero: `end` itself.
  Vec3 home_m;           // Position of that point while the body stands.
  Vec3 pole{0, 0, 1};    // Direction of the knee, unit.
  float phase = 0, fast_phase = 0;  // Touchdown in the stride, 0 to 1: walking; at top speed.
  float side = 0;                   // 1: left, -1: right.
  float fold_rad = 0;               // Pitch of the foot in mid-swing, toes down.
  float roll_rad = 0;               // Pitch of the foot about its ball at the end of a contact.
};

// A joint besides the legs that takes part in the motion.
struct GaitPart {
  enum class Role : std::uint8_t { kSpine, kNeck, kTail, kArm, kForearm, kWing, kWave };
  static constexpr int kNumRoles = 7;
  int joint = kNoJoint;
  Role role = Role::kSpine;
  float side = 0;   // 1: left, -1: right.
  float along = 0;  // Position in its chain, 0 to 1. Waves: metres behind the root.
  float share = 1;  // Fraction of the chain's bend. Waves: metres behind the root, of the part that carries it.
};

// Lengths in metres, angles in radians.
struct GaitSettings {
  float leg_length_m = 1, body_length_m = 1;
  float walk_mps = 1.3F, run_mps = 3, turn_rad_s = 3;
  float stride_hz = 1;  // While walking.
  float walk_duty = 0.62F, run_duty = 0.36F;
  float walk_step_m = 0.05F, run_step_m = 0.15F;  // Height of feet in mid-swing.
  float crouch_m = 0.02F;                         // How much lower than in the start pose.
  float bob_m = 0.02F, sway_m = 0.02F;            // Of the trunk: vertically twice per stride, sideways once.
  float yaw_rad = 0, roll_rad = 0, pitch_rad = 0, lean_rad = 0;
  float curve_rad = 0.2F;  // Bend of the spine in the fastest turn.
  float pivot_m = 1;       // Height of the point that the trunk turns about.
  float arm_swing_rad = 0;
  float tail_rad = 0.3F;
  float wave_rad = 0, wave_m = 1, wave_grow = 0;  // Amplitude, length, and 1 where it grows towards the tail.
  float wave_up = 0;                              // 1: the wave is vertical (dolphins).
  float beat_hz = 0, beat_rad = 0;                // Of wings.
  float hover_m = 0;                              // Vertical motion of flyers and hoppers.
};

struct GaitPlan {
  Locomotion locomotion = Locomotion::kLegs;
  int trunk = 0;  // The joint that carries everything; joints above it stay on the ground.
  std::vector<GaitLeg> legs;
  std::vector<GaitPart> parts;     // By rising joint.
  std::vector<JointLimit> limits;  // [joints] or empty. Of the joints that move.
  GaitSettings settings;
};

// Why the plan does not fit the skeleton, or nullptr.
const char* defect_of(const GaitPlan& plan, const Skeleton& skeleton);

// body.start: standing, the root at the origin, facing +Z. body.legs are not used: the type stands by itself.
Result<ControllerPtr> make_gait_controller(Body body, GaitPlan plan);

// Positions of the legs' points of contact in a pose given by [joints] model_from_joint.
void contact_points(const Body& body, const GaitPlan& plan, std::span<const Affine> model_from_joint,
                    std::span<Vec3> out);

// A part of a run folder, by default gait.safetensors; reading checks everything.
constexpr const char* kGaitFile = "gait.safetensors";
Result<void> save_gait_plan(const std::filesystem::path& path, const GaitPlan& plan);
Result<GaitPlan> load_gait_plan(const Safetensors& file, const Skeleton& skeleton);

// Body, plan and controller.toml: a run folder that load_controller() reads.
Result<void> save_gait_run(const std::filesystem::path& folder, const Body& body, const GaitPlan& plan,
                           const std::string& licence);

}  // namespace zoe::control

// SPDX-License-Identifier: MIT
// Part of Zoetrope. Controllers on uneven ground: how feet meet the surface on courses by seed, and how far poses are
// from those of clips on their own ground.
#pragma once

#include <map>
#include <string>

#include "zoe/eval/evaluate.h"
#include "zoe/ground/terrain.h"

namespace zoe::eval {

// Foot parts (ankles, balls) against the ground below them, centimetres. Heights are above their standing heights.
struct SurfaceMetrics {
  double penetration_cm = 0, penetration_p95_cm = 0;  // Depth below the ground, over all frames.
  double gap_cm = 0, gap_p95_cm = 0;                  // Height above the ground, where the model has a contact.
  double foot_skate_cm_s = 0;                         // Horizontal speed in these contacts.
  double contact_share = 0;
};
// contacts: [frames × contact joints of the body].
SurfaceMetrics measure_on_ground(const Motion& motion, std::span<const float> contacts, const control::Body& body,
                                 const Ground& ground);

struct TerrainOptions {
  std::vector<TerrainShape> shapes;  // Empty: all.
  int num_seeds = 3;
  std::uint64_t first_seed = 1001;  // No training data is made of these grounds.
  double seconds = 10;
  bool place_feet = true;  // Foot IK and foot locks.
};
// By shape, means over seeds: straight along +Z at the body's pace, the first second not measured. recoveries_out: sum
// of restarts, may be null.
std::map<std::string, SurfaceMetrics> evaluate_terrain(const control::Controller& controller, const control::Body& body,
                                                       const TerrainOptions& options, int* recoveries_out = nullptr);

// A clip of the controller's body at the controller's rate, with heights above the plane that models move on
// (control::GroundPlane), on its own ground.
struct ClipOnGround {
  std::string name;
  Motion motion;
  std::vector<PlanarRoot> roots;  // [frames]
  std::vector<float> contacts;    // [frames × contact joints]
  std::vector<float> phases;      // [frames × contact joints × 2] As the channel "phase.local"; may be empty.
  GroundPtr ground;
};

struct RolloutOptions {
  double seconds = 1;    // Of a rollout.
  double every_s = 0.5;  // From one start to the next.
  bool place_feet = true;
};
// Mean distances of joints from the clip's, in the root's space and above the plane.
struct PartErrors {
  double joints_cm = 0;  // All joints.
  double body_cm = 0;    // All but fingers, which are half of the joints of some bodies and go where their hands go.
  double legs_cm = 0, trunk_cm = 0, arms_cm = 0, fingers_cm = 0;
  double share = 0;  // Of all frames.
};
struct RolloutErrors {
  double joints_cm = 0;       // As that of `everywhere`.
  double feet_cm = 0;         // Ankles and balls.
  double foot_height_cm = 0;  // Of these the heights alone.
  PartErrors everywhere;
  // Where the ground within a step of the clip's root (0.45 m along its facing, 0.25 m beside it) rises or falls by at
  // least 4 cm, and where it does not.
  PartErrors uneven, level;
  // Against the clip's nearest moment within a quarter of a second: without the moment of the step, which no ground
  // tells.
  PartErrors in_step;
  std::vector<double> by_time_cm;  // Joints, in tenths of the rollout.
  std::map<std::string, double> by_clip_cm;
  int num_rollouts = 0;  // 0: none; the type cannot begin within a clip, or the clip is too short.
};
// Rollouts that begin in the clip's own poses, with the clip's path as intent.
RolloutErrors rollout_errors(const control::Controller& controller, const control::Body& body,
                             std::span<const ClipOnGround> clips, const RolloutOptions& options = {});

}  // namespace zoe::eval

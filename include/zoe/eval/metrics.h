// SPDX-License-Identifier: MIT
// Part of Zoetrope. Measures of motions. The same code measures mocap and the output of a controller.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "zoe/control/body.h"
#include "zoe/eval/record.h"

namespace zoe::eval {

// Foot skate by root speed. Feet slide more at higher speeds, so motions are compared at equal speeds.
struct SkateBySpeed {
  static constexpr std::size_t kBins = 40;  // Bins of 0.1 m/s. The last is open.
  std::array<double, kBins> sum_mps{};      // Sum of foot speeds in contact.
  std::array<std::int64_t, kBins> count{};  // Number of foot parts in contact.

  void add(const SkateBySpeed& other);
  double mean_cm_s() const;  // Over all speeds; 0 without contact.
};
// Foot skate of `real`, weighted by the root speeds of `made`. Speeds with fewer than 30 contacts in `real` use the
// nearest speed with more; 0 where there are none.
double skate_at_speeds_cm_s(const SkateBySpeed& real, const SkateBySpeed& made);

// Measures of a motion, independent of its intent. Flat ground at y = 0. Every foot counts, with its parts (ankle and
// ball).
struct MotionMetrics {
  double foot_skate_cm_s = 0;  // Mean speed over the ground of foot parts less than 1 cm above their contact height.
  // As in MANN: mean of v clamp(2 - 2^(h / 2.5 cm), 0, 1) over all frames, v as above, h the height above the contact
  // height.
  double foot_skate_mann_cm_s = 0;
  double penetration_cm = 0;  // Mean depth of foot parts below their contact height, over all frames.
  double jerk_m_s3 = 0;       // Mean over joints of the third difference.
  double jitter_mm = 0;       // Deviation of joints from their own motion below 6 Hz.
  double variety_cm = 0;      // Deviation of joints about their mean, in root space.
  SkateBySpeed skate_by_speed;
};
// roots: [frames]. Needs at least 8 frames.
MotionMetrics measure_motion(const Motion& motion, std::span<const PlanarRoot> roots,
                             std::span<const control::BodyLeg> legs);

// How well a controller followed its intents. Angles in degrees. The first skip_s are not measured.
struct ObedienceMetrics {
  double path_error_cm = 0;  // Mean distance of the root from the path; 0 without one.
  double facing_error_deg = 0;
  double speed_error_cm_s = 0;  // Difference of the mean speed over a second and the mean desired speed.
};
ObedienceMetrics measure_obedience(const Recording& recording, const control::Path* path, double skip_s = 2);

// Seconds from a new command until half of the change of velocity is done, one for each of: start, turn left, turn
// right, turn round, stop. A command without effect counts 3 s.
std::vector<double> response_times_s(const control::Controller& controller, float speed_mps = 1.3F);

// Joint positions in root space, [poses × joints × 3], for comparing poses.
struct PoseSet {
  int num_joints = 0;
  std::vector<float> places;
  int size() const { return num_joints > 0 ? static_cast<int>(places.size()) / (3 * num_joints) : 0; }
};
void add_poses(const Motion& motion, std::span<const PlanarRoot> roots, int stride, PoseSet& set);
// Mean over poses of `made` of the mean distance of joints to the nearest pose of `real`, cm. 0 where one is empty.
double nearest_pose_cm(const PoseSet& made, const PoseSet& real);

}  // namespace zoe::eval

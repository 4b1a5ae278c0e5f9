// SPDX-License-Identifier: MIT
// Part of Zoetrope. Measures of motions: the same code for mocap and for what a controller makes of it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "zoe/control/body.h"
#include "zoe/eval/record.h"

namespace zoe::eval {

// Foot skate apart by how fast the root goes: feet of whoever hurries slide more, so motions are compared at equal speeds.
struct SkateBySpeed {
  static constexpr std::size_t kBins = 40;  // Of 0.1 m/s each; the last has no end.
  std::array<double, kBins> sum_mps{};      // Of foot speeds in contact.
  std::array<std::int64_t, kBins> count{};  // Of foot parts in contact.

  void add(const SkateBySpeed& other);
  double mean_cm_s() const;  // Over all speeds; 0 without contact.
};
// What `real` would slide if it went as fast, as often, as `made` does. Speeds that it hardly goes at (fewer than 30 contacts)
// count as the nearest that it does; 0 where there are none.
double skate_at_speeds_cm_s(const SkateBySpeed& real, const SkateBySpeed& made);

// How a body moves, whatever it was told. Flat ground at y = 0. Frames at which feet are judged count for all feet and
// their parts (ankle and ball).
struct MotionMetrics {
  double foot_skate_cm_s = 0;  // Mean speed over the ground of foot parts less than 1 cm above where they stand.
  // MANN's: mean of v clamp(2 - 2^(h / 2.5 cm), 0, 1) over all frames, v as above, h the height above standing.
  double foot_skate_mann_cm_s = 0;
  double penetration_cm = 0;  // Mean depth of foot parts below where they stand, over all frames.
  double jerk_m_s3 = 0;       // Mean over joints of the third difference.
  double jitter_mm = 0;       // Deviation of joints from themselves below 6 Hz.
  double variety_cm = 0;      // Deviation of joints about their mean, seen from the root.
  SkateBySpeed skate_by_speed;
};
// roots: [frames]. Needs at least 8 frames.
MotionMetrics measure_motion(const Motion& motion, std::span<const PlanarRoot> roots,
                             std::span<const control::BodyLeg> legs);

// How well a controller did what it was told. Angles in degrees; the first skip_s are not judged.
struct ObedienceMetrics {
  double path_error_cm = 0;  // Mean distance of the root from the path; 0 without one.
  double facing_error_deg = 0;
  double speed_error_cm_s = 0;  // Of the mean over a second from the mean wish.
};
ObedienceMetrics measure_obedience(const Recording& recording, const control::Path* path, double skip_s = 2);

// Seconds from a new command until half of the change of velocity is done, one for each of: start, turn left, turn right,
// turn round, stop. A command that is never obeyed counts 3 s.
std::vector<double> response_times_s(const control::Controller& controller, float speed_mps = 1.3F);

// Places of joints seen from the root, [poses × joints × 3], for comparing poses.
struct PoseSet {
  int num_joints = 0;
  std::vector<float> places;
  int size() const { return num_joints > 0 ? static_cast<int>(places.size()) / (3 * num_joints) : 0; }
};
void add_poses(const Motion& motion, std::span<const PlanarRoot> roots, int stride, PoseSet& set);
// Mean over poses of `made` of the mean distance of joints to the nearest pose of `real`, cm. 0 where one is empty.
double nearest_pose_cm(const PoseSet& made, const PoseSet& real);

}  // namespace zoe::eval

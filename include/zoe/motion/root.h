// SPDX-License-Identifier: MIT
// Part of Zoetrope. The root of a moving body: its position on the ground and its facing, frame by frame. Y is up. A
// facing of zero looks along +Z and grows towards +X, so that it is the angle of a rotation about +Y.
#pragma once

#include <span>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe {

struct PlanarRoot {
  Vec3 position;         // Model space, metres.
  float facing_rad = 0;  // Not wrapped: consecutive frames differ by less than half a turn.
};

// The motion from one root to another, in the axes of the first.
struct RootDelta {
  Vec3 translation;  // Metres; y is zero unless the root follows the body's height.
  float turn_rad = 0;
};

Quat rotation_of(const PlanarRoot& root);
RootDelta delta_between(const PlanarRoot& from, const PlanarRoot& to);
// Inverse of delta_between. Deltas are composed, not summed, so turning walks keep their path.
PlanarRoot moved_by(const PlanarRoot& root, const RootDelta& delta);

struct RootJoints {
  int hip = kNoJoint;  // Always needed.
  // Bipeds; either pair may be missing, not both.
  int left_hip = kNoJoint, right_hip = kNoJoint, left_shoulder = kNoJoint, right_shoulder = kNoJoint;
  int neck = kNoJoint;  // Quadrupeds.
};

struct RootOptions {
  enum class Facing : unsigned char {
    kBiped,      // Across the mean of the hips' and the shoulders' directions from right to left.
    kQuadruped,  // From the hip to the neck.
  } facing = Facing::kBiped;
  enum class Position : unsigned char { kGround, kCentre } position = Position::kGround;
  float ground_height_m = 0;  // Height of a root on the ground.
  // A pair of joints is ignored for the facing where less than this fraction of its length is horizontal.
  float min_horizontal_share = 0.05F;

  // Smoothing over num_samples (odd) evenly spaced times from -half_window_s to +half_window_s. Zero: none.
  double half_window_s = 0.5;
  int num_samples = 31;
  // Power of gaussian_weights. The power for facings is the sum of turning speeds, see docs/motion.md.
  double position_power = 2;
  enum class Ends : unsigned char {
    kHold,     // Times outside the clip use its first or last frame: as in the reference, roots lag there.
    kReflect,  // The clip continues point-mirrored: steady walks and turns do not change.
  } ends = Ends::kHold;
};

// Arrays are [frames].
struct RootTrajectory {
  double fps = 30;
  std::vector<PlanarRoot> roots;
  // Backward differences of `roots`; frame 0 has those of frame 1.
  std::vector<Vec3> velocities;  // m/s, model axes.
  std::vector<float> turn_speeds_rad_s;
  std::vector<RootDelta> deltas;  // From the frame before; the first is zero.
  int frames_without_facing = 0;  // They keep the facing before them (the first ones: after them).
};

// Fails without frames, on joints that are missing or out of range, and on an even or too small number of samples.
Result<RootTrajectory> extract_root(const Motion& motion, const RootJoints& joints, const RootOptions& options = {});

}  // namespace zoe

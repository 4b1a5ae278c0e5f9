// SPDX-License-Identifier: MIT
// Part of Zoetrope. Motions as rows by role, and back onto a skeleton.
//
// Columns of a row: six numbers of the rotation of each role relative to the role above, the hips' relative to the
// facing (kRotation + 6 role); height of the hips over the floor (leg lengths); velocity of the hips across and along
// the facing (leg lengths a second); turning speed (rad/s); contacts of the left and the right foot (0 or 1).
// The facing is that of the hips. The floor is where the toes of the clip are lowest, so that no row tells how high an
// actor's markers were.
#pragma once

#include <span>
#include <vector>

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"
#include "zoe/motion/motion.h"
#include "zoe/style/roles.h"

namespace zoe::style {

constexpr int kRotation = 0, kHeight = 6 * kNumRoles, kSpeedAcross = kHeight + 1, kSpeedAlong = kHeight + 2,
              kTurn = kHeight + 3, kContacts = kHeight + 4, kNumColumns = kContacts + 2;
constexpr double kRowsPerSecond = 30;  // What networks of style are trained at.

// The rotation of a role in a row, relative to the role above.
Quat rotation_of(std::span<const float> row, int role);
void put_rotation(std::span<float> row, int role, Quat rotation);

// One moment of a body by role, in the skeleton's unit.
struct RolePose {
  std::array<Quat, kNumRoles> rotations;  // From the T-pose, model space.
  Vec3 hips;
  float heading_rad = 0;  // Of the hips: 0 looks along +Z and grows towards +X.
};
// `scratch` is sized on the first use. heading_before: the facing is kept where the hips look up or down.
void read_role_pose(const RoleBody& body, const PoseView& pose, float heading_before, anatomy::ModelPose& scratch,
                    RolePose& out);

// Fills row [kNumColumns] but its contacts. before: the moment that lies dt_s before.
void write_row(const RoleBody& body, const RolePose& before, const RolePose& now, float floor, double dt_s,
               std::span<float> row);

// The pose of a row. Joints without a role keep the local rotations of `pose`, joints of the trunk between roles share
// the change. heading, hips: where the body is. Never allocates after the first use of `scratch`.
struct Placement {
  Vec3 hips;
  float heading_rad = 0;
};
void write_pose(const RoleBody& body, std::span<const float> row, const Placement& place, anatomy::ModelPose& scratch,
                const Pose& source, Pose& out);
// One step of a placement by a row's speeds.
Placement moved(const RoleBody& body, const Placement& from, std::span<const float> row, float floor, double dt_s);

// A clip as rows. Speeds are over `stride` frames, so that a clip of stride * 30 frames a second has the rows of one of
// 30 at every frame.
struct StyleClip {
  double fps = 30;
  int stride = 1;
  int num_frames = 0;
  float floor = 0;              // Height of the toes' joint in contact, the motion's unit.
  std::vector<float> rows;      // [frames × kNumColumns]
  std::vector<float> headings;  // [frames] of the hips, not wrapped.
  Placement start;
  std::span<const float> row(int frame) const { return std::span(rows).subspan(idx(frame) * kNumColumns, kNumColumns); }
};
// Frames between two rows of 30 a second.
int stride_of(double fps);

// The motion has the skeleton of the body, Y up. Its contacts are detected where the analysis has feet. Fails on a
// motion without two frames.
Result<StyleClip> encode_clip(const Motion& motion, const RoleBody& body, const SkeletonAnalysis& analysis);

// The motion of the rows [frames × kNumColumns], with what has no role from `source` (same number of frames). The path
// begins at the source's. heading_half_life_s: time in which the facing returns to the source's; 0: never.
Motion decode_clip(std::span<const float> rows, const StyleClip& clip, const RoleBody& body, const Motion& source,
                   double heading_half_life_s = 0);

// Positions of all roles in leg lengths, in the space of the facing with the hips at the origin: [kNumRoles].
void role_positions(std::span<const float> row, std::span<const Vec3> offsets, std::span<Vec3> out);

}  // namespace zoe::style

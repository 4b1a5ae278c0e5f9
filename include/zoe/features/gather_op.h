// SPDX-License-Identifier: MIT
// Part of Zoetrope. The steps by which a block of numbers is gathered from frame rows, and what they read of a row.
#pragma once

#include <cstdint>

namespace zoe::features {

// The first numbers of every row: the root in model space. Velocities are m/s and rad/s.
namespace row {
enum : int {
  kX,
  kY,
  kZ,       // On the ground, metres.
  kFacing,  // Radians, not wrapped.
  kForwardX,
  kForwardZ,  // (sin, cos) of the facing: the direction of the root.
  kVelocityX,
  kVelocityY,
  kVelocityZ,
  kTurnSpeed,
  kOwnVelocity,  // Six numbers: velocity and angular velocity in the root's axes.
  kRootWidth = 16,
};
}  // namespace row

// One step of gathering. Frames count rows, relative to the sample's own; they may be fractional.
struct GatherOp {
  enum class Kind : std::uint8_t {
    kCopy,
    kPosition,
    kHeight,
    kDirection,
    kVelocity,
    kSpeed,
    kTurnSpeed,  // All but kCopy read the root.
    kDelta,
    kPhase,
    kPhaseDelta,
    kTerrain,
    kGoalPosition,
    kGoalDirection,
    kGating
  } kind = Kind::kCopy;
  int column = 0;           // First of the block's columns written.
  int width = 0;            // Columns at each time.
  int row_offset = 0;       // First of the row's numbers read (kCopy, kPhase, kTerrain, goals; kGating: its phase).
  double frame = 0;         // Of the first time, relative to the sample plus the block's step.
  double frame_step = 0;    // Distance to the next time.
  int count = 1;            // Number of times.
  int column_step = 0;      // Distance of the columns of consecutive times.
  double now_frame = 0;     // Root space of positions and directions, relative to the sample.
  double delta_frames = 1;  // kDelta: the time before.
  float turn_scale = 1, travel_scale = 1;  // kDelta: units of the turn and of the displacement.
  int goal_offset = -1;  // Row offset of the goal whose space replaces the root's; kGating: of the goal.
  int style_offset = 0, num_styles = 0, action_offset = 0, num_actions = 0;  // kGating.
};

// Numbers begin … end of the row of a frame, relative to the sample. A row holds a whole pose, and most blocks read
// only the root of most frames.
struct RowRead {
  int frame = 0, begin = 0, end = 0;
};

}  // namespace zoe::features

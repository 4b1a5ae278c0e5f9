// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frame rows: everything about one moment that features are made of. Whole clips are turned into rows by
// build_frame_rows(); a running character writes the same rows one at a time by encode_row().
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/character/pose.h"
#include "zoe/features/clip_context.h"
#include "zoe/features/layout.h"
#include "zoe/ground/ground.h"
#include "zoe/motion/mirror.h"
#include "zoe/motion/motion.h"

namespace zoe::features {

// Rows that a clip gives at the layout's rate: one at its start and one each 1/fps until its end.
int num_rows(const Layout& layout, const Motion& motion);

// Reused from clip to clip, so that building allocates little.
struct RowScratch {
  Pose poses[2];
  std::vector<Affine> models[2];
  RootTrajectory roots;
  std::vector<float> signals;
};

// rows: [num_rows() × frame_width()]. Poses between frames are interpolated; velocities are the difference to one frame of
// the clip before (the first frame has those of the second). Fails on an empty clip, on one of another skeleton, and where
// root, contacts or phases cannot be found.
Result<void> build_frame_rows(const Layout& layout, const ClipContext& clip, std::span<float> rows,
                              RowScratch& scratch);
Result<std::vector<float>> build_frame_rows(const Layout& layout, const ClipContext& clip);

// One moment of a running character. Spans that the layout does not need may stay empty; those that it needs and that are
// empty count as zeros.
struct FrameState {
  std::span<const Affine> model_from_joint;         // [joints]
  std::span<const Affine> model_from_joint_before;  // [joints], dt_s earlier.
  double dt_s = 1.0 / 60;
  const Skeleton* skeleton = nullptr;
  PlanarRoot root;
  PlanarRoot root_before;  // dt_s earlier; gives the root's velocities.
  // Values of the layout's other sources, by group, in the order of their columns.
  std::span<const float> contacts, local_phases, guidance, styles, actions;
  Vec2 global_phase{0, 1};         // (sin, cos).
  const Ground* ground = nullptr;  // Null: flat at the root's height.
  const Goal* goal = nullptr;      // Nothing: where the root is.
  std::span<const SignalTrack> signals;
};

// row: [frame_width()]. Never allocates.
void encode_row(const Layout& layout, const FrameState& state, std::span<float> row) noexcept;

}  // namespace zoe::features

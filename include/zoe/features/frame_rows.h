// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frame rows: everything about one moment that features need. build_frame_rows() converts whole
// clips. encode_row() writes the same rows for a running character, one at a time.
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

// Rows of a clip at the layout's rate: one at its start and one each 1/fps until its end.
int num_rows(const Layout& layout, const Motion& motion);

// Reused between clips, so that building allocates little.
struct RowScratch {
  Pose poses[2];
  std::vector<Affine> models[2];
  RootTrajectory roots;
  std::vector<float> signals;
};

// rows: [num_rows() × frame_width()]. Poses between frames are interpolated. Velocities are the difference to one frame
// of the clip before (the first frame has those of the second). Fails on an empty clip, on another skeleton, and where
// root, contacts or phases cannot be computed.
Result<void> build_frame_rows(const Layout& layout, const ClipContext& clip, std::span<float> rows,
                              RowScratch& scratch);
Result<std::vector<float>> build_frame_rows(const Layout& layout, const ClipContext& clip);

// One moment of a running character. Spans that the layout does not need may stay empty. Empty spans that it needs
// count as zeros.
struct FrameState {
  std::span<const Affine> model_from_joint;         // [joints]
  std::span<const Affine> model_from_joint_before;  // [joints], dt_s earlier.
  // Positions of joints are relative to these. Near the body they are rounded less than far from it.
  Vec3 model_origin = {}, model_origin_before = {};
  double dt_s = 1.0 / 60;
  const Skeleton* skeleton = nullptr;
  PlanarRoot root;
  PlanarRoot root_before;  // dt_s earlier. Gives the root's velocities.
  // Values of the layout's other sources, by group, in the order of their columns.
  std::span<const float> contacts, local_phases, guidance, styles, actions;
  Vec2 global_phase{0, 1};         // (sin, cos).
  const Ground* ground = nullptr;  // Null: flat at the root's height.
  const Goal* goal = nullptr;      // Null: at the root.
  std::span<const SignalTrack> signals;
};

// row: [frame_width()]. Never allocates.
void encode_row(const Layout& layout, const FrameState& state, std::span<float> row) noexcept;

}  // namespace zoe::features

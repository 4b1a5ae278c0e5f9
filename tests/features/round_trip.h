// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A whole clip through the output of a layout and back, without looking
// at it in between.
#pragma once

#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/features/decode.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"
#include "zoe/motion/sample.h"

namespace zoe::test {

// Worst of all frames and decoded joints, in model space: roots are composed from the clip's first
// on.
struct TripErrors {
  double position_m = 0, rotation_rad = 0;
  int frames = 0, joints = 0;
};

inline TripErrors whole_round_trip(const features::Layout& layout, const Motion& motion) {
  using namespace features;
  TripErrors worst;
  const auto built = build_frame_rows(layout, {.motion = &motion});
  const auto decoder = Decoder::create(layout, motion.skeleton);
  EXPECT_TRUE(built) << built.error().format();
  EXPECT_TRUE(decoder) << decoder.error().format();
  if (!built || !decoder) return {1e9, 1e9};
  const ClipRows clip{built->data(), num_rows(layout, motion)};
  // Which moment a sample's pose and root are of, in rows from it.
  int pose_at = 0, root_at = 0;
  for (const Channel& channel : layout.schema().block(BlockKind::kOutput).channels) {
    if (channel.group == Group::kJoint && channel.space != Space::kGoal) pose_at = channel.at_frames;
    if (channel.group == Group::kRootDelta) root_at = channel.at_frames;
    if (channel.group == Group::kRoot && channel.times.start_s > 0) root_at = 1;
  }
  const int first = 1, count = clip.num_rows - first - 1;
  const std::size_t width = static_cast<std::size_t>(decoder->width());
  std::vector<float> values, output(layout.size(BlockKind::kOutput));
  for (int k = first; k < first + count; ++k) {
    const Sample sample{0, k, 0};
    EXPECT_TRUE((GatherJob{.layout = &layout, .clips = {&clip, 1}, .samples = {&sample, 1}, .output = output}.run()));
    values.insert(values.end(), output.begin(), output.begin() + static_cast<std::ptrdiff_t>(width));
  }
  const float* before =
      clip.rows + static_cast<std::size_t>(first + root_at - 1) * static_cast<std::size_t>(layout.frame_width());
  const Motion decoded =
      decode_motion(*decoder, values, {{before[row::kX], before[row::kY], before[row::kZ]}, before[row::kFacing]},
                    {.fps = layout.fps()});
  Pose truth = make_pose(*motion.skeleton);
  std::vector<Affine> expected(static_cast<std::size_t>(motion.num_joints())), found(expected);
  for (int f = 0; f < decoded.num_frames; ++f) {
    sample(motion, motion.start_time_s + (first + f + pose_at) / layout.fps(), Wrap::kClamp, truth);
    compute_model_from_joint(*motion.skeleton, truth.view(), expected);
    compute_model_from_joint(*motion.skeleton, decoded.frame(f), found);
    for (const int j : decoder->joints()) {
      const Affine &a = expected[static_cast<std::size_t>(j)], &b = found[static_cast<std::size_t>(j)];
      // Of a mirrored joint, the rotation of its opposite axes.
      const auto turn = [](const Affine& m) {
        const float sign = dot(cross(m.x, m.y), m.z) < 0 ? -1.0F : 1.0F;
        return rotation_of(Affine{normalized(m.x) * sign, normalized(m.y) * sign, normalized(m.z) * sign, {}});
      };
      worst.position_m = std::max(worst.position_m, double{distance(a.t, b.t)});
      worst.rotation_rad = std::max(worst.rotation_rad, double{angle_between(turn(a), turn(b))});
    }
  }
  worst.frames = decoded.num_frames;
  worst.joints = static_cast<int>(decoder->joints().size());
  return worst;
}

}  // namespace zoe::test

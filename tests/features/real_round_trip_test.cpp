// SPDX-License-Identifier: MIT
// Real clips through the locomotion output and back onto their skeletons, and replayed through the run-time history.
#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/features/decode.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"
#include "zoe/motion/sample.h"

#include "features/real_clips.h"
#include "support/data.h"

namespace zoe::features {
namespace {

struct Errors {
  double position_m = 0, rotation_deg = 0, drift_m = 0, drift_deg = 0;
};

// Worst over frames and joints. `drift`: the root after all steps of the clip, each composed on the one before.
Errors round_trip(const test::RealClip& clip, const Layout& layout, bool use_positions) {
  const Motion& motion = clip.motion;
  const std::vector<float> rows = build_frame_rows(layout, {.motion = &motion}).value();
  const ClipRows view{rows.data(), num_rows(layout, motion)};
  const auto root_at = [&](int k) {
    const float* r = rows.data() + static_cast<std::size_t>(k) * static_cast<std::size_t>(layout.frame_width());
    return PlanarRoot{{r[row::kX], r[row::kY], r[row::kZ]}, r[row::kFacing]};
  };
  const Decoder decoder = Decoder::create(layout, motion.skeleton).value();
  DecodedFrame frame = decoder.make_frame(), travelled = decoder.make_frame();
  travelled.root = root_at(0);
  Pose pose = make_pose(*motion.skeleton), truth = pose;
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  std::vector<Affine> expected(joints), found(joints);
  std::vector<float> output(layout.size(BlockKind::kOutput));
  Errors worst;
  for (int k = 1; k < view.num_rows; ++k) {
    const Sample at{0, k, 0};
    EXPECT_TRUE((GatherJob{.layout = &layout, .clips = {&view, 1}, .samples = {&at, 1}, .output = output}.run()));
    const std::span<const float> step(output.data(), static_cast<std::size_t>(layout.width(BlockKind::kOutput)));
    decoder.decode(step, root_at(k - 1), frame);
    decoder.decode(step, travelled.root, travelled);
    decoder.to_pose(frame, pose, use_positions);
    sample(motion, motion.start_time_s + k / layout.fps(), Wrap::kClamp, truth);
    compute_model_from_joint(*motion.skeleton, truth.view(), expected);
    compute_model_from_joint(*motion.skeleton, pose.view(), found);
    for (const int j : decoder.joints()) {
      const auto i = static_cast<std::size_t>(j);
      worst.position_m = std::max(worst.position_m, double{distance(expected[i].t, found[i].t)});
      worst.rotation_deg = std::max(
          worst.rotation_deg, angle_between(rotation_of(expected[i]), rotation_of(found[i])) * 180 / std::numbers::pi);
    }
  }
  const PlanarRoot end = root_at(view.num_rows - 1);
  worst.drift_m = distance(travelled.root.position, end.position);
  worst.drift_deg = std::abs(travelled.root.facing_rad - end.facing_rad) * 180 / std::numbers::pi;
  return worst;
}

TEST(RealRoundTrip, PosesAndRootsComeBack) {
  ZOE_NEED_DATA(data);
  struct Case {
    const char* file;
    const char* preset;
    double bone_m;  // How far a joint may be off where bones of the file itself change their length.
  };
  for (const Case& c : {Case{"biped/style100_npz/WalkingStickLeft_BR.npz", "locomotion", 1e-2},
                        Case{"biped/cmu/16_15.bvh", "locomotion", 1e-4},
                        Case{"biped/bandai_namco/dataset1/dataset-1_bow_active_001.bvh", "locomotion", 1e-4},
                        Case{"biped/lafan1/push1_subject2.bvh", "locomotion", 1e-4},
                        Case{"quadruped/dog_mann_bvh/D1_001_KAN01_001.bvh", "locomotion_quadruped", 1e-4},
                        Case{"quadruped/dog_ai4animationpy/D1_008_KAN01_001.npz", "locomotion_quadruped", 1e-4}}) {
    if (!std::filesystem::exists(data / c.file)) {
      ADD_FAILURE() << c.file << " is missing";
      continue;
    }
    const auto clip = test::read_clip(data / c.file, 0, true);
    ASSERT_TRUE(clip) << clip.error().format();
    const auto layout = Layout::compile(Schema::preset(c.preset).value(), *clip->motion.skeleton, clip->analysis);
    ASSERT_TRUE(layout) << c.file << ": " << layout.error().format();
    const Errors errors = round_trip(*clip, *layout, false), placed = round_trip(*clip, *layout, true);
    std::printf("%-56s %2zu joints: %.2e m, %.4f deg; placed %.2e m; root after %.0f s off by %.2e m, %.4f deg\n",
                c.file, layout->row_sources()[0].joints.size(), errors.position_m, errors.rotation_deg,
                placed.position_m, clip->motion.duration_s(), errors.drift_m, errors.drift_deg);
    EXPECT_LT(errors.position_m, c.bone_m) << c.file;
    EXPECT_LT(placed.position_m, 1e-4) << c.file;
    EXPECT_LT(errors.rotation_deg, 0.1) << c.file;
    EXPECT_LT(errors.drift_m, 1e-2) << c.file;
    EXPECT_LT(errors.drift_deg, 0.1) << c.file;
  }
}

}  // namespace
}  // namespace zoe::features

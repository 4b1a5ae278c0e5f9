// SPDX-License-Identifier: MIT
// What the encoder decides: which tracks move, how much each counts, and how small the result is.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "zoe/motion/compress.h"

#include "motion/compressed/analyse.h"
#include "motion/compressed/lanes.h"
#include "motion/compressed/sensitivity.h"
#include "motion/synthetic.h"

namespace zoe {
namespace {

// Three points at the skin of every joint, on its axes, in a frame.
std::vector<Vec3d> skin_points(const Motion& motion, int frame, double shell_m) {
  std::vector<Affined> models;
  std::vector<Vec3d> points;
  const PoseView pose = motion.frame(frame);
  for (int joint = 0; joint < motion.num_joints(); ++joint) {
    const int parent = motion.skeleton->parent(joint);
    const Affined local = to_affine(to_double(pose.joint(joint)));
    models.push_back(parent == kNoJoint ? local : models[static_cast<std::size_t>(parent)] * local);
    const Affined& m = models.back();
    for (const Vec3d axis : {m.x, m.y, m.z}) points.push_back(m.t + normalized(axis) * shell_m);
  }
  return points;
}

// A small error in one lane of a track, in all frames: the mean squared displacement by the error's square.
double measured(const Motion& motion, const std::vector<double>& weights, double shell_m, auto change) {
  constexpr double kStep = 1e-3;
  double sum = 0;
  Motion ahead = motion, behind = motion;
  change(ahead, kStep);
  change(behind, -kStep);
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    const auto a = skin_points(ahead, frame, shell_m), b = skin_points(behind, frame, shell_m);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Vec3d d = (a[i] - b[i]) / (2 * kStep);
      sum += weights[i / 3] * dot(d, d) / 3;
    }
  }
  return sum / motion.num_frames;
}

// Where joints make up for those above them, a joint's rotation answers for its children's places only.
TEST(CompressSearch, AChainedJointAnswersForItsChildren) {
  const SkeletonPtr skeleton =
      Skeleton::create({{"a", kNoJoint, {}}, {"b", 0, {{1, 0, 0}}}, {"c", 1, {{0, 2, 0}}}}).value();
  Motion motion = make_motion(skeleton, "bend", 30, 4, false);
  for (std::size_t f = 0; f < 4; ++f) {
    for (std::size_t j = 0; j < 3; ++j) {
      motion.rotations[3 * f + j] =
          from_axis_angle(Vec3{0, 0, 1}, (f % 2 == 0 ? 0.001F : -0.001F) * static_cast<float>(j + 1));
    }
  }
  const ClipHeader header = analyse_tracks(motion, 16, 1e-9, 1e-9);
  ASSERT_EQ(header.rotations.size(), 3U);
  const std::vector<double> weights(3, 1.0);
  const Sensitivity s = measure_sensitivity(motion, header, 0, weights);
  // About z: b is 1 m from a, c is 2 m from b; a vector part turns twice.
  EXPECT_NEAR(s.rotations[0].m[2][2], 4 * 1, 0.05);
  EXPECT_NEAR(s.rotations[1].m[2][2], 4 * 4, 0.05);
  EXPECT_NEAR(s.rotations[2].m[2][2], 0, 1e-6);
}

TEST(CompressSearch, AFaceWithoutABodyIsCompressedToo) {
  Motion motion = make_motion(Skeleton::create({}).value(), "face", 30, 40, false);
  motion.num_morph_weights = 2;
  for (int f = 0; f < 40; ++f) {
    motion.morph_weights.push_back(0.5F + 0.5F * std::sin(0.3F * static_cast<float>(f)));
    motion.morph_weights.push_back(0.25F);
  }
  CompressionReport report;
  const auto compressed = CompressedMotion::compress(motion, {}, &report);
  ASSERT_TRUE(compressed) << compressed.error().format();
  EXPECT_LE(report.worst_morph_error, 0.002);
  EXPECT_EQ(report.worst_error_mm, 0);
  EXPECT_EQ(report.mean_error_mm, 0);
  EXPECT_EQ(report.raw_bytes, 40U * 2 * 4);
  const Motion back = compressed->decompress();
  for (std::size_t i = 0; i < 80; ++i) EXPECT_NEAR(back.morph_weights[i], motion.morph_weights[i], 0.002F) << i;
}

}  // namespace
}  // namespace zoe

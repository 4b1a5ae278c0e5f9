// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "zoe/motion/compress.h"

#include "motion/compressed/rows.h"
#include "motion/synthetic.h"
#include "support/mutate.h"

namespace zoe {
namespace {

Motion clip() {
  return test::random_motion(
      {.num_joints = 12, .num_frames = 70, .noise_rad = 1e-3, .scales = true, .num_morph_weights = 3});
}

TEST(CompressedBytes, RoundTrip) {
  Motion motion = clip();
  motion.name = "gähnen";
  motion.start_time_s = 1.25;
  const CompressedMotion compressed = CompressedMotion::compress(motion).value();
  const CompressedMotion again = CompressedMotion::from_bytes(compressed.bytes(), motion.skeleton).value();
  EXPECT_EQ(again.name(), motion.name);
  EXPECT_EQ(again.fps(), motion.fps);
  EXPECT_EQ(again.start_time_s(), 1.25);
  EXPECT_NEAR(again.duration_s(), motion.duration_s(), 1e-12);
  EXPECT_EQ(again.num_morph_weights(), 3);
  EXPECT_TRUE(again.has_scales());
  EXPECT_EQ(again.decompress().rotations, compressed.decompress().rotations);
  EXPECT_TRUE(std::ranges::equal(again.bytes(), compressed.bytes()));
}

TEST(CompressedBytes, RefusesAnotherSkeletonVersionAndLength) {
  const Motion motion = clip();
  const CompressedMotion compressed = CompressedMotion::compress(motion).value();
  EXPECT_FALSE(CompressedMotion::from_bytes(compressed.bytes(), nullptr));
  EXPECT_FALSE(CompressedMotion::from_bytes(compressed.bytes(), test::random_skeleton(12, 99)));
  EXPECT_FALSE(CompressedMotion::from_bytes({}, motion.skeleton));
  std::vector<std::byte> bytes(compressed.bytes().begin(), compressed.bytes().end());
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(CompressedMotion::from_bytes(bytes, motion.skeleton));
  bytes.pop_back();
  bytes[4] = std::byte{7};
  EXPECT_EQ(CompressedMotion::from_bytes(bytes, motion.skeleton).error().code, ErrorCode::kUnsupported);
}

TEST(CompressedBytes, HugeFrameCountsAreRefusedBeforeAnythingIsAllocated) {
  const Motion motion = clip();
  const CompressedMotion compressed = CompressedMotion::compress(motion).value();
  std::vector<std::byte> bytes(compressed.bytes().begin(), compressed.bytes().end());
  for (const std::uint32_t frames : {0U, 0xFFFFFFFFU, 1U << 28, 0x7FFFFFFFU}) {
    std::memcpy(bytes.data() + 32, &frames, sizeof frames);
    EXPECT_FALSE(CompressedMotion::from_bytes(bytes, motion.skeleton)) << frames;
  }
}

// Whatever is accepted must also be safe to sample.
TEST(CompressedBytes, SurviveDamage) {
  const Motion motion = clip();
  const CompressedMotion compressed = CompressedMotion::compress(motion).value();
  Pose pose = make_pose(*motion.skeleton);
  std::vector<float> weights(3);
  int accepted = 0;
  test::expect_survives_damage("compressed motion", compressed.bytes(), [&](std::span<const std::byte> bytes) {
    const auto damaged = CompressedMotion::from_bytes(bytes, motion.skeleton);
    if (!damaged) return;
    ++accepted;
    weights.resize(static_cast<std::size_t>(damaged->num_morph_weights()));
    CompressedSampleJob job{&*damaged, 0, Wrap::kClamp, pose.translations, pose.rotations, pose.scales, weights};
    for (int i = 0; i < 9; ++i) {
      job.time_s = damaged->start_time_s() + damaged->duration_s() * i / 8.0;
      EXPECT_EQ(job.run(), std::isfinite(job.time_s));
    }
  });
  EXPECT_GT(accepted, 100);  // Changed numbers inside rows are no error.
}

TEST(Rows, RoundTripAtEveryWidth) {
  for (int width = 1; width <= kMaxRowWidth; ++width) {
    for (int lanes = 1; lanes <= kRowLanes; ++lanes) {
      const std::int32_t half = 1 << (width - 1);
      std::vector<std::int32_t> values;
      for (int i = 0; i < lanes; ++i) values.push_back(i % 3 == 0 ? -half : i % 3 == 1 ? half - 1 : (i * 7919) % half);
      for (const std::int32_t v : values) EXPECT_LE(width_for(v), width);
      std::vector<std::uint8_t> bytes;
      append_row(bytes, values, width);
      EXPECT_EQ(bytes.size(), row_bytes(lanes, width));
      bytes.resize(bytes.size() + kRowSlack);
      std::int32_t out[kRowLanes];
      read_row(bytes.data(), width, out);
      for (int i = 0; i < lanes; ++i) EXPECT_EQ(out[i], values[static_cast<std::size_t>(i)]) << width;
    }
  }
  EXPECT_EQ(width_for(0), 0);
  EXPECT_EQ(width_for(-1), 1);
  EXPECT_EQ(width_for(1), 2);
  EXPECT_EQ(width_for(std::int64_t{1} << 40), kMaxRowWidth + 1);
}

}  // namespace
}  // namespace zoe

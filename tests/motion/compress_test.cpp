// SPDX-License-Identifier: MIT
#include "zoe/motion/compress.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "zoe/math/simd_dispatch.h"

#include "motion/compressed/decode_plan.h"
#include "motion/skin_error.h"
#include "motion/synthetic.h"
#include "support/allocation.h"

namespace zoe {
namespace {

// Compresses, and holds the promise against an independent measurement.
CompressionReport expect_within(const Motion& motion, const CompressionOptions& options = {}) {
  CompressionReport report;
  const auto compressed = CompressedMotion::compress(motion, options, &report);
  EXPECT_TRUE(compressed) << compressed.error().format();
  if (!compressed) return report;
  const Motion decoded = compressed->decompress();
  EXPECT_TRUE(validate(decoded));
  EXPECT_EQ(decoded.num_frames, motion.num_frames);
  const double worst = test::worst_skin_error_mm(motion, decoded, options.shell_distance_m);
  EXPECT_LE(worst, options.max_error_mm);
  EXPECT_NEAR(worst, report.worst_error_mm, 1e-6);
  EXPECT_LE(report.worst_morph_error, options.max_morph_error);
  for (std::size_t i = 0; i < motion.morph_weights.size(); ++i) {
    EXPECT_NEAR(decoded.morph_weights[i], motion.morph_weights[i], options.max_morph_error);
  }
  EXPECT_EQ(report.compressed_bytes, compressed->bytes().size());
  return report;
}

TEST(Compress, HoldsItsBoundOnRandomMotions) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const Motion motion = test::random_motion({.num_joints = 5 + 7 * static_cast<int>(seed),
                                               .num_frames = 150 + 13 * static_cast<int>(seed),
                                               .seed = seed,
                                               .noise_rad = seed % 2 == 0 ? 1e-3 : 0.0});
    for (const double bound : {0.02, 0.1, 1.0}) {
      const CompressionReport report = expect_within(motion, {.max_error_mm = bound});
      EXPECT_GT(report.worst_error_mm, 0.5 * bound) << "wastes bits";
      EXPECT_GT(report.mean_error_mm, 0.0);
    }
  }
}

TEST(Compress, HoldsItsBoundWithScalesTranslationsAndMorphs) {
  const Motion motion = test::random_motion(
      {.num_joints = 17, .num_frames = 133, .animated_translations = true, .scales = true, .num_morph_weights = 11});
  expect_within(motion);
  expect_within(motion, {.max_error_mm = 0.5, .max_morph_error = 1e-4});
  for (const int length : {0, 4, 9, 32}) expect_within(motion, {.segment_frames = length});
}

TEST(Compress, SmoothMotionShrinksALot) {
  const Motion motion = test::random_motion({.num_joints = 30, .num_frames = 600, .fps = 120});
  EXPECT_GT(expect_within(motion).ratio, 20.0);
}

TEST(Compress, WholeTurnsHalfTurnsAndFarAway) {
  Motion motion = test::random_motion({.num_joints = 6, .num_frames = 200, .root_travel_m = 100});
  for (int frame = 0; frame < 200; ++frame) {
    // The root spins three times, joint 2 flips back and forth by almost a half turn.
    const auto f = static_cast<std::size_t>(frame) * 6;
    motion.rotations[f] = from_axis_angle(Vec3{0, 1, 0}, 0.0942F * static_cast<float>(frame));
    motion.rotations[f + 2] =
        from_axis_angle(normalized(Vec3{1, 1, 0}), 3.1F * std::sin(0.1F * static_cast<float>(frame)));
  }
  make_continuous(motion);
  expect_within(motion);
}

TEST(Compress, ShortAndStillClips) {
  for (const int frames : {1, 2, 3, 16, 17, 18, 33, 34}) {
    expect_within(test::random_motion({.num_joints = 4, .num_frames = frames, .scales = true, .num_morph_weights = 1}));
  }
  const SkeletonPtr skeleton = test::random_skeleton(50, 3);
  EXPECT_GT(expect_within(make_motion(skeleton, "rest", 30, 3000, false)).ratio, 2000.0);
  Motion one_joint = make_motion(test::random_skeleton(1, 1), "one", 30, 90, false);
  for (std::size_t i = 0; i < 90; ++i) one_joint.translations[i].y = 0.01F * static_cast<float>(i * i % 17);
  expect_within(one_joint);
  EXPECT_TRUE(CompressedMotion::compress(make_motion(Skeleton::create({}).value(), "nobody", 30, 5, false)));
}

TEST(Compress, RefusesWhatItCannotDo) {
  Motion motion = test::random_motion({.num_joints = 3, .num_frames = 20});
  EXPECT_FALSE(CompressedMotion::compress(motion, {.max_error_mm = 0}));
  EXPECT_FALSE(CompressedMotion::compress(motion, {.segment_frames = 99}));
  EXPECT_FALSE(CompressedMotion::compress(make_motion(motion.skeleton, "empty", 30, 0, false)));
  for (std::size_t i = 0; i < motion.translations.size(); i += 3)
    motion.translations[i].x += 1e6F * static_cast<float>(i);
  // Floats a thousand kilometres out are centimetres apart.
  const auto far = CompressedMotion::compress(motion);
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().code, ErrorCode::kLimit);
  motion.rotations[4] = {9, 9, 9, 9};
  EXPECT_FALSE(CompressedMotion::compress(motion));
}

// Between frames: near what sampling the original gives; the bound, plus what linear interpolation may differ by.
TEST(Compress, SamplesBetweenFrames) {
  const Motion motion =
      test::random_motion({.num_joints = 14, .num_frames = 97, .fps = 120, .scales = true, .num_morph_weights = 3});
  const CompressedMotion compressed = CompressedMotion::compress(motion).value();
  std::vector<float> weights(3), expected_weights(3);
  Pose pose = make_pose(*motion.skeleton), expected = pose;
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    const double time = std::uniform_real_distribution<double>(-0.5, 2)(random);
    for (const Wrap wrap : {Wrap::kClamp, Wrap::kLoop, Wrap::kLoopClosed}) {
      const CompressedSampleJob job{&compressed, time, wrap, pose.translations, pose.rotations, pose.scales, weights};
      ASSERT_TRUE(job.validate());
      ASSERT_TRUE(job.run());
      const SampleJob truth{&motion,
                            time,
                            wrap,
                            Interpolation::kNlerp,
                            expected.translations,
                            expected.rotations,
                            expected.scales,
                            expected_weights};
      ASSERT_TRUE(truth.run());
      for (std::size_t k = 0; k < pose.rotations.size(); ++k) {
        EXPECT_NEAR(dot(pose.rotations[k], pose.rotations[k]), 1.0F, 1e-5F);
        EXPECT_LT(angle_between(to_double(pose.rotations[k]), to_double(expected.rotations[k])), 4e-3);
        EXPECT_LT(distance(pose.translations[k], expected.translations[k]), 2e-4F);
        EXPECT_LT(distance(pose.scales[k], expected.scales[k]), 4e-3F);
      }
      EXPECT_NEAR(weights[2], expected_weights[2], 0.0021F);
    }
  }
  EXPECT_FALSE(
      (CompressedSampleJob{&compressed, std::nan(""), Wrap::kClamp, pose.translations, pose.rotations, {}, {}}.run()));
  EXPECT_FALSE((
      CompressedSampleJob{&compressed, 0, Wrap::kClamp, std::span(pose.translations).subspan(1), pose.rotations, {}, {}}
          .validate()));
}

TEST(Compress, EveryInstructionSetAgreesWithThePlainDecoder) {
  // 11 and 21 joints: full and partial chunks; a spinning root: four lanes.
  for (const int joints : {11, 21}) {
    Motion motion = test::random_motion({.num_joints = joints,
                                         .num_frames = 75,
                                         .noise_rad = 2e-3,
                                         .animated_translations = true,
                                         .scales = true,
                                         .num_morph_weights = 9});
    for (int frame = 0; frame < 75; ++frame) {
      motion.rotations[static_cast<std::size_t>(frame * joints)] =
          from_axis_angle(Vec3{0, 0, 1}, 0.2F * static_cast<float>(frame));
    }
    make_continuous(motion);
    const CompressedMotion compressed = CompressedMotion::compress(motion).value();
    const auto& impl = compressed.impl();
    Pose a = make_pose(*motion.skeleton), b = a;
    std::vector<float> wa(9), wb(9);
    const DecodeTarget out_a{a.translations.data(), a.rotations.data(), a.scales.data(), wa.data()};
    const DecodeTarget out_b{b.translations.data(), b.rotations.data(), b.scales.data(), wb.data()};
    for (const simd::Target& target : simd::supported_targets()) {
      const simd::ForceTarget force(target);
      for (int frame = 0; frame < 74; ++frame) {
        impl.decode(frame, 0.37F, out_a);
        impl.decode(frame, 0.37F, out_b, &decode_segment_scalar);
        for (std::size_t i = 0; i < a.rotations.size(); ++i) {
          EXPECT_LT(angle_between(to_double(a.rotations[i]), to_double(b.rotations[i])), 2e-6) << target.name;
          EXPECT_LT(distance(a.translations[i], b.translations[i]), 1e-6F) << target.name;
          EXPECT_LT(distance(a.scales[i], b.scales[i]), 1e-6F) << target.name;
        }
        for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(wa[i], wb[i], 1e-6F) << target.name;
      }
    }
  }
}

TEST(Compress, SamplingAllocatesNothing) {
  const Motion motion = test::random_motion({.scales = true, .num_morph_weights = 4});
  const CompressedMotion compressed = CompressedMotion::compress(motion).value();
  Pose pose = make_pose(*motion.skeleton);
  std::vector<float> weights(4);
  CompressedSampleJob job{&compressed, 0, Wrap::kLoopClosed, pose.translations, pose.rotations, pose.scales, weights};
  SampleJob plain{&motion,     0,      Wrap::kLoopClosed, Interpolation::kNlerp, pose.translations, pose.rotations,
                  pose.scales, weights};
  job.run();  // Dispatch tables fill on the first call.
  plain.run();
  const test::AllocationMeter meter;
  for (int i = 0; i < 300; ++i) {
    job.time_s = plain.time_s = 0.0137 * i;
    job.run();
    plain.run();
  }
  EXPECT_EQ(meter.allocations(), 0U);
}

}  // namespace
}  // namespace zoe

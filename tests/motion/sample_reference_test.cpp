// SPDX-License-Identifier: MIT
// Moments between frames by their definition, seams of closed loops with their velocities, long clips searched finely.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/motion/loop.h"
#include "zoe/motion/phase_trust.h"
#include "zoe/motion/sample.h"

#include "motion/synthetic.h"

namespace zoe {
namespace {

// The position in frames that a moment has, from the definition of each wrap.
double position_of(int frames, double position, Wrap wrap) {
  const double last = frames - 1;
  if (wrap == Wrap::kClamp || frames == 1) {
    if (wrap != Wrap::kLoopClosed) return std::clamp(position, 0.0, last);
  }
  const double period = wrap == Wrap::kLoopClosed ? frames : last;
  if (position >= 0 && position <= period) return position;
  return position - std::floor(position / period) * period;
}

TEST(FindFrameReference, EveryWrapOfClipsOfAnyLength) {
  for (const int frames : {1, 2, 3, 10}) {
    for (const Wrap wrap : {Wrap::kClamp, Wrap::kLoop, Wrap::kLoopClosed}) {
      for (int i = -130; i <= 130; ++i) {
        const double position = i * 0.25;
        const FramePosition found = find_frame(frames, 16, 3, 3 + position / 16, wrap);
        const double wanted = position_of(frames, position, wrap), whole = std::floor(wanted + 1e-9);
        const int frame = static_cast<int>(whole) % frames;
        EXPECT_NEAR(found.fraction, wanted - whole, 1e-5) << frames << " " << position;
        // A whole period of a closed loop is the first frame again.
        EXPECT_EQ(found.frame, frame) << frames << " at " << position << " wrap " << static_cast<int>(wrap);
        EXPECT_EQ(found.next_frame, found.fraction > 0 ? (frame + 1) % frames : frame) << frames << " " << position;
      }
    }
  }
  // Within a millionth of a frame it is that frame.
  EXPECT_EQ(find_frame(10, 1, 0, 4 + 0.9e-6, Wrap::kClamp).fraction, 0);
  EXPECT_GT(find_frame(10, 1, 0, 4 + 1.2e-6, Wrap::kClamp).fraction, 0);
  EXPECT_EQ(find_frame(10, 1, 0, 4 - 0.9e-6, Wrap::kClamp).frame, 4);
}

TEST(SampleReference, NumbersBetweenFramesInEveryWay) {
  const Motion motion = test::random_motion({.num_joints = 5,
                                             .num_frames = 8,
                                             .fps = 10,
                                             .animated_translations = true,
                                             .scales = true,
                                             .num_morph_weights = 3});
  Pose pose = make_pose(*motion.skeleton), plain = pose;
  std::vector<float> weights(3);
  for (const Wrap wrap : {Wrap::kClamp, Wrap::kLoop, Wrap::kLoopClosed}) {
    for (const auto way : {Interpolation::kNlerp, Interpolation::kSlerp}) {
      for (const double time_s : {-0.13, 0.0, 0.32, 0.7, 0.77, 1.51}) {
        const FramePosition at = find_frame(8, 10, 0, time_s, wrap);
        ASSERT_TRUE((SampleJob{.motion = &motion,
                               .time_s = time_s,
                               .wrap = wrap,
                               .interpolation = way,
                               .translations = pose.translations,
                               .rotations = pose.rotations,
                               .scales = pose.scales,
                               .morph_weights = weights}
                         .run()));
        const PoseView a = motion.frame(at.frame), b = motion.frame(at.next_frame);
        for (std::size_t j = 0; j < 5; ++j) {
          EXPECT_LT(distance(pose.translations[j], lerp(a.translations[j], b.translations[j], at.fraction)), 1e-6F);
          EXPECT_LT(distance(pose.scales[j], lerp(a.scales[j], b.scales[j], at.fraction)), 1e-6F);
          const Quat q = way == Interpolation::kNlerp ? nlerp(a.rotations[j], b.rotations[j], at.fraction)
                                                      : slerp(a.rotations[j], b.rotations[j], at.fraction);
          EXPECT_GT(std::abs(dot(pose.rotations[j], q)), 1 - 1e-6F);
        }
        for (std::size_t w = 0; w < 3; ++w) {
          const float x = motion.frame_morph_weights(at.frame)[w], y = motion.frame_morph_weights(at.next_frame)[w];
          EXPECT_NEAR(weights[w], x + (y - x) * at.fraction, 1e-6F);
        }
        if (way != Interpolation::kNlerp) continue;
        sample(motion, time_s, wrap, plain);
        EXPECT_EQ(plain.rotations, pose.rotations);
        EXPECT_EQ(plain.translations, pose.translations);
        EXPECT_EQ(plain.scales, pose.scales);
      }
    }
  }
  const Motion none = make_motion(motion.skeleton, "none", 30, 0, false);
  SampleJob job{.motion = &none, .translations = pose.translations, .rotations = pose.rotations};
  EXPECT_FALSE(job.run());
  EXPECT_FALSE(job.validate());
  job.motion = nullptr;
  EXPECT_FALSE(job.run());
  job.motion = &motion;
  EXPECT_TRUE(job.run());
  job.time_s = NAN;
  EXPECT_FALSE(job.run());
  job.time_s = 0;
  job.morph_weights = std::span(weights).first(2);
  EXPECT_FALSE(job.run());
  job.morph_weights = {};
  job.scales = std::span(pose.scales).first(2);
  EXPECT_FALSE(job.run());
  job.scales = {};
  job.translations = std::span(pose.translations).first(2);
  EXPECT_FALSE(job.run());
}

// What a spring at half its start leaves: x and v go to zero.
double spring(double x, double v, double half_life, double t) {
  const double w = 1.67834699 / half_life;
  return (x + (v + x * w) * t) * std::exp(-w * t);
}

// Half of the difference of value and velocity fades from the start, the other half from the end, backwards.
TEST(CloseLoopReference, SeamsJoinValuesAndVelocitiesOfEveryTrack) {
  constexpr double kFps = 20;
  constexpr int kFrames = 90, kBegin = 5, kEnd = 85;
  const SkeletonPtr skeleton = Skeleton::create({{"a", kNoJoint, {}}, {"b", 0, {{0, 1, 0}}}}).value();
  Motion motion = make_motion(skeleton, "seam", kFps, kFrames, true);
  motion.num_morph_weights = 1;
  const auto track = [](double t, double k) { return 0.1 * k * t * t + 0.3 * std::sin(k * t); };
  for (int f = 0; f < kFrames; ++f) {
    const double t = f / kFps;
    for (std::size_t j = 0; j < 2; ++j) {
      const std::size_t i = 2 * static_cast<std::size_t>(f) + j;
      const double k = 0.5 + static_cast<double>(j);
      motion.translations[i] = to_float(Vec3d{track(t, k), 1, track(t, k + 1)});
      motion.scales[i] = to_float(Vec3d{1, 1 + 0.1 * track(t, k), 1});
      motion.rotations[i] = to_float(from_rotation_vector(Vec3d{0, 0.3 * track(t, k), 0}));
    }
    motion.morph_weights.push_back(static_cast<float>(track(t, 2)));
  }
  constexpr double kHalfLife = 0.2, kDuration = (kEnd - kBegin) / kFps;
  const Motion closed = close_loop(motion, {kBegin, kEnd, 0}, nullptr, static_cast<float>(kHalfLife)).value();
  ASSERT_EQ(closed.num_frames, kEnd - kBegin + 1);
  const auto expected = [&](const auto& value, int f) {
    const auto velocity = [&](int at) { return (value(at + 1) - value(at - 1)) * kFps / 2; };
    const double x = (value(kBegin) - value(kEnd)) / 2, v = (velocity(kBegin) - velocity(kEnd)) / 2;
    const double t = f / kFps;
    return value(kBegin + f) + spring(-x, -v, kHalfLife, t) + spring(x, -v, kHalfLife, kDuration - t);
  };
  for (int f = 0; f + 1 < closed.num_frames; ++f) {
    for (std::size_t j = 0; j < 2; ++j) {
      const auto at = [&](int frame) { return 2 * static_cast<std::size_t>(frame) + j; };
      const auto of = [&](int frame) { return double{motion.translations[at(frame)].z}; };
      EXPECT_NEAR(closed.translations[at(f)].z, expected(of, f), 2e-4) << f << " " << j;
      const auto size = [&](int frame) { return double{motion.scales[at(frame)].y}; };
      EXPECT_NEAR(closed.scales[at(f)].y, expected(size, f), 2e-4) << f << " " << j;
      const auto angle = [&](int frame) {
        const Quat q = canonical(motion.rotations[at(frame)]);
        return 2 * std::atan2(double{q.y}, double{q.w});
      };
      const Quat q = canonical(closed.rotations[at(f)]);
      EXPECT_NEAR(2 * std::atan2(q.y, q.w), expected(angle, f), 5e-4) << f << " " << j;
    }
    const auto weight = [&](int frame) { return double{motion.morph_weights[static_cast<std::size_t>(frame)]}; };
    EXPECT_NEAR(closed.morph_weights[static_cast<std::size_t>(f)], expected(weight, f), 5e-4) << f;
  }
  EXPECT_EQ(closed.translations.front(), closed.translations[2U * 80]);
  EXPECT_EQ(closed.morph_weights.front(), closed.morph_weights.back());
}

// Beyond a thousand frames a grid comes first. What it gives is still the best among its neighbours.
TEST(LongLoops, LongClipsGiveLoopsThatNoNeighbourBeats) {
  const SkeletonPtr skeleton = Skeleton::create({{"a", kNoJoint, {}}}).value();
  for (const int frames : {1700, 2600}) {
    Motion motion = make_motion(skeleton, "long", 60, frames, false);
    for (int f = 0; f < frames; ++f) {
      const double t = f / 60.0;
      motion.translations[static_cast<std::size_t>(f)] = to_float(Vec3d{
          std::sin(3.1 * t) + 0.2 * std::sin(0.37 * t), std::cos(2.3 * t), 0.4 * std::sin(5.3 * t + 0.1 * t * t)});
    }
    LoopOptions options{.min_duration_s = 1, .max_duration_s = 6};
    options.max_results = 6;
    const std::vector<Loop> found = find_loops(motion, options).value();
    ASSERT_GT(found.size(), 2U);
    const auto velocity = [&](int f) {
      const int a = std::max(f - 1, 0), b = std::min(f + 1, frames - 1);
      return (motion.translations[static_cast<std::size_t>(b)] - motion.translations[static_cast<std::size_t>(a)]) *
             static_cast<float>(60.0 / (b - a));
    };
    const auto measured = [&](int a, int b) {
      const Vec3 p =
          motion.translations[static_cast<std::size_t>(a)] - motion.translations[static_cast<std::size_t>(b)];
      const Vec3 v = (velocity(a) - velocity(b)) * options.velocity_weight_s;
      return std::sqrt(dot(p, p) + dot(v, v));
    };
    float before = 0;
    for (const Loop& loop : found) {
      EXPECT_NEAR(loop.distance_m, measured(loop.begin, loop.end), 1e-4F);
      EXPECT_GE(loop.distance_m, before) << "the best first";
      before = loop.distance_m;
      for (int a = -1; a <= 1; ++a) {
        for (int b = -1; b <= 1; ++b) {
          const int begin = loop.begin + a, end = loop.end + b;
          if (begin < 0 || end >= frames || end - begin < 60 || end - begin > 360) continue;
          EXPECT_GE(measured(begin, end), loop.distance_m - 1e-5F)
              << loop.begin << " to " << loop.end << ": " << a << b;
        }
      }
    }
  }
}

TEST(PhaseTrustReference, ACycleWithoutAnyChangeIsLikeNone) {
  std::vector<PhaseSample> phases(49);
  std::vector<float> values(49);
  for (std::size_t i = 0; i < 49; ++i) {
    phases[i] = {.phase = static_cast<float>(i % 16) / 16, .amplitude = 1};
    values[i] = i < 17 ? std::sin(0.4F * static_cast<float>(i)) : 0.25F;
  }
  values[16] = 0.25F;
  EXPECT_EQ(judge_phase(values, phases).likeness, 0) << "one moves, the next stands";
  std::reverse(values.begin(), values.end());
  EXPECT_NEAR(judge_phase(values, phases).likeness, 0, 1e-6F);
}

}  // namespace
}  // namespace zoe

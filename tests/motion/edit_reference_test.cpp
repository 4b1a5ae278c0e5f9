// SPDX-License-Identifier: MIT
// Mixing, joining, renaming and cutting clips by their rules, number by number; refusals at their borders.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/motion/blend.h"
#include "zoe/motion/calibration.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/inertialize.h"
#include "zoe/motion/remap.h"

#include "motion/synthetic.h"

namespace zoe {
namespace {

Motion clip(std::uint32_t swing, int frames, bool scales = true) {
  Motion motion = test::random_motion({.num_joints = 6,
                                       .num_frames = frames,
                                       .seed = 2,
                                       .swing_rad = 0.4 + 0.2 * swing,
                                       .animated_translations = true,
                                       .scales = scales,
                                       .num_morph_weights = 3});
  for (std::size_t i = 0; i < motion.morph_weights.size(); ++i)
    motion.morph_weights[i] = 0.01F * static_cast<float>((i * (swing + 2)) % 97);
  return motion;
}

float apart(Quat a, Quat b) { return 1 - std::abs(dot(a, b)); }

TEST(BlendReference, EachJointByItsOwnWeight) {
  const Motion a = clip(0, 12), b = clip(3, 9);
  const std::vector<float> mask{1, 0.5F, 0, 2, 1, 0.25F};
  for (const bool masked : {false, true}) {
    const Motion out = blend(a, b, 0.75F, masked ? std::span<const float>(mask) : std::span<const float>{}).value();
    ASSERT_EQ(out.num_frames, 9);
    for (int f = 0; f < 9; ++f) {
      const PoseView x = a.frame(f), y = b.frame(f), z = out.frame(f);
      for (std::size_t j = 0; j < 6; ++j) {
        const float share = masked ? std::min(0.75F * mask[j], 1.0F) : 0.75F;
        EXPECT_LT(distance(z.translations[j], lerp(x.translations[j], y.translations[j], share)), 1e-5F) << f << j;
        EXPECT_LT(distance(z.scales[j], lerp(x.scales[j], y.scales[j], share)), 1e-5F) << f << j;
        EXPECT_LT(apart(z.rotations[j], nlerp(x.rotations[j], y.rotations[j], share)), 1e-6F) << f << j;
      }
      for (std::size_t w = 0; w < 3; ++w) {
        const float from = a.frame_morph_weights(f)[w], to = b.frame_morph_weights(f)[w];
        EXPECT_NEAR(out.frame_morph_weights(f)[w], from + (to - from) * 0.75F, 1e-6F);
      }
    }
  }
  // Scales appear where only the other has some.
  const Motion plain = clip(0, 5, false);
  const Motion mixed = blend(plain, clip(3, 5), 0.5F).value();
  EXPECT_LT(distance(mixed.frame(2).scales[1], lerp(Vec3{1, 1, 1}, clip(3, 5).frame(2).scales[1], 0.5F)), 1e-5F);
}

TEST(BlendReference, PairsThatDoNotFitAreRefused) {
  const Motion a = clip(0, 5);
  Motion b = clip(1, 5);
  EXPECT_TRUE(blend(a, b, 0));
  EXPECT_TRUE(blend(a, b, 1));
  EXPECT_FALSE(blend(a, b, -0.01F));
  EXPECT_FALSE(blend(a, b, 1.01F));
  EXPECT_FALSE(blend(a, b, NAN));
  const std::vector<float> few(5, 1.0F);
  EXPECT_FALSE(blend(a, b, 0.5F, few));
  b.fps = a.fps * (1 + 0.9e-4);
  EXPECT_TRUE(blend(a, b, 0.5F));
  b.fps = a.fps * (1 + 1.1e-4);
  EXPECT_FALSE(blend(a, b, 0.5F));
  b = test::random_motion({.num_joints = 6, .num_frames = 5, .seed = 2, .num_morph_weights = 2});
  EXPECT_FALSE(blend(a, b, 0.5F)) << "morph weights";
  b = test::random_motion({.num_joints = 6, .num_frames = 5, .seed = 9, .num_morph_weights = 3});
  ASSERT_NE(b.skeleton->topology_hash(), a.skeleton->topology_hash());
  EXPECT_FALSE(add(a, b, 1)) << "another skeleton";
  EXPECT_FALSE(add(a, clip(1, 0), 1)) << "no frames to add";
}

TEST(AddReference, TheDifferenceFromTheFirstFrameByItsWeight) {
  const Motion base = clip(0, 12), other = clip(3, 7);
  const std::vector<float> mask{1, 0.5F, 0, 1, 1, 0.25F};
  const Motion out = add(base, other, 0.5F, mask).value();
  ASSERT_EQ(out.num_frames, 12);
  for (int f = 0; f < 12; ++f) {
    const int at = std::min(f, 6);  // The last frame goes on.
    const PoseView x = base.frame(f), first = other.frame(0), now = other.frame(at), z = out.frame(f);
    for (std::size_t j = 0; j < 6; ++j) {
      const float share = 0.5F * mask[j];
      EXPECT_LT(distance(z.translations[j], x.translations[j] + (now.translations[j] - first.translations[j]) * share),
                1e-5F)
          << f << j;
    }
    EXPECT_LT(apart(z.rotations[2], x.rotations[2]), 1e-6F) << "masked";
    for (std::size_t w = 0; w < 3; ++w) {
      EXPECT_NEAR(
          out.frame_morph_weights(f)[w],
          base.frame_morph_weights(f)[w] + (other.frame_morph_weights(at)[w] - other.frame_morph_weights(0)[w]) * 0.5F,
          1e-5F);
    }
  }
}

TEST(AddReference, ScalesAppearWhereOnlyTheOtherHasSome) {
  const Motion base = clip(0, 6, false), other = clip(3, 6);
  const Motion none = add(base, other, 0).value(), all = add(base, other, 1).value();
  for (std::size_t i = 0; i < none.scales.size(); ++i) EXPECT_LT(distance(none.scales[i], {1, 1, 1}), 1e-6F) << i;
  for (int f = 0; f < 6; ++f) {
    const Vec3 s = other.frame(f).scales[1], first = other.frame(0).scales[1];
    EXPECT_LT(distance(all.frame(f).scales[1], {s.x / first.x, s.y / first.y, s.z / first.z}), 1e-5F) << f;
  }
}

TEST(ConcatenateReference, RootsContinueWhereTheyWereAndLookTheSameWay) {
  // Two roots: the second follows the first rigidly.
  const SkeletonPtr skeleton =
      Skeleton::create({{"a", kNoJoint, {{0, 1, 0}}}, {"b", 0, {{0, 1, 0}}}, {"c", kNoJoint, {{1, 0, 0}}}}).value();
  const auto walk = [&](Vec3 from, float facing, int frames) {
    Motion motion = make_motion(skeleton, "walk", 30, frames, true);
    motion.num_morph_weights = 1;
    for (int f = 0; f < frames; ++f) {
      const std::size_t i = 3 * static_cast<std::size_t>(f);
      const Quat turn = from_rotation_vector(Vec3{0, facing, 0});
      motion.translations[i] =
          from + rotate(turn, Vec3{0, 0.01F * static_cast<float>(f), 0.1F * static_cast<float>(f)});
      motion.rotations[i] = turn * from_rotation_vector(Vec3{0.1F, 0, 0.05F * static_cast<float>(f)});
      motion.translations[i + 2] = motion.translations[i] + rotate(turn, Vec3{1, 0, 0});
      motion.rotations[i + 2] = turn;
      motion.morph_weights.push_back(static_cast<float>(f));
    }
    return motion;
  };
  const Motion a = walk({1, 1, 2}, 0.4F, 5), b = walk({-3, 2, 7}, 2.5F, 6);
  const Motion* both[] = {&a, &b};
  for (const bool drop : {false, true}) {
    const Motion joined = concatenate(both, {.align_root = true, .drop_shared_frame = drop}).value();
    ASSERT_EQ(joined.num_frames, drop ? 10 : 11);
    EXPECT_EQ(joined.morph_weights.size(), static_cast<std::size_t>(joined.num_frames));
    EXPECT_EQ(joined.scales.size(), 3U * static_cast<std::size_t>(joined.num_frames));
    const Vec3 last = a.frame(4).translations[0];
    // The heading is the turn about y inside a rotation.
    const auto heading = [](Quat q) { return 2 * std::atan2(q.y, q.w); };
    const float turned = heading(a.frame(4).rotations[0]) - heading(b.frame(0).rotations[0]);
    const Quat turn = from_rotation_vector(Vec3{0, turned, 0});
    for (int f = drop ? 1 : 0; f < 6; ++f) {
      const int at = 5 + f - (drop ? 1 : 0);
      for (const std::size_t root : {0U, 2U}) {
        const Vec3 off = b.frame(f).translations[root] - b.frame(0).translations[0];
        const Vec3 moved = rotate(turn, Vec3{off.x, 0, off.z});
        const Vec3 expected{last.x + moved.x, b.frame(f).translations[root].y, last.z + moved.z};
        EXPECT_LT(distance(joined.frame(at).translations[root], expected), 1e-5F) << f << " " << root;
        EXPECT_LT(apart(joined.frame(at).rotations[root], turn * b.frame(f).rotations[root]), 1e-6F) << f;
      }
      EXPECT_EQ(joined.frame(at).translations[1], b.frame(f).translations[1]) << "below the root nothing changes";
      EXPECT_EQ(joined.frame_morph_weights(at)[0], static_cast<float>(f));
    }
  }
  Motion slow = b;
  slow.fps = 30 * (1 + 1.1e-4);
  const Motion* slowed[] = {&a, &slow};
  EXPECT_FALSE(concatenate(slowed));
  slow.fps = 30 * (1 + 0.9e-4);
  EXPECT_TRUE(concatenate(slowed));
  slow.num_morph_weights = 0;
  slow.morph_weights.clear();
  EXPECT_FALSE(concatenate(slowed));
  const Motion none = trim(a, 0, 0).value();
  Motion empty = none;
  empty.num_frames = 0;
  empty.translations.clear(), empty.rotations.clear(), empty.scales.clear(), empty.morph_weights.clear();
  const Motion* with_empty[] = {&empty, &a, &empty, &b};
  EXPECT_EQ(concatenate(with_empty, {.align_root = true, .drop_shared_frame = true}).value().num_frames, 10);
}

TEST(TrimReference, TimesKeepTheFramesInside) {
  const Motion motion = clip(0, 31);  // 60 frames per second, from 0 s on.
  const auto frames = [&](double from, double to) {
    const auto cut = trim_time(motion, from, to);
    return cut ? std::pair{static_cast<int>(std::lround(cut->start_time_s * 60)), cut->num_frames} : std::pair{-1, 0};
  };
  EXPECT_EQ(frames(0, 0.5), (std::pair{0, 31}));
  EXPECT_EQ(frames(10.2 / 60, 20.8 / 60), (std::pair{11, 10}));
  EXPECT_EQ(frames(10.0 / 60, 10.0 / 60), (std::pair{10, 1}));
  EXPECT_EQ(frames(10.0000005 / 60, 20.0 / 60), (std::pair{10, 11})) << "within a millionth of a frame";
  EXPECT_EQ(frames(10.2 / 60, 10.8 / 60).first, -1) << "none between";
  EXPECT_EQ(frames(30.0 / 60, 9).second, 1);
  EXPECT_EQ(frames(30.5 / 60, 9).first, -1);
  EXPECT_EQ(frames(-1, 0), (std::pair{0, 1}));
  EXPECT_EQ(frames(-1, -0.01).first, -1);
  EXPECT_FALSE(trim(motion, -1, 5));
  EXPECT_TRUE(trim(motion, 30, 30));
  EXPECT_FALSE(trim(motion, 30, 31));
}

TEST(ValidateReference, EveryArrayAndNumberIsChecked) {
  const Motion good = clip(0, 4);
  EXPECT_TRUE(validate(good));
  const auto refused = [&](const auto& change) {
    Motion motion = good;
    change(motion);
    return !validate(motion).has_value();
  };
  EXPECT_TRUE(refused([](Motion& m) { m.skeleton = nullptr; }));
  EXPECT_TRUE(refused([](Motion& m) { m.fps = 0; }));
  EXPECT_TRUE(refused([](Motion& m) { m.fps = INFINITY; }));
  EXPECT_TRUE(refused([](Motion& m) { m.num_frames = -1; }));
  EXPECT_TRUE(refused([](Motion& m) { m.num_frames = 3; }));
  EXPECT_TRUE(refused([](Motion& m) { m.translations.pop_back(); }));
  EXPECT_TRUE(refused([](Motion& m) { m.rotations.pop_back(); }));
  EXPECT_TRUE(refused([](Motion& m) { m.scales.pop_back(); }));
  EXPECT_FALSE(refused([](Motion& m) { m.scales.clear(); }));
  EXPECT_TRUE(refused([](Motion& m) { m.morph_weights.pop_back(); }));
  EXPECT_TRUE(refused([](Motion& m) { m.translations[7].y = NAN; }));
  EXPECT_TRUE(refused([](Motion& m) { m.scales[7].z = INFINITY; }));
  EXPECT_TRUE(refused([](Motion& m) { m.rotations[7] = Quat{0, 0, 0, 1.001F}; }));
  EXPECT_FALSE(refused([](Motion& m) { m.rotations[7] = Quat{0, 0, 0, 1.0004F}; }));
  Motion named = good;
  named.translations[13].x = NAN;  // Frame 2, joint 1.
  EXPECT_EQ(validate(named).error().where.joint, good.skeleton->name(1));
  EXPECT_NE(validate(named).error().message.find("frame 2"), std::string::npos);
}

// A pose that is held and then left by one jump of `jump` degrees, followed by turns of `after` degrees each.
int calibration_frames(double jump, std::vector<double> after, int held = 3, double wobble = 0, double fps = 60) {
  const SkeletonPtr skeleton = Skeleton::create({{"a", kNoJoint, {}}, {"b", 0, {{0, 1, 0}}}}).value();
  const int frames = held + 1 + static_cast<int>(after.size());
  Motion motion = make_motion(skeleton, "start", fps, frames, false);
  double angle = 0;
  for (int f = 0; f < frames; ++f) {
    if (f > 0 && f < held) angle += wobble;
    if (f == held) angle += jump;
    if (f > held) angle += after[static_cast<std::size_t>(f - held - 1)];
    for (std::size_t j = 0; j < 2; ++j)
      motion.rotations[2 * static_cast<std::size_t>(f) + j] =
          from_rotation_vector(Vec3{0, static_cast<float>(angle * 3.14159265358979 / 180), 0});
  }
  return num_calibration_frames(motion);
}

TEST(CalibrationReference, AJumpOfFourDegreesSixTimesTheMedianAndTwiceTheLargest) {
  const std::vector<double> calm(8, 0.5);
  EXPECT_EQ(calibration_frames(4.2, calm), 3);
  EXPECT_EQ(calibration_frames(3.8, calm), 0) << "too small";
  EXPECT_EQ(calibration_frames(10, std::vector<double>(8, 1.6)), 3);
  EXPECT_EQ(calibration_frames(10, std::vector<double>(8, 1.7)), 0) << "not six times the median";
  EXPECT_EQ(calibration_frames(10, {0.5, 4.9, 0.5, 0.5, 0.5, 0.5}), 3);
  EXPECT_EQ(calibration_frames(10, {0.5, 5.1, 0.5, 0.5, 0.5, 0.5}), 0) << "not twice the largest";
  EXPECT_EQ(calibration_frames(10, {0.5, 0.5, 0.5, 0.5, 0.5, 9, 9}), 3) << "only the five after it count";
  EXPECT_EQ(calibration_frames(10, {1, 2, 1.5}), 3);
  EXPECT_EQ(calibration_frames(10, {1, 2, 1.7}), 0) << "the median of three";
  EXPECT_EQ(calibration_frames(10, calm, 4, 0.19), 4) << "still";
  EXPECT_EQ(calibration_frames(10, calm, 4, 0.21), 0) << "moving before the jump";
  // Looked at for half a second.
  EXPECT_EQ(calibration_frames(10, calm, 31), 31);
  EXPECT_EQ(calibration_frames(10, calm, 32), 0);
  EXPECT_EQ(calibration_frames(10, calm, 16, 0, 30), 16);
  EXPECT_EQ(calibration_frames(10, calm, 17, 0, 30), 0);
}

TEST(RemapReference, JointsBetweenAreUndoneAndComposed) {
  // Unmatched joints on both sides, each turned and moved; and hierarchies that disagree.
  const Quat tilt = from_rotation_vector(Vec3{0.3F, 0.2F, -0.4F});
  const SkeletonPtr from = Skeleton::create({{"Hips", kNoJoint, {{0, 1, 0}}},
                                             {"Extra", 0, {{0.1F, 0.2F, 0.3F}, tilt}},
                                             {"x:Arm", 1, {{0.4F, 0, 0}}},
                                             {"Hand", 2, {{0.5F, 0, 0}}},
                                             {"Lost", 0, {{0, 0, 1}}},
                                             {"Still", 0, {{0, 0, 2}}}})
                               .value();
  const SkeletonPtr to = Skeleton::create({{"World", kNoJoint, {{3, 0, 0}, tilt}},
                                           {"Hips", 0, {{0, 1, 0}}},
                                           {"y:Arm", 1, {{0.4F, 0, 0}}},
                                           {"Wrist", 2, {{0.2F, 0.1F, 0}, tilt}},
                                           {"Hand", 3, {{0.3F, 0, 0}}}})
                             .value();
  Motion motion = make_motion(from, "wave", 30, 6, true);
  motion.start_time_s = 1.5;
  for (std::size_t f = 0; f < 6; ++f) {
    for (std::size_t j = 0; j < 5; ++j) {
      const float t = 0.2F * static_cast<float>(f) + 0.7F * static_cast<float>(j);
      motion.rotations[6 * f + j] =
          from_rotation_vector(Vec3{std::sin(t), std::cos(2 * t), 0.3F}) * motion.rotations[6 * f + j];
    }
    motion.translations[6 * f] = {0.1F * static_cast<float>(f), 1, 0.2F};
    motion.translations[6 * f + 3] = {0.5F, 0.05F * static_cast<float>(f), 0};  // The hand slides.
  }
  RemapReport report;
  const Motion out = remap_by_name(motion, to, &report);
  EXPECT_EQ(report.num_matched, 3);
  EXPECT_EQ(report.unmatched_source, (std::vector<int>{1, 4})) << "those that move";
  EXPECT_EQ(out.start_time_s, 1.5);
  EXPECT_EQ(out.name, "wave");
  std::vector<Affine> a(6), b(5);
  for (int f = 0; f < 6; ++f) {
    compute_model_from_joint(*from, motion.frame(f), a);
    compute_model_from_joint(*to, out.frame(f), b);
    for (const auto& [s, t] : {std::pair{0U, 1U}, {2U, 2U}, {3U, 4U}}) {
      EXPECT_LT(apart(rotation_of(a[s]), rotation_of(b[t])), 1e-5F) << f << " " << s;
    }
    EXPECT_LT(distance(a[0].t, b[1].t), 1e-5F) << "hips move, so they are where they were";
    EXPECT_LT(distance(a[3].t - a[2].t, b[4].t - b[2].t), 1e-5F) << "the hand slides, seen from the arm";
    EXPECT_EQ(out.frame(f).translations[2], (Vec3{0.4F, 0, 0})) << "the arm keeps the target's bone";
  }
}

TEST(DeadBlendReference, ExtrapolatesByAFadingVelocityAndCrossFades) {
  Pose before = make_pose(*Skeleton::create({{"a", kNoJoint, {}}}).value()), shown = before, target = before;
  before.translations[0] = {0.9F, 0, 0};
  shown.translations[0] = {1, 0.02F, 0};
  shown.rotations[0] = from_rotation_vector(Vec3{0, 0.03F, 0});
  target.rotations[0] = from_rotation_vector(Vec3{0, 0.8F, 0});
  DeadBlend blend(1);
  blend.start({shown.view(), before.view(), target.view(), {}, 0.1F}, 0.4F, 0.2F);
  float time = 0;
  for (int i = 0; i < 6; ++i) {
    std::vector<Vec3> translations{{2, 3, 4}};
    std::vector<Quat> rotations{target.rotations[0]};
    const bool active = blend.active();
    EXPECT_EQ(active, time < 0.4F - 1e-6F);
    blend.apply(0.07F, translations, rotations);
    time += 0.07F;
    if (!active) continue;
    const float t = std::min(time / 0.4F, 1.0F), share = 3 * t * t - 2 * t * t * t;
    const float worth = 0.2F / std::log(2.0F) * (1 - std::exp2(-time / 0.2F));
    const Vec3 gone = Vec3{1, 0.02F, 0} + Vec3{1, 0.2F, 0} * worth;
    EXPECT_LT(distance(translations[0], gone + (Vec3{2, 3, 4} - gone) * share), 1e-4F) << i;
    const float angle = 0.03F + 0.3F * worth;
    EXPECT_LT(apart(rotations[0], from_rotation_vector(Vec3{0, angle + (0.8F - angle) * share, 0})), 1e-6F) << i;
  }
}

}  // namespace
}  // namespace zoe

// SPDX-License-Identifier: MIT
// Transitions, mirrors and compressed bytes by their definitions: what decays, what is exchanged, what is refused.
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "zoe/motion/compress.h"
#include "zoe/motion/inertialize.h"
#include "zoe/motion/mirror.h"

#include "motion/compressed/clip_header.h"
#include "motion/compressed/rows.h"
#include "motion/synthetic.h"

namespace zoe {
namespace {

// From x0 with speed v0 to rest at zero after t1, with the given acceleration at first: six conditions, one quintic.
double quintic(double x0, double v0, double a0, double t1, double t) {
  if (t >= t1) return 0;
  const double s = t / t1, v = v0 * t1, a = a0 * t1 * t1;
  // Hermite basis of degree five for the start's value, speed and acceleration.
  const double s3 = s * s * s, h0 = 1 - 10 * s3 + 15 * s3 * s - 6 * s3 * s * s,
               h1 = s - 6 * s3 + 8 * s3 * s - 3 * s3 * s * s,
               h2 = 0.5 * s * s - 1.5 * s3 + 1.5 * s3 * s - 0.5 * s3 * s * s;
  return x0 * h0 + v * h1 + a * h2;
}
double decayed(double x0, double v0, double duration, double t) {
  const double t1 = v0 < 0 ? std::min(duration, -5 * x0 / v0) : duration;
  if (!(t1 > 1e-6)) return 0;
  return quintic(x0, v0, std::max(0.0, (-8 * v0 * t1 - 20 * x0) / (t1 * t1)), t1, t);
}

TEST(QuinticReference, IsTheHermiteCurveOfItsStart) {
  for (const auto& [x0, v0, duration] : {std::tuple{1.0F, 0.0F, 0.5F},
                                         {0.3F, 2.0F, 0.4F},
                                         {0.3F, -2.0F, 0.4F},
                                         {0.3F, -9.0F, 0.4F},
                                         {0.0F, 1.0F, 0.2F},
                                         {2.0F, -0.5F, 3.0F}}) {
    const QuinticDecay decay(x0, v0, duration);
    for (int i = 0; i <= 40; ++i) {
      const float t = duration * static_cast<float>(i) / 38;
      EXPECT_NEAR(decay.at(t), decayed(x0, v0, duration, t), 2e-4 * (1 + x0)) << x0 << " " << v0 << " at " << t;
    }
    EXPECT_NEAR(decay.end_s(), v0 < 0 ? std::min(duration, -5 * x0 / v0) : duration, 1e-5F);
  }
  EXPECT_EQ(QuinticDecay(0, -1, 1).at(0), 0) << "nothing to decay";
}

TEST(InertializationReference, OffsetsDecayAlongTheirDirectionAndAboutTheirAxis) {
  const SkeletonPtr skeleton = Skeleton::create({{"a", kNoJoint, {}}, {"b", 0, {}}, {"c", 0, {}}}).value();
  Pose shown = make_pose(*skeleton), shown_before = shown, target = shown, target_before = shown;
  const float dt = 0.05F;
  // Offset along (3, 4, 0) / 5 that grows by 0.1 m a step; none, but one that begins to grow along z; a plain one.
  target.translations = {{1, 1, 1}, {2, 0, 0}, {0, 1, 0}};
  target_before.translations = {{0.9F, 1, 1}, {1.9F, 0, 0}, {0, 1, 0}};
  shown.translations = {{1.3F, 1.4F, 1}, {2, 0, 0}, {0.2F, 1, 0}};
  shown_before.translations = {{0.9F + 0.24F, 1.32F, 1}, {1.9F, 0, -0.03F}, {0.2F, 1, 0}};
  const auto about = [](float x, float y, float z) { return from_rotation_vector(Vec3{x, y, z}); };
  target.rotations = {about(0, 0.5F, 0), about(0.2F, 0, 0), about(0, 0, 0.3F)};
  target_before.rotations = {about(0, 0.4F, 0), about(0.2F, 0, 0), about(0, 0, 0.3F)};
  shown.rotations = {about(0, 0.9F, 0), about(0.2F, 0, 0), about(0, 0, -0.2F)};
  shown_before.rotations = {about(0, 0.75F, 0), about(0.15F, 0, 0), about(0, 0, -0.25F)};
  for (const bool standing : {false, true}) {
    Inertialization made(3);
    made.start({shown.view(), shown_before.view(), target.view(), standing ? PoseView{} : target_before.view(), dt},
               0.4F);
    const Pose& before = standing ? target : target_before;
    float time = 0;
    for (int i = 0; i < 12; ++i) {
      std::vector<Vec3> translations(3, Vec3{5, 6, 7});
      std::vector<Quat> rotations(3, about(0.1F, 0, 0));
      EXPECT_EQ(made.active(), time < 0.4F);
      made.apply(0.04F, translations, rotations);
      time += 0.04F;
      for (std::size_t j = 0; j < 3; ++j) {
        const Vec3 now = shown.translations[j] - target.translations[j],
                   last = shown_before.translations[j] - before.translations[j], change = now - last;
        const Vec3 direction = normalized(length(now) > 1e-7F ? now : change, {1, 0, 0});
        const double left = decayed(length(now), dot(change, direction) / dt, 0.4, time);
        EXPECT_LT(distance(translations[j], Vec3{5, 6, 7} + direction * static_cast<float>(left)), 2e-4F)
            << j << " " << i;
      }
      // About y: 0.4 rad, 0.35 a step before (or 0.25 from a target that stands).
      const double y = decayed(0.4, (0.4 - (standing ? 0.25 : 0.35)) / dt, 0.4, time);
      EXPECT_GT(std::abs(dot(rotations[0], about(0, static_cast<float>(y), 0) * about(0.1F, 0, 0))), 1 - 1e-5F) << i;
      // No offset, but one that comes: 0.05 rad a step about x.
      const double x = decayed(0, 0.05 / dt, 0.4, time);
      EXPECT_GT(std::abs(dot(rotations[1], about(static_cast<float>(x), 0, 0) * about(0.1F, 0, 0))), 1 - 1e-5F) << i;
      // -0.5 rad about z: 0.5 about -z, shrinking by 0.05 a step.
      const double z = decayed(0.5, -0.05 / dt, 0.4, time);
      EXPECT_GT(std::abs(dot(rotations[2], about(0, 0, -static_cast<float>(z)) * about(0.1F, 0, 0))), 1 - 1e-5F) << i;
    }
  }
}

// A trunk, two arms and a loose charm on the left one.
SkeletonPtr armed(Quat left, Quat right) {
  return Skeleton::create({{"trunk", kNoJoint, {{0, 1, 0}}},
                           {"left", 0, {{0.5F, 0, 0}, left}},
                           {"right", 0, {{-0.5F, 0, 0}, right}},
                           {"charm", 1, {{0.1F, 0, 0}}}})
      .value();
}

TEST(MirrorReference, ExchangesScalesWeightsAndDeparturesAndLeavesTheLoose) {
  const Quat quarter = from_rotation_vector(Vec3{0, 0, 1.5707963F});
  for (const Quat left : {Quat{}, quarter}) {
    // Where the left joint is turned a quarter about z, its x axis is the model's y.
    Motion motion = make_motion(armed(left, {}), "wave", 30, 3, true);
    motion.num_morph_weights = 3;
    for (std::size_t f = 0; f < 3; ++f) {
      const auto t = static_cast<float>(f);
      motion.translations[4 * f] = {0.3F, 1, t};
      motion.translations[4 * f + 2] = Vec3{-0.5F, 0, 0} + Vec3{0.01F, 0.02F * t, 0.03F};  // Off its bone.
      motion.scales[4 * f + 2] = {1.1F, 1.2F, 1.3F};
      motion.rotations[4 * f + 2] = from_rotation_vector(Vec3{0.1F * t, 0.2F, 0.3F});
      motion.rotations[4 * f + 3] = from_rotation_vector(Vec3{0, 0, 0.5F + t});
      for (const float w : {0.1F, 0.2F, 0.3F}) motion.morph_weights.push_back(w + t);
    }
    const MirrorMap map{.partners = {0, 2, 1, kNoJoint}, .plane_normal = {1, 0, 0}, .morph_partners = {1, 0, 2}};
    const auto done = mirror(motion, map);
    ASSERT_TRUE(done) << done.error().message;
    const bool turned = left.z > 0.1F;
    for (std::size_t f = 0; f < 3; ++f) {
      const auto t = static_cast<float>(f);
      EXPECT_LT(distance(done->translations[4 * f], {-0.3F, 1, t}), 1e-5F);
      // The right one's departure, reflected, from the left one's bone.
      EXPECT_LT(distance(done->translations[4 * f + 1], Vec3{0.5F, 0, 0} + Vec3{-0.01F, 0.02F * t, 0.03F}), 1e-5F) << f;
      EXPECT_LT(distance(done->scales[4 * f + 1], turned ? Vec3{1.2F, 1.1F, 1.3F} : Vec3{1.1F, 1.2F, 1.3F}), 1e-4F)
          << f;
      // A reflection in x keeps turns about x and reverses those about y and z.
      const Quat expected = from_rotation_vector(Vec3{0.1F * t, -0.2F, -0.3F}) * left;
      EXPECT_GT(std::abs(dot(done->rotations[4 * f + 1], expected)), 1 - 1e-5F) << f;
      EXPECT_EQ(done->rotations[4 * f + 3], motion.rotations[4 * f + 3]) << "no image: as it is";
      EXPECT_EQ(done->morph_weights[3 * f], motion.morph_weights[3 * f + 1]);
      EXPECT_EQ(done->morph_weights[3 * f + 1], motion.morph_weights[3 * f]);
      EXPECT_EQ(done->morph_weights[3 * f + 2], motion.morph_weights[3 * f + 2]);
    }
  }
}

TEST(MirrorReference, PlacesOffsetsAndFramesAreTheMaps) {
  Motion motion = make_motion(armed({}, {}), "m", 30, 1, false);
  motion.translations[2] = {-0.6F, 0.1F, 0.2F};
  MirrorMap map{.partners = {0, 2, 1, kNoJoint}};
  // As a place: all of it is reflected. As a bone of another offset: only what departs from that.
  map.are_places = {1, 1, 1, 0};
  EXPECT_LT(distance(mirror(motion, map)->translations[1], {0.6F, 0.1F, 0.2F}), 1e-6F);
  map.are_places = {1, 0, 0, 0};
  map.offsets = {{}, {0.4F, 0, 0}, {-0.7F, 0, 0}, {}};
  EXPECT_LT(distance(mirror(motion, map)->translations[1], {0.4F - 0.1F, 0.1F, 0.2F}), 1e-6F);
  map.offsets.clear();
  const Quat turn = from_rotation_vector(Vec3{0, 0, 0.5F});
  map.frames = {Quat{}, turn, conjugate(turn), Quat{}};
  motion.rotations[2] = from_rotation_vector(Vec3{0, 0.3F, 0});
  EXPECT_GT(std::abs(dot(mirror(motion, map)->rotations[1], from_rotation_vector(Vec3{0, -0.3F, 0}) * turn)),
            1 - 1e-6F);
  const auto refused = [&](const auto& change) {
    MirrorMap other{.partners = {0, 2, 1, kNoJoint}};
    change(other);
    return !validate(other, *motion.skeleton, 2).has_value();
  };
  EXPECT_FALSE(refused([](MirrorMap&) {}));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.partners.pop_back(); }));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.partners[3] = 4; }));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.partners[3] = -2; }));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.partners[1] = 1; }));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.frames.resize(3); }));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.are_places.resize(5); }));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.offsets.resize(3); }));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.plane_normal = {1.01F, 0, 0}; }));
  EXPECT_FALSE(refused([](MirrorMap& m) { m.plane_normal = {1.0005F, 0, 0}; }));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.partners = {kNoJoint, 2, 1, kNoJoint}; })) << "below one without image";
  EXPECT_TRUE(refused([](MirrorMap& m) {
    m.partners = {0, 1, 2, 3};
    m.partners[3] = 2;
    m.partners[2] = 3;
  })) << "another parent";
  EXPECT_FALSE(refused([](MirrorMap& m) { m.morph_partners = {1, 0}; }));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.morph_partners = {1, 0, 2}; }));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.morph_partners = {1, 1}; }));
  EXPECT_TRUE(refused([](MirrorMap& m) { m.morph_partners = {0, kNoJoint}; }));
}

struct Segments {
  std::vector<std::byte> bytes;
  SkeletonPtr skeleton;
  ClipHeader header;
  std::size_t table = 0;  // Of the segments' sizes.

  explicit Segments(const Motion& motion) : skeleton(motion.skeleton) {
    const CompressedMotion compressed = CompressedMotion::compress(motion).value();
    bytes.assign(compressed.bytes().begin(), compressed.bytes().end());
    header =
        read_header({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, *skeleton, &table).value();
  }
  std::uint32_t size(int segment) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + table + 4 * static_cast<std::size_t>(segment), 4);
    return value;
  }
  std::size_t start(int segment) const {
    std::size_t at = table + 4 * static_cast<std::size_t>(header.num_segments());
    for (int i = 0; i < segment; ++i) at += size(i);
    return at;
  }
  bool reads(const std::vector<std::byte>& changed) const {
    return CompressedMotion::from_bytes(changed, skeleton).has_value();
  }
  bool reads_with(std::size_t at, int value) const {
    std::vector<std::byte> changed = bytes;
    changed[at] = static_cast<std::byte>(value);
    return reads(changed);
  }
};

// Walks over every segment as its format says and breaks one rule at a time.
TEST(CompressedBytesReference, EveryRuleOfASegmentIsChecked) {
  const Segments made(
      test::random_motion({.num_joints = 10, .num_frames = 40, .seed = 6, .noise_rad = 1e-3, .num_morph_weights = 2}));
  ASSERT_TRUE(made.reads(made.bytes));
  const std::vector<LaneGroup> groups = lane_groups(made.header);
  int nibbles = 0;
  for (int segment = 0; segment < made.header.num_segments(); ++segment) {
    const std::size_t start = made.start(segment);
    const auto byte = [&](std::size_t at) { return static_cast<int>(made.bytes[at]); };
    const std::size_t rows = static_cast<std::size_t>(byte(start + 1) | byte(start + 2) << 8 | byte(start + 3) << 16);
    std::size_t head = start + 4, end = start + rows;
    for (const LaneGroup& group : groups) {
      const int num_rows = byte(head);
      EXPECT_FALSE(made.reads_with(head, made.header.segment_points(segment) + 1)) << "more rows than points";
      ++head;
      if (num_rows == 0) continue;
      EXPECT_FALSE(made.reads_with(head, kMaxRowWidth + 1)) << "too wide";
      end += row_bytes(group.lanes, byte(head));
      ++head;
      for (int k = 1; k < num_rows; ++k) {
        const int code = byte(head + static_cast<std::size_t>(k - 1) / 2) >> ((k - 1) % 2 * 4) & 15;
        end += row_bytes(group.lanes, kRowWidths[code]);
      }
      head += static_cast<std::size_t>(num_rows / 2);
      if (num_rows % 2 == 0) {
        ++nibbles;
        EXPECT_FALSE(made.reads_with(head - 1, byte(head - 1) | 16)) << "an unused nibble";
      }
    }
    EXPECT_EQ(head, start + rows) << "rows follow the widths";
    EXPECT_EQ(end, start + made.size(segment)) << "and fill the segment";
    EXPECT_FALSE(made.reads_with(start + 3, 1)) << "rows beyond the end";
    EXPECT_FALSE(made.reads_with(start + 1, (byte(start + 1) + 1) & 255)) << "one byte further";
    std::vector<std::byte> shorter = made.bytes;
    const std::uint32_t less = made.size(segment) - 1;
    std::memcpy(shorter.data() + made.table + 4 * static_cast<std::size_t>(segment), &less, 4);
    EXPECT_FALSE(made.reads(shorter));
  }
  EXPECT_GT(nibbles, 0);
  std::vector<std::byte> longer = made.bytes;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(made.reads(longer));
  longer.resize(made.bytes.size() - 1);
  EXPECT_FALSE(made.reads(longer));
  longer.resize(made.table + 3);
  EXPECT_FALSE(made.reads(longer)) << "ends inside its table";
}

// Samples of the compressed clip are samples of the decompressed one, also over the seam of a closed loop.
TEST(CompressedBytesReference, SamplesAreThoseOfTheDecompressedClip) {
  const Motion motion = test::random_motion({.num_joints = 6,
                                             .num_frames = 37,
                                             .seed = 8,
                                             .animated_translations = true,
                                             .scales = true,
                                             .num_morph_weights = 2});
  const CompressedMotion compressed = CompressedMotion::compress(motion).value();
  const Motion plain = compressed.decompress();
  Pose a = make_pose(*motion.skeleton), b = a;
  std::vector<float> wa(2), wb(2);
  for (const Wrap wrap : {Wrap::kClamp, Wrap::kLoop, Wrap::kLoopClosed}) {
    for (int i = -20; i < 60; ++i) {
      const double time_s = i / 60.0 + (i % 3 == 0 ? 0.25 / 60 : 0);
      CompressedSampleJob job{&compressed, time_s, wrap, a.translations, a.rotations, a.scales, wa};
      ASSERT_TRUE(job.run());
      ASSERT_TRUE((SampleJob{.motion = &plain,
                             .time_s = time_s,
                             .wrap = wrap,
                             .translations = b.translations,
                             .rotations = b.rotations,
                             .scales = b.scales,
                             .morph_weights = wb}
                       .run()));
      for (std::size_t j = 0; j < 6; ++j) {
        EXPECT_LT(distance(a.translations[j], b.translations[j]), 2e-3F) << i << " " << j;
        EXPECT_LT(distance(a.scales[j], b.scales[j]), 2e-3F) << i << " " << j;
        EXPECT_GT(std::abs(dot(a.rotations[j], b.rotations[j])), 1 - 1e-4F) << i << " " << j;
      }
      for (std::size_t w = 0; w < 2; ++w) EXPECT_NEAR(wa[w], wb[w], 5e-3F) << i;
    }
  }
  // Tracks that stand are written too, whatever was there.
  Motion still = make_motion(motion.skeleton, "still", 30, 5, true);
  still.num_morph_weights = 2;
  for (std::size_t i = 0; i < still.rotations.size(); ++i) {
    if (i % 6 == 2) still.rotations[i] = from_rotation_vector(Vec3{0.5F, 0, 0});
    if (i % 6 == 3) still.translations[i] = {7, 8, 9};
    if (i % 6 == 4) still.scales[i] = {2, 3, 4};
  }
  for (int f = 0; f < 5; ++f) still.morph_weights.insert(still.morph_weights.end(), {0.25F, 0.0F});
  const CompressedMotion standing = CompressedMotion::compress(still).value();
  a.translations.assign(6, Vec3{-1, -2, -3});
  a.rotations.assign(6, Quat{1, 0, 0, 0});
  a.scales.assign(6, Vec3{-5, -5, -5});
  wa = {9, 9};
  ASSERT_TRUE((CompressedSampleJob{&standing, 0.05, Wrap::kClamp, a.translations, a.rotations, a.scales, wa}.run()));
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_LT(distance(a.translations[j], still.translations[j]), 1e-5F) << j;
    EXPECT_GT(std::abs(dot(a.rotations[j], still.rotations[j])), 1 - 1e-6F) << j;
    EXPECT_LT(distance(a.scales[j], still.scales[j]), 1e-5F) << j;
  }
  EXPECT_NEAR(wa[0], 0.25F, 1e-5F);
  EXPECT_EQ(wa[1], 0);
  CompressedSampleJob job{&compressed, 0, Wrap::kClamp, a.translations, a.rotations, {}, {}};
  EXPECT_TRUE(job.run());
  job.morph_weights = std::span(wa).first(1);
  EXPECT_FALSE(job.run());
  job.morph_weights = {};
  job.scales = std::span(a.scales).first(3);
  EXPECT_FALSE(job.run());
  job.scales = {};
  job.rotations = std::span(a.rotations).first(5);
  EXPECT_FALSE(job.run());
  job.rotations = a.rotations;
  job.translations = std::span(a.translations).first(5);
  EXPECT_FALSE(job.validate());
  job.translations = a.translations;
  job.time_s = INFINITY;
  EXPECT_FALSE(job.run());
  job.time_s = 0;
  job.motion = nullptr;
  EXPECT_FALSE(job.run());
}

// Clips of four frames and one weight: any of them may be the worst.
TEST(CompressedBytesReference, TheWorstWeightIsFoundWhereverItIs) {
  const SkeletonPtr skeleton = Skeleton::create({{"a", kNoJoint, {}}}).value();
  int first_is_worst = 0;
  for (int i = 0; i < 60; ++i) {
    Motion motion = make_motion(skeleton, "face", 30, 4, false);
    motion.num_morph_weights = 1;
    for (int f = 0; f < 4; ++f)
      motion.morph_weights.push_back(0.5F + 0.5F * std::sin(1.7F * static_cast<float>(i * f + 3 * f * f + i)));
    CompressionReport report;
    const Motion back = CompressedMotion::compress(motion, {}, &report).value().decompress();
    double worst = 0, first = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const double error = std::abs(double{back.morph_weights[k]} - double{motion.morph_weights[k]});
      worst = std::max(worst, error);
      if (k == 0) first = error;
    }
    EXPECT_NEAR(report.worst_morph_error, worst, 1e-9) << i;
    first_is_worst += first == worst ? 1 : 0;
  }
  EXPECT_GT(first_is_worst, 3);
}

}  // namespace
}  // namespace zoe

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

TEST(CompressSearch, SensitivityIsTheSquaredDisplacementOfTheSkin) {
  // Scales of one: with scales no joint makes up for another.
  Motion motion = test::random_motion({.num_joints = 7, .num_frames = 12, .animated_translations = true});
  motion.scales.assign(motion.translations.size(), Vec3{1, 1, 1});
  const ClipHeader header = analyse_tracks(motion, 16, 1e-6, 1e-6);
  ASSERT_GT(header.rotations.size(), 4U);
  ASSERT_GT(header.scalars.size(), 2U);
  const std::vector<double> weights{1, 0.5, 2, 1, 0.1, 1, 3};
  constexpr double kShell = 0.05;
  const Sensitivity s = measure_sensitivity(motion, header, kShell, weights);
  for (std::size_t t = 0; t < header.rotations.size(); ++t) {
    const RotationTrack& track = header.rotations[t];
    if (track.num_lanes != 3) continue;
    const Quatd left = track.reference() * conjugate(track.axes()), right = track.axes();
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b <= a; ++b) {
        // Along e_a + e_b: m[a][a] + m[b][b] + 2 m[a][b]; along e_a alone where they are the same.
        Vec3d along;
        along[static_cast<std::size_t>(a)] = 1;
        along[static_cast<std::size_t>(b)] = 1;
        const double found = measured(motion, weights, kShell, [&](Motion& m, double step) {
          for (int frame = 0; frame < m.num_frames; ++frame) {
            Quat& q = m.rotations[static_cast<std::size_t>(frame * 7 + track.joint)];
            // A turn about the lane's axis, seen from the parent: a vector part v turns by 2 v.
            const Quatd turn = left * from_rotation_vector(along * (2 * step)) * conjugate(left);
            q = to_float(normalized(turn * to_double(q)));
          }
        });
        const double expected = a == b ? s.rotations[t].m[a][a]
                                       : s.rotations[t].m[a][a] + s.rotations[t].m[b][b] + 2 * s.rotations[t].m[a][b];
        EXPECT_NEAR(found, expected, 2e-3 * expected + 1e-6) << t << " " << a << " " << b;
        EXPECT_EQ(s.rotations[t].m[a][b], s.rotations[t].m[b][a]);
      }
    }
    (void)right;
  }
  for (std::size_t t = 0; t < header.scalars.size(); ++t) {
    const ScalarTrack& track = header.scalars[t];
    ASSERT_EQ(track.target, ScalarTarget::kTranslation);
    const double found = measured(motion, weights, kShell, [&](Motion& m, double step) {
      for (int frame = 0; frame < m.num_frames; ++frame) {
        m.translations[static_cast<std::size_t>(frame * 7) + track.index / 3][track.index % 3] +=
            static_cast<float>(step);
      }
    });
    EXPECT_NEAR(found, s.scalars[t], 2e-3 * s.scalars[t] + 1e-6) << t;
  }
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

TEST(CompressSearch, TracksAreStillUpToTheirTolerance) {
  const SkeletonPtr skeleton = Skeleton::create({{"a", kNoJoint, {{1, 2, 3}}}, {"b", 0, {{0, 1, 0}}}}).value();
  const auto kinds = [&](auto change) {
    Motion motion = make_motion(skeleton, "still", 30, 5, true);
    motion.num_morph_weights = 1;
    motion.morph_weights.assign(5, 0.0F);
    change(motion);
    return analyse_tracks(motion, 16, 0.01, 0.1);
  };
  const auto at = [](int frame, int joint) { return static_cast<std::size_t>(2 * frame + joint); };
  ClipHeader h = kinds([](Motion&) {});
  EXPECT_EQ(h.joints[1].rotation, TrackKind::kDefault);
  EXPECT_EQ(h.joints[1].translation, TrackKind::kDefault);
  EXPECT_EQ(h.joints[1].scale, TrackKind::kDefault);
  EXPECT_EQ(h.morphs[0], TrackKind::kDefault);
  EXPECT_TRUE(h.rotations.empty() && h.scalars.empty());
  EXPECT_EQ(h.constants.translations[0], (Vec3{1, 2, 3}));
  // A track that leaves the rest pose and stays there, and one that moves: just below and above the tolerance.
  for (const float size : {0.009F, 0.011F}) {
    const bool moves = size > 0.01F;
    h = kinds([&](Motion& m) {
      m.translations[at(2, 0)].y += size;
      m.scales[at(3, 1)].z += size;
      m.rotations[at(1, 1)] = from_axis_angle(Vec3{1, 0, 0}, size);
      m.morph_weights[4] = 10 * size;
    });
    EXPECT_EQ(h.joints[0].translation, moves ? TrackKind::kAnimated : TrackKind::kDefault);
    EXPECT_EQ(h.joints[1].scale, moves ? TrackKind::kAnimated : TrackKind::kDefault);
    EXPECT_EQ(h.joints[1].rotation, moves ? TrackKind::kAnimated : TrackKind::kDefault);
    EXPECT_EQ(h.morphs[0], moves ? TrackKind::kAnimated : TrackKind::kDefault);
    EXPECT_EQ(h.scalars.size(), moves ? 7U : 0U);
  }
  h = kinds([&](Motion& m) {
    for (int f = 0; f < 5; ++f) {
      m.translations[at(f, 1)] = {5, 6 + (f == 1 ? 0.008F : 0.0F), 7};
      m.scales[at(f, 0)] = {2, 2, 2};
      m.rotations[at(f, 0)] = from_axis_angle(Vec3{0, 1, 0}, 1.0F);
    }
    m.morph_weights.assign(5, 0.5F);
  });
  EXPECT_EQ(h.joints[1].translation, TrackKind::kConstant);
  EXPECT_LT(distance(h.constants.translations[1], {5, 6.004F, 7}), 1e-5F);
  EXPECT_EQ(h.joints[0].scale, TrackKind::kConstant);
  EXPECT_EQ(h.constants.scales[0], (Vec3{2, 2, 2}));
  EXPECT_EQ(h.joints[0].rotation, TrackKind::kConstant);
  EXPECT_LT(angle_between(h.constants.rotations[0], from_axis_angle(Vec3{0, 1, 0}, 1.0F)), 1e-4F);
  EXPECT_EQ(h.morphs[0], TrackKind::kConstant);
  EXPECT_EQ(h.morph_constants[0], 0.5F);
}

// Turns of more than acos(0.35) × 2 from the mean need four lanes.
TEST(CompressSearch, WideTurnsTakeFourLanes) {
  const SkeletonPtr skeleton = Skeleton::create({{"a", kNoJoint, {}}}).value();
  const float border = 2 * std::acos(0.35F);
  for (const float turn : {border - 0.03F, border + 0.03F}) {
    Motion motion = make_motion(skeleton, "turn", 30, 9, false);
    for (std::size_t f = 0; f < 9; ++f) {
      motion.rotations[f] = from_axis_angle(Vec3{0, 1, 0}, turn * (static_cast<float>(f) / 4 - 1));
    }
    const ClipHeader h = analyse_tracks(motion, 16, 1e-6, 1e-6);
    ASSERT_EQ(h.rotations.size(), 1U);
    EXPECT_EQ(h.rotations[0].num_lanes, turn > border ? 4 : 3);
    EXPECT_EQ(h.joints[0].rotation, turn > border ? TrackKind::kAnimatedWide : TrackKind::kAnimated);
    EXPECT_LT(angle_between(h.rotations[0].reference(), Quatd{}), 1e-3) << "the mean";
  }
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

// Sizes of today, within half a per cent: what the search is for. Smaller is better; then write the new one down.
TEST(CompressSearch, SizesHold) {
  struct Row {
    test::SyntheticOptions motion;
    CompressionOptions options;
  };
  const Row rows[] = {
      {{.num_joints = 22, .num_frames = 300, .seed = 2, .noise_rad = 2e-4}, {}},
      {{.num_joints = 15, .num_frames = 120, .seed = 3}, {.max_error_mm = 0.5}},
      {{.num_joints = 12, .num_frames = 200, .seed = 4, .animated_translations = true}, {.segment_frames = 16}},
      {{.num_joints = 9, .num_frames = 150, .seed = 5, .scales = true, .num_morph_weights = 6}, {}},
      {{.num_joints = 18, .num_frames = 700, .fps = 120, .seed = 6, .noise_rad = 1e-3}, {.shell_distance_m = 0.3}},
  };
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  std::ifstream written(std::filesystem::path(source != nullptr ? source : ".") / "tests/motion/compressed_sizes.txt");
  ASSERT_TRUE(written) << "tests/motion/compressed_sizes.txt; set ZOE_SOURCE_DIR";
  for (const Row& row : rows) {
    double bytes = 0;
    ASSERT_TRUE(written >> bytes);
    CompressionReport report;
    ASSERT_TRUE(CompressedMotion::compress(test::random_motion(row.motion), row.options, &report));
    EXPECT_NEAR(static_cast<double>(report.compressed_bytes), bytes, 0.005 * bytes) << row.motion.seed;
    EXPECT_LE(report.worst_error_mm, row.options.max_error_mm);
  }
}

}  // namespace
}  // namespace zoe

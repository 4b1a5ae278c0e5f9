// SPDX-License-Identifier: MIT
// The parts of the encoder against their definitions: polynomials, lanes, kinds of tracks, how much each lane counts,
// what the report says; and how small the results are.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/motion/compress.h"

#include "motion/compressed/analyse.h"
#include "motion/compressed/basis.h"
#include "motion/compressed/lanes.h"
#include "motion/compressed/segment_coder.h"
#include "motion/compressed/sensitivity.h"
#include "motion/compressed/step_search.h"
#include "motion/synthetic.h"

namespace zoe {
namespace {

TEST(BasisReference, IsOrthonormalAndOfRisingDegree) {
  for (const int n : {1, 2, 5, 17, 33}) {
    const std::vector<double> values = orthonormal_polynomials(n);
    const auto at = [&](int p, int k) { return values[static_cast<std::size_t>(p * n + k)]; };
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k <= i; ++k) {
        double sum = 0;
        for (int p = 0; p < n; ++p) sum += at(p, i) * at(p, k);
        EXPECT_NEAR(sum, i == k ? 1 : 0, 1e-12) << n << ": " << i << " " << k;
      }
    }
    for (int p = 0; p < n; ++p) EXPECT_NEAR(at(p, 0), 1 / std::sqrt(n), 1e-12);
    if (n < 5) continue;
    for (int p = 0; p < n; ++p) {  // A line, then a parabola.
      EXPECT_NEAR(at(p, 1) - at(0, 1), p * (at(1, 1) - at(0, 1)), 1e-12) << p;
      if (p < 3) continue;
      EXPECT_NEAR(at(p, 2) - 3 * at(p - 1, 2) + 3 * at(p - 2, 2) - at(p - 3, 2), 0, 1e-12) << p;
    }
    EXPECT_GT(at(n - 1, 1), 0);
    EXPECT_GT(at(n - 1, 2), 0);
  }
}

Motion mixed_motion() {
  return test::random_motion({.num_joints = 9,
                              .num_frames = 45,
                              .seed = 3,
                              .noise_rad = 1e-3,
                              .animated_translations = true,
                              .scales = true,
                              .num_morph_weights = 2});
}

// Coefficients times polynomials give back the tracks: rotations from their reference, numbers from their base.
TEST(LanesReference, GiveBackTheirTracks) {
  const Motion motion = mixed_motion();
  const ClipHeader header = analyse_tracks(motion, 16, 1e-6, 1e-6);
  Lanes lanes(motion, header);
  const auto n = static_cast<std::size_t>(motion.num_joints());
  const auto restored = [&](int lane, int segment, int point) {
    const auto c = lanes.coefficients(lane, segment);
    const auto basis = lanes.basis(segment);
    double sum = 0;
    for (std::size_t k = 0; k < c.size(); ++k) sum += c[k] * basis[static_cast<std::size_t>(point) * c.size() + k];
    return sum;
  };
  ASSERT_EQ(header.num_segments(), 3);
  EXPECT_EQ(lanes.points(0), 17);
  EXPECT_EQ(lanes.points(2), 13);
  const Quatd axes = from_rotation_vector(Vec3d{0.3, -0.5, 0.2});
  for (const bool turned : {false, true}) {
    if (turned) lanes.turn_axes(0, axes);
    for (int segment = 0; segment < 3; ++segment) {
      for (int p = 0; p < lanes.points(segment); ++p) {
        const auto frame = static_cast<std::size_t>(16 * segment + p);
        for (std::size_t t = 0; t < header.rotations.size(); ++t) {
          const RotationTrack& track = header.rotations[t];
          if (track.num_lanes != 3) continue;
          const Quatd q =
              canonical(conjugate(track.reference()) *
                        normalized(to_double(motion.rotations[frame * n + static_cast<std::size_t>(track.joint)])));
          Vec3d v{q.x, q.y, q.z};
          if (turned && t == 0) v = rotate(axes, v);
          const int lane = lanes.first_rotation_lane(t);
          for (std::size_t k = 0; k < 3; ++k)
            ASSERT_NEAR(restored(lane + static_cast<int>(k), segment, p), v[k], 1e-9) << t << " " << frame;
        }
        for (std::size_t t = 0; t < header.scalars.size(); ++t) {
          const ScalarTrack& track = header.scalars[t];
          double value = 0;
          if (track.target == ScalarTarget::kMorph) {
            value = motion.morph_weights[frame * 2 + track.index];
          } else {
            const auto& array = track.target == ScalarTarget::kScale ? motion.scales : motion.translations;
            value = array[frame * n + track.index / 3][track.index % 3];
          }
          ASSERT_NEAR(restored(lanes.scalar_lane(t), segment, p), value - track.base, 1e-9) << t << " " << frame;
        }
      }
    }
  }
}

// One joint of a kind each, by its rule: within the tolerance of the rest pose, of one value, or neither.
TEST(AnalyseReference, TracksAreDefaultConstantOrAnimatedAtTheirTolerance) {
  std::vector<JointDesc> joints;
  for (int j = 0; j < 8; ++j)
    joints.push_back(
        {"j" + std::to_string(j), j == 0 ? kNoJoint : 0, {{1, 2, 3}, from_rotation_vector(Vec3{0, 0.5F, 0})}});
  Motion motion = make_motion(Skeleton::create(joints).value(), "kinds", 30, 20, true);
  motion.start_time_s = 2.5;
  motion.num_morph_weights = 4;
  const Quat rest = from_rotation_vector(Vec3{0, 0.5F, 0});
  for (std::size_t f = 0; f < 20; ++f) {
    const float wave = f % 2 == 0 ? 1.0F : -1.0F, far = 0.3F * static_cast<float>(f);
    Vec3* t = &motion.translations[8 * f];
    Quat* q = &motion.rotations[8 * f];
    Vec3* s = &motion.scales[8 * f];
    t[1].x = 1 + 0.0009F * wave;     // Within a millimetre of rest.
    t[2].y = 2.5F + 0.0004F * wave;  // Away from rest, within a millimetre of itself.
    t[3].z = 3 + 0.0011F * wave;     // Neither.
    q[1] = from_rotation_vector(Vec3{0.0009F * wave, 0, 0}) * rest;
    q[2] = from_rotation_vector(Vec3{0.5F + 0.0009F * wave, 0, 0}) * rest;
    q[3] = from_rotation_vector(Vec3{0.0012F * wave, 0, 0}) * rest;
    q[4] = from_rotation_vector(Vec3{far, 0, 0}) * rest;  // Round and round: far from any mean.
    s[5] = {1.0009F, 1, 1};
    s[6] = {1.5F, 1, 0.5F};
    s[7] = {1, 1 + 0.002F * wave, 1};
    for (const float w : {0.0009F, 0.5F, 0.5F + 0.0006F * wave, 0.5F + 0.0004F * wave})
      motion.morph_weights.push_back(w);
  }
  make_continuous(motion);
  const ClipHeader header = analyse_tracks(motion, 12, 1e-3, 1e-3);
  EXPECT_EQ(header.name, "kinds");
  EXPECT_EQ(header.fps, 30);
  EXPECT_EQ(header.start_time_s, 2.5);
  EXPECT_EQ(header.num_frames, 20);
  EXPECT_EQ(header.num_joints, 8);
  EXPECT_EQ(header.num_morph_weights, 4);
  EXPECT_EQ(header.segment_frames, 12);
  EXPECT_TRUE(header.has_scales);
  using K = TrackKind;
  const K rotations[8] = {K::kDefault,      K::kDefault, K::kConstant, K::kAnimated,
                          K::kAnimatedWide, K::kDefault, K::kDefault,  K::kDefault};
  const K translations[8] = {K::kDefault, K::kDefault, K::kConstant, K::kAnimated,
                             K::kDefault, K::kDefault, K::kDefault,  K::kDefault};
  const K scales[8] = {K::kDefault, K::kDefault, K::kDefault,  K::kDefault,
                       K::kDefault, K::kDefault, K::kConstant, K::kAnimated};
  for (std::size_t j = 0; j < 8; ++j) {
    EXPECT_EQ(header.joints[j].rotation, rotations[j]) << j;
    EXPECT_EQ(header.joints[j].translation, translations[j]) << j;
    EXPECT_EQ(header.joints[j].scale, scales[j]) << j;
  }
  EXPECT_NEAR(header.constants.translations[2].y, 2.5F, 1e-5F);
  EXPECT_EQ(header.constants.translations[1], (Vec3{1, 2, 3})) << "at rest";
  EXPECT_EQ(header.constants.scales[5], (Vec3{1, 1, 1}));
  EXPECT_EQ(header.constants.scales[6], (Vec3{1.5F, 1, 0.5F}));
  EXPECT_GT(std::abs(dot(header.constants.rotations[2], from_rotation_vector(Vec3{0.5F, 0, 0}) * rest)), 0.999999F);
  ASSERT_EQ(header.rotations.size(), 2U);
  EXPECT_EQ(header.rotations[0].joint, 3);
  EXPECT_EQ(header.rotations[0].num_lanes, 3);
  EXPECT_GT(std::abs(dot(header.rotations[0].reference(), to_double(rest))), 0.999999);
  EXPECT_EQ(header.rotations[1].joint, 4);
  EXPECT_EQ(header.rotations[1].num_lanes, 4) << "wide ones last";
  // Three numbers of the translation, three of the scale, then the weights that move; from the middle of their range.
  ASSERT_EQ(header.scalars.size(), 7U);
  for (std::uint32_t k = 0; k < 3; ++k) {
    EXPECT_EQ(header.scalars[k].target, ScalarTarget::kTranslation);
    EXPECT_EQ(header.scalars[k].index, 9 + k);
    EXPECT_NEAR(header.scalars[k].base, 1 + static_cast<float>(k), 1e-5F);
    EXPECT_EQ(header.scalars[3 + k].target, ScalarTarget::kScale);
    EXPECT_EQ(header.scalars[3 + k].index, 21 + k);
    EXPECT_NEAR(header.scalars[3 + k].base, 1, 1e-5F);
  }
  EXPECT_EQ(header.scalars[6].target, ScalarTarget::kMorph);
  EXPECT_EQ(header.scalars[6].index, 2U);
  EXPECT_NEAR(header.scalars[6].base, 0.5F, 1e-6F);
  EXPECT_EQ(header.morphs, (std::vector<K>{K::kDefault, K::kConstant, K::kAnimated, K::kConstant}));
  EXPECT_NEAR(header.morph_constants[3], 0.5F, 1e-6F);
  EXPECT_EQ(header.morph_constants[0], 0);
}

std::vector<Affined> models_of(const Motion& motion, int frame) {
  std::vector<Affined> models;
  const PoseView pose = motion.frame(frame);
  for (int joint = 0; joint < motion.num_joints(); ++joint) {
    const int parent = motion.skeleton->parent(joint);
    const Affined local = to_affine(to_double(pose.joint(joint)));
    models.push_back(parent == kNoJoint ? local : models[static_cast<std::size_t>(parent)] * local);
  }
  return models;
}

// Weighted squares of how far joints move by a small change of one lane, over the square of the change.
double moved(const Motion& motion, std::span<const double> weights, const auto& change) {
  constexpr double kStep = 1e-3;
  Motion ahead = motion, behind = motion;
  change(ahead, kStep);
  change(behind, -kStep);
  double sum = 0;
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    const auto a = models_of(ahead, frame), b = models_of(behind, frame);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Vec3d d = (a[i].t - b[i].t) / (2 * kStep);
      sum += weights[i] * dot(d, d);
    }
  }
  return sum / motion.num_frames;
}

TEST(SensitivityReference, IsHowFarJointsMove) {
  // Scales: joints do not make up for those above them. Small ones, so that lanes are small turns of the reference.
  Motion motion = test::random_motion(
      {.num_joints = 7, .num_frames = 6, .seed = 5, .swing_rad = 0.01, .animated_translations = true, .scales = true});
  for (Vec3& s : motion.scales) s = Vec3{1, 1, 1} + (s - Vec3{1, 1, 1}) * 0.01F;
  const ClipHeader header = analyse_tracks(motion, 16, 1e-7, 1e-7);
  const std::vector<double> weights{0.5, 1, 2, 0.25, 1.5, 0.75, 3};
  const Sensitivity found = measure_sensitivity(motion, header, 0, weights);
  const auto n = static_cast<std::size_t>(motion.num_joints());
  ASSERT_EQ(found.rotations.size(), 7U);
  for (std::size_t t = 0; t < header.rotations.size(); ++t) {
    const RotationTrack& track = header.rotations[t];
    const Quatd left = track.reference() * conjugate(track.axes());
    // A lane turns by twice its change.
    const auto along = [&](Vec3d axis) {
      return moved(motion, weights, [&](Motion& m, double step) {
        const Quatd turn = from_rotation_vector(rotate(left, axis) * (2 * step));
        for (std::size_t f = 0; f < static_cast<std::size_t>(m.num_frames); ++f) {
          Quat& q = m.rotations[f * n + static_cast<std::size_t>(track.joint)];
          q = to_float(turn * to_double(q));
        }
      });
    };
    const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double plain[3];
    for (std::size_t a = 0; a < 3; ++a) {
      plain[a] = along(axes[a]);
      EXPECT_NEAR(found.rotations[t].m[a][a], plain[a], 0.03 * plain[a] + 1e-3) << t << " " << a;
    }
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const double both = (along(axes[a] + axes[b]) - plain[a] - plain[b]) / 2;
        EXPECT_NEAR(found.rotations[t].m[a][b], both, 0.03 * (plain[a] + plain[b]) + 1e-3) << t << " " << a << b;
        EXPECT_NEAR(found.rotations[t].m[a][b], found.rotations[t].m[b][a], 1e-9);
      }
    }
  }
  for (std::size_t t = 0; t < header.scalars.size(); ++t) {
    const ScalarTrack& track = header.scalars[t];
    const double expected = moved(motion, weights, [&](Motion& m, double step) {
      auto& array = track.target == ScalarTarget::kScale ? m.scales : m.translations;
      for (std::size_t f = 0; f < static_cast<std::size_t>(m.num_frames); ++f)
        array[f * n + track.index / 3][track.index % 3] += static_cast<float>(step);
    });
    EXPECT_NEAR(found.scalars[t], expected, 0.03 * expected + 1e-3) << t;
  }
  // The skin: two thirds of its square for turns, a third for scales, nothing for translations.
  const Sensitivity skin = measure_sensitivity(motion, header, 0.5, weights);
  const auto mass_below = [&](std::size_t joint) {
    double mass = 0;
    for (std::size_t j = 0; j < n; ++j) {
      int at = static_cast<int>(j);
      while (at != kNoJoint && at != static_cast<int>(joint)) at = motion.skeleton->parent(at);
      if (at != kNoJoint) mass += weights[j];
    }
    return mass;
  };
  for (std::size_t t = 0; t < header.rotations.size(); ++t) {
    const double more = 4 * mass_below(static_cast<std::size_t>(header.rotations[t].joint)) * 0.25 * 2 / 3;
    for (std::size_t a = 0; a < 3; ++a)
      EXPECT_NEAR(skin.rotations[t].m[a][a] - found.rotations[t].m[a][a], more, 0.03 * more) << t;
  }
  for (std::size_t t = 0; t < header.scalars.size(); ++t) {
    const ScalarTrack& track = header.scalars[t];
    const double more = track.target == ScalarTarget::kScale ? mass_below(track.index / 3) * 0.25 / 3 : 0;
    EXPECT_NEAR(skin.scalars[t] - found.scalars[t], more, 0.03 * more + 1e-6) << t;
  }
}

TEST(SensitivityReference, AxesDiagonaliseASymmetricMatrix) {
  const Quatd turn = from_rotation_vector(Vec3d{0.4, -0.8, 0.3});
  const double values[3] = {5, 0.5, 2};
  Matrix3 matrix;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3d axis = rotate(turn, Vec3d{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0});
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) matrix.m[a][b] += values[k] * axis[a] * axis[b];
  }
  const auto axes = diagonalising_axes(matrix);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      double between = 0;
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) between += axes[i][a] * matrix.m[a][b] * axes[k][b];
      EXPECT_NEAR(i != k ? between : 0, 0, 1e-9);
      EXPECT_NEAR(dot(axes[i], axes[k]), i == k ? 1 : 0, 1e-9);
    }
  }
}

// A segment takes the bytes that it says, and its error is what it says.
TEST(SegmentReference, SizesAndErrorsAreTheirOwn) {
  for (const bool scales : {false, true}) {
    const Motion motion = test::random_motion({.num_joints = 10, .num_frames = 40, .seed = 2, .scales = scales});
    const CompressionOptions options;
    ClipHeader header = analyse_tracks(motion, 16, 1e-6, 1e-6);
    Lanes lanes(motion, header);
    search_steps(motion, options, header, lanes);
    SegmentCoder coder(motion, header, lanes, options);
    std::vector<std::uint8_t> bytes;
    double before = 0;
    for (int segment = 0; segment < header.num_segments(); ++segment) {
      coder.select(segment);
      std::size_t last_size = 1 << 20;
      double last_error = 0;
      // An octave coarser: smaller and worse.
      for (const int code : {96, 112, 128, 144, 160}) {
        const double error = coder.round_with(static_cast<std::uint8_t>(code));
        EXPECT_GT(error, last_error) << code;
        EXPECT_LT(coder.size(), last_size) << code;
        last_error = error;
        last_size = coder.size();
        double worst = 0;
        for (const double e : coder.joint_errors()) worst = std::max(worst, e);
        EXPECT_NEAR(worst * 1000 / options.max_error_mm, error, 1e-9) << "a multiple of what is allowed";
        bytes.clear();
        coder.append_to(bytes);
        EXPECT_EQ(bytes.size(), coder.size());
        EXPECT_EQ(bytes[0], code);
      }
      before = last_error;
    }
    EXPECT_GT(before, 0);
  }
}

TEST(CompressReference, TheReportIsWhatComesBack) {
  for (const bool scales : {false, true}) {
    const Motion motion = test::random_motion(
        {.num_joints = 8, .num_frames = 50, .seed = 4, .noise_rad = 2e-3, .scales = scales, .num_morph_weights = 2});
    CompressionReport report;
    const CompressionOptions options{.max_error_mm = 0.5, .shell_distance_m = 0.1};
    const CompressedMotion compressed = CompressedMotion::compress(motion, options, &report).value();
    const Motion back = compressed.decompress();
    double worst = 0, sum = 0, morph = 0;
    for (int f = 0; f < 50; ++f) {
      const auto a = models_of(motion, f), b = models_of(back, f);
      for (std::size_t j = 0; j < a.size(); ++j) {
        double largest = 0;
        for (const Vec3d d :
             {a[j].t + a[j].x * 0.1 - b[j].t - b[j].x * 0.1, a[j].t + a[j].y * 0.1 - b[j].t - b[j].y * 0.1,
              a[j].t + a[j].z * 0.1 - b[j].t - b[j].z * 0.1}) {
          largest = std::max(largest, 1000 * length(d));
        }
        worst = std::max(worst, largest);
        sum += largest;
      }
    }
    for (std::size_t i = 0; i < motion.morph_weights.size(); ++i)
      morph = std::max(morph, std::abs(double{back.morph_weights[i]} - double{motion.morph_weights[i]}));
    EXPECT_NEAR(report.worst_error_mm, worst, 2e-3);
    EXPECT_NEAR(report.mean_error_mm, sum / (50 * 8), 2e-3);
    EXPECT_NEAR(report.worst_morph_error, morph, 1e-9);
    EXPECT_LE(report.worst_error_mm, 0.5);
    EXPECT_GT(report.worst_error_mm, 0.47) << "the bound is used";
    EXPECT_EQ(report.raw_bytes, 50U * (8 * 40 + 2 * 4));
    EXPECT_EQ(report.compressed_bytes, compressed.bytes().size());
    EXPECT_NEAR(report.ratio, double(report.raw_bytes) / double(report.compressed_bytes), 1e-12);
    EXPECT_EQ(report.segment_frames, 16);
  }
}

// q and -q are one rotation: the same bytes.
TEST(CompressReference, SignsOfRotationsDoNotMatter) {
  for (const double swing : {0.8, 6.0}) {
    const Motion motion = test::random_motion({.num_joints = 7, .num_frames = 60, .seed = 21, .swing_rad = swing});
    Motion flipped = motion;
    for (std::size_t i = 0; i < flipped.rotations.size(); ++i) {
      Quat& q = flipped.rotations[i];
      if (i % 3 == 0 || i % 7 < 3) q = {-q.x, -q.y, -q.z, -q.w};
    }
    const CompressedMotion a = CompressedMotion::compress(motion).value(),
                           b = CompressedMotion::compress(flipped).value();
    EXPECT_EQ(a.bytes().size(), b.bytes().size()) << swing;
    EXPECT_LT(test::worst_position_difference(a.decompress(), b.decompress()), 1e-4) << swing;
    EXPECT_LT(test::worst_position_difference(motion, b.decompress()), 2e-4) << swing;
  }
}

// How good the search is. Larger is worse. Smaller is better: then write the new sizes down.
TEST(CompressReference, ResultsAreAsSmallAsTheyWere) {
  struct Case {
    const char* what;
    test::SyntheticOptions motion;
    CompressionOptions options;
    double bytes;
  };
  const Case cases[] = {
      {"noise", {.num_joints = 12, .num_frames = 90, .seed = 11, .noise_rad = 2e-3}, {}, 3421},
      {"smooth", {.num_joints = 14, .num_frames = 120, .seed = 12}, {}, 3393},
      {"coarse", {.num_joints = 12, .num_frames = 90, .seed = 13, .noise_rad = 5e-3}, {.max_error_mm = 1}, 2411},
      {"far skin", {.num_joints = 12, .num_frames = 90, .seed = 14}, {.shell_distance_m = 0.3}, 2519},
      {"scales",
       {.num_joints = 10, .num_frames = 80, .seed = 15, .animated_translations = true, .scales = true},
       {},
       3605},
      {"wide turns and weights",
       {.num_joints = 8, .num_frames = 90, .seed = 16, .swing_rad = 6, .num_morph_weights = 3},
       {},
       4353},
      {"any length", {.num_joints = 8, .num_frames = 100, .seed = 17}, {.segment_frames = 0}, 1518},
  };
  for (const Case& one : cases) {
    CompressionReport report;
    const auto made = CompressedMotion::compress(test::random_motion(one.motion), one.options, &report);
    ASSERT_TRUE(made) << one.what << ": " << made.error().format();
    EXPECT_NEAR(static_cast<double>(report.compressed_bytes) / one.bytes, 1, 0.003)
        << one.what << ": " << report.compressed_bytes << " bytes";
  }
}

}  // namespace
}  // namespace zoe

// SPDX-License-Identifier: MIT
// Derivatives, loops, joint limits and bone lengths against plain sums over all frames.
#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/motion/derivatives.h"
#include "zoe/motion/joint_tracks.h"
#include "zoe/motion/loop.h"
#include "zoe/motion/statistics.h"

#include "motion/synthetic.h"

namespace zoe {
namespace {

Motion one_joint(int frames, double fps, auto position) {
  Motion motion = make_motion(Skeleton::create({{"a", kNoJoint, {}}}).value(), "one", fps, frames, false);
  for (int f = 0; f < frames; ++f) motion.translations[static_cast<std::size_t>(f)] = to_float(position(f / fps));
  return motion;
}

// A polynomial of the fitted degree has its own derivatives, at every frame and in every window.
TEST(DerivativesReference, PolynomialsAreExact) {
  for (const auto& [window, degree] : {std::pair{3, 2}, {5, 2}, {5, 3}, {5, 4}, {9, 2}, {9, 4}, {21, 3}}) {
    const double cubic = degree >= 3 ? 0.7 : 0, quartic = degree >= 4 ? -0.3 : 0;
    const auto position = [&](double t) {
      return Vec3d{1 + 2 * t - 3 * t * t, 0.5 * t + cubic * t * t * t, 4 * t * t + quartic * t * t * t * t};
    };
    const Motion motion = one_joint(25, 20, position);
    const MotionDerivatives d = differentiate(motion, {.window = window, .degree = degree}).value();
    for (int f = 0; f < 25; ++f) {
      const double t = f / 20.0;
      const Vec3d v{2 - 6 * t, 0.5 + 3 * cubic * t * t, 8 * t + 4 * quartic * t * t * t};
      const Vec3d a{-6, 6 * cubic * t, 8 + 12 * quartic * t * t};
      const auto i = static_cast<std::size_t>(f);
      EXPECT_LT(distance(to_double(d.linear_velocity[i]), v), 1e-3) << window << " " << degree << " frame " << f;
      EXPECT_LT(distance(to_double(d.linear_acceleration[i]), a), 0.05) << window << " " << degree << " frame " << f;
    }
  }
}

TEST(DerivativesReference, WindowsShrinkToShortClipsAndOptionsHaveBorders) {
  const auto square = [](double t) { return Vec3d{t * t, 0, 0}; };
  const MotionDerivatives three = differentiate(one_joint(3, 10, square), {.window = 9, .degree = 4}).value();
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_NEAR(three.linear_velocity[f].x, 0.2F * static_cast<float>(f), 1e-4F);
    EXPECT_NEAR(three.linear_acceleration[f].x, 2, 1e-3F);
  }
  const Motion motion = one_joint(9, 10, square);
  EXPECT_TRUE(differentiate(motion, {.window = 3, .degree = 2}));
  EXPECT_TRUE(differentiate(motion, {.window = 5, .degree = 4}));
  EXPECT_FALSE(differentiate(motion, {.window = 1, .degree = 2}));
  EXPECT_FALSE(differentiate(motion, {.window = 5, .degree = 1}));
  EXPECT_FALSE(differentiate(motion, {.window = 5, .degree = 5}));
  EXPECT_FALSE(differentiate(motion, {.window = 6, .degree = 2}));
}

// Model positions with scales: a joint's place is its parent's affine map.
TEST(DerivativesReference, ModelSpaceFollowsScaledParents) {
  Motion motion =
      test::random_motion({.num_joints = 5, .num_frames = 30, .animated_translations = true, .scales = true});
  const MotionDerivatives d = differentiate(motion).value();
  std::vector<int> joints{0, 1, 2, 3, 4};
  const std::vector<Vec3> positions = model_positions(motion, joints);
  for (std::size_t f = 1; f + 1 < 30; ++f) {
    for (std::size_t j = 0; j < 5; ++j) {
      const Vec3 slope = (positions[(f + 1) * 5 + j] - positions[(f - 1) * 5 + j]) * static_cast<float>(motion.fps / 2);
      EXPECT_LT(distance(d.linear_velocity[f * 5 + j], slope), 2e-3F) << f << " " << j;
    }
  }
}

struct Pair {
  int begin, end;
  float distance;
};

// All pairs, by their definition; then the best, and those that are apart from better ones.
std::vector<Pair> reference_loops(const Motion& motion, const LoopOptions& o) {
  std::vector<int> joints(o.joints.begin(), o.joints.end());
  if (joints.empty()) {
    for (int j = 0; j < motion.num_joints(); ++j) joints.push_back(j);
  }
  const std::vector<Vec3> p = model_positions(motion, joints);
  const auto n = joints.size();
  const int frames = motion.num_frames;
  const auto seen = [&](int f, std::size_t j, bool velocity) {
    const PlanarRoot root = o.root != nullptr ? o.root->roots[static_cast<std::size_t>(f)] : PlanarRoot{};
    const Quat back = conjugate(rotation_of(root));
    const auto at = [&](int frame) { return p[static_cast<std::size_t>(frame) * n + j]; };
    if (!velocity) return rotate(back, at(f) - root.position);
    const int a = std::max(f - 1, 0), b = std::min(f + 1, frames - 1);
    return rotate(back, at(b) - at(a)) * static_cast<float>(motion.fps / (b - a)) * o.velocity_weight_s;
  };
  const auto measure = [&](int a, int b) {
    float sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      for (const bool velocity : {false, true}) {
        const Vec3 d = seen(a, j, velocity) - seen(b, j, velocity);
        sum += dot(d, d);
      }
    }
    return std::sqrt(sum / static_cast<float>(n));
  };
  const auto shortest = static_cast<int>(std::lround(o.min_duration_s * motion.fps));
  const auto longest = static_cast<int>(std::lround(o.max_duration_s * motion.fps));
  std::vector<Pair> all;
  for (int a = 0; a < frames; ++a) {
    for (int b = a + shortest; b <= std::min(a + longest, frames - 1); ++b) {
      const float here = measure(a, b);
      const bool falls = b == a + shortest || measure(a, b - 1) >= here;
      const bool rises = b == std::min(a + longest, frames - 1) || measure(a, b + 1) > here;
      if (falls && rises) all.push_back({a, b, here});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Pair& x, const Pair& y) { return x.distance < y.distance; });
  const auto apart = static_cast<int>(std::lround(o.min_separation_s * motion.fps));
  std::vector<Pair> out;
  for (const Pair& pair : all) {
    const bool near = std::any_of(out.begin(), out.end(), [&](const Pair& other) {
      return std::abs(other.begin - pair.begin) < apart && std::abs(other.end - pair.end) < apart;
    });
    if (!near && out.size() < static_cast<std::size_t>(o.max_results)) out.push_back(pair);
  }
  return out;
}

TEST(LoopReference, EqualsTheSearchOverAllPairs) {
  const Motion motion = test::random_motion({.num_joints = 6, .num_frames = 90, .fps = 30, .root_travel_m = 1});
  RootTrajectory root;
  for (int f = 0; f < 90; ++f) {
    root.roots.push_back({{motion.translations[static_cast<std::size_t>(6 * f)].x, 0, 0.01F * static_cast<float>(f)},
                          0.02F * static_cast<float>(f)});
  }
  const std::vector<int> some{0, 3, 5};
  for (const LoopOptions& options :
       {LoopOptions{}, LoopOptions{.root = &root, .joints = some, .velocity_weight_s = 0.3F},
        LoopOptions{.min_duration_s = 0.2, .max_duration_s = 1.1, .min_separation_s = 0.3, .max_results = 3}}) {
    const std::vector<Loop> found = find_loops(motion, options).value();
    const std::vector<Pair> truth = reference_loops(motion, options);
    ASSERT_EQ(found.size(), truth.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].begin, truth[i].begin) << i;
      EXPECT_EQ(found[i].end, truth[i].end) << i;
      EXPECT_NEAR(found[i].distance_m, truth[i].distance, 1e-5F) << i;
    }
  }
}

TEST(LoopReference, RequestsAreCheckedAtTheirBorders) {
  const Motion motion = test::random_motion({.num_joints = 3, .num_frames = 20, .fps = 10});
  EXPECT_TRUE(find_loops(motion, {.min_duration_s = 1, .max_duration_s = 1}));
  EXPECT_FALSE(find_loops(motion, {.min_duration_s = 1, .max_duration_s = 0.9}));
  EXPECT_FALSE(find_loops(motion, {.min_duration_s = 0}));
  EXPECT_TRUE(find_loops(motion, {.max_results = 0})->empty());
  EXPECT_EQ(find_loops(motion, {.max_results = 1})->size(), 1U);
  const std::vector<int> bad{3};
  EXPECT_FALSE(find_loops(motion, {.joints = bad}));
  RootTrajectory short_root;
  short_root.roots.resize(19);
  EXPECT_FALSE(find_loops(motion, {.root = &short_root}));
  EXPECT_TRUE(find_loops(test::random_motion({.num_joints = 3, .num_frames = 1}))->empty());
}

// Begin minus end is shared: half of it is taken from the start and given to the end. It fades from both sides with the
// half-life, or an eighth of the loop where that is shorter.
TEST(LoopReference, TheSeamFadesWithItsHalfLife) {
  for (const float half_life_s : {0.1F, 5.0F}) {
    // A track that rises by one metre over the loop, at rest at both ends.
    Motion motion = one_joint(81, 20, [](double t) { return Vec3d{t < 2 ? 0.0 : 1.0, 0, 0}; });
    const Motion closed = close_loop(motion, {0, 80, 0}, nullptr, half_life_s).value();
    const float used_s = std::min(half_life_s, 4.0F / 8);
    const float rate = 1.67834699F / used_s;  // Half of a critically damped spring's way.
    for (int f = 0; f <= 80; ++f) {
      const float t = static_cast<float>(f) / 20, from_end = 4 - t;
      const auto left = [&](float s) { return 0.5F * (1 + rate * s) * std::exp(-rate * s); };
      const float expected = motion.translations[static_cast<std::size_t>(f)].x + left(t) - left(from_end);
      EXPECT_NEAR(closed.translations[static_cast<std::size_t>(f)].x, expected, 2e-4F) << half_life_s << " frame " << f;
    }
    EXPECT_NEAR(closed.translations.front().x, closed.translations.back().x, 1e-4F);
  }
  const Motion motion = one_joint(10, 20, [](double t) { return Vec3d{t, 0, 0}; });
  EXPECT_TRUE(close_loop(motion, {0, 9, 0}));
  EXPECT_TRUE(close_loop(motion, {8, 9, 0}));
  EXPECT_FALSE(close_loop(motion, {0, 10, 0}));
  EXPECT_FALSE(close_loop(motion, {5, 5, 0}));
  EXPECT_FALSE(close_loop(motion, {-1, 5, 0}));
  RootTrajectory short_root;
  short_root.roots.resize(9);
  EXPECT_FALSE(close_loop(motion, {0, 9, 0}, &short_root));
}

// Nearest ranks of sorted angles; the twist about the bone is what is left when the bone is swung back.
TEST(JointLimitsReference, AreRanksOfSwingAndTwist) {
  const Motion motion = test::random_motion({.num_joints = 6, .num_frames = 41, .swing_rad = 1.2});
  for (const JointLimitOptions& options :
       {JointLimitOptions{}, JointLimitOptions{.low = 0.1, .high = 0.8}, JointLimitOptions{.low = 0.5, .high = 0.5}}) {
    const std::vector<JointLimits> found = joint_limits(motion, options).value();
    for (int joint = 0; joint < 6; ++joint) {
      const auto j = static_cast<std::size_t>(joint);
      Vec3 axis;
      for (int child = 0; child < 6; ++child) {
        if (motion.skeleton->parent(child) == joint) axis += normalized(motion.skeleton->rest_local(child).translation);
      }
      axis = length(axis) > 1e-6F ? normalized(axis) : Vec3{0, 1, 0};
      EXPECT_LT(distance(found[j].twist_axis, axis), 1e-5F) << joint;
      std::array<std::vector<float>, 5> values;
      for (std::size_t f = 0; f < 41; ++f) {
        const Quat q = conjugate(motion.skeleton->rest_local(joint).rotation) * motion.rotations[6 * f + j];
        const Vec3 v = to_rotation_vector(q), there = rotate(q, axis);
        values[0].push_back(v.x), values[1].push_back(v.y), values[2].push_back(v.z);
        values[4].push_back(std::acos(std::clamp(dot(axis, there), -1.0F, 1.0F)));
        // Swing back by the shortest arc: what is left turns about the axis.
        const Vec3 c = cross(there, axis);
        const Quat arc = normalized(Quat{c.x, c.y, c.z, 1 + dot(there, axis)});
        values[3].push_back(dot(to_rotation_vector(arc * q), axis));
      }
      const auto rank = [&](std::vector<float> track, double share) {
        std::sort(track.begin(), track.end());
        return track[static_cast<std::size_t>(std::lround(share * 40))];
      };
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(found[j].axes[k].min, rank(values[k], options.low), 1e-4F) << joint << " " << k;
        EXPECT_NEAR(found[j].axes[k].max, rank(values[k], options.high), 1e-4F) << joint << " " << k;
      }
      EXPECT_NEAR(found[j].twist.min, rank(values[3], options.low), 2e-3F) << joint;
      EXPECT_NEAR(found[j].twist.max, rank(values[3], options.high), 2e-3F) << joint;
      EXPECT_NEAR(found[j].swing.min, rank(values[4], options.low), 2e-3F) << joint;
      EXPECT_NEAR(found[j].swing.max, rank(values[4], options.high), 2e-3F) << joint;
    }
  }
  EXPECT_FALSE(joint_limits(motion, {.low = -0.1}));
  EXPECT_FALSE(joint_limits(motion, {.low = 0.6, .high = 0.5}));
  EXPECT_FALSE(joint_limits(motion, {.high = 1.1}));
  EXPECT_FALSE(joint_limits(make_motion(motion.skeleton, "none", 30, 0, false)));
}

TEST(BoneLengthsReference, AreMomentsOverFrames) {
  const Motion motion =
      test::random_motion({.num_joints = 5, .num_frames = 33, .animated_translations = true, .scales = true});
  const std::vector<BoneLength> found = bone_lengths(motion);
  for (int joint = 0; joint < 5; ++joint) {
    const auto j = static_cast<std::size_t>(joint);
    const int parent = motion.skeleton->parent(joint);
    if (parent == kNoJoint) {
      EXPECT_EQ(found[j].max, 0);
      continue;
    }
    std::vector<double> lengths;
    for (std::size_t f = 0; f < 33; ++f) {
      lengths.push_back(
          length(motion.translations[5 * f + j] * motion.scales[5 * f + static_cast<std::size_t>(parent)]));
    }
    double mean = 0, squares = 0;
    for (const double l : lengths) mean += l / 33;
    for (const double l : lengths) squares += (l - mean) * (l - mean) / 33;
    EXPECT_NEAR(found[j].mean, mean, 1e-5);
    EXPECT_NEAR(found[j].deviation, std::sqrt(squares), 1e-5);
    EXPECT_NEAR(found[j].min, *std::min_element(lengths.begin(), lengths.end()), 1e-6);
    EXPECT_NEAR(found[j].max, *std::max_element(lengths.begin(), lengths.end()), 1e-6);
    EXPECT_NEAR(found[j].rest, length(motion.skeleton->rest_local(joint).translation), 1e-6);
  }
}

}  // namespace
}  // namespace zoe

// SPDX-License-Identifier: MIT
// Roots of paths whose smoothing has a closed form, and of any path against the reference's
// definition spelled out in vectors: 31 samples over ±0.5 s at 60 fps, so that all samples fall on
// frames.
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/motion/root.h"

namespace zoe {
namespace {

constexpr double kFps = 60, kPi = std::numbers::pi;
constexpr int kSamples = 31, kMargin = 30;  // Frames at the ends that see beyond the clip.

struct Place {
  double x = 0, z = 0, facing = 0;
};
using Path = std::function<Place(double time_s)>;

// A hip with hips 20 cm apart, shoulders 40 cm apart above them, and a neck in front.
constexpr RootJoints kJoints{0, 1, 2, 3, 4, 5};
Motion body_on(const Path& path, int frames) {
  const auto at = [](Vec3 t) { return Transform{t, {}, {1, 1, 1}}; };
  const SkeletonPtr skeleton = Skeleton::create({{"hip", kNoJoint, at({0, 0.9F, 0}), JointKind::kBone},
                                                 {"left_hip", 0, at({0.1F, 0, 0}), JointKind::kBone},
                                                 {"right_hip", 0, at({-0.1F, 0, 0}), JointKind::kBone},
                                                 {"left_shoulder", 0, at({0.2F, 0.5F, 0}), JointKind::kBone},
                                                 {"right_shoulder", 0, at({-0.2F, 0.5F, 0}), JointKind::kBone},
                                                 {"neck", 0, at({0, 0.3F, 0.5F}), JointKind::kBone}})
                                   .value();
  Motion motion = make_motion(skeleton, "path", kFps, frames, false);
  for (int f = 0; f < frames; ++f) {
    const Place place = path(f / kFps);
    motion.translations[static_cast<std::size_t>(f) * 6] = {static_cast<float>(place.x), 0.9F,
                                                            static_cast<float>(place.z)};
    motion.rotations[static_cast<std::size_t>(f) * 6] =
        from_axis_angle(Vec3{0, 1, 0}, static_cast<float>(place.facing));
  }
  return motion;
}

RootTrajectory root_of(const Path& path, int frames, RootOptions::Facing facing = RootOptions::Facing::kBiped) {
  RootOptions options;
  options.facing = facing;
  return extract_root(body_on(path, frames), kJoints, options).value();
}

// exp(-(i-p)²/(p/2)²)^power with p = 15, divided by its sum.
std::array<double, kSamples> kernel(double power) {
  std::array<double, kSamples> w{};
  double sum = 0;
  for (int i = 0; i < kSamples; ++i) {
    w[static_cast<std::size_t>(i)] = std::exp(-power * (i - 15.0) * (i - 15.0) / (7.5 * 7.5));
    sum += w[static_cast<std::size_t>(i)];
  }
  for (double& x : w) x /= sum;
  return w;
}

// How much of a wave of this angular frequency the position kernel leaves.
double left_of_wave(double rad_s) {
  const auto w = kernel(2);
  double sum = 0;
  for (int i = 0; i < kSamples; ++i) sum += w[static_cast<std::size_t>(i)] * std::cos(rad_s * (i - 15) / 30.0);
  return sum;
}

double forward_speed(const RootTrajectory& root, std::size_t frame) {
  return dot(root.velocities[frame], rotate(rotation_of(root.roots[frame]), Vec3{0, 0, 1}));
}

TEST(RootPaths, StraightWalkWithSwayingHips) {
  // Once a second hips sway by 3 cm and turn by 0.2 rad. A second apart the turns are equal, so the
  // kernel for facings is flat, and of a whole period only the sample counted twice is left.
  const auto sway = [](double t) { return std::sin(2 * kPi * t); };
  const RootTrajectory root = root_of([&](double t) { return Place{0.03 * sway(t), 1.2 * t, 0.2 * sway(t)}; }, 240);
  const double left = left_of_wave(2 * kPi);
  EXPECT_GT(left, 0.1);
  EXPECT_LT(left, 0.8);
  for (std::size_t f = kMargin; f < 240 - kMargin; ++f) {
    const double t = static_cast<double>(f) / kFps;
    EXPECT_NEAR(root.roots[f].position.x, 0.03 * left * sway(t), 1e-6);
    EXPECT_EQ(root.roots[f].position.y, 0);
    EXPECT_NEAR(root.roots[f].position.z, 1.2 * t, 1e-5);
    double sine = 0, cosine = 0;
    for (int i = 0; i < kSamples; ++i) {
      sine += std::sin(0.2 * sway(t + (i - 15) / 30.0));
      cosine += std::cos(0.2 * sway(t + (i - 15) / 30.0));
    }
    EXPECT_NEAR(root.roots[f].facing_rad, std::atan2(sine, cosine), 2e-4);
    EXPECT_LT(std::abs(root.roots[f].facing_rad), 0.2 / 30);
    if (f > kMargin) {
      EXPECT_NEAR(root.velocities[f].z, 1.2, 1e-3);
    }
  }
}

TEST(RootPaths, CircleShrinksByTheKernelAndKeepsItsTangent) {
  // Once round in four seconds, radius 1.5 m, facing along the path; the middle is at (1.5, 0).
  const double speed = kPi / 2;
  const Path path = [&](double t) {
    return Place{1.5 - 1.5 * std::cos(speed * t), 1.5 * std::sin(speed * t), speed * t};
  };
  for (auto facing : {RootOptions::Facing::kBiped, RootOptions::Facing::kQuadruped}) {
    const RootTrajectory root = root_of(path, 240 + 2 * kMargin + 1, facing);
    const double radius = 1.5 * left_of_wave(speed);
    EXPECT_LT(radius, 1.49);
    PlanarRoot walked = root.roots[kMargin];
    Vec3 summed{};
    for (std::size_t f = kMargin; f <= kMargin + 240; ++f) {
      const double angle = speed * static_cast<double>(f) / kFps;
      EXPECT_NEAR(root.roots[f].position.x, 1.5 - radius * std::cos(angle), 1e-5);
      EXPECT_NEAR(root.roots[f].position.z, radius * std::sin(angle), 1e-5);
      EXPECT_NEAR(root.roots[f].facing_rad, angle, 1e-5);
      if (f == kMargin) continue;
      EXPECT_NEAR(root.turn_speeds_rad_s[f], speed, 1e-3);
      EXPECT_NEAR(length(root.velocities[f]), 2 * radius * std::sin(speed / kFps / 2) * kFps, 1e-3);
      walked = moved_by(walked, root.deltas[f]);
      summed = summed + root.deltas[f].translation;
    }
    // Once round: composed steps come back. The reference adds them up, which unrolls the circle.
    EXPECT_LT(distance(walked.position, root.roots[kMargin].position), 1e-4F);
    EXPECT_NEAR(walked.facing_rad - root.roots[kMargin].facing_rad, 2 * kPi, 1e-4);
    EXPECT_NEAR(length(summed), 2 * kPi * radius, 1e-3);
  }
}

TEST(RootPaths, TurnOnTheSpotHasNoTravel) {
  const RootTrajectory root = root_of([](double t) { return Place{0.4, -0.7, 3 * t}; },
                                      200);  // One and a half turns.
  for (std::size_t f = kMargin; f < 200 - kMargin; ++f) {
    EXPECT_NEAR(root.roots[f].facing_rad, 3 * static_cast<double>(f) / kFps, 1e-5);
    EXPECT_NEAR(root.turn_speeds_rad_s[f], 3, 2e-3);
    EXPECT_LT(length(root.velocities[f]), 1e-4F);
    EXPECT_LT(length(root.deltas[f].translation), 1e-6F);
  }
}

TEST(RootPaths, BackwardsAndSidewaysWalkersKeepFacing) {
  // Facing 0.5 rad, walking the other way; then to the left of it (+x of the body).
  const double a = 0.5;
  const RootTrajectory back = root_of(
      [&](double t) {
        return Place{-0.8 * t * std::sin(a), -0.8 * t * std::cos(a), a};
      },
      120);
  const RootTrajectory left = root_of(
      [&](double t) {
        return Place{0.8 * t * std::cos(a), -0.8 * t * std::sin(a), a};
      },
      120);
  for (std::size_t f = kMargin + 1; f < 120 - kMargin; ++f) {
    EXPECT_NEAR(back.roots[f].facing_rad, a, 1e-5);
    EXPECT_NEAR(forward_speed(back, f), -0.8, 1e-3);
    EXPECT_NEAR(back.deltas[f].translation.z, -0.8 / kFps, 1e-5);
    EXPECT_NEAR(back.deltas[f].translation.x, 0, 1e-5);
    EXPECT_NEAR(left.deltas[f].translation.x, 0.8 / kFps, 1e-5);
    EXPECT_NEAR(left.deltas[f].translation.z, 0, 1e-5);
  }
}

// The definition in vectors, straight from the specification: nothing unwrapped, no angles but the
// signed ones between neighbouring samples; times outside the clip are its ends.
Place by_definition(const Path& path, int frames, int frame) {
  struct Sample {
    double x, z, dx, dz;
  };
  std::array<Sample, kSamples> s{};
  for (int i = 0; i < kSamples; ++i) {
    const Place p = path(std::clamp(frame + 2 * (i - 15), 0, frames - 1) / kFps);
    s[static_cast<std::size_t>(i)] = {p.x, p.z, std::sin(p.facing), std::cos(p.facing)};
  }
  double turning = 0;
  for (std::size_t i = 1; i < kSamples; ++i) {
    const double cross = s[i - 1].dz * s[i].dx - s[i - 1].dx * s[i].dz,
                 along = s[i - 1].dx * s[i].dx + s[i - 1].dz * s[i].dz;
    turning += std::atan2(cross, along) * 30;  // rad/s
  }
  const auto position_weights = kernel(2), facing_weights = kernel(std::abs(turning));
  Place out{s[15].x, s[15].z, 0};
  double dx = 0, dz = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    out.x += position_weights[i] * (s[i].x - s[15].x);
    out.z += position_weights[i] * (s[i].z - s[15].z);
    dx += facing_weights[i] * s[i].dx;
    dz += facing_weights[i] * s[i].dz;
  }
  out.facing = std::atan2(dx, dz);
  return out;
}

TEST(RootPaths, AnyPathAgreesWithTheDefinition) {
  // Walks a winding line, sways, then snaps round by 1.9 rad within six frames, as dancers do.
  const Path path = [](double t) {
    const double snap = std::clamp((t - 2) * 10, 0.0, 1.0);
    return Place{0.3 * std::sin(1.7 * t), t + 0.02 * std::cos(9 * t),
                 0.4 * std::sin(1.1 * t) + 0.1 * std::sin(11 * t) + 1.9 * snap};
  };
  const RootTrajectory root = root_of(path, 240);
  double sharpest = 0;
  for (int f = 0; f < 240; ++f) {
    const Place expected = by_definition(path, 240, f);
    const PlanarRoot& found = root.roots[static_cast<std::size_t>(f)];
    EXPECT_NEAR(found.position.x, expected.x, 1e-5) << f;
    EXPECT_NEAR(found.position.z, expected.z, 1e-5) << f;
    EXPECT_NEAR(std::remainder(found.facing_rad - expected.facing, 2 * kPi), 0, 1e-4) << f;
    sharpest = std::max(sharpest, std::abs(found.facing_rad - path(f / kFps).facing));
  }
  EXPECT_GT(sharpest, 0.05) << "nothing was smoothed";
}

// Samples between frames are interpolated: a steady walk and turn stay as they are, at any rate.
TEST(RootPaths, SteadyWalksStayAtAnyFrameRate) {
  const SkeletonPtr skeleton =
      Skeleton::create({{"hip", kNoJoint, {{0, 1, 0}}}, {"left", 0, {{0.1F, 0, 0}}}, {"right", 0, {{-0.1F, 0, 0}}}})
          .value();
  for (const double fps : {24.0, 25.0, 47.0}) {
    Motion motion = make_motion(skeleton, "steady", fps, 80, false);
    for (int f = 0; f < 80; ++f) {
      const auto t = static_cast<float>(f / fps);
      motion.translations[3 * static_cast<std::size_t>(f)] = {0.3F * t, 1, 1.3F * t};
      motion.rotations[3 * static_cast<std::size_t>(f)] = from_rotation_vector(Vec3{0, 0.4F * t, 0});
    }
    const RootTrajectory root =
        extract_root(motion, {.hip = 0, .left_hip = 1, .right_hip = 2}, {.ends = RootOptions::Ends::kReflect}).value();
    for (int f = 0; f < 80; ++f) {
      const PlanarRoot& found = root.roots[static_cast<std::size_t>(f)];
      const auto t = static_cast<float>(f / fps);
      EXPECT_NEAR(found.position.x, 0.3F * t, 1e-4F) << fps << " " << f;
      EXPECT_NEAR(found.position.z, 1.3F * t, 1e-4F) << fps << " " << f;
      EXPECT_NEAR(found.facing_rad, 0.4F * t, 1e-4F) << fps << " " << f;
    }
  }
}

}  // namespace
}  // namespace zoe

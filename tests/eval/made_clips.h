// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Synthetic bodies of several families and what they do.
#pragma once

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "zoe/eval/motion_windows.h"
#include "zoe/synth/draw.h"

namespace zoe::eval::test {

// ctest sets the variable.
inline std::filesystem::path shipped_encoder() {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  return std::filesystem::path(source != nullptr ? source : ".") / "models/motion_encoder/encoder.safetensors";
}

struct MadeClip {
  Motion motion;
  SkeletonAnalysis body;
};

inline MadeClip make_clip(BodyFamily family, synth::Gait gait, std::uint64_t seed = 3, double fps = 30,
                          double seconds = 5) {
  synth::DrawOptions options;
  options.families = {family};
  options.gaits = {gait};
  options.styles = {synth::Style::kNeutral};
  options.courses = {synth::Course::kStraight};
  options.names = {synth::Names::kPlain};
  options.seconds = seconds;
  options.fps = fps;
  options.mesh = false;
  auto drawn = synth::draw_clip(options, seed, 0);
  EXPECT_TRUE(drawn.has_value());
  MadeClip out{std::move(drawn->clip.motion), {}};
  out.body = analyse(*out.motion.skeleton, std::span(&out.motion, 1));
  return out;
}

// Turned about +Y, moved over the ground, and in another unit.
inline Motion moved(const Motion& motion, float turn_rad, Vec3 by, float scale = 1) {
  Motion out = motion;
  const Quat turn = from_axis_angle(Vec3{0, 1, 0}, turn_rad);
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  for (std::size_t i = 0; i < out.translations.size(); ++i) {
    if (motion.skeleton->parent(static_cast<int>(i % joints)) == kNoJoint) {
      out.translations[i] = rotate(turn, out.translations[i]) + by;
      out.rotations[i] = turn * out.rotations[i];
    }
    out.translations[i] *= scale;
  }
  return out;
}

// Root mean square difference of two rows, in deviations of `among`.
inline double row_distance(std::span<const float> a, std::span<const float> b, std::span<const float> deviations) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    const double d = static_cast<double>(a[c] - b[c]) / static_cast<double>(deviations[c]);
    sum += d * d;
  }
  return std::sqrt(sum / static_cast<double>(a.size()));
}

}  // namespace zoe::eval::test

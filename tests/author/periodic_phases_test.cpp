// SPDX-License-Identifier: MIT
#include "zoe/author/periodic_phases.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "control/walker.h"

namespace zoe::control {
namespace {

using author::periodic_schema;
using author::PeriodicPhases;

constexpr float kTurn = 2 * std::numbers::pi_v<float>;
constexpr float kPace_hz = 1.5F;

// An autoencoder made by hand: its one channel is the velocity of the hips along X, whose phase is
// that of its Fourier coefficient at kPace_hz over the window's first 60 frames, which are three
// whole cycles.
nn::NetworkPtr one_channel(const features::Layout& layout, const char* first_output = "y") {
  const int steps = layout.steps(features::BlockKind::kInput), width = layout.width(features::BlockKind::kInput);
  std::vector<float> pick(static_cast<std::size_t>(width)), sines(static_cast<std::size_t>(steps)),
      cosines(sines.size());
  pick[0] = 1;
  for (int i = 0; i + 1 < steps; ++i) {
    const float angle = kTurn * kPace_hz * (static_cast<float>(i) / 30 - 1);
    sines[static_cast<std::size_t>(i)] = std::sin(angle) / 30;
    cosines[static_cast<std::size_t>(i)] = std::cos(angle) / 30;
  }
  const auto n = static_cast<std::size_t>(steps);
  nn::GraphBuilder b;
  const int x = b.input("x", width, steps);
  const int curve = b.transpose(b.linear(x, "pick", {1, static_cast<std::size_t>(width)}, pick, {}));
  // a sin(wt + p) has the coefficients a cos p and a sin p.
  const int cosine = b.linear(curve, "sines", {1, n}, sines, {}),
            sine = b.linear(curve, "cosines", {1, n}, cosines, {});
  const float per_turn[] = {1 / kTurn}, nothing[] = {0}, pace[] = {kPace_hz};
  b.output(first_output, x);
  b.output("phase", b.linear(b.atan2(sine, cosine), "turns", {1, 1}, per_turn, {}));
  b.output("frequency_hz", b.linear(sine, "pace", {1, 1}, nothing, pace));
  b.output("amplitude",
           b.activation(b.add(b.multiply(sine, sine), b.multiply(cosine, cosine)), nn::Activation::kSquareRoot));
  b.output("offset", b.linear(sine, "offset", {1, 1}, nothing, nothing));
  nn::Graph graph = std::move(b).build().value();
  graph.metadata["layout"] = layout.to_toml();
  return nn::Network::compile(graph).value();
}

// A body that sways with its hips along X at kPace_hz, its speed `swing` times a sine.
Motion swaying(float swing, double fps, int num_frames) {
  Motion motion = test::walking(synth::Course::kStraight, 2);
  const Pose first = make_pose(*motion.skeleton);
  motion.fps = fps;
  motion.num_frames = num_frames;
  const std::size_t joints = static_cast<std::size_t>(motion.num_joints());
  motion.translations.resize(joints * static_cast<std::size_t>(num_frames));
  motion.rotations.resize(motion.translations.size());
  motion.scales.clear();
  for (std::size_t i = 0; i < motion.translations.size(); ++i) {
    motion.translations[i] = first.translations[i % joints];
    motion.rotations[i] = first.rotations[i % joints];
    const float t = static_cast<float>(static_cast<double>(i / joints) / fps), w = kTurn * kPace_hz;
    if (i % joints == 0) motion.translations[i].x += -swing / w * std::cos(w * t);
  }
  return motion;
}

features::Layout layout_for(const Motion& motion) {
  const auto schema = features::Schema::parse(periodic_schema()).value();
  return features::Layout::compile(schema, *motion.skeleton, analyse(*motion.skeleton, {&motion, 1})).value();
}

TEST(PeriodicPhases, OfASineAreThoseOfTheSineToTheClipsEnds) {
  const Motion walk = test::walking(synth::Course::kStraight, 2);
  const PeriodicPhases phases = PeriodicPhases::create(one_channel(layout_for(walk)), *walk.skeleton).value();
  EXPECT_EQ(phases.num_channels(), 1);
  for (const double fps : {60.0, 30.0, 100.0}) {
    const int frames = static_cast<int>(4 * fps) + 1;
    const Motion motion = swaying(0.5F, fps, frames);
    const auto rows = phases.rows_of(motion).value();
    ASSERT_EQ(rows.size(), 121U);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      // Velocities are differences to the row before: those of half a row earlier.
      const float expected = kPace_hz * (static_cast<float>(k) - 0.5F) / 30;
      EXPECT_NEAR(std::remainder(rows[k].phase - expected, 1.0F), 0, 0.01F) << fps << " row " << k;
      EXPECT_NEAR(rows[k].frequency_hz, kPace_hz, 1e-5F);
      EXPECT_NEAR(rows[k].amplitude, 0.5F, 0.01F);
      EXPECT_NEAR(rows[k].confidence, 1, 1e-5F);
    }
    const auto signals = phases.signals_of(motion).value();
    ASSERT_EQ(signals.phase.size(), 2 * static_cast<std::size_t>(frames));
    ASSERT_EQ(signals.rhythm.size(), signals.phase.size());
    for (int f = 0; f < frames; ++f) {
      const std::size_t at = 2 * static_cast<std::size_t>(f);
      const float angle = kTurn * kPace_hz * (static_cast<float>(f / fps) - 0.5F / 30);
      EXPECT_NEAR(signals.phase[at], 0.5F * std::sin(angle), 0.03F);
      EXPECT_NEAR(signals.phase[at + 1], 0.5F * std::cos(angle), 0.03F);
      EXPECT_NEAR(signals.rhythm[at + 1], kPace_hz, 1e-5F);
    }
  }
}

TEST(PeriodicPhases, BodiesThatStandHaveNoAmplitudeAndShortClipsAnAnswer) {
  const Motion walk = test::walking(synth::Course::kStraight, 2);
  const PeriodicPhases phases = PeriodicPhases::create(one_channel(layout_for(walk)), *walk.skeleton).value();
  const std::vector<PhaseSample> standing = phases.rows_of(swaying(0, 60, 241)).value();
  for (const PhaseSample& sample : standing) EXPECT_LT(sample.amplitude, 1e-5F);
  for (const int frames : {1, 2, 20, 121, 122}) {
    const auto signals = phases.signals_of(swaying(0.5F, 60, frames)).value();
    ASSERT_EQ(signals.phase.size(), 2 * static_cast<std::size_t>(frames));
    for (const float value : signals.phase) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(PeriodicPhases, OtherNetworksAndSkeletonsAreRefusedByName) {
  const Motion walk = test::walking(synth::Course::kStraight, 2);
  const auto other = PeriodicPhases::create(one_channel(layout_for(walk), "z"), *walk.skeleton);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("'z'"), std::string::npos) << other.error().message;
  std::vector<JointDesc> joints(walk.skeleton->joints().begin(), walk.skeleton->joints().end());
  joints[4].name = "Antenna";
  const auto skeleton = Skeleton::create(joints).value();
  const auto refused = PeriodicPhases::create(one_channel(layout_for(walk)), *skeleton);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("Antenna"), std::string::npos) << refused.error().message;
  Motion motion = walk;
  motion.skeleton = skeleton;
  EXPECT_FALSE(PeriodicPhases::create(one_channel(layout_for(walk)), *walk.skeleton)->rows_of(motion));
}

}  // namespace
}  // namespace zoe::control

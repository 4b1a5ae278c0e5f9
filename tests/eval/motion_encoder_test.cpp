// SPDX-License-Identifier: MIT
// The encoder that ships: what it must tell apart, and what it must not notice. Bodies are new to it: seeds that its
// training did not use.
#include "zoe/eval/motion_encoder.h"

#include "zoe/core/file.h"
#include "zoe/eval/damage.h"
#include "zoe/motion/edit.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/graph_file.h"

#include "eval/made_clips.h"
#include "support/allocation.h"
#include "support/mutate.h"

namespace zoe::eval::test {
namespace {

const MotionEncoder& shipped() {
  static const MotionEncoder encoder = *MotionEncoder::load(shipped_encoder());
  return encoder;
}

// Mean code of all windows of a clip.
std::vector<double> code_of(const Motion& motion, const SkeletonAnalysis& body) {
  const auto windows = describe_windows(motion, body);
  EXPECT_TRUE(windows && windows->size() > 0);
  const std::vector<float> codes = shipped().encode(*windows);
  const auto width = static_cast<std::size_t>(shipped().width());
  std::vector<double> mean(width, 0.0);
  for (std::size_t i = 0; i < codes.size(); ++i)
    mean[i % width] += static_cast<double>(codes[i]) / static_cast<double>(windows->size());
  return mean;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

TEST(MotionEncoder, GivesTheSameCodesForAnyBatch) {
  const MadeClip clip = make_clip(BodyFamily::kBiped, synth::Gait::kWalk, 901, 30, zoe::test::kSanitized ? 8 : 80);
  const auto all = describe_windows(clip.motion, clip.body);
  ASSERT_TRUE(all.has_value());
  const std::vector<float> codes = shipped().encode(*all);
  const auto width = static_cast<std::size_t>(shipped().width()),
             columns = static_cast<std::size_t>(description_width());
  ASSERT_EQ(codes.size(), all->size() * width);
  for (const std::size_t row : {std::size_t{0}, all->size() - 1}) {
    MotionWindows one;
    one.values.assign(all->values.begin() + static_cast<std::ptrdiff_t>(row * columns),
                      all->values.begin() + static_cast<std::ptrdiff_t>((row + 1) * columns));
    one.start_s = {0};
    const std::vector<float> code = shipped().encode(one);
    for (std::size_t c = 0; c < width; ++c) EXPECT_NEAR(code[c], codes[row * width + c], 1e-5F);
  }
  EXPECT_TRUE(shipped().encode({}).empty());
}

TEST(MotionEncoder, IgnoresHeadingPositionRateAndStart) {
  for (const auto& [family, gait] :
       {std::pair{BodyFamily::kBiped, synth::Gait::kWalk}, std::pair{BodyFamily::kQuadruped, synth::Gait::kTrot},
        std::pair{BodyFamily::kSnake, synth::Gait::kSlither}}) {
    const MadeClip clip = make_clip(family, gait, 902, 30, 6);
    const auto code = code_of(clip.motion, clip.body);
    const double reversed = apart(code, code_of(reverse(clip.motion), clip.body));
    EXPECT_LT(apart(code, code_of(moved(clip.motion, 1.9F, {9, 0, -4}), clip.body)), 0.1 * reversed);
    EXPECT_LT(apart(code, code_of(*resample(clip.motion, 120), clip.body)), 0.1 * reversed);
    // The same walk from another moment of the step.
    EXPECT_LT(apart(code, code_of(*trim(clip.motion, 10, clip.motion.num_frames - 1), clip.body)), 0.5 * reversed);
  }
}

TEST(MotionEncoder, TellsFamiliesAndGaitsApart) {
  struct Kind {
    BodyFamily family;
    synth::Gait gait;
  };
  constexpr Kind kKinds[] = {
      {BodyFamily::kBiped, synth::Gait::kWalk},      {BodyFamily::kBiped, synth::Gait::kRun},
      {BodyFamily::kBiped, synth::Gait::kHop},       {BodyFamily::kQuadruped, synth::Gait::kWalk},
      {BodyFamily::kQuadruped, synth::Gait::kBound}, {BodyFamily::kHexapod, synth::Gait::kTripod},
      {BodyFamily::kSnake, synth::Gait::kSlither},   {BodyFamily::kFish, synth::Gait::kSwim}};
  std::vector<std::pair<const Kind*, std::vector<double>>> clips;
  for (const Kind& kind : kKinds) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const MadeClip clip = make_clip(kind.family, kind.gait, 910 + seed, 30, 4);
      clips.emplace_back(&kind, code_of(clip.motion, clip.body));
    }
  }
  int same_family = 0, same_gait = 0;  // Of the nearest other clip; bodies are all different.
  for (std::size_t i = 0; i < clips.size(); ++i) {
    std::size_t nearest = i == 0 ? 1 : 0;
    for (std::size_t j = 0; j < clips.size(); ++j) {
      if (j != i && apart(clips[i].second, clips[j].second) < apart(clips[i].second, clips[nearest].second))
        nearest = j;
    }
    same_family += clips[i].first->family == clips[nearest].first->family ? 1 : 0;
    same_gait += clips[i].first == clips[nearest].first ? 1 : 0;
  }
  EXPECT_GE(same_family, 44) << "of " << clips.size();
  EXPECT_GE(same_gait, 40) << "of " << clips.size();
}

TEST(MotionEncoder, SeesDamageGrow) {
  const MadeClip clip = make_clip(BodyFamily::kBiped, synth::Gait::kWalk, 905, 30, 6);
  const auto code = code_of(clip.motion, clip.body);
  for (const Damage damage : {Damage::kJitter, Damage::kNoise, Damage::kFreeze, Damage::kFootSkate}) {
    double before = 0;
    for (const double level : {0.125, 0.5, 1.0}) {
      const double now = apart(code, code_of(damaged(clip.motion, clip.body, damage, level), clip.body));
      EXPECT_GT(now, before) << to_string(damage) << " " << level;
      before = now;
    }
  }
}

TEST(MotionEncoder, RefusesOtherNetworks) {
  const auto refused = [](nn::GraphBuilder builder) {
    auto graph = std::move(builder).build();
    EXPECT_TRUE(graph.has_value());
    auto network = nn::Network::compile(*graph);
    EXPECT_TRUE(network.has_value());
    return !MotionEncoder::create(*network).has_value();
  };
  nn::GraphBuilder narrow;
  narrow.output("code", narrow.activation(narrow.input("x", 3), nn::Activation::kTanh));
  EXPECT_TRUE(refused(std::move(narrow)));
  nn::GraphBuilder unnamed;
  unnamed.output("y", unnamed.activation(unnamed.input("x", description_width()), nn::Activation::kTanh));
  EXPECT_TRUE(refused(std::move(unnamed)));
  nn::GraphBuilder of_other_columns;
  of_other_columns.output(
      "code", of_other_columns.activation(of_other_columns.input("x", description_width()), nn::Activation::kTanh));
  of_other_columns.set_metadata(kEncoderColumns, "another");
  EXPECT_TRUE(refused(std::move(of_other_columns)));
  EXPECT_FALSE(MotionEncoder::load("no_such_file.safetensors").has_value());
}

TEST(MotionEncoder, IsSmallAndStatesItsLicence) {
  EXPECT_LT(std::filesystem::file_size(shipped_encoder()), 1U << 20);
  const auto& metadata = shipped().network().metadata();
  ASSERT_TRUE(metadata.count("licence"));
  EXPECT_NE(metadata.at("licence").find("free for any use"), std::string::npos);
}

TEST(MotionEncoder, SurvivesDamagedFiles) {
  const auto file = MappedFile::open(shipped_encoder());
  ASSERT_TRUE(file.has_value());
  zoe::test::expect_survives_damage("motion encoder", file->bytes(),
                                    [](std::span<const std::byte> bytes) {
                                      if (auto graph = nn::graph_from_bytes(bytes)) {
                                        if (auto network = nn::Network::compile(*graph))
                                          (void)MotionEncoder::create(*network);
                                      }
                                    },
                                    {.flips = zoe::test::kSanitized ? 50 : 300});
}

}  // namespace
}  // namespace zoe::eval::test

// SPDX-License-Identifier: MIT
#include "zoe/paint/video_painter.h"

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"

#include "paint/video_network.h"

namespace zoe::paint {
namespace {

constexpr int kSide = 16;
constexpr std::size_t kArea = kSide * kSide;

SoftPicture checkered(std::uint8_t shift) {
  SoftPicture picture{std::vector<std::uint8_t>(kArea), std::vector<std::uint8_t>(kArea)};
  for (std::size_t i = 0; i < kArea; ++i) {
    picture.pixels[i] = static_cast<std::uint8_t>((i / 3 + shift) % 4);
    picture.coverage[i] = picture.pixels[i] == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(20 + i % 44);
  }
  return picture;
}

TEST(Captions, AreWordsOfAStatedVocabulary) {
  const Vocabulary words("red green Cook's red hat");
  EXPECT_EQ(words.size(), 4U);
  EXPECT_EQ(words.to_text(), "red green cook's hat");
  EXPECT_EQ(words.encode("A GREEN, shiny cook's-hat"), (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(Vocabulary(words.to_text()).encode("hat"), std::vector<int>{4});
  std::string many;
  for (int i = 0; i < 100; ++i) many += "red ";
  EXPECT_EQ(words.encode(many).size(), kMaxWords);
}

TEST(Patches, PicturesComeBack) {
  const std::vector<Color> palette{{10, 200, 30}, {255, 0, 128}, {77, 78, 79}};
  const SoftPicture picture = checkered(0);
  std::vector<float> patches(num_patches(kSide) * kPatchNumbers);
  to_patches(picture, palette, kSide, patches);
  std::vector<std::uint8_t> rgba(4 * kArea);
  from_patches(patches, kSide, rgba);
  for (std::size_t i = 0; i < kArea; ++i) {
    EXPECT_NEAR(rgba[4 * i + 3], picture.coverage[i] * 255.0 / kFullCoverage, 1);
    if (picture.pixels[i] == 0) continue;
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(rgba[4 * i + c], palette[picture.pixels[i] - 1U][c], 1);
  }
  // Patches are squares: the first has the first four pixels of the first four lines.
  EXPECT_EQ(patches[kPatchNumbers + 3], 2 * static_cast<float>(picture.coverage[4]) / kFullCoverage - 1);
  EXPECT_EQ(patches[4 * kPatch + 3], 2 * static_cast<float>(picture.coverage[kSide]) / kFullCoverage - 1);
}

TEST(Patches, SeeBonesFromTheirMiddle) {
  Pose pose;
  pose.points[kRightHip] = {0.5F, 0.5F, 0.1F, 1};
  pose.points[kRightKnee] = {0.5F, 0.75F, 0.3F, 1};
  std::vector<float> out(num_patches(kSide) * kPatchFeatures);
  describe_patches(pose, kSide, out);
  // The patch of column 2, line 2 has its middle at (0.625, 0.625): half along the bone, 0.125 right of it.
  const float* bone = out.data() + (2 * 4 + 2) * kPatchFeatures + 6 * kBoneNumbers;
  const float heat = std::exp(-0.125F / kHeatRange);
  EXPECT_NEAR(bone[0], heat, 1e-5);
  EXPECT_NEAR(bone[1], std::exp(-0.125F / kNearRange), 1e-5);
  EXPECT_NEAR(bone[2], heat * -0.125F / kHeatRange, 1e-5);
  EXPECT_NEAR(bone[3], 0, 1e-5);
  EXPECT_NEAR(bone[6], heat * 0.5F, 1e-5);
  EXPECT_NEAR(bone[7], heat * 0.2F, 1e-5);
  for (std::size_t k = 0; k < kBoneNumbers; ++k)
    EXPECT_EQ(out[(2 * 4 + 2) * kPatchFeatures + k], 0) << "bones that the body lacks";
}

struct OneStep {
  VideoPainter painter = known_video_painter(kSide);
  VideoState state = painter.make_state(2).value();
  std::vector<nn::SamplerStage> stages = nn::make_stages(painter.process(), {nn::Sampler::kDdim, 1}).value();
  std::vector<Pose> poses{2};
  std::vector<Color> palette{{10, 200, 30}, {255, 0, 128}, {77, 78, 79}};
  std::vector<SoftPicture> guesses{checkered(1), checkered(2)};
  SoftPicture reference = checkered(3);
  std::vector<float> out = std::vector<float>(2 * num_patches(kSide) * kPatchNumbers);
  VideoJob job() {
    return {.painter = &painter, .state = &state, .poses = poses, .stages = stages, .seed = 5, .out = out};
  }
};

TEST(VideoPainter, GivesTheNetworkWhatIsThere) {
  OneStep s;
  ThreadPool pool(2);
  const std::size_t keys = num_patches(kSide) + kWordRows;
  const auto first = [&](const VideoJob& job) {
    EXPECT_TRUE(job.run(pool));
    return s.out[0];
  };
  const float bare = first(s.job());  // Noise and time; the mask has one key.
  Random random = Random(5).split(21);
  EXPECT_NEAR(bare, 0.25F * static_cast<float>(random.normal()) + 1 + 1.0F / static_cast<float>(keys), 1e-4);
  VideoJob with_words = s.job();
  const std::vector<int> words = s.painter.vocabulary().encode("a green goblin");
  ASSERT_EQ(words, (std::vector<int>{2, 3}));
  with_words.words = words;
  EXPECT_NEAR(first(with_words) - bare, 2.0F / static_cast<float>(keys) + 0.01F * 5.0F / kWordRows, 1e-4);
  VideoJob with_reference = s.job();
  with_reference.reference = {&s.reference, s.palette, {}};
  EXPECT_NEAR(first(with_reference) - bare, 16.0F / static_cast<float>(keys), 1e-4);
  VideoJob guessed = with_reference;
  guessed.guesses = s.guesses;
  std::vector<float> patches(num_patches(kSide) * kPatchNumbers);
  to_patches(s.guesses[1], s.palette, kSide, patches);
  const std::vector<float> plain = s.out;
  first(guessed);
  for (std::size_t i = 0; i < patches.size(); ++i)
    ASSERT_NEAR(s.out[patches.size() + i] - plain[patches.size() + i], patches[i], 1e-5);
  // Guidance: the difference to nothing given, twice.
  guessed.guidance = 2;
  const std::vector<float> once = s.out;
  first(guessed);
  for (std::size_t i = 0; i < patches.size(); ++i)
    ASSERT_NEAR(s.out[patches.size() + i] - once[patches.size() + i], patches[i] + 16.0F / static_cast<float>(keys),
                1e-4);
}

TEST(VideoPainter, RefusesOtherNetworksAndWrongJobs) {
  const auto no_words = VideoPainter::create(nn::Network::compile(known_video_graph(kSide, false)).value());
  ASSERT_FALSE(no_words);
  EXPECT_NE(no_words.error().message.find("vocabulary"), std::string::npos);
  nn::Graph other = known_video_graph(kSide);
  other.inputs[1].name = "joints";
  EXPECT_FALSE(VideoPainter::create(nn::Network::compile(other).value()));
  OneStep s;
  EXPECT_FALSE(s.painter.make_state(0));
  EXPECT_FALSE(s.painter.make_state(kMaxVideoFrames + 1));
  EXPECT_EQ(s.job().validate(), nullptr);
  VideoJob wrong = s.job();
  wrong.poses = std::span(s.poses).first(1);
  EXPECT_NE(wrong.validate(), nullptr);
  wrong = s.job();
  wrong.guesses = s.guesses;
  EXPECT_NE(wrong.validate(), nullptr) << "guesses without a palette";
  wrong = s.job();
  const std::vector<int> many(kMaxWords + 1, 1);
  wrong.words = many;
  EXPECT_NE(wrong.validate(), nullptr);
}

}  // namespace
}  // namespace zoe::paint

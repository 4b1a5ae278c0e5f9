// SPDX-License-Identifier: MIT
// Packed clips as training samples.
#include "zoe/train/paint_source.h"

#include <array>

#include <gtest/gtest.h>

#include "support/data.h"

namespace zoe::train {
namespace {

// Clips of 5 frames whose pixels are all their own number, and whose poses have it too.
std::vector<paint::PaintClip> numbered_clips(bool guesses) {
  std::vector<paint::PaintClip> clips(30);
  for (std::size_t c = 0; c < clips.size(); ++c) {
    clips[c].label = {std::to_string(c), "goblin", "walk", "pixel", "e"};
    clips[c].palette.resize(8);
    clips[c].answers[paint::kAskClass] = static_cast<std::int32_t>(c % 12);
    for (std::size_t f = 0; f < 5; ++f) {
      const std::vector<std::uint8_t> plain(64, static_cast<std::uint8_t>(f + 1)), full(64, paint::kFullCoverage);
      clips[c].pixels.push_back(plain);
      clips[c].poses.emplace_back().points[0].x = static_cast<float>(f);
      if (!guesses) continue;
      clips[c].soft.push_back({plain, full});
      clips[c].guesses.push_back({plain, full});
    }
  }
  return clips;
}

TEST(PaintSource, SamplesArePairsOfNeighboursOrWholeClips) {
  const std::filesystem::path folder = test::temporary_dir("paint_source");
  ASSERT_TRUE(paint::write_clips(folder / "paint", 8, numbered_clips(true)));
  ASSERT_TRUE(paint::write_clips(folder / "judge", 8, numbered_clips(false)));
  const auto read = [](const BatchSource& source, std::size_t sample) {
    std::vector<std::vector<float>> values;
    for (const Field& field : source.fields()) values.emplace_back(field.size());
    std::vector<std::span<float>> out(values.begin(), values.end());
    const std::array<std::size_t, 1> samples{sample};
    EXPECT_TRUE(source.read(Split::kTraining, samples, out));
    return values;
  };
  const auto number = [](float packed) { return static_cast<std::uint32_t>(packed) & 63; };
  const std::unique_ptr<BatchSource> pairs = open_paint_source(folder / "paint").value();
  EXPECT_EQ(pairs->num_samples(Split::kTraining) % 2, 0U);
  EXPECT_LE(pairs->num_samples(Split::kTraining), 60U);
  for (std::size_t k = 0; k < 2; ++k) {  // Frames 1 and 2 from the reference, 3 and 4 from another frame.
    const std::vector<std::vector<float>> sample = read(*pairs, k);
    EXPECT_EQ(number(sample[0][0]), k == 0 ? 1U : paint::training_reference(3, 5) + 1);
    EXPECT_EQ(number(sample[4][0]), 2 * k + 2);
    EXPECT_EQ(number(sample[4][32]), 2 * k + 3);
    EXPECT_EQ(sample[3][0], static_cast<float>(2 * k + 1));
    EXPECT_EQ(sample[3][paint::kPoseSize], static_cast<float>(2 * k + 2));
  }
  const std::unique_ptr<BatchSource> clips = open_paint_source(folder / "judge").value();
  const std::vector<std::vector<float>> clip = read(*clips, 0);
  for (std::size_t k = 0; k < paint::kJudgedFrames; ++k) EXPECT_EQ(number(clip[0][16 * k]), 2 + k / 2);
  EXPECT_EQ(clip[3][paint::kAskAction], -1);
  EXPECT_GE(clip[3][paint::kAskClass], 0);
}

}  // namespace
}  // namespace zoe::train

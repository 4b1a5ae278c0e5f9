// SPDX-License-Identifier: MIT
#include "zoe/paint/clip_file.h"

#include <set>

#include <gtest/gtest.h>

#include "support/data.h"
#include "support/mutate.h"

namespace zoe::paint {
namespace {

std::vector<PaintClip> two_clips() {
  std::vector<PaintClip> clips(2);
  for (std::size_t c = 0; c < 2; ++c) {
    clips[c].label = {std::to_string(c), "goblin", c == 0 ? "walk" : "jump", "pixel", "e"};
    clips[c].palette = {{1, 2, 3}, {4, 5, 6}};
    for (std::size_t f = 0; f < 3 + c; ++f) {
      clips[c].pixels.emplace_back(64, static_cast<std::uint8_t>((c + f) % 3));
      clips[c].poses.emplace_back().points[kHead].x = static_cast<float>(f);
      const std::vector<std::uint8_t> half(64, std::uint8_t{30});
      clips[c].soft.push_back({std::vector<std::uint8_t>(64, std::uint8_t{1}), half});
      clips[c].guesses.push_back({std::vector<std::uint8_t>(64, std::uint8_t{2}), half});
    }
  }
  clips[1].answers[kAskAction] = 4;
  clips[1].answers[kAskDrawn] = 1;
  return clips;
}

TEST(ClipFile, IsReadAsWritten) {
  const std::filesystem::path folder = test::temporary_dir("paint_clips");
  ASSERT_TRUE(write_clips(folder, 8, two_clips(), {{"licence", "CC0-1.0"}}));
  const ClipFile file = ClipFile::open(folder).value();
  EXPECT_EQ(file.num_clips(), 2U);
  EXPECT_EQ(file.num_frames(), 7U);
  EXPECT_EQ(file.clip_of(2), 0U);
  EXPECT_EQ(file.clip_of(3), 1U);
  EXPECT_EQ(file.clip_of(6), 1U);
  EXPECT_EQ(file.label(1).action, "jump");
  EXPECT_EQ(file.palette(1)[1], (Color{4, 5, 6}));
  EXPECT_EQ(file.pixels(4)[0], 2);
  EXPECT_EQ(read_pose(file.pose(5)).points[kHead].x, 2);
  EXPECT_FALSE(file.has_truth());
  EXPECT_TRUE(file.has_guesses());
  EXPECT_EQ(file.soft(6)[126], 1);
  EXPECT_EQ(file.guess(6)[126], 2);
  EXPECT_EQ(file.guess(6)[127], 30);
  EXPECT_EQ(file.answers(0), kNoAnswers);
  EXPECT_EQ(file.answers(1)[kAskAction], 4);
  EXPECT_EQ(file.answers(1)[kAskDrawn], 1);
}

TEST(ClipFile, TrainsPairsOfNeighboursFromOnePicture) {
  for (std::size_t count = 2; count < 20; ++count) {
    std::set<std::size_t> references;
    for (std::size_t number = 1; number < count; ++number) {
      const std::size_t from = training_reference(number, count), partner = training_partner(number, count);
      ASSERT_LT(from, count);
      ASSERT_GT(partner, 0U);
      ASSERT_LT(partner, count);
      EXPECT_EQ(training_partner(partner, count), number);
      EXPECT_EQ(training_reference(partner, count), from);
      EXPECT_NE(from, number);
      EXPECT_NE(from, partner);
      references.insert(from);
    }
    EXPECT_TRUE(references.contains(0));
    EXPECT_EQ(references.size() > 1, count > 3);
  }
}

TEST(ClipFile, RefusesAnswersThatNoQuestionHas) {
  const std::filesystem::path folder = test::temporary_dir("paint_clips_answers");
  std::vector<PaintClip> clips = two_clips();
  for (const std::int32_t wrong : {-2, 25}) {
    clips[0].answers[kAskAction] = wrong;
    ASSERT_TRUE(write_clips(folder, 8, clips));
    const auto read = ClipFile::open(folder);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("action"), std::string::npos);
  }
}

TEST(ClipFile, RefusesIndicesBeyondThePaletteAndShortClips) {
  const std::filesystem::path folder = test::temporary_dir("paint_clips_wrong");
  std::vector<PaintClip> clips = two_clips();
  clips[1].pixels[2][5] = 3;
  ASSERT_TRUE(write_clips(folder, 8, clips));
  const auto beyond = ClipFile::open(folder);
  ASSERT_FALSE(beyond);
  EXPECT_NE(beyond.error().message.find("beyond its palette"), std::string::npos);
  clips = two_clips();
  clips[1].guesses[0].pixels[3] = 3;
  ASSERT_TRUE(write_clips(folder, 8, clips));
  EXPECT_FALSE(ClipFile::open(folder));
  clips = two_clips();
  clips[1].soft[1].coverage[3] = kFullCoverage + 1;
  ASSERT_TRUE(write_clips(folder, 8, clips));
  EXPECT_FALSE(ClipFile::open(folder));
  clips = two_clips();
  clips[0].pixels.resize(1);
  clips[0].poses.resize(1);
  clips[0].soft.resize(1);
  clips[0].guesses.resize(1);
  ASSERT_TRUE(write_clips(folder, 8, clips));
  EXPECT_FALSE(ClipFile::open(folder));
  EXPECT_FALSE(ClipFile::open(folder / "nothing"));
}

// Damaged files are refused or read within their bounds.
TEST(ClipFile, SurvivesDamage) {
  const std::filesystem::path folder = test::temporary_dir("paint_clips_damaged");
  ASSERT_TRUE(write_clips(folder, 8, two_clips()));
  std::vector<std::byte> bytes;
  {
    const MappedFile file = MappedFile::open(folder / kClipFile).value();
    bytes.assign(file.bytes().begin(), file.bytes().end());
  }
  int refused = 0;
  const auto read = [&](std::span<const std::byte> damaged) {
    ASSERT_TRUE(write_file_atomic(folder / kClipFile, damaged));
    const auto file = ClipFile::open(folder);
    if (!file) {
      ++refused;
      return;
    }
    for (std::size_t f = 0; f < file->num_frames(); ++f)
      for (const std::uint8_t index : file->pixels(f)) ASSERT_LE(index, file->palette(file->clip_of(f)).size());
    for (std::size_t f = 0; file->has_guesses() && f < file->num_frames(); ++f) {
      for (std::size_t i = 0; i < 128; i += 2) {
        ASSERT_LE(file->guess(f)[i], file->palette(file->clip_of(f)).size());
        ASSERT_LE(file->soft(f)[i + 1], kFullCoverage);
      }
    }
  };
  test::expect_survives_damage("clips", bytes, read, {.flips = 300});
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace zoe::paint

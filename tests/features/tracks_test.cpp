// SPDX-License-Identifier: MIT
#include "zoe/features/tracks.h"

#include <gtest/gtest.h>

#include "support/data.h"

namespace zoe::features {
namespace {

const std::vector<float> kX{0, 1, 2, 3, 4, 5, 6, 7}, kY{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7};

TEST(Tracks, ComeBackAsTheyWereWritten) {
  const auto folder = test::temporary_dir("tracks_back") / "new";
  const TrackField fields[] = {{"x", 1, kX}, {"y", 2, kY}};
  const std::int32_t lengths[] = {3, 1, 4};
  ASSERT_TRUE(write_tracks(folder, fields, lengths, 2, {{"layout", "l"}}));
  const TrackFile back = read_tracks(folder).value();
  EXPECT_EQ(back.steps, 2);
  EXPECT_EQ(back.track_lengths, (std::vector<std::int64_t>{3, 1, 4}));
  ASSERT_EQ(back.fields.size(), 2U);
  for (const TrackField& field : back.fields) {
    const std::vector<float>& values = field.name == "x" ? kX : kY;
    EXPECT_EQ(field.width, field.name == "x" ? 1 : 2);
    EXPECT_TRUE(std::equal(values.begin(), values.end(), field.values.begin(), field.values.end())) << field.name;
  }
  EXPECT_EQ(back.file.metadata().at("layout"), "l");
}

TEST(Tracks, WhatDoesNotFitIsNamed) {
  const auto folder = test::temporary_dir("tracks_wrong");
  const auto message = [&](std::vector<std::int32_t> lengths, const char* steps, bool with_lengths = true) {
    std::vector<NamedArray> arrays{{"x", view_of(kX, {8, 1})}};
    if (with_lengths) arrays.push_back({"track_lengths", view_of(lengths)});
    EXPECT_TRUE(write_safetensors(folder / kTrackFile, arrays, {{"steps", steps}}));
    const auto read = read_tracks(folder);
    return read ? std::string("fine") : read.error().format();
  };
  EXPECT_EQ(message({8}, "1"), "fine");
  EXPECT_NE(message({8}, "0").find("'steps'"), std::string::npos);
  EXPECT_NE(message({8}, "many").find("'steps'"), std::string::npos);
  EXPECT_NE(message({7}, "1").find("'x'"), std::string::npos);
  EXPECT_NE(message({-1, 9}, "1").find("absurd"), std::string::npos);
  EXPECT_NE(message({8}, "1", false).find("track_lengths"), std::string::npos);
  EXPECT_NE(message({8}, "0").find(kTrackFile), std::string::npos) << "with the file";
  EXPECT_FALSE(read_tracks(folder / "nowhere"));
}

}  // namespace
}  // namespace zoe::features

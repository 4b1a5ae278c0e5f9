// SPDX-License-Identifier: MIT
#include "stream/line_buffer.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

namespace zoe::stream {
namespace {

struct Lines {
  LineBuffer buffer;
  std::vector<std::string> lines;
  int num_huge = 0;

  void feed(std::string_view bytes) {
    buffer.feed(
        bytes, [&](std::string_view line) { lines.emplace_back(line); }, [&] { ++num_huge; });
  }
};

TEST(LineBuffer, GivesLinesWithoutTheirEnds) {
  Lines got;
  got.feed("move 0 1\nstand\n\n");
  EXPECT_EQ(got.lines, (std::vector<std::string>{"move 0 1", "stand", ""}));
  EXPECT_FALSE(got.buffer.holds_part());
}

TEST(LineBuffer, KeepsAPartUntilItsEndComes) {
  Lines got;
  got.feed("mo");
  EXPECT_TRUE(got.lines.empty());
  EXPECT_TRUE(got.buffer.holds_part());
  got.feed("ve 0 1\nst");
  got.feed("");
  got.feed("and\n");
  EXPECT_EQ(got.lines, (std::vector<std::string>{"move 0 1", "stand"}));
}

TEST(LineBuffer, TakesTheLongestLineAndSkipsALongerOne) {
  Lines got;
  const std::string longest(LineBuffer::kMaxLine, 'a');
  got.feed(longest + "\n");
  got.feed(longest + "b\nstand\n");
  EXPECT_EQ(got.lines, (std::vector<std::string>{longest, "stand"}));
  EXPECT_EQ(got.num_huge, 1);
}

TEST(LineBuffer, AHugeLineIsReportedOnceHoweverManyPiecesItHas) {
  Lines got;
  for (int i = 0; i < 1000; ++i) got.feed("0123456789");
  EXPECT_EQ(got.num_huge, 1);
  EXPECT_TRUE(got.lines.empty());
  got.feed("\nstand\n");
  EXPECT_EQ(got.lines, (std::vector<std::string>{"stand"}));
  EXPECT_EQ(got.num_huge, 1);
}

// Where a stream is cut changes nothing.
TEST(LineBuffer, PiecesDoNotMatter) {
  std::string text;
  Random random(4);
  for (int i = 0; i < 200; ++i) text += std::string(random.below(600), static_cast<char>('a' + i % 26)) + "\n";
  Lines whole;
  whole.feed(text);
  for (int round = 0; round < 20; ++round) {
    Lines pieces;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = 1 + random.below(700);
      pieces.feed(std::string_view(text).substr(at, size));
      at += size;
    }
    ASSERT_EQ(pieces.lines, whole.lines);
    ASSERT_EQ(pieces.num_huge, whole.num_huge);
  }
  EXPECT_GT(whole.num_huge, 0);
}

}  // namespace
}  // namespace zoe::stream

// SPDX-License-Identifier: MIT
#include "zoe/core/hash64.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace zoe {
namespace {

std::uint64_t of(std::string_view text) { return hash64(std::as_bytes(std::span(text))); }

// Published vectors of XXH64 with seed 0.
TEST(Hash64, PublishedVectors) {
  EXPECT_EQ(of(""), 0xEF46DB3751D8E999U);
  EXPECT_EQ(of("a"), 0xD24EC4F1A98C6E5BU);
  EXPECT_EQ(of("abc"), 0x44BC2CF5AD770999U);
  EXPECT_EQ(of("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1U);
}

TEST(Hash64, PiecesOfAnySizeGiveTheHashOfTheWhole) {
  std::vector<std::byte> bytes;
  for (int i = 0; i < 300; ++i) bytes.push_back(static_cast<std::byte>(i * 37));
  for (std::size_t length = 0; length <= bytes.size(); length += 13) {
    const std::span<const std::byte> whole = std::span(bytes).first(length);
    for (const std::size_t piece : {1U, 3U, 8U, 31U, 32U, 33U, 100U}) {
      Hash64 hash;
      for (std::size_t at = 0; at < length; at += piece) hash.add(whole.subspan(at, std::min(piece, length - at)));
      ASSERT_EQ(hash.finish(), hash64(whole)) << length << " in pieces of " << piece;
    }
  }
}

TEST(Hash64, EveryBitCounts) {
  std::vector<std::byte> bytes(70);
  const std::uint64_t before = hash64(bytes);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    EXPECT_NE(hash64(bytes), before) << bit;
    bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
  }
  EXPECT_NE(hash64(bytes, 1), before);
}

}  // namespace
}  // namespace zoe

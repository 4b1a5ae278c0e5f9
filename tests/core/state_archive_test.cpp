// SPDX-License-Identifier: MIT
#include "zoe/core/state_archive.h"

#include <array>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace zoe {
namespace {

struct Pair {
  float x = 0, y = 0;
};
enum class Fruit : std::uint8_t { kApple, kPear };

struct Thing {
  std::array<float, 4> values{0.5F, 0.5F, 0.5F, 0.5F};
  std::array<float, 2> numbers{1.5F, 1.5F};
  std::array<Pair, 3> units{Pair{0.6F, 0.8F}, Pair{0.6F, 0.8F}, Pair{0.6F, 0.8F}};
  double time_s = 0.1;
  int count = 2;
  bool on = true;
  Fruit fruit = Fruit::kPear;

  void describe(StateArchive& archive) {
    const int used = archive.number(count, 0, 4);
    archive.bits(std::span(values).first(static_cast<std::size_t>(used)));
    archive.unused(static_cast<std::size_t>(4 - used) * sizeof(float));
    archive.finite(std::span(numbers));
    archive.unit(std::span(units), 1e-3F);
    archive.number(time_s, 0, 1);
    archive.flag(on);
    archive.choice(fruit, Fruit::kPear);
  }
};
constexpr std::size_t kBytes = 4 + 16 + 8 + 24 + 8 + 1 + 1;  // No padding.

std::vector<std::byte> saved(Thing& thing) {
  std::vector<std::byte> bytes(kBytes, std::byte{0xEE});
  StateArchive archive = StateArchive::writing(bytes);
  thing.describe(archive);
  EXPECT_EQ(archive.num_bytes(), kBytes);
  return bytes;
}

const char* problem_of(std::span<const std::byte> bytes) {
  Thing thing;
  StateArchive archive = StateArchive::checking(bytes);
  thing.describe(archive);
  return archive.problem();
}

TEST(StateArchive, MeasuresWritesReadsAndHashesTheSameBytes) {
  Thing thing;
  thing.values = {1, 2, 3, 4};
  thing.numbers = {-7, 8};
  thing.units[1] = {0, -1};
  thing.time_s = 0.25;
  thing.count = 3;
  thing.on = false;
  thing.fruit = Fruit::kApple;
  StateArchive measure = StateArchive::measuring(), hash = StateArchive::hashing();
  thing.describe(measure);
  thing.describe(hash);
  EXPECT_EQ(measure.num_bytes(), kBytes);
  const std::vector<std::byte> bytes = saved(thing);
  EXPECT_EQ(hash.hash(), hash64(bytes));
  EXPECT_EQ(problem_of(bytes), nullptr);
  // What holds nothing is zero, whatever the field held before.
  EXPECT_EQ(load_le<float>(bytes.data() + 4 + 12), 0);

  Thing other;
  StateArchive read = StateArchive::reading(bytes);
  other.describe(read);
  EXPECT_EQ(other.values, (std::array<float, 4>{1, 2, 3, 0.5F}));
  EXPECT_EQ(other.numbers, thing.numbers);
  EXPECT_EQ(other.units[1].y, -1);
  EXPECT_EQ(other.time_s, 0.25);
  EXPECT_EQ(other.count, 3);
  EXPECT_FALSE(other.on);
  EXPECT_EQ(other.fruit, Fruit::kApple);
}

TEST(StateArchive, ChecksChangeNothingAndNameTheProblem) {
  Thing thing;
  const std::vector<std::byte> sound = saved(thing);
  const auto with = [&](std::size_t at, auto value) {
    std::vector<std::byte> bytes = sound;
    std::memcpy(bytes.data() + at, &value, sizeof(value));
    return bytes;
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(problem_of(with(4, kNan)), nullptr) << "any bits will do";
  EXPECT_STREQ(problem_of(with(0, 5)), "a number is out of its range");
  EXPECT_STREQ(problem_of(with(0, -1)), "a number is out of its range");
  EXPECT_STREQ(problem_of(with(20, kNan)), "a number is not finite");
  EXPECT_STREQ(problem_of(with(24, std::numeric_limits<float>::infinity())), "a number is not finite");
  EXPECT_STREQ(problem_of(with(28, 0.7F)), "a rotation is not of unit length");
  EXPECT_STREQ(problem_of(with(28, kNan)), "a rotation is not of unit length");
  EXPECT_STREQ(problem_of(with(52, -0.1)), "a number is out of its range");
  EXPECT_STREQ(problem_of(with(52, static_cast<double>(kNan))), "a number is out of its range");
  EXPECT_STREQ(problem_of(with(60, std::uint8_t{2})), "a number is out of its range");
  EXPECT_STREQ(problem_of(with(61, std::uint8_t{2})), "a number is out of its range");
  for (std::size_t size = 0; size < sound.size(); ++size) {
    EXPECT_NE(problem_of(std::span(sound).first(size)), nullptr) << size;
  }

  const std::vector<std::byte> bad = with(20, kNan);
  StateArchive archive = StateArchive::checking(bad);
  thing.count = 1;
  thing.describe(archive);
  EXPECT_EQ(archive.problem_at(), 20U);
  EXPECT_EQ(thing.count, 1);
  EXPECT_EQ(thing.numbers[0], 1.5F);
}

}  // namespace
}  // namespace zoe

// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "io/bvh/decode.h"
#include "io/bvh/frame_time.h"
#include "io/bvh/number.h"

namespace zoe::io::bvh {
namespace {

// Padded, so that the scan may look ahead.
std::pair<bool, double> scan(const std::string& word, char after = ' ') {
  const std::string padded = word + after + std::string(kScanWindow, 'x');
  double value = -12345;
  const char* end = scan_decimal(padded.data(), value);
  if (end != nullptr) {
    EXPECT_EQ(end - padded.data(), static_cast<std::ptrdiff_t>(word.size()));
  }
  return {end != nullptr, value};
}

TEST(BvhNumber, PlainScanIsExactlyWhatStrtodSays) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    const int num_whole = static_cast<int>(random() % 8), num_fraction = static_cast<int>(random() % 8);
    std::string word = random() % 2 ? "-" : "";
    for (int d = 0; d < num_whole; ++d) word += static_cast<char>('0' + random() % 10);
    if (random() % 4 != 0) {
      word += '.';
      for (int d = 0; d < num_fraction; ++d) word += static_cast<char>('0' + random() % 10);
    }
    if (word.find_first_of("0123456789") == std::string::npos) continue;
    if (random() % 4 == 0) word += std::array{"e5", "E-08", "e+12", "e-2"}[random() % 4];
    const auto [good, value] = scan(word, "\n\r\t "[random() % 4]);
    ASSERT_TRUE(good) << word;
    ASSERT_EQ(value, std::strtod(word.c_str(), nullptr)) << word;
    ASSERT_EQ(std::signbit(value), word[0] == '-') << word;
  }
}

TEST(BvhNumber, PlainScanLeavesOtherSpellingsAlone) {
  for (const char* word :
       {"",    "-",     ".",           "-.",          "+1",  "1e555", "1e",   "1e+", "1e5x", "1e99", "1,5",
        "--1", "1.2.3", "123456789.0", "0.123456789", "nan", "1x",    "\xff", "1-2", "1:",   "1/"}) {
    const auto [good, value] = scan(word);
    EXPECT_FALSE(good) << word;
    EXPECT_EQ(value, -12345) << word;
  }
}

TEST(BvhNumber, PatientReaderKnowsEverySpelling) {
  const auto number = [](std::string_view word) {
    double value = NAN;
    EXPECT_EQ(parse_number(word, value), NumberKind::kNumber) << word;
    return value;
  };
  EXPECT_EQ(number("+1.5e-3"), 1.5e-3);
  EXPECT_EQ(number("-2E+2"), -200);
  EXPECT_EQ(number("1,25"), 1.25);
  EXPECT_EQ(number("-1,25e1"), -12.5);
  EXPECT_EQ(number("1.234,5"), 1234.5);
  EXPECT_EQ(number("1,234.5"), 1234.5);
  EXPECT_EQ(number("1,234,567"), 1234567);
  EXPECT_EQ(number("1.5,"), 1.5);
  EXPECT_EQ(number("1.5D+02"), 150);
  EXPECT_EQ(number("\xe2\x88\x92"
                   "3.5"),
            -3.5);
  EXPECT_EQ(number("1e-999"), 0);
  EXPECT_EQ(number("0.12345678901234567890"), 0.12345678901234567890);
  EXPECT_EQ(number("1," + std::string(62, '0')), 1);  // The longest with another spelling.
  double untouched = 3;
  for (const char* word : {"nan", "-nan(ind)", "NaN", "inf", "-INF", "Infinity", "1.#QNAN", "-1.#IND00", "1e999"}) {
    EXPECT_EQ(parse_number(word, untouched), NumberKind::kNotFinite) << word;
  }
  for (const char* word : {"", ",", "abc", "1..2", "1e", "0x10", "--1", "1 2"}) {
    EXPECT_EQ(parse_number(word, untouched), NumberKind::kNone) << word;
  }
  EXPECT_EQ(parse_number(std::string(1000, '1') + "x", untouched), NumberKind::kNone);
  EXPECT_EQ(parse_number("1," + std::string(63, '0'), untouched), NumberKind::kNone);
  EXPECT_EQ(untouched, 3);
}

TEST(BvhNumber, HalfAngleSinesAreGoodToOneInABillion) {
  std::vector<double> angles{0, 180, -180, 90, 360, 720, 539.9999, 1e7 + 0.25};
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) angles.push_back(std::uniform_real_distribution<double>(-1000, 1000)(random));
  std::vector<double> sines(angles.size()), cosines(angles.size());
  half_angle_sincos(angles, sines, cosines);
  double worst = 0;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const double half = std::fmod(angles[i], 720.0) * 3.14159265358979323846 / 360.0;
    // Up to a common sign.
    const double sign = std::cos(half) * cosines[i] + std::sin(half) * sines[i] < 0 ? -1 : 1;
    worst = std::max({worst, std::abs(sign * std::sin(half) - sines[i]), std::abs(sign * std::cos(half) - cosines[i])});
  }
  EXPECT_LT(worst, 1e-9);
}

TEST(BvhFrameRate, RoundedTimesMeanUsualRates) {
  EXPECT_EQ(fps_of_frame_time(".0083333"), 120);
  EXPECT_EQ(fps_of_frame_time("0.00833333"), 120);
  EXPECT_EQ(fps_of_frame_time("0.0333333"), 30);
  EXPECT_EQ(fps_of_frame_time("0.033333"), 30);
  EXPECT_EQ(fps_of_frame_time("0.033"), 30);
  EXPECT_EQ(fps_of_frame_time("0,033333"), 30);
  EXPECT_EQ(fps_of_frame_time("3.333333e-02"), 30);
  EXPECT_EQ(fps_of_frame_time("0.0333333351"), 30);  // Went through a float.
  EXPECT_EQ(fps_of_frame_time("0.0416667"), 24);
  EXPECT_EQ(fps_of_frame_time("0.016666"), 60);
  EXPECT_EQ(fps_of_frame_time("0.016666666666666666"), 60);
  EXPECT_EQ(fps_of_frame_time("0.04"), 25);
  EXPECT_EQ(fps_of_frame_time("0.008"), 125);
  EXPECT_DOUBLE_EQ(fps_of_frame_time("0.041708333333"), 24000.0 / 1001);
  EXPECT_DOUBLE_EQ(fps_of_frame_time("0.041708"), 24000.0 / 1001);
  EXPECT_DOUBLE_EQ(fps_of_frame_time("0.0333667"), 30000.0 / 1001);
  EXPECT_DOUBLE_EQ(fps_of_frame_time("0.0271234"), 1.0 / 0.0271234);  // No usual rate: kept.
  EXPECT_EQ(fps_of_frame_time("2"), 0.5);
  for (const char* bad : {"", "0", "-0.03", "nan", "abc", "0.000000"}) EXPECT_EQ(fps_of_frame_time(bad), 0) << bad;
}

}  // namespace
}  // namespace zoe::io::bvh

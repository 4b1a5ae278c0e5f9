// SPDX-License-Identifier: MIT
// Toy data of every kind: the functions that the header promises, the same however they are read.
#include "zoe/train/toy.h"

#include <cmath>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

namespace zoe::train {
namespace {

constexpr ToyKind kKinds[] = {ToyKind::kVector, ToyKind::kSequence, ToyKind::kPhase,   ToyKind::kCurve, ToyKind::kWaves,
                              ToyKind::kOrbit,  ToyKind::kFilter,   ToyKind::kMixture, ToyKind::kCodes};

// All fields of some samples.
std::vector<std::vector<float>> read(const BatchSource& source, Split split, const std::vector<std::size_t>& samples) {
  std::vector<std::vector<float>> values;
  for (const Field& field : source.fields()) values.emplace_back(field.size() * samples.size());
  const std::vector<std::span<float>> outputs(values.begin(), values.end());
  EXPECT_TRUE(source.read(split, samples, outputs));
  return values;
}
const std::vector<std::size_t> kSome{0, 5, 17, 100};

TEST(ToyData, HasTheFieldsOfItsKind) {
  const auto fields = [](ToyKind kind) {
    const auto source = make_toy_source({.kind = kind, .width = 5, .steps = 7});
    const auto all = source->fields();
    return std::vector<Field>(all.begin(), all.end());
  };
  EXPECT_EQ(fields(ToyKind::kVector), (std::vector<Field>{{"x", 1, 5}, {"y", 1, 5}}));
  EXPECT_EQ(fields(ToyKind::kSequence), (std::vector<Field>{{"x", 1, 5}, {"y", 7, 5}}));
  EXPECT_EQ(fields(ToyKind::kPhase), (std::vector<Field>{{"x", 1, 5}, {"y", 1, 5}, {"phase", 1, 1}}));
  EXPECT_EQ(fields(ToyKind::kCurve), (std::vector<Field>{{"x", 1, 5}}));
  EXPECT_EQ(fields(ToyKind::kWaves), (std::vector<Field>{{"x", 7, 5}}));
  EXPECT_EQ(fields(ToyKind::kOrbit), (std::vector<Field>{{"x", 7, 5}}));
  EXPECT_EQ(fields(ToyKind::kFilter), (std::vector<Field>{{"x", 7, 5}, {"y", 7, 5}}));
}

TEST(ToyData, IsTheSameHoweverItIsRead) {
  for (const ToyKind kind : kKinds) {
    const auto a = make_toy_source({.kind = kind, .seed = 3}), b = make_toy_source({.kind = kind, .seed = 3}),
               other = make_toy_source({.kind = kind, .seed = 4});
    const auto together = read(*a, Split::kTraining, kSome);
    EXPECT_EQ(together, read(*b, Split::kTraining, kSome));
    EXPECT_NE(together, read(*other, Split::kTraining, kSome));
    EXPECT_NE(together, read(*a, Split::kValidation, kSome));
    for (std::size_t i = 0; i < kSome.size(); ++i) {
      const auto alone = read(*a, Split::kTraining, {kSome[i]});
      for (std::size_t f = 0; f < alone.size(); ++f) {
        const std::size_t size = alone[f].size();
        EXPECT_TRUE(
            std::equal(alone[f].begin(), alone[f].end(), together[f].begin() + static_cast<std::ptrdiff_t>(i * size)));
      }
    }
    EXPECT_EQ(a->num_samples(Split::kTraining), 4096U);
    EXPECT_EQ(a->num_samples(Split::kValidation), 512U);
    EXPECT_EQ(a->metadata().at("licence"), "CC0-1.0");
  }
}

TEST(ToyData, SequencesMoveOnWithTime) {
  const auto source = make_toy_source({.kind = ToyKind::kSequence, .width = 4, .steps = 6});
  const auto values = read(*source, Split::kTraining, kSome);
  for (std::size_t i = 0; i < kSome.size(); ++i) {
    for (std::size_t s = 0; s < 6; ++s) {
      for (std::size_t j = 0; j < 4; ++j) {
        const double x = values[0][4 * i + j], next = values[0][4 * i + (j + 1) % 4];
        EXPECT_NEAR(values[1][24 * i + 4 * s + j], std::sin(1.5 * x + 0.7 * next) + static_cast<double>(s) / 5 * next,
                    1e-5);
      }
    }
  }
}

TEST(ToyData, PhasesTurnTheAnswer) {
  const auto source = make_toy_source({.kind = ToyKind::kPhase, .width = 3});
  const auto values = read(*source, Split::kTraining, kSome);
  for (std::size_t i = 0; i < kSome.size(); ++i) {
    EXPECT_GE(values[2][i], 0);
    EXPECT_LT(values[2][i], 1);
    for (std::size_t j = 0; j < 3; ++j) {
      const double x = values[0][3 * i + j], next = values[0][3 * i + (j + 1) % 3];
      const double turn = 0.5 * std::cos(2 * std::numbers::pi * values[2][i] + static_cast<double>(j));
      EXPECT_NEAR(values[1][3 * i + j], std::sin(1.5 * x + 0.7 * next) + turn, 1e-5);
    }
  }
}

// x_j = c sin(j a + b): neighbours satisfy x_{j-1} + x_{j+1} = 2 cos(a) x_j for one a.
TEST(ToyData, CurvesLieOnTheirSurface) {
  const auto source = make_toy_source({.kind = ToyKind::kCurve, .width = 8});
  const auto values = read(*source, Split::kTraining, kSome);
  for (std::size_t i = 0; i < kSome.size(); ++i) {
    const float* x = values[0].data() + 8 * i;
    double top = 0, bottom = 0;
    for (std::size_t j = 1; j < 7; ++j) top += x[j] * (x[j - 1] + x[j + 1]), bottom += x[j] * x[j];
    const double twice_cos = top / bottom;
    EXPECT_GT(twice_cos, 2 * std::cos(0.81));
    EXPECT_LT(twice_cos, 2 * std::cos(0.19));
    for (std::size_t j = 1; j < 7; ++j) EXPECT_NEAR(x[j - 1] + x[j + 1], twice_cos * x[j], 1e-4);
  }
}

TEST(ToyData, WavesHaveOneRateInAllColumns) {
  const auto source = make_toy_source({.kind = ToyKind::kWaves, .width = 4, .steps = 101});
  const auto values = read(*source, Split::kTraining, kSome);
  for (std::size_t i = 0; i < kSome.size(); ++i) {
    const auto at = [&](std::size_t s, std::size_t j) { return static_cast<double>(values[0][(i * 101 + s) * 4 + j]); };
    for (std::size_t j = 0; j < 4; ++j) {
      const double amplitude = 1 + static_cast<double>(j) / 4;
      double most = 0, top = 0, bottom = 0;
      for (std::size_t s = 0; s < 101; ++s) most = std::max(most, std::abs(at(s, j)));
      for (std::size_t s = 1; s < 100; ++s)
        top += at(s, j) * (at(s - 1, j) + at(s + 1, j)), bottom += at(s, j) * at(s, j);
      EXPECT_LE(most, amplitude + 1e-4);
      EXPECT_GT(most, 0.9 * amplitude);
      // Of a sine sampled every 20 ms: 2 cos(2 pi f 0.02).
      const double rate_hz = std::acos(top / bottom / 2) / (2 * std::numbers::pi * 0.02);
      EXPECT_GT(rate_hz, 0.49);
      EXPECT_LT(rate_hz, 2.01);
    }
  }
}

TEST(ToyData, AStepOfAnOrbitTellsTheNext) {
  const auto source = make_toy_source({.kind = ToyKind::kOrbit, .width = 2, .steps = 30});
  const auto values = read(*source, Split::kTraining, kSome);
  for (std::size_t i = 0; i < kSome.size(); ++i) {
    // Columns are a sin(p) and a sin(p + 1): size and angle of one step give the next.
    const auto at = [&](std::size_t s, std::size_t j) { return static_cast<double>(values[0][(i * 30 + s) * 2 + j]); };
    for (std::size_t s = 0; s + 1 < 30; ++s) {
      const double sine = at(s, 0), cosine = (at(s, 1) - at(s, 0) * std::cos(1.0)) / std::sin(1.0);
      const double size = std::hypot(sine, cosine), angle = std::atan2(sine, cosine) + 0.3 * size;
      EXPECT_GT(size, 0.49);
      EXPECT_LT(size, 1.51);
      EXPECT_NEAR(at(s + 1, 0), size * std::sin(angle), 1e-4);
      EXPECT_NEAR(at(s + 1, 1), size * std::sin(angle + 1), 1e-4);
    }
  }
}

TEST(ToyData, FiltersAreRunningMeans) {
  const auto source = make_toy_source({.kind = ToyKind::kFilter, .width = 3, .steps = 20});
  const auto values = read(*source, Split::kTraining, kSome);
  for (std::size_t i = 0; i < kSome.size(); ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double y = 0;
      for (std::size_t s = 0; s < 20; ++s) {
        y = 0.7 * y + 0.3 * values[0][(i * 20 + s) * 3 + j];
        EXPECT_NEAR(values[1][(i * 20 + s) * 3 + j], y, 1e-5);
      }
    }
  }
}

// Frequencies, means and deviations of the components.
TEST(ToyData, MixturesHaveTheirComponents) {
  const auto source = make_toy_source({.kind = ToyKind::kMixture, .num_training = 20000, .width = 3});
  std::vector<std::size_t> all(20000);
  std::iota(all.begin(), all.end(), 0);
  const auto values = read(*source, Split::kTraining, all);
  std::vector<double> counts(8), sums(8 * 3), squares(8 * 3);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t component = 0;
    while (values[1][8 * i + component] != 1) ++component;
    counts[component] += 1;
    for (std::size_t j = 0; j < 3; ++j) {
      const double x = values[0][3 * i + j];
      sums[3 * component + j] += x, squares[3 * component + j] += x * x;
    }
  }
  for (std::size_t c = 0; c < 8; ++c) {
    EXPECT_NEAR(counts[c] / 20000, c % 2 == 0 ? 0.15 : 0.1, 0.01);
    const double angle = 2 * std::numbers::pi * static_cast<double>(c) / 8;
    const double expected[] = {std::cos(angle), std::sin(angle), -std::cos(angle)};
    for (std::size_t j = 0; j < 3; ++j) {
      const double mean = sums[3 * c + j] / counts[c];
      EXPECT_NEAR(mean, expected[j], 0.01);
      EXPECT_NEAR(std::sqrt(squares[3 * c + j] / counts[c] - mean * mean), 0.1, 0.01);
    }
  }
}

TEST(ToyData, CodesFollowEachOther) {
  const auto source = make_toy_source({.kind = ToyKind::kCodes, .num_training = 2000, .width = 2, .steps = 5});
  std::vector<std::size_t> all(2000);
  std::iota(all.begin(), all.end(), 0);
  const auto values = read(*source, Split::kTraining, all);
  int follow = 0;
  for (std::size_t i = 0; i < values[0].size(); ++i) {
    const float code = values[0][i];
    EXPECT_TRUE(code >= 0 && code <= 7 && code == std::round(code)) << code;
    if (i % 10 > 0) follow += code == std::fmod(values[0][i - 1] + 1, 8.0F) ? 1 : 0;
  }
  EXPECT_NEAR(follow / (2000.0 * 9), 0.825, 0.01);
}

TEST(ToyData, NeedsASizeAndAnOutputForEachField) {
  EXPECT_DEATH(make_toy_source({.width = 0}), "has a size");
  EXPECT_DEATH(make_toy_source({.steps = 0}), "has a size");
  EXPECT_DEATH(make_toy_source({.num_training = 0}), "has a size");
  const auto source = make_toy_source({});
  const std::size_t samples[] = {0};
  EXPECT_DEATH((void)source->read(Split::kTraining, samples, {}), "one output for each field");
}

}  // namespace
}  // namespace zoe::train

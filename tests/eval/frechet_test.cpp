// SPDX-License-Identifier: MIT
#include "zoe/eval/frechet.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/store/npy.h"

#include "support/data.h"

namespace zoe::eval::test {
namespace {

// Rows of `clips` clips, [rows × width]: independent normal columns of deviation `scale` about `shift`, mixed.
CodeSet normal_set(int width, int clips, int rows_each, double shift, double scale, std::uint64_t seed) {
  CodeSet out;
  out.width = width;
  Random random(seed);
  for (int clip = 0; clip < clips; ++clip) {
    for (int row = 0; row < rows_each; ++row) {
      double before = 0;
      for (int c = 0; c < width; ++c) {
        const double value = random.normal() + 0.6 * before;  // Neighbouring columns are related.
        before = value;
        out.codes.push_back(static_cast<float>(shift + scale * value));
      }
      out.clips.push_back(clip);
    }
  }
  return out;
}

GaussianFit diagonal(std::vector<double> mean, const std::vector<double>& variances) {
  const std::size_t n = mean.size();
  GaussianFit out{static_cast<int>(n), 100, std::move(mean), std::vector<double>(n * n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) out.covariance[i * n + i] = variances[i];
  return out;
}

TEST(Frechet, OfDiagonalCovariancesIsTheSumOfItsColumns) {
  const GaussianFit a = diagonal({0, 1, -2}, {4, 1, 0}), b = diagonal({3, 1, -2}, {1, 9, 0});
  // (3 - 0)² + (2 - 1)² + (1 - 3)²; a column without spread on both sides adds nothing.
  EXPECT_NEAR(frechet_distance(a, b), 9 + 1 + 4, 1e-9);
  EXPECT_NEAR(frechet_distance(b, a), 14, 1e-9);
  EXPECT_NEAR(frechet_distance(a, a), 0, 1e-9);
}

TEST(Frechet, OfTheSameRowsIsZeroAlsoWhereCovariancesAreSingular) {
  const CodeSet few = normal_set(24, 2, 5, 0, 1, 3);  // 10 rows of 24 columns.
  const GaussianFit fit = fit_gaussian(few.codes, 24);
  EXPECT_NEAR(frechet_distance(fit, fit), 0, 1e-6);
  const CodeSet other = normal_set(24, 2, 5, 0, 1, 4);
  const double apart = frechet_distance(fit, fit_gaussian(other.codes, 24));
  EXPECT_TRUE(std::isfinite(apart));
  EXPECT_GT(apart, 0);
}

TEST(Frechet, EqualsNumPy) {
  const auto folder = zoe::test::temporary_dir("frechet");
  const CodeSet a = normal_set(12, 1, 300, 0.3, 1.2, 5), b = normal_set(12, 1, 200, -0.1, 0.8, 6);
  const auto write = [&](const char* name, const CodeSet& set) {
    return write_npy(folder / name, view_of(set.codes, {set.size(), 12})).has_value();
  };
  ASSERT_TRUE(write("a.npy", a) && write("b.npy", b));
  // By the eigenvalues of the product C₁ C₂, which is not symmetric: another way than ours.
  const std::string script =
      "import numpy as n; a, b = n.load('a.npy').astype(float), n.load('b.npy').astype(float);"
      "c, d = n.cov(a.T), n.cov(b.T); m = a.mean(0) - b.mean(0);"
      "r = n.sqrt(n.maximum(n.linalg.eigvals(c @ d).real, 0)).sum();"
      "print('%.12g' % (m @ m + n.trace(c) + n.trace(d) - 2 * r))";
  const std::string command = fmt::format("cd '{}' && /usr/bin/python3 -c \"{}\" 2>/dev/null", folder.string(), script);
  std::FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  double expected = -1;
  const int read = std::fscanf(pipe, "%lf", &expected);
  ::pclose(pipe);
  if (read != 1) GTEST_SKIP() << "NumPy is absent";
  EXPECT_NEAR(frechet_distance(fit_gaussian(a.codes, 12), fit_gaussian(b.codes, 12)), expected, 1e-8 * expected);
}

TEST(Frechet, FloorOfEqualSetsIsNearTheDistanceAtItsSize) {
  const CodeSet real = normal_set(8, 60, 12, 0, 1, 7), made = normal_set(8, 60, 12, 0, 1, 8);
  const auto report = compare_sets(made, real);
  ASSERT_TRUE(report.has_value());
  EXPECT_FALSE(report->too_few());
  EXPECT_GT(report->floor.mean, 0);
  EXPECT_LT(report->at_floor_size.mean, 1.5 * report->floor.mean);
  EXPECT_GT(report->at_floor_size.mean, 0.5 * report->floor.mean);
  EXPECT_LE(report->floor.lowest, report->floor.mean);
  EXPECT_NEAR(static_cast<double>(report->floor_rows), 360, 1);
  // The distance of finitely many rows is above zero although both have one distribution; the extrapolation is nearer.
  EXPECT_LT(report->extrapolated, 0.5 * report->distance);
}

TEST(Frechet, ExtrapolationIsNearTheTruthForFewRows) {
  const CodeSet real = normal_set(8, 24, 5, 0, 1, 9), made = normal_set(8, 24, 5, 0.5, 1, 10);
  const auto report = compare_sets(made, real);
  ASSERT_TRUE(report.has_value());
  const double truth = 8 * 0.25;
  EXPECT_GT(report->distance, truth);
  EXPECT_LT(std::abs(report->extrapolated - truth), std::abs(report->distance - truth) + 0.2);
}

TEST(Frechet, IsAboveItsFloorForAnotherDistribution) {
  const CodeSet real = normal_set(8, 40, 12, 0, 1, 11), made = normal_set(8, 40, 12, 0.3, 1.1, 12);
  const auto report = compare_sets(made, real);
  ASSERT_TRUE(report.has_value());
  EXPECT_GT(report->at_floor_size.lowest, report->floor.highest);
}

TEST(Frechet, HalvesAreDrawnByClips) {
  // Clips that differ much and have constant rows: halves by rows would be equal, halves by clips are not.
  CodeSet set;
  set.width = 1;
  for (int clip = 0; clip < 6; ++clip) {
    for (int row = 0; row < 50; ++row) {
      set.codes.push_back(static_cast<float>(clip * clip));
      set.clips.push_back(clip);
    }
  }
  const auto report = compare_sets(set, set);
  ASSERT_TRUE(report.has_value());
  EXPECT_GT(report->floor.mean, 1);
}

TEST(Frechet, SaysWhenThereIsTooLittle) {
  const CodeSet real = normal_set(8, 10, 4, 0, 1, 13), made = normal_set(8, 2, 4, 0, 1, 14);
  const auto report = compare_sets(made, real);
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(report->too_few());
  EXPECT_EQ(report->needed_rows, 80U);
  EXPECT_FALSE(compare_sets(made, normal_set(8, 3, 40, 0, 1, 15)).has_value());  // Three clips have no halves.
  EXPECT_FALSE(compare_sets(made, normal_set(9, 10, 4, 0, 1, 16)).has_value());  // Other columns.
}

TEST(Frechet, IsTheSameAgain) {
  const CodeSet real = normal_set(6, 20, 8, 0, 1, 17), made = normal_set(6, 20, 8, 1, 1, 18);
  const auto a = compare_sets(made, real), b = compare_sets(made, real);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->floor.mean, b->floor.mean);
  EXPECT_EQ(a->extrapolated, b->extrapolated);
  const auto other = compare_sets(made, real, {.num_seeds = 10, .seed = 2});
  EXPECT_NE(a->floor.mean, other->floor.mean);
}

}  // namespace
}  // namespace zoe::eval::test

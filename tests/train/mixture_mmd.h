// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Squared maximum mean discrepancy (Gretton et al., 2012) between samples and the toy mixture
// of two columns (zoe/train/toy.h). The kernel is the mean of four Gaussians, so its expectations over the mixture have
// a closed form: only the samples bring noise. Without bias: around 0, also negative, for samples of the mixture
// itself.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "zoe/core/random.h"

namespace zoe::train {

struct MixtureTruth {
  static constexpr int kComponents = 8;
  static constexpr double kDeviation = 0.1;
  static double probability(int component) { return component % 2 == 0 ? 0.15 : 0.1; }
  static std::array<double, 2> mean(int component) {
    const double angle = 2 * std::numbers::pi * component / kComponents;
    return {std::cos(angle), std::sin(angle)};
  }
  // Drawn by other means than the toy source.
  static std::vector<float> draw(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> out;
    for (std::size_t i = 0; i < count; ++i) {
      double at = random.uniform_double();
      int component = 0;
      while (component < kComponents - 1 && at >= probability(component)) at -= probability(component++);
      for (const double centre : mean(component))
        out.push_back(static_cast<float>(centre + kDeviation * random.normal()));
    }
    return out;
  }
};

// samples: [count, 2]
inline double squared_mmd(std::span<const float> samples) {
  constexpr double kWidths[] = {0.8, 0.4, 0.2, 0.1};  // Deviations of the kernels, each half of the one before.
  const std::size_t count = samples.size() / 2;
  double pairs = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float x = samples[2 * i], y = samples[2 * i + 1];
    float sum = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const float dx = x - samples[2 * j], dy = y - samples[2 * j + 1];
      const float a = std::exp(-(dx * dx + dy * dy) / (2 * 0.64F));
      const float b = a * a * a * a, c = b * b * b * b, d = c * c * c * c;
      sum += a + b + c + d;
    }
    pairs += static_cast<double>(sum);
  }
  const auto n = static_cast<double>(count);
  double result = 2 * pairs / (n * (n - 1));
  // E k(x, y) of y in a Gaussian of variance v around a point at squared distance d, in two dimensions.
  const auto expected = [](double width, double variance, double squared) {
    const double total = width * width + variance;
    return width * width / total * std::exp(-squared / (2 * total));
  };
  const double variance = MixtureTruth::kDeviation * MixtureTruth::kDeviation;
  for (const double width : kWidths) {
    for (int a = 0; a < MixtureTruth::kComponents; ++a) {
      const auto mean = MixtureTruth::mean(a);
      double near = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const double dx = static_cast<double>(samples[2 * i]) - mean[0],
                     dy = static_cast<double>(samples[2 * i + 1]) - mean[1];
        near += expected(width, variance, dx * dx + dy * dy);
      }
      result -= 2 * MixtureTruth::probability(a) * near / n;
      for (int b = 0; b < MixtureTruth::kComponents; ++b) {
        const auto other = MixtureTruth::mean(b);
        const double dx = mean[0] - other[0], dy = mean[1] - other[1];
        result += MixtureTruth::probability(a) * MixtureTruth::probability(b) *
                  expected(width, 2 * variance, dx * dx + dy * dy);
      }
    }
  }
  return result / static_cast<double>(std::size(kWidths));
}

}  // namespace zoe::train

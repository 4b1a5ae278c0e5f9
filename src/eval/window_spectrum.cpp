// SPDX-License-Identifier: MIT
#include "eval/window_spectrum.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "zoe/core/check.h"
#include "zoe/math/fft.h"

namespace zoe::eval {
namespace {

constexpr std::size_t kSize = 64;  // 0.47 Hz between two bins.
constexpr std::array<std::size_t, kNumBands + 1> kFirstBin{1, 2, 4, 7, 13, 21, 33};

// Two real signals at a time: the power of both together needs no separation of their transforms.
class PairTransform {
 public:
  PairTransform(std::size_t begin, std::size_t end) : begin_(begin), count_(end - begin) {
    double squares = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      taper_[i] =
          0.5 - 0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(count_));
      squares += taper_[i] * taper_[i];
    }
    scale_ = 1 / (static_cast<double>(kSize) * squares);
  }

  // Adds `weight` times the power of a(frame) and b(frame) about their means.
  template <typename A, typename B>
  void add(A a, B b, double weight, Bands& bands) {
    double mean_a = 0, mean_b = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      mean_a += a(begin_ + i);
      mean_b += b(begin_ + i);
    }
    mean_a /= static_cast<double>(count_), mean_b /= static_cast<double>(count_);
    values_.fill({});
    for (std::size_t i = 0; i < count_; ++i)
      values_[i] = {taper_[i] * (a(begin_ + i) - mean_a), taper_[i] * (b(begin_ + i) - mean_b)};
    fft(values_);
    for (std::size_t band = 0; band < kNumBands; ++band) {
      for (std::size_t k = kFirstBin[band]; k < kFirstBin[band + 1]; ++k) {
        const double both = std::norm(values_[k]) + (k < kSize / 2 ? std::norm(values_[kSize - k]) : 0.0);
        bands[band] += weight * scale_ * both;
      }
    }
  }

 private:
  std::size_t begin_, count_;
  double scale_ = 0;
  std::array<double, kSize> taper_{};
  std::array<std::complex<double>, kSize> values_{};
};

}  // namespace

WindowSpectrum window_spectrum(const BodySignals& signals, std::size_t begin, std::size_t end) {
  ZOE_CHECK(end > begin && end - begin <= kSize, "a window has 1 to 64 frames");
  WindowSpectrum out;
  PairTransform transform(begin, end);
  const auto none = [](std::size_t) { return 0.0; };
  for (std::size_t j = 0; j < signals.num_joints; ++j) {
    const auto weight = static_cast<double>(signals.body.weights[j]);
    if (weight <= 0) continue;
    const auto axis = [&signals, j](std::size_t k) {
      return [&signals, j, k](std::size_t f) {
        return static_cast<double>(signals.places[f * signals.num_joints + j][k]);
      };
    };
    Bands bands{};
    transform.add(axis(0), axis(1), weight, bands);
    transform.add(axis(2), none, weight, bands);
    for (std::size_t band = 0; band < kNumBands; ++band) {
      out.parts[static_cast<std::size_t>(signals.body.part_of[j])][band] += bands[band];
      out.parts[static_cast<std::size_t>(Part::kAll)][band] += bands[band];
    }
  }
  for (std::size_t part = 0; part < kNumOwnParts; ++part) {
    const auto share = static_cast<double>(signals.body.shares[part]);
    for (double& power : out.parts[part]) power = share > 0 ? power / share : 0.0;
  }
  transform.add([&](std::size_t f) { return static_cast<double>(signals.centre_velocity[f].z); }, none, 1, out.ahead);
  transform.add([&](std::size_t f) { return static_cast<double>(signals.centre_velocity[f].y); }, none, 1, out.up);
  transform.add(
      [&](std::size_t f) {
        const std::size_t before = f > 0 ? f - 1 : 0;
        return kSignalFps * static_cast<double>(signals.facing_rad[f] - signals.facing_rad[before]);
      },
      none, 1, out.turn);
  return out;
}

}  // namespace zoe::eval

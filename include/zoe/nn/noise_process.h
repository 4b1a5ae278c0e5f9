// SPDX-License-Identifier: MIT
// Part of Zoetrope. From data to noise and back, in numbered levels: Gaussian diffusion and flow matching as one table.
// Training (torch) and run time (no torch) use these numbers.
//
//   x(level) = alpha(level) data + sigma(level) noise      level 0: data; level `levels()`: noise
//
// Data are normalised, noise has deviation 1. A network sees x and time() and predicts a fixed combination of data and
// noise (Prediction), from which to_data() gives its estimate of the data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::nn {

enum class NoiseSchedule : std::uint8_t {
  kCosine,  // Diffusion: Nichol and Dhariwal, 2021. alpha^2 + sigma^2 = 1.
  kLinear,  // Diffusion: Ho, Jain and Abbeel, 2020, its 1,000 rates scaled to any number of levels. The same sum.
  kFlow,    // Flow matching on straight lines: alpha = 1 - time, sigma = time.
};

enum class Prediction : std::uint8_t {
  kData,      // The data (x0).
  kV,         // alpha noise - sigma data (Salimans and Ho, 2022).
  kVelocity,  // noise - data: of flow matching, dx / dtime.
};

enum class LossWeight : std::uint8_t {
  kUniform,  // 1 on the squared error of the prediction.
  kMinSnr,   // min(alpha^2 / sigma^2, 5) on that of the data (Hang et al., 2023).
};

const char* to_string(NoiseSchedule schedule);
const char* to_string(Prediction prediction);
Result<NoiseSchedule> parse_noise_schedule(std::string_view word);
Result<Prediction> parse_prediction(std::string_view word);
Result<LossWeight> parse_loss_weight(std::string_view word);

struct NoiseProcessOptions {
  NoiseSchedule schedule = NoiseSchedule::kCosine;
  Prediction prediction = Prediction::kV;
  int levels = 1000;  // 2 to 100,000.
  // Of kFlow, 1 to 1,000: level share u has sigma / alpha = shift * u / (1 - u). Where many numbers say the same, as
  // all joints of a walk do, what it will be is decided at noise that outweighs single numbers many times.
  double shift = 1;
};

// Immutable.
class NoiseProcess {
 public:
  static Result<NoiseProcess> create(const NoiseProcessOptions& options);

  const NoiseProcessOptions& options() const { return options_; }
  int levels() const { return options_.levels; }
  std::span<const float> alphas() const { return alphas_; }  // [levels + 1]
  std::span<const float> sigmas() const { return sigmas_; }  // [levels + 1]
  float time(int level) const { return static_cast<float>(level) / static_cast<float>(options_.levels); }

  // What the network has to predict: data * (the data) + noise * (the noise).
  struct Mix {
    float data = 0, noise = 0;
  };
  Mix target(int level) const noexcept;

  // Estimate of the data: x * (the noised data) + prediction * (the network's output).
  struct ToData {
    float x = 0, prediction = 0;
  };
  ToData to_data(int level) const noexcept;

  // dx along the path from data to noise: x * (the noised data) + data * (the estimate). The parameter is the angle of
  // (alpha, sigma) in diffusion, time in flow matching. sigma(level) > 0.
  struct Slope {
    double x = 0, data = 0;
  };
  Slope slope(int level) const noexcept;
  double path(int level) const noexcept;  // The parameter: 0 at level 0.

  // Factor of the squared error of the prediction. level >= 1.
  float loss_weight(int level, LossWeight weight) const noexcept;

  // "schedule=cosine prediction=v levels=1000", and "shift=" where it is not 1: stored with a network under
  // kProcessKey.
  std::string to_text() const;
  static Result<NoiseProcess> from_text(std::string_view text);

 private:
  NoiseProcess() = default;
  double alpha(int level) const { return alphas_[static_cast<std::size_t>(level)]; }
  double sigma(int level) const { return sigmas_[static_cast<std::size_t>(level)]; }

  NoiseProcessOptions options_;
  std::vector<float> alphas_, sigmas_;
};

// Key in the metadata of a network's file.
constexpr const char* kProcessKey = "zoe.process";

}  // namespace zoe::nn

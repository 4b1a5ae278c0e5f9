// SPDX-License-Identifier: MIT
// Part of Zoetrope. From noise to data in a few evaluations of a network. A sampler is a list of stages. Every stage
// evaluates the network once and is linear, so one formula on arrays runs all samplers:
//
//   const std::vector<SamplerStage> stages = make_stages(process, {Sampler::kDdim, 20}).value();
//   // x: noise of deviation 1
//   for (const SamplerStage& stage : stages) {
//     // network: prediction from x and stage.time
//     estimate_data(process.to_data(stage.level), x, prediction, data);
//     // noise: fresh where stage.noise is not 0
//     advance(stage, data, noise, held, x);
//   }
//
// Afterwards x is a sample. Nothing here allocates but make_stages().
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "zoe/nn/noise_process.h"

namespace zoe::nn {

enum class Sampler : std::uint8_t {
  kDdpm,     // Ancestral: fresh noise at each step (Ho, Jain and Abbeel, 2020), for any subset of levels.
  kDdim,     // Deterministic, first order (Song, Meng and Ermon, 2021). In flow matching: Euler's method.
  kHeun,     // Deterministic, second order: Heun's method on the probability flow; two evaluations a step but the last.
  kFewStep,  // Estimates the data and adds fresh noise of the next level: for consistency models (Song et al., 2023).
};
const char* to_string(Sampler sampler);
Result<Sampler> parse_sampler(std::string_view word);

struct SamplerOptions {
  Sampler sampler = Sampler::kDdim;
  int steps = 20;  // 1 to the process's levels.
};

// One evaluation. The next x is x * (x) + data * (estimate) + noise * (fresh noise) + held * (held numbers); the next
// held numbers are hold_x * (x) + hold_data * (estimate), where `holds`.
struct SamplerStage {
  int level = 0;   // Of x.
  float time = 0;  // Of the level: an input of the network.
  float x = 0, data = 0, noise = 0, held = 0;
  bool holds = false;
  float hold_x = 0, hold_data = 0;
};

// Levels are evenly spaced from the last to 0. The last stage gives the estimate of the data itself.
Result<std::vector<SamplerStage>> make_stages(const NoiseProcess& process, const SamplerOptions& options);
// The levels of the steps: steps + 1 of them, from process.levels() to 0.
Result<std::vector<int>> step_levels(const NoiseProcess& process, int steps);

// data = to_data.x * x + to_data.prediction * prediction. All of one size; data may be prediction.
void estimate_data(NoiseProcess::ToData to_data, std::span<const float> x, std::span<const float> prediction,
                   std::span<float> data) noexcept;

// Classifier-free guidance (Ho and Salimans, 2022): with = without + scale * (with - without). 1: no change.
void guide(float scale, std::span<const float> without, std::span<float> with) noexcept;

// noise may be empty where stage.noise is 0; held where no stage holds.
void advance(const SamplerStage& stage, std::span<const float> data, std::span<const float> noise,
             std::span<float> held, std::span<float> x) noexcept;

}  // namespace zoe::nn

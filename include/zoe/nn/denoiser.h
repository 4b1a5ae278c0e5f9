// SPDX-License-Identifier: MIT
// Part of Zoetrope. A trained diffusion or flow network with its noise process: samples without torch.
//
//   const Denoiser denoiser = Denoiser::load("run/model.safetensors").value();
//   const std::vector<SamplerStage> stages = make_stages(denoiser.process(), denoiser.sampler()).value();
//   DenoiserState state = make_state(denoiser, 64);
//   SampleJob{.denoiser = &denoiser, .state = &state, .stages = stages, .batch = 3, .out = samples}.run();
//
// Ports of the network: inputs x (normalised, [steps, width]), time [1], and in conditional networks condition and
// guided [1] (1: with the condition, 0: without). Outputs prediction, and data: x in the data's units.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "zoe/core/random.h"
#include "zoe/nn/network.h"
#include "zoe/nn/sampler.h"

namespace zoe::nn {

// Key in the metadata of a network's file: the sampler that it was made for, "sampler=ddim steps=4".
constexpr const char* kSamplerKey = "zoe.sampler";
std::string to_text(const SamplerOptions& options);
Result<SamplerOptions> sampler_from_text(std::string_view text);

// Immutable.
class Denoiser {
 public:
  static Result<Denoiser> load(const std::filesystem::path& path);
  // Refuses a graph without a process or with other ports.
  static Result<Denoiser> create(const Graph& graph);

  const NoiseProcess& process() const { return process_; }
  // The one in the file; without it DDIM with 50 steps, or with all levels where there are fewer.
  const SamplerOptions& sampler() const { return sampler_; }
  Shape shape() const { return shape_; }                    // Of one sample.
  int condition_width() const { return condition_width_; }  // Numbers per sample; 0: no condition.
  std::span<const float> means() const { return means_; }   // [width] Of the data.
  std::span<const float> spreads() const { return spreads_; }
  const Network& network() const { return *network_; }

 private:
  explicit Denoiser(NoiseProcess process) : process_(std::move(process)) {}

  NoiseProcess process_;
  SamplerOptions sampler_;
  NetworkPtr network_;
  Shape shape_;
  int condition_width_ = 0;
  std::vector<float> means_, spreads_;
};

// Memory of one caller, sized once. Movable.
struct DenoiserState {
  int max_batch = 0;
  NetworkState network;
  std::vector<Random> random;  // One per item.
  std::vector<float> x, data, without, held, noise;
  std::vector<float> absent;        // Stands for an absent condition: zeros.
  std::vector<float> time, guided;  // [max_batch]
};
DenoiserState make_state(const Denoiser& denoiser, int max_batch);

// Samples in the data's units. Item i uses the random stream `first_item + i` of `seed`: the same sample alone and in
// any batch. Never allocates.
struct SampleJob {
  const Denoiser* denoiser = nullptr;
  DenoiserState* state = nullptr;
  std::span<const SamplerStage> stages;
  int batch = 1;                     // 1 to state->max_batch.
  std::span<const float> condition;  // [batch, condition_width], or empty: without a condition.
  float guidance = 1;                // Classifier-free guidance; 1: none. Above 1 costs a second evaluation a stage.
  std::uint64_t seed = 1, first_item = 0;
  std::span<float> out;  // [batch, steps, width]

  // Null, or the reason of a refusal.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

}  // namespace zoe::nn

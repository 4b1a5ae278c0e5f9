// SPDX-License-Identifier: MIT
// Part of Zoetrope. The tables [train] and [data] of a training config, read once and checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zoe/store/config.h"

namespace zoe::train {

enum class Schedule : std::uint8_t { kConstant, kCosine, kWarmRestarts, kExponential };

struct Settings {
  std::uint64_t seed = 1;
  std::int64_t steps = 0, epochs = 0;
  double seconds = 0;  // Above 0: the end of training, whatever the number of steps.
  std::int64_t batch = 32;
  bool normalised_decay = false;  // AdamWR.
  double rate = 1e-3, min_rate = 1e-7, weight_decay = 1e-4, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  Schedule schedule = Schedule::kCosine;
  std::int64_t warmup_steps = 0;
  double restart_epochs = 10, restart_factor = 2, rate_per_epoch = 0.99;
  double clip_norm = 1, ema = 0;
  std::string precision;
  std::int64_t log_every = 0, validate_every = 0, validation_batches = 0, checkpoint_every = 0, keep = 3, patience = 0,
               candidates = 0;
  std::int64_t max_skipped = 20, threads = 0;
  std::string collective = "auto";
  double rank_timeout_s = 20;
  std::string cuda_graph = "auto";
  std::string resident;
  std::string sample_command;
  double sample_timeout_s = 60;
  int min_frames = 16, max_frames = 64;
  int variants = 0;
  std::string bodies = "all";
  std::int64_t tokens = 4096;
  int frame_sizes = 4, joint_sizes = 4, size_multiple = 1;
  std::int64_t run_length = 1;       // model.rollout, where the model has it: consecutive samples in a batch.
  std::vector<std::string> balance;  // Empty, or two labels.
};

// Declares [train] and [data].
void add_settings(ConfigSchema& schema);

// Refuses values out of range, by key.
Result<Settings> read_settings(const Config& config);

// Sizes, counts and fractions in [model], which have the same types in every model.
Result<void> check_model_settings(const Config& config);

}  // namespace zoe::train

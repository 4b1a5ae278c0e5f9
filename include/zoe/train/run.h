// SPDX-License-Identifier: MIT
// Part of Zoetrope. Trains a model and writes a run folder:
//
//   config.toml                             every setting, as resolved
//   run.json                                model, data, git id, device, sizes
//   model.safetensors                       the network, for zoe::nn
//   checkpoints/                            the newest few, and best.safetensors
//   metrics.jsonl, events.out.tfevents.*    the log, for programs and for TensorBoard
//   report.html                             curves
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/train/batch_source.h"
#include "zoe/train/ranks.h"

namespace zoe::train {

// Opens data that is not "toy": a dataset folder.
using OpenSource =
    std::function<Result<std::unique_ptr<BatchSource>>(const std::filesystem::path& folder, Warnings& warnings)>;

struct RunRequest {
  std::string model;
  std::string data = "toy";  // Or a folder, which open_source opens.
  std::filesystem::path folder;
  std::optional<std::filesystem::path> config_file;
  std::vector<std::string> overrides;  // "train.rate=3e-4"
  std::string device = "auto";         // auto, cpu, cuda
  bool resume = false;
  bool quiet = false;
  Ranks ranks;
  OpenSource open_source;
};

struct RunSummary {
  std::int64_t step = 0;
  bool stopped = false;  // By a signal, before the last step.
  std::string reason;    // "all steps done", "no better validation for 5 times", …
  double training_loss = 0;
  std::optional<double> best_validation_loss;
  std::int64_t best_step = 0;
  double samples_per_s = 0;
  Warnings warnings;
};

Result<RunSummary> run(const RunRequest& request);

// Requests a run to save and end after its present step; safe in a signal handler.
void request_stop() noexcept;

struct ModelSummary {
  std::string name, summary;
};
std::vector<ModelSummary> list_models();
// All keys of a model's config with their defaults, as TOML.
Result<std::string> default_config(const std::string& model);

// "1.13.1 (CPU)" or "2.11.0 (CUDA)".
std::string torch_version();

}  // namespace zoe::train

// SPDX-License-Identifier: MIT
// Part of Zoetrope. Request and summary of a training run.
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
#include "zoe/train/joint_source.h"
#include "zoe/train/ranks.h"

namespace zoe::train {

// Opens data that is not "toy": a dataset folder.
using OpenSource =
    std::function<Result<std::unique_ptr<BatchSource>>(const std::filesystem::path& folder, Warnings& warnings)>;

// A folder of several that are trained on together.
struct DataPart {
  std::string data;
  double weight = 1;  // Of drawn samples, relative to the sum.
};

// The same for models of ragged data: windows of all skeletons.
using OpenRaggedSource = std::function<Result<std::unique_ptr<BatchSource>>(
    const std::filesystem::path& folder, const JointWindows& windows, Warnings& warnings)>;

struct RunRequest {
  std::string model;
  std::string data = "toy";       // Or a folder, which open_source opens.
  std::vector<DataPart> mixture;  // Several folders instead of `data`.
  std::filesystem::path folder;
  std::optional<std::filesystem::path> config_file;
  std::vector<std::string> overrides;  // "train.rate=3e-4"
  std::string device = "auto";         // auto, cpu, cuda
  bool resume = false;                 // From the newest checkpoint; from the start where the run has none yet.
  bool allow_changes = false;          // Resumes also on other data, or with other settings that change the result.
  bool quiet = false;
  std::int64_t time_steps = 0;  // Above 0: measures the time of this number of steps. Nothing is written.
  Ranks ranks;
  OpenSource open_source;
  OpenRaggedSource open_ragged_source;
};

struct RunSummary {
  std::int64_t step = 0;
  bool stopped = false;  // By a signal, before the last step.
  std::string reason;    // "all steps done", "no better validation for 5 times", …
  double training_loss = 0;
  std::optional<double> best_validation_loss;
  std::int64_t best_step = 0;
  double samples_per_s = 0;
  std::int64_t num_weights = 0;
  Warnings warnings;
};

}  // namespace zoe::train

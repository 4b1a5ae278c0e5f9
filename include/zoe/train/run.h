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

#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/train/run_request.h"
#include "zoe/train/torch_version.h"

namespace zoe::train {

Result<RunSummary> run(const RunRequest& request);

// Requests a run to save and end after its present step; safe in a signal handler.
void request_stop() noexcept;
bool stop_requested() noexcept;

struct ModelSummary {
  std::string name, summary;
};
std::vector<ModelSummary> list_models();
// All keys of a model's config with their defaults, as TOML.
Result<std::string> default_config(const std::string& model);

}  // namespace zoe::train

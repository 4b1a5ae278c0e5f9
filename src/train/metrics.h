// SPDX-License-Identifier: MIT
// Part of Zoetrope. Measurements of a run: metrics.jsonl for people and scripts, and the same for TensorBoard.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "train/event_file.h"

namespace zoe::train {

// One line of metrics.jsonl: {"step": 50, "epoch": 1.2, "split": "training", "loss": 0.31, …}.
struct MetricRow {
  std::int64_t step = 0;
  double epoch = 0;
  std::string split;  // "training" or "validation".
  Scalars values;
};

class MetricLog {
 public:
  // Appends in `folder`. from_step: rows of later steps, written before a crash, are dropped. 0 starts a new file.
  static Result<MetricLog> open(const std::filesystem::path& folder, std::int64_t from_step);

  Result<void> add(const MetricRow& row);

 private:
  MetricLog(std::filesystem::path path, EventFile events) : path_(std::move(path)), events_(std::move(events)) {}
  std::filesystem::path path_;
  EventFile events_;
};

// Lines that are not rows (a truncated last line) are skipped.
Result<std::vector<MetricRow>> read_metrics(const std::filesystem::path& path);

}  // namespace zoe::train

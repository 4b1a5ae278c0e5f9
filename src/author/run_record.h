// SPDX-License-Identifier: MIT
// request.json of a run folder: what was requested, and how far the run is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "author/run_request.h"

namespace zoe::author {

constexpr const char* kRecordFile = "request.json";

struct RunRecord {
  std::vector<RunFact> facts;
  std::optional<std::vector<std::string>> fit_settings;  // Present: the dataset is complete.
  bool complete = false;                                 // All of the run.
};

Result<void> write_run_record(const std::filesystem::path& folder, const RunRecord& record);
Result<RunRecord> read_run_record(const std::filesystem::path& folder);

}  // namespace zoe::author

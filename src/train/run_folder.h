// SPDX-License-Identifier: MIT
// Part of Zoetrope. The run folder: the resolved settings and files of a run.
#pragma once

#include <filesystem>

#include "zoe/store/config.h"
#include "zoe/train/run_request.h"

namespace zoe::train {

// The schema's defaults, then the run's own config.toml (when resumed), the file, the overrides.
Result<Config> resolve_config(const ConfigSchema& schema, const RunRequest& request);

// Creates the folder. Refuses one that already holds a run, and a resume where there is none.
Result<void> open_run_folder(const RunRequest& request);

// config.toml and run.json.
Result<void> write_run_files(const RunRequest& request, const Config& config, const BatchSource& source,
                             const std::string& device, std::int64_t num_weights, int threads);

}  // namespace zoe::train

// SPDX-License-Identifier: MIT
// Part of Zoetrope. A resumed run continues on the same data with the same settings.
#pragma once

#include <filesystem>
#include <string>

#include "zoe/core/result.h"
#include "zoe/store/config.h"
#include "zoe/store/metadata.h"

namespace zoe::train {

// Fails (kUsage) where the checkpoint is of other data, or of settings that change the result; names each with both
// values. Settings of the run's length, log and speed may differ.
Result<void> check_unchanged(const Metadata& checkpoint, const Config& config, const std::string& data_identity,
                             const std::filesystem::path& folder);

}  // namespace zoe::train

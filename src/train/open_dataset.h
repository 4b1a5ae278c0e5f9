// SPDX-License-Identifier: MIT
// A dataset folder as every source of batches opens it.
#pragma once

#include <filesystem>
#include <string>

#include "zoe/core/result.h"
#include "zoe/dataset/dataset.h"

namespace zoe::train {

// With its checksums verified. remedy: what to do where the folder has none, for the message.
Result<dataset::DatasetPtr> open_verified(const std::filesystem::path& folder, const std::string& remedy);

// Of the data itself: the hash of the manifest, which names the checksums of the rows. Empty where it cannot be read.
std::string identity_of(const dataset::Dataset& data);

}  // namespace zoe::train

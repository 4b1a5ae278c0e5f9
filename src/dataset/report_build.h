// SPDX-License-Identifier: MIT
// Counts of what was built, and words about what a user should know.
#pragma once

#include "dataset/records.h"

namespace zoe::dataset {

BuildReport report_of(const Manifest& manifest, std::span<const features::Layout> layouts);

}  // namespace zoe::dataset
